package shop

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type discountIn struct {
	Percent int64    `json:"percent,omitempty" jsonschema:"minimum=1,maximum=100" jsonschema_description:"Of the subtotal. Give this or an amount."`
	Amount  *priceIn `json:"amount,omitempty" jsonschema_description:"Off the subtotal. Give this or a percentage."`
	Reason  string   `json:"reason,omitempty" jsonschema:"maxLength=120"`
}

func cartApplyDiscount() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.applyDiscount", Title: "Give a discount", Category: "cart",
		Description: "Takes a percentage or an amount off the current cart, in place of any discount it had. " +
			"Use it when the shop grants one; above the clerk's limit a manager has to give it. It does not apply to shipping, nor to orders already placed.",
		SideEffect: bus.UIOnly, Permissions: []string{"cart:write"}, Access: agentMay, Resources: write, Reversible: true, Idempotent: true,
		Available: needsItems, Limit: discountLimit, Shortcut: "F8",
		Phrases: []string{
			"give a discount of {percent} percent", "(give|knock|do|take|cut) {percent} percent off", "take {percent} percent off (because|since|as) {reason}",
			"(apply|give) a {percent} percent discount", "give a discount of {amount}", "(give|take|knock|do) {amount} off",
			"take {amount} off (because|since|as) {reason}", "{percent} percent (off|discount|cheaper|less)", "{amount} (off|discount)",
			"give {percent} percent discount", "give {amount} discount", "discount the cart by {percent} percent", "discount the cart by {amount}",
			"discount it by {percent} percent", "she (gets|has|deserves) {percent} percent off", "she gets {amount} off",
			"make it {percent} percent (off|cheaper)", "take {percent} percent off the (cart|order)", "take {amount} off the (cart|total)",
			"can we (do|give) {percent} percent off", "can we do {amount} off", "can she have {percent} percent off", "discount of {amount}",
			"discount of {percent} percent", "give her {percent} percent off", "(take|give|knock|cut) {percent} percent off for {reason}",
			"{percent} percent (off|discount) (for|because|since|as) {reason}", "{amount} off (for|because) {reason}", "put {percent} percent off on it",
			"put {amount} off on it", "give her {amount} off because {reason}", "apply a {percent} percent discount (for|because) {reason}",
			"give a discount of {percent} percent (because|for) {reason}", "(give|take|knock|cut) {amount} off for {reason}",
			"(knock|take|cut) {amount} off (the cart|the total|the order|it)", "let her have {percent} percent off", "she can have {percent} percent off",
			"(give|deduct|subtract) {percent} percent", "make it {amount} cheaper", "make it {amount} (cheaper|less) because {reason}",
			"make it {percent} percent (cheaper|less) because {reason}", "give a {percent} percent discount (since|as) {reason}", "(deduct|subtract) {amount}",
			"reduce the total by {amount}", "reduce the (total|price|cart) by {percent} percent", "let her have {amount} off",
		},
	}, applyDiscount)
}

// discountLimit keeps a clerk's discount within the shop's limit.
func discountLimit(ctx context.Context, call *bus.Call) error {
	if call.Person.Has(scopeDiscount) {
		return nil
	}
	var in discountIn
	if err := call.Decode(&in); err != nil {
		return err
	}
	s, err := loadShop(ctx)
	if err != nil {
		return err
	}
	over := s.overLimit(in.Percent, 0, 0)
	if in.Amount != nil {
		c, err := s.currentCart(ctx, call.Person.Person)
		if err != nil {
			return err
		}
		over = c != nil && s.overLimit(0, in.Amount.Amount, c.sums.subtotal)
	}
	if over {
		return bus.Errorf(bus.Forbidden, bus.ReasonLimit, "A discount over %d %% needs a manager.", s.DiscountLimit).
			WithHint("Ask a manager, or give %d %% at most.", s.DiscountLimit)
	}
	return nil
}

func applyDiscount(ctx context.Context, call *bus.Call, in discountIn) (cartOut, error) {
	s, err := loadShop(ctx)
	if err != nil {
		return cartOut{}, err
	}
	c, err := s.mustCart(ctx, call)
	if err != nil {
		return cartOut{}, err
	}
	var amount int64
	var what string
	switch {
	case (in.Percent > 0) == (in.Amount != nil):
		return cartOut{}, invalid("/percent", "Give either a percentage or an amount.")
	case in.Amount != nil:
		if err := s.own(*in.Amount, "/amount"); err != nil {
			return cartOut{}, err
		}
		amount, what = in.Amount.Amount, s.text(in.Amount.Amount)
		if amount > c.sums.subtotal {
			return cartOut{}, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s is more than the items cost, %s.", what, s.text(c.sums.subtotal)).WithHint("Give less; cart.getSummary shows what they cost.")
		}
	default:
		what = fmt.Sprintf("%d %%", in.Percent)
	}
	call.Summarize("Take %s off %s", what, c.owner())
	call.Changed("cart", what+" is off "+c.owner()+".", c.ids()...)
	if err := exec(ctx, `UPDATE carts SET discount_percent = ?, discount_amount = ?, discount_reason = ?, discount_unbounded = ? WHERE id = ?`,
		in.Percent, amount, text.Line(in.Reason, nameLimit), bit(call.Person.Has(scopeDiscount)), c.id); err != nil {
		return cartOut{}, err
	}
	_, out, err := s.after(ctx, c.id)
	return out, err
}

