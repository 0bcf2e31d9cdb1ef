package cart

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type addItemIn struct {
	ProductID  string `json:"productId" jsonschema:"minLength=1,maxLength=100" x:"entity=product"`
	VariantID  string `json:"variantId,omitempty" jsonschema:"maxLength=100" x:"entity=variant"`
	Quantity   int64  `json:"quantity" jsonschema:"minimum=1,maximum=9999"`
	CustomerID string `json:"customerId,omitempty" jsonschema:"maxLength=100" x:"entity=customer"`
	Fulfilment string `json:"fulfilment,omitempty" jsonschema:"enum=takeAway,enum=pickUp,enum=deliver"`
}

type addItemOut struct {
	CartTotal core.Money `json:"cartTotal"`
	ItemCount int64      `json:"itemCount"`
	Line      cartLine   `json:"line"`
	Note      string     `json:"note,omitempty"`
}

// added puts a line into a cart and returns the cart and the line after the change.
func (c *Cart) added(ctx context.Context, s *core.Shop, l cartLine) (*Cart, cartLine, error) {
	id, err := c.put(ctx, l)
	if err == nil {
		c, err = cartByID(ctx, s, c.ID)
	}
	if err != nil {
		return nil, l, err
	}
	return c, c.Lines[slices.IndexFunc(c.Lines, func(l cartLine) bool { return l.ID == id })], nil
}

func addItem(ctx context.Context, s *core.Shop, call *bus.Call, in addItemIn) (out addItemOut, err error) {
	v, byDefault, err := catalog.ChooseVariant(ctx, s, in.ProductID, in.VariantID)
	if err != nil {
		return out, err
	}
	c, err := cartToFill(ctx, s, call, in.CustomerID)
	if err == nil {
		err = c.suggestFulfilment(ctx, s, in.Fulfilment)
	}
	if err != nil {
		return out, err
	}
	if why := v.Short(c.pieces(v.ID) + in.Quantity); !why.IsZero() {
		return out, core.Refused("%s", why).WithHint("Look for another variant with catalog.getProduct.")
	}
	c, line, err := c.added(ctx, s, cartLine{VariantID: v.ID, Quantity: in.Quantity})
	if err != nil {
		return out, err
	}
	out = addItemOut{CartTotal: s.Money(c.Sums.Total), ItemCount: c.Count(), Line: line}
	if byDefault {
		out.Note = fmt.Sprintf("No variant was named, so the default one was taken: %s.", v.Label)
	}
	call.Summarize("Add %d × %s to %s", in.Quantity, v.FullName(), c.Owner())
	call.Announce("cart", bus.Textf("%d × %s is in %s.", out.Line.Quantity, v.FullName(), c.Owner()), c.ids()...)
	return out, nil
}

// cartToFill returns the cart for a new item: the customer's cart, which becomes current, or the current cart. It opens
// a cart if necessary.
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

// lineWith returns the first line with a variant.
func (c *Cart) lineWith(variantID string) *cartLine {
	if i := slices.IndexFunc(c.Lines, func(l cartLine) bool { return l.VariantID == variantID }); i >= 0 {
		return &c.Lines[i]
	}
	return nil
}

// pieces counts the pieces of a variant in all lines.
func (c *Cart) pieces(variantID string) (n int64) {
	for _, l := range c.Lines {
		if l.VariantID == variantID {
			n += l.Quantity
		}
	}
	return n
}

// lineIn identifies a line of the current cart.
type lineIn struct {
	LineID    string `json:"lineId,omitempty" jsonschema:"maxLength=100"`
	ProductID string `json:"productId,omitempty" jsonschema:"maxLength=100" x:"entity=product"`
	VariantID string `json:"variantId,omitempty" jsonschema:"maxLength=100" x:"entity=variant,wanted=true"`
}

