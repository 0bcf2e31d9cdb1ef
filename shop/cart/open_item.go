package cart

import (
	"context"
	"database/sql"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type addOpenItemIn struct {
	Title      string       `json:"title" jsonschema:"minLength=1,maxLength=120"`
	UnitPrice  core.PriceIn `json:"unitPrice"`
	Quantity   int64        `json:"quantity,omitempty" jsonschema:"minimum=1,maximum=9999,default=1"`
	TaxClassID string       `json:"taxClassId,omitempty" jsonschema:"maxLength=100" x:"entity=taxClass"`
}

// addOpenItem adds an item that is not in the catalog.
func addOpenItem(ctx context.Context, s *core.Shop, call *bus.Call, in addOpenItemIn) (out addItemOut, err error) {
	if err := s.CheckCurrency(in.UnitPrice, "/unitPrice"); err != nil {
		return out, err
	}
	l := cartLine{ID: call.NewID("lin"), Name: text.Line(in.Title, core.NameLimit), Quantity: in.Quantity,
		ownPrice: sql.NullInt64{Int64: in.UnitPrice.Amount, Valid: true}, lowered: discount{bounded: true}}
	if l.Name == "" {
		return out, core.Invalid("/title", "The title is empty.")
	}
	var found bool
	if l.taxClass, found, err = core.Find(ctx, core.ScanText, `SELECT id FROM tax_classes WHERE ?1 IN ('', id)
		ORDER BY id LIMIT 1`, in.TaxClassID); err != nil {
		return out, err
	}
	if !found {
		return out, core.NotFound("There is no tax class %q.", in.TaxClassID).WithHint("settings.get lists them.")
	}
	c, err := cartToFill(ctx, s, call, "")
	if err != nil {
		return out, err
	}
	if c, l, err = c.added(ctx, s, l); err != nil {
		return out, err
	}
	call.Summarize("Add %d × %s at %s to %s", l.Quantity, l.Name, l.Price, c.Owner())
	call.Announce("cart", bus.Textf("%d × %s is in %s.", l.Quantity, l.Name, c.Owner()), c.ids()...)
	return addItemOut{CartTotal: s.Money(c.Sums.Total), ItemCount: c.Count(), Line: l}, nil
}

type linePriceIn struct {
	lineIn
	Price  core.PriceIn `json:"price"`
	Reason string       `json:"reason,omitempty" jsonschema:"maxLength=120"`
}

// linePriceLimit refuses a clerk's price that exceeds the shop's limit for discounts.
func linePriceLimit(ctx context.Context, call *bus.Call, in linePriceIn) error {
	s, err := core.LoadShop(ctx)
	if err != nil || call.Person.Has(core.ScopeDiscount) {
		return err
	}
	c, err := Current(ctx, s, call.Person.ID)
	if err != nil || c == nil {
		return err
	}
	l, err := c.lineOf(ctx, in.lineIn)
	if list := l.variant.Price.Amount; err == nil && s.OverLimit(0, max(0, list-in.Price.Amount), list) {
		return bus.Errorf(bus.Forbidden, bus.ReasonLimit, "A price more than %d %% below %s needs a manager.",
			s.DiscountLimit, l.variant.Price).WithHint("Ask a manager, or go down by %d %% at most.", s.DiscountLimit)
	}
	return nil // the handler reports other errors
}

// setLinePrice gives a line a price other than the catalog's.
func setLinePrice(ctx context.Context, s *core.Shop, call *bus.Call, c *Cart, in linePriceIn) error {
	if err := s.CheckCurrency(in.Price, "/price"); err != nil {
		return err
	}
	l, err := c.lineOf(ctx, in.lineIn)
	if err != nil {
		return err
	}
	name, price := l.variant.FullName(), s.Money(in.Price.Amount)
	call.Summarize("Sell %s in %s at %s instead of %s", name, c.Owner(), price, l.Price)
	call.Announce("cart", bus.Textf("%s costs %s in %s.", name, price, c.Owner()), c.ids()...)
	return core.Exec(ctx, `UPDATE cart_lines SET price = ?, price_reason = ?, price_unbounded = ? WHERE cart_id = ?
		AND variant_id = ?`, in.Price.Amount, text.Line(in.Reason, core.NameLimit),
		core.Bit(call.Person.Has(core.ScopeDiscount)), c.ID, l.ID)
}
