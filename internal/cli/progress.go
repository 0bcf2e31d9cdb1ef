package cli

import (
	"context"
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
	var newest struct {
		sync.Mutex
		words string // "" once printed
	}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			e, err := feed.Next(ctx)
			if err != nil {
				return
			}
			if e.Type == bus.EventProgress {
				newest.Lock()
				newest.words = fmt.Sprintf("%3d %%  %s", e.Percent, e.Message)
				newest.Unlock()
			}
		}
	})
	running.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			newest.Lock()
			words := newest.words
			newest.words = ""
			newest.Unlock()
			if words != "" {
				fmt.Fprintln(t.errOut, words)
			}
		}
	})
	return func() {
		cancel()
		feed.Close()
		running.Wait()
	}
}
