package cart

import (
	"cmp"
	"context"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// walkIn is the label of a held cart without a customer.
const walkIn = "Walk-in"

// newCart opens a cart. customerID may be "".
func newCart(ctx context.Context, s *core.Shop, call *bus.Call, customerID string) (*Cart, error) {
	id := call.NewID("cart")
	if err := core.Exec(ctx, `INSERT INTO carts (id, customer_id, status, created_at)
		VALUES (?, NULLIF(?, ''), 'open', ?)`, id, customerID, call.Now.UnixMilli()); err != nil {
		return nil, err
	}
	return cartByID(ctx, s, id)
}

// enter makes a cart the person's current one.
func enter(ctx context.Context, call *bus.Call, cartID string) error {
	return core.Exec(ctx, `INSERT INTO current_carts (person, cart_id) VALUES (?, ?)
		ON CONFLICT (person) DO UPDATE SET cart_id = excluded.cart_id WHERE cart_id <> excluded.cart_id`, call.Person.ID,
		cartID)
}

// leave gives up the current cart before another replaces it. A customer's cart stays open. A cart without a customer
// is put on hold if it has items, so that nothing is lost.
func leave(ctx context.Context, call *bus.Call, c *Cart) error {
	if c == nil || c.Customer != nil {
		return nil
	}
	if len(c.Lines) == 0 {
		return core.Exec(ctx, `DELETE FROM carts WHERE id = ?`, c.ID)
	}
	call.Notify("info", "The cart without a customer was put on hold.")
	return hold(ctx, call, c, walkIn)
}

// hold puts a cart on hold, so that it is no longer current.
func hold(ctx context.Context, call *bus.Call, c *Cart, label string) error {
	if err := core.Exec(ctx, `DELETE FROM current_carts WHERE cart_id = ?`, c.ID); err != nil {
		return err
	}
	return core.Exec(ctx, `UPDATE carts SET status = 'held', label = ?, held_at = ?
		WHERE id = ?`, label, call.Now.UnixMilli(), c.ID)
}

// switchTo makes the customer's cart the current one.
func switchTo(ctx context.Context, s *core.Shop, call *bus.Call, current *Cart, customerID string) (*Cart, error) {
	if current != nil && current.Customer != nil && current.Customer.ID == customerID {
		return current, nil
	}
	if _, err := customer.ByID(ctx, customerID); err != nil {
		return nil, err
	}
	c, err := openCart(ctx, s, customerID)
	if err == nil && c == nil {
		c, err = newCart(ctx, s, call, customerID)
	}
	if err != nil {
		return nil, err
	}
	if err := enter(ctx, call, c.ID); err != nil {
		return nil, err
	}
	return c, leave(ctx, call, current)
}

// mustCart returns the current cart, or an error if there is none.
func mustCart(ctx context.Context, s *core.Shop, call *bus.Call) (*Cart, error) {
	c, err := Current(ctx, s, call.Person.ID)
	if err == nil && c == nil {
		err = core.Refused("There is no open cart.").
			WithHint("Choose a customer with cart.setCustomer, or put something in with cart.addItem.")
	}
	return c, err
}

// NeedsItems makes a capability unavailable while the cart is empty.
func NeedsItems(ctx context.Context, call *bus.Call) error {
	return core.Need(ctx, core.Unavailable("The cart is empty.").WithHint("Put something in with cart.addItem."),
		`SELECT 1 FROM current_carts cc JOIN carts c ON c.id = cc.cart_id JOIN cart_lines l ON l.cart_id = c.id
			WHERE cc.person = ? AND c.status = 'open'`, call.Person.ID)
}

// cartOut is the response of every change of the cart.
type cartOut struct {
	CartID     string             `json:"cartId"`
	Customer   *customer.Customer `json:"customer,omitempty" doc:"Absent: a walk-in."`
	Fulfilment string             `json:"fulfilment" jsonschema:"enum=takeAway,enum=pickUp,enum=deliver"`
	CartTotal  core.Money         `json:"cartTotal"`
	ItemCount  int64              `json:"itemCount"`
}

func (c *Cart) out(s *core.Shop) cartOut {
	return cartOut{c.ID, c.Customer, c.Fulfilment(), s.Money(c.Sums.Total), c.Count()}
}

type setCustomerIn struct {
	CustomerID string `json:"customerId,omitempty" jsonschema:"maxLength=100" x:"entity=customer"`
	WalkIn     bool   `json:"walkIn,omitempty"`
	Fulfilment string `json:"fulfilment,omitempty" jsonschema:"enum=takeAway,enum=pickUp,enum=deliver"`
}

func setCustomer(ctx context.Context, s *core.Shop, call *bus.Call, in setCustomerIn) (out cartOut, err error) {
	if in.WalkIn == (in.CustomerID != "") {
		return out, core.Invalid("/customerId", "Say whose cart it is: a customer's or a walk-in's.")
	}
	c, err := Current(ctx, s, call.Person.ID)
	switch {
	case err != nil:
		return out, err
	case in.WalkIn:
		c, err = nameless(ctx, s, call, c)
	default:
		c, err = named(ctx, s, call, c, in.CustomerID)
	}
	if err != nil {
		return out, err
	}
	call.Announce("cart", bus.Textf("%s is open.", c.Owner()), c.ids()...)
	err = c.suggestFulfilment(ctx, s, in.Fulfilment)
	return c.out(s), err
}

// suggestFulfilment sets the way of delivery of a cart that has none.
func (c *Cart) suggestFulfilment(ctx context.Context, s *core.Shop, how string) error {
	if how == "" || c.said != "" {
		return nil
	}
	c.For(s, how, "")
	return core.Exec(ctx, `UPDATE carts SET fulfilment = ? WHERE id = ?`, how, c.ID)
}

// named makes a customer's cart the current one.
func named(ctx context.Context, s *core.Shop, call *bus.Call, current *Cart, customerID string) (*Cart, error) {
	who, err := customer.ByID(ctx, customerID)
	if err != nil {
		return nil, err
	}
	call.Summarize("Open %s's cart", who.Name)
	if current != nil && current.Customer == nil && len(current.Lines) > 0 {
		return adopt(ctx, s, call, current, who.ID)
	}
	return switchTo(ctx, s, call, current, who.ID)
}

// nameless removes the customer from the current cart and keeps its items.
func nameless(ctx context.Context, s *core.Shop, call *bus.Call, current *Cart) (*Cart, error) {
	switch {
	case current == nil:
		call.Summarize("Open a cart for a walk-in")
		return cartToFill(ctx, s, call, "")
	case current.Customer == nil:
		call.Summarize("Keep the cart a walk-in's")
		return current, nil
	}
	call.Summarize("Make %s a walk-in's", current.Owner())
	if err := core.Exec(ctx, `UPDATE carts SET customer_id = NULL WHERE id = ?`, current.ID); err != nil {
		return nil, err
	}
	return cartByID(ctx, s, current.ID)
}

// adopt assigns a cart without a customer to a customer. It moves the lines if the customer already has a cart.
func adopt(ctx context.Context, s *core.Shop, call *bus.Call, nameless *Cart, customerID string) (*Cart, error) {
	own, err := openCart(ctx, s, customerID)
	if err != nil {
		return nil, err
	}
	if own == nil {
		if err := core.Exec(ctx, `UPDATE carts SET customer_id = ? WHERE id = ?`, customerID, nameless.ID); err != nil {
			return nil, err
		}
		return cartByID(ctx, s, nameless.ID)
	}
	for _, l := range nameless.Lines {
		if _, err := own.put(ctx, l); err != nil {
			return nil, err
		}
	}
	if nameless.said != "" && own.said == "" {
		if err := core.Exec(ctx, `UPDATE carts SET fulfilment = ? WHERE id = ?`, nameless.said, own.ID); err != nil {
			return nil, err
		}
	}
	if err := enter(ctx, call, own.ID); err != nil {
		return nil, err
	}
	if err := core.Exec(ctx, `DELETE FROM carts WHERE id = ?`, nameless.ID); err != nil {
		return nil, err
	}
	return cartByID(ctx, s, own.ID)
}

// put adds pieces to the line with the same variant and price, or adds a line at the end of the cart. It returns the id
// of the line.
func (c *Cart) put(ctx context.Context, l cartLine) (id string, err error) {
	i := slices.IndexFunc(c.Lines, func(has cartLine) bool {
		return l.VariantID != "" && has.VariantID == l.VariantID && has.ownPrice == l.ownPrice
	})
	if i >= 0 {
		c.Lines[i].Quantity += l.Quantity
		return c.Lines[i].ID, core.Exec(ctx, `UPDATE cart_lines SET quantity = quantity + ? WHERE cart_id = ?
			AND variant_id = ?`, l.Quantity, c.ID, c.Lines[i].ID)
	}
	l.ID = core.FreeID(cmp.Or(l.VariantID, l.ID), func(id string) bool {
		return slices.ContainsFunc(c.Lines, func(has cartLine) bool { return has.ID == id })
	})
	if n := len(c.Lines); n > 0 {
		l.position = c.Lines[n-1].position
	}
	l.position++
	title := ""
	if l.VariantID == "" {
		title = l.Name
	}
	c.Lines = append(c.Lines, l)
	return l.ID, core.Insert(ctx, `cart_lines (cart_id, variant_id, position, quantity, sold, title, tax_class, price,
		price_reason, price_unbounded)`, c.ID, l.ID, l.position, l.Quantity, core.OrNull(l.VariantID), title, l.taxClass,
		l.ownPrice, l.PriceNote, core.Bit(!l.lowered.bounded && l.ownPrice.Valid))
}
