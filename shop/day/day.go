package day

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// NotFiscal is the notice on every closing.
var NotFiscal = bus.Textf("Deskhand is not a certified fiscal register; several countries require one for cash.")

// Sums holds the takings and cash of a desk between two closings.
type Sums struct {
	Desk         string     `json:"desk"`
	Receipts     int64      `json:"receipts"`
	FirstReceipt string     `json:"firstReceipt,omitempty"`
	LastReceipt  string     `json:"lastReceipt,omitempty"`
	Methods      []Method   `json:"methods" doc:"Takings of each kind of payment."`
	Taxes        []Rate     `json:"taxes" doc:"The highest rate first."`
	Sales        core.Money `json:"sales" doc:"With tax and shipping."`
	Returns      core.Money `json:"returns" doc:"Not taken off the sales."`
	Total        core.Money `json:"total" doc:"Sales less returns."`
	Rounding     core.Money `json:"rounding" doc:"Of cash, where there are no smaller coins."`

	CashBefore core.Money `json:"cashBefore" doc:"Counted at the closing before."`
	CashIn     core.Money `json:"cashIn"`
	CashOut    core.Money `json:"cashOut" doc:"Given back."`
	Moved      core.Money `json:"moved" doc:"Sum of the cash moves; taken out: negative."`
	Moves      []Move     `json:"moves"`
	Expected   core.Money `json:"expected" doc:"Cash that should be in the drawer."`

	LifetimeSales   core.Money `json:"lifetimeSales" doc:"Of all closings of this desk; it never falls."`
	LifetimeReturns core.Money `json:"lifetimeReturns"`

	spans []span
}

// Method holds the payments and refunds by one kind of payment.
type Method struct {
	Kind     string     `json:"method" enum:"cash,card,transfer,paypal,giftCard,onAccount,other,erased"`
	Paid     core.Money `json:"paid"`
	Refunded core.Money `json:"refunded"`
	Net      core.Money `json:"net" doc:"Paid less refunded."`
}

// Rate is a net amount and tax at one rate.
type Rate struct {
	PPM int64      `json:"ratePPM" doc:"In parts per million: 80000 is 8 %."`
	Net core.Money `json:"net"`
	Tax core.Money `json:"tax"`
}

// Move is cash put into or taken out of the drawer.
type Move struct {
	ID     string     `json:"moveId"`
	Amount core.Money `json:"amount" doc:"Taken out: negative."`
	Reason string     `json:"reason" x:"tainted=true"`
	At     int64      `json:"at" doc:"Milliseconds since 1970." x:"time=true"`
}

// span is a range of receipt numbers of a year.
type span struct{ year, first, last, receipts int64 }

// openReceipts selects the receipts of a desk (?1) that belong to no closing. It proceeds year by year, because a year
// may have many receipts.
const openReceipts = `WITH RECURSIVE years (year) AS (SELECT MIN(series_year) FROM receipts WHERE desk = ?1
		UNION ALL SELECT (SELECT MIN(series_year) FROM receipts WHERE desk = ?1 AND series_year > year) FROM years
			WHERE year IS NOT NULL),
	open AS (SELECT r.* FROM years CROSS JOIN receipts r ON r.desk = ?1 AND r.series_year = year AND r.count >
		COALESCE((SELECT MAX(last) FROM closing_receipts WHERE desk = ?1 AND series_year = year), 0)) `

// Open returns the sums of a desk since its last closing.
func Open(ctx context.Context, s *core.Shop, desk string) (out Sums, err error) {
	var before, sales, returns int64
	var n [3]int64 // sales, returns, rounding
	out.Desk = desk
	if _, _, err = core.Find(ctx, func(r core.Row) (struct{}, error) {
		return struct{}{}, r.Scan(&before, &sales, &returns)
	}, `SELECT counted, lifetime_sales, lifetime_returns FROM closings WHERE desk = ? ORDER BY number DESC LIMIT 1`,
		desk); err != nil {
		return out, err
	}
	if out.spans, err = core.List(ctx, func(r core.Row) (p span, err error) {
		var more [3]int64
		err = r.Scan(&p.year, &p.first, &p.last, &p.receipts, &more[0], &more[1], &more[2])
		for i := range n {
			n[i] += more[i]
		}
		return p, err
	}, openReceipts+`SELECT series_year, MIN(count), MAX(count), COUNT(*), SUM(sales), SUM(returns), SUM(rounding)
		FROM open GROUP BY 1 ORDER BY 1`, desk); err != nil {
		return out, err
	}
	if err = out.read(ctx, s, 0, openReceipts+`SELECT kind, SUM(max(amount, 0)), SUM(max(-amount, 0))
		FROM receipt_payments JOIN open USING (number) GROUP BY 1 ORDER BY 1`,
		openReceipts+`SELECT rate_ppm, SUM(net), SUM(tax) FROM receipt_rates JOIN open USING (number) GROUP BY 1
		HAVING SUM(net) <> 0 OR SUM(tax) <> 0 ORDER BY 1 DESC`, desk); err != nil {
		return out, err
	}
	out.sum(s, n, before)
	out.LifetimeSales, out.LifetimeReturns = s.Money(sales+n[0]), s.Money(returns+n[1])
	return out, nil
}

