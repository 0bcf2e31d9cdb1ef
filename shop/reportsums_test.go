package shop_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestReportsAddUpHoweverTheDaysAreCut: after random work over several days, every row equals an independent
// calculation from orders and payments. Rows add up to totals, parts to the whole, and the whole to payments less
// refunds.
func TestReportsAddUpHoweverTheDaysAreCut(t *testing.T) {
	for seed := range 2 { // the second has its tax in the prices
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWalk(t, uint64(seed))
			for range 700 {
				w.step()
				w.clock = w.clock.Add(10 * time.Minute)
			}
			if t.Failed() {
				return
			}
			w.as("auditor")
			ledger := w.ledger()
			whole := w.sales(`{"from":"2025-01-01","to":"2026-12-31","by":"week"}`).Totals.figures()
			paid := w.number(`SELECT SUM(CASE kind WHEN 'payment' THEN amount ELSE -amount END) FROM payments`)
			if whole.total != paid || whole.returns == 0 || whole.tax == 0 || whole.orders < 200 {
				t.Errorf("total sales of everything are %d, what was paid and not given back %d: %+v", whole.total, paid, whole)
			}
			if whole.net != whole.gross-whole.discounts-whole.returns || whole.total != whole.net+whole.shipping+whole.tax ||
				whole.net >= whole.gross {
				t.Errorf("the parts do not make the sums: %+v", whole)
			}
			var returns returnsReport
			w.must("report.returns", `{"from":"2025-01-01","to":"2026-12-31"}`, &returns)
			for _, r := range returns.Rows {
				if off := r.Share*returns.Totals.Value.Amount - 1000*r.Value.Amount; 2*max(off, -off) > returns.Totals.Value.Amount {
					t.Errorf("%s has a share of %d ‰ of %+v", r.Reason, r.Share, returns.Totals)
				}
			}
			var payments paymentsReport
			w.must("report.payments", `{"from":"2025-01-01","to":"2026-12-31"}`, &payments)
			if returns.Totals.Value.Amount != whole.returns || payments.Totals.Net.Amount != paid {
				t.Errorf("returns of %d, payments of %d; want %d, %d", returns.Totals.Value.Amount, payments.Totals.Net.Amount,
					whole.returns, paid)
			}
			rapid.Check(t, func(r *rapid.T) { ledger.holds(r, w.desk) })
		})
	}
}

// entry is something that counts on a day.
type entry struct {
	day     string
	figures figures
	sold    map[string][2]int64 // variant → pieces, revenue
	groups  map[string]string
}

// ledger holds the amounts of a report, computed from other rows than the report reads: returns from the refund that
// was recorded when the request was received. A later change of an order is in its rows, and moves from the day of the
// order to its own day.
type ledger []entry

