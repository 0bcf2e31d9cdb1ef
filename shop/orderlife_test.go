package shop_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/order"
	"github.com/google/go-cmp/cmp"
)

const sidamaBeans = "var_sidama_honey_1"

// TestOrderRulesByState compares the actions that succeed in each state with those in order.get.
func TestOrderRulesByState(t *testing.T) {
	d := openSample(t, "manager")
	ids := map[string]string{"pending": d.anasOrder("PayPal"), "processed": d.anasOrder("PayPal"),
		"delivered": d.delivered("PayPal"), "cancelled": d.anasOrder("PayPal"),
		"return": d.delivered("PayPal"), "exchange": d.delivered("PayPal"), "changed": d.anasOrder("PayPal")}
	d.must("order.process", jsonf(`{"orderId":%q}`, ids["processed"]), nil)
	d.must("order.cancel", jsonf(`{"orderId":%q,"reason":"other"}`, ids["cancelled"]), nil)
	o := d.order(ids["pending"])
	visa, paypal, work := o.method("Visa ending 4242"), o.method("PayPal"), o.address("Work")
	back := jsonf(`"lines":[{"variantId":%q,"quantity":1}],"paymentMethodId":%q`, gujiBeans, paypal)
	change := jsonf(`"changes":[{"variantId":%q,"newVariantId":%q,"quantity":1}],"paymentMethodId":%q`, gujiBeans,
		gujiGround, paypal)
	d.must("order.return", jsonf(`{"orderId":%q,%s}`, ids["return"], back), nil)
	d.must("order.exchange", jsonf(`{"orderId":%q,%s}`, ids["exchange"], change), nil)
	d.must("order.changeItems", jsonf(`{"orderId":%q,%s}`, ids["changed"], change), nil)

	rest := map[string]string{
		"order.cancel": `"reason":"other"`, "order.addNote": `"text":"x"`,
		"order.changeAddress": jsonf(`"addressId":%q`, work), "order.changePayment": jsonf(`"paymentMethodId":%q`, visa),
		"order.changeItems": change, "order.process": "", "order.fulfil": "", "order.deliver": "", "order.return": back,
		"order.returnNow": back + `,"reason":"faulty","restock":true`, "order.receiveReturn": `"restock":true`,
		"order.exchange": change, "order.receiveExchange": `"restock":true`,
	}
	possible := map[string]string{
		"pending":   "order.cancel order.addNote order.changeAddress order.changePayment order.changeItems order.process",
		"changed":   "order.cancel order.addNote order.changeAddress order.changePayment order.changeItems order.process",
		"processed": "order.addNote order.fulfil order.deliver",
		"delivered": "order.addNote order.return order.returnNow order.exchange",
		"return":    "order.addNote order.receiveReturn",
		"exchange":  "order.addNote order.receiveExchange",
		"cancelled": "order.addNote",
	}
	for state, can := range possible {
		t.Run(state, func(t *testing.T) {
			for _, a := range d.order(ids[state]).Actions {
				want := strings.Contains(" "+can+" ", " "+a.Capability+" ")
				if a.Available != want || a.Available == (a.Reason != "") {
					t.Errorf("%s is available: %v, because %q", a.Capability, a.Available, a.Reason)
				}
				if state == "changed" { // how many there are still changes
					rest["order.changeItems"] = jsonf(`"set":[{"variantId":%q,"quantity":2}]`, gujiBeans)
				} else {
					rest["order.changeItems"] = change
				}
				args := strings.TrimSuffix(jsonf(`{"orderId":%q,%s`, ids[state], rest[a.Capability]), ",") + "}"
				res := d.bus.Invoke(t.Context(), bus.Invocation{Capability: a.Capability, Arguments: json.RawMessage(args),
					DryRun: true,
					Caller: bus.Caller{Type: bus.CallerTest}, Principal: d.person})
				switch {
				case res.OK() != want:
					t.Errorf("%s: %v", a.Capability, res.Err)
				case !want && (res.Err.Code != bus.PreconditionFailed || !strings.Contains(res.Err.Hint, ".")):
					t.Errorf("%s is refused with %+v", a.Capability, res.Err)
				case !want && strings.Contains(a.Reason+res.Err.Message, order.StatusProcessed):
					t.Errorf("%s: people read that it is packed: %s", a.Capability, res.Err.Message)
				}
			}
		})
	}
	d.addsUp()
}

