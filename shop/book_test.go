package shop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

// book is the book of receipts, a line for each receipt and each part of it.
func (d *desk) book() (all []string) {
	d.t.Helper()
	for _, r := range d.rows(`SELECT number, desk, order_id, refers_to, total, shipping, sales, returns FROM receipts
		ORDER BY series_year, count`) {
		all = append(all, fmt.Sprintf("%s %s %s to %q: %d, shipping %d, sales %d, returns %d", r.text(0), r.text(1), r.text(2),
			r.text(3), r.number(4), r.number(5), r.number(6), r.number(7)))
		for _, l := range d.rows(`SELECT name, quantity, price, total, discount, discount_tax, rate_ppm, tax FROM receipt_lines
			WHERE number = ? ORDER BY line`, r.text(0)) {
			all = append(all, fmt.Sprintf("  %s: %d × %d = %d − %d (%d), %d ppm %d", l.text(0), l.number(1), l.number(2), l.number(3),
				l.number(4), l.number(5), l.number(6), l.number(7)))
		}
		for _, s := range d.rows(`SELECT rate_ppm, net, tax FROM receipt_rates WHERE number = ? ORDER BY 1 DESC`, r.text(0)) {
			all = append(all, fmt.Sprintf("  %d ppm: %d + %d", s.number(0), s.number(1), s.number(2)))
		}
		for _, p := range d.rows(`SELECT kind, label, amount, tendered FROM receipt_payments WHERE number = ? ORDER BY position`,
			r.text(0)) {
			all = append(all, fmt.Sprintf("  %s %s: %d of %d", p.text(0), p.text(1), p.number(2), p.number(3)))
		}
	}
	return all
}

// receiptIn is the number that an answer names.
func receiptIn(t testing.TB, r bus.Result) string {
	t.Helper()
	var out struct{ ReceiptNumber string }
	if err := json.Unmarshal(r.Data, &out); err != nil {
		t.Fatal(err)
	}
	return out.ReceiptNumber
}

// TestEachChangeOfMoneyWritesAReceipt: a receipt contains exactly the changed amounts, and no other call writes one.
func TestEachChangeOfMoneyWritesAReceipt(t *testing.T) {
	d := openSample(t, "manager")
	d.fillAnasCart()
	c := d.cart()
	visa, paypal := c.method("Visa ending 4242"), c.method("PayPal")
	sold := d.must("checkout.submit", jsonf(`{"paymentMethodId":%q}`, visa), nil)
	var placed struct{ OrderID string }
	if err := json.Unmarshal(sold.Data, &placed); err != nil {
		t.Fatal(err)
	}
	id := placed.OrderID
	numbers := []string{receiptIn(t, sold)}
	for _, step := range []struct{ name, args string }{
		{"order.changePayment", jsonf(`{"orderId":%q,"paymentMethodId":%q}`, id, paypal)},
		{"order.addNote", jsonf(`{"orderId":%q,"text":"Ring twice"}`, id)},
		{"order.changeItems", jsonf(`{"orderId":%q,"changes":[{"variantId":%q,"newVariantId":%q,"quantity":1}],"paymentMethodId":%q}`,
			id, gujiBeans, gujiGround, paypal)},
		{"order.process", jsonf(`{"orderId":%q}`, id)},
		{"order.deliver", jsonf(`{"orderId":%q}`, id)},
		{"order.return", jsonf(`{"orderId":%q,"lines":[{"variantId":%q}],"paymentMethodId":%q}`, id, gujiGround, paypal)},
		{"order.receiveReturn", jsonf(`{"orderId":%q,"restock":true}`, id)},
		{"order.returnNow", jsonf(`{"orderId":%q,"lines":[{"variantId":%q}],"paymentMethodId":%q,"restock":false}`, id,
			gujiBeans, paypal)},
	} {
		if n := receiptIn(t, d.must(step.name, step.args, nil)); n != "" {
			numbers = append(numbers, step.name, n)
		}
	}
	if diff := cmp.Diff([]string{"2026-000001", "order.changePayment", "2026-000002", "order.changeItems", "2026-000003",
		"order.receiveReturn", "2026-000004", "order.returnNow", "2026-000005"}, numbers); diff != "" {
		t.Error(diff)
	}
	want := fmt.Sprintf(`2026-000001 Main %[1]s to "": 4783, shipping 495, sales 4783, returns 0
  Guji Natural: 2 × 2144 = 4288 − 0 (0), 0 ppm 0
  0 ppm: 4783 + 0
  card Visa ending 4242: 4783 of 0
2026-000002 Main %[1]s to "2026-000001": 0, shipping 0, sales 0, returns 0
  card Visa ending 4242: -4783 of 0
  paypal PayPal: 4783 of 0
2026-000003 Main %[1]s to "2026-000001": 0, shipping 0, sales 2144, returns 2144
  Guji Natural: -1 × 2144 = -2144 − 0 (0), 0 ppm 0
  Guji Natural: 1 × 2144 = 2144 − 0 (0), 0 ppm 0
2026-000004 Main %[1]s to "2026-000001": -2144, shipping 0, sales 0, returns 2144
  Guji Natural: -1 × 2144 = -2144 − 0 (0), 0 ppm 0
  0 ppm: -2144 + 0
  paypal PayPal: -2144 of 0
2026-000005 Main %[1]s to "2026-000001": -2144, shipping 0, sales 0, returns 2144
  Guji Natural: -1 × 2144 = -2144 − 0 (0), 0 ppm 0
  0 ppm: -2144 + 0
  paypal PayPal: -2144 of 0`, id)
	if diff := cmp.Diff(strings.Split(want, "\n"), d.book()); diff != "" {
		t.Error(diff)
	}
}

