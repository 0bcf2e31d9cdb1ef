package shop_test

import (
	"slices"
	"testing"
)

// TestB13AWrongIDIsAnsweredWithTheRightOnes: of addresses, payment methods, variants, lines and shipping methods, for
// those who sell as for the owner, wherever in the arguments the id is.
//
// holds: B13
func TestB13AWrongIDIsAnsweredWithTheRightOnes(t *testing.T) {
	d := openSample(t, "clerk")
	d.must("cart.addItem", `{"productId":"prd_guji_natural","quantity":1}`, nil)
	d.must("cart.setCustomer", jsonf(`{"customerId":%q}`, d.ana()), nil)
	home, work := "adr_"+d.ana()+"_home", "adr_"+d.ana()+"_work"
	visa, paypal := "pm_"+d.ana()+"_visa", "pm_"+d.ana()+"_paypal"
	var pending struct{ Orders []struct{ ID string } }
	d.must("order.search", jsonf(`{"customerId":%q,"status":"pending"}`, d.ana()), &pending)
	order := pending.Orders[0].ID
	guji := []any{"var_guji_natural_1", "var_guji_natural_2", "var_guji_natural_3", "var_guji_natural_4"}
	for _, tc := range []struct {
		who, capability, args, field string
		want                         []any
	}{
		{"clerk", "checkout.submit", jsonf(`{"paymentMethodId":%q,"shippingAddressId":"adr_x"}`, visa), "shippingAddressId",
			[]any{home, work}},
		{"clerk", "checkout.submit", jsonf(`{"paymentMethodId":"pm_x","shippingAddressId":%q}`, home), "paymentMethodId",
			[]any{visa, paypal}},
		{"clerk", "order.changeAddress", jsonf(`{"orderId":%q,"addressId":"work"}`, order), "addressId", []any{work}},
		{"clerk", "order.changePayment", jsonf(`{"orderId":%q,"paymentMethodId":"visa"}`, order), "paymentMethodId",
			[]any{visa}},
		{"clerk", "cart.setShipping", `{"method":"expres"}`, "method", []any{"express"}},
		{"clerk", "cart.addItem", `{"productId":"prd_guji_natural","variantId":"whole bean","quantity":1}`, "variantId", guji},
		{"clerk", "cart.setQuantity", `{"variantId":"var_guji","quantity":2}`, "variantId", guji[:1]},
		{"owner", "catalog.adjustStock", `{"variantId":"var_guji_12oz","delta":2,"reason":"found"}`, "variantId", guji},
		{"owner", "catalog.receiveStock", `{"lines":[{"variantId":"var_guji_natural_1","quantity":2},
			{"variantId":"Guji Natural","quantity":2}]}`, "lines/1/variantId", guji},
	} {
		d.as(tc.who)
		r := d.invoke(tc.capability, tc.args)
		if r.OK() {
			t.Errorf("%s %s went through", tc.capability, tc.args)
			continue
		}
		var values []any
		for _, c := range r.Err.Choices {
			for _, o := range c.Options {
				if c.Field == tc.field {
					values = append(values, o.Value)
				}
			}
		}
		if !slices.Equal(values, tc.want) {
			t.Errorf("%s %s: %s, choices %v", tc.capability, tc.args, r.Err.Message, r.Err.Choices)
		}
	}
}

// TestAPaymentMethodHasOneName: cards and the log name it by the label that an answer has.
func TestAPaymentMethodHasOneName(t *testing.T) {
	d := openSample(t, "clerk")
	var found struct{ PaymentMethods []struct{ ID, Label string } }
	d.must("customer.get", jsonf(`{"customerId":%q}`, d.ana()), &found)
	if len(found.PaymentMethods) < 2 {
		t.Fatal(found)
	}
	for _, m := range found.PaymentMethods {
		names, err := d.bus.Names(t.Context(), d.person, "paymentMethod", m.ID)
		if err != nil || names[m.ID] != m.Label {
			t.Errorf("%s is named %q, %v; want %q", m.ID, names[m.ID], err, m.Label)
		}
	}
}