func TestChangeAddress(t *testing.T) {
	d := openSample(t, "clerk")
	id := d.anasOrder("PayPal")
	o := d.order(id)
	var other struct{ Addresses []struct{ ID string } }
	d.must("customer.get", jsonf(`{"customerId":%q}`, d.customer("Diana Prewitt")), &other)
	e := d.refused("order.changeAddress", jsonf(`{"orderId":%q,"addressId":%q}`, id, other.Addresses[0].ID),
		bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, "another customer, not to Ana Ruiz")
	d.refused("order.changeAddress", jsonf(`{"orderId":%q}`, id), bus.Validation, bus.ReasonArguments)

	res := d.must("order.changeAddress", jsonf(`{"orderId":%q,"addressId":%q}`, id, o.address("Work")), nil)
	if got, want := d.said(), "Send order "+id+" of Ana Ruiz to 48 Commercial St, Floor 3 (Work)"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	if res.Facts["orderId"] != id || res.Facts["customerId"] != d.ana() {
		t.Errorf("facts: %v", res.Facts)
	}
	d.must("order.changeAddress",
		jsonf(`{"orderId":%q,"address":{"line1":"9 New Rd","city":"Bath","postalCode":"04530","country":"US"}}`, id), nil)
	if o := d.order(id); o.ShippingAddress.Line1 != "9 New Rd" || len(o.SavedAddresses) != 2 ||
		!strings.Contains(fmt.Sprint(o.Timeline), "Address changed to 9 New Rd") {
		t.Errorf("order: %+v", o)
	}
	d.addsUp()
}

func TestChangePayment(t *testing.T) {
	d := openSample(t, "clerk")
	id := d.anasOrder("Visa ending 4242")
	o := d.order(id)
	change := func(method string) string { return jsonf(`{"orderId":%q,"paymentMethodId":%q}`, id, method) }
	e := d.refused("order.changePayment", change(o.method("Visa ending 4242")), bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, "paid by Visa ending 4242 already")
	small, large := d.giftCard(4782), d.giftCard(5000)
	e = d.refused("order.changePayment", change(small), bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, "$47.82 left, and $47.83 is due")
	d.refused("order.changePayment", change("pm_none"), bus.NotFound, bus.ReasonRecord)

	d.must("order.changePayment", change(large), nil)
	if got, want := d.said(), "Pay order "+id+" of Ana Ruiz, $47.83, by Gift card and refund $47.83 to Visa ending "+
		"4242"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	balance := func() int64 { return d.number(`SELECT balance FROM payment_methods WHERE id = ?`, large) }
	if balance() != 217 {
		t.Errorf("balance %d", balance())
	}
	d.must("order.changePayment", change("cash"), nil)
	if balance() != 5000 {
		t.Errorf("balance %d after another change", balance())
	}
	want := "payment $47.83 Visa ending 4242, refund $47.83 Visa ending 4242, payment $47.83 Gift card, refund $47.83 " +
		"Gift card, payment $47.83 Cash"
	if diff := cmp.Diff(want, d.order(id).paid()); diff != "" {
		t.Error(diff)
	}
	if o := d.order(id); o.Refunded != nil || o.Net != nil {
		t.Errorf("%+v was refunded by changing how it is paid", o.Refunded)
	}
	d.must("order.cancel", jsonf(`{"orderId":%q,"reason":"other"}`, id), nil)
	if o := d.order(id); o.Refunded.Text != "$47.83" || o.Net.Amount != 0 {
		t.Errorf("cancelled: refunded %+v, net %+v", o.Refunded, o.Net)
	}
	d.addsUp()
}

