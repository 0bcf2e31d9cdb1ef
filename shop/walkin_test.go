package shop_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

type soldView struct {
	OrderID, Fulfilment, EstimatedDelivery string
	Total, Change                          money
}

func TestAWalkInTakesTheGoodsAlong(t *testing.T) {
	d := openSample(t, "clerk")
	stock := d.number(`SELECT stock FROM variants WHERE id = ?`, gujiBeans)
	d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":2}`, nil)
	var sold soldView
	d.must("checkout.submit", `{"tendered":{"amount":5000,"currency":"USD"}}`, &sold)
	if sold.Fulfilment != "takeAway" || sold.Total.Amount != 2*2144 || sold.Change.Amount != 5000-2*2144 {
		t.Errorf("sold %+v", sold)
	}
	contains(t, d.said(), "Submit order for a walk-in: $42.88, taken along, paid by Cash, $50.00 given, $7.12 change")
	if n := d.number(`SELECT stock FROM variants WHERE id = ?`, gujiBeans); n != stock-2 {
		t.Errorf("stock went from %d to %d", stock, n)
	}
	var o struct {
		Title, Status       string
		Customer            *struct{ ID string }
		ShippingAddress     *struct{ ID string }
		Shipping            money
		Timeline            []struct{ Text string }
		SavedPaymentMethods []struct{ ID string }
		Actions             []struct {
			Capability string
			Available  bool
		}
	}
	d.must("order.get", jsonf(`{"orderId":%q}`, sold.OrderID), &o)
	if o.Customer != nil || o.ShippingAddress != nil || o.Status != "delivered" || o.Shipping.Amount != 0 ||
		o.Title != sold.OrderID+" · $42.88" || len(o.SavedPaymentMethods) != 4 {
		t.Errorf("order %+v", o)
	}
	if last := o.Timeline[len(o.Timeline)-1].Text; last != "Taken along" {
		t.Errorf("timeline ends with %q", last)
	}
	for _, a := range o.Actions {
		if may := strings.HasPrefix(a.Capability, "order.return") || a.Capability == "order.exchange" || a.Capability == "order.addNote"; may !=
			a.Available {
			t.Errorf("%s is available: %v", a.Capability, a.Available)
		}
	}
}

