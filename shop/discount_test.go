package shop_test

import (
	"testing"

	"github.com/deskhand/deskhand/bus"
)

type discountView struct {
	Subtotal, Discount, Total money
	Note                      string
	Problems                  []string
	Items                     []struct {
		Discount             money
		DiscountReason, Note string
	}
}

func (d *desk) discounts() (c discountView) {
	d.t.Helper()
	d.must("cart.getSummary", `{}`, &c)
	return c
}

func TestALineHasADiscountAndANoteOfItsOwn(t *testing.T) {
	d := openSample(t, "manager")
	d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":2}`, nil) // $21.44 each, not taxed
	d.must("cart.addItem", `{"productId":"NL-GUJ-250-GR","quantity":1}`, nil)
	line := jsonf(`"variantId":%q`, gujiBeans)
	d.must("cart.setLineDiscount", `{`+line+`,"percent":10,"reason":"Dented"}`, nil)
	contains(t, d.said(), "Take 10 % off Guji Natural (250 g, Whole bean) in the cart")
	d.must("cart.applyDiscount", `{"percent":5}`, nil)
	d.must("cart.setNote", `{`+line+`,"text":"Grind it"}`, nil)
	d.must("cart.setNote", `{"text":"Comes back at four"}`, nil)
	c := d.discounts()
	const whole = 3*2144 - 429 - 300 // 10 % of $42.88, then 5 % of $60.03
	if c.Subtotal.Amount != 3*2144 || c.Discount.Amount != 429+300 || c.Total.Amount != whole {
		t.Errorf("sums %+v", c)
	}
	if l := c.Items[0]; l.Discount.Amount != 429 || l.DiscountReason != "Dented" || l.Note != "Grind it" ||
		c.Note != "Comes back at four" || len(c.Problems) != 0 {
		t.Errorf("cart %+v", c)
	}
	var sold soldView
	d.must("checkout.submit", `{"paymentMethodId":"cash"}`, &sold)
	var o struct {
		Discount money
		Lines    []struct {
			Discount             money
			DiscountReason, Note string
		}
		Notes []struct{ Text string }
	}
	d.must("order.get", jsonf(`{"orderId":%q}`, sold.OrderID), &o)
	if sold.Total.Amount != whole || o.Discount.Amount != 729 || o.Lines[0].DiscountReason != "Dented" ||
		o.Lines[0].Note != "Grind it" || len(o.Notes) != 1 || o.Notes[0].Text != "Comes back at four" {
		t.Errorf("order %+v", o)
	}
	if back := o.Lines[0].Discount.Amount + o.Lines[1].Discount.Amount; back != 729 {
		t.Errorf("the lines have %d off", back)
	}
	d.must("document.export", jsonf(`{"kind":"receipt","format":"pdf","orderId":%q}`, sold.OrderID), nil)

	d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":1}`, nil)
	d.must("cart.setLineDiscount", `{`+line+`,"amount":{"amount":100,"currency":"USD"}}`, nil)
	d.must("cart.setLineDiscount", `{`+line+`,"none":true}`, nil)
	if c := d.discounts(); c.Discount.Amount != 0 {
		t.Errorf("after none: %+v", c)
	}
}

func TestAClerksDiscountsStayWithinTheLimitTogether(t *testing.T) {
	d := openSample(t, "clerk")
	d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":2}`, nil)
	line := jsonf(`"variantId":%q`, gujiBeans)
	d.refused("cart.setLineDiscount", `{`+line+`,"percent":11}`, bus.Forbidden, bus.ReasonLimit)
	d.refused("cart.setLineDiscount", `{`+line+`,"amount":{"amount":500,"currency":"USD"}}`, bus.Forbidden,
		bus.ReasonLimit)
	d.refused("cart.setLineDiscount", `{`+line+`}`, bus.Validation, bus.ReasonArguments)
	d.refused("cart.setLineDiscount", `{`+line+`,"percent":5,"none":true}`, bus.Validation, bus.ReasonArguments)
	d.must("cart.setLineDiscount", `{`+line+`,"percent":10}`, nil)
	d.must("cart.applyDiscount", `{"percent":10}`, nil)
	e := d.refused("checkout.submit", `{"paymentMethodId":"cash"}`, bus.PreconditionFailed,
		bus.ReasonUnavailable)
	contains(t, e.Message, "The discount is over 10 %")
	clerk := d.person
	d.as("manager")
	d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":2}`, nil)
	d.must("cart.setLineDiscount", `{`+line+`,"percent":60}`, nil)
	d.must("checkout.submit", `{"paymentMethodId":"cash"}`, nil)
	d.person = clerk
	d.must("cart.removeDiscount", `{}`, nil)
	d.must("checkout.submit", `{"paymentMethodId":"cash"}`, nil)
}

func TestTheSameAgainLeavesOutWhatIsNotToBeHad(t *testing.T) {
	d := openSample(t, "manager")
	ana := d.fillAnasCart()
	d.must("cart.addItem", `{"productId":"NL-GUJ-250-GR","quantity":1}`, nil)
	d.must("cart.addItem", `{"productId":"prd_brew_scale","quantity":1}`, nil)
	id := d.submit("Home", "PayPal").OrderID
	stock := d.number(`SELECT stock FROM variants WHERE id = ?`, gujiBeans)
	d.must("catalog.adjustStock", jsonf(`{"productId":"prd_guji_natural","variantId":%q,"delta":%d}`, gujiBeans,
		1-stock), nil)
	var again struct {
		Lines, Unavailable []struct{ VariantID, Why string }
	}
	d.must("cart.fromOrder", jsonf(`{"orderId":%q,"without":["var_brew_scale_1"]}`, id), &again)
	if len(again.Lines) != 1 || again.Lines[0].VariantID != gujiGround || len(again.Unavailable) != 1 ||
		again.Unavailable[0].VariantID != gujiBeans || again.Unavailable[0].Why == "" {
		t.Errorf("again %+v", again)
	}
	contains(t, d.said(), "Put 1 of 3 lines of order "+id+" into Ana Ruiz's cart")
	if c := d.cart(); c.Customer.ID != ana || c.ItemCount != 1 {
		t.Errorf("cart %+v", c)
	}
	d.refused("cart.fromOrder", jsonf(`{"orderId":%q,"without":[%q,"var_brew_scale_1"]}`, id, gujiGround),
		bus.PreconditionFailed, bus.ReasonState)
}
