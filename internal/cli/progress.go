package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
)

// progressEvery is the interval of progress messages. Shorter work has none.
const progressEvery = time.Second

// tellProgress prints the progress of work on a desk, and its notifications, to standard error until stop is called.
func (t *terminal) tellProgress(d *desk.Desk, every time.Duration) (stop func()) {
	feed := d.Bus.Subscribe()
	var running sync.WaitGroup
	running.Go(func() {
		newest, next := "", time.Now().Add(every)
		for t.ctx.Err() == nil {
			wait, done := context.WithDeadline(t.ctx, next)
			e, err := feed.Next(wait)
			done()
			switch {
			case err == nil && e.Type == bus.EventProgress:
				newest = fmt.Sprintf("%3d %%  %s\n", e.Percent, e.Message)
			case err == nil && e.Type == bus.EventNotification:
				fmt.Fprintf(t.ErrOut, "%s: %s\n", e.Level, e.Message)
			case errors.Is(err, io.EOF):
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
		feed.Close()
		running.Wait()
	}
}
