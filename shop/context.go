package shop

import (
	"context"

	"github.com/deskhand/deskhand/bus"
)

// snapshot is what a model is told of the desk before every turn.
type snapshot struct {
	Shop  string         `json:"shop,omitempty"`
	Staff string         `json:"staff,omitempty" jsonschema_extras:"x-personal=true"`
	Cart  *cartSnapshot  `json:"cart,omitempty"` // absent: no cart is open
	Next  []string       `json:"possible"`       // capabilities that make sense now
	Wants *checkoutWants `json:"checkout,omitempty"`
	Tour  *tourSnapshot  `json:"tour,omitempty"` // absent: the person takes none
}

type cartSnapshot struct {
	CustomerID string `json:"customerId,omitempty"`
	Customer   string `json:"customer,omitempty" jsonschema_extras:"x-personal=true"`
	ItemCount  int64  `json:"itemCount"`
	Total      string `json:"total"`
}

type checkoutWants struct {
	Ready   bool   `json:"ready"`
	Missing string `json:"missing,omitempty"`
}

// Context is the least a model has to know of the state of the desk: whose cart
// is open, what it comes to and what is possible; well under a kilobyte. It runs
// inside Journal.View.
func Context(ctx context.Context, person bus.Principal) (any, error) {
	found, err := exists(ctx, `SELECT 1 FROM shop`)
	if err != nil {
		return nil, err
	}
	if !found {
		return snapshot{Next: []string{"shop.setUp"}}, nil
	}
	s, err := loadShop(ctx)
	if err != nil {
		return nil, err
	}
	out := snapshot{Shop: s.Name, Staff: person.Name, Next: []string{"catalog.search", "customer.search", "order.search", "cart.addItem"}}
	if out.Tour, err = tourNow(ctx, person); err != nil {
		return nil, err
	}
	c, err := s.currentCart(ctx, person.Person)
	if err != nil {
		return nil, err
	}
	if c == nil {
		out.Next = append(out.Next, "cart.setCustomer")
		return out, nil
	}
	out.Cart = &cartSnapshot{ItemCount: c.count(), Total: s.text(c.sums.total)}
	if c.customer != nil {
		out.Cart.CustomerID, out.Cart.Customer = c.customer.ID, c.customer.Name
	}
	problems, err := s.problems(ctx, c)
	if err != nil {
		return nil, err
	}
	out.Wants = &checkoutWants{Ready: len(problems) == 0}
	if len(problems) > 0 {
		out.Wants.Missing = problems[0]
	} else {
		out.Next = append(out.Next, "checkout.submit")
	}
	if len(c.lines) > 0 {
		out.Next = append(out.Next, "cart.setQuantity", "cart.removeItem", "cart.applyDiscount", "cart.hold")
	}
	return out, nil
}
