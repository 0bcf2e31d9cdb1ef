package shop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/bus"
)

// asked makes a call as an assistant, and returns the preview that the person saw.
func (d *desk) asked(name, args string) *bus.Preview {
	d.t.Helper()
	d.card = nil
	r := d.bus.Invoke(context.Background(), bus.Invocation{Capability: name, Arguments: json.RawMessage(args),
		Caller: bus.Caller{Type: bus.CallerAgent}, Principal: d.person})
	if !r.OK() || d.card == nil || len(d.card.Bills) != 1 {
		d.t.Fatalf("%s %s: %+v, shown %+v", name, args, r.Err, d.card)
	}
	return d.card
}

// billText writes a bill as a few lines.
func billText(b *bus.Bill) string {
	var all []string
	for _, l := range b.Lines {
		all = append(all, fmt.Sprintf("%d × %s, %s: %s", l.Quantity, l.Text, l.Each, l.Amount))
	}
	for _, v := range append(b.Sums, b.About...) {
		all = append(all, strings.TrimSpace(v.Label+": "+v.Text+" "+v.Argument))
	}
	return strings.Join(append(all, b.Follows...), "\n")
}

// moved sums up the pieces that the shown rows of stock movements move.
func moved(p *bus.Preview) (sum float64) {
	for _, e := range p.Effects {
		if e.Table == "stock_movements" {
			raw, _ := json.Marshal(e.After["delta"])
			var n float64
			_ = json.Unmarshal(raw, &n)
			sum += n
		}
	}
	return sum
}

// TestCardsOfSalesAndRefundsAreItemised compares each card with the effects and with the shown rows.
func TestCardsOfSalesAndRefundsAreItemised(t *testing.T) {
	d := openSample(t, "manager")
	d.fillAnasCart()
	c := d.cart()
	p := d.asked("checkout.submit", jsonf(`{"shippingAddressId":%q,"paymentMethodId":%q}`, c.address("Home"), c.method("Visa ending 4242")))
	want := `2 × Guji Natural (250 g, Whole bean), $21.44: $42.88
Subtotal: $42.88
Shipping: $4.95
Total: $47.83
Customer: Ana Ruiz
Sent to: 123 Main St (Home) /shippingAddressId
Paid by: Visa ending 4242 /paymentMethodId
the order of Ana Ruiz is placed
stock falls by 2`
	if diff := cmp.Diff(want, billText(p.Bills[0])); diff != "" || moved(p) != -2 {
		t.Errorf("checkout: %s, moved %v", diff, moved(p))
	}
	var out struct{ OrderID string }
	if err := json.Unmarshal(p.Data, &out); err != nil {
		t.Fatal(err)
	}
	p = d.asked("order.changeItems", jsonf(`{"orderId":%q,"changes":[{"variantId":"`+gujiBeans+`","newVariantId":%q,"quantity":1}],"paymentMethodId":%q}`,
		out.OrderID, gujiGround, c.method("Visa ending 4242")))
	want = `1 × Guji Natural (250 g, Whole bean) → 250 g, Ground, : $21.44
Total until now: $47.83
Difference: $0.00
New total: $47.83
Customer: Ana Ruiz
back into stock: 1, taken from stock: 1`
	if diff := cmp.Diff(want, billText(p.Bills[0])); diff != "" || moved(p) != 0 {
		t.Errorf("change of items: %s, moved %v", diff, moved(p))
	}
	p = d.asked("order.cancel", jsonf(`{"orderId":%q,"reason":"other"}`, out.OrderID))
	want = `1 × Guji Natural (250 g, Whole bean), $21.44: $21.44
1 × Guji Natural (250 g, Ground), $21.44: $21.44
Subtotal: $42.88
Shipping: $4.95
Total: $47.83
Refund: $47.83
Customer: Ana Ruiz
Refund to: Visa ending 4242 /paymentMethodId
stock rises by 2`
	if diff := cmp.Diff(want, billText(p.Bills[0])); diff != "" || moved(p) != 2 {
		t.Errorf("cancel: %s, moved %v", diff, moved(p))
	}

	id := d.delivered("Visa ending 4242")
	lines := jsonf(`"orderId":%q,"lines":[{"variantId":"`+gujiBeans+`","quantity":1}]`, id)
	p = d.asked("order.returnNow", jsonf(`{%s,"paymentMethodId":%q,"restock":false}`, lines, c.method("Visa ending 4242")))
	want = `1 × Guji Natural (250 g, Whole bean), : $21.44
Refund: $21.44
Customer: Ana Ruiz
Refund to: Visa ending 4242 /paymentMethodId
stock stays as it is`
	if diff := cmp.Diff(want, billText(p.Bills[0])); diff != "" || moved(p) != 0 {
		t.Errorf("return: %s, moved %v", diff, moved(p))
	}
}

// TestEachMoveOfMoneyIsItemised asks each capability that sells or moves money, and a plan of two of them.
func TestEachMoveOfMoneyIsItemised(t *testing.T) {
	d := openSample(t, "manager")
	id := d.delivered("Visa ending 4242")
	visa := d.must("order.get", jsonf(`{"orderId":%q}`, id), nil)
	var o struct {
		Payments []struct{ PaymentMethodID string }
	}
	if err := json.Unmarshal(visa.Data, &o); err != nil {
		t.Fatal(err)
	}
	method := o.Payments[0].PaymentMethodID
	d.asked("order.return", jsonf(`{"orderId":%q,"lines":[{"variantId":"`+gujiBeans+`","quantity":1}],"paymentMethodId":%q}`, id, method))
	d.asked("order.receiveReturn", jsonf(`{"orderId":%q,"restock":true}`, id))
	d.asked("order.exchange", jsonf(`{"orderId":%q,"changes":[{"variantId":"`+gujiBeans+`","newVariantId":%q,"quantity":1}],"paymentMethodId":%q}`,
		id, gujiGround, method))
	d.asked("order.receiveExchange", jsonf(`{"orderId":%q,"restock":true}`, id))
	other := d.anasOrder("Visa ending 4242")
	d.asked("order.changePayment", jsonf(`{"orderId":%q,"paymentMethodId":%q}`, other, d.giftCard(100_000)))

	one, two := d.anasOrder("Visa ending 4242"), d.anasOrder("PayPal")
	step := `{"capability":"order.cancel","arguments":{"orderId":%q,"reason":"other"}}`
	note := `{"capability":"order.addNote","arguments":{"orderId":%q,"text":"Both."}}`
	d.bus.MustRegister(bus.Capabilities()...)
	d.card = nil
	r := d.bus.Invoke(t.Context(), bus.Invocation{Capability: "plan.propose", Caller: bus.Caller{Type: bus.CallerAgent},
		Principal: d.person, Arguments: json.RawMessage(`{"steps":[` + jsonf(step, one) + "," + jsonf(note, one) + "," + jsonf(step, two) + `]}`)})
	if !r.OK() || len(d.card.Bills) != 3 || d.card.Bills[1] != nil {
		t.Fatalf("a plan: %+v, %+v", r.Err, d.card)
	}
	if follows := d.card.Bills[2].Follows; len(follows) != 1 || follows[0] != "stock rises by 2" {
		t.Errorf("the last step: %v", follows)
	}
}
