// Package book keeps the book of receipts, which is append-only. Each sale writes a receipt, and so does each later
// change of the total, the tax or the payments of an order.
package book

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// Receipt is an entry of the book. Its amounts are the changes by one call; amounts of returned goods are negative.
type Receipt struct {
	Number, OrderID, RefersTo, Desk, Cashier string

	cause string // sale, change, cancellation or return

	At       int64
	Included bool // prices include tax
	Lines    []Line
	Rates    []Rate
	Payments []Payment

	Total, Shipping, Rounding int64
	// Sales and Returns are the increases and the decreases within the total.
	Sales, Returns int64
}

// Line is a line of an order, or the amounts by which a line changed.
type Line struct {
	ID, VariantID, SKU, Name, Label string

	Quantity, Price, RatePPM, Total, Discount, DiscountTax, Tax int64
}

// Rate is net and tax at one rate.
type Rate = core.RateSum

// Payment is a payment, or a refund when the amount is negative.
type Payment struct {
	MethodID, Kind, Label string

	Amount, Tendered int64

	id       string
	rounding int64 // rounding of cash
}

// State holds the lines, shipping and payments of an order at one moment.
type State struct {
	refersTo string
	returned int64  // number of returned lines
	lines    []Line // lines that the customer has
	shipping []Rate
	payments []Payment

	placed, included, cancelled bool
}

// Of returns the state of an order.
func Of(ctx context.Context, orderID string) (s State, err error) {
	s.placed = true
	if _, _, err = core.Find(ctx, func(r core.Row) (struct{}, error) {
		return struct{}{}, r.Scan(&s.included, &s.cancelled, &s.refersTo, &s.returned)
	}, `SELECT o.tax_included, o.status = 'cancelled', COALESCE((SELECT number FROM receipts r WHERE r.order_id = o.id
		AND r.at = o.placed_at AND r.refers_to = '' AND r.returns = 0 ORDER BY series_year, count LIMIT 1), ''),
		(SELECT COUNT(*) FROM order_lines WHERE order_id = o.id AND returned_by <> '')
		FROM orders o WHERE o.id = ?`, orderID); err != nil {
		return s, err
	}
	if s.payments, err = core.List(ctx, func(r core.Row) (p Payment, err error) {
		return p, r.Scan(&p.id, &p.MethodID, &p.Kind, &p.Label, &p.Amount, &p.rounding, &p.Tendered)
	}, `SELECT p.id, p.method_id, m.method, p.label, m.paid - m.refunded,
		CASE kind WHEN 'refund' THEN -rounding ELSE rounding END, p.tendered
		FROM payments p JOIN derived_paid m ON m.id = p.id WHERE p.order_id = ? ORDER BY p.at, p.rowid`,
		orderID); err != nil || s.cancelled {
		return s, err
	}
	if s.shipping, err = core.Rates(ctx, orderID, false, true); err != nil {
		return s, err
	}
	s.lines, err = core.List(ctx, scanLine, `SELECT id, variant_id, sku, name, label, quantity, price, rate_ppm,
		total, discount, discount_tax, tax FROM order_lines WHERE order_id = ? AND returned_by = '' ORDER BY line`, orderID)
	return s, err
}

func scanLine(r core.Row) (l Line, err error) {
	return l, r.Scan(&l.ID, &l.VariantID, &l.SKU, &l.Name, &l.Label, &l.Quantity, &l.Price, &l.RatePPM, &l.Total,
		&l.Discount, &l.DiscountTax, &l.Tax)
}

// Write writes the receipt of the changes that a call made to an order, and returns its number. It returns "" if
// neither money nor tax changed, or if the shop issues no numbers.
func Write(ctx context.Context, s *core.Shop, call *bus.Call, orderID string, was State) (string, error) {
	is, err := Of(ctx, orderID)
	if err != nil {
		return "", err
	}
	e := Receipt{OrderID: orderID, RefersTo: was.refersTo, Included: is.included, Lines: differences(was.lines, is.lines),
		cause: causeOf(was, is)}
	for i := range e.Lines {
		l := &e.Lines[i]
		value := l.Value(e.Included)
		e.add(l.RatePPM, value-l.Tax, l.Tax)
		e.count(value)
	}
	for sign, rates := range map[int64][]Rate{-1: was.shipping, 1: is.shipping} {
		for _, r := range rates {
			e.add(r.RatePPM, sign*r.Net, sign*r.Tax)
			e.Shipping += sign * (r.Net + r.Tax)
		}
	}
	e.count(e.Shipping)
	for _, p := range is.payments {
		if !slices.ContainsFunc(was.payments, func(before Payment) bool { return before.id == p.id }) {
			e.Payments = append(e.Payments, p)
			e.Rounding += p.rounding
		}
	}
	if len(e.Lines) == 0 && len(e.Rates) == 0 && len(e.Payments) == 0 {
		return "", nil
	}
	err = e.write(ctx, s, call)
	return e.Number, err
}

// causeOf returns the cause of a receipt. Reports count a return separately, and a change with the sale until its
// receipt.
func causeOf(was, is State) string {
	switch {
	case !was.placed:
		return "sale"
	case is.cancelled && !was.cancelled:
		return "cancellation"
	case is.returned > was.returned:
		return "return"
	}
	return "change"
}

