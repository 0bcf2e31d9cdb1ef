package shop_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// twice makes a second record of Ana Ruiz with everything that a record can have, and returns its id and its order.
func (d *desk) twice() (id, orderID string) {
	d.t.Helper()
	home := d.customerPage(d.ana()).Addresses[0]
	var made struct{ CustomerID, AddressID string }
	d.must("customer.create", jsonf(`{"name":"Anna Ruis","email":"anna@example.org","phone":"+1 555 0199","address":
		{"label":"At home","line1":%q,"city":"Portland","region":"ME","postalCode":"04101","country":"US"}}`, home.Line1),
		&made)
	id = made.CustomerID
	d.must("customer.addAddress", jsonf(`{"customerId":%q,"address":
		{"line1":"9 New Rd","city":"Bath","postalCode":"04530","country":"US"}}`, id), nil)
	d.must("customer.addNote", jsonf(`{"customerId":%q,"text":"Rings twice."}`, id), nil)
	var method struct{ PaymentMethodID string }
	d.must("customer.addPaymentMethod", jsonf(`{"customerId":%q,"kind":"paypal"}`, id), &method)
	d.must("customer.addPaymentMethod", jsonf(
		`{"customerId":%q,"kind":"giftCard","balance":{"amount":500,"currency":"USD"}}`, id), nil)
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","quantity":1,"customerId":%q}`, id), nil)
	var placed receipt
	d.must("checkout.submit", jsonf(`{"shippingAddressId":%q,"paymentMethodId":%q}`, made.AddressID,
		method.PaymentMethodID), &placed)
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","quantity":3,"customerId":%q}`, id), nil)
	return id, placed.OrderID
}

// TestTwoRecordsOfOnePersonBecomeOne: all data move, equal data stay once, and an undo reverts everything.
func TestTwoRecordsOfOnePersonBecomeOne(t *testing.T) {
	d := openUndoable(t)
	ana := d.ana()
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","quantity":1,"customerId":%q}`, ana), nil)
	gone, orderID := d.twice()
	d.must("view.save", jsonf(`{"list":"order.search","name":"Hers","values":{"customerId":%q}}`, gone), nil)
	was, before := d.customerPage(ana), d.hash()
	merge := jsonf(`{"keep":%q,"remove":%q}`, ana, gone)

	card := d.asked("customer.merge", merge)
	var told []string
	for _, a := range card.Bills[0].About {
		told = append(told, a.Label+": "+a.Text)
	}
	if want := []string{"Stays: Ana Ruiz · " + was.Email + " · " + was.Phone,
		"Goes away: Anna Ruis · anna@example.org · +1 555 0199", "Orders: 1", "Addresses: 1", "Payment methods: 1", "Notes: 1",
		"Carts: 2"}; !slices.Equal(told, want) {
		t.Errorf("the card says %q, want %q", told, want)
	}
	if want := []string{"Addresses and payment methods that both have are kept once.",
		"The open cart of Anna Ruis is put on hold.", "A note keeps: Anna Ruis · anna@example.org · +1 555 0199"}; !slices.Equal(
		card.Bills[0].Follows, want) {
		t.Errorf("what follows: %q, want %q", card.Bills[0].Follows, want)
	}
	d.must("audit.undo", jsonf(`{"requestId":%q}`, d.newest("customer.merge")), nil)
	if d.hash() != before {
		t.Fatal("it was not taken back")
	}

	done := d.must("customer.merge", merge, nil)
	if got, want := d.said(), "Merge the customer Anna Ruis into Ana Ruiz"; got != want {
		t.Errorf("said %q", got)
	}
	c := d.customerPage(ana)
	if c.Name != was.Name || c.Email != was.Email || len(c.Addresses) != len(was.Addresses)+1 ||
		len(c.PaymentMethods) != len(was.PaymentMethods)+1 || len(c.Orders) != len(was.Orders)+1 {
		t.Errorf("together they are %+v; she was %+v", c, was)
	}
	if o := d.order(orderID); o.Payments[0].Label != "PayPal" || !d.anas(o.Payments[0].PaymentMethodID) {
		t.Errorf("the order: %+v", o)
	}
	if n := d.number(`SELECT COUNT(*) FROM orders o JOIN addresses a ON a.id = o.address_id
		WHERE o.id = ? AND a.customer_id = ?`, orderID, ana); n != 1 {
		t.Error("the order's address is not hers")
	}
	if found := d.hits("order.search", jsonf(`{"query":"ana ruiz %s"}`, orderID), 5); !slices.Equal(found, []string{orderID}) {
		t.Errorf("found by her name: %v", found)
	}
	if found := d.customerNames(`{"query":"9 New Rd"}`); !slices.Equal(found, []string{"Ana Ruiz"}) {
		t.Errorf("found by the address: %v", found)
	}
	if n := d.number(`SELECT COUNT(*) FROM preferences WHERE instr(value, ?)`, ana); n != 1 {
		t.Error("the view of her orders does not show them any more")
	}
	contains(t, d.refused("customer.get", jsonf(`{"customerId":%q}`, gone), bus.NotFound, bus.ReasonRecord).Hint, ana)
	d.refused("customer.merge", merge, bus.NotFound, bus.ReasonRecord)
	d.refused("customer.merge", jsonf(`{"keep":%q,"remove":%q}`, ana, ana), bus.Validation, bus.ReasonArguments)
	for _, id := range []string{ana, gone} { // the activity of both leads to the result
		page, err := d.log.Search(t.Context(), audit.Query{Subject: id, Capability: "customer.merge"})
		if err != nil || !slices.ContainsFunc(page.Records, func(r audit.Record) bool { return r.RequestID == done.RequestID }) {
			t.Errorf("%s: %d records, %v", id, len(page.Records), err)
		}
	}
	d.addsUp()
	d.derived()

	d.must("customer.update", jsonf(`{"customerId":%q,"name":"Ana Bloom"}`, ana), nil)
	d.refused("audit.undo", jsonf(`{"requestId":%q}`, done.RequestID), bus.Conflict, bus.ReasonChanged)
}