func TestChangeItems(t *testing.T) {
	d := openSample(t, "clerk")
	id := d.anasOrder("Visa ending 4242") // 2 × 250 g, whole bean
	o := d.order(id)
	var p struct {
		Variants []struct {
			ID, Label string
			Price     money
		}
	}
	d.must("catalog.getProduct", `{"productId":"prd_guji_natural"}`, &p)
	kilo := p.Variants[len(p.Variants)-1]
	change := func(from, to string, n int, method string) string {
		return jsonf(`{"orderId":%q,"changes":[{"variantId":%q,"newVariantId":%q,"quantity":%d}],"paymentMethodId":%q}`, id,
			from, to, n, method)
	}
	paypal, card := o.method("PayPal"), d.giftCard(1)
	for name, tc := range map[string]struct{ args, says string }{
		"another product":            {change(gujiBeans, sidamaBeans, 1, paypal), "not a variant of Guji Natural"},
		"the same variant":           {change(gujiBeans, gujiBeans, 1, paypal), "already"},
		"more than there are":        {change(gujiBeans, gujiGround, 3, paypal), "only 2"},
		"what is not in the order":   {change(gujiGround, gujiBeans, 1, paypal), "is not in order"},
		"a gift card without enough": {change(gujiBeans, kilo.ID, 1, card), "$0.01 left"},
		"the same pieces twice": {
			jsonf(`{"orderId":%q,"changes":[{"variantId":%[2]q,"newVariantId":%[3]q},{"variantId":%[2]q,"newVariantId":%[3]q}],"paymentMethodId":%[4]q}`,
				id, gujiBeans, gujiGround, paypal), "is not in order"},
	} {
		t.Run(name, func(t *testing.T) {
			e := d.refused("order.changeItems", tc.args, bus.PreconditionFailed, bus.ReasonState)
			contains(t, e.Message, tc.says)
			if e.Hint == "" {
				t.Error("no hint")
			}
		})
	}
	// Variants that are already in the order are not offered.
	for _, a := range o.Alternatives {
		if a.ID == gujiBeans {
			t.Error("alternatives: the variant in the order")
		}
	}
	beans, ground := d.stock(gujiBeans), d.stock(kilo.ID)
	var out struct {
		Difference, Total money
		Unchanged         []string
	}
	// A line that changes nothing is left out, and told.
	res := d.must("order.changeItems",
		jsonf(`{"orderId":%q,"changes":[{"variantId":%[2]q,"newVariantId":%[2]q,"quantity":1},
		{"variantId":%[2]q,"newVariantId":%[3]q,"quantity":1}],"paymentMethodId":%[4]q}`, id, gujiBeans, kilo.ID, paypal),
		&out)
	if diff := cmp.Diff([]string{"Guji Natural (250 g, Whole bean)"}, out.Unchanged); diff != "" {
		t.Error(diff)
	}
	contains(t, d.said(), "; unchanged: Guji Natural (250 g, Whole bean)")
	more := kilo.Price.Amount - 2144
	if out.Difference.Amount != more || out.Total.Amount != 4783+more || more <= 0 {
		t.Errorf("difference: %+v, the kilo is %v", out, kilo.Price)
	}
	if got := fmt.Sprint(res.Facts["amount"]); !strings.Contains(got, fmt.Sprint(more)) {
		t.Errorf("facts: %v", res.Facts)
	}
	contains(t, d.said(), "Change 1 × Guji Natural (250 g, Whole bean) to "+kilo.Label+" in order "+id+" of Ana Ruiz: "+out.Difference.Text+" charged to PayPal")
	if d.stock(gujiBeans) != beans+1 || d.stock(kilo.ID) != ground-1 {
		t.Error("stock did not move")
	}
	o = d.order(id)
	if !o.ItemsChanged || o.lines() != "1 "+gujiBeans+", 1 "+kilo.ID {
		t.Errorf("order: %v %s", o.ItemsChanged, o.lines())
	}
	e := d.refused("order.changeItems", change(kilo.ID, gujiGround, 1, paypal), bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, "that can be done once")
	d.addsUp()
}

