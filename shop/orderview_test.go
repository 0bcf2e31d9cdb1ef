package shop_test

import (
	"fmt"
	"strings"
	"testing"
)

// orderView is the part of order.get that tests read.
type orderView struct {
	ID, Status, OpenRequest string
	ItemsChanged            bool
	Total, Tax, Discount    money
	ShippingAddress         struct{ Label, Line1 string }
	Lines                   []struct {
		VariantID, Label string
		Quantity         int64
		Total, Discount  money
		Returned         bool
	}
	Payments []struct {
		Kind, Label, PaymentMethodID string
		Amount                       money
	}
	Fulfilments []struct {
		TrackingID string
		VariantIDs []string
	}
	Requests []struct {
		ID, Kind, Status, Reason, Label string
		Difference                      money
	}
	Refunded, Net *money
	Timeline      []struct{ Text string }
	Actions       []struct {
		Capability, Reason string
		Available          bool
	}
	SavedAddresses      []struct{ ID, Label string }
	SavedPaymentMethods []struct{ ID, Label, Kind string }
	Alternatives        []struct{ ID, Name string }
}

func (d *desk) order(id string) (o orderView) {
	d.t.Helper()
	d.must("order.get", jsonf(`{"orderId":%q}`, id), &o)
	return o
}

func (o orderView) method(label string) string {
	for _, m := range o.SavedPaymentMethods {
		if m.Label == label {
			return m.ID
		}
	}
	return ""
}

func (o orderView) action(capability string) (available bool, why string) {
	for _, a := range o.Actions {
		if a.Capability == capability {
			return a.Available, a.Reason
		}
	}
	return false, ""
}

func (o orderView) address(label string) string {
	for _, a := range o.SavedAddresses {
		if a.Label == label {
			return a.ID
		}
	}
	return ""
}

// paid is every payment and refund in short, oldest first.
func (o orderView) paid() string {
	var all []string
	for _, p := range o.Payments {
		all = append(all, p.Kind+" "+p.Amount.Text+" "+p.Label)
	}
	return strings.Join(all, ", ")
}

func (o orderView) lines() string {
	var all []string
	for _, l := range o.Lines {
		s := fmt.Sprintf("%d %s", l.Quantity, l.VariantID)
		if l.Returned {
			s += " back"
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}

func (d *desk) stock(variant string) int64 {
	d.t.Helper()
	return d.number(`SELECT stock FROM variants WHERE id = ?`, variant)
}

// anasOrder places two of the Guji for Ana, paid by a method given by label.
func (d *desk) anasOrder(method string) string {
	d.t.Helper()
	d.fillAnasCart()
	return d.submit("Home", method).OrderID
}

// giftCard gives Ana a gift card and returns its id.
func (d *desk) giftCard(cents int64) string {
	d.t.Helper()
	var made struct{ PaymentMethodID string }
	d.must("customer.addPaymentMethod",
		jsonf(`{"customerId":%q,"kind":"giftCard","balance":{"amount":%d,"currency":"USD"}}`, d.ana(), cents), &made)
	return made.PaymentMethodID
}

func (d *desk) delivered(method string) string {
	d.t.Helper()
	id := d.anasOrder(method)
	d.must("order.process", jsonf(`{"orderId":%q}`, id), nil)
	d.must("order.deliver", jsonf(`{"orderId":%q}`, id), nil)
	return id
}

// TestItemsInShortSayThatThereAreMore: three lines of four are named, and then a sign that it goes on.
func TestItemsInShortSayThatThereAreMore(t *testing.T) {
	d := openSample(t, "clerk")
	for _, item := range []string{`"prd_guji_natural"`, `"prd_guji_natural","variantId":"` + gujiGround + `"`,
		`"prd_sidama_honey"`, `"prd_level_tamper","variantId":"var_level_tamper_1"`} {
		d.must("cart.addItem", jsonf(`{"productId":%s,"quantity":1,"customerId":%q}`, item, d.ana()), nil)
	}
	var o struct{ Items string }
	d.must("order.get", jsonf(`{"orderId":%q}`, d.submit("Home", "PayPal").OrderID), &o)
	if strings.Count(o.Items, " × ") != 3 || !strings.HasSuffix(o.Items, ", …") {
		t.Errorf("items: %s", o.Items)
	}
}
