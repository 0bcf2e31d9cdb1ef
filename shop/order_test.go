package shop_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// TestC8TheCheckoutRequiresThatTheCartIsValid: a problem in cart.validate makes checkout.submit unavailable.
//
// holds: C8
func TestC8TheCheckoutRequiresThatTheCartIsValid(t *testing.T) {
	d := openSample(t, "clerk")
	wants := func(missing, hint string) {
		t.Helper()
		m, err := d.bus.Manifest(t.Context(), bus.View{Caller: bus.CallerUI, Principal: d.person})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(m.Capabilities, func(e bus.ManifestEntry) bool { return e.Name == "checkout.submit" })
		e := m.Capabilities[at]
		if !slices.Equal(e.Requires, []string{"cart.validate"}) || e.UnavailableReason != missing {
			t.Errorf("requires %q, %q", e.Requires, e.UnavailableReason)
		}
		if missing == "" {
			return
		}
		r := d.invoke("checkout.submit", `{"shippingAddressId":"a","paymentMethodId":"cash"}`)
		if r.Err == nil || r.Err.Code != bus.PreconditionFailed || r.Err.Message != missing {
			t.Fatalf("%+v", r.Err)
		}
		contains(t, r.Err.Hint, hint)
	}
	wants("The cart is empty.", "cart.addItem")
	var made struct{ CustomerID string }
	d.must("customer.create", `{"name":"New Person"}`, &made)
	d.must("cart.setCustomer", jsonf(`{"customerId":%q}`, made.CustomerID), nil)
	wants("The cart is empty.", "cart.addItem")
	d.must("cart.addItem", `{"productId":"prd_guji_natural","quantity":84}`, nil)
	wants("New Person has no saved address.", "cart.validate")
	d.must("customer.addAddress",
		jsonf(`{"customerId":%q,"address":{"line1":"1 Road","city":"Bath","postalCode":"04530","country":"US"}}`,
			made.CustomerID), nil)
	wants("", "")
}

func TestSubmitRefuses(t *testing.T) {
	d := openSample(t, "clerk")
	submit := func(address, method string) string {
		return jsonf(`{"shippingAddressId":%q,"paymentMethodId":%q}`, address, method)
	}
	d.refused("checkout.submit", submit("x", "y"), bus.PreconditionFailed, bus.ReasonUnavailable)
	d.fillAnasCart()
	c := d.cart()
	home, visa := c.address("Home"), c.method("Visa ending 4242")
	var other struct {
		Addresses      []struct{ ID string }
		PaymentMethods []struct{ ID string }
	}
	d.must("customer.get", jsonf(`{"customerId":%q}`, d.customer("Diana Prewitt")), &other)

	for name, tc := range map[string]struct {
		args   string
		code   bus.Code
		reason bus.Reason
		says   string
	}{
		"an address of what is taken along": {jsonf(`{"fulfilment":"takeAway","shippingAddressId":%q}`, home),
			bus.Validation, bus.ReasonArguments, "Only what is delivered"},
		"unknown address":        {submit("adr_none", visa), bus.NotFound, bus.ReasonRecord, "adr_none"},
		"unknown payment method": {submit(home, "pm_none"), bus.NotFound, bus.ReasonRecord, "pm_none"},
		"another customer's address": {submit(other.Addresses[0].ID, visa), bus.PreconditionFailed, bus.ReasonState,
			"another customer, not to Ana Ruiz"},
		"another customer's payment method": {submit(home, other.PaymentMethods[0].ID), bus.PreconditionFailed,
			bus.ReasonState, "another customer, not to Ana Ruiz"},
	} {
		t.Run(name, func(t *testing.T) {
			e := d.refused("checkout.submit", tc.args, tc.code, tc.reason)
			contains(t, e.Message, tc.says)
		})
	}
	d.as("auditor")
	d.refused("checkout.submit", submit(home, visa), bus.Forbidden, bus.ReasonPermission)
}

