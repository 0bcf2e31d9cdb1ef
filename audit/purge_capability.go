package audit

import (
	"context"
	"time"

	"github.com/deskhand/deskhand/bus"
)

type purgeInput struct {
	Before   string `json:"before" jsonschema:"format=date"`
	Segments int    `json:"segments,omitempty" jsonschema:"minimum=1"`
	Reads    bool   `json:"reads,omitempty"`
}

// PurgeCapability is data.purge: retention, for people only. It removes whole segments of the oldest records and leaves
// a checkpoint by which the log still verifies; see [Log.Purge].
func PurgeCapability(l *Log) bus.Capability {
	return bus.Define(bus.Capability{
		Name: "data.purge", Texts: texts, Changes: []string{"audit"}, SideEffect: bus.Destructive,
		Permissions: []string{"data:write"},
		Resources:   []string{"database:write"}, Facts: []string{"records"},
		Listing: bus.Listing{Category: "audit", Group: "audit"},
		Checks:  bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}},
		Run:     bus.Run{Timeout: time.Hour, Concurrency: bus.Exclusive},
	}, func(ctx context.Context, call *bus.Call, in purgeInput) (Purged, error) {
		before, err := time.Parse(time.DateOnly, in.Before)
		if err != nil {
			return Purged{}, bus.Errorf(bus.Validation, bus.ReasonArguments, "%q is not a day.", in.Before).
				WithHint("Write it as 2026-03-01.")
		}
		done, err := l.Purge(ctx, Purge{Reads: in.Reads, Before: before, Segments: in.Segments})
		if err != nil {
			return Purged{}, err
		}
		call.Fact("records", done.Records)
		call.Summarize("Remove %d records from before %s", done.Records, in.Before)
		call.Announce("audit", bus.Textf("Old records were removed."))
		return done, nil
	})
}
