package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// holding answers yes and holds with what each ask has in turn.
func holding(holds ...func(context.Context) error) *approver {
	return &approver{say: func(n int, p *bus.Preview) bus.Decision {
		d := yes(n, p)
		d.Reserve = holds[min(n, len(holds))-1]
		return d
	}}
}

func outward(sent *int) bus.Capability {
	return bus.Capability{Name: "mail.send", Title: "Send", Description: "Sends.", SideEffect: bus.Network,
		Handler: func(context.Context, *bus.Call) (json.RawMessage, error) { *sent++; return json.RawMessage(`{}`), nil },
		Run: bus.Run{Preview: func(context.Context, *bus.Call) (json.RawMessage, error) {
			return json.RawMessage(`{}`),
				nil
		}}}
}

// holds: B7
func TestB7WhatAPermissionCostsIsTakenWithTheEffect(t *testing.T) {
	a := holding(func(ctx context.Context) error { return bustest.Tables(ctx).Set("uses", "1", map[string]any{"n": 1}) })
	b, j := withApprover(t, a, add())
	wantOK(t, b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":7}`))))
	if j.Row("uses", "1") == nil || j.Row("till", "main")["total"] != 7 {
		t.Error("the use or the effect is missing")
	}
}

// holds: B7
func TestB7APermissionThatDoesNotHoldAnyMoreIsAskedForAgain(t *testing.T) {
	void := func(ctx context.Context) error {
		if err := bustest.Tables(ctx).Set("uses", "void", map[string]any{}); err != nil {
			return err
		}
		return bus.ErrVoid
	}
	a := holding(void, nil)
	b, j := withApprover(t, a, add())
	wantOK(t, b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":7}`))))
	if len(a.asked) != 2 || a.saw[1] != nil || j.Row("uses", "void") != nil || j.Row("till", "main")["total"] != 7 {
		t.Errorf("asked %d times, changed %+v", len(a.asked), a.saw)
	}
	records(t, j, 1)
}

// holds: B7
func TestB7APermissionThatCannotBeTakenUndoesTheEffect(t *testing.T) {
	for name, failed := range map[string]error{"coded": bus.Errorf(bus.Conflict, bus.ReasonBusy, "Later."),
		"not coded": errors.New("broken")} {
		b, j := withApprover(t, holding(func(context.Context) error { return failed }), add())
		if r := b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":7}`))); r.OK() || j.Row("till", "main") != nil {
			t.Errorf("%s: %+v", name, r)
		}
		records(t, j, 1)
	}
}

// holds: B7
func TestB7OutsideATransactionThePermissionIsTakenBefore(t *testing.T) {
	sent, held := 0, 0
	b, _ := withApprover(t, holding(func(context.Context) error { held++; return bus.ErrVoid },
		func(context.Context) error {
			if held++; sent != 0 {
				t.Error("it was sent before it was held")
			}
			return nil
		}), outward(&sent))
	wantOK(t, b.Invoke(t.Context(), byAgent(call("mail.send", `{}`))))
	if sent != 1 || held != 2 {
		t.Errorf("sent %d, held %d", sent, held)
	}
}
