package day

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/book"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type closeIn struct {
	Counted core.PriceIn `json:"counted"`
	Note    string       `json:"note,omitempty" jsonschema:"maxLength=120"`
}

// Closing is the end of a day at a desk.
type Closing struct {
	Number int64 `json:"closingNumber" doc:"Counts without a gap at each desk; a preview has 0."`
	At     int64 `json:"closedAt" doc:"Milliseconds since 1970." x:"time=true"`
	Sums
	Counted    core.Money `json:"counted"`
	Difference core.Money `json:"difference" doc:"Counted less expected."`
	Note       string     `json:"note,omitempty" x:"tainted=true"`
	Person     string     `json:"closedBy" x:"entity=person"`
	HeadSeq    int64      `json:"headSeq,omitempty" doc:"The last record of the log before; a preview has none."`
	HeadHash   string     `json:"headHash,omitempty"`
	InDoubt    bool       `json:"inDoubt,omitempty" doc:"Numbers of receipts may have been given twice."`
}

type closeOut struct {
	Closing
	Notice bus.Text `json:"notice"`
}

// close ends the day of a desk.
func (p Ports) close(ctx context.Context, s *core.Shop, call *bus.Call, in closeIn) (out closeOut, err error) {
	if err := s.CheckCurrency(in.Counted, "/counted"); err != nil {
		return out, err
	}
	c := Closing{At: call.Now.UnixMilli(), Counted: s.Money(in.Counted.Amount), Person: call.Person.ID,
		Note: text.Line(in.Note, core.NameLimit)}
	if c.Sums, err = Open(ctx, s, core.Desk(call.Person)); err != nil {
		return out, err
	}
	c.Difference = s.Money(c.Counted.Amount - c.Expected.Amount)
	if c.Number, err = call.Next("closings " + c.Desk); err != nil {
		return out, err
	}
	if c.Number > 0 && p.Head != nil {
		if c.HeadSeq, c.HeadHash, err = p.Head(ctx, call.RequestID); err != nil {
			return out, err
		}
	}
	if c.InDoubt, err = p.inDoubt(ctx, c.Desk); err != nil {
		return out, err
	}
	if c.InDoubt {
		call.Notify("warning", "%s", GivenTwice)
	}
	call.Fact("amount", s.MoneyFact(c.Counted.Amount))
	call.Summarize("Close the day of %s: %s counted, %s expected", c.Desk, c.Counted, c.Expected)
	call.Announce("day", bus.Textf("The day of %s was closed.", c.Desk))
	call.Bill().Sums = c.bill()
	return closeOut{c, NotFiscal}, c.write(ctx)
}

// GivenTwice is the warning on a closing in doubt.
var GivenTwice = bus.Textf("A copy was restored since the last closing: numbers of receipts may have been given twice.")

// inDoubt reports whether receipt numbers may be duplicates since the last closing of a desk.
func (p Ports) inDoubt(ctx context.Context, desk string) (bool, error) {
	since, _, err := core.Find(ctx, core.ScanInt, `SELECT COALESCE(MAX(at), 0) FROM closings WHERE desk = ?`, desk)
	if err != nil || p.Records == nil {
		return false, err
	}
	return book.GivenTwice(ctx, p.Records, since)
}

// bill returns the cash of a closing for its card.
func (c *Closing) bill() []bus.BillValue {
	return []bus.BillValue{{Label: "Cash before", Text: c.CashBefore.Text}, {Label: "Cash in", Text: c.CashIn.Text},
		{Label: "Cash out", Text: c.CashOut.Text}, {Label: "Moved", Text: c.Moved.Text},
		{Label: "Expected", Text: c.Expected.Text}, {Label: "Counted", Text: c.Counted.Text, Argument: "/counted"},
		{Label: "Difference", Text: c.Difference.Text}}
}

// write stores the closing with its sums.
func (c *Closing) write(ctx context.Context) error {
	err := core.Insert(ctx, `closings (desk, number, at, person, cash_before, cash_in, cash_out, moved, expected, counted,
		note, rounding, sales, returns, lifetime_sales, lifetime_returns, head_seq, head_hash,
		in_doubt)`, c.Desk, c.Number, c.At,
		c.Person, c.CashBefore.Amount, c.CashIn.Amount, c.CashOut.Amount, c.Moved.Amount, c.Expected.Amount,
		c.Counted.Amount, c.Note, c.Rounding.Amount, c.Sales.Amount, c.Returns.Amount, c.LifetimeSales.Amount,
		c.LifetimeReturns.Amount, c.HeadSeq, c.HeadHash, core.Bit(c.InDoubt))
	for _, m := range c.Methods {
		if err == nil {
			err = core.Insert(ctx, `closing_methods (desk, closing, kind, paid, refunded)`, c.Desk, c.Number, m.Kind,
				m.Paid.Amount, m.Refunded.Amount)
		}
	}
	for _, t := range c.Taxes {
		if err == nil {
			err = core.Insert(ctx, `closing_rates (desk, closing, rate_ppm, net, tax)`, c.Desk, c.Number, t.PPM, t.Net.Amount,
				t.Tax.Amount)
		}
	}
	for _, p := range c.spans {
		if err == nil {
			err = core.Insert(ctx, `closing_receipts (desk, closing, series_year, first, last, receipts)`, c.Desk, c.Number,
				p.year, p.first, p.last, p.receipts)
		}
	}
	if err != nil {
		return err
	}
	return core.Exec(ctx, `UPDATE cash_moves SET closing = ? WHERE desk = ? AND closing = 0`, c.Number, c.Desk)
}

// Undoable refuses to undo payments of a closed day: see audit.Options.Undoable.
func Undoable(ctx context.Context, effects []bus.Effect) error {
	for _, e := range effects {
		var query, key string
		switch e.Table {
		case "cash_moves":
			query, key = `SELECT closing FROM cash_moves WHERE id = ? AND closing > 0`, "id"
		case "receipts":
			query, key = `SELECT c.closing FROM receipts r JOIN closing_receipts c ON c.desk = r.desk
				AND c.series_year = r.series_year AND r.count BETWEEN c.first AND c.last WHERE r.number = ?`, "number"
		default:
			continue
		}
		number, closed, err := core.Find(ctx, core.ScanInt, query, e.Key[key])
		if err != nil {
			return err
		}
		if closed {
			return bus.Errorf(bus.Conflict, bus.ReasonChanged, "This money was closed with %d, so it is not undone.", number).
				WithHint("Enter the opposite as something new: a return, a cancellation, or cash.move.")
		}
	}
	return nil
}
