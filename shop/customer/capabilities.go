// Package customer manages customers, their addresses and payment methods, and erases them.
package customer

import (
	"context"
	_ "embed"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// EraseRecords deletes the log's data about one person within the transaction of ctx, and returns the number of
// records. The terms must identify that person and no one else. Without this function no customer can be erased.
type EraseRecords = func(ctx context.Context, terms ...string) (records int, err error)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities returns the capabilities of customers.
func Capabilities(erase EraseRecords) []bus.Capability {
	whose := []string{"customerId"}
	return core.NeedShop(
		bus.Define(core.Read(bus.Capability{Name: "customer.search", Texts: texts, Type: bus.TypeData,
			Provides: []string{"customer", "order"},
			Entities: []bus.Entity{{Type: "customer", Title: "Customer", List: "/customers", Get: "customer.get",
				Link: "customers/{id}"}}}), search),
		bus.Define(core.Change(bus.Capability{Name: "customer.create", Texts: texts, Listing: bus.Listing{
			Shortcut: "Shift+F3"}}), createCustomer),
		bus.Define(core.Change(bus.Capability{Name: "customer.update", Texts: texts, Facts: whose,
			Checks: bus.Checks{Access: core.AgentAsks}}),
			updateCustomer),
		bus.Define(core.Change(bus.Capability{Name: "customer.addNote", Texts: texts}), addNote),
		merging(),
		customerErase(erase),
		bus.Define(core.Change(bus.Capability{Name: "customer.addAddress", Texts: texts}), addAddress),
		bus.Define(core.Change(bus.Capability{Name: "customer.setAddress", Texts: texts, Facts: whose,
			Checks: bus.Checks{Access: core.AgentAsks},
			Run:    bus.Run{Idempotent: true}}), setAddress),
		bus.Define(core.Change(bus.Capability{Name: "customer.removeAddress", Texts: texts,
			Facts:  whose,
			Checks: bus.Checks{Access: core.AgentAsks}}), removeAddress),
		core.WithShop(core.Change(bus.Capability{Name: "customer.addPaymentMethod", Texts: texts,
			Checks: bus.Checks{Access: core.AgentAsks}}),
			addPaymentMethod),
		core.WithShop(core.Change(bus.Capability{Name: "customer.removePaymentMethod", Texts: texts, Facts: whose,
			Checks: bus.Checks{Access: core.AgentAsks}}), removePaymentMethod),
	)
}

// merging defines customer.merge. It is destructive because it removes a record. It can be undone as long as neither
// record changes.
func merging() bus.Capability {
	c := core.Final(bus.Capability{Name: "customer.merge", Texts: texts, Facts: []string{"customerId"}, Reversible: true,
		Changes: []string{"customer", "order", "cart"}})
	return bus.Define(c, merge)
}
