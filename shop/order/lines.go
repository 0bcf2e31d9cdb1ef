package order

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// keptLine is a line of an order as stored in the table.
type keptLine struct {
	line                                   int64
	id                                     string
	productID, variantID, sku, name, label string
	quantity, price, discount, tax, total  int64
	discountTax                            int64  // the tax of the discount, from core.DiscountTax
	ratePPM                                int64  // tax rate in millionths
	returnedBy                             string // the request that returned it; "" while the customer has it
	reason, note                           string // reason and note of its discount
	percent, amount                        int64  // discount of this line alone
	taken                                  bool   // used by the current change
	gone                                   bool   // removed from the order
}

// orderLines holds the lines of an order while they change. A line is either with the customer or returned as a whole.
// A line is split, exact to the minor unit, when only some of its pieces are returned or exchanged.
type orderLines struct {
	orderID  string
	included bool  // prices include tax
	percent  int64 // discount on all lines together
	amount   int64
	lines    []keptLine
	stored   []keptLine // as stored in the table
}

func loadOrderLines(ctx context.Context, orderID string) (*orderLines, error) {
	o := &orderLines{orderID: orderID}
	if _, _, err := core.Find(ctx, func(r core.Row) (struct{}, error) {
		return struct{}{}, r.Scan(&o.included, &o.percent, &o.amount)
	}, `SELECT tax_included, discount_percent, discount_amount FROM orders WHERE id = ?`, orderID); err != nil {
		return nil, err
	}
	var err error
	o.lines, err = core.List(ctx, func(r core.Row) (l keptLine, err error) {
		return l, r.Scan(&l.line, &l.productID, &l.variantID, &l.sku, &l.name, &l.label, &l.quantity, &l.price, &l.discount,
			&l.tax, &l.total, &l.returnedBy, &l.ratePPM, &l.reason, &l.note, &l.discountTax, &l.id, &l.percent,
			&l.amount)
	}, `SELECT line, product_id, variant_id, sku, name, label, quantity, price, discount, tax, total, returned_by,
		rate_ppm, discount_reason, note, discount_tax, id, discount_percent, discount_amount FROM order_lines
		WHERE order_id = ? ORDER BY line`, orderID)
	o.stored = slices.Clone(o.lines)
	return o, err
}

// value returns the amount that the customer pays for a line.
func (o *orderLines) value(l *keptLine) int64 {
	if o.included {
		return l.total - l.discount
	}
	return l.total - l.discount + l.tax
}

// worth returns the value of the items that the customer has, without shipping.
func (o *orderLines) worth() (sum int64) {
	for i := range o.lines {
		if l := &o.lines[i]; l.returnedBy == "" && !l.gone {
			sum += o.value(l)
		}
	}
	return sum
}

func (l *keptLine) free() bool { return l.returnedBy == "" && !l.taken && !l.gone }

// lineRef identifies a line of an order by its id, or by its variant when only one line has it.
type lineRef struct {
	LineID    string `json:"lineId,omitempty" jsonschema:"maxLength=100"`
	VariantID string `json:"variantId,omitempty" jsonschema:"maxLength=100" x:"entity=variant"`
}

// holds reports whether the reference matches a line.
func (ref lineRef) holds(l *keptLine) bool {
	return (ref.LineID == "" || ref.LineID == l.id) && (ref.VariantID == "" || ref.VariantID == l.variantID)
}

// found returns the matching lines that the customer has and that the current change has not used.
func (o *orderLines) found(ref lineRef) (all []*keptLine) {
	for i := range o.lines {
		if l := &o.lines[i]; l.free() && ref.holds(l) {
			all = append(all, l)
		}
	}
	return all
}

// one returns the line that ref identifies. It refuses a reference that matches several lines.
func (o *orderLines) one(ref lineRef) (*keptLine, error) {
	all := o.found(ref)
	switch {
	case ref == (lineRef{}):
		return nil, core.Refused("Say which line of order %s is meant.", o.orderID).WithHint("order.get shows the lines.")
	case len(all) == 0:
		return nil, core.Refused("%s is not in order %s.", cmp.Or(ref.LineID, ref.VariantID), o.orderID).
			WithHint("order.get shows the lines.")
	case len(all) == 1:
		return all[0], nil
	}
	var options []bus.Option
	var words []string
	for _, l := range all {
		what := fmt.Sprintf("%d × %s", l.quantity, l.fullName())
		options, words = append(options, bus.Option{Value: l.id, Title: what}), append(words, l.id+": "+what)
	}
	return nil, core.Refused("%d lines of %s are in order %s: %s.", len(all), all[0].fullName(), o.orderID,
		strings.Join(words, "; ")).WithHint("Name the line.").WithChoice("lineId", options...)
}

// add puts a line at the end of the order and returns its index.
func (o *orderLines) add(l keptLine) int {
	l.line = 1
	if n := len(o.lines); n > 0 {
		l.line = o.lines[n-1].line + 1
	}
	l.id, l.taken = core.FreeID(l.id, func(id string) bool {
		return slices.ContainsFunc(o.lines, func(has keptLine) bool { return has.id == id })
	}), true
	o.lines = append(o.lines, l)
	return len(o.lines) - 1
}