// lineOf returns the line of the cart that in identifies.
func (c *Cart) lineOf(ctx context.Context, in lineIn) (cartLine, error) {
	if in == (lineIn{}) {
		return cartLine{}, core.Invalid("/productId", "Say which item, by lineId, productId or variantId.")
	}
	found := slices.Clone(c.Lines)
	if in.LineID != "" {
		found = slices.DeleteFunc(found, func(l cartLine) bool { return l.ID != in.LineID })
	}
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
	var variants, lines []bus.Option
	var words []string
	for _, l := range found {
		if !slices.ContainsFunc(variants, func(o bus.Option) bool { return o.Value == l.VariantID }) {
			variants = append(variants, bus.Option{Value: l.VariantID, Title: l.Label})
		}
		what := fmt.Sprintf("%d × %s, %s", l.Quantity, l.variant.FullName(), l.Price)
		lines, words = append(lines, bus.Option{Value: l.ID, Title: what}), append(words, l.ID+": "+what)
	}
	if len(variants) == len(found) {
		return cartLine{}, core.Refused("%d variants of %s are in %s.", len(found), found[0].Name, c.Owner()).
			WithHint("Choose one of them.").WithChoice("variantId", variants...)
	}
	return cartLine{}, core.Refused("%d lines of %s are in %s: %s.", len(found), found[0].Name, c.Owner(),
		strings.Join(words, "; ")).WithHint("Name the line.").WithChoice("lineId", lines...)
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
	all := c.pieces(l.VariantID) + in.Quantity - l.Quantity
	if why := l.variant.Short(all); !why.IsZero() && in.Quantity > l.Quantity {
		return core.Refused("%s", why).WithHint("Take fewer, or another variant.")
	}
	call.Summarize("Set %s in %s from %d to %d", l.variant.FullName(), c.Owner(), l.Quantity, in.Quantity)
	return c.setTo(ctx, call, l, in.Quantity)
}

// setTo sets the quantity of a line.
func (c *Cart) setTo(ctx context.Context, call *bus.Call, l cartLine, quantity int64) error {
	call.Announce("cart", bus.Textf("%d × %s is in %s.", quantity, l.variant.FullName(), c.Owner()), c.ids()...)
	return core.Exec(ctx, `UPDATE cart_lines SET quantity = ? WHERE cart_id = ? AND variant_id = ?`, quantity, c.ID, l.ID)
}

type removeItemIn struct {
	lineIn
	Quantity int64 `json:"quantity,omitempty" jsonschema:"minimum=1,maximum=9999" doc:"Pieces to take out; absent: all."`
}

func removeItem(ctx context.Context, _ *core.Shop, call *bus.Call, c *Cart, in removeItemIn) error {
	l, err := c.lineOf(ctx, in.lineIn)
	if err != nil {
		return err
	}
	out := cmp.Or(in.Quantity, l.Quantity)
	if out > l.Quantity {
		return core.Refused("Only %d × %s is in %s.", l.Quantity, l.variant.FullName(), c.Owner()).
			WithHint("Take fewer out.")
	}
	call.Summarize("Take %d × %s out of %s", out, l.variant.FullName(), c.Owner())
	if out < l.Quantity {
		return c.setTo(ctx, call, l, l.Quantity-out)
	}
	call.Announce("cart", bus.Textf("%s is no longer in %s.", l.variant.FullName(), c.Owner()), c.ids()...)
	if len(c.Lines) == 1 {
		return empty(ctx, c.ID)
	}
	return core.Exec(ctx, `DELETE FROM cart_lines WHERE cart_id = ? AND variant_id = ?`, c.ID, l.ID)
}

func clearCart(ctx context.Context, _ *core.Shop, call *bus.Call, c *Cart, _ struct{}) error {
	call.Summarize("Take %d items out of %s", c.Count(), c.Owner())
	call.Announce("cart", bus.Textf("%s is empty.", c.Owner()), c.ids()...)
	return empty(ctx, c.ID)
}

// empty removes all items and the discount. A discount that stayed would apply to the next item unnoticed.
func empty(ctx context.Context, cartID string) error {
	if err := core.Exec(ctx, `DELETE FROM cart_lines WHERE cart_id = ?`, cartID); err != nil {
		return err
	}
	return clearDiscount(ctx, cartID)
}
