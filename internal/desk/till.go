package desk

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
	"github.com/deskhand/deskhand/shop/staff"
)

// Till is a window on another computer, which runs its own capabilities.
type Till interface {
	// Run makes the till run a call of a capability that belongs to its window. An error contains the reason why it
	// failed.
	Run(ctx context.Context, call *bus.Call) error
}

// OfWindow returns the capabilities that a window on another computer has for itself.
func OfWindow() []bus.Capability { return shop.OfWindow() }

// Copied returns the data that a window on another computer reads while the shop is unreachable.
func Copied() *shop.CatalogCopy { return &shop.CatalogCopy{} }

// atTill makes the till run the capabilities of the window before they are recorded here. Their definitions are the
// shop's, not the till's.
func atTill(all []bus.Capability, at Till) {
	own := OfWindow()
	for i := range all {
		c := &all[i]
		if !slices.ContainsFunc(own, func(o bus.Capability) bool { return o.Name == c.Name }) {
			continue
		}
		here := c.Handler
		c.Run.Preview = here // a dry run shows nothing
		c.Handler = func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
			if err := at.Run(ctx, call); err != nil {
				return nil, err
			}
			return here(ctx, call)
		}
	}
}

// errNoWindow refuses an action of the window to an assistant outside one.
func errNoWindow() *bus.Error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable,
		"This needs Deskhand's window, and this assistant is not in it.").
		WithHint("Call the capability itself, or ask the person to do it in the window.")
}

// windowless is the policy of a program without a window. It refuses the actions of the window to any agent, also to
// one without a model, such as a script at the command line.
type windowless struct{ *policy.Policy }

// Authorize implements [bus.Approver].
func (w windowless) Authorize(ctx context.Context, req *bus.ApprovalRequest) (bus.Decision, error) {
	if req.Capability.Run.ExecutionContext == "client" {
		return bus.Decision{}, errNoWindow()
	}
	return w.Policy.Authorize(ctx, req)
}

// approver returns the policy for the bus of a program with this door.
func approver(p *policy.Policy, door string) bus.Approver {
	if hasNoWindow(door) {
		return windowless{p}
	}
	return p
}

// hasNoWindow reports whether a program with this door has no window.
func hasNoWindow(door string) bool { return door == "cli" || door == "mcp" }

// withoutWindow makes the capabilities of a window unavailable to an assistant, because the call would succeed without
// a visible effect.
func withoutWindow(all []bus.Capability) {
	for i := range all {
		c := &all[i]
		if c.Run.ExecutionContext != "client" || c.Checks.Access.Agent == bus.RuleDeny {
			continue
		}
		before, forAssistants := c.Checks.Available, c.Checks.Access.User == bus.RuleDeny
		c.Checks.Available = func(ctx context.Context, call *bus.Call) error {
			if forAssistants || call.Person.Model != nil {
				return errNoWindow()
			}
			if before == nil {
				return nil
			}
			return before(ctx, call)
		}
	}
}

// DoorTill returns the door of a person at the till with a name.
func DoorTill(name string) string { return staff.At(tillKind, name) }

// DoorTillCommand returns the door of a command at the till with a name.
func DoorTillCommand(name string) string { return staff.At("cli", name) }

const tillKind = "till"

// isWindow reports whether a door is a window, here or on another computer.
func isWindow(door string) bool {
	return door == DoorWindow || strings.HasPrefix(door, staff.At(tillKind, ""))
}
