package cart

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type addItemIn struct {
	ProductID  string `json:"productId" jsonschema:"minLength=1,maxLength=100" x:"lookup=catalog.search#/products"`
	VariantID  string `json:"variantId,omitempty" jsonschema:"maxLength=100" x:"lookup=catalog.getProduct#/variants"`
	Quantity   int64  `json:"quantity" jsonschema:"minimum=1,maximum=9999"`
	CustomerID string `json:"customerId,omitempty" jsonschema:"maxLength=100" x:"lookup=customer.search#/customers"`
}

type addItemOut struct {
	CartTotal core.Money `json:"cartTotal"`
	ItemCount int64      `json:"itemCount"`
	Line      cartLine   `json:"line"`
	Note      string     `json:"note,omitempty"`
}

func cartAddItem() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.addItem", Texts: texts, Category: "cart",
		SideEffect: bus.UIOnly, Permissions: []string{"cart:write"}, Access: core.AgentMay, Resources: core.Writes,
		Reversible: true,
	}, addItem)
}

func addItem(ctx context.Context, call *bus.Call, in addItemIn) (addItemOut, error) {
	var out addItemOut
	s, err := core.LoadShop(ctx)
	if err != nil {
		return out, err
	}
	v, byDefault, err := catalog.ChooseVariant(ctx, s, in.ProductID, in.VariantID)
	if err != nil {
		return out, err
	}
	c, err := cartToFill(ctx, s, call, in.CustomerID)
	if err != nil {
		return out, err
	}
	if why := v.Short(c.quantityOf(v.ID) + in.Quantity); why != "" {
		return out, core.Refused("%s", why).WithHint("Look for another variant with catalog.getProduct.")
	}
	if err := putLine(ctx, c.ID, v.ID, in.Quantity); err != nil {
		return out, err
	}
	c, _, err = after(ctx, s, c.ID)
	if err != nil {
		return out, err
	}
	out.CartTotal, out.ItemCount = s.Money(c.Sums.Total), c.Count()
	for _, l := range c.Lines {
		if l.VariantID == v.ID {
			out.Line = l
		}
	}
	if byDefault {
		out.Note = fmt.Sprintf("No variant was named, so the default one was taken: %s.", v.Label)
	}
	call.Summarize("Add %d × %s to %s", in.Quantity, v.FullName(), c.Owner())
	call.Changed("cart", fmt.Sprintf("%d × %s is in %s.", out.Line.Quantity, v.FullName(), c.Owner()), c.ids()...)
	return out, nil
}

// cartToFill is the cart a new item goes into: the customer's, which becomes the
// current one, else the current one, opened if need be.
func cartToFill(ctx context.Context, s *core.Shop, call *bus.Call, customerID string) (*Cart, error) {
	current, err := Current(ctx, s, call.Person.Person)
	if err != nil {
		return nil, err
	}
	if customerID != "" {
		return switchTo(ctx, s, call, current, customerID)
	}
	if current != nil {
		return current, nil
	}
	id, err := newCart(ctx, call, "")
	if err != nil {
		return nil, err
	}
	if err := enter(ctx, call, id); err != nil {
		return nil, err
	}
	return cartByID(ctx, s, id)
}

func (c *Cart) quantityOf(variantID string) int64 {
	for _, l := range c.Lines {
		if l.VariantID == variantID {
			return l.Quantity
		}
	}
	return 0
}

// lineIn names a line of the current cart.
type lineIn struct {
	ProductID string `json:"productId,omitempty" jsonschema:"maxLength=100" x:"lookup=catalog.search#/products"`
	VariantID string `json:"variantId,omitempty" jsonschema:"maxLength=100" x:"lookup=cart.getSummary#/items"`
}