// TestCancelAfterARefundElsewhere: a cancellation refunds only the rest.
func TestCancelAfterARefundElsewhere(t *testing.T) {
	d := openSample(t, "clerk")
	before := d.stock("var_guji_natural_4")
	d.must("cart.addItem", jsonf(
		`{"productId":"prd_guji_natural","variantId":"var_guji_natural_4","quantity":1,"customerId":%q}`, d.ana()), nil)
	id := d.submit("Home", "PayPal").OrderID
	var out struct{ Difference money }
	d.as("manager")
	d.must("order.changeItems",
		jsonf(`{"orderId":%q,"changes":[{"variantId":"var_guji_natural_4","newVariantId":%q}],"paymentMethodId":"cash"}`, id,
			gujiGround), &out)
	var back struct {
		Refunds []struct {
			PaymentMethodID string
			Amount          money
		}
	}
	total := d.order(id).Total.Amount
	d.must("order.cancel", jsonf(`{"orderId":%q,"reason":"other"}`, id), &back)
	if out.Difference.Amount >= 0 || len(back.Refunds) != 1 || back.Refunds[0].Amount.Amount != total {
		t.Errorf("a difference of %+v, then %+v given back of %d", out, back, total)
	}
	d.addsUp()
	if d.stock("var_guji_natural_4") != before {
		t.Error("the stock is not what it was")
	}
}

func TestADiscountStaysTheSamePart(t *testing.T) {
	d := openSample(t, "clerk")
	d.fillAnasCart()
	d.must("cart.applyDiscount", `{"percent":10}`, nil)
	id := d.submit("Home", "PayPal").OrderID // half a cent is rounded on either line
	d.must("order.changeItems",
		jsonf(`{"orderId":%q,"changes":[{"variantId":%q,"newVariantId":"var_guji_natural_3","quantity":1}],"paymentMethodId":"cash"}`, id, gujiBeans), nil)
	for _, l := range d.order(id).Lines {
		if tenth := l.Total.Amount / 10; l.Discount.Amount < tenth-2 || l.Discount.Amount > tenth+2 {
			t.Errorf("a discount of %v on %v", l.Discount, l.Total)
		}
	}
	d.addsUp()
}

func TestFulfilAndDeliver(t *testing.T) {
	d := openSample(t, "clerk")
	d.fillAnasCart()
	d.must("cart.addItem", jsonf(`{"productId":"prd_sidama_honey","variantId":%q,"quantity":1}`, sidamaBeans), nil)
	id := d.submit("Home", "PayPal").OrderID
	d.must("order.process", jsonf(`{"orderId":%q}`, id), nil)
	var out struct {
		Shipped  []string
		Complete bool
	}
	d.must("order.fulfil", jsonf(`{"orderId":%q,"trackingId":"NLC1","variantIds":[%q]}`, id, sidamaBeans), &out)
	if out.Complete || len(out.Shipped) != 1 {
		t.Errorf("first parcel: %+v", out)
	}
	contains(t, d.said(), "Record a parcel of order "+id+" to Ana Ruiz: 1 × Sidama Honey, tracking number NLC1")
	e := d.refused("order.fulfil", jsonf(`{"orderId":%q,"variantIds":[%q]}`, id, sidamaBeans), bus.PreconditionFailed,
		bus.ReasonState)
	contains(t, e.Message, "not waiting to be shipped")
	d.must("order.fulfil", jsonf(`{"orderId":%q,"trackingId":"NLC2"}`, id), &out)
	if !out.Complete {
		t.Errorf("second parcel: %+v", out)
	}
	d.refused("order.fulfil", jsonf(`{"orderId":%q}`, id), bus.PreconditionFailed, bus.ReasonState)
	d.must("order.deliver", jsonf(`{"orderId":%q}`, id), nil)
	o := d.order(id)
	if len(o.Fulfilments) != 2 || o.Fulfilments[0].VariantIDs[0] != sidamaBeans || o.Status != "delivered" {
		t.Errorf("order: %+v", o)
	}
}

