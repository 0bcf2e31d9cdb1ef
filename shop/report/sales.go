package report

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// SalesIn selects the days and the grouping of a report of sales.
type SalesIn struct {
	core.Days
	By      string `json:"by,omitempty" enum:"day,week,month,person,fulfilment,taxRate" jsonschema_extras:"default=day"`
	Compare string `json:"compare,omitempty" jsonschema:"enum=before,enum=year"`
}

// takings holds the amounts of orders. Net sales are gross sales less discounts and returns. Total sales are net sales
// plus shipping and tax.
type takings struct {
	Title string `json:"title" doc:"When and how much, in short."`
	amounts
}

type amounts struct {
	Orders     int64      `json:"orders" doc:"Placed less cancelled, each on its day."`
	GrossSales core.Money `json:"grossSales" doc:"Price × quantity, without tax, less cancelled orders."`
	Discounts  core.Money `json:"discounts" doc:"Without tax."`
	Returns    core.Money `json:"returns" doc:"Goods that came back in this time; the orders may be older."`
	NetSales   core.Money `json:"netSales" doc:"Gross sales less discounts and returns."`
	Shipping   core.Money `json:"shipping" doc:"Without tax."`
	Tax        core.Money `json:"tax" doc:"Less the tax of returns."`
	TotalSales core.Money `json:"totalSales" doc:"Net sales with shipping and tax: what was paid and not refunded."`
}

type salesRow struct {
	Period string `json:"period"`
	Value  string `json:"value,omitempty"`
	From   string `json:"from" jsonschema:"format=date"`
	To     string `json:"to" jsonschema:"format=date"`
	takings
	beside
}

// beside compares a row with the same row in the other period.
type beside struct {
	Before     *core.Money `json:"before,omitempty" doc:"Of its counterpart in the other time; absent: it has none."`
	Difference *core.Money `json:"difference,omitempty" doc:"What the row has more; negative: less."`
}

func besideOf(s *core.Shop, now, before int64) beside {
	was, more := s.Money(before), s.Money(now-before)
	return beside{&was, &more}
}

// earlier defines the period for comparison: the same days a year before, or the same number of days before.
type earlier struct {
	with string
	days int
}

func (e earlier) than(s *core.Shop, p span) span {
	if e.with == "year" {
		return whole(s, aYearBefore(p.from), aYearBefore(p.to))
	}
	return whole(s, p.from.AddDate(0, 0, -e.days), p.to.AddDate(0, 0, -e.days))
}

func comparing(p span, with string) earlier {
	return earlier{with, int(p.to.Sub(p.from).Hours()/24) + 1}
}

type salesOut struct {
	From   string     `json:"from" jsonschema:"format=date"`
	To     string     `json:"to" jsonschema:"format=date"`
	By     string     `json:"by" jsonschema:"enum=day,enum=week,enum=month,enum=person,enum=fulfilment,enum=taxRate"`
	Totals takings    `json:"totals"`
	Taxes  []taxRow   `json:"taxes" doc:"The tax of the totals by its rate, the highest first."`
	Before *compared  `json:"before,omitempty"`
	Rows   []salesRow `json:"rows"`
}

type taxRow struct {
	RatePPM  int64      `json:"ratePpm" doc:"Parts per million: 80000 is 8 %."`
	Rate     string     `json:"rate" doc:"8 %"`
	NetSales core.Money `json:"netSales" doc:"What the tax is on, shipping too."`
	Tax      core.Money `json:"tax"`
}

// compared holds the totals of the other period and the difference.
type compared struct {
	From       string  `json:"from" jsonschema:"format=date"`
	To         string  `json:"to" jsonschema:"format=date"`
	Totals     takings `json:"totals"`
	Difference amounts `json:"difference" doc:"What the days of the report have more; negative: less."`
}

