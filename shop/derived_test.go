package shop_test

import (
	compare "cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/shop"
)

// derived checks that the rows kept by triggers match their source rows.
func (d *desk) derived() {
	d.t.Helper()
	type sum struct{ orders, subtotal, discount, tax, shipping, total int64 }
	hours, want := map[int64]sum{}, map[int64]sum{}
	lines, wanted := map[string][2]int64{}, map[string][2]int64{} // hour and variant → pieces, revenue
	count := func(all map[string][2]int64, hour int64, variant string, pieces, revenue int64) {
		key := fmt.Sprint(hour, " ", variant)
		all[key] = [2]int64{all[key][0] + pieces, all[key][1] + revenue}
		if all[key] == [2]int64{} {
			delete(all, key)
		}
	}
	ids := map[string]string{}
	for _, r := range d.rows(`SELECT number, id FROM derived_variants`) {
		ids[fmt.Sprint(r.number(0))] = r.text(1)
	}
	for _, r := range d.rows(`SELECT hour, orders, subtotal, discount, tax, shipping, total, lines FROM derived_hours`) {
		if s := (sum{r.number(1), r.number(2), r.number(3), r.number(4), r.number(5), r.number(6)}); s != (sum{}) {
			hours[r.number(0)] = s
		}
		for line := range strings.Lines(r.text(7)) {
			f := strings.Fields(line)
			pieces, err := strconv.ParseInt(f[1], 10, 64)
			revenue, err2 := strconv.ParseInt(f[2], 10, 64)
			if err != nil || err2 != nil || len(f) != 3 {
				d.t.Fatalf("the line %q", line)
			}
			count(lines, r.number(0), ids[f[0]], pieces, revenue)
		}
	}
	for _, r := range d.rows(
		`SELECT placed_at / 3600000, COUNT(*), SUM(subtotal), SUM(discount - discount_tax), SUM(tax), SUM(shipping - tax_included * shipping_tax), SUM(total) FROM orders WHERE status <> 'cancelled' GROUP BY 1`) {
		want[r.number(0)] = sum{r.number(1), r.number(2), r.number(3), r.number(4), r.number(5), r.number(6)}
	}
	for _, r := range d.rows(
		`SELECT placed_at / 3600000, variant_id, quantity, l.total - l.discount FROM orders o JOIN order_lines l ON l.order_id = o.id WHERE status <> 'cancelled'`) {
		count(wanted, r.number(0), r.text(1), r.number(2), r.number(3))
	}
	if diff := cmp.Diff(want, hours, cmp.AllowUnexported(sum{})); diff != "" {
		d.t.Errorf("sums by the hour: %s", diff)
	}
	if diff := cmp.Diff(wanted, lines); diff != "" {
		d.t.Errorf("lines by the hour: %s", diff)
	}
	d.sameRows("groups by the hour",
		`SELECT dimension, hour, value, orders, subtotal, discount, tax, shipping, total FROM derived_groups
			WHERE orders <> 0 OR subtotal <> 0 OR discount <> 0 OR tax <> 0 OR shipping <> 0 OR total <> 0`,
		`SELECT dimension, at / 3600000, value, SUM(orders), SUM(subtotal), SUM(discount), SUM(tax), SUM(shipping), SUM(total)
			FROM derived_parts GROUP BY 1, 2, 3 HAVING SUM(orders) <> 0 OR SUM(subtotal) <> 0 OR SUM(shipping) <> 0`)
	d.sameRows("payments by the hour",
		`SELECT hour, method, payments, paid, refunds, refunded FROM derived_payments WHERE payments <> 0 OR refunds <> 0`,
		`SELECT at / 3600000, method, SUM(payments), SUM(paid), SUM(refunds), SUM(refunded) FROM derived_paid GROUP BY 1, 2`)
	const place = `placed_at / 1000 << 24 | 16777215 - substr(id, 3)`
	if n := d.number(`SELECT COUNT(*) FROM (SELECT ` + place +
		` FROM orders EXCEPT SELECT place FROM derived_unsorted EXCEPT SELECT rowid FROM derived_words)`); n > 0 {
		d.t.Errorf("%d orders are not found by their words", n)
	}
	if n := d.number(`SELECT COUNT(*) FROM (SELECT rowid FROM derived_words EXCEPT SELECT place FROM derived_unsorted EXCEPT SELECT ` + place + ` FROM orders)`); n > 0 {
		d.t.Errorf("%d words are of no order", n)
	}
	if n := d.number(`SELECT COUNT(*) FROM (SELECT id FROM customers EXCEPT SELECT id FROM derived_places WHERE place IN (SELECT rowid FROM derived_people))`); n > 0 {
		d.t.Errorf("%d customers are not found by their words", n)
	}
	if n := d.number(`SELECT (SELECT COUNT(*) FROM derived_people) + (SELECT COUNT(*) FROM derived_places) - 2 * (SELECT COUNT(*) FROM customers)`); n != 0 {
		d.t.Errorf("%d words are of no customer", n)
	}
	if n := d.number(`SELECT COUNT(*) FROM derived_unsorted`); n > 255 {
		d.t.Errorf("%d changed orders are looked at one by one", n)
	}
	d.recounted()
}

