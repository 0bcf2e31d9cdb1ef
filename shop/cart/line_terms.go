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

// lineDiscountLimit keeps a clerk's discount of a line within the shop's limit.
func lineDiscountLimit(ctx context.Context, call *bus.Call, in lineDiscountIn) error {
	return limitOf(ctx, call, in.discountIn, func(c *Cart) int64 {
		l, err := c.lineOf(ctx, in.lineIn)
		if err != nil {
			return 0 // the handler says what is wrong
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
		call.Changed("cart", name+" has no discount of its own in "+c.Owner()+".", c.ids()...)
		return core.Exec(ctx, `UPDATE cart_lines SET discount_percent = 0, discount_amount = 0, discount_reason = '',
			discount_unbounded = 0 WHERE cart_id = ? AND variant_id = ?`, c.ID, l.VariantID)
	}
	amount, what, err := in.off(s, l.Total.Amount)
	if err != nil {
		return err
	}
	call.Summarize("Take %s off %s in %s", what, name, c.Owner())
	call.Changed("cart", what+" is off "+name+" in "+c.Owner()+".", c.ids()...)
	return core.Exec(ctx, `UPDATE cart_lines SET discount_percent = ?, discount_amount = ?, discount_reason = ?,
		discount_unbounded = ? WHERE cart_id = ? AND variant_id = ?`, in.Percent, amount,
		text.Line(in.Reason, core.NameLimit), core.Bit(call.Person.Has(core.ScopeDiscount)), c.ID, l.VariantID)
}

type setNoteIn struct {
	Text      string `json:"text" jsonschema:"maxLength=500"`
	VariantID string `json:"variantId,omitempty" jsonschema:"maxLength=100" x:"entity=variant"`
}

func setNote(ctx context.Context, _ *core.Shop, call *bus.Call, c *Cart, in setNoteIn) error {
	words := text.Block(in.Text, 500)
	of, where, args := c.Owner(), `UPDATE carts SET note = ? WHERE id = ?`, []any{words, c.ID}
	if in.VariantID != "" {
		l, err := c.lineOf(ctx, lineIn{VariantID: in.VariantID})
		if err != nil {
			return err
		}
		of, where = l.variant.FullName(), `UPDATE cart_lines SET note = ? WHERE cart_id = ? AND variant_id = ?`
		args = append(args, l.VariantID)
	}
	if words == "" {
		call.Summarize("Remove the note from %s", of)
	} else {
		call.Summarize("Note on %s: “%s”", of, text.Line(words, 100))
	}
	call.Changed("cart", c.Owner()+" has another note.", c.ids()...)
	return core.Exec(ctx, where, args...)
}

// Put puts pieces of a variant into the cart that the person has before them, or into a customer's. It gives the reason
// when that is not possible.
func Put(ctx context.Context, s *core.Shop, call *bus.Call, customerID, variantID string, quantity int64) (c *Cart,
	why string, err error) {
	c, err = cartToFill(ctx, s, call, customerID)
	if err != nil {
		return nil, "", err
	}
	v, err := catalog.VariantByID(ctx, s, variantID)
	if coded := (*bus.Error)(nil); errors.As(err, &coded) && coded.Code == bus.NotFound {
		return c, "It is not in the catalog any more.", nil
	}
	if err != nil {
		return nil, "", err
	}
	has := quantity
	if l := c.lineWith(variantID); l != nil {
		has += l.Quantity
	}
	if why := v.Short(has); why != "" {
		return c, why, nil
	}
	if err := putLine(ctx, c.ID, variantID, quantity); err != nil {
		return c, "", err
	}
	c, err = cartByID(ctx, s, c.ID)
	return c, "", err
}
