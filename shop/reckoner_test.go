package shop_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/reckonertest"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// TestRandomDaysAgreeWithTheReckoner replays the log of random days in another program that computes the money of a
// shop: totals of orders, their tax by rate, payments, the stock, the gift cards and the book agree to the last unit.
// The calls come from two desks, with undos, drafts that are merged, and programs that are killed during their work.
func TestRandomDaysAgreeWithTheReckoner(t *testing.T) {
	if spec := strings.SplitN(os.Getenv(walkVariable), "|", 3); len(spec) == 3 {
		walkUntilKilled(t, spec[0], spec[1], spec[2])
	}
	steps, merged := soak(400, 4000), 0
	for seed, coin := range []int64{1, 1, 10, 5} { // every second one has its tax in the prices
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			seed := uint64(seed)
			w := newWalk(t, seed)
			w.r, w.closes = rand.New(rand.NewPCG(seed, 20260313)), true
			edit(t, w.path, `UPDATE tax_classes SET rate_ppm = 26000 WHERE id = 'food'`,
				`UPDATE shipping_methods SET tax_class = CASE position WHEN 0 THEN '' WHEN 1 THEN 'standard' ELSE 'none' END`)
			edit(t, w.path, fmt.Sprint(`UPDATE shop SET cash_step = `, coin))
			r := w.reckoner()
			after := w.lastRecord()
			replay := func() { // at once: an erasure takes arguments out of the log
				after = w.replay(r, after)
				if t.Failed() {
					t.Fatalf("last done: %s", w.last)
				}
			}
			for step := range steps {
				switch {
				case step%130 == 129:
					w.draft(replay)
				case step%400 == 199:
					w.killedProgram(fmt.Sprint("killed", seed, "-", step))
				default:
					w.step()
				}
				replay()
			}
			w.agreesWith(r)
			w.bookAgreesWith(r)
			w.closedAs(r)
			merged += w.done[mergeName][0]
			if n := len(r.Orders()); n < 300 {
				t.Errorf("only %d orders", n)
			}
		})
	}
	if merged == 0 {
		t.Error("no draft was merged")
	}
}

// replay gives the calls of the log after a record to a reckoner, and notes the kinds of new ways of paying.
func (d *desk) replay(r *reckonertest.Reckoner, after int64) int64 {
	d.t.Helper()
	records, err := d.log.Tail(d.t.Context(), after, 1000)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, record := range records {
		after = max(after, record.Seq)
		if record.Status != bus.StatusSuccess || record.DryRun || record.Replayed {
			continue
		}
		for _, e := range record.Effects {
			if e.Table == "payment_methods" && e.Op == bus.Insert {
				d.kinds[e.Key["id"].(string)] = e.After["kind"].(string)
			}
		}
		c := callOf(record.Record)
		if record.Capability == mergeName {
			c.Steps = d.merged(record.Record)
		}
		if err := r.Replay(c); err != nil {
			d.t.Error(err)
		}
	}
	return after
}

// callOf is a record as the call of a reckoner.
func callOf(r bus.Record) reckonertest.Call {
	return reckonertest.Call{RequestID: r.RequestID, Capability: r.Capability, Person: r.Caller.Person,
		Desk: core.Desk(bus.Principal{Door: r.Caller.Door}), Time: time.UnixMilli(r.Time), Arguments: r.Arguments, Data: r.Data,
		Made: insertedIn(r)}
}

// insertedIn are the ids of the rows that a call inserted, by table.
func insertedIn(r bus.Record) map[string][]string {
	all := map[string][]string{}
	for _, e := range r.Effects {
		if id, is := e.Key["id"].(string); is && e.Op == bus.Insert {
			all[e.Table] = append(all[e.Table], id)
		}
	}
	return all
}