func TestWhatAWalkInBoughtIsFoundReportedAndReturnedToCash(t *testing.T) {
	d := openSample(t, "manager")
	d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":2}`, nil)
	var sold soldView
	d.must("checkout.submit", `{"paymentMethodId":"cash"}`, &sold)
	for _, search := range []string{`{}`, jsonf(`{"query":%q}`, sold.OrderID), `{"query":"guji"}`} {
		var found struct{ Orders []struct{ ID string } }
		d.must("order.search", search, &found)
		if len(found.Orders) == 0 || found.Orders[0].ID != sold.OrderID {
			t.Errorf("%s finds %v", search, found.Orders)
		}
	}
	var found struct{ Hits []struct{ ID, Title string } }
	d.must("search.query", jsonf(`{"query":%q}`, sold.OrderID), &found)
	if len(found.Hits) == 0 || found.Hits[0].Title != sold.OrderID {
		t.Errorf("search finds %v", found.Hits)
	}
	var sales struct{ Totals struct{ TotalSales money } }
	day := sold.EstimatedDelivery
	d.must("report.sales", jsonf(`{"from":%q,"to":%q}`, day, day), &sales)
	if sales.Totals.TotalSales.Amount < sold.Total.Amount {
		t.Errorf("sales of the day: %+v", sales)
	}
	for _, args := range []string{`{"kind":"orders","format":"csv"}`, jsonf(`{"kind":"receipt","format":"pdf","orderId":%q}`,
		sold.OrderID), jsonf(`{"kind":"receipt","format":"csv","orderId":%q}`, sold.OrderID)} {
		d.must("document.export", args, nil)
	}

	back := jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"paymentMethodId":%%q}`, sold.OrderID, gujiBeans)
	e := d.refused("order.return", jsonf(back, "card"), bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, "was not paid by Card")
	e = d.refused("order.return", jsonf(back, "pm_none"), bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, "no saved payment methods")
	d.must("order.return", jsonf(back, "cash"), nil)
	d.must("order.receiveReturn", jsonf(`{"orderId":%q,"restock":true}`, sold.OrderID), nil)
	if n := d.number(`SELECT amount FROM payments WHERE order_id = ? AND kind = 'refund' AND method_id = 'cash'`,
		sold.OrderID); n != 2144 {
		t.Errorf("refunded %d", n)
	}
}

func TestACustomerMayTakeAlongAndPickUpWithoutShipping(t *testing.T) {
	d := openSample(t, "clerk")
	ana := d.fillAnasCart()
	if c := d.cart(); c.Fulfilment != "deliver" || c.Shipping.Amount != 495 {
		t.Errorf("a customer's cart: %+v", c)
	}
	d.must("cart.setShipping", `{"fulfilment":"pickUp"}`, nil)
	if c := d.cart(); c.Fulfilment != "pickUp" || c.Shipping.Amount != 0 || c.Total.Amount != 2*2144 {
		t.Errorf("picked up: %+v", c)
	}
	var sold soldView
	d.must("checkout.submit", `{"paymentMethodId":"card"}`, &sold)
	var o struct {
		Status   string
		Customer struct{ ID string }
		Payments []struct{ PaymentMethodID, Label string }
	}
	d.must("order.get", jsonf(`{"orderId":%q}`, sold.OrderID), &o)
	if o.Status != "pending" || o.Customer.ID != ana || o.Payments[0].Label != "Card" {
		t.Errorf("order %+v", o)
	}
	e := d.refused("order.changeAddress", jsonf(`{"orderId":%q,"addressId":"x"}`, sold.OrderID), bus.PreconditionFailed,
		bus.ReasonState)
	contains(t, e.Message, "picked up, so nothing is sent")
	d.must("order.process", jsonf(`{"orderId":%q}`, sold.OrderID), nil)
	d.must("order.deliver", jsonf(`{"orderId":%q}`, sold.OrderID), nil)

	// An address or a shipping method implies delivery, even if the cart says otherwise.
	d.fillAnasCart()
	d.must("cart.setShipping", `{"fulfilment":"takeAway"}`, nil)
	d.must("cart.setShipping", `{"method":"express"}`, nil)
	if c := d.cart(); c.Fulfilment != "deliver" || c.Shipping.Amount == 0 {
		t.Errorf("sent by express: %+v", c)
	}
	home := d.cart().address("Home")
	d.must("cart.setShipping", `{"fulfilment":"takeAway"}`, nil)
	var r soldView
	d.must("checkout.submit", jsonf(`{"shippingAddressId":%q,"paymentMethodId":"cash"}`, home), &r)
	if r.Fulfilment != "deliver" || r.Total.Amount <= 2*2144 {
		t.Errorf("to an address: %+v", r)
	}
	d.fillAnasCart()
	d.refused("cart.setShipping", `{}`, bus.Validation, bus.ReasonArguments)
}

func TestDeliveryGoesToTheDefaultAddressByTheDefaultMethod(t *testing.T) {
	d := openSample(t, "clerk")
	d.fillAnasCart()
	c := d.cart()
	d.must("checkout.submit", `{}`, nil)
	contains(t, d.said(), "("+c.SavedAddresses[0].Label+"), paid by "+c.SavedPaymentMethods[0].Label)

	d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":2}`, nil)
	e := d.refused("checkout.submit", `{"fulfilment":"deliver"}`, bus.PreconditionFailed, bus.ReasonUnavailable)
	contains(t, e.Message, "no customer to deliver to")
}

