package capabilities

import (
	"context"
	_ "embed"
	"slices"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// Options give the capabilities what some of them need. The zero value is ready
// to use.
type Options struct {
	// Files is where exports go. nil: there is no audit.export.
	Files Files
	// Replica opens a temporary copy of the log as it is now. nil: there is no
	// audit.replay.
	Replica func(context.Context) (*audit.Replica, error)
	// Zone is the time zone of days for callers that name none; it is called in
	// the snapshot of the handler whose context it gets. nil: UTC.
	Zone func(context.Context) (*time.Location, error)
}

type traceInput struct {
	RequestID string `json:"requestId" jsonschema:"minLength=1" jsonschema_description:"Id of any request of the trace."`
}

// phrases are the example sentences of the log's capabilities.
//
//go:embed phrases.txt
var phrases string

// New returns the capabilities of a log: audit.search, audit.trace, audit.verify,
// audit.stats, those of each person's saved filters (audit.saveFilter,
// audit.listFilters, audit.deleteFilter), and audit.export and audit.replay where
// o has what they need.
func New(l *audit.Log, o Options) []bus.Capability {
	base := bus.Capability{SideEffect: bus.Pure, Category: "audit", Group: "audit", Permissions: []string{"audit:read"},
		Resources: []string{"database:read"}, Routes: []string{"audit"}, Idempotent: true}

	search := base
	search.Name, search.Title, search.Type = "audit.search", "Search the audit log", bus.TypeData
	search.Description = "Finds records of what was asked and done, newest first, by who asked, what, when and how it " +
		"ended. Use it to answer what happened; not to find the data itself."
	search.Searchable, search.Filterable, search.Paginated = true, true, true

	trace := base
	trace.Name, trace.Title, trace.Type = "audit.trace", "Trace a request", bus.TypeData
	trace.Description = "Shows everything that belongs to one request in order, from the sentence to the changed rows. " +
		"Use it when one request is known; not to search."

	verify := base
	verify.Name, verify.Title, verify.Type = "audit.verify", "Verify the audit log", bus.TypeStatus
	verify.Description = "Checks that no record of the log was changed, added, removed or moved, and names the first " +
		"that was. Use it before relying on the log; it does not repair anything."
	verify.Timeout = time.Hour

	out := []bus.Capability{
		statsCapability(l, base, o.Zone),
		bus.Define(search, func(ctx context.Context, _ *bus.Call, in searchInput) (searchOutput, error) {
			return answerSearch(ctx, l, &in)
		}),
		bus.Define(trace, func(ctx context.Context, _ *bus.Call, in traceInput) (audit.Trace, error) {
			t, err := l.Trace(ctx, in.RequestID)
			if err == nil && len(t.Records) == 0 {
				err = bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no request %s in the log.", in.RequestID).
					WithHint("audit.search finds requests.")
			}
			return t, err
		}),
		bus.Define(verify, func(ctx context.Context, call *bus.Call, _ struct{}) (audit.Verdict, error) {
			return l.Verify(ctx, func(done, total int64) {
				call.Progress(int(done*100/max(total, 1)), "Checking the log")
			})
		}),
	}
	out = append(out, audit.FilterCapabilities()...)
	out = append(out, exportCapability(l, o.Files, base), replayCapability(l, o.Replica, base))
	return slices.DeleteFunc(bus.WithPhrases(phrases, out), func(c bus.Capability) bool {
		return c.Name == nameExport && o.Files == nil || c.Name == nameReplay && o.Replica == nil
	})
}
