package order

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// itemChange requests another variant for pieces of an order.
type itemChange struct {
	lineRef
	NewVariantID string `json:"newVariantId" jsonschema:"minLength=1,maxLength=100" x:"entity=alternative"`
	Quantity     int64  `json:"quantity,omitempty" jsonschema:"minimum=1,maximum=9999" doc:"Absent: all of them."`
}

// pieces identifies a quantity of a line of an order.
type pieces struct {
	lineRef
	Quantity int64 `json:"quantity,omitempty" jsonschema:"minimum=1,maximum=9999" doc:"Absent: all of them."`
}

// swap is a planned change: pieces of the order, their new variant and its price.
type swap struct {
	pieces
	words, from string
	lines       []int            // the lines that hold exactly these pieces
	to          *catalog.Variant // nil for a return
	price, rate int64
}

// asked returns the line that ref identifies and the requested quantity. The line must have that many pieces.
func (o *orderLines) asked(ref lineRef, quantity int64) (keptLine, int64, error) {
	l, err := o.one(ref)
	if err != nil {
		return keptLine{}, 0, err
	}
	if quantity > l.quantity {
		return *l, 0, core.Refused("There are only %d of %s in order %s.", l.quantity, l.fullName(), o.orderID).
			WithHint("order.get shows the lines.")
	}
	return *l, cmp.Or(quantity, l.quantity), nil
}

// of returns n pieces of the line, identified by the line's id.
func (l *keptLine) of(n int64) pieces { return pieces{lineRef{l.id, l.variantID}, n} }

func (l *keptLine) fullName() string { return fullName(l.name, l.label) }

// setSwaps checks changes against the order and the current catalog: the new variant must belong to the same product
// and be for sale. Stock is checked later, when it is taken. An exchange may use the same variant. A change to the same
// variant is skipped, and fails only when no other change is requested.
func (p *itemsPlan) setSwaps(ctx context.Context, s *core.Shop, changes []itemChange, exchange bool) error {
	for _, c := range changes {
		from, quantity, err := p.lines.asked(c.lineRef, c.Quantity)
		if err != nil {
			return err
		}
		to, err := catalog.VariantByID(ctx, s, c.NewVariantID)
		if err != nil {
			return err
		}
		hint := "catalog.getProduct lists the variants of " + from.productID + "."
		switch {
		case to.ProductID != from.productID:
			return core.Refused("%s is not a variant of %s.", to.FullName(), from.name).WithHint("%s", hint)
		case to.ID == from.variantID && !exchange:
			p.unchanged = append(p.unchanged, from.fullName())
			continue
		case !to.Offered:
			return core.Refused("%s", to.Short(quantity)).WithHint("%s", hint)
		}
		b := from.of(quantity)
		p.swaps = append(p.swaps, swap{pieces: b, words: swapText(from, quantity, "to", to), from: from.fullName(),
			lines: p.lines.take(b.lineRef, quantity), to: to, price: to.Price.Amount, rate: to.RatePPM})
	}
	return nil
}

// swapText describes pieces of a line and their new variant.
func swapText(from keptLine, quantity int64, preposition string, to *catalog.Variant) string {
	if to.ID == from.variantID {
		return fmt.Sprintf("%d × %s for the same", quantity, from.fullName())
	}
	return fmt.Sprintf("%d × %s %s %s", quantity, from.fullName(), preposition, to.Label)
}

// swapped applies the changes to the lines and returns the change of the order's value. An item that is exchanged for
// the same variant keeps the price that the customer paid.
func (o *orderLines) swapped(all []swap) (difference int64) {
	before, changed := o.worth(), false
	for _, w := range all {
		for _, i := range w.lines {
			if w.to.ID != w.VariantID {
				o.replace(i, w.to, w.price, w.rate)
				changed = true
			}
		}
	}
	if changed {
		o.reprice()
	}
	return o.worth() - before
}

func swapWords(all []swap) string {
	words := make([]string, len(all))
	for i, w := range all {
		words[i] = w.words
	}
	return strings.Join(words, ", ")
}

// takeNew takes the new variants from stock.
func takeNew(ctx context.Context, s *core.Shop, call *bus.Call, orderID string, all []swap) error {
	for _, w := range all {
		if err := takeStock(ctx, s, call, orderID, w.to.ID, w.Quantity); err != nil {
			return err
		}
	}
	return nil
}

// takeStock takes pieces from stock for a change of an order.
func takeStock(ctx context.Context, s *core.Shop, call *bus.Call, orderID, variantID string, n int64) error {
	v, err := catalog.VariantByID(ctx, s, variantID) // an earlier line may have changed its stock
	if err != nil {
		return err
	}
	if why := v.Short(n); !why.IsZero() {
		return core.Refused("%s", why).WithHint("catalog.getProduct lists the other variants of %s.", v.ProductID)
	}
	return moveStock(ctx, call, v.ID, -n, "exchange", orderID)
}

// giveBack returns pieces of an order to stock, at most as many as the order took.
func giveBack(ctx context.Context, call *bus.Call, b pieces, reason, orderID string) error {
	taken, _, err := core.Find(ctx, core.ScanInt, `SELECT COALESCE(-SUM(delta), 0) FROM stock_movements WHERE order_id = ?
		AND variant_id = ?`, orderID, b.VariantID)
	if n := min(b.Quantity, taken); err == nil && n > 0 {
		err = moveStock(ctx, call, b.VariantID, n, reason, orderID)
	}
	return err
}

func magnitude(n int64) int64 { return max(n, -n) }

// some returns the first line with the agreed pieces. The pieces of an old request may be spread over several lines.
func (o *orderLines) some(p pieces) (keptLine, error) {
	var n int64
	all := o.found(p.lineRef)
	for _, l := range all {
		n += l.quantity
	}
	if n < p.Quantity || n == 0 {
		_, _, err := o.asked(p.lineRef, p.Quantity)
		return keptLine{}, err
	}
	return *all[0], nil
}
