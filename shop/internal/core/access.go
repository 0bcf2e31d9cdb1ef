package core

import (
	"cmp"
	"context"
	"strings"

	"github.com/deskhand/deskhand/bus"
)

// Writes is the resource of every capability that changes the database.
var Writes = []string{"database:write"}

// Reads is the resource of every capability that only reads.
var Reads = []string{"database:read"}

// Access of an agent, by the letters of the capability table.
var (
	AgentMay   = bus.Access{Agent: bus.RuleAllow}
	AgentAsks  = bus.Access{Agent: bus.RuleConfirm}
	AgentNever = bus.Access{Agent: bus.RuleDeny}
)

// Read fills in what is common to capabilities that read the database.
func Read(c bus.Capability) bus.Capability { return fill(c, bus.Pure, AgentMay, "read", Reads) }

// Write fills in what is common to changes of the database.
func Write(c bus.Capability) bus.Capability { return fill(c, bus.UIOnly, AgentMay, "write", Writes) }

// Change is Write for what can be undone.
func Change(c bus.Capability) bus.Capability {
	c.Reversible = true
	return Write(c)
}

// Final fills in what is common to changes of the database that cannot be undone or move money.
func Final(c bus.Capability) bus.Capability {
	c.Run.KeepResult = true
	return fill(c, bus.Destructive, AgentAsks, "write", Writes)
}

// fill leaves what c says itself. Without permissions of its own, c is for those who may do this action in its
// domain, unless it is public.
func fill(c bus.Capability, effect bus.SideEffect, access bus.Access, action string, touches []string) bus.Capability {
	c.SideEffect, c.Checks.Access = effect, cmp.Or(c.Checks.Access, access)
	if domain, _, _ := strings.Cut(c.Name, "."); c.Permissions == nil && !c.Listing.Public {
		c.Permissions = []string{domain + ":" + action}
	}
	if c.Resources == nil {
		c.Resources = touches
	}
	return c
}

// WithShop defines a capability whose handler is given the shop. Until there is one it is not available.
func WithShop[In, Out any](c bus.Capability,
	h func(ctx context.Context, s *Shop, call *bus.Call, in In) (Out, error)) bus.Capability {
	return NeedShop(bus.Define(c, func(ctx context.Context, call *bus.Call, in In) (out Out, err error) {
		s, err := LoadShop(ctx)
		if err != nil {
			return out, err
		}
		return h(ctx, s, call, in)
	}))[0]
}

// NeedShop makes capabilities unavailable, with the way out, until there is a shop to work in.
func NeedShop(all ...bus.Capability) []bus.Capability {
	for i, c := range all {
		then := c.Checks.Available
		all[i].Checks.Available = func(ctx context.Context, call *bus.Call) error {
			if err := Need(ctx, errNoShop(), `SELECT 1 FROM shop`); err != nil || then == nil {
				return err
			}
			return then(ctx, call)
		}
	}
	return all
}