// recounted makes sure that the shop finds no difference itself.
func (d *desk) recounted() {
	d.t.Helper()
	if err := d.log.View(context.Background(), func(ctx context.Context) error {
		return shop.CheckDerived(ctx, func(sentence string) { d.t.Error(sentence) })
	}); err != nil {
		d.t.Error(err)
	}
}

// sameRows makes sure that two queries have the same rows.
func (d *desk) sameRows(what, one, other string) {
	d.t.Helper()
	for _, pair := range [][2]string{{one, other}, {other, one}} {
		if n := d.number(`SELECT COUNT(*) FROM (SELECT * FROM (` + pair[0] + `) EXCEPT SELECT * FROM (` + pair[1] + `))`); n > 0 {
			d.t.Errorf("%s: %d rows differ", what, n)
		}
	}
}

// TestDerivedFollowsWhatIsDoneToTheRows: after any statement, also one that no capability makes.
func TestDerivedFollowsWhatIsDoneToTheRows(t *testing.T) {
	d := openSample(t, "owner")
	some := func(n int) string { return fmt.Sprintf(`(SELECT id FROM orders WHERE rowid %% 9 = %d)`, n) }
	for _, change := range []string{
		`DELETE FROM orders WHERE id IN ` + some(0),
		`UPDATE orders SET placed_at = placed_at + 4000000 WHERE id IN ` + some(1),
		`UPDATE orders SET status = 'cancelled' WHERE id IN ` + some(2),
		`UPDATE orders SET status = 'delivered' WHERE id IN ` + some(3),
		`UPDATE orders SET status = 'delivered', placed_at = placed_at / 2, shipping = shipping + 7, total = total + 7, search_fold = ' zebra ' WHERE id IN ` + some(2),
		`DELETE FROM order_lines WHERE order_id IN ` + some(4),
		`UPDATE customers SET search_fold = search_fold || 'zebra ' WHERE rowid % 3 = 0`,
		`INSERT INTO customers SELECT id || '_more', name, '', phone, phone_digits, name_fold, search_fold, created_at, 0 FROM customers`,
		`DELETE FROM customers WHERE id LIKE '%_more' AND rowid % 2`,
		`UPDATE order_lines SET quantity = quantity + 1, discount = discount + 1 WHERE order_id IN ` + some(5),
		`UPDATE order_lines SET discount_tax = discount_tax + 1 WHERE order_id IN ` + some(5),
		`UPDATE orders SET discount_tax = discount_tax + 2 WHERE id IN ` + some(7),
		`INSERT INTO order_shipping SELECT id, 70000, 200, 14 FROM orders WHERE shipping > 0; INSERT INTO order_shipping SELECT id, 0, 5, 0 FROM orders WHERE id IN ` + some(4),
		`UPDATE orders SET shipping_tax = 14, tax = tax + 14, total = total + 14 WHERE shipping > 0`,
		`UPDATE orders SET tax_included = 1, total = total - tax WHERE id IN ` + some(2),
		`UPDATE order_shipping SET rate_ppm = 190000, net = net + 3, tax = tax + 1 WHERE order_id IN ` + some(3),
		`DELETE FROM order_shipping WHERE order_id IN ` + some(5),
		`UPDATE payments SET rounding = 2 WHERE order_id IN ` + some(3),
		`UPDATE order_lines SET rate_ppm = 70000, tax = tax + 3 WHERE order_id IN ` + some(7),
		`UPDATE orders SET placed_by = 'somebody', fulfilment = 'pickUp' WHERE id IN ` + some(8),
		`UPDATE payments SET label = 'PayPal', amount = amount + 5, at = at + 4000000 WHERE order_id IN ` + some(1),
		`DELETE FROM payments WHERE kind = 'refund'`,
		`UPDATE order_lines SET variant_id = 'another' WHERE line = 1 AND order_id IN ` + some(6),
		`DELETE FROM orders WHERE id IN ` + some(3),
		`INSERT INTO order_lines SELECT order_id, 90, product_id, variant_id, sku, name, label, 3, price, 0, 0, 3 * price, '', 190000, '', '', 0, 'more', 0, 0 FROM order_lines WHERE line = 1`,
	} {
		edit(t, d.path, `PRAGMA foreign_keys = ON; `+change)
		d.derived()
		if t.Failed() {
			t.Fatal(change)
		}
	}
	edit(t, d.path, `UPDATE derived_hours SET lines = '1 1 1' || char(10), total = total + 1000`,
		`UPDATE derived_groups SET total = total + 1000`, `DELETE FROM derived_payments`, `DELETE FROM derived_people`,
		`DELETE FROM derived_words`, `UPDATE derived_places SET place = place + 100000`, `DELETE FROM derived_variants`)
	edit(t, d.path, shop.RebuildDerived()...)
	d.derived()
}