func TestTheCartSaysWhatItCanBePaidByAndThatIsTaken(t *testing.T) {
	d := openSample(t, "clerk")
	d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":1}`, nil)
	check := func(when, want string) {
		t.Helper()
		var got []string
		c := d.cart()
		for i, m := range c.SavedPaymentMethods {
			if got = append(got, m.Label); m.Default != (i == 0) {
				t.Errorf("%s: %+v is the default: %v", when, m, m.Default)
			}
		}
		if is := strings.Join(got, ", "); is != want {
			t.Errorf("%s is paid by %s", when, is)
		}
		d.must("checkout.submit", `{}`, nil)
		contains(t, d.said(), ", paid by "+got[0])
	}
	check("a walk-in's cart", "Cash, Card, Bank transfer, Other")
	d.fillAnasCart()
	saved := "Visa ending 4242, PayPal"
	check("a delivery", saved+", Cash, Card, Bank transfer, Other")
	for _, fulfilment := range []string{"takeAway", "pickUp"} {
		d.fillAnasCart()
		d.must("cart.setShipping", jsonf(`{"fulfilment":%q}`, fulfilment), nil)
		check(fulfilment, "Cash, Card, Bank transfer, Other, "+saved)
	}
}

// TestEveryCartIsPaidByTheMethodsOfTheShop: however the buyer gets the goods, and by each of them again when an order is
// paid in another way.
func TestEveryCartIsPaidByTheMethodsOfTheShop(t *testing.T) {
	d := openSample(t, "manager")
	var made struct{ CustomerID string }
	d.must("customer.create", `{"name":"New Person"}`, &made)
	d.must("customer.addAddress", jsonf(`{"customerId":%q,"address":{"line1":"1 Road","city":"Bath",
		"postalCode":"04530","country":"US"}}`, made.CustomerID), nil)
	for _, fulfilment := range []string{"deliver", "pickUp", "takeAway"} {
		for _, method := range []string{"cash", "card", "transfer", "other"} {
			d.must("cart.setCustomer", jsonf(`{"customerId":%q,"fulfilment":%q}`, made.CustomerID, fulfilment), nil)
			d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":1}`, nil)
			var sold soldView
			d.must("checkout.submit", jsonf(`{"paymentMethodId":%q,"fulfilment":%q}`, method, fulfilment), &sold)
			var o struct {
				SavedPaymentMethods []struct{ ID string }
				Payments            []struct{ PaymentMethodID string }
			}
			d.must("order.get", jsonf(`{"orderId":%q}`, sold.OrderID), &o)
			if len(o.SavedPaymentMethods) != 4 || o.Payments[0].PaymentMethodID != method {
				t.Errorf("%s by %s: %+v", fulfilment, method, o)
			}
			if fulfilment == "takeAway" {
				continue
			}
			for _, other := range o.SavedPaymentMethods {
				if other.ID != method {
					d.must("order.changePayment", jsonf(`{"orderId":%q,"paymentMethodId":%q}`, sold.OrderID, other.ID), nil)
					method = other.ID
				}
			}
		}
	}
	var paid struct{ Rows []struct{ Method string } }
	d.must("report.payments", `{"period":"today"}`, &paid)
	if !slices.ContainsFunc(paid.Rows, func(r struct{ Method string }) bool { return r.Method == "transfer" }) {
		t.Errorf("no transfers in the report: %+v", paid)
	}
}

// TestTheDefaultMethodCoversTheTotal: a gift card with too little left is offered and not the default.
func TestTheDefaultMethodCoversTheTotal(t *testing.T) {
	d := openSample(t, "manager")
	var made struct{ CustomerID string }
	d.must("customer.create", `{"name":"New Person"}`, &made)
	d.must("customer.addAddress", jsonf(`{"customerId":%q,"address":{"line1":"1 Road","city":"Bath",
		"postalCode":"04530","country":"US"}}`, made.CustomerID), nil)
	d.must("customer.addPaymentMethod", jsonf(`{"customerId":%q,"kind":"giftCard",
		"balance":{"amount":100,"currency":"USD"}}`, made.CustomerID), nil)
	d.must("cart.setCustomer", jsonf(`{"customerId":%q}`, made.CustomerID), nil)
	d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":1}`, nil)
	if all := d.cart().SavedPaymentMethods; len(all) != 5 || all[0].Label != "Cash" || all[1].Label != "Gift card" {
		t.Errorf("%+v", all)
	}
	d.must("checkout.submit", `{}`, nil)
}

