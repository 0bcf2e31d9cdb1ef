package report

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type SalesIn struct {
	Days
	By string `json:"by,omitempty" jsonschema:"enum=day,enum=week,enum=month,default=day"`
}

// takings are the amounts of orders. Gross sales less discounts and returns are net
// sales; with shipping and tax they are total sales.
type takings struct {
	Title      string     `json:"title" doc:"When and how much, in short."`
	Orders     int64      `json:"orders" doc:"Placed and not cancelled."`
	GrossSales core.Money `json:"grossSales" doc:"Price × quantity, less the tax that is in it."`
	Discounts  core.Money `json:"discounts"`
	Returns    core.Money `json:"returns" doc:"Goods that came back in this time; the orders may be older."`
	NetSales   core.Money `json:"netSales" doc:"Gross sales less discounts and returns."`
	Shipping   core.Money `json:"shipping"`
	Tax        core.Money `json:"tax" doc:"Less the tax of returns."`
	TotalSales core.Money `json:"totalSales" doc:"Net sales with shipping and tax: what was paid and not refunded."`
}

type salesRow struct {
	Period string `json:"period" doc:"2026-03-12, 2026-W11 or 2026-03."`
	From   string `json:"from" jsonschema:"format=date"`
	To     string `json:"to" jsonschema:"format=date"`
	takings
}

type salesOut struct {
	From   string     `json:"from" jsonschema:"format=date"`
	To     string     `json:"to" jsonschema:"format=date"`
	By     string     `json:"by" jsonschema:"enum=day,enum=week,enum=month"`
	Totals takings    `json:"totals"`
	Rows   []salesRow `json:"rows" doc:"Oldest first; a time in which nothing happened has its row too."`
}

func Sales(ctx context.Context, s *core.Shop, call *bus.Call, in SalesIn) (out salesOut, err error) {
	out = salesOut{By: in.By}
	from, to, err := in.Within(s.Today(call.Now))
	if err != nil {
		return out, err
	}
	spans, err := spans(s, from, to, in.By)
	if err != nil {
		return out, err
	}
	back, err := returnsIn(ctx, spans)
	if err != nil {
		return out, err
	}
	out.From, out.To, out.Rows = core.ISODay(from), core.ISODay(to), make([]salesRow, len(spans))
	var all sold
	for i, p := range spans {
		one, err := soldIn(ctx, p)
		if err != nil {
			return out, err
		}
		one.add(back[i])
		all.add(one)
		out.Rows[i] = salesRow{p.name, core.ISODay(p.from), core.ISODay(p.to), takingsOf(s, one, p.words())}
	}
	out.Totals = takingsOf(s, all, span{from: from, to: to}.words())
	return out, nil
}

// sold is the amounts of orders less what came back, in minor units.
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

func takingsOf(s *core.Shop, a sold, when string) takings {
	net, total := a.Total-a.Shipping-a.Tax, s.Money(a.Total)
	orders := "no orders"
	switch {
	case a.orders == 1:
		orders = "1 order"
	case a.orders > 1:
		orders = fmt.Sprintf("%d orders", a.orders)
	}
	return takings{fmt.Sprintf("%s: %s, %s in total sales", when, orders, total.Text), a.orders,
		s.Money(net + a.returns + a.Discount), s.Money(a.Discount), s.Money(a.returns), s.Money(net), s.Money(a.Shipping),
		s.Money(a.Tax), total}
}

// soldIn adds up the orders placed in a span. Whole hours are added up already,
// which leaves an order or two where a zone's days begin within one.
func soldIn(ctx context.Context, p span) (sold, error) {
	first, last := p.hours()
	all, err := soldOf(ctx, `SELECT SUM(orders), SUM(subtotal), SUM(discount), SUM(tax), SUM(shipping), SUM(total)
		FROM derived_hours WHERE hour >= ? AND hour < ?`, first, last)
	if err != nil || p.start == first*hour && p.end == last*hour {
		return all, err
	}
	beside, err := soldOf(ctx, `SELECT COUNT(*), SUM(subtotal), SUM(discount), SUM(tax), SUM(shipping), SUM(total)
		FROM orders o WHERE `+besideHours, p.start, p.end, first, last)
	all.add(beside)
	return all, err
}

func soldOf(ctx context.Context, query string, args ...any) (sold, error) {
	a, _, err := core.Find(ctx, func(r core.Row) (sold, error) {
		var n [6]sql.NullInt64 // sums of nothing
		err := r.Scan(&n[0], &n[1], &n[2], &n[3], &n[4], &n[5])
		return sold{n[0].Int64, core.Sums{Subtotal: n[1].Int64, Discount: n[2].Int64, Tax: n[3].Int64, Shipping: n[4].Int64,
			Total: n[5].Int64}, 0}, err
	}, query, args...)
	return a, err
}

// returnsIn is what came back in each span, and what was refunded for it. A refund that came with another change of an
// order is not one of them: the order's sums, or the payment that took its place, have it already.
func returnsIn(ctx context.Context, spans []span) ([]sold, error) {
	back := make([]sold, len(spans))
	_, err := core.List(ctx, func(r core.Row) (struct{}, error) {
		var at, value, tax int64
		err := r.Scan(&at, &value, &tax)
		if err == nil {
			back[spanOf(spans, at)].add(sold{returns: value, Sums: core.Sums{Tax: -tax, Total: -value - tax}})
		}
		return struct{}{}, err
	}, `SELECT max(q.requested_at, q.received_at), l.total - l.discount - CASE o.tax_included WHEN 1 THEN l.tax ELSE 0 END,
		l.tax FROM `+cameBack, spans[0].start, spans[len(spans)-1].end)
	return back, err
}

// cameBack are the lines of orders that came back from one moment (?1) until before another (?2), by when that was
// noted. A file may hold one that its request does not know of yet: then the asking counts.
const cameBack = `order_requests q JOIN orders o ON o.id = q.order_id JOIN order_lines l ON l.order_id = q.order_id
	AND l.returned_by = q.id
	WHERE max(q.requested_at, q.received_at) >= ?1 AND max(q.requested_at, q.received_at) < ?2`
