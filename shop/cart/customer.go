package cart

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// walkIn names a held cart that has no customer.
const walkIn = "Walk-in"

// newCart opens a cart; customerID may be "".
func newCart(ctx context.Context, call *bus.Call, customerID string) (string, error) {
	id := call.NewID("cart")
	var who any
	if customerID != "" {
		who = customerID
	}
	return id, core.Exec(ctx, `INSERT INTO carts (id, customer_id, status, created_at)
		VALUES (?, ?, 'open', ?)`, id, who, call.Now.UnixMilli())
}

// enter makes a cart the person's current one.
func enter(ctx context.Context, call *bus.Call, cartID string) error {
	return core.Exec(ctx, `INSERT INTO current_carts (person, cart_id) VALUES (?, ?)
		ON CONFLICT (person) DO UPDATE SET cart_id = excluded.cart_id WHERE cart_id <> excluded.cart_id`, call.Person.Person,
		cartID)
}

// leave lets go of a cart before another becomes the current one. A customer's
// cart stays open for its customer; a nameless one is held if there is something
// in it, so that nothing is lost.
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

// hold puts a cart aside: it is no longer a current cart.
func hold(ctx context.Context, call *bus.Call, c *Cart, label string) error {
	if err := core.Exec(ctx, `DELETE FROM current_carts WHERE cart_id = ?`, c.ID); err != nil {
		return err
	}
	return core.Exec(ctx, `UPDATE carts SET status = 'held', label = ?, held_at = ?
		WHERE id = ?`, label, call.Now.UnixMilli(), c.ID)
}

// cartOf finds the open cart of a customer, or opens one.
func cartOf(ctx context.Context, s *core.Shop, call *bus.Call, customerID string) (*Cart, error) {
	c, err := openCart(ctx, s, customerID)
	if err != nil || c != nil {
		return c, err
	}
	id, err := newCart(ctx, call, customerID)
	if err != nil {
		return nil, err
	}
	return cartByID(ctx, s, id)
}

// switchTo makes the customer's cart the current one.
func switchTo(ctx context.Context, s *core.Shop, call *bus.Call, current *Cart, customerID string) (*Cart, error) {
	if current != nil && current.Customer != nil && current.Customer.ID == customerID {
		return current, nil
	}
	if _, err := customer.ByID(ctx, customerID); err != nil {
		return nil, err
	}
	c, err := cartOf(ctx, s, call, customerID)
	if err != nil {
		return nil, err
	}
	if err := enter(ctx, call, c.ID); err != nil {
		return nil, err
	}
	return c, leave(ctx, call, current)
}

// mustCart is the current cart, or the reason why there is nothing to change.
func mustCart(ctx context.Context, s *core.Shop, call *bus.Call) (*Cart, error) {
	c, err := Current(ctx, s, call.Person.Person)
	if err == nil && c == nil {
		err = core.Refused("There is no open cart.").
			WithHint("Choose a customer with cart.setCustomer, or put something in with cart.addItem.")
	}
	return c, err
}

// needsItems makes a capability available only while something is in the cart.
func needsItems(ctx context.Context, call *bus.Call) error {
	found, err := core.Exists(ctx, `SELECT 1 FROM current_carts cc JOIN carts c ON c.id = cc.cart_id
		JOIN cart_lines l ON l.cart_id = c.id
		WHERE cc.person = ? AND c.status = 'open'`, call.Person.Person)
	if err == nil && !found {
		err = core.Unavailable("The cart is empty.").WithHint("Put something in with cart.addItem.")
	}
	return err
}

// cartOut is the output of every change of the cart.
type cartOut struct {
	CartID    string             `json:"cartId"`
	Customer  *customer.Customer `json:"customer,omitempty"`
	CartTotal core.Money         `json:"cartTotal"`
	ItemCount int64              `json:"itemCount"`
}

// after reads a cart again once it was changed.
func after(ctx context.Context, s *core.Shop, cartID string) (*Cart, cartOut, error) {
	c, err := cartByID(ctx, s, cartID)
	if err != nil {
		return nil, cartOut{}, err
	}
	return c, cartOut{c.ID, c.Customer, s.Money(c.Sums.Total), c.Count()}, nil
}

type setCustomerIn struct {
	CustomerID string `json:"customerId" jsonschema:"minLength=1,maxLength=100" x:"lookup=customer.search#/customers"`
}