// TestOrdersAreFoundAsIfAllWereLookedAt: parts of the words of any orders, in one
// page or many, with filters or without; many orders were placed in one second.
func TestOrdersAreFoundAsIfAllWereLookedAt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.db")
	copyFile(t, sampleFile, path)
	edit(t, path, `CREATE TABLE copies AS SELECT o.rowid AS old, o.id AS was, n.value AS n, printf('#W%07d', 9999999 - row_number() OVER (ORDER BY n.value, o.id)) AS number
			FROM orders o, json_each('[1,2,3,4,5,6,7,8,9]') n`,
		`INSERT INTO orders SELECT c.number, customer_id, status, placed_at / 40000000 * 40000000 + c.n * 300, placed_by, processed_at, delivered_at, cancelled_at, cancelled_by, cancel_reason,
			subtotal, discount, shipping, tax, total, tax_included, discount_reason, shipping_method, estimated_delivery, gift_message, address_id, address_label, line1, line2, city, region,
			postal_code, country, name_fold, replace(search_fold, lower(substr(c.was, 2)), lower(substr(c.number, 2))), revision, items_changed_at, fulfilment, discount_tax, 0, 0, shipping_tax, '' FROM orders o JOIN copies c ON c.old = o.rowid`,
		`DROP TABLE copies`,
		// Hundreds of one old second, in no order.
		`UPDATE orders SET search_fold = search_fold || 'zebra ж ', placed_at = 1000000000000 + rowid * 7919 % 1000 WHERE rowid % 10 = 3`)
	d := openDesk(t, path)
	d.as("owner")
	d.derived()
	r := rand.New(rand.NewPCG(1, 2))
	all := d.rows(`SELECT id, search_fold, status, customer_id FROM orders`)
	for range 60 {
		o := all[r.IntN(len(all))]
		words := strings.Fields(o.text(1))
		var query []string
		where, args := "1", []any{}
		for range 1 + r.IntN(3) {
			w := []rune(words[r.IntN(len(words))])
			from := r.IntN(len(w)) * r.IntN(2)
			part := string(w[from : from+1+r.IntN(len(w)-from)])
			query = append(query, part)
			where, args = where+" AND instr(search_fold, ?)", append(args, part)
		}
		if r.IntN(5) == 0 {
			word := []string{"zebra", "ж"}[r.IntN(2)]
			query, where, args = []string{word}, "instr(search_fold, ?)", []any{word}
		}
		filter := ""
		switch r.IntN(4) {
		case 0:
			filter = jsonf(`,"status":%q`, o.text(2))
			where, args = where+" AND status = ?", append(args, o.text(2))
		case 1:
			filter = jsonf(`,"customerId":%q`, o.text(3))
			where, args = where+" AND customer_id = ?", append(args, o.text(3))
		}
		asked := strings.Join(query, " ")
		if d.number(`SELECT COUNT(*) FROM orders WHERE id = '#W' || substr('0000000', 1 + length(ltrim(upper(?1), '#W'))) || ltrim(upper(?1), '#W')`, asked) > 0 {
			continue // a number
		}
		var want []string
		for _, row := range d.rows(`SELECT id FROM orders WHERE `+where+` ORDER BY placed_at DESC, id`, args...) {
			want = append(want, row.text(0))
		}
		limit := 20 + r.IntN(180)
		cursor, got := "", []string(nil)
		for len(got) <= 1000 {
			var page struct {
				Orders     []struct{ ID string }
				NextCursor string
			}
			d.must("order.search", jsonf(`{"query":%q,"limit":%d,"cursor":%q%s}`, asked, limit, cursor, filter), &page)
			for _, o := range page.Orders {
				got = append(got, o.ID)
			}
			if cursor = page.NextCursor; cursor == "" {
				break
			}
		}
		if len(got) > 1000 {
			want = want[:len(got)]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q%s, by %d: %s", asked, filter, limit, diff)
		}
	}
}