// TestAnErasureKnowsMergedRecords: nothing of either is left, also where one was merged twice.
func TestAnErasureKnowsMergedRecords(t *testing.T) {
	d := openUndoable(t)
	var ids []string
	for i, name := range []string{"Xaverius Quill", "Xaver Quilley", "X. Quillington"} {
		var made struct{ CustomerID string }
		d.must("customer.create", jsonf(`{"name":%q,"email":"quill%d@example.org"}`, name, i), &made)
		ids = append(ids, made.CustomerID)
	}
	d.must("customer.merge", jsonf(`{"keep":%q,"remove":%q}`, ids[1], ids[0]), nil)
	last := d.must("customer.merge", jsonf(`{"keep":%q,"remove":%q}`, ids[2], ids[1]), nil)
	d.must("customer.erase", jsonf(`{"customerId":%q}`, ids[2]), nil)
	if told := fmt.Sprint(d.dump("merged_customers"), d.dump("customers"), d.dump("customer_notes")); strings.Contains(
		strings.ToLower(told), "quill") {
		t.Errorf("left in the shop: %s", told)
	}
	for _, word := range []string{"quill", "Quilley", "quill0@example.org"} {
		page, err := d.log.Search(t.Context(), audit.Query{Text: word})
		if err != nil || len(page.Records) > 0 {
			t.Errorf("%q stands in %d records, %v", word, len(page.Records), err)
		}
	}
	d.refused("audit.undo", jsonf(`{"requestId":%q}`, last.RequestID), bus.PreconditionFailed, bus.ReasonState)
}

func (d *desk) anas(methodID string) bool {
	return slices.ContainsFunc(d.customerPage(d.ana()).PaymentMethods, func(m struct {
		ID, Label, Kind string
		Default         bool
	}) bool {
		return m.ID == methodID
	})
}

// newest is the last request of a capability.
func (d *desk) newest(capability string) string {
	d.t.Helper()
	page, err := d.log.Search(d.t.Context(), audit.Query{Capability: capability, Limit: 1})
	if err != nil || len(page.Records) == 0 {
		d.t.Fatal(page, err)
	}
	return page.Records[0].RequestID
}