// TestTheCountBeginsAgainWithTheYear: of the shop's time zone, not of UTC.
func TestTheCountBeginsAgainWithTheYear(t *testing.T) {
	d := openSample(t, "owner")
	d.must("settings.set", `{"section":"shop","values":{"timeZone":"Pacific/Auckland"}}`, nil)
	var numbers []string
	for _, at := range []string{"2026-12-31T10:59:59Z", "2026-12-31T11:00:00Z", "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z",
		"2027-12-31T10:59:59.999Z", "2027-12-31T11:00:00Z"} {
		d.clock, _ = time.Parse(time.RFC3339, at)
		d.must("cart.addItem", `{"productId":"prd_guji_natural","quantity":1}`, nil)
		numbers = append(numbers, receiptIn(t, d.must("checkout.submit", `{"paymentMethodId":"cash"}`, nil)))
	}
	if diff := cmp.Diff([]string{"2026-000001", "2027-000001", "2027-000002", "2027-000003", "2027-000004", "2028-000001"},
		numbers); diff != "" {
		t.Error(diff)
	}
}

// TestAPreviewShowsNoNumber: nor does it take one, as a call that is refused does not.
func TestAPreviewShowsNoNumber(t *testing.T) {
	d := openSample(t, "clerk")
	sell := func(change func(*bus.Invocation)) bus.Result {
		t.Helper()
		d.must("cart.addItem", `{"productId":"prd_guji_natural","quantity":1}`, nil)
		inv := bus.Invocation{Capability: "checkout.submit", Caller: bus.Caller{Type: bus.CallerTest}, Principal: d.person,
			Arguments: json.RawMessage(`{"paymentMethodId":"cash"}`)}
		change(&inv)
		r := d.bus.Invoke(t.Context(), inv)
		if !r.OK() {
			t.Fatal(r.Err)
		}
		return r
	}
	if n := receiptIn(t, sell(func(inv *bus.Invocation) { inv.DryRun = true })); n != "" {
		t.Errorf("a preview has the number %s", n)
	}
	d.refused("checkout.submit", `{"paymentMethodId":"card","tendered":{"amount":5000,"currency":"USD"}}`, bus.Validation,
		bus.ReasonArguments)
	if n := receiptIn(t, sell(func(inv *bus.Invocation) { inv.Caller.Type = bus.CallerAgent })); n != "2026-000001" {
		t.Errorf("the first receipt has the number %s", n)
	}
	if n := receiptIn(t, bus.Result{Data: d.card.Data}); n != "" {
		t.Errorf("the card showed the number %s", n)
	}
	if n := d.number(`SELECT COUNT(*) FROM receipts`); n != 1 {
		t.Errorf("%d receipts", n)
	}
}

