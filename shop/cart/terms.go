package cart

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type discountIn struct {
	Percent int64         `json:"percent,omitempty" jsonschema:"minimum=1,maximum=100"`
	Amount  *core.PriceIn `json:"amount,omitempty" doc:"Off the subtotal. Give this or a percentage."`
	Reason  string        `json:"reason,omitempty" jsonschema:"maxLength=120"`
}

// discountLimit refuses a clerk's discount over the shop's limit.
func discountLimit(ctx context.Context, call *bus.Call, in discountIn) error {
	return limitOf(ctx, call, in, func(c *Cart) int64 { return c.Sums.Subtotal })
}

// limitOf refuses a clerk's discount over the shop's limit. of returns the amount to which the discount applies.
func limitOf(ctx context.Context, call *bus.Call, in discountIn, of func(c *Cart) int64) error {
	if call.Person.Has(core.ScopeDiscount) {
		return nil
	}
	s, err := core.LoadShop(ctx)
	if err != nil {
		return err
	}
	over := s.OverLimit(in.Percent, 0, 0)
	if in.Amount != nil {
		c, err := Current(ctx, s, call.Person.ID)
		if err != nil {
			return err
		}
		over = c != nil && s.OverLimit(0, in.Amount.Amount, of(c))
	}
	if over {
		return bus.Errorf(bus.Forbidden, bus.ReasonLimit, "A discount over %d %% needs a manager.", s.DiscountLimit).
			WithHint("Ask a manager, or give %d %% at most.", s.DiscountLimit)
	}
	return nil
}

// off reads a discount and refuses one greater than of, the price of the items.
func (in discountIn) off(s *core.Shop, of int64) (amount int64, what bus.Text, err error) {
	if (in.Percent > 0) == (in.Amount != nil) {
		return 0, what, core.Invalid("/percent", "Give either a percentage or an amount.")
	}
	if in.Amount == nil {
		return 0, bus.Textf("%d %%", in.Percent), nil
	}
	if err := s.CheckCurrency(*in.Amount, "/amount"); err != nil {
		return 0, what, err
	}
	amount, what = in.Amount.Amount, bus.Textf("%s", s.Money(in.Amount.Amount))
	if amount > of {
		return 0, what, core.Refused("%s is more than the items cost, %s.", what, s.Money(of)).
			WithHint("Give less; cart.getSummary shows what they cost.")
	}
	return amount, what, nil
}

func applyDiscount(ctx context.Context, s *core.Shop, call *bus.Call, c *Cart, in discountIn) error {
	amount, what, err := in.off(s, c.Sums.Subtotal)
	if err != nil {
		return err
	}
	call.Summarize("Take %s off %s", what, c.Owner())
	call.Announce("cart", bus.Textf("%s is off %s.", what, c.Owner()), c.ids()...)
	return core.Exec(ctx, `UPDATE carts SET discount_percent = ?, discount_amount = ?, discount_reason = ?,
		discount_unbounded = ? WHERE id = ?`,
		in.Percent, amount, text.Line(in.Reason, core.NameLimit), core.Bit(call.Person.Has(core.ScopeDiscount)), c.ID)
}

func needsDiscount(ctx context.Context, call *bus.Call) error {
	return core.Need(ctx, core.Unavailable("The cart has no discount.").WithHint("Give one with cart.applyDiscount."),
		`SELECT 1 FROM carts c JOIN current_carts cc ON cc.cart_id = c.id
			WHERE cc.person = ? AND c.status = 'open' AND (c.discount_percent > 0 OR c.discount_amount > 0)`,
		call.Person.ID)
}

func removeDiscount(ctx context.Context, s *core.Shop, call *bus.Call, c *Cart, _ struct{}) error {
	call.Summarize("Remove the discount of %s from %s", s.Money(c.Sums.Discount), c.Owner())
	call.Announce("cart", bus.Textf("%s has no discount any more.", c.Owner()), c.ids()...)
	return clearDiscount(ctx, c.ID)
}

func clearDiscount(ctx context.Context, cartID string) error {
	return core.Exec(ctx, `UPDATE carts SET discount_percent = 0, discount_amount = 0, discount_reason = '',
		discount_unbounded = 0
		WHERE id = ? AND (discount_percent > 0 OR discount_amount > 0 OR discount_reason <> '')`, cartID)
}

type setShippingIn struct {
	Method     string `json:"method,omitempty" jsonschema:"maxLength=60" x:"entity=shippingMethod"`
	Fulfilment string `json:"fulfilment,omitempty" jsonschema:"enum=takeAway,enum=pickUp,enum=deliver"`
}

func setShipping(ctx context.Context, s *core.Shop, call *bus.Call, c *Cart, in setShippingIn) error {
	switch {
	case in.Method == "" && in.Fulfilment == "":
		return core.Invalid("/method", "Say how it is sent, or that it is taken along or picked up.")
	case in.Method == "":
		call.Summarize("Change the handover of %s: %s", c.Owner(), core.Fulfilled(in.Fulfilment))
		call.Announce("cart", bus.Textf("%s is %s.", c.Owner(), core.Fulfilled(in.Fulfilment)), c.ids()...)
		return core.Exec(ctx, `UPDATE carts SET fulfilment = ? WHERE id = ?`, in.Fulfilment, c.ID)
	case in.Fulfilment != "" && in.Fulfilment != core.Deliver:
		return core.Invalid("/method", "Only what is delivered has a shipping method.")
	}
	methods, err := s.ShippingMethods(ctx)
	if err != nil {
		return err
	}
	for _, m := range methods {
		if m.ID == in.Method || text.Fold(m.Name) == text.Fold(in.Method) {
			call.Summarize("Send %s by %s for %s", c.Owner(), m.Name, s.Money(m.Price.Amount))
			call.Announce("cart", bus.Textf("%s goes by %s.", c.Owner(), m.Name), c.ids()...)
			return core.Exec(ctx, `UPDATE carts SET shipping_method = ?, fulfilment = 'deliver' WHERE id = ?`, m.ID, c.ID)
		}
	}
	return core.NotFound("There is no shipping method %q.", in.Method).WithHint("settings.get lists them.")
}
