package shop

import (
	"context"

	"github.com/deskhand/deskhand/bus"
)

type heldCart struct {
	ID        string    `json:"id"`
	Label     string    `json:"label" jsonschema_extras:"x-personal=true"`
	Customer  *customer `json:"customer,omitempty"`
	ItemCount int64     `json:"itemCount"`
	Total     Money     `json:"total"`
	HeldAt    int64     `json:"heldAt" jsonschema_description:"Milliseconds since 1970."`
}

type listHeldOut struct {
	Carts []heldCart `json:"carts" jsonschema_description:"The longest held first."`
	pageOut
}

func cartListHeld() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.listHeld", Title: "Show held carts", Category: "cart", Type: bus.TypeData,
		Description: "Lists the carts that were put on hold, with label, customer and total, the longest held first. " +
			"Use it to find the one to go on with. It does not resume any.",
		SideEffect: bus.Pure, Permissions: []string{"cart:read"}, Access: agentMay, Resources: read, Paginated: true,
	}, func(ctx context.Context, _ *bus.Call, in pageIn) (listHeldOut, error) {
		out := listHeldOut{Carts: []heldCart{}}
		s, err := loadShop(ctx)
		if err != nil {
			return out, err
		}
		after, err := decodeCursor(in.Cursor)
		if err != nil {
			return out, err
		}
		type held struct {
			id string
			at int64
		}
		found, err := list(ctx, func(r row) (h held, err error) { return h, r.Scan(&h.id, &h.at) },
			`SELECT id, held_at FROM carts WHERE status = 'held' AND (held_at, id) > (?, ?) ORDER BY held_at, id LIMIT ?`, after.Score, after.ID, in.Limit+1)
		if err != nil {
			return out, err
		}
		for i, h := range found {
			if i == in.Limit {
				last := found[i-1]
				out.pageOut = pageOut{encodeCursor(cursorKey{Score: int(last.at), ID: last.id}), true}
				break
			}
			c, err := s.cartByID(ctx, h.id)
			if err != nil {
				return out, err
			}
			out.Carts = append(out.Carts, heldCart{c.id, c.label, c.customer, c.count(), s.money(c.sums.total), h.at})
		}
		return out, nil
	})
}

type resumeIn struct {
	HeldID string `json:"heldId" jsonschema:"minLength=1,maxLength=100" jsonschema_extras:"x-lookup=cart.listHeld#/carts"`
}

func cartResume() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.resume", Title: "Resume a held cart", Category: "cart",
		Description: "Makes a held cart the current one again; prices are those of today. " +
			"Use it when the customer is back. It does not merge it with another cart the same customer has open.",
		SideEffect: bus.UIOnly, Permissions: []string{"cart:write"}, Access: agentMay, Resources: write, Reversible: true, Available: needsHeld,
		Shortcut: "F7",
	}, resume)
}

func needsHeld(ctx context.Context, _ *bus.Call) error {
	found, err := exists(ctx, `SELECT 1 FROM carts WHERE status = 'held'`)
	if err == nil && !found {
		err = bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "No cart is on hold.").WithHint("Put one aside with cart.hold.")
	}
	return err
}

func resume(ctx context.Context, call *bus.Call, in resumeIn) (cartOut, error) {
	s, err := loadShop(ctx)
	if err != nil {
		return cartOut{}, err
	}
	c, err := s.cartByID(ctx, in.HeldID)
	if err != nil {
		return cartOut{}, err
	}
	if c == nil || c.status != "held" {
		return cartOut{}, bus.Errorf(bus.NotFound, bus.ReasonRecord, "No cart is on hold with the id %q.", in.HeldID).WithHint("cart.listHeld lists them.")
	}
	current, err := s.currentCart(ctx, call.Person.Person)
	if err != nil {
		return cartOut{}, err
	}
	if c.customer != nil {
		if err := s.makeRoom(ctx, *c.customer); err != nil {
			return cartOut{}, err
		}
	}
	if err := exec(ctx, `UPDATE carts SET status = 'open', label = '', held_at = 0 WHERE id = ?`, c.id); err != nil {
		return cartOut{}, err
	}
	if err := enter(ctx, call, c.id); err != nil {
		return cartOut{}, err
	}
	if err := leave(ctx, call, current); err != nil {
		return cartOut{}, err
	}
	call.Summarize("Resume the held cart %q", c.label)
	call.Changed("cart", c.owner()+" is open again.", c.ids()...)
	_, out, err := s.after(ctx, c.id)
	return out, err
}

// makeRoom removes the customer's empty open cart; one with items is in the way.
func (s *deskShop) makeRoom(ctx context.Context, who customer) error {
	other, err := s.openCart(ctx, who.ID)
	if err != nil || other == nil {
		return err
	}
	if len(other.lines) > 0 {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s has another open cart with %d items.", who.Name, other.count()).
			WithHint("Submit it, empty it with cart.clear, or put it aside with cart.hold first.")
	}
	return exec(ctx, `DELETE FROM carts WHERE id = ?`, other.id)
}
