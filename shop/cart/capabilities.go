// Package cart manages the carts of customers: items, discounts, shipping and carts on hold.
package cart

import (
	"context"
	_ "embed"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities returns the capabilities of carts.
func Capabilities() []bus.Capability {
	// Prices and stock are in the catalog, taxes and shipping in the settings.
	parts := []string{"cart", "customer", "catalog", "settings"}
	return []bus.Capability{
		core.WithShop(core.Read(bus.Capability{Name: "cart.getSummary", Texts: texts, Type: bus.TypeData,
			Provides: parts,
			Entities: []bus.Entity{{Type: "variant", List: "/items"}, {Type: "address", List: "/savedAddresses"},
				{Type: "paymentMethod", List: "/savedPaymentMethods"}}}), getSummary),
		core.WithShop(core.Read(bus.Capability{Name: "cart.validate", Texts: texts, Type: bus.TypeState,
			Provides: parts}), validate),
		core.WithShop(core.Read(bus.Capability{Name: "cart.listHeld", Texts: texts, Type: bus.TypeData,
			Provides: parts,
			Entities: []bus.Entity{{Type: "heldCart", Title: "Cart on hold", List: "/carts"}}}),
			listHeld),
		core.WithShop(core.Change(bus.Capability{Name: "cart.setCustomer", Texts: texts, Listing: bus.Listing{Shortcut: "F3"},
			Run: bus.Run{Idempotent: true}}),
			setCustomer),
		core.WithShop(core.Change(bus.Capability{Name: "cart.addItem", Texts: texts}), addItem),
		core.WithShop(core.Change(bus.Capability{Name: "cart.addOpenItem", Texts: texts}), addOpenItem),
		core.WithShop(core.Change(bus.Capability{Name: "cart.hold", Texts: texts, Listing: bus.Listing{Shortcut: "F6"},
			Checks: bus.Checks{Available: NeedsItems}}),
			holdCurrent),
		core.WithShop(core.Change(bus.Capability{Name: "cart.resume", Texts: texts, Listing: bus.Listing{Shortcut: "F7"},
			Checks: bus.Checks{Available: needsHeld}}),
			resume),
		change(bus.Capability{Name: "cart.setQuantity", Checks: bus.Checks{Available: NeedsItems},
			Run: bus.Run{Idempotent: true}}, setQuantity),
		change(bus.Capability{Name: "cart.removeItem", Checks: bus.Checks{Available: NeedsItems}}, removeItem),
		change(bus.Capability{Name: "cart.clear", Checks: bus.Checks{Available: NeedsItems}}, clearCart),
		change(bus.Capability{Name: "cart.applyDiscount", Listing: bus.Listing{Shortcut: "F10"},
			Checks: bus.Checks{Available: NeedsItems, Limit: bus.Check(discountLimit)},
			Run:    bus.Run{Idempotent: true}}, applyDiscount),
		change(bus.Capability{Name: "cart.removeDiscount", Checks: bus.Checks{Available: needsDiscount},
			Run: bus.Run{Idempotent: true}}, removeDiscount),
		change(bus.Capability{Name: "cart.setLineDiscount",
			Checks: bus.Checks{Available: NeedsItems, Limit: bus.Check(lineDiscountLimit)},
			Run:    bus.Run{Idempotent: true}}, setLineDiscount),
		change(bus.Capability{Name: "cart.setLinePrice",
			Checks: bus.Checks{Access: core.AgentAsks, Available: NeedsItems, Limit: bus.Check(linePriceLimit)},
			Run:    bus.Run{Idempotent: true}}, setLinePrice),
		change(bus.Capability{Name: "cart.setNote", Checks: bus.Checks{Available: NeedsItems},
			Run: bus.Run{Idempotent: true}}, setNote),
		change(bus.Capability{Name: "cart.setShipping", Run: bus.Run{Idempotent: true}}, setShipping),
	}
}

// change defines a change of the current cart. Its response contains the cart's new total.
func change[In any](c bus.Capability,
	h func(ctx context.Context, s *core.Shop, call *bus.Call, c *Cart, in In) error) bus.Capability {
	c.Texts = texts
	return core.WithShop(core.Change(c), func(ctx context.Context, s *core.Shop, call *bus.Call, in In) (out cartOut,
		err error) {
		c, err := mustCart(ctx, s, call)
		if err != nil {
			return out, err
		}
		if err := h(ctx, s, call, c, in); err != nil {
			return out, err
		}
		if c, err = cartByID(ctx, s, c.ID); err != nil {
			return out, err
		}
		return c.out(s), nil
	})
}
