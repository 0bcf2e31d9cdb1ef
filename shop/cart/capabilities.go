// Package cart holds the carts of customers: items, discount, shipping, carts on hold.
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

// Capabilities are all of this room.
func Capabilities() []bus.Capability {
	return []bus.Capability{
		core.WithShop(core.Read(bus.Capability{Name: "cart.getSummary", Texts: texts, Type: bus.TypeData}), getSummary),
		core.WithShop(core.Read(bus.Capability{Name: "cart.validate", Texts: texts, Type: bus.TypeState}), validate),
		core.WithShop(core.Read(bus.Capability{Name: "cart.listHeld", Texts: texts, Type: bus.TypeData, Paginated: true}),
			listHeld),
		core.WithShop(core.Change(bus.Capability{Name: "cart.setCustomer", Texts: texts, Idempotent: true, Shortcut: "F3"}),
			setCustomer),
		core.WithShop(core.Change(bus.Capability{Name: "cart.addItem", Texts: texts}), addItem),
		core.WithShop(core.Change(bus.Capability{Name: "cart.hold", Texts: texts, Available: NeedsItems, Shortcut: "F6"}),
			holdCurrent),
		core.WithShop(core.Change(bus.Capability{Name: "cart.resume", Texts: texts, Available: needsHeld, Shortcut: "F7"}),
			resume),
		change(bus.Capability{Name: "cart.setQuantity", Idempotent: true, Available: NeedsItems}, setQuantity),
		change(bus.Capability{Name: "cart.removeItem", Available: NeedsItems}, removeItem),
		change(bus.Capability{Name: "cart.clear", Available: NeedsItems}, clearCart),
		change(bus.Capability{Name: "cart.applyDiscount", Idempotent: true, Available: NeedsItems, Limit: discountLimit,
			Shortcut: "F8"}, applyDiscount),
		change(bus.Capability{Name: "cart.removeDiscount", Idempotent: true, Available: needsDiscount}, removeDiscount),
		change(bus.Capability{Name: "cart.setShipping", Idempotent: true}, setShipping),
	}
}

// change defines a change of the current cart, which answers with what the cart comes to then.
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
