package core

import (
	"context"

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

// NeedShop makes capabilities unavailable, with the way out, until there is a shop to work in.
func NeedShop(all ...bus.Capability) []bus.Capability {
	for i, c := range all {
		then := c.Available
		all[i].Available = func(ctx context.Context, call *bus.Call) error {
			found, err := Exists(ctx, `SELECT 1 FROM shop`)
			if err != nil {
				return err
			}
			if !found {
				return errNoShop()
			}
			if then == nil {
				return nil
			}
			return then(ctx, call)
		}
	}
	return all
}