func TestGiftCardMustCoverTheTotalAndIsGivenBack(t *testing.T) {
	d := openSample(t, "clerk")
	sofia := d.customer("Sofía Herrera") // a gift card of $35.00
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","quantity":2,"customerId":%q}`, sofia), nil)
	c := d.cart()
	card := c.method("Gift card")
	e := d.refused("checkout.submit", jsonf(`{"shippingAddressId":%q,"paymentMethodId":%q}`, c.address("Home"), card),
		bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, "$35.00 left, and $47.83 is due")

	d.must("cart.setQuantity", `{"productId":"prd_guji_natural","quantity":1}`, nil)
	r := d.submit("Home", "Gift card")
	balance := func() int64 { return d.number(`SELECT balance FROM payment_methods WHERE id = ?`, card) }
	if balance() != 3500-2144-495 {
		t.Errorf("balance after paying: %d", balance())
	}
	d.must("order.cancel", jsonf(`{"orderId":%q,"reason":"ordered by mistake"}`, r.OrderID), nil)
	if balance() != 3500 {
		t.Errorf("balance after cancelling: %d", balance())
	}
}

func TestCashNeedsNoSavedMethod(t *testing.T) {
	d := openSample(t, "clerk")
	d.fillAnasCart()
	r := d.submit("Work", "Cash")
	contains(t, d.said(), "to 48 Commercial St, Floor 3 (Work), paid by Cash")
	if n := d.number(`SELECT amount FROM payments WHERE order_id = ? AND method_id = 'cash'`, r.OrderID); n != 4783 {
		t.Errorf("paid %d", n)
	}
}

func TestCashTellsTheChange(t *testing.T) {
	d := openSample(t, "clerk")
	d.fillAnasCart()
	c := d.cart()
	submit := func(method, tendered string) string {
		return jsonf(`{"shippingAddressId":%q,"paymentMethodId":%q,"tendered":%s}`, c.address("Home"), method, tendered)
	}
	d.refused("checkout.submit", submit("cash", `{"amount":4782,"currency":"USD"}`), bus.PreconditionFailed,
		bus.ReasonState)
	d.refused("checkout.submit", submit("cash", `{"amount":5000,"currency":"EUR"}`), bus.Validation, bus.ReasonArguments)
	d.refused("checkout.submit", submit(c.method("PayPal"), `{"amount":5000,"currency":"USD"}`), bus.Validation,
		bus.ReasonArguments)
	var out struct {
		OrderID string
		Change  money
	}
	d.must("checkout.submit", submit("cash", `{"amount":5000,"currency":"USD"}`), &out)
	contains(t, d.said(), "paid by Cash, $50.00 given, $2.17 change")
	var o struct {
		Payments []struct{ Amount, Tendered, Change money }
	}
	d.must("order.get", jsonf(`{"orderId":%q}`, out.OrderID), &o)
	if out.Change.Amount != 217 || o.Payments[0].Amount.Amount != 4783 || o.Payments[0].Tendered.Amount != 5000 ||
		o.Payments[0].Change.Amount != 217 {
		t.Errorf("change: %+v, %+v", out, o)
	}
}

func TestATotalThatIsNotTheOneAgreedIsRefused(t *testing.T) {
	d := openSample(t, "clerk")
	d.fillAnasCart()
	c := d.cart()
	submit := func(total string) string {
		return jsonf(`{"shippingAddressId":%q,"paymentMethodId":"cash","expectedTotal":%s}`, c.address("Home"), total)
	}
	d.refused("checkout.submit", submit(`{"amount":2639,"currency":"USD"}`), bus.Conflict, bus.ReasonChanged)
	d.refused("checkout.submit", submit(`{"amount":4783,"currency":"EUR"}`), bus.Validation, bus.ReasonArguments)
	d.must("checkout.submit", submit(`{"amount":4783,"currency":"USD"}`), nil)
}

func TestFreeOrderRecordsNoPayment(t *testing.T) {
	d := openSample(t, "manager")
	d.fillAnasCart()
	d.must("cart.applyDiscount", `{"percent":100,"reason":"Spoilt last time"}`, nil)
	d.must("cart.setShipping", `{"method":"pickup"}`, nil)
	r := d.submit("Home", "PayPal")
	if r.Total.Amount != 0 || d.number(`SELECT COUNT(*) FROM payments WHERE order_id = ?`, r.OrderID) != 0 {
		t.Errorf("free order: %+v", r)
	}
	d.must("order.cancel", jsonf(`{"orderId":%q,"reason":"other"}`, r.OrderID), nil)
	if got, want := d.said(), "Cancel order "+r.OrderID+" of Ana Ruiz"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
}

