package audit

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// scopeRead is what a person needs to look into the log.
const scopeRead = "audit:read"

// Names of the log's own capabilities.
const (
	nameSearch = "audit.search"
	nameTrace  = "audit.trace"
	nameVerify = "audit.verify"
	nameStats  = "audit.stats"
	nameReplay = "audit.replay"
)

// quotesLog reports whether a capability's output is a part of the log. Such
// output is not recorded: whoever read the log twice would have it in there
// twice, and then four times.
func quotesLog(name string) bool { return name == nameSearch || name == nameTrace }

// isOwn reports whether a capability is the log's own.
func isOwn(name string) bool { return strings.HasPrefix(name, "audit.") }

type traceInput struct {
	RequestID string `json:"requestId" jsonschema:"minLength=1" jsonschema_description:"Id of any request of the trace."`
}

// phrases are the example sentences of the log's capabilities.
//
//go:embed phrases.txt
var phrases string

// Capabilities are the log's own: audit.search, audit.trace, audit.verify and
// audit.stats, each person's saved filters (audit.saveFilter, audit.listFilters,
// audit.deleteFilter), and what options add.
func Capabilities(l *Log, options ...CapabilityOption) []bus.Capability {
	var p ports
	for _, o := range options {
		o(&p)
	}
	base := bus.Capability{SideEffect: bus.Pure, Category: "audit", Group: "audit", Permissions: []string{scopeRead},
		Resources: []string{"database:read"}, Routes: []string{"audit"}, Idempotent: true}

	search := base
	search.Name, search.Title, search.Type = nameSearch, "Search the audit log", bus.TypeData
	search.Description = "Finds records of what was asked and done, newest first, by who asked, what, when and how it ended. " +
		"Use it to answer what happened; not to find orders or customers."
	search.Searchable, search.Filterable, search.Paginated = true, true, true

	trace := base
	trace.Name, trace.Title, trace.Type = nameTrace, "Trace a request", bus.TypeData
	trace.Description = "Shows everything that belongs to one request in order, from the sentence to the changed rows. " +
		"Use it when one request is known; not to search."

	verify := base
	verify.Name, verify.Title, verify.Type = nameVerify, "Verify the audit log", bus.TypeStatus
	verify.Description = "Checks that no record of the log was changed, added, removed or moved, and names the first that was. " +
		"Use it before relying on the log; it does not repair anything."
	verify.Timeout = time.Hour

	out := []bus.Capability{
		statsCapability(l, base, &p),
		bus.Define(search, func(ctx context.Context, _ *bus.Call, in searchInput) (searchOutput, error) {
			return l.answerSearch(ctx, &in)
		}),
		bus.Define(trace, func(ctx context.Context, _ *bus.Call, in traceInput) (Trace, error) {
			t, err := l.Trace(ctx, in.RequestID)
			if err == nil && len(t.Records) == 0 {
				err = bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no request %s in the log.", in.RequestID).
					WithHint("audit.search finds requests.")
			}
			return t, err
		}),
		bus.Define(verify, func(ctx context.Context, call *bus.Call, _ struct{}) (Verdict, error) {
			return l.Verify(ctx, func(done, total int64) {
				call.Progress(int(done*100/max(total, 1)), "Checking the log")
			})
		}),
	}
	out = append(out, filterCapabilities(base)...)
	out = append(out, exportCapability(l, p.files, base), replayCapability(l, p.replica, base))
	return slices.DeleteFunc(bus.WithPhrases(phrases, out), func(c bus.Capability) bool {
		return c.Name == nameExport && p.files == nil || c.Name == nameReplay && p.replica == nil
	})
}