// take selects n matching pieces that the customer has and marks them as used. It returns the indexes of the lines that
// hold exactly these pieces and splits the last line if necessary. The caller must check that there are n pieces.
func (o *orderLines) take(ref lineRef, n int64) []int {
	var taken []int
	for i := 0; i < len(o.lines) && n > 0; i++ {
		l := &o.lines[i]
		if !ref.holds(l) || !l.free() {
			continue
		}
		if l.quantity > n {
			return append(taken, o.add(l.split(l.quantity-n)))
		}
		l.taken = true
		taken = append(taken, i)
		n -= l.quantity
	}
	return taken
}

// split keeps n pieces in the line and returns a line with the rest. It divides discount and taxes in proportion,
// rounding half up.
func (l *keptLine) split(n int64) keptLine {
	rest := *l
	rest.quantity -= n
	l.discount, l.tax = core.Share(l.discount, n, l.quantity), core.Share(l.tax, n, l.quantity)
	l.discountTax, l.amount = core.Share(l.discountTax, n, l.quantity), core.Share(l.amount, n, l.quantity)
	l.quantity, l.total = n, l.price*n
	rest.discount, rest.tax, rest.total = rest.discount-l.discount, rest.tax-l.tax, rest.price*rest.quantity
	rest.discountTax, rest.amount = rest.discountTax-l.discountTax, rest.amount-l.amount
	return rest
}

// replace gives a line another variant and price.
func (o *orderLines) replace(i int, v *catalog.Variant, price, ratePPM int64) {
	l := &o.lines[i]
	l.variantID, l.sku, l.name, l.label, l.price, l.total = v.ID, v.SKU, v.ProductName, v.Label, price, price*l.quantity
	l.productID, l.ratePPM, l.discount, l.tax = v.ProductID, ratePPM, 0, -1
}

// reprice computes discounts and tax again after a change of lines. A percentage applies to the new price. A fixed
// amount stays, less the share of returned lines. An unchanged line with an unchanged discount keeps its tax.
func (o *orderLines) reprice() {
	amount := o.amount
	var at []int
	var priced []core.PricedLine
	for i := range o.lines {
		l := &o.lines[i]
		own := min(l.amount, l.total)
		if l.percent > 0 {
			own = core.Share(l.total, l.percent, 100)
		}
		switch {
		case l.gone:
		case l.returnedBy != "" && o.amount > 0:
			amount -= l.discount - own
		case l.returnedBy != "":
		default:
			at = append(at, i)
			priced = append(priced, core.PricedLine{Price: l.price, Quantity: l.quantity, RatePPM: l.ratePPM, Discount: own})
		}
	}
	for n, sum := range core.SumUp(priced, o.percent, max(amount, 0), core.Shipping{}, o.included).Lines {
		l := &o.lines[at[n]]
		if l.tax < 0 || l.total != sum.Total || l.discount != sum.Discount {
			l.total, l.discount, l.discountTax, l.tax = sum.Total, sum.Discount, sum.DiscountTax, sum.Tax
		}
	}
}

// save writes the changed lines and the new sums of the order.
func (o *orderLines) save(ctx context.Context) error {
	for i := range o.lines {
		l := &o.lines[i]
		l.taken = false
		if i < len(o.stored) && o.stored[i] == *l {
			continue
		}
		if l.gone {
			if err := core.Exec(ctx, `DELETE FROM order_lines WHERE order_id = ? AND line = ?`, o.orderID,
				l.line); err != nil {
				return err
			}
			continue
		}
		args := []any{l.productID, l.variantID, l.sku, l.name, l.label, l.quantity, l.price, l.discount, l.tax, l.total,
			l.returnedBy, l.ratePPM, l.reason, l.note, l.discountTax, l.id, l.percent, l.amount, o.orderID, l.line}
		stmt := `UPDATE order_lines SET product_id = ?, variant_id = ?, sku = ?, name = ?, label = ?, quantity = ?, price = ?,
			discount = ?, tax = ?, total = ?, returned_by = ?, rate_ppm = ?, discount_reason = ?, note = ?,
			discount_tax = ?, id = ?, discount_percent = ?, discount_amount = ? WHERE order_id = ? AND line = ?`
		if i >= len(o.stored) {
			stmt = core.InsertInto(`order_lines (product_id, variant_id, sku, name, label, quantity, price, discount, tax,
				total, returned_by, rate_ppm, discount_reason, note, discount_tax, id, discount_percent, discount_amount,
				order_id, line)`, len(args))
		}
		if err := core.Exec(ctx, stmt, args...); err != nil {
			return err
		}
	}
	o.lines = slices.DeleteFunc(o.lines, func(l keptLine) bool { return l.gone })
	o.stored = slices.Clone(o.lines)
	return o.saveSums(ctx)
}

func (o *orderLines) saveSums(ctx context.Context) error {
	var subtotal, discount, discountTax, tax int64
	for i := range o.lines {
		l := &o.lines[i]
		subtotal, discount, tax = subtotal+l.total, discount+l.discount, tax+l.tax
		discountTax += l.discountTax
	}
	if err := core.Exec(ctx, `UPDATE orders SET subtotal = ?1, discount = ?2, tax = ?3 + shipping_tax,
		total = ?1 - ?2 + shipping + (1 - tax_included) * (?3 + shipping_tax), discount_tax = ?4 WHERE id = ?5`,
		subtotal, discount, tax, discountTax, o.orderID); err != nil {
		return err
	}
	return core.RefoldOrder(ctx, o.orderID)
}
