package shop_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// TestARefundToWhatDidNotPayNeedsAManager: if the card that paid was removed, a clerk cannot refund in cash or with
// another method of the shop, neither for a return nor for a difference of items. A clerk can refund to a gift card of
// the customer, or to a method that paid.
func TestARefundToWhatDidNotPayNeedsAManager(t *testing.T) {
	d := openSample(t, "clerk")
	sell := func(method string) string {
		d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","variantId":%q,"quantity":1,"customerId":%q}`, gujiBeans,
			d.ana()), nil)
		var sold struct{ OrderID string }
		d.must("checkout.submit", jsonf(`{"fulfilment":"takeAway","paymentMethodId":%q}`, method), &sold)
		return sold.OrderID
	}
	back := func(order, method string) string {
		return jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"paymentMethodId":%q,"restock":true}`, order,
			gujiBeans, method)
	}
	visa := d.one(`SELECT id FROM payment_methods WHERE customer_id = ? AND kind = 'card'`, d.ana())
	orders := map[string]string{}
	for _, method := range []string{"cash", "card", "other", "gift"} {
		orders[method] = sell(visa)
	}
	byCash := sell("cash")
	card := d.giftCard(100)
	edit(t, d.path, `DELETE FROM payment_methods WHERE id = '`+visa+`'`)
	for _, method := range []string{"cash", "card", "other"} {
		e := d.refused("order.returnNow", back(orders[method], method), bus.Forbidden, bus.ReasonLimit)
		contains(t, e.Message, "which did not pay order "+orders[method]+", needs a manager")
	}
	d.must("order.returnNow", back(orders["gift"], card), nil)
	d.must("order.returnNow", back(byCash, "cash"), nil)

	// A return that was asked for is refunded when it is received.
	asked := jsonf(`{"orderId":%q,"lines":[{"variantId":%q}],"paymentMethodId":"cash"}`, orders["other"], gujiBeans)
	d.must("order.return", asked, nil)
	received := jsonf(`{"orderId":%q,"restock":true}`, orders["other"])
	d.refused("order.receiveReturn", received, bus.Forbidden, bus.ReasonLimit)
	d.as("manager")
	d.must("order.receiveReturn", received, nil)
	d.must("order.returnNow", back(orders["cash"], "cash"), nil)
	d.addsUp()
}

// TestADifferenceInCashThatACardPaidNeedsAManager: of a change of items as of a return.
func TestADifferenceInCashThatACardPaidNeedsAManager(t *testing.T) {
	d := openSample(t, "clerk")
	const ofGuji = `SELECT id FROM variants WHERE product_id = 'prd_guji_natural' AND stock > 2 ORDER BY price `
	dear, cheap := d.one(ofGuji+"DESC LIMIT 1"), d.one(ofGuji+"LIMIT 1")
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","variantId":%q,"quantity":1,"customerId":%q}`, dear, d.ana()),
		nil)
	order := d.submit("Home", "Visa ending 4242").OrderID
	cheaper := jsonf(`{"orderId":%q,"changes":[{"variantId":%q,"newVariantId":%q}],"paymentMethodId":%%q}`, order, dear, cheap)
	e := d.refused("order.changeItems", jsonf(cheaper, "cash"), bus.Forbidden, bus.ReasonLimit)
	contains(t, e.Message, "A refund to Cash, which did not pay order "+order)
	d.must("order.changeItems", jsonf(cheaper, d.order(order).method("Visa ending 4242")), nil)
}

// soldBy is an order of Ana's that was taken along and paid in several ways: two bags of the Guji, $42.88.
func (d *desk) soldBy(fulfilment string, payments ...string) string {
	d.t.Helper()
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","variantId":%q,"quantity":2,"customerId":%q}`, gujiBeans,
		d.ana()), nil)
	var sold struct{ OrderID string }
	d.must("checkout.submit", jsonf(`{"fulfilment":%q,"payments":[%s]}`, fulfilment, strings.Join(payments, ",")), &sold)
	return sold.OrderID
}

const tenInCash = `{"paymentMethodId":"cash","amount":{"amount":1000,"currency":"USD"}}`

// refunds returns the refunds in a response.
func (d *desk) refunds(capability, arguments string) string {
	d.t.Helper()
	var out struct{ Refunds []walkRefund }
	d.must(capability, arguments, &out)
	var all []string
	for _, r := range out.Refunds {
		all = append(all, fmt.Sprint(r.PaymentMethodID, " ", r.Amount.Amount))
	}
	return strings.Join(all, ", ")
}