// TestCustomersAreFoundAsIfAllWereLookedAt: in the order of match quality, with few or many matches.
func TestCustomersAreFoundAsIfAllWereLookedAt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.db")
	copyFile(t, sampleFile, path)
	edit(t, path, `INSERT INTO customers SELECT c.id || n.value, c.name, '', '', '', c.name_fold || substr('abcdefghij', n.value % 9 + 1, 2) || ' ', c.search_fold || substr('abcdefghij', n.value % 9 + 1, 2) || ' g' || n.value || ' ', 0, 0
		FROM customers c, (WITH RECURSIVE up (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM up WHERE value < 60) SELECT value FROM up) n WHERE c.erased_at = 0`)
	d := openDesk(t, path)
	d.as("owner")
	d.derived()
	type person struct {
		id, name string
		score    int
	}
	all := d.rows(`SELECT id, name_fold, search_fold FROM customers WHERE erased_at = 0`)
	if len(all) < 3000 {
		t.Fatalf("%d customers are too few to tell", len(all))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		words := strings.Fields(all[r.IntN(len(all))].text(2))
		var query []string
		for range 1 + r.IntN(2) {
			w := []rune(words[r.IntN(len(words))])
			from := r.IntN(len(w)) * r.IntN(2)
			query = append(query, string(w[from:from+1+r.IntN(len(w)-from)]))
		}
		var want []person
		for _, c := range all {
			p := person{c.text(0), c.text(1), 0}
			for _, w := range query {
				p.score += fits(w, p.name, c.text(2))
			}
			if p.score < 100 {
				want = append(want, p)
			}
		}
		slices.SortFunc(want, func(a, b person) int {
			return compare.Or(compare.Compare(a.score, b.score), compare.Compare(a.name, b.name), compare.Compare(a.id, b.id))
		})
		asked, limit, cursor := strings.Join(query, " "), 20+r.IntN(180), ""
		var got []person
		for len(got) <= 1000 {
			var page struct {
				Customers  []struct{ ID string }
				NextCursor string
			}
			d.must("customer.search", jsonf(`{"query":%q,"limit":%d,"cursor":%q}`, asked, limit, cursor), &page)
			for _, c := range page.Customers {
				got = append(got, person{id: c.ID})
			}
			if cursor = page.NextCursor; cursor == "" {
				break
			}
		}
		if len(got) > 1000 {
			want = want[:len(got)]
		}
		ids := func(all []person) (ids []string) {
			for _, p := range all {
				ids = append(ids, p.id)
			}
			return ids
		}
		if diff := cmp.Diff(ids(want), ids(got)); diff != "" {
			t.Fatalf("%q by %d: %s", asked, limit, diff)
		}
	}
}

