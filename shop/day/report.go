package day

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// ClosingsIn selects the days of a report of closings.
type ClosingsIn struct{ core.Days }

type closingsOut struct {
	From string    `json:"from" jsonschema:"format=date"`
	To   string    `json:"to" jsonschema:"format=date"`
	Rows []Closing `json:"rows" doc:"The latest first."`
	More bool      `json:"more,omitempty" doc:"The range has older closings, which are not listed."`
}

// maxRows limits the closings in a response.
const maxRows = 400

// Closings returns the closings of all desks in a range of days.
func Closings(ctx context.Context, s *core.Shop, call *bus.Call, in ClosingsIn) (out closingsOut, err error) {
	first, last, err := in.Within(s.Today(call.Now))
	if err != nil {
		return out, err
	}
	out.From, out.To = core.ISODay(first), core.ISODay(last)
	from, to, err := s.Moments(core.Days{From: out.From, To: out.To})
	if err != nil {
		return out, err
	}
	out.Rows, err = load(ctx, s, `at >= ? AND at < ? ORDER BY at DESC, desk, number DESC LIMIT ?`, from, to, maxRows+1)
	if out.More = len(out.Rows) > maxRows; out.More {
		out.Rows = out.Rows[:maxRows]
	}
	return out, err
}

// ByNumber returns a closing of a desk.
func ByNumber(ctx context.Context, s *core.Shop, desk string, number int64) (c Closing, err error) {
	all, err := load(ctx, s, `desk = ? AND number = ?`, desk, number)
	if err == nil && len(all) == 0 {
		return c, core.NotFound("%s has no closing %d.", desk, number).WithHint("report.closings lists them.")
	}
	if err != nil {
		return c, err
	}
	return all[0], nil
}

// load reads the closings that match a condition, which may end in ORDER BY and LIMIT.
func load(ctx context.Context, s *core.Shop, where string, args ...any) ([]Closing, error) {
	var daily [][3]int64
	all, err := core.List(ctx, func(r core.Row) (c Closing, err error) {
		var before, counted, lifetimeSales, lifetimeReturns int64
		var sums [3]int64
		err = r.Scan(&c.Desk, &c.Number, &c.At, &c.Person, &before, &counted, &c.Note, &sums[0], &sums[1], &sums[2],
			&lifetimeSales, &lifetimeReturns, &c.HeadSeq, &c.HeadHash, &c.InDoubt)
		c.CashBefore, c.Counted = s.Money(before), s.Money(counted)
		c.LifetimeSales, c.LifetimeReturns = s.Money(lifetimeSales), s.Money(lifetimeReturns)
		daily = append(daily, sums)
		return c, err
	}, `SELECT desk, number, at, person, cash_before, counted, note, sales, returns, rounding, lifetime_sales,
		lifetime_returns, head_seq, head_hash, in_doubt FROM closings WHERE `+where, args...)
	for i := range all {
		c := &all[i]
		if err == nil {
			c.spans, err = core.List(ctx, func(r core.Row) (p span, err error) {
				return p, r.Scan(&p.year, &p.first, &p.last, &p.receipts)
			}, `SELECT series_year, first, last, receipts FROM closing_receipts WHERE desk = ? AND closing = ? ORDER BY 1`,
				c.Desk, c.Number)
		}
		if err == nil {
			err = c.read(ctx, s, c.Number,
				`SELECT kind, paid, refunded FROM closing_methods WHERE desk = ? AND closing = ? ORDER BY 1`,
				`SELECT rate_ppm, net, tax FROM closing_rates WHERE desk = ? AND closing = ? ORDER BY 1 DESC`, c.Desk, c.Number)
		}
		if err != nil {
			return nil, err
		}
		c.sum(s, daily[i], c.CashBefore.Amount)
		c.Difference = s.Money(c.Counted.Amount - c.Expected.Amount)
	}
	return all, err
}
