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

func (purgeInput) DescribeFields() map[string]string {
	return map[string]string{
		"before":   "Segments whose every record began before this day (UTC) go.",
		"segments": "At most so many; without it all of them.",
		"reads":    "What people only looked at, in place of what was done.",
	}
}

// PurgeCapability is data.purge: retention, for people only. It removes whole
// segments of the oldest records and leaves a checkpoint by which the log still
// verifies; see [Log.Purge].
func PurgeCapability(l *Log) bus.Capability {
	return bus.Define(bus.Capability{
		Name: "data.purge", Title: "Remove old records", Category: "audit", Group: "audit", SideEffect: bus.Destructive,
		Description: "Removes the oldest records of the audit log for good, in whole segments, and leaves a checkpoint so " +
			"that the rest still verifies. Use it when records are older than they have to be kept; export them first. It " +
			"touches no data but the log's.",
		Permissions: []string{"data:write"}, Access: bus.Access{Agent: bus.RuleDeny},
		Resources: []string{"database:write"}, Facts: []string{"records"}, Timeout: time.Hour,
		Concurrency: bus.Exclusive,
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
		call.Changed("audit", "Old records were removed.")
		return done, nil
	})
}
