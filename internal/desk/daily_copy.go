package desk

import (
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/files"
	"github.com/deskhand/deskhand/shop/staff"
	"github.com/deskhand/deskhand/shop/transfer"
)

// every returns a task that runs do immediately and then at intervals, until ctx ends.
func every(pause time.Duration, what string, do func(ctx context.Context) error) func(ctx context.Context) {
	return func(ctx context.Context) {
		for {
			if err := do(ctx); err != nil && ctx.Err() == nil {
				slog.Error("Could not "+what+".", "cause", err)
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(pause):
			}
		}
	}
}

// CopyIfDue writes a copy of the shop for its owner if a daily one is due.
func (d *Desk) CopyIfDue(ctx context.Context) error {
	_, copies, err := d.copies().List(ctx)
	if err != nil {
		return err
	}
	var owner bus.Principal
	due, err := read(ctx, d.Log, func(ctx context.Context) (due bool, err error) {
		if due, err = transfer.DailyDue(ctx, copies, d.clock()); err != nil || !due {
			return false, err
		}
		who, err := staff.FindPerson(ctx, "")
		if err != nil {
			return false, err
		}
		owner, err = staff.Present(ctx, who.ID)
		return err == nil, err
	})
	if err != nil || !due {
		return err
	}
	return d.Bus.Invoke(ctx, bus.Invocation{Capability: "shop.backup", Arguments: json.RawMessage(`{"daily":true}`),
		Principal: owner, Caller: bus.Caller{Type: bus.CallerSchedule, Source: "daily"}}).Error()
}

// copies returns the copies in the shop's own folder.
func (d *Desk) copies() files.Copies {
	return files.Copies{Log: d.Log, Tokens: d.Files, Folder: filepath.Join(d.Folder, "backups")}
}
