package cart

import (
	"context"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type addItemIn struct {
	ProductID  string `json:"productId" jsonschema:"minLength=1,maxLength=100" x:"entity=product"`
	VariantID  string `json:"variantId,omitempty" jsonschema:"maxLength=100" x:"entity=variant"`
	Quantity   int64  `json:"quantity" jsonschema:"minimum=1,maximum=9999"`
	CustomerID string `json:"customerId,omitempty" jsonschema:"maxLength=100" x:"entity=customer"`
}

type addItemOut struct {
	CartTotal core.Money `json:"cartTotal"`
	ItemCount int64      `json:"itemCount"`
	Line      cartLine   `json:"line"`
	Note      string     `json:"note,omitempty"`
}

func addItem(ctx context.Context, s *core.Shop, call *bus.Call, in addItemIn) (out addItemOut, err error) {
	v, byDefault, err := catalog.ChooseVariant(ctx, s, in.ProductID, in.VariantID)
	if err != nil {
		return out, err
	}
	c, err := cartToFill(ctx, s, call, in.CustomerID)
	if err != nil {
		return out, err
	}
	var has int64
	if l := c.lineWith(v.ID); l != nil {
		has = l.Quantity
	}
	if why := v.Short(has + in.Quantity); why != "" {
		return out, core.Refused("%s", why).WithHint("Look for another variant with catalog.getProduct.")
	}
	if err := putLine(ctx, c.ID, v.ID, in.Quantity); err != nil {
		return out, err
	}
	if c, err = cartByID(ctx, s, c.ID); err != nil {
		return out, err
	}
	out = addItemOut{CartTotal: s.Money(c.Sums.Total), ItemCount: c.Count(), Line: *c.lineWith(v.ID)}
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
	current, err := Current(ctx, s, call.Person.ID)
	if err != nil {
		return nil, err
	}
	if customerID != "" {
		return switchTo(ctx, s, call, current, customerID)
	}
	if current != nil {
		return current, nil
	}
	c, err := newCart(ctx, s, call, "")
	if err != nil {
		return nil, err
	}
	return c, enter(ctx, call, c.ID)
}

func (c *Cart) lineWith(variantID string) *cartLine {
	if i := slices.IndexFunc(c.Lines, func(l cartLine) bool { return l.VariantID == variantID }); i >= 0 {
		return &c.Lines[i]
	}
	return nil
}

// lineIn names a line of the current cart.
type lineIn struct {
	ProductID string `json:"productId,omitempty" jsonschema:"maxLength=100" x:"entity=product"`
	VariantID string `json:"variantId,omitempty" jsonschema:"maxLength=100" x:"entity=variant"`
}

// lineOf finds the one line of the cart that in names.
func (c *Cart) lineOf(ctx context.Context, in lineIn) (cartLine, error) {
	if in.ProductID == "" && in.VariantID == "" {
		return cartLine{}, core.Invalid("/productId", "Say which item, by productId or variantId.")
	}
	found := slices.Clone(c.Lines)
	for _, given := range []string{in.ProductID, in.VariantID} {
		if given == "" {
			continue
		}
		meant, err := catalog.Find(ctx, given)
		if err == nil && len(meant) == 0 && given == in.ProductID {
			_, err = catalog.Resolve(ctx, given)
		}
		if err != nil {
			return cartLine{}, err
		}
		found = slices.DeleteFunc(found, func(l cartLine) bool {
			return !slices.ContainsFunc(meant, func(m catalog.Match) bool {
				return l.ProductID == m.ProductID && (m.VariantID == "" || m.VariantID == l.VariantID)
			})
		})
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return cartLine{}, core.Refused("That is not in %s.", c.Owner()).WithHint("cart.getSummary lists the items.")
	}
	var options []bus.Option
	for _, l := range found {
		options = append(options, bus.Option{Value: l.VariantID, Title: l.Label})
	}
	return cartLine{}, core.Refused("%d variants of %s are in %s.", len(found), found[0].Name, c.Owner()).
		WithHint("Choose one of them.").WithChoice("variantId", options...)
}

type setQuantityIn struct {
	lineIn
	Quantity int64 `json:"quantity" jsonschema:"minimum=1,maximum=9999" doc:"The new quantity, not the difference."`
}

func setQuantity(ctx context.Context, _ *core.Shop, call *bus.Call, c *Cart, in setQuantityIn) error {
	l, err := c.lineOf(ctx, in.lineIn)
	if err != nil {
		return err
	}
	if why := l.variant.Short(in.Quantity); why != "" && in.Quantity > l.Quantity {
		return core.Refused("%s", why).WithHint("Take fewer, or another variant.")
	}
	call.Summarize("Set %s in %s from %d to %d", l.variant.FullName(), c.Owner(), l.Quantity, in.Quantity)
	call.Changed("cart", fmt.Sprintf("%d × %s is in %s.", in.Quantity, l.variant.FullName(), c.Owner()), c.ids()...)
	return core.Exec(ctx, `UPDATE cart_lines SET quantity = ? WHERE cart_id = ? AND variant_id = ?`, in.Quantity, c.ID,
		l.VariantID)
}

func removeItem(ctx context.Context, _ *core.Shop, call *bus.Call, c *Cart, in lineIn) error {
	l, err := c.lineOf(ctx, in)
	if err != nil {
		return err
	}
	call.Summarize("Take %d × %s out of %s", l.Quantity, l.variant.FullName(), c.Owner())
	call.Changed("cart", l.variant.FullName()+" is no longer in "+c.Owner()+".", c.ids()...)
	if len(c.Lines) == 1 {
		return empty(ctx, c.ID)
	}
	return core.Exec(ctx, `DELETE FROM cart_lines WHERE cart_id = ? AND variant_id = ?`, c.ID, l.VariantID)
}

func clearCart(ctx context.Context, _ *core.Shop, call *bus.Call, c *Cart, _ struct{}) error {
	call.Summarize("Take %d items out of %s", c.Count(), c.Owner())
	call.Changed("cart", c.Owner()+" is empty.", c.ids()...)
	return empty(ctx, c.ID)
}

// empty takes out all items, and the discount: it would wait unseen for the next item.
func empty(ctx context.Context, cartID string) error {
	if err := core.Exec(ctx, `DELETE FROM cart_lines WHERE cart_id = ?`, cartID); err != nil {
		return err
	}
	return clearDiscount(ctx, cartID)
}
