package shop_test

import (
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

// TestErasingACustomerKeepsTheirReceipts: amounts and kinds stay, and personal data are removed.
func TestErasingACustomerKeepsTheirReceipts(t *testing.T) {
	d := openSample(t, "owner")
	made := struct{ CustomerID string }{}
	d.must("customer.create", `{"name":"Odile Marchetti","email":"odile@example.org"}`, &made)
	card := d.method(made.CustomerID, `"kind":"card","brand":"Visa","lastFour":"7731"`)
	gift := d.method(made.CustomerID, `"kind":"giftCard","balance":{"amount":5000,"currency":"USD"}`)
	sell := func(payments string) string {
		d.must("cart.setCustomer", jsonf(`{"customerId":%q,"fulfilment":"takeAway"}`, made.CustomerID), nil)
		d.must("cart.addItem", `{"productId":"prd_guji_natural","quantity":2}`, nil)
		var out struct{ OrderID string }
		d.must("checkout.submit", `{"payments":`+payments+`}`, &out)
		return out.OrderID
	}
	id := sell(jsonf(`[{"paymentMethodId":%q,"amount":{"amount":1000,"currency":"USD"}},{"paymentMethodId":%q},
		{"paymentMethodId":"cash","amount":{"amount":500,"currency":"USD"}}]`, card, gift))
	d.must("order.returnNow", jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"restock":true}`, id, gujiBeans), nil)
	other := d.anasOrder("Visa ending 4242")
	book := d.book()
	for _, line := range book {
		if strings.Contains(line, "Odile") || strings.Contains(line, "odile") {
			t.Errorf("the book names the customer: %s", line)
		}
	}
	d.must("customer.erase", jsonf(`{"customerId":%q}`, made.CustomerID), nil)
	want := strings.NewReplacer("card Visa ending 7731", "card Erased", "giftCard Gift card", "giftCard Erased").Replace(
		strings.Join(book, "\n"))
	if diff := cmp.Diff(strings.Split(want, "\n"), d.book()); diff != "" {
		t.Error(diff)
	}
	if n := d.number(`SELECT COUNT(*) FROM receipt_payments WHERE method_id IN (?, ?)`, card, gift); n != 0 {
		t.Errorf("%d payments name their methods", n)
	}
	contains(t, strings.Join(d.book(), "\n"), other)
	d.derived()
	if v, err := d.log.Verify(t.Context(), nil); err != nil || !v.OK {
		t.Errorf("%+v, %v", v, err)
	}
}

// method adds a way of paying to a customer.
func (d *desk) method(customer, what string) string {
	d.t.Helper()
	var made struct{ PaymentMethodID string }
	d.must("customer.addPaymentMethod", jsonf(`{"customerId":%q,%s}`, customer, what), &made)
	return made.PaymentMethodID
}

// TestMergingCustomersLeavesTheBook: neither a merge nor its undo changes the book. Later changes refer to the receipt.
func TestMergingCustomersLeavesTheBook(t *testing.T) {
	d := openUndoable(t)
	ana := d.ana()
	gone, id := d.twice()
	book := d.book()
	if len(book) == 0 {
		t.Fatal("no receipt")
	}
	d.must("customer.merge", jsonf(`{"keep":%q,"remove":%q}`, ana, gone), nil)
	d.must("audit.undo", jsonf(`{"requestId":%q}`, d.newest("customer.merge")), nil)
	d.must("customer.merge", jsonf(`{"keep":%q,"remove":%q}`, ana, gone), nil)
	if diff := cmp.Diff(book, d.book()); diff != "" {
		t.Error(diff)
	}
	d.must("order.cancel", jsonf(`{"orderId":%q,"reason":"other"}`, id), nil)
	contains(t, strings.Join(d.book(), "\n"), jsonf(`2026-000002 Main %s to "2026-000001": -`, id))
	d.derived()
}

// otherwise draws other ids than the shop that this one comes from.
func (d *desk) otherwise() {
	d.t.Helper()
	for range 100 {
		d.must("cart.getSummary", `{}`, nil)
	}
}

// TestACancellationIsTheOppositeOfTheSale: a sale is not undone, and its receipt stays.
func TestACancellationIsTheOppositeOfTheSale(t *testing.T) {
	d := openUndoable(t)
	d.fillAnasCart()
	r := d.must("checkout.submit", jsonf(`{"paymentMethodId":%q}`, d.cart().method("PayPal")), nil)
	id := d.rows(`SELECT order_id FROM receipts`)[0].text(0)
	d.refused("audit.undo", jsonf(`{"requestId":%q}`, r.RequestID), bus.PreconditionFailed, bus.ReasonState)
	if n := d.number(`SELECT COUNT(*) FROM receipts`); n != 1 {
		t.Errorf("%d receipts", n)
	}
	c := d.must("order.cancel", jsonf(`{"orderId":%q,"reason":"other"}`, id), nil)
	want := fmt.Sprintf(`2026-000001 Main %[1]s to "": 4783, shipping 495, sales 4783, returns 0
  Guji Natural: 2 × 2144 = 4288 − 0 (0), 0 ppm 0
  0 ppm: 4783 + 0
  paypal PayPal: 4783 of 0
2026-000002 Main %[1]s to "2026-000001": -4783, shipping -495, sales 0, returns 4783
  Guji Natural: -2 × 2144 = -4288 − 0 (0), 0 ppm 0
  0 ppm: -4783 + 0
  paypal PayPal: -4783 of 0`, id)
	if diff := cmp.Diff(strings.Split(want, "\n"), d.book()); diff != "" {
		t.Error(diff)
	}
	d.refused("audit.undo", jsonf(`{"requestId":%q}`, c.RequestID), bus.PreconditionFailed, bus.ReasonState)
	d.derived()
}

// TestAnImportedOrderHasNoReceipt: a change of it writes one that refers to nothing, and the count of the shop begins.
func TestAnImportedOrderHasNoReceipt(t *testing.T) {
	from := openSample(t, "owner")
	id := from.anasOrder("PayPal")
	back := from.delivered("PayPal")
	d := openImported(t, from.export())
	if n := d.number(`SELECT COUNT(*) FROM receipts`); n != 0 {
		t.Fatalf("%d receipts came along", n)
	}
	sameShop(t, from, d)
	d.otherwise()
	d.clock = d.clock.Add(time.Minute)
	d.must("order.cancel", jsonf(`{"orderId":%q,"reason":"other"}`, id), nil)
	d.clock = d.clock.Add(time.Hour)
	for range 2 {
		d.must("order.returnNow", jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"restock":true}`, back,
			gujiBeans), nil)
	}
	want := fmt.Sprintf(`2026-000001 Main %s to "": -4783, shipping -495, sales 0, returns 4783
  Guji Natural: -2 × 2144 = -4288 − 0 (0), 0 ppm 0
  0 ppm: -4783 + 0
  paypal PayPal: -4783 of 0
2026-000002 Main %[2]s to "": -2144, shipping 0, sales 0, returns 2144
  Guji Natural: -1 × 2144 = -2144 − 0 (0), 0 ppm 0
  0 ppm: -2144 + 0
  paypal PayPal: -2144 of 0
2026-000003 Main %[2]s to "": -2144, shipping 0, sales 0, returns 2144
  Guji Natural: -1 × 2144 = -2144 − 0 (0), 0 ppm 0
  0 ppm: -2144 + 0
  paypal PayPal: -2144 of 0`, id, back)
	if diff := cmp.Diff(strings.Split(want, "\n"), d.book()); diff != "" {
		t.Error(diff)
	}
	d.derived()
}