// add adds to the sums of a rate, highest rate first. It omits sums of 0.
func (e *Receipt) add(rate, net, tax int64) {
	i := slices.IndexFunc(e.Rates, func(r Rate) bool { return r.RatePPM <= rate })
	if i < 0 {
		i = len(e.Rates)
	}
	if i == len(e.Rates) || e.Rates[i].RatePPM != rate {
		e.Rates = slices.Insert(e.Rates, i, Rate{RatePPM: rate})
	}
	r := &e.Rates[i]
	if r.Net, r.Tax = r.Net+net, r.Tax+tax; r.Net == 0 && r.Tax == 0 {
		e.Rates = slices.Delete(e.Rates, i, i+1)
	}
}

// count adds to the total, and to the increases or decreases.
func (e *Receipt) count(value int64) {
	e.Total += value
	e.Sales, e.Returns = e.Sales+max(value, 0), e.Returns+max(-value, 0)
}

// Value returns the price of a line for the customer, including tax.
func (l *Line) Value(included bool) int64 {
	if included {
		return l.Total - l.Discount
	}
	return l.Total - l.Discount + l.Tax
}

// differences returns the lines with the added and removed amounts. A line with the same price and rate is one line.
func differences(was, is []Line) (all []Line) {
	rest := slices.Clone(is)
	for _, l := range was {
		l.Quantity, l.Total, l.Discount, l.DiscountTax, l.Tax = -l.Quantity, -l.Total, -l.Discount, -l.DiscountTax, -l.Tax
		i := slices.IndexFunc(rest, func(r Line) bool { return r.ID == l.ID && r.VariantID == l.VariantID })
		if i >= 0 && rest[i].Price == l.Price && rest[i].RatePPM == l.RatePPM {
			r := rest[i]
			l.Quantity, l.Total, l.Tax = l.Quantity+r.Quantity, l.Total+r.Total, l.Tax+r.Tax
			l.Discount, l.DiscountTax = l.Discount+r.Discount, l.DiscountTax+r.DiscountTax
			rest = slices.Delete(rest, i, i+1)
		}
		all = append(all, l)
	}
	return slices.DeleteFunc(append(all, rest...), func(l Line) bool {
		return l.Quantity == 0 && l.Total == 0 && l.Discount == 0 && l.Tax == 0
	})
}

// write adds a receipt to the book with the next number of the year in the shop's time zone.
func (e *Receipt) write(ctx context.Context, s *core.Shop, call *bus.Call) error {
	year := call.Now.In(s.Zone()).Year()
	count, err := call.Next(Series(year))
	if err != nil || count == 0 {
		return err
	}
	follows, _, err := core.Find(ctx, core.ScanInt, `SELECT COALESCE(MAX(count), 0) FROM receipts WHERE series_year = ?`,
		year)
	if err != nil {
		return err
	}
	e.Number = fmt.Sprintf("%04d-%06d", year, count)
	if err := core.Insert(ctx, `receipts (number, series_year, count, follows, order_id, refers_to, desk, cashier, at,
		tax_included, total, shipping, rounding, sales, returns, cause)`, e.Number, year, count, follows, e.OrderID,
		e.RefersTo, core.Desk(call.Person), call.Person.ID, call.Now.UnixMilli(), core.Bit(e.Included), e.Total, e.Shipping,
		e.Rounding, e.Sales, e.Returns, e.cause); err != nil {
		return err
	}
	for i, l := range e.Lines {
		if err := core.Insert(ctx, `receipt_lines (number, line, line_id, variant_id, sku, name, label, quantity, price,
			rate_ppm, total, discount, discount_tax, tax)`, e.Number, i+1, l.ID, l.VariantID, l.SKU, l.Name, l.Label, l.Quantity,
			l.Price, l.RatePPM, l.Total, l.Discount, l.DiscountTax, l.Tax); err != nil {
			return err
		}
	}
	for _, r := range e.Rates {
		if err := core.Insert(ctx, `receipt_rates (number, rate_ppm, net, tax)`, e.Number, r.RatePPM, r.Net,
			r.Tax); err != nil {
			return err
		}
	}
	for i, p := range e.Payments {
		if err := core.Insert(ctx, `receipt_payments (number, position, method_id, kind, label, amount, tendered)`, e.Number,
			i+1, p.MethodID, p.Kind, p.Label, p.Amount, p.Tendered); err != nil {
			return err
		}
	}
	return nil
}

// Series returns the name of the number series of a year.
func Series(year int) string { return fmt.Sprintf("receipts %d", year) }

// GivenTwice reports whether numbers may be duplicates since a time: a copy was restored, and the numbers issued after
// the copy were lost. search searches the log.
func GivenTwice(ctx context.Context, search func(context.Context, audit.Query) (audit.Page, error), since int64) (bool,
	error) {
	page, err := search(ctx, audit.Query{Capability: "shop.restore", Status: bus.StatusSuccess, Since: since})
	for _, r := range page.Records {
		var out struct {
			Known *bool `json:"numbersKnown"`
		}
		if err == nil && !r.DryRun && json.Unmarshal(r.Data, &out) == nil && out.Known != nil && !*out.Known {
			return true, nil
		}
	}
	return false, err
}
