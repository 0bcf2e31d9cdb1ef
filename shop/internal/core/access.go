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

// The access that agents have, one value for each letter of the capability table.
var (
	AgentMay   = bus.Access{Agent: bus.RuleAllow}
	AgentAsks  = bus.Access{Agent: bus.RuleConfirm}
	AgentNever = bus.Access{Agent: bus.RuleDeny}
)

// Read sets the defaults of a capability that only reads the database.
func Read(c bus.Capability) bus.Capability { return fill(c, bus.Pure, AgentMay, "read", Reads) }

// Write sets the defaults of a capability that changes the database.
func Write(c bus.Capability) bus.Capability { return fill(c, bus.UIOnly, AgentMay, "write", Writes) }

// Change sets the defaults of a change of the database that can be undone.
func Change(c bus.Capability) bus.Capability {
	c.Reversible = true
	return Write(c)
}

// Final sets the defaults of a change of the database that cannot be undone or moves money.
func Final(c bus.Capability) bus.Capability {
	c.Run.KeepResult = true
	return fill(c, bus.Destructive, AgentAsks, "write", Writes)
}

// fill sets the fields that c leaves empty. A capability without permissions requires the permission for the action in
// its domain, unless it is public.
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

// WithShop defines a capability whose handler receives the shop. The capability is unavailable until a shop exists.
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

// NeedShop makes capabilities unavailable until a shop exists. The error says how to set one up.
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