func TestOrderNumbersHaveSevenDigits(t *testing.T) {
	d := openSample(t, "clerk")
	d.fillAnasCart()
	if id := d.submit("Home", "PayPal").OrderID; !regexp.MustCompile(`^#W[0-9]{7}$`).MatchString(id) {
		t.Errorf("order number %q", id)
	}
}

func TestDeliveryIsEstimatedInBusinessDaysOfTheShop(t *testing.T) {
	// from a Thursday
	for method, want := range map[string]string{"standard": "2026-03-17", "express": "2026-03-13",
		"pickup": "2026-03-12"} {
		d := openSample(t, "clerk")
		d.fillAnasCart()
		d.must("cart.setShipping", jsonf(`{"method":%q}`, method), nil)
		if r := d.submit("Home", "PayPal"); r.EstimatedDelivery != want {
			t.Errorf("%s: %s, want %s", method, r.EstimatedDelivery, want)
		}
	}
}

func TestCancelRefundsAndRestocks(t *testing.T) {
	d := openSample(t, "clerk")
	stock := func() int64 { return d.number(`SELECT stock FROM variants WHERE id = ?`, gujiBeans) }
	before := stock()
	d.fillAnasCart()
	r := d.submit("Home", "Visa ending 4242")
	var out struct {
		Status  string
		Refunds []struct {
			Label  string
			Amount money
		}
	}
	res := d.must("order.cancel", jsonf(`{"orderId":%q,"reason":"no longer needed","note":"Called at noon"}`, r.OrderID),
		&out)
	if out.Status != "cancelled" || len(out.Refunds) != 1 || out.Refunds[0].Amount.Text != "$47.83" {
		t.Errorf("cancelled: %+v", out)
	}
	if got, want := d.said(), "Cancel order "+r.OrderID+" of Ana Ruiz and refund $47.83 to Visa ending 4242"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	if res.Facts["customerId"] != d.ana() || res.Facts["orderId"] != r.OrderID {
		t.Errorf("facts: %v", res.Facts)
	}
	if stock() != before {
		t.Errorf("stock went from %d to %d", before, stock())
	}
	var o struct {
		Status, CancelReason string
		Notes                []struct{ Text, By string }
		Timeline             []struct{ Text string }
		Actions              []struct {
			Capability, Reason string
			Available          bool
		}
	}
	d.must("order.get", jsonf(`{"orderId":%q}`, r.OrderID), &o)
	if o.Status != "cancelled" || o.CancelReason != "no longer needed" || o.Notes[0].Text != "Called at noon" ||
		o.Notes[0].By != "Idris Bello" {
		t.Errorf("order: %+v", o)
	}
	if o.Actions[0].Available || o.Actions[0].Reason == "" {
		t.Errorf("a cancelled order can be cancelled: %+v", o.Actions[0])
	}
	d.refused("order.cancel", jsonf(`{"orderId":%q,"reason":"other"}`, r.OrderID), bus.PreconditionFailed, bus.ReasonState)
}

func TestCancelRefuses(t *testing.T) {
	d := openSample(t, "clerk")
	var found struct{ Orders []struct{ ID string } }
	d.must("order.search", `{"status":"delivered","limit":1}`, &found)
	for name, tc := range map[string]struct {
		args   string
		code   bus.Code
		reason bus.Reason
	}{
		"no reason": {jsonf(`{"orderId":%q}`, found.Orders[0].ID), bus.Validation, bus.ReasonArguments},
		"a reason of its own": {jsonf(`{"orderId":%q,"reason":"bored"}`, found.Orders[0].ID), bus.Validation,
			bus.ReasonArguments},
		"unknown order": {`{"orderId":"#W0000000","reason":"other"}`, bus.NotFound, bus.ReasonRecord},
		"delivered order": {jsonf(`{"orderId":%q,"reason":"other"}`, found.Orders[0].ID), bus.PreconditionFailed,
			bus.ReasonState},
	} {
		t.Run(name, func(t *testing.T) { d.refused("order.cancel", tc.args, tc.code, tc.reason) })
	}
}