// Sales reports the sales of a range of days.
func Sales(ctx context.Context, s *core.Shop, call *bus.Call, in SalesIn) (out salesOut, err error) {
	out = salesOut{By: in.By}
	p, err := reported(s, call, in.Days, &out.From, &out.To)
	if err != nil {
		return out, err
	}
	var all sold
	other := comparing(p, in.Compare)
	if group, ok := groups[in.By]; ok {
		all, out.Rows, err = group.rows(ctx, s, p)
		if err == nil && in.Compare != "" {
			out.Rows, err = group.beside(ctx, s, p, other.than(s, p), out.Rows)
		}
	} else {
		all, out.Rows, err = byTime(ctx, s, p.from, p.to, in.By, other)
	}
	if err != nil {
		return out, err
	}
	out.Totals = takingsOf(s, all, p.words())
	if out.Taxes, err = taxes(ctx, s, p); err != nil || in.Compare == "" {
		return out, err
	}
	out.Before, err = compare(ctx, s, other.than(s, p), all)
	return out, err
}

// byTime returns the sales of each day, week or month, oldest first.
func byTime(ctx context.Context, s *core.Shop, from, to time.Time, by string, other earlier) (all sold, rows []salesRow,
	err error) {
	spans, err := spans(s, from, to, by)
	if err != nil {
		return all, nil, err
	}
	sums, err := takenIn(ctx, spans...)
	if err != nil {
		return all, nil, err
	}
	rows = make([]salesRow, len(spans))
	others := make([]span, len(spans))
	for i, p := range spans {
		all.add(sums[i])
		rows[i] = salesRow{Period: p.name, From: core.ISODay(p.from), To: core.ISODay(p.to),
			takings: takingsOf(s, sums[i], p.words())}
		others[i] = other.than(s, p)
	}
	if other.with == "" {
		return all, rows, nil
	}
	were, err := takenIn(ctx, others...)
	for i, was := range were {
		rows[i].beside = besideOf(s, sums[i].Total, was.Total)
	}
	return all, rows, err
}

// compare reads the other period and computes the difference.
func compare(ctx context.Context, s *core.Shop, before span, now sold) (*compared, error) {
	taken, err := takenIn(ctx, before)
	if err != nil {
		return nil, err
	}
	was := taken[0]
	out := &compared{From: core.ISODay(before.from), To: core.ISODay(before.to),
		Totals: takingsOf(s, was, before.words())}
	now.add(was.negative())
	out.Difference = amountsOf(s, now)
	return out, nil
}

// aYearBefore returns the same day of the previous year; 29 February becomes 28 February.
func aYearBefore(day time.Time) time.Time {
	was := core.Date(day.Year()-1, day.Month(), day.Day())
	if was.Month() != day.Month() {
		return was.AddDate(0, 0, -was.Day())
	}
	return was
}

// sold holds the amounts of orders less returns, in minor units. Discount and shipping are without tax.
type sold struct {
	orders int64
	core.Sums
	returns int64 // without tax
}

func (a *sold) add(b sold) {
	a.orders += b.orders
	a.Subtotal, a.Discount, a.Tax = a.Subtotal+b.Subtotal, a.Discount+b.Discount, a.Tax+b.Tax
	a.Shipping, a.Total, a.returns = a.Shipping+b.Shipping, a.Total+b.Total, a.returns+b.returns
}

func (a sold) negative() sold {
	return sold{-a.orders, core.Sums{Subtotal: -a.Subtotal, Discount: -a.Discount, Tax: -a.Tax, Shipping: -a.Shipping,
		Total: -a.Total}, -a.returns}
}

func takingsOf(s *core.Shop, a sold, when string) takings {
	orders := "no orders"
	switch {
	case a.orders == 1:
		orders = "1 order"
	case a.orders > 1:
		orders = fmt.Sprintf("%d orders", a.orders)
	}
	return takings{fmt.Sprintf("%s: %s, %s in total sales", when, orders, s.Text(a.Total)), amountsOf(s, a)}
}

func amountsOf(s *core.Shop, a sold) amounts {
	net := a.Total - a.Shipping - a.Tax
	return amounts{a.orders, s.Money(net + a.returns + a.Discount), s.Money(a.Discount), s.Money(a.returns), s.Money(net),
		s.Money(a.Shipping), s.Money(a.Tax), s.Money(a.Total)}
}

