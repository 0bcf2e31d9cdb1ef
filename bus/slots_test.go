package bus_test

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// TestC9ADeafHandlerKeepsItsSlotUntilItEnds: its caller is answered in time, but
// whom it excludes does not run beside it, its own next attempt included.
// holds: C9
func TestC9ADeafHandlerKeepsItsSlotUntilItEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var inside, most atomic.Int32
		c := doing("a.deaf", bus.Pure, func(context.Context, *bus.Call) (json.RawMessage, error) {
			most.Store(max(most.Load(), inside.Add(1)))
			time.Sleep(time.Minute)
			inside.Add(-1)
			return nil, nil
		})
		c.Run.Timeout, c.Run.Concurrency = time.Second, bus.Exclusive
		c.Run.Retry = &bus.RetryPolicy{MaxAttempts: 3, InitialDelay: time.Millisecond}
		b, _, _ := bustest.New(t, c)
		wantError(t, b.Invoke(t.Context(), call("a.deaf", `{}`)), bus.Transient, bus.ReasonTimeout)
		next := make(chan bus.Result, 1)
		go func() { next <- b.Invoke(t.Context(), call("a.deaf", `{}`)) }() // waits for it, as long as it may
		synctest.Wait()
		wantError(t, b.Invoke(t.Context(), call("a.deaf", `{}`)), bus.Conflict, bus.ReasonBusy)
		wantError(t, <-next, bus.Transient, bus.ReasonTimeout)
		time.Sleep(57500 * time.Millisecond)
		go func() { next <- b.Invoke(t.Context(), call("a.deaf", `{}`)) }() // its turn comes
		wantError(t, <-next, bus.Transient, bus.ReasonTimeout)
		time.Sleep(time.Minute)
		if most.Load() != 1 || inside.Load() != 0 {
			t.Errorf("%d were inside at once, %d still are", most.Load(), inside.Load())
		}
	})
}
