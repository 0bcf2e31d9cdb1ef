package shop_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// fillAnasCart puts two of the Guji into Ana's cart and returns her id.
func (d *desk) fillAnasCart() string {
	d.t.Helper()
	ana := d.ana()
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","quantity":2,"customerId":%q}`, ana), nil)
	return ana
}

type cartView struct {
	Customer *struct{ ID, Name string }
	Items    []struct {
		ProductID, VariantID, Name, Label string
		Quantity                          int64
		Total                             money
	}
	ItemCount          int64
	Subtotal, Discount money
	Shipping, Tax      money
	Fulfilment         string
	Total              money
	SavedAddresses     []struct {
		ID, Label, Text string
		Default         bool
	}
	SavedPaymentMethods []struct {
		ID, Label string
		Default   bool
	}
	Problems []string
}

func (d *desk) cart() (c cartView) {
	d.t.Helper()
	d.must("cart.getSummary", `{}`, &c)
	return c
}

func (c cartView) address(label string) string {
	for _, a := range c.SavedAddresses {
		if a.Label == label {
			return a.ID
		}
	}
	return ""
}

func (c cartView) method(label string) string {
	for _, m := range c.SavedPaymentMethods {
		if m.Label == label {
			return m.ID
		}
	}
	return ""
}

type receipt struct {
	OrderID, EstimatedDelivery string
	Total                      money
}

// submit checks the current cart out, to an address and by a method given by label.
func (d *desk) submit(address, method string) (r receipt) {
	d.t.Helper()
	c := d.cart()
	d.must("checkout.submit", jsonf(`{"shippingAddressId":%q,"paymentMethodId":%q}`, c.address(address), c.method(method)),
		&r)
	return r
}

func TestWorkedExampleAddsTheGujiAndSubmitsToHome(t *testing.T) {
	d := openSample(t, "clerk")
	var found struct {
		Products []struct{ ID, Name, DefaultVariantID string }
	}
	d.must("catalog.search", `{"query":"Guji"}`, &found)
	if len(found.Products) != 1 {
		t.Fatalf("%d products are called Guji, want exactly one", len(found.Products))
	}
	var added struct {
		CartTotal money
		ItemCount int
		Note      string
		Line      struct {
			Label string
			Price money
		}
	}
	res := d.must("cart.addItem", jsonf(`{"productId":%q,"quantity":2,"customerId":%q}`, found.Products[0].ID, d.ana()),
		&added)
	if added.CartTotal.Text != "$47.83" || added.ItemCount != 2 || added.Line.Price.Amount != 2144 {
		t.Errorf("added: %+v", added)
	}
	contains(t, added.Note, "250 g, Whole bean")
	if got, want := d.said(), "Add 2 × Guji Natural (250 g, Whole bean) to Ana Ruiz's cart"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	if len(res.Events) == 0 || res.Events[0].Domain != "cart" {
		t.Errorf("events: %+v", res.Events)
	}

	c := d.cart()
	stock := d.number(`SELECT stock FROM variants WHERE id = ?`, c.Items[0].VariantID)
	var placed receipt
	res = d.must("checkout.submit", jsonf(`{"shippingAddressId":%q,"paymentMethodId":%q}`, c.address("Home"),
		c.method("Visa ending 4242")), &placed)
	if placed.Total.Text != "$47.83" || placed.EstimatedDelivery != "2026-03-17" {
		t.Errorf("receipt: %+v", placed)
	}
	if got, want := d.said(), "Submit order for Ana Ruiz: $47.83, to 123 Main St (Home), paid by Visa ending 4242"; got !=
		want {
		t.Errorf("said %q, want %q", got, want)
	}
	facts, _ := json.Marshal(res.Facts)
	if want := jsonf(`{"amount":{"amount":4783,"currency":"USD"},"customerId":%q,"orderId":%q}`, d.ana(),
		placed.OrderID); string(facts) != want {
		t.Errorf("facts %s, want %s", facts, want)
	}
	if now := d.number(`SELECT stock FROM variants WHERE id = ?`, c.Items[0].VariantID); now != stock-2 {
		t.Errorf("stock went from %d to %d", stock, now)
	}
	if after := d.cart(); after.ItemCount != 0 || after.Customer != nil {
		t.Errorf("the cart is still there: %+v", after)
	}
	var order struct {
		Status string
		Total  money
		Lines  []struct {
			Name     string
			Quantity int64
		}
		Payments []struct {
			Kind, Label string
			Amount      money
		}
		Timeline []struct{ Text string }
		Actions  []struct {
			Capability string
			Available  bool
		}
	}
	d.must("order.get", jsonf(`{"orderId":%q}`, placed.OrderID), &order)
	if order.Status != "pending" || order.Total.Amount != 4783 || order.Payments[0].Label != "Visa ending 4242" ||
		!order.Actions[0].Available {
		t.Errorf("order: %+v", order)
	}
}

// holds: A8
func TestPreviewAndExecutionShowTheSameOrder(t *testing.T) {
	d := openSample(t, "clerk")
	d.fillAnasCart()
	c := d.cart()
	res := d.bus.Invoke(context.Background(), bus.Invocation{
		Capability: "checkout.submit", Caller: bus.Caller{Type: bus.CallerAgent}, Principal: d.person,
		Arguments: json.RawMessage(jsonf(`{"shippingAddressId":%q,"paymentMethodId":%q}`, c.address("Home"),
			c.method("PayPal"))),
	})
	if !res.OK() {
		t.Fatal(res.Err)
	}
	placed := strings.Replace(string(res.Data), `,"receiptNumber":"2026-000001"`, "", 1) // a preview shows none
	if diff := cmp.Diff(string(d.card.Data), placed); diff != "" || placed == string(res.Data) {
		t.Errorf("the card showed another order than was placed: %s", diff)
	}
	if got, want := d.card.Summary, "Submit order for Ana Ruiz: $47.83, to 123 Main St (Home), paid by PayPal"; got !=
		want {
		t.Errorf("the card says %q, want %q", got, want)
	}
}