// read reads the methods and taxes with the given queries, and the cash moves of a closing.
func (d *Sums) read(ctx context.Context, s *core.Shop, closing int64, methods, taxes string, args ...any) (err error) {
	if d.Methods, err = core.List(ctx, func(r core.Row) (m Method, err error) {
		var paid, back int64
		err = r.Scan(&m.Kind, &paid, &back)
		m.Paid, m.Refunded, m.Net = s.Money(paid), s.Money(back), s.Money(paid-back)
		return m, err
	}, methods, args...); err != nil {
		return err
	}
	if d.Taxes, err = core.List(ctx, func(r core.Row) (t Rate, err error) {
		var net, tax int64
		err = r.Scan(&t.PPM, &net, &tax)
		t.Net, t.Tax = s.Money(net), s.Money(tax)
		return t, err
	}, taxes, args...); err != nil {
		return err
	}
	d.Moves, err = core.List(ctx, func(r core.Row) (m Move, err error) {
		var amount int64
		err = r.Scan(&m.ID, &amount, &m.Reason, &m.At)
		m.Amount = s.Money(amount)
		return m, err
	}, `SELECT id, amount, reason, at FROM cash_moves WHERE desk = ? AND closing = ? ORDER BY at, id`, d.Desk, closing)
	return err
}

// sum computes the totals. n holds sales, returns and the rounding of cash. before is the cash of the previous closing.
func (d *Sums) sum(s *core.Shop, n [3]int64, before int64) {
	var in, out, moved int64
	for _, m := range d.Methods {
		if m.Kind == "cash" {
			in, out = m.Paid.Amount, m.Refunded.Amount
		}
	}
	for _, m := range d.Moves {
		moved += m.Amount.Amount
	}
	for i, p := range d.spans {
		if d.Receipts += p.receipts; i == 0 {
			d.FirstReceipt = receiptNumber(p.year, p.first)
		}
		d.LastReceipt = receiptNumber(p.year, p.last)
	}
	d.Sales, d.Returns, d.Total, d.Rounding = s.Money(n[0]), s.Money(n[1]), s.Money(n[0]-n[1]), s.Money(n[2])
	d.CashBefore, d.CashIn, d.CashOut, d.Moved = s.Money(before), s.Money(in), s.Money(out), s.Money(moved)
	d.Expected = s.Money(before + in - out + moved)
}

// receiptNumber formats the number of a receipt for print.
func receiptNumber(year, count int64) string { return fmt.Sprintf("%04d-%06d", year, count) }

type previewOut struct {
	Sums
	Last
	Notice bus.Text `json:"notice"`
}

// Last is the last closing of a desk.
type Last struct {
	Number int64 `json:"lastClosingNumber,omitempty" doc:"Absent: this desk was never closed."`
	At     int64 `json:"lastClosedAt,omitempty" doc:"Milliseconds since 1970." x:"time=true"`
	Closed bool  `json:"closed" doc:"It was closed today, and nothing happened since."`
}

// preview computes a closing of this desk without storing it.
func preview(ctx context.Context, s *core.Shop, call *bus.Call, _ struct{}) (out previewOut, err error) {
	out.Sums, out.Last, err = Now(ctx, s, call)
	out.Notice = NotFiscal
	return out, err
}

// Now returns the sums of the call's desk since its last closing, and that closing.
func Now(ctx context.Context, s *core.Shop, call *bus.Call) (sums Sums, last Last, err error) {
	if sums, err = Open(ctx, s, core.Desk(call.Person)); err != nil {
		return sums, last, err
	}
	_, _, err = core.Find(ctx, func(r core.Row) (struct{}, error) {
		return struct{}{}, r.Scan(&last.Number, &last.At)
	}, `SELECT number, at FROM closings WHERE desk = ? ORDER BY number DESC LIMIT 1`, sums.Desk)
	last.Closed = last.Number > 0 && sums.Receipts == 0 && len(sums.Moves) == 0 &&
		core.DateOf(s.Local(last.At)).Equal(s.Today(call.Now))
	return sums, last, err
}