func clearDiscount(ctx context.Context, cartID string) error {
	return exec(ctx, `UPDATE carts SET discount_percent = 0, discount_amount = 0, discount_reason = '', discount_unbounded = 0
		WHERE id = ? AND (discount_percent > 0 OR discount_amount > 0 OR discount_reason <> '')`, cartID)
}

func cartRemoveDiscount() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.removeDiscount", Title: "Remove the discount", Category: "cart",
		Description: "Takes the discount off the current cart again. " +
			"Use it when it was given by mistake. It does not change prices or other carts.",
		SideEffect: bus.UIOnly, Permissions: []string{"cart:write"}, Access: agentMay, Resources: write, Reversible: true, Idempotent: true,
		Available: func(ctx context.Context, call *bus.Call) error {
			found, err := exists(ctx, `SELECT 1 FROM carts c JOIN current_carts cc ON cc.cart_id = c.id
				WHERE cc.person = ? AND c.status = 'open' AND (c.discount_percent > 0 OR c.discount_amount > 0)`, call.Person.Person)
			if err == nil && !found {
				err = bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "The cart has no discount.").WithHint("Give one with cart.applyDiscount.")
			}
			return err
		},
		Phrases: []string{
			"remove the discount", "take the discount (off|away)", "no discount after all",
			"(scrap|lose|cancel|undo|forget|clear|without|drop|delete|revoke|withdraw) the discount", "get rid of the discount", "she does not get a discount",
			"take the discount back off", "no more discount", "full price after all", "no discount for her after all", "no discount", "she pays full price",
		},
	}, func(ctx context.Context, call *bus.Call, _ struct{}) (cartOut, error) {
		s, err := loadShop(ctx)
		if err != nil {
			return cartOut{}, err
		}
		c, err := s.mustCart(ctx, call)
		if err != nil {
			return cartOut{}, err
		}
		call.Summarize("Remove the discount of %s from %s", s.text(c.sums.discount), c.owner())
		call.Changed("cart", c.owner()+" has no discount any more.", c.ids()...)
		if err := clearDiscount(ctx, c.id); err != nil {
			return cartOut{}, err
		}
		_, out, err := s.after(ctx, c.id)
		return out, err
	})
}

type setShippingIn struct {
	Method string `json:"method" jsonschema:"minLength=1,maxLength=60" jsonschema_description:"Id or name of a shipping method of the shop." jsonschema_extras:"x-lookup=settings.get#/shipping"`
}

func cartSetShipping() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.setShipping", Title: "Choose the shipping", Category: "cart",
		Description: "Sets how the current cart will be sent: one of the shop's shipping methods, with its price and days. " +
			"Use it when a customer wants it faster, cheaper or picks it up; without it the shop's usual method is taken. It does not change orders already placed.",
		SideEffect: bus.UIOnly, Permissions: []string{"cart:write"}, Access: agentMay, Resources: write, Reversible: true, Idempotent: true,
		Phrases: []string{
			"send it by {method}", "(use|choose) {method} shipping", "(set|change|switch|upgrade) the shipping to {method}", "(make|ship|send) it {method}",
			"(ship|deliver) it by {method}", "she wants {method}", "she wants {method} shipping", "she wants it {method}", "she would like {method} shipping",
			"{method} (shipping|delivery)", "use {method} delivery", "(go|ship) with {method}", "go with {method} shipping", "switch to {method} shipping",
			"she (will|is) {method} it up", "she is going to {method} it up", "she will {method} it up (herself|later|here|in the shop)", "it is for {method}",
			"(upgrade|change) to {method}", "she wants it sent by {method}", "send it with {method}", "she wants it by {method}", "(use|ship) {method}",
			"change it to {method} shipping", "change it to {method}", "she will come and {method} it up", "she (comes|is coming) to {method} it up",
			"(send|ship) it {method} please", "the {method} one, please", "switch (to|her to) {method}", "{method} shipping is (fine|ok|good|enough)",
			"{method} is (fine|enough)", "she is fine with {method}", "she would (prefer|rather have) {method} (shipping|delivery)",
		},
	}, func(ctx context.Context, call *bus.Call, in setShippingIn) (cartOut, error) {
		s, err := loadShop(ctx)
		if err != nil {
			return cartOut{}, err
		}
		c, err := s.mustCart(ctx, call)
		if err != nil {
			return cartOut{}, err
		}
		methods, err := s.shippingMethods(ctx)
		if err != nil {
			return cartOut{}, err
		}
		for _, m := range methods {
			if m.ID == in.Method || text.Fold(m.Name) == text.Fold(in.Method) {
				call.Summarize("Send %s by %s for %s", c.owner(), m.Name, s.text(m.Price.Amount))
				call.Changed("cart", c.owner()+" goes by "+m.Name+".", c.ids()...)
				if err := exec(ctx, `UPDATE carts SET shipping_method = ? WHERE id = ?`, m.ID, c.id); err != nil {
					return cartOut{}, err
				}
				_, out, err := s.after(ctx, c.id)
				return out, err
			}
		}
		return cartOut{}, bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no shipping method %q.", in.Method).WithHint("settings.get lists them.")
	})
}