func TestReturnIsRefundedWhenItIsHere(t *testing.T) {
	d := openSample(t, "clerk")
	id := d.delivered("Visa ending 4242")
	o := d.order(id)
	visa, paypal := o.method("Visa ending 4242"), o.method("PayPal")
	ask := func(n int, method string) string {
		return jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":%d}],"paymentMethodId":%q}`, id, gujiBeans, n, method)
	}
	e := d.refused("order.return", ask(1, paypal), bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, "was not paid by PayPal")
	d.refused("order.return", ask(3, visa), bus.PreconditionFailed, bus.ReasonState)

	stock := d.stock(gujiBeans)
	var asked struct{ RefundDue money }
	d.must("order.return", ask(1, visa), &asked)
	if asked.RefundDue.Amount != 2144 || strings.Contains(d.order(id).paid(), "refund") {
		t.Errorf("asked: %+v, %s", asked, d.order(id).paid())
	}
	if got, want := d.said(),
		"Ask for the return of 1 × Guji Natural (250 g, Whole bean) from order "+id+" of Ana Ruiz, $21.44 due to Visa "+
			"ending 4242"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	d.refused("order.return", ask(1, visa), bus.PreconditionFailed, bus.ReasonState)
	d.refused("order.receiveReturn", jsonf(`{"orderId":%q,"restock":true,"lines":[{"variantId":%q,"quantity":2}]}`, id,
		gujiBeans), bus.PreconditionFailed, bus.ReasonState)
	var got struct{ Refund struct{ Amount money } }
	d.must("order.receiveReturn", jsonf(`{"orderId":%q,"restock":true}`, id), &got)
	if got.Refund.Amount.Amount != 2144 || d.stock(gujiBeans) != stock+1 {
		t.Errorf("received: %+v, stock %d", got, d.stock(gujiBeans))
	}
	d.addsUp()
	// The other one comes back broken, onto a gift card.
	card := d.giftCard(100)
	d.must("order.return", ask(1, card), nil)
	d.must("order.receiveReturn", jsonf(`{"orderId":%q,"restock":false}`, id), nil)
	if d.stock(gujiBeans) != stock+1 || d.number(`SELECT balance FROM payment_methods WHERE id = ?`, card) != 2244 {
		t.Error("a broken piece went into stock, or the gift card has nothing of it")
	}
	o = d.order(id)
	if o.lines() != "1 "+gujiBeans+" back, 1 "+gujiBeans+" back" || len(o.Requests) != 2 || o.OpenRequest != "" {
		t.Errorf("order: %s %+v", o.lines(), o.Requests)
	}
	d.refused("order.return", ask(1, visa), bus.PreconditionFailed, bus.ReasonState)
	d.addsUp()
}

