package shop_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

type customerView struct {
	ID, Name, Email, Phone string
	Addresses              []struct {
		ID, Label, Line1 string
		Default          bool
	}
	PaymentMethods []struct {
		ID, Label, Kind string
		Default         bool
	}
	Orders []struct{ ID string }
}

func (d *desk) customerPage(id string) (c customerView) {
	d.t.Helper()
	d.must("customer.get", jsonf(`{"customerId":%q}`, id), &c)
	return c
}

func TestUpdateCustomer(t *testing.T) {
	d := openSample(t, "clerk")
	ana := d.ana()
	id := d.anasOrder("PayPal")
	d.must("customer.update", jsonf(`{"customerId":%q,"name":"Ana Ruiz-Bloom","email":""}`, ana), nil)
	if got, want := d.said(), "Change the customer Ana Ruiz: name Ana Ruiz-Bloom, email none"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	if c := d.customerPage(ana); c.Name != "Ana Ruiz-Bloom" || c.Email != "" || c.Phone == "" {
		t.Errorf("customer: %+v", c)
	}
	var found struct{ Orders []struct{ ID string } }
	d.must("order.search", `{"query":"bloom","status":"pending","limit":1}`, &found)
	if len(found.Orders) != 1 || found.Orders[0].ID != id {
		t.Errorf("found by the new name: %+v", found)
	}
	diana := d.customerPage(d.customer("Diana Prewitt"))
	for name, tc := range map[string]struct {
		args   string
		code   bus.Code
		reason bus.Reason
	}{
		"nothing new": {jsonf(`{"customerId":%q}`, ana), bus.PreconditionFailed, bus.ReasonState},
		"another customer's email": {jsonf(`{"customerId":%q,"email":%q}`, ana, diana.Email), bus.PreconditionFailed,
			bus.ReasonState},
		"no email":          {jsonf(`{"customerId":%q,"email":"ana"}`, ana), bus.Validation, bus.ReasonArguments},
		"an invisible name": {jsonf(`{"customerId":%q,"name":"\u202e"}`, ana), bus.Validation, bus.ReasonArguments},
		"nobody":            {`{"customerId":"nobody","name":"X"}`, bus.NotFound, bus.ReasonRecord},
	} {
		t.Run(name, func(t *testing.T) {
			if e := d.refused("customer.update", tc.args, tc.code, tc.reason); e.Hint == "" {
				t.Error("no hint")
			}
		})
	}
}

func TestAddressesAreChangedAndRemoved(t *testing.T) {
	d := openSample(t, "clerk")
	ana := d.ana()
	c := d.customerPage(ana)
	home, work := c.Addresses[0].ID, c.Addresses[1].ID
	const there = `"address":{"line1":"9 New Rd","city":"Bath","postalCode":"04530","country":"US"}`
	d.must("customer.setAddress", jsonf(`{"customerId":%q,%s}`, ana, there), nil)
	if a := d.customerPage(ana).Addresses[0]; a.ID != home || a.Line1 != "9 New Rd" || a.Label != "Home" || !a.Default {
		t.Errorf("the default address: %+v", a)
	}
	d.must("customer.setAddress", jsonf(`{"customerId":%q,"addressId":%q,"default":true,%s}`, ana, work, there), nil)
	d.must("customer.removeAddress", jsonf(`{"customerId":%q,"addressId":%q}`, ana, work), nil)
	if got, want := d.said(), "Remove the address 9 New Rd (Work) of Ana Ruiz"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	if c := d.customerPage(ana); len(c.Addresses) != 1 || !c.Addresses[0].Default {
		t.Errorf("addresses: %+v", c.Addresses)
	}
	other := d.customerPage(d.customer("Diana Prewitt")).Addresses[0].ID
	d.refused("customer.setAddress", jsonf(`{"customerId":%q,"addressId":%q,%s}`, ana, other, there),
		bus.PreconditionFailed, bus.ReasonState)
	d.refused("customer.removeAddress", jsonf(`{"customerId":%q,"addressId":%q}`, ana, other), bus.PreconditionFailed,
		bus.ReasonState)
	d.must("customer.removeAddress", jsonf(`{"customerId":%q,"addressId":%q}`, ana, home), nil)
	e := d.refused("customer.setAddress", jsonf(`{"customerId":%q,%s}`, ana, there), bus.PreconditionFailed,
		bus.ReasonState)
	contains(t, e.Hint, "customer.addAddress")
	d.addsUp()
}

