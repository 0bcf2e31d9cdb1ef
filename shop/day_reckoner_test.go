package shop_test

import (
	"cmp"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/deskhand/deskhand/internal/reckonertest"
)

// closedAs compares the closings of the shop with those of a reckoner.
func (d *desk) closedAs(r *reckonertest.Reckoner) {
	d.t.Helper()
	want := r.Closings()
	for i := range want {
		byKind := map[string]int64{}
		for method, amount := range want[i].ByMethod {
			byKind[cmp.Or(d.kinds[method], method)] += amount
		}
		want[i].ByMethod = byKind
	}
	var got []reckonertest.Closing
	for _, c := range d.rows(`SELECT desk, number, rounding, cash_in, cash_out, moved, expected, counted, lifetime_sales,
		lifetime_returns FROM closings ORDER BY at, rowid`) {
		k := reckonertest.Closing{Desk: c.text(0), Number: c.number(1), Rounding: c.number(2), CashIn: c.number(3),
			CashOut: c.number(4), Moved: c.number(5), Expected: c.number(6), Counted: c.number(7),
			Difference: c.number(7) - c.number(6), LifetimeSales: c.number(8), LifetimeBack: c.number(9),
			ByMethod: d.sums(`SELECT kind, paid - refunded FROM closing_methods WHERE desk = ? AND closing = ?`, c[0], c[1])}
		for _, t := range d.rows(`SELECT rate_ppm, net, tax FROM closing_rates WHERE desk = ? AND closing = ? ORDER BY 1 DESC`,
			c[0], c[1]) {
			k.Sums = append(k.Sums, reckonertest.RateSum{Rate: t.number(0), Net: t.number(1), Tax: t.number(2)})
		}
		for _, e := range d.rows(`SELECT number FROM receipts r JOIN closing_receipts c USING (desk, series_year)
			WHERE desk = ? AND closing = ? AND count BETWEEN first AND last ORDER BY series_year, count`, c[0], c[1]) {
			k.Receipts = append(k.Receipts, e.text(0))
		}
		got = append(got, k)
	}
	if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(reckonertest.Closing{})); diff != "" {
		d.t.Errorf("closings (-reckoner +shop):\n%s", diff)
	}
}

// readKinds notes the kinds of the ways of paying that there are.
func (d *desk) readKinds() {
	d.t.Helper()
	d.kinds = map[string]string{}
	for _, m := range d.rows(`SELECT id, kind FROM payment_methods`) {
		d.kinds[m.text(0)] = m.text(1)
	}
}