func cartSetCustomer() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.setCustomer", Texts: texts, Category: "cart",
		SideEffect: bus.UIOnly, Permissions: []string{"cart:write"}, Access: core.AgentMay, Resources: core.Writes,
		Reversible: true, Idempotent: true,
		Shortcut: "F3",
	}, func(ctx context.Context, call *bus.Call, in setCustomerIn) (cartOut, error) {
		s, err := core.LoadShop(ctx)
		if err != nil {
			return cartOut{}, err
		}
		who, err := customer.ByID(ctx, in.CustomerID)
		if err != nil {
			return cartOut{}, err
		}
		current, err := Current(ctx, s, call.Person.Person)
		if err != nil {
			return cartOut{}, err
		}
		var id string
		if current != nil && current.Customer == nil && len(current.Lines) > 0 {
			id, err = adopt(ctx, s, call, current, who)
		} else {
			var c *Cart
			if c, err = switchTo(ctx, s, call, current, who.ID); err == nil {
				id = c.ID
			}
		}
		if err != nil {
			return cartOut{}, err
		}
		c, out, err := after(ctx, s, id)
		if err != nil {
			return out, err
		}
		call.Summarize("Open %s", c.Owner())
		call.Changed("cart", c.Owner()+" is open.", c.ids()...)
		return out, nil
	})
}

// adopt gives a cart without a customer to one: as it is, or by moving its lines
// into the cart the customer has.
func adopt(ctx context.Context, s *core.Shop, call *bus.Call, nameless *Cart, who customer.Customer) (string, error) {
	own, err := openCart(ctx, s, who.ID)
	if err != nil {
		return "", err
	}
	if own == nil {
		return nameless.ID, core.Exec(ctx, `UPDATE carts SET customer_id = ? WHERE id = ?`, who.ID, nameless.ID)
	}
	for _, l := range nameless.Lines {
		if err := putLine(ctx, own.ID, l.VariantID, l.Quantity); err != nil {
			return "", err
		}
	}
	if err := enter(ctx, call, own.ID); err != nil {
		return "", err
	}
	return own.ID, core.Exec(ctx, `DELETE FROM carts WHERE id = ?`, nameless.ID)
}

// putLine adds to the quantity of a line, or starts it at the end of the cart.
func putLine(ctx context.Context, cartID, variantID string, quantity int64) error {
	return core.Exec(ctx, `INSERT INTO cart_lines (cart_id, variant_id, position, quantity)
		VALUES (?1, ?2, (SELECT COALESCE(MAX(position), 0) + 1 FROM cart_lines WHERE cart_id = ?1), ?3)
		ON CONFLICT (cart_id, variant_id) DO UPDATE SET quantity = quantity + excluded.quantity`, cartID, variantID, quantity)
}

func cartClear() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.clear", Texts: texts, Category: "cart",
		SideEffect: bus.UIOnly, Permissions: []string{"cart:write"}, Access: core.AgentMay, Resources: core.Writes,
		Reversible: true, Available: needsItems,
	}, func(ctx context.Context, call *bus.Call, _ struct{}) (cartOut, error) {
		s, err := core.LoadShop(ctx)
		if err != nil {
			return cartOut{}, err
		}
		c, err := mustCart(ctx, s, call)
		if err != nil {
			return cartOut{}, err
		}
		call.Summarize("Take %d items out of %s", c.Count(), c.Owner())
		call.Changed("cart", c.Owner()+" is empty.", c.ids()...)
		if err := core.Exec(ctx, `DELETE FROM cart_lines WHERE cart_id = ?`, c.ID); err != nil {
			return cartOut{}, err
		}
		if err := clearDiscount(ctx, c.ID); err != nil {
			return cartOut{}, err
		}
		_, out, err := after(ctx, s, c.ID)
		return out, err
	})
}

type holdIn struct {
	Label string `json:"label,omitempty" jsonschema:"maxLength=60" doc:"To find it again; absent: the customer's name."`
}

type holdOut struct {
	HeldID string `json:"heldId"`
	Label  string `json:"label"`
}

func cartHold() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.hold", Texts: texts, Category: "cart",
		SideEffect: bus.UIOnly, Permissions: []string{"cart:write"}, Access: core.AgentMay, Resources: core.Writes,
		Reversible: true, Available: needsItems,
		Shortcut: "F6",
	}, func(ctx context.Context, call *bus.Call, in holdIn) (holdOut, error) {
		s, err := core.LoadShop(ctx)
		if err != nil {
			return holdOut{}, err
		}
		c, err := mustCart(ctx, s, call)
		if err != nil {
			return holdOut{}, err
		}
		label := text.Line(in.Label, core.LabelLimit)
		switch {
		case label != "":
		case c.Customer != nil:
			label = c.Customer.Name
		default:
			label = walkIn
		}
		call.Summarize("Put %s on hold as %q", c.Owner(), label)
		call.Changed("cart", c.Owner()+" is on hold.", c.ids()...)
		return holdOut{c.ID, label}, hold(ctx, call, c, label)
	})
}
