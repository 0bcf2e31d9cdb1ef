package bus_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// TestC9ADeafHandlerKeepsItsSlotUntilItEnds: its caller is answered in time, but
// whom it excludes does not run beside it, its own next attempt included.
func TestC9ADeafHandlerKeepsItsSlotUntilItEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		entered := 0
		c := doing("a.deaf", bus.Pure, func(context.Context, *bus.Call) (json.RawMessage, error) {
			entered++
			time.Sleep(time.Minute)
			return nil, nil
		})
		c.Timeout, c.Concurrency = time.Second, bus.Concurrency{Group: bus.Exclusive}
		c.Retry = &bus.RetryPolicy{MaxAttempts: 3, InitialDelayMS: 1}
		b, _, _ := bustest.New(t, c)
		wantError(t, b.Invoke(t.Context(), call("a.deaf", `{}`)), bus.Transient, bus.ReasonTimeout)
		wantError(t, b.Invoke(t.Context(), call("a.deaf", `{}`)), bus.Conflict, bus.ReasonBusy)
		if entered != 1 {
			t.Errorf("entered %d times", entered)
		}
		time.Sleep(time.Minute)
		wantError(t, b.Invoke(t.Context(), call("a.deaf", `{}`)), bus.Transient, bus.ReasonTimeout)
		time.Sleep(time.Minute)
	})
}