func TestLargeRefundNeedsAManager(t *testing.T) {
	d := openSample(t, "clerk")
	// $262.23
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","quantity":12,"customerId":%q}`, d.ana()), nil)
	r := d.submit("Home", "PayPal")
	args := jsonf(`{"orderId":%q,"reason":"other"}`, r.OrderID)
	d.refused("order.cancel", args, bus.Forbidden, bus.ReasonLimit)
	if available, why := d.order(r.OrderID).action("order.cancel"); available ||
		!strings.Contains(why, "needs a manager") {
		t.Errorf("with nobody to ask: %t %q", available, why)
	}
	d.as("owner")
	d.setPIN("mara_lindqvist")
	d.as("clerk")
	if available, why := d.order(r.OrderID).action("order.cancel"); !available ||
		!strings.Contains(why, "needs a manager") {
		t.Errorf("with an owner who has a PIN: %t %q", available, why)
	}
	d.as("manager")
	d.must("order.cancel", args, nil)
}

func TestOrderIsFoundByItsNumberInAnyForm(t *testing.T) {
	d := openSample(t, "clerk")
	d.fillAnasCart()
	id := d.submit("Home", "PayPal").OrderID
	for _, given := range []string{id, id[1:], "#w" + id[2:], id[2:], " " + id} {
		var o struct{ ID string }
		d.must("order.get", jsonf(`{"orderId":%q}`, given), &o)
		if o.ID != id {
			t.Errorf("%q gave %q, want %q", given, o.ID, id)
		}
	}
}

func TestOrdersAreSearchedAndPaged(t *testing.T) {
	d := openSample(t, "clerk")
	type page struct {
		Orders []struct {
			ID, Status, Date string
			Customer         struct{ ID, Name string }
			PlacedAt         int64
		}
		NextCursor string
		HasMore    bool
	}
	var all []string
	var last int64 = 1 << 62
	for cursor := ""; ; {
		var p page
		d.must("order.search", jsonf(`{"limit":100,"cursor":%q}`, cursor), &p)
		for _, o := range p.Orders {
			if o.PlacedAt > last {
				t.Fatalf("%s is newer than the one before", o.ID)
			}
			last = o.PlacedAt
			all = append(all, o.ID)
		}
		if cursor = p.NextCursor; !p.HasMore {
			break
		}
	}
	if n := d.number(`SELECT COUNT(*) FROM orders`); int64(len(all)) != n {
		t.Errorf("the pages have %d of %d orders", len(all), n)
	}

	var anas page
	d.must("order.search", jsonf(`{"customerId":%q}`, d.ana()), &anas)
	if len(anas.Orders) != 5 || anas.Orders[0].Status != "pending" {
		t.Errorf("Ana's orders: %+v", anas.Orders)
	}
	var byName page
	d.must("order.search", `{"query":"ana ruiz"}`, &byName)
	if diff := cmp.Diff(anas.Orders, byName.Orders); diff != "" {
		t.Errorf("by name and by id differ: %s", diff)
	}
	var day page
	d.must("order.search", `{"from":"2025-12-01","to":"2025-12-24","status":"delivered"}`, &day)
	for _, o := range day.Orders {
		if o.Date < "2025-12-01" || o.Date > "2025-12-24" || o.Status != "delivered" {
			t.Errorf("not asked for: %+v", o)
		}
	}
	if len(day.Orders) == 0 {
		t.Error("no orders in the season")
	}
	d.refused("order.search", `{"from":"soon"}`, bus.Validation, bus.ReasonArguments)
	d.refused("order.search", `{"cursor":"!"}`, bus.Validation, bus.ReasonArguments)
}

func TestNotesAreKeptWithWhoWroteThem(t *testing.T) {
	d := openSample(t, "june_park")
	d.fillAnasCart()
	id := d.submit("Home", "PayPal").OrderID
	d.refused("order.addNote", jsonf(`{"orderId":%q,"text":" \u202e "}`, id), bus.Validation, bus.ReasonArguments)
	d.must("order.addNote", jsonf(`{"orderId":%q,"text":"First line\r\n\r\n\r\nSecond \u202eline"}`, id), nil)
	var o struct{ Notes []struct{ Text, By string } }
	d.must("order.get", jsonf(`{"orderId":%q}`, id), &o)
	if diff := cmp.Diff([]struct{ Text, By string }{{"First line\n\nSecond line", "June Park"}}, o.Notes); diff != "" {
		t.Error(diff)
	}
}
