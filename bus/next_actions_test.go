package bus_test

import (
	"context"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

// counterDesk is a small shop: the parts of it that lead to one another.
func counterDesk(t *testing.T) *bus.Bus {
	t.Helper()
	named := func(name string, effect bus.SideEffect, change func(*bus.Capability)) bus.Capability {
		c := doing(name, effect, ok)
		if change != nil {
			change(&c)
		}
		return c
	}
	b, _, _ := bustest.New(t,
		named("cart.add", bus.UIOnly, func(c *bus.Capability) { c.Assistant.Phrases = []string{"add a product"} }),
		named("cart.clear", bus.UIOnly, nil),
		named("cart.validate", bus.Pure, nil),
		named("checkout.submit", bus.Destructive, func(c *bus.Capability) {
			c.Checks.Requires = []string{"cart.validate"}
			c.Checks.Preconditions = []bus.Precondition{{Name: "payment", Check: noCheck,
				Hint: "Invoke customer.addPayment, then try again."}}
		}),
		named("customer.addPayment", bus.UIOnly, nil),
		named("customer.find", bus.Pure, func(c *bus.Capability) { c.Listing.Routes = []string{"/customers"} }),
		named("order.track", bus.Pure, func(c *bus.Capability) { c.Listing.Group = "after" }),
		named("order.thank", bus.UIOnly, func(c *bus.Capability) { c.Listing.Group = "after" }),
		named("stock.add", bus.UIOnly, nil),
		named("stock.count", bus.UIOnly, nil),
		named("stock.order", bus.UIOnly, func(c *bus.Capability) { c.Listing.Shortcut = "F9" }),
		named("shop.shut", bus.UIOnly, func(c *bus.Capability) {
			c.Checks.Available = func(context.Context, *bus.Call) error { return bus.ErrUnmet }
		}),
		named("shop.secret", bus.UIOnly, func(c *bus.Capability) {
			c.Checks.Access = bus.Access{User: bus.RuleDeny, Agent: bus.RuleDeny}
		}),
		named("shop.light", bus.Pure, func(c *bus.Capability) { c.Type = bus.TypeStatus }),
	)
	b.MustRegister(bus.Capabilities()[:3]...)
	return b
}

func did(names ...string) (list []bus.Invocation) {
	for _, name := range names {
		list = append(list, bus.Invocation{Capability: name})
	}
	return list
}

// holds: M6
func TestM6NextActionsAreRankedWithoutAModel(t *testing.T) {
	b := counterDesk(t)
	all := []string{"cart.add", "stock.order", "cart.clear", "cart.validate", "checkout.submit", "customer.addPayment",
		"customer.find", "order.thank", "order.track", "stock.add", "stock.count"}
	for name, tc := range map[string]struct {
		view   bus.View
		recent []bus.Invocation
		first  []string
	}{
		"nothing was done":     {bus.View{}, nil, all},
		"the page's own first": {bus.View{Route: "/customers"}, nil, []string{"customer.find", "cart.add"}},
		"what requires the last": {bus.View{}, did("cart.validate"),
			[]string{"checkout.submit", "cart.add", "cart.clear"}},
		"what the hint of the last is": {bus.View{}, did("checkout.submit"),
			[]string{"cart.validate", "customer.addPayment", "cart.add"}},
		"what the last is a hint of": {bus.View{}, did("customer.addPayment"),
			[]string{"checkout.submit", "customer.find"}},
		"its own group": {bus.View{}, did("order.track"), []string{"order.thank", "order.track", "cart.add"}},
		"what usually followed": {bus.View{}, did("order.track", "cart.clear", "order.track", "cart.clear",
			"order.track"), []string{"cart.clear", "order.thank"}},
		"the same again if it was so": {bus.View{}, did("cart.add", "cart.add", "cart.add"),
			[]string{"cart.add", "cart.clear"}},
		"a dry run did not happen": {bus.View{}, append(did("cart.validate"),
			bus.Invocation{Capability: "order.track", DryRun: true}), []string{"checkout.submit"}},
		"what has a key before its like": {bus.View{}, did("stock.add"), []string{"stock.order", "stock.count"}},
		"something that is gone":         {bus.View{}, did("order.rush"), all},
		"an agent's are ranked as well": {bus.View{Caller: bus.CallerAgent}, did("cart.validate"),
			[]string{"checkout.submit"}},
	} {
		if tc.view.Caller == "" {
			tc.view.Caller, tc.view.Principal = bus.CallerUI, clerk
		}
		next, err := b.NextActions(t.Context(), tc.view, tc.recent)
		if err != nil {
			t.Fatal(err)
		}
		if name == "nothing was done" && len(next) != len(all) {
			t.Errorf("%d are listed, want %d", len(next), len(all))
		}
		got := names(bus.Manifest{Capabilities: next})
		if d := cmp.Diff(tc.first, got[:len(tc.first)]); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// holds: M7
func TestM7NextActionsOfOneCapabilityOrNone(t *testing.T) {
	for want, caps := range [][]bus.Capability{{}, {read()}} {
		b, _, _ := bustest.New(t, caps...)
		next, err := b.NextActions(t.Context(), bus.View{Caller: bus.CallerUI, Principal: clerk}, did("till.read"))
		if err != nil || len(next) != want {
			t.Errorf("%d of %d: %v", len(next), want, err)
		}
	}
}
