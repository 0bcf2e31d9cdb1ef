package order

import (
	"context"
	"slices"

	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// keptLine is a line of an order as the table has it.
type keptLine struct {
	line                                   int64
	productID, variantID, sku, name, label string
	quantity, price, discount, tax, total  int64
	discountTax                            int64  // as core.DiscountTax gives it
	ratePPM                                int64  // of the tax
	returnedBy                             string // "": the customer has it
	reason, note                           string // of its discount, and beside it
	taken                                  bool   // by the change being made
}

// orderLines are the lines of one order while they are changed. A line is either with the customer or came back, as a
// whole: when only a part of it comes back or is exchanged it is split first, to the last minor unit.
type orderLines struct {
	orderID  string
	included bool // prices include tax
	lines    []keptLine
	stored   []keptLine // as the table has them
}

func loadOrderLines(ctx context.Context, orderID string) (*orderLines, error) {
	o := &orderLines{orderID: orderID}
	included, _, err := core.Find(ctx, core.ScanInt, `SELECT tax_included FROM orders WHERE id = ?`, orderID)
	if err != nil {
		return nil, err
	}
	o.included = included == 1
	o.lines, err = core.List(ctx, func(r core.Row) (l keptLine, err error) {
		return l, r.Scan(&l.line, &l.productID, &l.variantID, &l.sku, &l.name, &l.label, &l.quantity, &l.price, &l.discount,
			&l.tax, &l.total, &l.returnedBy, &l.ratePPM, &l.reason, &l.note, &l.discountTax)
	}, `SELECT line, product_id, variant_id, sku, name, label, quantity, price, discount, tax, total, returned_by,
		rate_ppm, discount_reason, note, discount_tax FROM order_lines WHERE order_id = ? ORDER BY line`, orderID)
	o.stored = slices.Clone(o.lines)
	return o, err
}

// value is the amount that the customer pays for a line.
func (o *orderLines) value(l *keptLine) int64 {
	if o.included {
		return l.total - l.discount
	}
	return l.total - l.discount + l.tax
}

// pieces are how many of a variant the customer has that are not taken yet.
func (o *orderLines) pieces(variantID string) int64 {
	var n int64
	for i := range o.lines {
		if l := &o.lines[i]; l.variantID == variantID && l.free() {
			n += l.quantity
		}
	}
	return n
}

func (l *keptLine) free() bool { return l.returnedBy == "" && !l.taken }

// take finds n pieces of a variant that the customer has, not taken yet, and returns the indexes of lines that hold
// exactly these, splitting the last one if need be. There must be as many.
func (o *orderLines) take(variantID string, n int64) []int {
	var taken []int
	for i := 0; i < len(o.lines) && n > 0; i++ {
		l := &o.lines[i]
		if l.variantID != variantID || !l.free() {
			continue
		}
		if l.quantity > n {
			part := l.split(l.quantity - n)
			part.line, part.taken = o.lines[len(o.lines)-1].line+1, true
			o.lines = append(o.lines, part)
			return append(taken, len(o.lines)-1)
		}
		l.taken = true
		taken = append(taken, i)
		n -= l.quantity
	}
	return taken
}

// split leaves n pieces in the line and returns the rest of it. Discount and taxes are shared in proportion, half up.
func (l *keptLine) split(n int64) keptLine {
	rest := *l
	rest.quantity -= n
	l.discount, l.tax = core.Share(l.discount, n, l.quantity), core.Share(l.tax, n, l.quantity)
	l.discountTax = core.Share(l.discountTax, n, l.quantity)
	l.quantity, l.total = n, l.price*n
	rest.discount, rest.tax, rest.total = rest.discount-l.discount, rest.tax-l.tax, rest.price*rest.quantity
	rest.discountTax -= l.discountTax
	return rest
}

// replace makes a line one of another variant at a price. A discount stays the same part of the price as it was.
func (o *orderLines) replace(i int, v *catalog.Variant, price, ratePPM int64) {
	l := &o.lines[i]
	was := *l
	l.variantID, l.sku, l.name, l.label, l.price, l.total = v.ID, v.SKU, v.ProductName, v.Label, price, price*l.quantity
	l.discount = 0
	if was.total > 0 {
		l.discount = core.Share(was.discount, l.total, was.total)
	}
	l.tax, l.ratePPM = core.TaxOf(l.total-l.discount, ratePPM, o.included), ratePPM
	l.discountTax = core.DiscountTax(l.total, l.discount, l.tax, ratePPM, o.included)
}

// save writes the lines that differ, and what the order comes to now.
func (o *orderLines) save(ctx context.Context) error {
	for i := range o.lines {
		l := &o.lines[i]
		l.taken = false
		if i < len(o.stored) && o.stored[i] == *l {
			continue
		}
		args := []any{l.productID, l.variantID, l.sku, l.name, l.label, l.quantity, l.price, l.discount, l.tax, l.total,
			l.returnedBy, l.ratePPM, l.reason, l.note, l.discountTax, o.orderID, l.line}
		stmt := `UPDATE order_lines SET product_id = ?, variant_id = ?, sku = ?, name = ?, label = ?, quantity = ?, price = ?,
			discount = ?, tax = ?, total = ?, returned_by = ?, rate_ppm = ?, discount_reason = ?, note = ?,
			discount_tax = ? WHERE order_id = ? AND line = ?`
		if i >= len(o.stored) {
			stmt = core.InsertInto(`order_lines (product_id, variant_id, sku, name, label, quantity, price, discount, tax,
				total, returned_by, rate_ppm, discount_reason, note, discount_tax, order_id, line)`, len(args))
		}
		if err := core.Exec(ctx, stmt, args...); err != nil {
			return err
		}
	}
	o.stored = slices.Clone(o.lines)
	return o.saveSums(ctx)
}

func (o *orderLines) saveSums(ctx context.Context) error {
	var subtotal, discount, discountTax, tax, added int64
	for i := range o.lines {
		l := &o.lines[i]
		subtotal, discount, tax = subtotal+l.total, discount+l.discount, tax+l.tax
		discountTax += l.discountTax
	}
	if !o.included {
		added = tax
	}
	if err := core.Exec(ctx, `UPDATE orders SET subtotal = ?1, discount = ?2, tax = ?3, total = ?1 - ?2 + shipping + ?4,
		discount_tax = ?5 WHERE id = ?6`,
		subtotal, discount, tax, added, discountTax, o.orderID); err != nil {
		return err
	}
	return core.RefoldOrder(ctx, o.orderID)
}
