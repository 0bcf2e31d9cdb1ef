package desk

import (
	"context"
	"log/slog"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/staff"
)

// RunDue runs the due routines, each with start, because a card may wait for its person. They have that person's
// current rights; a person who has left has none.
func (d *Desk) RunDue(ctx context.Context, start func(func())) error {
	due, err := d.Policy.Due(ctx, d.clock())
	if err != nil {
		return err
	}
	for _, run := range due {
		who, err := read(ctx, d.Log, func(ctx context.Context) (bus.Principal, error) {
			return staff.Present(ctx, run.Principal.ID)
		})
		if err != nil {
			return err
		}
		if who.ID != "" {
			run.Principal = who
		}
		start(func() {
			res := d.Bus.Invoke(ctx, run)
			if err := d.Policy.Ran(context.WithoutCancel(ctx), run, res); err != nil {
				slog.Error("Could not note that a routine was run.", "cause", err)
			}
		})
	}
	return nil
}