func (w *walk) ledger() (all ledger) {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		w.t.Fatal(err)
	}
	of := func(person, fulfilment string) map[string]string {
		return map[string]string{"person": person, "fulfilment": fulfilment}
	}
	day := func(at int64) string { return time.UnixMilli(at).In(zone).Format(time.DateOnly) }
	for _, o := range w.rows(
		`SELECT id, placed_at, subtotal, discount, tax, shipping, tax_included, placed_by, fulfilment, discount_tax FROM orders WHERE status <> 'cancelled'`) {
		f := figures{orders: 1, gross: o.number(2), discounts: o.number(3), tax: o.number(4), shipping: o.number(5)}
		if o.number(6) == 1 { // the tax in the prices is no sale, and the tax in a discount is none
			f.gross, f.discounts = f.gross-f.tax-o.number(9), f.discounts-o.number(9)
		}
		f.net = f.gross - f.discounts
		f.total = f.net + f.shipping + f.tax
		e := entry{day(o.number(1)), f, map[string][2]int64{}, of(o.text(7), o.text(8))}
		for _, l := range w.rows(`SELECT variant_id, quantity, price, discount FROM order_lines WHERE order_id = ?`,
			o.text(0)) {
			was := e.sold[l.text(0)]
			e.sold[l.text(0)] = [2]int64{was[0] + l.number(1), was[1] + l.number(1)*l.number(2) - l.number(3)}
		}
		all = append(all, e)
	}
	for _, c := range w.rows(`SELECT r.number, r.at, o.placed_at, r.at = o.cancelled_at AND o.status = 'cancelled', r.shipping,
		o.placed_by, o.fulfilment, r.tax_included FROM receipts r JOIN orders o ON o.id = r.order_id WHERE r.at <> o.placed_at
		AND r.at NOT IN (SELECT received_at FROM order_requests WHERE order_id = o.id AND kind = 'return')`) {
		f := figures{orders: -c.number(3), shipping: c.number(4)}
		sold := map[string][2]int64{}
		for _, l := range w.rows(`SELECT variant_id, quantity, price, discount, discount_tax, tax FROM receipt_lines
			WHERE number = ?`, c.text(0)) {
			value, off := l.number(1)*l.number(2), l.number(3)
			sold[l.text(0)] = [2]int64{sold[l.text(0)][0] + l.number(1), sold[l.text(0)][1] + value - off}
			if c.number(7) == 1 {
				value, off = value-l.number(5)-l.number(4), off-l.number(4)
			}
			f = f.plus(figures{gross: value, discounts: off, net: value - off, tax: l.number(5)})
		}
		f.total = f.net + f.shipping + f.tax
		of := of(c.text(5), c.text(6))
		was := map[string][2]int64{}
		for id, n := range sold {
			was[id] = [2]int64{-n[0], -n[1]}
		}
		all = append(all, entry{day(c.number(1)), f, sold, of}, entry{day(c.number(2)), figures{}.less(f), was, of})
	}
	for _, p := range w.rows(
		`SELECT p.at, p.amount, o.placed_by, o.fulfilment FROM payments p JOIN orders o ON o.id = p.order_id
		JOIN order_requests q ON q.order_id = p.order_id AND q.received_at = p.at
		WHERE p.kind = 'refund' AND q.kind = 'return'`) {
		all = append(all, entry{day: day(p.number(0)), figures: figures{returns: p.number(1), net: -p.number(1),
			total: -p.number(1)}, groups: of(p.text(2), p.text(3))})
	}
	for _, l := range w.rows(
		`SELECT q.received_at, l.variant_id, l.quantity, l.total - l.discount, l.tax, o.placed_by, o.fulfilment
		FROM order_lines l JOIN orders o ON o.id = l.order_id JOIN order_requests q ON q.id = l.returned_by`) {
		tax := l.number(4) // the refund gave it back, too
		all = append(all, entry{day(l.number(0)), figures{returns: -tax, net: tax, tax: -tax},
			map[string][2]int64{l.text(1): {-l.number(2), -l.number(3)}}, of(l.text(5), l.text(6))})
	}
	return all
}

// grouped adds up the entries of some days whose orders are of a person, or handed over in a way.
func (l ledger) grouped(from, to, by, value string) (f figures) {
	for _, e := range l {
		if e.day >= from && e.day <= to && e.groups[by] == value {
			f = f.plus(e.figures)
		}
	}
	return f
}

// between adds up the entries of some days.
func (l ledger) between(from, to string) (f figures, sold map[string][2]int64) {
	sold = map[string][2]int64{}
	for _, e := range l {
		if e.day < from || e.day > to {
			continue
		}
		f = f.plus(e.figures)
		for id, n := range e.sold {
			sold[id] = [2]int64{sold[id][0] + n[0], sold[id][1] + n[1]}
		}
	}
	return f, sold
}

