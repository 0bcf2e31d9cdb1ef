package capabilities

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

const nameReplay = "audit.replay"

type replayInput struct {
	From int64 `json:"from" jsonschema:"minimum=1" jsonschema_description:"Number of the first record to run again."`
	To   int64 `json:"to,omitempty" jsonschema:"minimum=1"`
}

func replayCapability(l *audit.Log, replica func(context.Context) (*audit.Replica, error),
	c bus.Capability) bus.Capability {
	c.Name, c.SideEffect, c.Run.Idempotent = nameReplay, bus.UIOnly, true
	c.Permissions = []string{"audit:write"}
	c.Checks.Access = bus.Access{Agent: bus.RuleDeny}
	c.Resources = []string{"database:read", "filesystem:write"}
	c.Run.Concurrency = bus.Exclusive
	c.Run.Background, c.Run.Timeout = true, 6*time.Hour
	c.Run.Preview = func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
		call.Summarize("Run a part of the log again on a copy")
		return call.Arguments, nil
	}
	return bus.Define(c, func(ctx context.Context, call *bus.Call, in replayInput) (report audit.ReplayReport, err error) {
		r, err := replica(ctx)
		if err != nil {
			return report, err
		}
		defer func() { err = errors.Join(err, r.Close()) }()
		report, err = l.ReplayOn(ctx, r, in.From, in.To, func(done, total int64) {
			call.Progress(int(done*100/max(total, 1)), "Running the log again")
		})
		if err == nil {
			call.Summarize("Ran %d records again: %d the same, %d different", report.Same+report.Different, report.Same,
				report.Different)
		}
		return report, err
	})
}
