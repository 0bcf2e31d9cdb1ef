package bus_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// prepares is a change that is told by its Prepare where it goes; before lets the test do something meanwhile.
func prepares(times *int, before func() error) bus.Capability {
	c := doing("contact.find", bus.UIOnly, func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
		found, err := call.Prepared(ctx)
		if err != nil {
			return nil, err
		}
		return nil, bustest.Tables(ctx).Set("contact", "main", map[string]any{"to": found})
	})
	c.Run.Prepare = func(context.Context, *bus.Call) (any, error) {
		*times++
		return "found", before()
	}
	return c
}

func TestPrepareHoldsUpNoOtherWriter(t *testing.T) {
	var b *bus.Bus
	times := 0
	c := prepares(&times, func() error {
		// A transaction of this call would wait for itself here.
		if r := b.Invoke(context.Background(), call("contact.move", `{"to":"ana"}`)); !r.OK() {
			return r.Err
		}
		return nil
	})
	b, j, _ := bustest.New(t, c, move())
	wantOK(t, b.Invoke(t.Context(), call("contact.find", `{}`)))
	if got := j.Row("contact", "main")["to"]; got != "found" || times != 1 {
		t.Errorf("%v, prepared %d times", got, times)
	}
}

func TestWhatIsPreparedIsWhatWasShown(t *testing.T) {
	times := 0
	a := &approver{say: yes}
	b, j := withApprover(t, a, prepares(&times, func() error { return nil }))
	wantOK(t, b.Invoke(t.Context(), byAgent(call("contact.find", `{}`))))
	if got := j.Row("contact", "main")["to"]; got != "found" || times != 1 {
		t.Errorf("%v, prepared %d times", got, times)
	}
}

func TestAnErrorOfPrepareIsTheCalls(t *testing.T) {
	times := 0
	c := prepares(&times, func() error { return bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such file.") })
	b, j, _ := bustest.New(t, c)
	wantError(t, b.Invoke(t.Context(), call("contact.find", `{}`)), bus.NotFound, bus.ReasonRecord)
	if got := j.Row("contact", "main")["to"]; got != nil || len(j.Entries()) != 1 {
		t.Errorf("%v, %d records", got, len(j.Entries()))
	}
	c.Run.Prepare = func(context.Context, *bus.Call) (any, error) { panic("broken") }
	b, _, _ = bustest.New(t, c)
	wantError(t, b.Invoke(t.Context(), call("contact.find", `{}`)), bus.Internal, bus.ReasonPanic)
}
