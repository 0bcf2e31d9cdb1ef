package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/shop/internal/core"
)

// group is a dimension of derived_parts by which sales are grouped.
type group struct {
	dimension string
	now       string // SQL for the value of an order o or a returned line l
	name      string // SQL for the name of a value, which $ stands for
}

// ByTaxRate groups sales by tax rate, goods and shipping together; untaxed shipping has a separate row.
const ByTaxRate = "taxRate"

var groups = map[string]group{
	"person":     {"person", "o.placed_by", `COALESCE((SELECT name FROM staff WHERE id = $), NULLIF($, ''), 'Nobody')`},
	"fulfilment": {"fulfilment", "o.fulfilment", `$`},
	ByTaxRate:    {ByTaxRate, "l.rate_ppm||''", `$`},
}

// untaxed is the value of untaxed shipping among the rates.
const untaxed = "shipping"

// groupSum holds the sales of one value of a group.
type groupSum struct {
	value, name string
	sold
}

// sums adds up the sales of a span for each value of the group: whole hours from derived_groups, the rest from
// derived_parts. A change of an order counts at the time of the change, and returns are subtracted.
func (g group) sums(ctx context.Context, p span) (all []groupSum, err error) {
	first, last := p.hours()
	rows, err := core.List(ctx, func(r core.Row) (s groupSum, err error) {
		var back, backTax int64
		err = r.Scan(&s.value, &s.name, &s.orders, &s.Subtotal, &s.Discount, &s.Tax, &s.Shipping, &s.Total, &back, &backTax)
		s.add(returned(back, backTax))
		return s, err
	}, `SELECT value, `+strings.ReplaceAll(g.name, "$", "value")+`, SUM(orders), SUM(subtotal), SUM(discount), SUM(tax),
		SUM(shipping), SUM(total), SUM(back), SUM(back_tax) FROM (
		SELECT value, orders, subtotal, discount, tax, shipping, total, 0 AS back, 0 AS back_tax FROM derived_groups
			WHERE dimension = ?5 AND hour >= ?3 AND hour < ?4
		UNION ALL SELECT value, orders, subtotal, discount, tax, shipping, total, 0, 0 FROM derived_parts
			WHERE dimension = ?5 AND at >= ?1 AND at < min(?2, ?3 * 3600000)
		UNION ALL SELECT value, orders, subtotal, discount, tax, shipping, total, 0, 0 FROM derived_parts
			WHERE dimension = ?5 AND at >= max(?1, ?4 * 3600000) AND at < ?2
		UNION ALL SELECT value, n * orders, n * subtotal, n * discount, n * tax, n * shipping, n * total, 0, 0 FROM (
			SELECT *, (at >= ?1 AND at < ?2) - (sold_at >= ?1 AND sold_at < ?2) AS n FROM (`+g.changes()+`)) WHERE n <> 0
		UNION ALL SELECT `+g.now+`, 0, 0, 0, 0, 0, 0, `+returnedValue+`, l.tax FROM `+cameBack+`)
		GROUP BY value`, p.start, p.end, first, last, g.dimension)
	for _, s := range rows {
		if s.orders != 0 || s.Subtotal != 0 || s.Total != 0 || s.returns != 0 {
			all = append(all, s)
		}
	}
	return all, err
}

// rows returns the sales of each value, highest net sales first, and their total.
func (g group) rows(ctx context.Context, s *core.Shop, p span) (all sold, rows []salesRow, err error) {
	sums, err := g.sums(ctx, p)
	if err != nil {
		return all, nil, err
	}
	taken, err := takenIn(ctx, p)
	if err != nil {
		return all, nil, err
	}
	if g.dimension == ByTaxRate {
		for i := range sums {
			if sums[i].name = rateText(sums[i].value); sums[i].value == untaxed {
				sums[i].name = "Shipping"
			}
		}
	}
	slices.SortStableFunc(sums, func(a, b groupSum) int {
		return cmp.Compare(b.Total-b.Shipping-b.Tax, a.Total-a.Shipping-a.Tax)
	})
	rows = make([]salesRow, len(sums))
	for i, one := range sums {
		rows[i] = salesRow{Period: one.name, Value: one.value, From: core.ISODay(p.from), To: core.ISODay(p.to),
			takings: takingsOf(s, one.sold, one.name)}
		if g.dimension == ByTaxRate { // an order may have several rates, so rows by rate count no orders
			rows[i].Title = fmt.Sprintf("%s: %s in total sales", one.name, s.Text(one.Total))
		}
	}
	return taken[0], rows, nil
}

// beside adds to each row the total of the same value in another period. It appends rows for values that only that
// period has.
func (g group) beside(ctx context.Context, s *core.Shop, p, before span, rows []salesRow) ([]salesRow, error) {
	_, others, err := g.rows(ctx, s, before)
	for _, other := range others {
		at := slices.IndexFunc(rows, func(row salesRow) bool { return row.Value == other.Value })
		if at < 0 {
			at = len(rows)
			rows = append(rows, salesRow{Period: other.Period, Value: other.Value, From: core.ISODay(p.from),
				To: core.ISODay(p.to), takings: takingsOf(s, sold{}, other.Period)})
		}
		rows[at].beside = besideOf(s, rows[at].TotalSales.Amount, other.TotalSales.Amount)
	}
	return rows, err
}

// taxes returns the taxes of a span, highest rate first.
func taxes(ctx context.Context, s *core.Shop, p span) ([]taxRow, error) {
	sums, err := groups[ByTaxRate].sums(ctx, p)
	rows := make([]taxRow, 0, len(sums))
	for _, one := range sums {
		if one.value == untaxed {
			continue
		}
		rate, err := strconv.ParseInt(one.value, 10, 64)
		if err != nil {
			return nil, err
		}
		rows = append(rows, taxRow{rate, rateText(one.value), s.Money(one.Total - one.Tax), s.Money(one.Tax)})
	}
	slices.SortStableFunc(rows, func(a, b taxRow) int { return cmp.Compare(b.RatePPM, a.RatePPM) })
	return rows, err
}

// rateText formats a rate for display: 8 %, 5.5 %.
func rateText(ppm string) string {
	n, _ := strconv.ParseFloat(ppm, 64)
	return strconv.FormatFloat(n/10_000, 'f', -1, 64) + " %"
}
