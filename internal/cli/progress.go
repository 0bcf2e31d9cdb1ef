package cli

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
)

// progressEvery is how often somebody at a terminal is told how far long work has
// come, and how long it takes before it counts as long.
const progressEvery = time.Second

// tellProgress writes how far the work on a desk has come to standard error, until
// stop is called. What is done within a moment says nothing.
func (t *terminal) tellProgress(d *desk.Desk, every time.Duration) (stop func()) {
	feed := d.Bus.Subscribe()
	ctx, cancel := context.WithCancel(t.ctx)
	var newest struct {
		sync.Mutex
		words string // "" since they were told
	}
	var told sync.WaitGroup
	told.Go(func() {
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
	told.Go(func() {
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
		told.Wait()
	}
}