// holds draws some days and compares.
func (l ledger) holds(r *rapid.T, d *desk) {
	first := time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC)
	day := func(n int) string { return first.AddDate(0, 0, n).Format(time.DateOnly) }
	from := rapid.IntRange(0, 390).Draw(r, "from")
	length := rapid.IntRange(1, 120).Draw(r, "days")
	cut := rapid.IntRange(0, length).Draw(r, "cut")
	by := rapid.SampledFrom([]string{"day", "week", "month"}).Draw(r, "by")
	report := func(from, to int) salesReport {
		return d.sales(jsonf(`{"from":%q,"to":%q,"by":%q}`, day(from), day(to), by))
	}
	all := report(from, from+length)
	var sum figures
	next := day(from)
	for _, row := range all.Rows {
		if row.From != next || row.To < row.From {
			r.Fatalf("a row from %s to %s, want the next to begin on %s", row.From, row.To, next)
		}
		last, err := time.Parse(time.DateOnly, row.To)
		if err != nil {
			r.Fatal(err)
		}
		next = last.AddDate(0, 0, 1).Format(time.DateOnly)
		want, _ := l.between(row.From, row.To)
		if row.figures() != want {
			r.Fatalf("%s: %+v, want %+v", row.Period, row.figures(), want)
		}
		sum = sum.plus(row.figures())
	}
	if next != day(from+length+1) {
		r.Fatalf("the rows end before %s, want %s", next, day(from+length+1))
	}
	if all.Totals.figures() != sum {
		r.Fatalf("the rows make %+v, the totals are %+v", sum, all.Totals.figures())
	}
	for _, by := range []string{"person", "fulfilment", "taxRate"} {
		groups := d.sales(jsonf(`{"from":%q,"to":%q,"by":%q,"compare":"before"}`, day(from), day(from+length), by))
		var parts figures
		for _, row := range groups.Rows {
			parts = parts.plus(row.figures())
		}
		if by == "taxRate" { // an order may have several rates
			parts.orders = sum.orders
		}
		if parts != sum || groups.Totals.figures() != sum {
			r.Fatalf("by %s the rows make %+v, the totals are %+v, want %+v", by, parts, groups.Totals.figures(), sum)
		}
		for _, row := range groups.Rows {
			if want := l.grouped(day(from), day(from+length), by, row.Value); by != "taxRate" && row.figures() != want {
				r.Fatalf("by %s, %s: %+v, want %+v", by, row.Value, row.figures(), want)
			}
		}
		var net, tax int64
		for _, rate := range groups.Taxes {
			net, tax = net+rate.NetSales.Amount, tax+rate.Tax.Amount
		}
		if net != sum.net || tax != sum.tax {
			r.Fatalf("by rate there are net sales of %d and a tax of %d, want %+v", net, tax, sum)
		}
		was, _ := l.between(day(from-length-1), day(from-1))
		if got := groups.Before.Totals.figures(); got != was || groups.Before.Difference.figures() != sum.less(was) {
			r.Fatalf("the time before: %+v, want %+v", groups.Before, was)
		}
	}
	if cut < length {
		if parts := report(from, from+cut).Totals.figures().plus(report(from+cut+1, from+length).Totals.figures()); parts !=
			sum {
			r.Fatalf("cut behind day %d it makes %+v, whole %+v", cut, parts, sum)
		}
	}
	_, sold := l.between(day(from), day(from+length))
	if diff := gocmp.Diff(best(sold, 200),
		d.topProducts(jsonf(`{"from":%q,"to":%q,"limit":200}`, day(from), day(from+length)))); diff != "" {
		r.Fatal(diff)
	}
}

// seller is a row of the best sellers without the names in the catalog.
type seller struct {
	VariantID         string
	Quantity, Revenue int64
}

func best(sold map[string][2]int64, limit int) []seller {
	all := []seller{}
	for id, n := range sold {
		if n[0] > 0 {
			all = append(all, seller{id, n[0], n[1]})
		}
	}
	slices.SortFunc(all, func(a, b seller) int {
		return cmp.Or(cmp.Compare(b.Quantity, a.Quantity), cmp.Compare(b.Revenue, a.Revenue),
			cmp.Compare(a.VariantID, b.VariantID))
	})
	return all[:min(limit, len(all))]
}

func (d *desk) topProducts(args string) []seller {
	d.t.Helper()
	var out struct {
		Rows []struct {
			VariantID string
			Quantity  int64
			Revenue   money
		}
	}
	d.must("report.topProducts", args, &out)
	all := []seller{}
	for _, r := range out.Rows {
		all = append(all, seller{r.VariantID, r.Quantity, r.Revenue.Amount})
	}
	return all
}