// TestReturnAtOnce: the goods lie on the counter, so asking and receiving are one action with one refund.
func TestReturnAtOnce(t *testing.T) {
	d := openSample(t, "clerk")
	id := d.delivered("Visa ending 4242")
	o := d.order(id)
	back := func(n int, method, rest string) string {
		return jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":%d}],"paymentMethodId":%q%s}`, id, gujiBeans, n,
			method, rest)
	}
	visa := o.method("Visa ending 4242")
	e := d.refused("order.returnNow", back(1, o.method("PayPal"), `,"reason":"faulty","restock":false`),
		bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, "was not paid by PayPal")
	d.refused("order.returnNow", back(1, visa, `,"reason":"ugly","restock":false`), bus.Validation, bus.ReasonArguments)

	stock := d.stock(gujiBeans)
	var got struct {
		RequestID string
		Refund    struct{ Amount money }
	}
	res := d.must("order.returnNow", back(1, visa, `,"reason":"changed mind","restock":true`), &got)
	if got.Refund.Amount.Amount != 2144 || d.stock(gujiBeans) != stock+1 || got.RequestID == "" {
		t.Errorf("returned: %+v, stock %d", got, d.stock(gujiBeans))
	}
	if got, want := d.said(), "Take back 1 × Guji Natural (250 g, Whole bean) of order "+id+" of Ana Ruiz, changed mind: "+
		"refund $21.44 to Visa ending 4242, back into stock"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	if amount, _ := res.Facts["amount"].(map[string]any); fmt.Sprint(amount["amount"]) != "2144" {
		t.Errorf("facts: %v", res.Facts)
	}
	d.addsUp()

	card := d.giftCard(100)
	d.must("order.returnNow", back(1, card, `,"reason":"faulty","restock":false`), nil)
	o = d.order(id)
	if d.stock(gujiBeans) != stock+1 || d.number(`SELECT balance FROM payment_methods WHERE id = ?`, card) != 2244 ||
		o.OpenRequest != "" || len(o.Requests) != 2 || o.Requests[0].Reason != "changed mind" ||
		o.Requests[1].Reason != "faulty" || o.Requests[1].Status != "received" {
		t.Errorf("order: %+v, stock %d", o.Requests, d.stock(gujiBeans))
	}
	if o.Refunded.Text != "$42.88" || o.Net.Text != "$4.95" {
		t.Errorf("refunded %+v, net %+v", o.Refunded, o.Net)
	}
	contains(t, fmt.Sprint(o.Timeline), "Returned: 1 × Guji Natural (250 g, Whole bean), faulty")
	d.refused("order.returnNow", back(1, visa, `,"reason":"other","restock":true`), bus.PreconditionFailed,
		bus.ReasonState)
	d.addsUp()
}

// TestReasonsOfReturnsAreKept: a request may contain a reason, and the order shows it.
func TestReasonsOfReturnsAreKept(t *testing.T) {
	d := openSample(t, "clerk")
	id := d.delivered("Visa ending 4242")
	visa := d.order(id).method("Visa ending 4242")
	d.must("order.return", jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"paymentMethodId":%q,
		"reason":"not as described"}`, id, gujiBeans, visa), nil)
	contains(t, d.said(), "from order "+id+" of Ana Ruiz, not as described, $21.44 due to Visa ending 4242")
	d.must("order.receiveReturn", jsonf(`{"orderId":%q,"restock":true}`, id), nil)
	d.must("order.exchange", jsonf(`{"orderId":%q,"changes":[{"variantId":%q,"newVariantId":%q}],"paymentMethodId":%q,
		"reason":"faulty"}`, id, gujiBeans, gujiBeans, visa), nil)
	contains(t, d.said(), "for the same in order "+id+" of Ana Ruiz, faulty: no difference in price")
	d.must("order.receiveExchange", jsonf(`{"orderId":%q,"restock":false}`, id), nil)
	o := d.order(id)
	if o.Requests[0].Reason != "not as described" || o.Requests[1].Reason != "faulty" {
		t.Errorf("requests: %+v", o.Requests)
	}
	d.addsUp()
}

func TestLargeReturnNeedsAManager(t *testing.T) {
	d := openSample(t, "clerk")
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","quantity":12,"customerId":%q}`, d.ana()), nil)
	id := d.submit("Home", "PayPal").OrderID
	d.must("order.process", jsonf(`{"orderId":%q}`, id), nil)
	d.must("order.deliver", jsonf(`{"orderId":%q}`, id), nil)
	all := jsonf(`"orderId":%q,"lines":[{"variantId":%q}],"paymentMethodId":%q`, id, gujiBeans,
		d.order(id).method("PayPal"))
	d.refused("order.returnNow", "{"+all+`,"reason":"faulty","restock":true}`, bus.Forbidden, bus.ReasonLimit)
	d.must("order.return", "{"+all+"}", nil)
	d.refused("order.receiveReturn", jsonf(`{"orderId":%q,"restock":true}`, id), bus.Forbidden, bus.ReasonLimit)
	d.must("order.receiveReturn", jsonf(`{"orderId":%q,"restock":true,"lines":[{"variantId":%q,"quantity":11}]}`, id,
		gujiBeans), nil)
	d.addsUp()
}

