package shop

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/cart"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/tour"
)

// snapshot is the state of the desk that a model receives before every turn.
type snapshot struct {
	Shop  string         `json:"shop,omitempty"`
	Staff string         `json:"staff,omitempty" x:"personal=true"`
	Money string         `json:"money,omitempty"` // notation of amounts in arguments
	Cart  *cartSnapshot  `json:"cart,omitempty"`  // nil if no cart is open
	Next  []string       `json:"possible"`        // capabilities that fit the current state
	Wants *checkoutWants `json:"checkout,omitempty"`
	Tour  *tour.Snapshot `json:"tour,omitempty"` // nil if the person takes no tour
}

type cartSnapshot struct {
	CustomerID string `json:"customerId,omitempty"`
	Customer   string `json:"customer,omitempty" x:"personal=true"`
	ItemCount  int64  `json:"itemCount"`
	Total      string `json:"total"`
}

type checkoutWants struct {
	Ready   bool   `json:"ready"`
	Missing string `json:"missing,omitempty"`
}

// Context returns the minimal state of the desk for a model: the open cart's customer, its total and the possible
// actions. It is well under a kilobyte. It runs inside Journal.View.
func Context(ctx context.Context, person bus.Principal) (any, error) {
	found, err := core.Exists(ctx, `SELECT 1 FROM shop`)
	if err != nil {
		return nil, err
	}
	if !found {
		return snapshot{Next: []string{"shop.setUp"}}, nil
	}
	s, err := core.LoadShop(ctx)
	if err != nil {
		return nil, err
	}
	out := snapshot{Shop: s.Name, Staff: person.Name,
		Money: fmt.Sprintf("amounts are whole numbers of %s's minor unit: 4900 is %s", s.Currency, s.Text(4900)),
		Next: []string{"catalog.search", "customer.search", "order.search",
			"cart.addItem"}}
	if out.Tour, err = tour.Now(ctx, person); err != nil {
		return nil, err
	}
	c, err := cart.Current(ctx, s, person.ID)
	if err != nil {
		return nil, err
	}
	if c == nil {
		out.Next = append(out.Next, "cart.setCustomer")
		return out, nil
	}
	out.Cart = &cartSnapshot{ItemCount: c.Count(), Total: s.Text(c.Sums.Total)}
	if c.Customer != nil {
		out.Cart.CustomerID, out.Cart.Customer = c.Customer.ID, c.Customer.Name
	}
	problems, err := cart.Problems(ctx, s, c)
	if err != nil {
		return nil, err
	}
	out.Wants = &checkoutWants{Ready: len(problems) == 0}
	if len(problems) > 0 {
		out.Wants.Missing = problems[0].String()
	} else {
		out.Next = append(out.Next, "checkout.submit")
	}
	if len(c.Lines) > 0 {
		out.Next = append(out.Next, "cart.setQuantity", "cart.removeItem", "cart.applyDiscount", "cart.hold")
	}
	return out, nil
}
