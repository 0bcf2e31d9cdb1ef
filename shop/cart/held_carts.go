package cart

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type heldCart struct {
	ID        string             `json:"id"`
	Label     string             `json:"label" x:"personal=true"`
	Customer  *customer.Customer `json:"customer,omitempty"`
	ItemCount int64              `json:"itemCount"`
	Total     core.Money         `json:"total"`
	HeldAt    int64              `json:"heldAt" doc:"Milliseconds since 1970."`
}

type listHeldOut struct {
	Carts []heldCart `json:"carts" doc:"The longest held first."`
	core.PageOut
}

func cartListHeld() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.listHeld", Texts: texts, Category: "cart", Type: bus.TypeData,
		SideEffect: bus.Pure, Permissions: []string{"cart:read"}, Access: core.AgentMay, Resources: core.Reads,
		Paginated: true,
	}, func(ctx context.Context, _ *bus.Call, in core.PageIn) (listHeldOut, error) {
		out := listHeldOut{Carts: []heldCart{}}
		s, err := core.LoadShop(ctx)
		if err != nil {
			return out, err
		}
		after, err := core.DecodeCursor(in.Cursor)
		if err != nil {
			return out, err
		}
		type held struct {
			id string
			at int64
		}
		found, err := core.List(ctx, func(r core.Row) (h held, err error) { return h, r.Scan(&h.id, &h.at) },
			`SELECT id, held_at FROM carts WHERE status = 'held' AND (held_at, id) > (?, ?) ORDER BY held_at, id
				LIMIT ?`, after.Score, after.ID, in.Limit+1)
		if err != nil {
			return out, err
		}
		for i, h := range found {
			if i == in.Limit {
				last := found[i-1]
				out.PageOut = core.PageOut{NextCursor: core.EncodeCursor(core.CursorKey{Score: int(last.at), ID: last.id}),
					HasMore: true}
				break
			}
			c, err := cartByID(ctx, s, h.id)
			if err != nil {
				return out, err
			}
			out.Carts = append(out.Carts, heldCart{c.ID, c.label, c.Customer, c.Count(), s.Money(c.Sums.Total), h.at})
		}
		return out, nil
	})
}

type resumeIn struct {
	HeldID string `json:"heldId" jsonschema:"minLength=1,maxLength=100" x:"lookup=cart.listHeld#/carts"`
}

func cartResume() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.resume", Texts: texts, Category: "cart",
		SideEffect: bus.UIOnly, Permissions: []string{"cart:write"}, Access: core.AgentMay, Resources: core.Writes,
		Reversible: true, Available: needsHeld,
		Shortcut: "F7",
	}, resume)
}

func needsHeld(ctx context.Context, _ *bus.Call) error {
	found, err := core.Exists(ctx, `SELECT 1 FROM carts WHERE status = 'held'`)
	if err == nil && !found {
		err = core.Unavailable("No cart is on hold.").WithHint("Put one aside with cart.hold.")
	}
	return err
}

func resume(ctx context.Context, call *bus.Call, in resumeIn) (cartOut, error) {
	s, err := core.LoadShop(ctx)
	if err != nil {
		return cartOut{}, err
	}
	c, err := cartByID(ctx, s, in.HeldID)
	if err != nil {
		return cartOut{}, err
	}
	if c == nil || c.status != "held" {
		return cartOut{}, core.NotFound("No cart is on hold with the id %q.", in.HeldID).WithHint("cart.listHeld lists them.")
	}
	current, err := Current(ctx, s, call.Person.Person)
	if err != nil {
		return cartOut{}, err
	}
	if c.Customer != nil {
		if err := makeRoom(ctx, s, *c.Customer); err != nil {
			return cartOut{}, err
		}
	}
	if err := core.Exec(ctx, `UPDATE carts SET status = 'open', label = '', held_at = 0 WHERE id = ?`, c.ID); err != nil {
		return cartOut{}, err
	}
	if err := enter(ctx, call, c.ID); err != nil {
		return cartOut{}, err
	}
	if err := leave(ctx, call, current); err != nil {
		return cartOut{}, err
	}
	call.Summarize("Resume the held cart %q", c.label)
	call.Changed("cart", c.Owner()+" is open again.", c.ids()...)
	_, out, err := after(ctx, s, c.ID)
	return out, err
}

// makeRoom removes the customer's empty open cart; one with items is in the way.
func makeRoom(ctx context.Context, s *core.Shop, who customer.Customer) error {
	other, err := openCart(ctx, s, who.ID)
	if err != nil || other == nil {
		return err
	}
	if len(other.Lines) > 0 {
		return core.Refused("%s has another open cart with %d items.", who.Name, other.Count()).
			WithHint("Submit it, empty it with cart.clear, or put it aside with cart.hold first.")
	}
	return core.Exec(ctx, `DELETE FROM carts WHERE id = ?`, other.ID)
}
