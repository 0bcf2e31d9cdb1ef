package cart

import (
	"cmp"
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type heldCart struct {
	ID        string             `json:"id"`
	Label     string             `json:"label" x:"personal=true"`
	Customer  *customer.Customer `json:"customer,omitempty"`
	ItemCount int64              `json:"itemCount"`
	Total     core.Money         `json:"total"`
	HeldAt    int64              `json:"heldAt" doc:"Milliseconds since 1970." x:"time=true"`
}

type listHeldOut struct {
	Carts []heldCart `json:"carts" doc:"The longest held first."`
	core.PageOut
}

func listHeld(ctx context.Context, s *core.Shop, _ *bus.Call, in core.PageIn) (out listHeldOut, err error) {
	out.Carts = []heldCart{}
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
}

type holdIn struct {
	Label string `json:"label,omitempty" jsonschema:"maxLength=60" doc:"To find it again; absent: the customer's name."`
}

type holdOut struct {
	HeldID string `json:"heldId"`
	Label  string `json:"label"`
}

func holdCurrent(ctx context.Context, s *core.Shop, call *bus.Call, in holdIn) (holdOut, error) {
	c, err := mustCart(ctx, s, call)
	if err != nil {
		return holdOut{}, err
	}
	label := walkIn
	if c.Customer != nil {
		label = c.Customer.Name
	}
	label = cmp.Or(text.Line(in.Label, core.LabelLimit), label)
	call.Summarize("Put %s on hold as %q", c.Owner(), label)
	call.Announce("cart", bus.Textf("%s is on hold.", c.Owner()), c.ids()...)
	return holdOut{c.ID, label}, hold(ctx, call, c, label)
}

type resumeIn struct {
	HeldID string `json:"heldId" jsonschema:"minLength=1,maxLength=100" x:"entity=heldCart"`
}

func needsHeld(ctx context.Context, _ *bus.Call) error {
	return core.Need(ctx, core.Unavailable("No cart is on hold.").WithHint("Put one aside with cart.hold."),
		`SELECT 1 FROM carts WHERE status = 'held'`)
}

func resume(ctx context.Context, s *core.Shop, call *bus.Call, in resumeIn) (out cartOut, err error) {
	c, err := cartByID(ctx, s, in.HeldID)
	if err != nil {
		return out, err
	}
	if c == nil || c.status != "held" {
		return out, core.NotFound("No cart is on hold with the id %q.", in.HeldID).WithHint("cart.listHeld lists them.")
	}
	current, err := Current(ctx, s, call.Person.ID)
	if err != nil {
		return out, err
	}
	if c.Customer != nil {
		if err := makeRoom(ctx, s, *c.Customer); err != nil {
			return out, err
		}
	}
	if err := core.Exec(ctx, `UPDATE carts SET status = 'open', label = '', held_at = 0 WHERE id = ?`, c.ID); err != nil {
		return out, err
	}
	if err := enter(ctx, call, c.ID); err != nil {
		return out, err
	}
	if err := leave(ctx, call, current); err != nil {
		return out, err
	}
	call.Summarize("Resume the held cart %q", c.label)
	call.Announce("cart", bus.Textf("%s is open again.", c.Owner()), c.ids()...)
	return c.out(s), nil
}

// makeRoom removes the customer's open cart if it is empty, and refuses otherwise.
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
