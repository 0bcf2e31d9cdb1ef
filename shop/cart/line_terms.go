package cart

import (
	"context"
	"errors"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type lineDiscountIn struct {
	lineIn
	discountIn
	None bool `json:"none,omitempty"`
}

// lineDiscountLimit refuses a clerk's discount on a line over the shop's limit.
func lineDiscountLimit(ctx context.Context, call *bus.Call, in lineDiscountIn) error {
	return limitOf(ctx, call, in.discountIn, func(c *Cart) int64 {
		l, err := c.lineOf(ctx, in.lineIn)
		if err != nil {
			return 0 // the handler reports the error
		}
		return l.Total.Amount
	})
}

func setLineDiscount(ctx context.Context, s *core.Shop, call *bus.Call, c *Cart, in lineDiscountIn) error {
	l, err := c.lineOf(ctx, in.lineIn)
	if err != nil {
		return err
	}
	name := l.variant.FullName()
	if in.None {
		if in.Percent > 0 || in.Amount != nil {
			return core.Invalid("/none", "Give either none or a discount.")
		}
		call.Summarize("Take no discount off %s in %s", name, c.Owner())
		call.Announce("cart", bus.Textf("%s has no discount of its own in %s.", name, c.Owner()), c.ids()...)
		return core.Exec(ctx, `UPDATE cart_lines SET discount_percent = 0, discount_amount = 0, discount_reason = '',
			discount_unbounded = 0 WHERE cart_id = ? AND variant_id = ?`, c.ID, l.ID)
	}
	amount, what, err := in.off(s, l.Total.Amount)
	if err != nil {
		return err
	}
	call.Summarize("Take %s off %s in %s", what, name, c.Owner())
	call.Announce("cart", bus.Textf("%s is off %s in %s.", what, name, c.Owner()), c.ids()...)
	return core.Exec(ctx, `UPDATE cart_lines SET discount_percent = ?, discount_amount = ?, discount_reason = ?,
		discount_unbounded = ? WHERE cart_id = ? AND variant_id = ?`, in.Percent, amount,
		text.Line(in.Reason, core.NameLimit), core.Bit(call.Person.Has(core.ScopeDiscount)), c.ID, l.ID)
}

type setNoteIn struct {
	Text      string `json:"text" jsonschema:"maxLength=500"`
	LineID    string `json:"lineId,omitempty" jsonschema:"maxLength=100"`
	VariantID string `json:"variantId,omitempty" jsonschema:"maxLength=100" x:"entity=variant"`
}

func setNote(ctx context.Context, _ *core.Shop, call *bus.Call, c *Cart, in setNoteIn) error {
	words := text.Block(in.Text, 500)
	of, where, args := any(c.Owner()), `UPDATE carts SET note = ? WHERE id = ?`, []any{words, c.ID}
	if in.VariantID != "" || in.LineID != "" {
		l, err := c.lineOf(ctx, lineIn{LineID: in.LineID, VariantID: in.VariantID})
		if err != nil {
			return err
		}
		of, where = l.variant.FullName(), `UPDATE cart_lines SET note = ? WHERE cart_id = ? AND variant_id = ?`
		args = append(args, l.ID)
	}
	if words == "" {
		call.Summarize("Remove the note from %s", of)
	} else {
		call.Summarize("Note on %s: “%s”", of, text.Line(words, 100))
	}
	call.Announce("cart", bus.Textf("%s has another note.", c.Owner()), c.ids()...)
	return core.Exec(ctx, where, args...)
}

// Put adds pieces of a variant to the person's current cart or to a customer's cart. It returns the reason if the
// variant is not available.
func Put(ctx context.Context, s *core.Shop, call *bus.Call, customerID, variantID string, quantity int64) (c *Cart,
	lineID string, why bus.Text, err error) {
	c, err = cartToFill(ctx, s, call, customerID)
	if err != nil {
		return nil, "", why, err
	}
	v, err := catalog.VariantByID(ctx, s, variantID)
	if coded := (*bus.Error)(nil); errors.As(err, &coded) && coded.Code == bus.NotFound {
		return c, "", bus.Textf("It is not in the catalog any more."), nil
	}
	if err != nil {
		return nil, "", why, err
	}
	if why := v.Short(c.pieces(variantID) + quantity); !why.IsZero() {
		return c, "", why, nil
	}
	c, l, err := c.added(ctx, s, cartLine{VariantID: variantID, Quantity: quantity})
	return c, l.ID, why, err
}
