package report

import (
	"cmp"
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// ReturnsIn selects the days of a report of returns.
type ReturnsIn struct{ core.Days }

// cameBackSum holds the sums of returns.
type cameBackSum struct {
	Returns int64      `json:"returns" doc:"How many were received."`
	Pieces  int64      `json:"pieces"`
	Value   core.Money `json:"value" doc:"After discount, without tax: what net sales have less."`
	Tax     core.Money `json:"tax"`
}

type returnsRow struct {
	Reason string `json:"reason"`
	Share  int64  `json:"share" doc:"Of the value of all of them, in thousandths."`
	cameBackSum
}

type returnsOut struct {
	From   string       `json:"from" jsonschema:"format=date"`
	To     string       `json:"to" jsonschema:"format=date"`
	Totals cameBackSum  `json:"totals"`
	Rows   []returnsRow `json:"rows" doc:"The highest value first."`
}

// Returns reports the returned items by reason.
func Returns(ctx context.Context, s *core.Shop, call *bus.Call, in ReturnsIn) (out returnsOut, err error) {
	p, err := reported(s, call, in.Days, &out.From, &out.To)
	if err != nil {
		return out, err
	}
	var value, tax int64
	out.Rows, err = core.List(ctx, func(r core.Row) (one returnsRow, err error) {
		var v, t int64
		err = r.Scan(&one.Reason, &one.Returns, &one.Pieces, &v, &t)
		one.Reason = cmp.Or(one.Reason, "not said")
		one.Value, one.Tax = s.Money(v), s.Money(t)
		out.Totals.Returns, out.Totals.Pieces = out.Totals.Returns+one.Returns, out.Totals.Pieces+one.Pieces
		value, tax = value+v, tax+t
		return one, err
	}, `SELECT q.reason, COUNT(DISTINCT q.id), SUM(l.quantity), SUM(`+returnedValue+`) AS value, SUM(l.tax)
		FROM `+cameBack+` GROUP BY q.reason ORDER BY value DESC, q.reason`, p.start, p.end)
	out.Totals.Value, out.Totals.Tax = s.Money(value), s.Money(tax)
	for i, one := range out.Rows {
		out.Rows[i].Share = (1000*one.Value.Amount + value/2) / max(value, 1)
	}
	return out, err
}
