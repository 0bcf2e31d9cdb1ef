package order

import (
	"context"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/cart"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type fromOrderIn struct {
	orderIn
	Without []string `json:"without,omitempty" jsonschema:"maxItems=100" doc:"Variants to leave out."`
}

type fromOrderOut struct {
	CartID      string      `json:"cartId"`
	CartTotal   core.Money  `json:"cartTotal"`
	Lines       []againLine `json:"lines" doc:"What was put into the cart, at today's prices."`
	Unavailable []againLine `json:"unavailable" doc:"What was not, and why."`
}

type againLine struct {
	LineID    string   `json:"lineId,omitempty" doc:"In the cart."`
	VariantID string   `json:"variantId"`
	Name      string   `json:"name"`
	Quantity  int64    `json:"quantity"`
	Why       bus.Text `json:"why,omitzero"`
}

// fromOrder adds the items of an order to the cart of its customer; an order of a walk-in fills the current cart.
func fromOrder(ctx context.Context, s *core.Shop, call *bus.Call, in fromOrderIn) (out fromOrderOut, err error) {
	o, err := ByID(ctx, s, in.OrderID)
	if err != nil {
		return out, err
	}
	had, err := core.List(ctx, func(r core.Row) (l againLine, err error) {
		return l, r.Scan(&l.VariantID, &l.Name, &l.Quantity)
	}, `SELECT variant_id, MIN(name || CASE label WHEN '' THEN '' ELSE ' (' || label || ')' END), SUM(quantity)
		FROM order_lines WHERE order_id = ? GROUP BY variant_id, CASE variant_id WHEN '' THEN id END ORDER BY MIN(line)`,
		o.ID)
	if err != nil {
		return out, err
	}
	out.Lines, out.Unavailable = []againLine{}, []againLine{}
	customerID := ""
	if o.Customer != nil {
		customerID = o.Customer.ID
	}
	var c *cart.Cart
	for _, l := range had {
		if slices.Contains(in.Without, l.VariantID) {
			continue
		}
		if l.VariantID == "" {
			l.Why = bus.Textf("An open item is added again.")
		} else if c, l.LineID, l.Why, err = cart.Put(ctx, s, call, customerID, l.VariantID, l.Quantity); err != nil {
			return out, err
		}
		if !l.Why.IsZero() {
			out.Unavailable = append(out.Unavailable, l)
		} else {
			out.Lines = append(out.Lines, l)
		}
	}
	if len(out.Lines) == 0 {
		return out, core.Refused("Nothing of order %s can be put into the cart.", o.ID).
			WithHint("Look for something else with catalog.search.")
	}
	out.CartID, out.CartTotal = c.ID, s.Money(c.Sums.Total)
	call.Summarize("Put %d of %d lines of order %s into %s", len(out.Lines), len(had), o.ID, c.Owner())
	call.Announce("cart", bus.Textf("%s has what order %s had.", c.Owner(), o.ID), append(o.ids(), c.ID)...)
	return out, nil
}