// TestACheckoutAsksForAnAddressByItsOwnFulfilment, and so does the check that comes before it.
func TestACheckoutAsksForAnAddressByItsOwnFulfilment(t *testing.T) {
	d := openSample(t, "clerk")
	var made struct{ CustomerID string }
	d.must("customer.create", `{"name":"New Person"}`, &made)
	fill := func(said string) {
		t.Helper()
		d.must("cart.setCustomer", jsonf(`{"customerId":%q}`, made.CustomerID), nil)
		d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":1}`, nil)
		d.must("cart.setShipping", jsonf(`{"fulfilment":%q}`, said), nil)
	}
	valid := func(args string) (ok bool) {
		t.Helper()
		var out struct{ OK bool }
		d.must("cart.validate", args, &out)
		return out.OK
	}
	for _, said := range []string{"deliver", "pickUp", "takeAway"} {
		fill(said)
		for _, args := range []string{`{"fulfilment":"deliver"}`, `{"shippingAddressId":"adr_1"}`} {
			e := d.refused("checkout.submit", args, bus.PreconditionFailed, bus.ReasonUnavailable)
			contains(t, e.Message, "New Person has no saved address.")
			if valid(args) {
				t.Errorf("%s is said to be possible with %s", args, said)
			}
		}
		for _, own := range []string{"pickUp", "takeAway"} {
			fill(said)
			args := jsonf(`{"fulfilment":%q}`, own)
			var sold soldView
			if d.must("checkout.submit", args, &sold); sold.Fulfilment != own {
				t.Errorf("sold as %s", sold.Fulfilment)
			}
			if fill(said); !valid(args) {
				t.Errorf("%s is said to be impossible with %s", args, said)
			}
		}
	}
	d.must("cart.setCustomer", `{"walkIn":true}`, nil)
	e := d.refused("checkout.submit", `{"fulfilment":"deliver"}`, bus.PreconditionFailed, bus.ReasonUnavailable)
	contains(t, e.Message, "no customer to deliver to")
}

func TestACartBecomesAWalkInsWithWhatIsInIt(t *testing.T) {
	d := openUndoable(t)
	ana := d.fillAnasCart()
	d.refused("cart.setCustomer", `{}`, bus.Validation, bus.ReasonArguments)
	d.refused("cart.setCustomer", jsonf(`{"customerId":%q,"walkIn":true}`, ana), bus.Validation, bus.ReasonArguments)
	r := d.must("cart.setCustomer", `{"walkIn":true}`, nil)
	contains(t, d.said(), "Make Ana Ruiz's cart a walk-in's")
	if c := d.cart(); c.Customer != nil || c.ItemCount != 2 || c.Fulfilment != "takeAway" || c.Shipping.Amount != 0 {
		t.Errorf("a walk-in's: %+v", c)
	}
	d.must("audit.undo", jsonf(`{"requestId":%q}`, r.RequestID), nil)
	if c := d.cart(); c.Customer == nil || c.Customer.ID != ana || c.Fulfilment != "deliver" {
		t.Errorf("after undo: %+v", c)
	}

	// The way of delivery chosen with the customer holds unless the cart says otherwise.
	d.must("cart.setCustomer", jsonf(`{"customerId":%q,"fulfilment":"takeAway"}`, ana), nil)
	if c := d.cart(); c.Fulfilment != "takeAway" {
		t.Errorf("said with the customer: %+v", c)
	}
	d.must("cart.setCustomer", jsonf(`{"customerId":%q,"fulfilment":"deliver"}`, ana), nil)
	if c := d.cart(); c.Fulfilment != "takeAway" {
		t.Errorf("said before: %+v", c)
	}
}

func TestAMailedReceiptOfAWalkInNeedsAnAddress(t *testing.T) {
	d := openSample(t, "clerk")
	d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":2}`, nil)
	var sold soldView
	d.must("checkout.submit", `{"paymentMethodId":"other"}`, &sold)
	d.as("owner")
	d.must("settings.set", withMail, nil)
	e := d.refused("email.sendReceipt", jsonf(`{"orderId":%q}`, sold.OrderID), bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, "a walk-in's")
	d.must("email.sendReceipt", jsonf(`{"orderId":%q,"to":"someone@example.com"}`, sold.OrderID), nil)
	if !strings.Contains(d.said(), "for a walk-in to someone@example.com") {
		t.Errorf("said %q", d.said())
	}
}