// TestEachReceiptIsCompared with its parts, its number and its order.
func TestEachReceiptIsCompared(t *testing.T) {
	for change, want := range map[string]string{
		`DELETE FROM receipt_lines WHERE number = '2026-000002'`: "receipts: the total of 2026-000002 is not that of its lines.",
		`UPDATE receipt_lines SET total = total + 1, price = price + 1 WHERE number = '2026-000003'`: "receipts: the total of " +
			"2026-000003 is not that of its lines.",
		`UPDATE receipt_rates SET net = net - 1 WHERE number = '2026-000001'`: "receipts: the total of 2026-000001 is not that " +
			"of its rates.",
		`UPDATE receipt_rates SET net = net - 1, tax = tax + 1 WHERE number = '2026-000003'`: "receipts: the tax of 2026-000003 " +
			"is not that of its lines.",
		`UPDATE receipt_payments SET amount = amount + 1 WHERE number = '2026-000001'`: "receipts: the total of 2026-000001 is " +
			"not what was paid.",
		`UPDATE receipts SET refers_to = '2025-000001' WHERE number = '2026-000004'`: "receipts: what 2026-000004 refers to is " +
			"not there.",
		`UPDATE receipts SET cause = 'change' WHERE number = '2026-000004'`: "has another cause.",
		`UPDATE receipts SET cause = 'change' WHERE number = '2026-000001'`: "has another cause.",
		`UPDATE receipts SET cause = 'sale' WHERE number = '2026-000004'`:   "has another cause.",
		`UPDATE receipts SET number = '2026-000009' WHERE number = '2026-000004'`: "receipts: 2026-000009 has another number " +
			"than its place in the count.",
		`DELETE FROM receipts WHERE number = '2026-000002'`: "receipts: before 2026-000003 a number is missing.",
		`UPDATE audit_series SET last = 3`:                  "receipts: the log has not counted as far as 2026-000004.",
		`UPDATE order_lines SET total = total + 5 WHERE order_id = (SELECT order_id FROM receipts
			WHERE number = '2026-000001')`: "receipts: the receipts of order",
		`DELETE FROM receipts WHERE number = '2026-000004'`: "receipts: the receipts of order",
	} {
		d := openSample(t, "owner")
		d.must("settings.set", `{"section":"shop","values":{"pricesIncludeTax":true}}`, nil)
		edit(t, d.path, `UPDATE tax_classes SET rate_ppm = 190000`)
		for range 3 {
			d.must("cart.addItem", `{"productId":"prd_guji_natural","quantity":2}`, nil)
			d.must("checkout.submit", `{"paymentMethodId":"cash"}`, nil)
		}
		d.must("order.returnNow", jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"paymentMethodId":"cash",
			"restock":true}`, d.rows(`SELECT order_id FROM receipts WHERE number = '2026-000002'`)[0].text(0), gujiBeans), nil)
		d.derived()
		edit(t, d.path, `DROP TRIGGER receipts_stay`, `DROP TRIGGER receipt_lines_stay`, `DROP TRIGGER receipt_rates_stay`,
			`DROP TRIGGER receipt_payments_stay`, `PRAGMA foreign_keys = OFF`, change)
		var found []string
		if err := d.log.View(t.Context(), func(ctx context.Context) error {
			return shop.CheckDerived(ctx, func(sentence string) { found = append(found, sentence) })
		}); err != nil {
			t.Error(err)
		}
		if !strings.Contains(strings.Join(found, "\n"), want) {
			t.Errorf("%s: found %q, want %q", change, found, want)
		}
	}
}

// TestTwoDesksCountTogether: each receipt keeps its desk, also when the calls are replayed.
func TestTwoDesksCountTogether(t *testing.T) {
	d := openSample(t, "clerk")
	before := d.number(`SELECT MAX(seq) FROM audit_records`)
	path := filepath.Join(t.TempDir(), "again.db")
	if _, err := d.log.Backup(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	for _, door := range []string{"till:Front", "window", "cli:Front", "bridge:Market stall", "mcp"} {
		d.person.Door = door
		d.must("cart.addItem", `{"productId":"prd_guji_natural","quantity":1}`, nil)
		d.must("checkout.submit", `{"paymentMethodId":"cash"}`, nil)
	}
	var desks []string
	for _, r := range d.rows(`SELECT number || ' ' || desk FROM receipts ORDER BY series_year, count`) {
		desks = append(desks, r.text(0))
	}
	if diff := cmp.Diff([]string{"2026-000001 Front", "2026-000002 Main", "2026-000003 Front", "2026-000004 Market stall",
		"2026-000005 Main"}, desks); diff != "" {
		t.Error(diff)
	}
	again := openDesk(t, path)
	report, err := d.log.Replay(t.Context(), audit.Replay{After: before, Into: again.log, Invoke: again.bus.Invoke})
	if err != nil || report.Same != 10 || report.Different != 0 || report.State != report.Reached {
		t.Errorf("%+v, %v", report, err)
	}
}