// TestRefundsGoToThePaymentsInReverseOrder: each method gets at most its unrefunded amount, when the goods arrive.
func TestRefundsGoToThePaymentsInReverseOrder(t *testing.T) {
	d := openSample(t, "manager")
	order := d.soldBy("takeAway", tenInCash, `{"paymentMethodId":"transfer","amount":{"amount":3000,"currency":"USD"}}`,
		`{"paymentMethodId":"other"}`)
	one := jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}]}`, order, gujiBeans)
	for _, step := range []struct{ capability, arguments, want string }{
		{"order.return", one, "other 288, transfer 1856"}, // nothing moves yet
		{"order.receiveReturn", jsonf(`{"orderId":%q,"restock":true}`, order), "other 288, transfer 1856"},
		{"order.returnNow", strings.Replace(one, `"lines"`, `"restock":false,"lines"`, 1), "transfer 1144, cash 1000"},
	} {
		if got := d.refunds(step.capability, step.arguments); got != step.want {
			t.Errorf("%s: %s, want %s", step.capability, got, step.want)
		}
	}
	contains(t, d.said(), "refund $11.44 to Bank transfer and $10.00 to Cash, not back into stock")
	d.addsUp()
}

// TestAMethodThatIsNamedGetsTheRefund: another method that paid, up to its payment, or a gift card. Cash that did not
// pay needs a manager, who may name it even if a method that paid exists.
func TestAMethodThatIsNamedGetsTheRefund(t *testing.T) {
	d := openSample(t, "clerk")
	card := d.giftCard(100)
	for method, want := range map[string]string{"transfer": "transfer 1000, other 1144", card: card + " 2144"} {
		order := d.soldBy("takeAway", strings.Replace(tenInCash, "cash", "transfer", 1), `{"paymentMethodId":"other"}`)
		if got := d.refunds("order.returnNow", jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"restock":true,
			"paymentMethodId":%q}`, order, gujiBeans, method)); got != want {
			t.Errorf("%s: %s, want %s", method, got, want)
		}
	}
	order := d.soldBy("takeAway", `{"paymentMethodId":"transfer"}`)
	inCash := jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"restock":true,"paymentMethodId":"cash"}`, order,
		gujiBeans)
	e := d.refused("order.returnNow", inCash, bus.Forbidden, bus.ReasonLimit)
	contains(t, e.Message, "A refund to Cash, which did not pay order "+order+", needs a manager.")
	d.as("manager")
	if got := d.refunds("order.returnNow", inCash); got != "cash 2144" {
		t.Errorf("a manager gave %s", got)
	}
	d.refused("order.returnNow", strings.Replace(inCash, `"cash"`, `"other"`, 1), bus.PreconditionFailed,
		bus.ReasonState)
	d.addsUp()
}

// TestACancellationGivesBackEveryPayment: in reverse order, or to a gift card that is named.
func TestACancellationGivesBackEveryPayment(t *testing.T) {
	d := openSample(t, "manager")
	card := d.giftCard(100)
	for named, want := range map[string]string{"": "transfer 3288, cash 1000", card: card + " 4288"} {
		order := d.soldBy("pickUp", tenInCash, `{"paymentMethodId":"transfer"}`)
		if got := d.refunds("order.cancel", jsonf(`{"orderId":%q,"reason":"other","paymentMethodId":%q}`, order,
			named)); got != want {
			t.Errorf("%q: %s, want %s", named, got, want)
		}
	}
	d.addsUp()
}

// TestOfSeveralPaymentsOneIsChangedByItsID: without it the answer lists them.
func TestOfSeveralPaymentsOneIsChangedByItsID(t *testing.T) {
	d := openSample(t, "manager")
	order := d.soldBy("pickUp", tenInCash, `{"paymentMethodId":"transfer"}`)
	e := d.refused("order.changePayment", jsonf(`{"orderId":%q,"paymentMethodId":"other"}`, order), bus.PreconditionFailed,
		bus.ReasonState)
	contains(t, e.Message, "has several payments: $10.00 by Cash and $32.88 by Bank transfer.")
	var got struct {
		Payments []struct {
			ID, PaymentMethodID string
			Amount              money
		}
	}
	d.must("order.get", jsonf(`{"orderId":%q}`, order), &got)
	if len(got.Payments) != 2 || len(e.Choices[0].Options) != 2 || e.Choices[0].Options[0].Value != got.Payments[0].ID {
		t.Fatalf("payments %+v, to choose %+v", got.Payments, e.Choices[0].Options)
	}
	change := jsonf(`{"orderId":%q,"paymentMethodId":%%q,"paymentId":%q}`, order, got.Payments[0].ID)
	d.refused("order.changePayment", jsonf(change, "cash"), bus.PreconditionFailed, bus.ReasonState)
	if back := d.refunds("order.changePayment", jsonf(change, "other")); back != "cash 1000" {
		t.Errorf("given back: %s", back)
	}
	d.refused("order.changePayment", jsonf(change, "other"), bus.PreconditionFailed, bus.ReasonState)
	if back := d.refunds("order.cancel", jsonf(`{"orderId":%q,"reason":"other"}`, order)); back != "other 1000, transfer 3288" {
		t.Errorf("cancelled: %s", back)
	}
	d.addsUp()
}
