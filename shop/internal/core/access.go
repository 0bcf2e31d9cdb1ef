package core

import (
	"context"

	"github.com/deskhand/deskhand/bus"
)

// write is what every capability that changes the database declares.
var Writes = []string{"database:write"}

// read is what every capability that only looks declares.
var Reads = []string{"database:read"}

// Access of an agent, by the letters of the capability table.
var (
	AgentMay   = bus.Access{Agent: bus.RuleAllow}
	AgentAsks  = bus.Access{Agent: bus.RuleConfirm}
	AgentNever = bus.Access{Agent: bus.RuleDeny}
)

// needShop makes capabilities unavailable, with the way out, until there is a shop to work in.
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
