package bus_test

import (
	"context"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// holds: C7
func TestC7ADefectInACheckIsNotAnUnmetCheck(t *testing.T) {
	broken := func(context.Context, *bus.Call) error { return errPlain }
	for name, spoil := range map[string]func(*bus.Capability){
		"available": func(c *bus.Capability) { c.Checks.Available = broken },
		"precondition": func(c *bus.Capability) {
			c.Checks.Preconditions = []bus.Precondition{{Name: "p", Message: "No.", Check: broken}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := add()
			spoil(&c)
			b, _, _ := bustest.New(t, c)
			r := b.Invoke(t.Context(), call("till.add", `{"coins":1}`))
			wantError(t, r, bus.Internal, bus.ReasonUncoded)
			m, err := b.Manifest(t.Context(), bus.View{All: true})
			if err != nil || strings.Contains(wire(t, r)+m.Capabilities[0].UnavailableReason, errPlain.Error()) {
				t.Errorf("%v %s %q", err, wire(t, r), m.Capabilities[0].UnavailableReason)
			}
		})
	}
}

// holds: C7
func TestC7ACodedCheckWithoutAHintGetsTheDeclaredOne(t *testing.T) {
	c := add()
	c.Checks.Preconditions = []bus.Precondition{{Name: "p", Message: "No.", Hint: "Invoke till.open.",
		Check: func(context.Context, *bus.Call) error {
			return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Shut since noon.")
		}}}
	b, _, _ := bustest.New(t, c)
	r := b.Invoke(t.Context(), call("till.add", `{"coins":1}`))
	if r.Err == nil || r.Err.Message != "Shut since noon." || r.Err.Hint != "Invoke till.open." {
		t.Errorf("%s", wire(t, r))
	}
}