// TestPurgingTheLogLeavesTheBook: the count goes on, and each receipt is compared as before.
func TestPurgingTheLogLeavesTheBook(t *testing.T) {
	d := openUndoable(t)
	log, err := audit.Open(t.Context(), d.path, audit.Options{Migrations: shop.Migrations(), Segment: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	b := bus.New(bus.Options{Journal: log, Clock: func() time.Time { return d.clock }})
	b.MustRegister(audit.PurgeCapability(log))
	d.anasOrder("PayPal")
	d.anasOrder("PayPal")
	book := d.book()
	d.clock = d.clock.AddDate(0, 9, 0)
	d.must("cart.addItem", `{"productId":"prd_guji_natural","quantity":1}`, nil)
	if r := b.Invoke(t.Context(), bus.Invocation{Capability: "data.purge", Caller: bus.Caller{Type: bus.CallerTest},
		Principal: d.person, Arguments: []byte(`{"before":"2026-05-01"}`)}); !r.OK() {
		t.Fatal(r.Err)
	}
	if n := d.number(`SELECT COUNT(*) FROM audit_records WHERE time < ?`, now.AddDate(0, 6, 0).UnixMilli()); n > 1 {
		t.Fatalf("%d records are left", n)
	}
	if diff := cmp.Diff(book, d.book()); diff != "" {
		t.Error(diff)
	}
	if n := receiptIn(t, d.must("checkout.submit", `{"paymentMethodId":"cash"}`, nil)); n != "2026-000003" {
		t.Errorf("the next receipt is %s", n)
	}
	d.derived()
}

// TestADraftGivesNoReceipts: nor does a copy of it find the book wrong.
func TestADraftGivesNoReceipts(t *testing.T) {
	d := openSample(t, "clerk")
	id := d.delivered("PayPal")
	path := filepath.Join(t.TempDir(), "draft.db")
	if err := d.log.Fork(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	draft := openDesk(t, path)
	draft.person = d.person
	draft.otherwise()
	draft.anasOrder("PayPal")
	r := draft.must("order.returnNow", jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"restock":true}`, id,
		gujiBeans), nil)
	if n := receiptIn(t, r); n != "" {
		t.Errorf("the draft gave %s", n)
	}
	if diff := cmp.Diff(d.book(), draft.book()); diff != "" {
		t.Error(diff)
	}
}