// TestSeveralMethodsPayAnOrder: one method takes the rest, cash has its change, a gift card pays its balance, and a
// cancellation refunds each method.
func TestSeveralMethodsPayAnOrder(t *testing.T) {
	d := openSample(t, "manager")
	var card struct{ PaymentMethodID string }
	d.must("customer.addPaymentMethod", jsonf(`{"customerId":%q,"kind":"giftCard",
		"balance":{"amount":500,"currency":"USD"}}`, d.ana()), &card)
	d.fillAnasCart()
	var sold struct {
		soldView
		Payments []struct {
			PaymentMethodID string
			Amount          money
		}
	}
	d.must("checkout.submit", jsonf(`{"fulfilment":"pickUp","tendered":{"amount":2000,"currency":"USD"},"payments":[
		{"paymentMethodId":%q,"amount":{"amount":500,"currency":"USD"}},{"paymentMethodId":"card"},
		{"paymentMethodId":"cash","amount":{"amount":1500,"currency":"USD"}}]}`, card.PaymentMethodID), &sold)
	paid := map[string]int64{}
	for _, p := range sold.Payments {
		paid[p.PaymentMethodID] = p.Amount.Amount
	}
	want := map[string]int64{card.PaymentMethodID: 500, "card": sold.Total.Amount - 2000, "cash": 1500}
	if !maps.Equal(paid, want) || sold.Change.Amount != 500 {
		t.Errorf("paid %v, want %v; %+v", paid, want, sold)
	}
	contains(t, d.said(), "paid by $5.00, Gift card; ")
	var o struct {
		Payments []struct {
			PaymentMethodID string
			Tendered        *money
		}
	}
	d.must("order.get", jsonf(`{"orderId":%q}`, sold.OrderID), &o)
	if len(o.Payments) != 3 || o.Payments[1].Tendered != nil || o.Payments[2].Tendered.Amount != 2000 {
		t.Errorf("%+v", o)
	}
	var gone struct {
		Refunds []struct {
			PaymentMethodID string
			Amount          money
		}
	}
	d.must("order.cancel", jsonf(`{"orderId":%q,"reason":"other"}`, sold.OrderID), &gone)
	back := map[string]int64{}
	for _, r := range gone.Refunds {
		back[r.PaymentMethodID] = r.Amount.Amount
	}
	if !maps.Equal(back, want) || d.number(`SELECT balance FROM payment_methods WHERE id = ?`, card.PaymentMethodID) != 500 {
		t.Errorf("given back %v, want %v", back, want)
	}
}

// TestPaymentsThatDoNotFitAreRefused with the difference, or with the reason.
func TestPaymentsThatDoNotFitAreRefused(t *testing.T) {
	d := openSample(t, "manager")
	d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":1}`, nil) // 21.44
	part := func(method string, amount int64) string {
		return jsonf(`{"paymentMethodId":%q,"amount":{"amount":%d,"currency":"USD"}}`, method, amount)
	}
	rest := jsonf(`{"paymentMethodId":"card"}`)
	for arguments, want := range map[string]string{
		`"payments":[` + part("cash", 1000) + `,` + part("card", 1100) + `]`:    "The payments come to $0.44 less than the total, $21.44.",
		`"payments":[` + part("cash", 2200) + `,` + rest + `]`:                  "The payments come to $0.56 more than the total, $21.44.",
		`"payments":[` + rest + `,` + rest + `]`:                                "Only one payment takes the rest.",
		`"payments":[` + part("cash", 1000) + `,` + part("cash", 1144) + `]`:    "Cash is among the payments once.",
		`"payments":[` + rest + `],"paymentMethodId":"cash"`:                    "Give either one payment method or payments.",
		`"payments":[` + rest + `],"tendered":{"amount":3000,"currency":"USD"}`: "Only cash is handed over, not Card.",
	} {
		if e := d.refused("checkout.submit", `{`+arguments+`}`, bus.Validation, bus.ReasonArguments); e.Message != want {
			t.Errorf("%s: %q, want %q", arguments, e.Message, want)
		}
	}
}