// lineOf finds the one line of the cart that in names.
func (c *Cart) lineOf(ctx context.Context, in lineIn) (cartLine, error) {
	var found []cartLine
	switch {
	case in.VariantID != "":
		for _, l := range c.Lines {
			if l.VariantID == in.VariantID && (in.ProductID == "" || in.ProductID == l.ProductID || in.ProductID == l.SKU) {
				found = append(found, l)
			}
		}
	case in.ProductID != "":
		ref, err := catalog.Resolve(ctx, in.ProductID)
		if err != nil {
			return cartLine{}, err
		}
		for _, l := range c.Lines {
			if l.ProductID == ref.ProductID && (ref.VariantID == "" || ref.VariantID == l.VariantID) {
				found = append(found, l)
			}
		}
	default:
		return cartLine{}, core.Invalid("/productId", "Say which item, by productId or variantId.")
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return cartLine{}, core.Refused("That is not in %s.", c.Owner()).WithHint("cart.getSummary lists the items.")
	}
	e := core.Refused("%d variants of %s are in %s.", len(found), found[0].Name, c.Owner())
	return cartLine{}, e.WithHint("Name one as variantId: %s or %s.", found[0].VariantID, found[1].VariantID)
}

type setQuantityIn struct {
	lineIn
	Quantity int64 `json:"quantity" jsonschema:"minimum=1,maximum=9999" doc:"The new quantity, not the difference."`
}

func cartSetQuantity() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.setQuantity", Texts: texts, Category: "cart",
		SideEffect: bus.UIOnly, Permissions: []string{"cart:write"}, Access: core.AgentMay, Resources: core.Writes,
		Reversible: true, Idempotent: true, Available: needsItems,
	}, func(ctx context.Context, call *bus.Call, in setQuantityIn) (cartOut, error) {
		s, c, l, err := currentLine(ctx, call, in.lineIn)
		if err != nil {
			return cartOut{}, err
		}
		if why := l.variant.Short(in.Quantity); why != "" && in.Quantity > l.Quantity {
			return cartOut{}, core.Refused("%s", why).WithHint("Take fewer, or another variant.")
		}
		call.Summarize("Set %s in %s from %d to %d", l.variant.FullName(), c.Owner(), l.Quantity, in.Quantity)
		call.Changed("cart", fmt.Sprintf("%d × %s is in %s.", in.Quantity, l.variant.FullName(), c.Owner()), c.ids()...)
		if err := core.Exec(ctx, `UPDATE cart_lines SET quantity = ? WHERE cart_id = ?
			AND variant_id = ?`, in.Quantity, c.ID, l.VariantID); err != nil {
			return cartOut{}, err
		}
		_, out, err := after(ctx, s, c.ID)
		return out, err
	})
}

func cartRemoveItem() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.removeItem", Texts: texts, Category: "cart",
		SideEffect: bus.UIOnly, Permissions: []string{"cart:write"}, Access: core.AgentMay, Resources: core.Writes,
		Reversible: true, Available: needsItems,
	}, func(ctx context.Context, call *bus.Call, in lineIn) (cartOut, error) {
		s, c, l, err := currentLine(ctx, call, in)
		if err != nil {
			return cartOut{}, err
		}
		call.Summarize("Take %d × %s out of %s", l.Quantity, l.variant.FullName(), c.Owner())
		call.Changed("cart", l.variant.FullName()+" is no longer in "+c.Owner()+".", c.ids()...)
		if err := core.Exec(ctx, `DELETE FROM cart_lines WHERE cart_id = ?
			AND variant_id = ?`, c.ID, l.VariantID); err != nil {
			return cartOut{}, err
		}
		if len(c.Lines) == 1 { // the cart is empty now: a discount would wait unseen for the next item
			if err := clearDiscount(ctx, c.ID); err != nil {
				return cartOut{}, err
			}
		}
		_, out, err := after(ctx, s, c.ID)
		return out, err
	})
}

func currentLine(ctx context.Context, call *bus.Call, in lineIn) (*core.Shop, *Cart, cartLine, error) {
	s, err := core.LoadShop(ctx)
	if err != nil {
		return nil, nil, cartLine{}, err
	}
	c, err := mustCart(ctx, s, call)
	if err != nil {
		return nil, nil, cartLine{}, err
	}
	l, err := c.lineOf(ctx, in)
	return s, c, l, err
}
