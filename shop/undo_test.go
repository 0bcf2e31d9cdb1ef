package shop_test

import (
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

func openUndoable(t *testing.T) *desk {
	t.Helper()
	d := openSample(t, "owner")
	d.bus.MustRegister(audit.UndoCapability(d.log))
	return d
}

func (d *desk) hash() string {
	d.t.Helper()
	h, err := d.log.StateHash(d.t.(*testing.T).Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return h
}

// TestWhatIsReversibleIsTakenBack: the shop is as it was before.
func TestWhatIsReversibleIsTakenBack(t *testing.T) {
	d := openUndoable(t)
	ana := d.ana()
	pending, processed, delivered := d.anasOrder("PayPal"), d.anasOrder("PayPal"), d.delivered("PayPal")
	d.must("order.process", jsonf(`{"orderId":%q}`, processed), nil)
	o := d.order(pending)
	paypal, work, empty := o.method("PayPal"), o.address("Work"), d.giftCard(0)
	diana := d.customer("Diana Prewitt")
	for _, step := range []struct{ name, args string }{
		{"order.changeAddress", jsonf(`{"orderId":%q,"addressId":%q}`, pending, work)},
		{"order.process", jsonf(`{"orderId":%q}`, pending)},
		{"order.fulfil", jsonf(`{"orderId":%q,"trackingId":"NLC1"}`, processed)},
		{"order.deliver", jsonf(`{"orderId":%q}`, processed)},
		{"order.return", jsonf(`{"orderId":%q,"lines":[{"variantId":%q}],"paymentMethodId":%q}`, delivered, gujiBeans,
			paypal)},
		{"order.exchange", jsonf(`{"orderId":%q,"changes":[{"variantId":%q,"newVariantId":%q}],"paymentMethodId":%q}`,
			delivered, gujiBeans, gujiGround, paypal)},
		{"customer.update", jsonf(`{"customerId":%q,"name":"Ana Bloom"}`, ana)},
		{"customer.setAddress", jsonf(
			`{"customerId":%q,"address":{"line1":"1 Pier","city":"Bath","postalCode":"04530","country":"US"}}`, ana)},
		{"customer.removeAddress", jsonf(`{"customerId":%q,"addressId":%q}`, ana, o.address("Home"))},
		{"customer.addPaymentMethod",
			jsonf(`{"customerId":%q,"kind":"giftCard","balance":{"amount":500,"currency":"USD"},"default":true}`, ana)},
		{"customer.removePaymentMethod", jsonf(`{"customerId":%q,"paymentMethodId":%q}`, ana, empty)},
		{"catalog.createProduct", newShirt},
		{"catalog.updateProduct",
			jsonf(`{"productId":"prd_guji_natural","name":"Guji","tags":[],"variants":[{"variantId":%q,"price":{"amount":1,"currency":"USD"}}]}`, gujiBeans)},
		{"catalog.archiveProduct", `{"productId":"prd_guji_natural"}`},
		{"catalog.setPrice", `{"productId":"prd_guji_natural","price":{"amount":2000,"currency":"USD"}}`},
		{"catalog.adjustStock", `{"productId":"prd_guji_natural","delta":-4}`},
		{"catalog.receiveStock", jsonf(
			`{"lines":[{"variantId":%q,"quantity":3,"cost":{"amount":900,"currency":"USD"}},{"variantId":%q,"quantity":2}],"reference":"4711"}`,
			gujiBeans, gujiGround)},
		{"catalog.setReorder", `{"productId":"prd_guji_natural","level":9}`},
		{"customer.create", `{"name":"Kim Example"}`},
		{"customer.addAddress", jsonf(
			`{"customerId":%q,"address":{"line1":"1 Pier","city":"Bath","postalCode":"04530","country":"US"},"default":true}`,
			diana)},
		{"customer.merge", jsonf(`{"keep":%q,"remove":%q}`, diana, ana)},
	} {
		before := d.hash()
		r := d.must(step.name, step.args, nil)
		if d.hash() == before {
			t.Errorf("%s changed nothing", step.name)
		}
		d.must("audit.undo", jsonf(`{"requestId":%q}`, r.RequestID), nil)
		if d.hash() != before {
			t.Errorf("%s was not taken back", step.name)
		}
	}
	d.addsUp()
}

// TestNothingIsTakenBackBehindALaterChange: an order never gets into a state
// that it could not have come to.
func TestNothingIsTakenBackBehindALaterChange(t *testing.T) {
	d := openUndoable(t)
	id := d.anasOrder("Visa ending 4242")
	visa := d.order(id).method("Visa ending 4242")
	requests := map[string]string{}
	for _, step := range []struct{ name, rest string }{
		{"order.changeAddress", jsonf(`,"addressId":%q`, d.order(id).address("Work"))}, {"order.process", ""},
		{"order.fulfil", ""}, {"order.deliver", ""},
		{"order.return", jsonf(`,"lines":[{"variantId":%q}],"paymentMethodId":%q`, gujiBeans, visa)},
		{"order.receiveReturn", `,"restock":true`},
	} {
		requests[step.name] = d.must(step.name, jsonf(`{"orderId":%q%s}`, id, step.rest), nil).RequestID
		for name, request := range requests {
			if name != step.name {
				d.refused("audit.undo", jsonf(`{"requestId":%q}`, request), bus.Conflict, bus.ReasonChanged)
			}
		}
	}
	d.refused("audit.undo", jsonf(`{"requestId":%q}`, requests["order.receiveReturn"]), bus.PreconditionFailed,
		bus.ReasonState)

	// A gift card that was used stays.
	var made struct{ PaymentMethodID string }
	added := d.must("customer.addPaymentMethod",
		jsonf(`{"customerId":%q,"kind":"giftCard","balance":{"amount":9000,"currency":"USD"}}`, d.ana()), &made).RequestID
	paid := d.anasOrder("Gift card")
	d.must("order.changePayment", jsonf(`{"orderId":%q,"paymentMethodId":"cash"}`, paid), nil)
	d.refused("audit.undo", jsonf(`{"requestId":%q}`, added), bus.Conflict, bus.ReasonChanged)
	d.addsUp()
}

// TestThereIsAlwaysOneDefault: an undo leaves neither two defaults nor none.
func TestThereIsAlwaysOneDefault(t *testing.T) {
	d := openUndoable(t)
	var made struct{ CustomerID string }
	d.must("customer.create", `{"name":"Kim Example"}`, &made)
	add := func(kind string) string {
		return d.must("customer.addPaymentMethod", jsonf(`{"customerId":%q,"kind":%q}`, made.CustomerID, kind), nil).RequestID
	}
	check := func(want string) {
		t.Helper()
		defaults := ""
		for _, m := range d.customerPage(made.CustomerID).PaymentMethods {
			if m.Default {
				defaults += m.Kind + " "
			}
		}
		if defaults != want {
			t.Errorf("defaults: %q, want %q", defaults, want)
		}
	}
	first := add("paypal")
	add("onAccount")
	d.must("audit.undo", jsonf(`{"requestId":%q}`, first), nil)
	check("onAccount ") // the only one left
	removed := d.must("customer.removePaymentMethod", jsonf(`{"customerId":%q,"paymentMethodId":%q}`, made.CustomerID,
		d.customerPage(made.CustomerID).PaymentMethods[0].ID), nil).RequestID
	add("paypal")
	d.must("audit.undo", jsonf(`{"requestId":%q}`, removed), nil)
	check("paypal ")

	// Both removed, the default at last; another is the default now.
	for range 2 {
		all := d.customerPage(made.CustomerID).PaymentMethods
		removed = d.must("customer.removePaymentMethod", jsonf(`{"customerId":%q,"paymentMethodId":%q}`, made.CustomerID,
			all[len(all)-1].ID), nil).RequestID
	}
	add("onAccount")
	d.refused("audit.undo", jsonf(`{"requestId":%q}`, removed), bus.Conflict, bus.ReasonChanged)
	check("onAccount ")
}
