package report

import (
	"context"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// PaymentsIn selects the days of a report of payments.
type PaymentsIn struct {
	core.Days
	Compare string `json:"compare,omitempty" jsonschema:"enum=before,enum=year"`
}

// paid holds payments and refunds as recorded at the desk.
type paid struct {
	Payments int64      `json:"payments"`
	Paid     core.Money `json:"paid"`
	Refunds  int64      `json:"refunds"`
	Refunded core.Money `json:"refunded"`
	Net      core.Money `json:"net" doc:"Paid less refunded."`
}

type paymentsRow struct {
	Method string `json:"method" enum:"cash,card,transfer,paypal,giftCard,onAccount,other,erased"`
	paid
	beside
}

type paymentsOut struct {
	From   string        `json:"from" jsonschema:"format=date"`
	To     string        `json:"to" jsonschema:"format=date"`
	Totals paid          `json:"totals"`
	Rows   []paymentsRow `json:"rows" doc:"Most paid first."`
}

// Payments reports the payments and refunds by kind of method.
func Payments(ctx context.Context, s *core.Shop, call *bus.Call, in PaymentsIn) (out paymentsOut, err error) {
	p, err := reported(s, call, in.Days, &out.From, &out.To)
	if err != nil {
		return out, err
	}
	var all [4]int64
	if out.Rows, all, err = payments(ctx, s, p); err != nil {
		return out, err
	}
	out.Totals = paidOf(s, all)
	if in.Compare == "" {
		return out, nil
	}
	others, _, err := payments(ctx, s, comparing(p, in.Compare).than(s, p))
	for _, other := range others {
		at := slices.IndexFunc(out.Rows, func(row paymentsRow) bool { return row.Method == other.Method })
		if at < 0 {
			at = len(out.Rows)
			out.Rows = append(out.Rows, paymentsRow{Method: other.Method, paid: paidOf(s, [4]int64{})})
		}
		out.Rows[at].beside = besideOf(s, out.Rows[at].Net.Amount, other.Net.Amount)
	}
	return out, err
}

func paidOf(s *core.Shop, n [4]int64) paid {
	return paid{n[0], s.Money(n[1]), n[2], s.Money(n[3]), s.Money(n[1] - n[3])}
}

// payments returns the payments and refunds of a span by method, and their total.
func payments(ctx context.Context, s *core.Shop, p span) (rows []paymentsRow, all [4]int64, err error) {
	first, last := p.hours()
	rows, err = core.List(ctx, func(r core.Row) (one paymentsRow, err error) {
		var n [4]int64
		err = r.Scan(&one.Method, &n[0], &n[1], &n[2], &n[3])
		for i := range n {
			all[i] += n[i]
		}
		one.paid = paidOf(s, n)
		return one, err
	}, `SELECT method, SUM(payments) AS many, SUM(paid) AS much, SUM(refunds) AS back, SUM(refunded) FROM (
		SELECT method, payments, paid, refunds, refunded FROM derived_payments WHERE hour >= ?3 AND hour < ?4
		UNION ALL SELECT method, payments, paid, refunds, refunded FROM derived_paid
			WHERE at >= ?1 AND at < min(?2, ?3 * 3600000)
		UNION ALL SELECT method, payments, paid, refunds, refunded FROM derived_paid
			WHERE at >= max(?1, ?4 * 3600000) AND at < ?2)
		GROUP BY method HAVING many <> 0 OR back <> 0 ORDER BY much DESC, method`, p.start, p.end, first, last)
	return rows, all, err
}
