package bus_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// TestB8ACheckThatIsCutOffIsNotUnmet: a check that gives its context's error
// back, as a query does, has not said no.
// holds: B8
func TestB8ACheckThatIsCutOffIsNotUnmet(t *testing.T) {
	wait := func(ctx context.Context, _ *bus.Call) error {
		<-ctx.Done()
		return ctx.Err()
	}
	for name, put := range map[string]func(*bus.Capability){
		"a condition": func(c *bus.Capability) { c.Permissions = []string{"a.condition"} },
		"a precondition": func(c *bus.Capability) {
			c.Checks.Preconditions = []bus.Precondition{{Name: "p", Message: "No.", Check: wait}}
		},
		"availability":  func(c *bus.Capability) { c.Checks.Available = wait },
		"a limit":       func(c *bus.Capability) { c.Checks.Limit = wait },
		"a requirement": func(c *bus.Capability) { c.Checks.Requires = []string{"a.required"} },
	} {
		t.Run(name, func(t *testing.T) {
			o, j, _ := bustest.Options()
			o.Conditions = map[string]func(context.Context, *bus.Call) error{"a.condition": wait}
			c, required := doing("a.b", bus.UIOnly, ok), doing("a.required", bus.Pure,
				func(ctx context.Context, c *bus.Call) (json.RawMessage, error) { return nil, wait(ctx, c) })
			put(&c)
			b := bus.New(o)
			b.MustRegister(c, required)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			wantError(t, b.Invoke(ctx, call("a.b", `{}`)), bus.Transient, bus.ReasonCancelled)
			records(t, j, 1)
		})
	}
}
