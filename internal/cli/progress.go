package cli

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
)

// progressEvery is the interval of progress messages. Shorter work has none.
const progressEvery = time.Second

// tellProgress prints the progress of work on a desk to standard error, until stop is called.
func (t *terminal) tellProgress(d *desk.Desk, every time.Duration) (stop func()) {
	feed := d.Bus.Subscribe()
	ctx, cancel := context.WithCancel(t.ctx)
	var running sync.WaitGroup
	running.Go(func() {
		newest, next := "", time.Now().Add(every)
		for ctx.Err() == nil {
			wait, done := context.WithDeadline(ctx, next)
			e, err := feed.Next(wait)
			done()
			switch {
			case err == nil && e.Type == bus.EventProgress:
				newest = fmt.Sprintf("%3d %%  %s\n", e.Percent, e.Message)
			case errors.Is(err, bus.ErrClosed):
				return
			}
			if time.Now().Before(next) {
				continue
			}
			fmt.Fprint(t.ErrOut, newest)
			newest, next = "", time.Now().Add(every)
		}
	})
	return func() {
		cancel()
		feed.Close()
		running.Wait()
	}
}
