package capabilities

import (
	"context"
	_ "embed"
	"slices"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// Options configure the capabilities. The zero value is ready to use.
type Options struct {
	// Files is the destination of exports. nil: there is no audit.export.
	Files Files
	// Replica opens a temporary copy of the log in its present state. nil: there is no audit.replay.
	Replica func(context.Context) (*audit.Replica, error)
	// Zone returns the time zone of days for callers that name none. It is called in the snapshot of the handler whose
	// context it gets. nil: UTC.
	Zone func(context.Context) (*time.Location, error)
}

type traceInput struct {
	RequestID string `json:"requestId" jsonschema:"minLength=1" jsonschema_description:"Id of any request of the trace."`
}

type rebuildOutput struct {
	Corrected int `json:"corrected"`
}

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Records are the records of a journal: of an [audit.Log], or of another database.
type Records interface {
	// Search returns a page of records, the newest first, as [audit.Log.Search] does: at most q.Limit, 50 for 0, and
	// the cursor of the next page. It refuses an invalid cursor with VALIDATION.
	Search(ctx context.Context, q audit.Query) (audit.Page, error)
	// Trace returns a request with all its related records, as [audit.Log.Trace] does. A missing record is no error.
	Trace(ctx context.Context, requestID string) (audit.Trace, error)
}

// New returns the capabilities of a log: audit.search, audit.trace, audit.verify, audit.stats, audit.rebuildRollups,
// those of each person's saved filters (audit.saveFilter, audit.listFilters, audit.deleteFilter), and audit.export and
// audit.replay if o has their ports. For records other than an [audit.Log] it returns audit.search, without facets, and
// audit.trace, because the others need the log's chain and statistics.
func New(records Records, o Options) []bus.Capability {
	base := bus.Capability{Texts: texts, SideEffect: bus.Pure,
		Permissions: []string{"audit:read"},
		Resources:   []string{"database:read"},
		Listing:     bus.Listing{Category: "audit", Group: "audit", Routes: []string{"audit"}},
		Run:         bus.Run{Idempotent: true}}

	search := base
	search.Name, search.Type = "audit.search", bus.TypeData
	search.Run.Unrecorded = true

	trace := base
	trace.Name, trace.Type, trace.Run.Unrecorded = "audit.trace", bus.TypeData, true

	verify := base
	verify.Name, verify.Type = "audit.verify", bus.TypeStatus
	verify.Run.Timeout = time.Hour

	l, whole := records.(*audit.Log)
	out := []bus.Capability{
		bus.Define(search, func(ctx context.Context, call *bus.Call, in searchInput) (searchOutput, error) {
			return answerSearch(ctx, records, call.Now, o.Zone, &in)
		}),
		bus.Define(trace, func(ctx context.Context, _ *bus.Call, in traceInput) (audit.Trace, error) {
			t, err := records.Trace(ctx, in.RequestID)
			if err == nil && len(t.Records) == 0 {
				err = bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no request %s in the log.", in.RequestID).
					WithHint("audit.search finds requests.")
			}
			return t, err
		}),
	}
	if !whole {
		return out
	}
	out = append(out, statsCapability(l, base, o.Zone),
		bus.Define(verify, func(ctx context.Context, call *bus.Call, _ struct{}) (audit.Verdict, error) {
			return l.Verify(ctx, func(done, total int64) {
				call.Progress(int(done*100/max(total, 1)), "Checking the log")
			})
		}))
	out = append(out, audit.FilterCapabilities()...)
	out = append(out, bus.Define(bus.Capability{
		Name: "audit.rebuildRollups", Texts: texts, SideEffect: bus.UIOnly,
		Permissions: []string{"data:write"},
		Resources:   []string{"database:write"}, Facts: []string{"corrected"},
		Listing:   bus.Listing{Category: "audit", Group: "audit"},
		Checks:    bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}},
		Run:       bus.Run{Timeout: time.Hour, Concurrency: bus.Exclusive},
		Assistant: bus.Assistant{Hidden: true},
	}, func(ctx context.Context, call *bus.Call, _ struct{}) (rebuildOutput, error) {
		n, err := l.RebuildRollups(ctx, func(done, total int64) {
			call.Progress(int(done*100/max(total, 1)), "Reading the log")
		})
		call.Fact("corrected", n)
		call.Summarize("Rebuild the statistics: %d figures corrected", n)
		return rebuildOutput{n}, err
	}))
	out = append(out, exportCapability(l, o.Files, o.Zone, base), replayCapability(l, o.Replica, base))
	return slices.DeleteFunc(out, func(c bus.Capability) bool {
		return c.Name == nameExport && o.Files == nil || c.Name == nameReplay && o.Replica == nil
	})
}