// reckoner begins a reckoner with the rows of the shop.
func (d *desk) reckoner() *reckonertest.Reckoner {
	d.t.Helper()
	d.readKinds()
	o := reckonertest.Opening{Book: true, TimeZone: d.rows(`SELECT time_zone FROM shop`)[0].text(0),
		IncludesTax: d.number(`SELECT prices_include_tax FROM shop`) == 1, CashStep: d.number(`SELECT cash_step FROM shop`),
		FirstTaxClass: d.one(`SELECT id FROM tax_classes ORDER BY id LIMIT 1`),
		TaxClasses:    map[string]int64{}, TaxClassOf: map[string]string{}, Variants: map[string]reckonertest.Variant{},
		Methods: map[string]reckonertest.Method{}, Orders: map[string]reckonertest.Order{}}
	for _, r := range d.rows(`SELECT id, rate_ppm FROM tax_classes`) {
		o.TaxClasses[r.text(0)] = r.number(1)
	}
	for _, r := range d.rows(`SELECT id, tax_class FROM products`) {
		o.TaxClassOf[r.text(0)] = r.text(1)
	}
	for _, r := range d.rows(`SELECT id, name, price, tax_class FROM shipping_methods ORDER BY position, id`) {
		way := reckonertest.Shipping{ID: r.text(0), Name: r.text(1), Price: r.number(2)}
		if class := r.text(3); class != "" {
			way.TaxClass = &class
		}
		o.Shipping = append(o.Shipping, way)
	}
	for _, r := range d.rows(`SELECT id, product_id, price, COALESCE(stock, 0), stock IS NOT NULL FROM variants`) {
		o.Variants[r.text(0)] = reckonertest.Variant{Product: r.text(1), Price: r.number(2), Stock: r.number(3),
			Counted: r.number(4) == 1}
	}
	for _, r := range d.rows(`SELECT id, customer_id, kind, brand, last_four, COALESCE(balance, 0) FROM payment_methods`) {
		o.Methods[r.text(0)] = reckonertest.Method{Customer: r.text(1), Kind: r.text(2), Brand: r.text(3),
			LastFour: r.text(4), Balance: r.number(5)}
	}
	for _, r := range d.rows(`SELECT id, COALESCE(customer_id, ''), status, shipping, tax_included, discount_percent,
		discount_amount FROM orders`) {
		order := reckonertest.Order{Customer: r.text(1), Status: r.text(2), Shipping: r.number(3),
			Included: r.number(4) == 1, Percent: r.number(5), Amount: r.number(6), Holds: map[string]int64{}}
		order.ShippingSums = d.rates(`SELECT rate_ppm, net, tax FROM order_shipping WHERE order_id = ?1 UNION ALL `+
			untaxedShipping, r.text(0))
		for _, l := range d.rows(`SELECT variant_id, product_id, quantity, price, rate_ppm, total, discount, discount_tax, tax,
			returned_by <> '', id, discount_percent, discount_amount FROM order_lines WHERE order_id = ? ORDER BY line`, r.text(0)) {
			order.Lines = append(order.Lines, reckonertest.Line{ID: l.text(10), Percent: l.number(11), Amount: l.number(12), Variant: l.text(0), Product: l.text(1),
				Quantity: l.number(2), Price: l.number(3), Rate: l.number(4), Total: l.number(5), Discount: l.number(6),
				DiscountTax: l.number(7), Tax: l.number(8), Returned: l.number(9) == 1})
		}
		for _, p := range d.rows(`SELECT id, method_id, sign * (amount + rounding), sign * amount FROM
			(SELECT *, rowid AS n, CASE kind WHEN 'refund' THEN -1 ELSE 1 END AS sign FROM payments)
			WHERE order_id = ? ORDER BY at, n`, r.text(0)) {
			order.Payments = append(order.Payments, reckonertest.Payment{ID: p.text(0), Method: p.text(1),
				Amount: p.number(2), Due: p.number(3)})
		}
		for _, m := range d.rows(`SELECT variant_id, -SUM(delta) FROM stock_movements WHERE order_id = ? GROUP BY 1`,
			r.text(0)) {
			order.Holds[m.text(0)] = m.number(1)
		}
		if q := d.rows(`SELECT id, method_id FROM order_requests WHERE order_id = ? AND status = 'requested'`,
			r.text(0)); len(q) > 0 {
			var pieces []reckonertest.Piece
			for _, p := range d.rows(`SELECT variant_id, new_variant_id, quantity, new_price, new_rate_ppm, line_id
				FROM order_request_lines WHERE request_id = ? ORDER BY position`, q[0].text(0)) {
				pieces = append(pieces, reckonertest.Piece{VariantID: p.text(0), NewVariantID: p.text(1),
					Quantity: p.number(2), Price: p.number(3), Rate: p.number(4), LineID: p.text(5)})
			}
			order.Request = &reckonertest.Request{Method: q[0].text(1), Pieces: pieces}
		}
		o.Orders[r.text(0)] = order
	}
	r, err := reckonertest.Open(o)
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

// untaxedShipping selects the untaxed part of an order's shipping, with rate 0.
const untaxedShipping = `SELECT 0 AS rate_ppm, shipping - COALESCE(SUM(s.net + CASE tax_included WHEN 1 THEN s.tax ELSE 0 END), 0)
	AS net, 0 AS tax FROM orders LEFT JOIN order_shipping s ON s.order_id = id WHERE id = ?1`

// rates are the sums of a query by rate, the highest first.
func (d *desk) rates(query, orderID string) (sums []reckonertest.RateSum) {
	for _, s := range d.rows(`SELECT rate_ppm, SUM(net), SUM(tax) FROM (`+query+`)
		GROUP BY 1 HAVING SUM(net) <> 0 OR SUM(tax) <> 0 ORDER BY 1 DESC`, orderID) {
		sums = append(sums, reckonertest.RateSum{Rate: s.number(0), Net: s.number(1), Tax: s.number(2)})
	}
	return sums
}

// reckoned is an order as both sides tell it.
type reckoned struct {
	Status                                      string
	Subtotal, Discount, DiscountTax, Tax, Total int64
	Sums                                        []reckonertest.RateSum
	Paid                                        map[string]int64
}

// agreesWith compares the rows of the shop with a reckoner.
func (d *desk) agreesWith(r *reckonertest.Reckoner) {
	d.t.Helper()
	want := map[string]reckoned{}
	for _, id := range r.Orders() {
		o, _ := r.Order(id)
		k := reckoned{Status: o.Status, Sums: o.Sums(), Paid: map[string]int64{}, Total: o.Shipping}
		for _, l := range o.Lines {
			k.Subtotal, k.Discount, k.Tax = k.Subtotal+l.Total, k.Discount+l.Discount, k.Tax+l.Tax
			if k.DiscountTax += l.DiscountTax; !o.Included {
				k.Total += l.Tax
			}
		}
		for _, s := range o.ShippingSums {
			if k.Tax += s.Tax; !o.Included {
				k.Total += s.Tax
			}
		}
		k.Total += k.Subtotal - k.Discount
		for _, p := range o.Payments {
			if k.Paid[p.Method] += p.Amount; k.Paid[p.Method] == 0 {
				delete(k.Paid, p.Method)
			}
		}
		want[id] = k
	}
	got := map[string]reckoned{}
	for _, r := range d.rows(`SELECT id, status, subtotal, discount, discount_tax, tax, total, shipping FROM orders`) {
		k := reckoned{r.text(1), r.number(2), r.number(3), r.number(4), r.number(5), r.number(6), nil, map[string]int64{}}
		k.Sums = d.rates(`SELECT rate_ppm, l.total - l.discount - CASE o.tax_included WHEN 1 THEN l.tax ELSE 0 END AS net, l.tax
				FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE o.id = ?1
			UNION ALL SELECT rate_ppm, net, tax FROM order_shipping WHERE order_id = ?1 UNION ALL `+untaxedShipping, r.text(0))
		for _, p := range d.rows(`SELECT method_id, SUM((amount + rounding) * CASE kind WHEN 'refund' THEN -1 ELSE 1 END) AS n
			FROM payments WHERE order_id = ? GROUP BY 1 HAVING n <> 0`, r.text(0)) {
			k.Paid[p.text(0)] = p.number(1)
		}
		got[r.text(0)] = k
	}
	if diff := cmp.Diff(want, got); diff != "" {
		d.t.Errorf("orders (-reckoner +shop):\n%s", diff)
	}
	if diff := cmp.Diff(r.Stock(), d.sums(`SELECT id, stock FROM variants WHERE stock IS NOT NULL`)); diff != "" {
		d.t.Errorf("stock (-reckoner +shop):\n%s", diff)
	}
	if diff := cmp.Diff(r.Balances(), d.sums(`SELECT id, balance FROM payment_methods WHERE kind = 'giftCard'`)); diff != "" {
		d.t.Errorf("gift cards (-reckoner +shop):\n%s", diff)
	}
}

// bookAgreesWith compares the book of receipts with a reckoner's.
func (d *desk) bookAgreesWith(r *reckonertest.Reckoner) {
	d.t.Helper()
	want := slices.Clone(r.Receipts())
	for i := range want {
		e := &want[i]
		e.Lines, e.Payments = slices.Clone(e.Lines), slices.Clone(e.Payments)
		for i, l := range e.Lines {
			e.Lines[i] = reckonertest.Line{ID: l.ID, Variant: l.Variant, Quantity: l.Quantity, Price: l.Price, Rate: l.Rate,
				Total: l.Total, Discount: l.Discount, DiscountTax: l.DiscountTax, Tax: l.Tax}
		}
		for i, p := range e.Payments {
			e.Payments[i] = reckonertest.Payment{Method: p.Method, Amount: p.Amount}
		}
	}
	var got []reckonertest.Receipt
	for _, r := range d.rows(`SELECT number, desk, cashier, order_id, at, refers_to, shipping, rounding, total, sales, returns
		FROM receipts ORDER BY series_year, count`) {
		e := reckonertest.Receipt{Number: r.text(0), Desk: r.text(1), Cashier: r.text(2), Order: r.text(3), At: r.number(4),
			RefersTo: r.text(5), Shipping: r.number(6), Rounding: r.number(7), Total: r.number(8), Sales: r.number(9),
			Returns: r.number(10)}
		for _, l := range d.rows(`SELECT line_id, variant_id, quantity, price, rate_ppm, total, discount, discount_tax, tax
			FROM receipt_lines WHERE number = ? ORDER BY line`, e.Number) {
			e.Lines = append(e.Lines, reckonertest.Line{ID: l.text(0), Variant: l.text(1), Quantity: l.number(2),
				Price: l.number(3), Rate: l.number(4), Total: l.number(5), Discount: l.number(6), DiscountTax: l.number(7),
				Tax: l.number(8)})
		}
		for _, s := range d.rows(`SELECT rate_ppm, net, tax FROM receipt_rates WHERE number = ? ORDER BY 1 DESC`, e.Number) {
			e.Sums = append(e.Sums, reckonertest.RateSum{Rate: s.number(0), Net: s.number(1), Tax: s.number(2)})
		}
		for _, p := range d.rows(`SELECT method_id, amount FROM receipt_payments WHERE number = ? ORDER BY position`,
			e.Number) {
			e.Payments = append(e.Payments, reckonertest.Payment{Method: p.text(0), Amount: p.number(1)})
		}
		got = append(got, e)
	}
	for i := range min(len(want), len(got)) { // an erasure takes the method out of a payment
		for j := range min(len(want[i].Payments), len(got[i].Payments)) {
			if got[i].Payments[j].Method == "erased" {
				want[i].Payments[j].Method = "erased"
			}
		}
	}
	inOrder := cmpopts.SortSlices(func(a, b reckonertest.Line) bool { // lines restored by an undo have another position
		return fmt.Sprintf("%+v", a) < fmt.Sprintf("%+v", b)
	})
	if diff := cmp.Diff(want, got, inOrder, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(reckonertest.Line{},
		reckonertest.Payment{})); diff != "" {
		d.t.Errorf("receipts (-reckoner +shop):\n%s", diff)
	}
}

// sums are the rows of a query of two columns.
func (d *desk) sums(query string, args ...any) map[string]int64 {
	all := map[string]int64{}
	for _, r := range d.rows(query, args...) {
		all[r.text(0)] = r.number(1)
	}
	return all
}