func TestExchangeIsSettledWhenItIsHere(t *testing.T) {
	d := openSample(t, "clerk")
	id := d.delivered("Visa ending 4242")
	o := d.order(id)
	beans, kilo := d.stock(gujiBeans), d.stock("var_guji_natural_3")
	args := jsonf(`{"orderId":%q,"changes":[{"variantId":%q,"newVariantId":"var_guji_natural_3"}],"paymentMethodId":%q}`,
		id, gujiBeans, o.method("PayPal"))
	var asked struct {
		Difference money
		RequestID  string
	}
	d.must("order.exchange", args, &asked)
	if d.stock("var_guji_natural_3") != kilo-2 || d.stock(gujiBeans) != beans || asked.Difference.Amount <= 0 {
		t.Errorf("asked: %+v", asked)
	}
	d.addsUp()
	// Prices change, but the agreed price stays.
	d.must("order.receiveExchange", jsonf(`{"orderId":%q,"restock":true}`, id), nil)
	contains(t, d.said(), "Receive 2 × Guji Natural (250 g, Whole bean) for ")
	contains(t, d.said(), asked.Difference.Text+" charged to PayPal")
	o = d.order(id)
	if o.lines() != "2 var_guji_natural_3" || d.stock(gujiBeans) != beans+2 ||
		o.Total.Amount != 4783+asked.Difference.Amount || !o.ItemsChanged {
		t.Errorf("order: %s %v", o.lines(), o.Total)
	}
	d.addsUp()
}

// TestExchangeForTheSame: a worn piece is exchanged for a new one of the same variant, at the price that was paid.
func TestExchangeForTheSame(t *testing.T) {
	d := openSample(t, "clerk")
	id := d.delivered("Visa ending 4242")
	paypal, beans := d.order(id).method("PayPal"), d.stock(gujiBeans)
	if !slices.ContainsFunc(d.order(id).Alternatives, func(a struct{ ID, Name string }) bool {
		return a.ID == gujiBeans
	}) {
		t.Error("alternatives: not the same again")
	}
	d.as("owner")
	d.must("catalog.setPrice", jsonf(`{"variantId":%q,"price":{"amount":9999,"currency":"USD"}}`, gujiBeans), nil)
	d.as("clerk")
	var asked struct{ Difference money }
	d.must("order.exchange", jsonf(`{"orderId":%q,"changes":[{"variantId":%[2]q,"newVariantId":%[2]q,"quantity":1}],
		"paymentMethodId":%[3]q}`, id, gujiBeans, paypal), &asked)
	contains(t, d.said(), "Ask for the exchange of 1 × Guji Natural (250 g, Whole bean) for the same in order "+id)
	if asked.Difference.Amount != 0 || d.stock(gujiBeans) != beans-1 {
		t.Errorf("difference %v, stock %d, was %d", asked.Difference, d.stock(gujiBeans), beans)
	}
	d.addsUp()
	d.must("order.receiveExchange", jsonf(`{"orderId":%q,"restock":false}`, id), nil)
	contains(t, d.said(), "Receive 1 × Guji Natural (250 g, Whole bean) for the same in order "+id)
	if o := d.order(id); o.Total.Amount != 4783 || d.stock(gujiBeans) != beans-1 {
		t.Errorf("total %v, stock %d, was %d", o.Total, d.stock(gujiBeans), beans)
	}
	d.addsUp()
}