func TestPaymentMethodIsRemovedWhenNothingHangsOnIt(t *testing.T) {
	d := openSample(t, "clerk")
	ana := d.ana()
	remove := func(id string) string { return jsonf(`{"customerId":%q,"paymentMethodId":%q}`, ana, id) }
	card := d.giftCard(5000)
	e := d.refused("customer.removePaymentMethod", remove(card), bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, "still has $50.00")
	visa := d.order(d.anasOrder("Visa ending 4242")).method("Visa ending 4242")
	e = d.refused("customer.removePaymentMethod", remove(visa), bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, "is not finished and goes by Visa ending 4242")
	d.refused("customer.removePaymentMethod", remove("cash"), bus.PreconditionFailed, bus.ReasonState)
	var orders struct{ Orders []struct{ ID string } }
	d.must("order.search", jsonf(`{"customerId":%q,"status":"pending"}`, ana), &orders)
	for _, o := range orders.Orders {
		d.must("order.cancel", jsonf(`{"orderId":%q,"reason":"other"}`, o.ID), nil)
	}
	d.must("customer.removePaymentMethod", remove(visa), nil)
	if got, want := d.said(), "Remove Visa ending 4242 of Ana Ruiz"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	d.refused("customer.removePaymentMethod", remove(visa), bus.NotFound, bus.ReasonRecord)
	d.addsUp()
}

// TestErasedCustomerIsNowhere: nothing of Ana is left in the file but the request
// that wanted it so, orders stay and the log verifies.
func TestErasedCustomerIsNowhere(t *testing.T) {
	d := openSample(t, "owner")
	ana := d.ana()
	id := d.anasOrder("Visa ending 4242")
	d.must("order.addNote", jsonf(`{"orderId":%q,"text":"Call Ana first"}`, id), nil)
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","quantity":1,"customerId":%q}`, ana), nil)
	d.giftCard(700)
	c := d.customerPage(ana)
	e := d.refused("customer.erase", jsonf(`{"customerId":%q}`, ana), bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Hint, "order.cancel")
	var orders struct{ Orders []struct{ ID string } }
	d.must("order.search", jsonf(`{"customerId":%q,"status":"pending"}`, ana), &orders)
	for _, o := range orders.Orders {
		d.must("order.cancel", jsonf(`{"orderId":%q,"reason":"other"}`, o.ID), nil)
	}
	d.must("order.search", jsonf(`{"customerId":%q,"status":"processed"}`, ana), &orders)
	for _, o := range orders.Orders {
		d.must("order.deliver", jsonf(`{"orderId":%q}`, o.ID), nil)
	}
	d.as("manager")
	d.refused("customer.erase", jsonf(`{"customerId":%q}`, ana), bus.Forbidden, bus.ReasonPermission)
	d.as("owner")
	before := d.number(`SELECT COUNT(*) FROM orders`)
	res := d.bus.Invoke(context.Background(), bus.Invocation{Capability: "customer.erase",
		Arguments: json.RawMessage(jsonf(`{"customerId":%q}`, ana)),
		Caller:    bus.Caller{Type: bus.CallerAgent}, Principal: d.person})
	if !res.OK() {
		t.Fatal(res.Err, res.Err.Unwrap())
	}
	contains(t, d.card.Summary, "Erase everything about Ana Ruiz for good")
	contains(t, d.card.Summary, "$7.00 on gift cards lapses")
	var out struct{ Orders, Records int }
	if err := json.Unmarshal(res.Data, &out); err != nil || out.Orders != len(c.Orders) || out.Records < 5 {
		t.Errorf("erased: %+v %v", out, err)
	}
	if n := d.number(`SELECT COUNT(*) FROM orders`); n != before {
		t.Errorf("%d orders of %d are left", n, before)
	}
	d.refused("customer.get", jsonf(`{"customerId":%q}`, ana), bus.NotFound, bus.ReasonRecord)
	if o := d.order(id); o.ShippingAddress.Line1 != "" || o.Payments[0].Label != "Erased" {
		t.Errorf("order: %+v", o)
	}
	var hits struct{ Hits []struct{ Title string } }
	d.must("search.query", `{"query":"erased","kinds":["customer"]}`, &hits)
	if len(hits.Hits) != 0 {
		t.Errorf("found: %+v", hits)
	}
	d.addsUp()
	if v, err := d.log.Verify(t.Context(), nil); err != nil || !v.OK {
		t.Errorf("verify: %+v %v", v, err)
	}
	path := d.path
	if err := d.log.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, trace := range []string{c.Email, c.Phone, "123 Main St", "Call Ana"} {
		if strings.Contains(string(raw), trace) {
			t.Errorf("%q is still in the file", trace)
		}
	}
}