// fits returns the rank of a word for a customer: smaller is better, 100 means no match.
func fits(word, name, everything string) int {
	for score, found := range []bool{
		strings.Contains(name, " "+word+" "), strings.Contains(name, " "+word), strings.Contains(name, word),
		strings.Contains(everything, " "+word+" "), strings.Contains(everything, " "+word),
		strings.Contains(everything, word),
	} {
		if found {
			return score
		}
	}
	return 100
}

// TestNoLettersAreLeftOfAnErasedCustomer: not even in the index of words.
func TestNoLettersAreLeftOfAnErasedCustomer(t *testing.T) {
	d := openSample(t, "owner")
	var made struct{ CustomerID string }
	d.must("customer.create",
		`{"name":"Qxyzzy Vwqk","address":{"line1":"1 Pier","city":"Bath","postalCode":"04530","country":"US"}}`, &made)
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","quantity":1,"customerId":%q}`, made.CustomerID), nil)
	var order struct{ OrderID string }
	d.must("checkout.submit", jsonf(`{"shippingAddressId":%q,"paymentMethodId":"cash"}`, d.customerPage(made.CustomerID).
		Addresses[0].ID), &order)
	letters := func() int64 {
		return d.number(`SELECT (SELECT COUNT(*) FROM derived_letters WHERE term = 'xyz') + (SELECT COUNT(*) FROM derived_people_letters WHERE term = 'xyz')`)
	}
	for _, step := range []string{"order.process", "order.deliver"} {
		d.must(step, jsonf(`{"orderId":%q}`, order.OrderID), nil)
	}
	edit(t, d.path, `INSERT INTO derived_unsorted VALUES (-1)`)
	if letters() != 2 {
		t.Error("the name is not found by its letters")
	}
	d.must("customer.erase", jsonf(`{"customerId":%q}`, made.CustomerID), nil)
	if letters() != 0 || d.number(`SELECT COUNT(*) FROM derived_unsorted`) != 0 {
		t.Error("the name is still found by its letters")
	}
	d.derived()
}

// TestADamagedHourIsNoReport: an invalid line or an unknown variant fails the report and nothing else.
func TestADamagedHourIsNoReport(t *testing.T) {
	for _, lines := range []string{"1 1 100", "1 1 100 \n", "1 1\n", "1 x 100\n", " 1 1 100\n", "999999 1 100\n",
		"-1 1 100\n", "1 1 9999999999999999999\n", "\n"} {
		d := openSample(t, "owner")
		edit(t, d.path, fmt.Sprintf(`UPDATE derived_hours SET lines = '%s'`, lines))
		if result := d.invoke("report.topProducts", `{"period":"last year"}`); result.Err == nil {
			t.Errorf("%q is told as %s", lines, result.Data)
		}
	}
	d := openSample(t, "owner")
	d.must("report.topProducts", `{"period":"last year"}`, nil)
}