// takenIn returns the sales of each span, including its changes and less its returns. Spans must be in the order of
// their ends.
func takenIn(ctx context.Context, spans ...span) ([]sold, error) {
	sums := make([]sold, len(spans))
	for i, p := range spans {
		var err error
		if sums[i], err = soldIn(ctx, p); err != nil {
			return nil, err
		}
	}
	addAt := func(at int64, s sold) {
		for i := spanOf(spans, at); i < len(spans) && spans[i].start <= at; i++ {
			sums[i].add(s)
		}
	}
	start, end := spans[0].start, spans[len(spans)-1].end
	if _, err := core.List(ctx, func(r core.Row) (none struct{}, err error) {
		var at, value, tax int64
		err = r.Scan(&at, &value, &tax)
		addAt(at, returned(value, tax))
		return none, err
	}, `SELECT max(q.requested_at, q.received_at), `+returnedValue+`, l.tax FROM `+cameBack, start, end); err != nil {
		return nil, err
	}
	_, err := core.List(ctx, func(r core.Row) (none struct{}, err error) {
		var at, soldAt int64
		var value string
		var s sold
		err = r.Scan(&at, &soldAt, &value, &s.orders, &s.Subtotal, &s.Discount, &s.Tax, &s.Shipping, &s.Total)
		addAt(at, s)
		addAt(soldAt, s.negative())
		return none, err
	}, group{now: `''`}.changes(), start, end)
	return sums, err
}

// soldIn adds up the orders placed in a span. It reads the sums of whole hours, and single orders only in a zone whose
// days begin within an hour.
func soldIn(ctx context.Context, p span) (sold, error) {
	first, last := p.hours()
	all, err := soldOf(ctx, `SELECT SUM(orders), SUM(subtotal), SUM(discount), SUM(tax), SUM(shipping), SUM(total)
		FROM derived_hours WHERE hour >= ? AND hour < ?`, first, last)
	if err != nil || p.start == first*hour && p.end == last*hour {
		return all, err
	}
	beside, err := soldOf(ctx, `SELECT COUNT(*), SUM(subtotal), SUM(discount - discount_tax), SUM(tax),
		SUM(shipping - tax_included * shipping_tax), SUM(total)
		FROM orders o WHERE `+besideHours, p.start, p.end, first, last)
	all.add(beside)
	return all, err
}

func soldOf(ctx context.Context, query string, args ...any) (sold, error) {
	a, _, err := core.Find(ctx, func(r core.Row) (sold, error) {
		var n [6]sql.NullInt64 // a sum without rows is NULL
		err := r.Scan(&n[0], &n[1], &n[2], &n[3], &n[4], &n[5])
		return sold{n[0].Int64, core.Sums{Subtotal: n[1].Int64, Discount: n[2].Int64, Tax: n[3].Int64, Shipping: n[4].Int64,
			Total: n[5].Int64}, 0}, err
	}, query, args...)
	return a, err
}

// returned returns the sales that a return subtracts. value is without tax.
func returned(value, tax int64) sold {
	return sold{returns: value, Sums: core.Sums{Tax: -tax, Total: -value - tax}}
}

// returnedValue is the value of a line without tax, in SQL.
const returnedValue = `l.total - l.discount - CASE o.tax_included WHEN 1 THEN l.tax ELSE 0 END`

// cameBack selects the lines returned between ?1 and ?2, by the time that the return was recorded. It omits refunds for
// other changes of an order, because the order's sums include them. An imported file may contain a return without a
// time of receipt; then the time of the request counts.
const cameBack = `order_requests q JOIN orders o ON o.id = q.order_id JOIN order_lines l ON l.order_id = q.order_id
	AND l.returned_by = q.id
	WHERE max(q.requested_at, q.received_at) >= ?1 AND max(q.requested_at, q.received_at) < ?2`
