package shop_test

import (
	"regexp"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

func TestCreateCustomer(t *testing.T) {
	d := openSample(t, "clerk")
	var made struct{ CustomerID, AddressID string }
	d.must("customer.create", `{"name":"  Zoë\u202e\u0007  Ångström ","email":"zoe@example.com","phone":"+46 8 123",
		"address":{"label":"Home","line1":"Storgatan 1","city":"Umeå","postalCode":"903 26","country":"SE"}}`, &made)
	if !regexp.MustCompile(`^cus_[0-9a-z]{16}$`).MatchString(made.CustomerID) {
		t.Errorf("id %q", made.CustomerID)
	}
	var c struct {
		Name, Email, Phone string
		Addresses          []struct {
			ID, Label, Text string
			Default         bool
		}
		PaymentMethods []struct{}
		Orders         []struct{}
	}
	d.must("customer.get", jsonf(`{"customerId":%q}`, made.CustomerID), &c)
	if c.Name != "Zoë Ångström" || len(c.Addresses) != 1 || !c.Addresses[0].Default ||
		c.Addresses[0].Text != "Storgatan 1, Umeå, 903 26, SE" {
		t.Errorf("customer: %+v", c)
	}
	if c.PaymentMethods == nil || c.Orders == nil {
		t.Error("an empty list is not on the wire")
	}
	if got := d.customerNames(`{"query":"angstrom"}`); len(got) != 1 {
		t.Errorf("found %v", got)
	}
	d.refused("customer.create", `{"name":"Other","email":"ZOE@example.com"}`, bus.PreconditionFailed, bus.ReasonState)
	d.refused("customer.create", `{"name":"\u200b\u202e"}`, bus.Validation, bus.ReasonArguments)
	d.refused("customer.create", `{"name":"X","email":"not an address"}`, bus.Validation, bus.ReasonArguments)
	d.must("customer.create", `{"name":"王小明"}`, &made)
	if !regexp.MustCompile(`^cus_[0-9a-z]{16}$`).MatchString(made.CustomerID) {
		t.Errorf("id %q", made.CustomerID)
	}
}

// TestNamesCanBeSeen: a name only of characters that cannot be seen is empty.
func TestNamesCanBeSeen(t *testing.T) {
	d := openSample(t, "clerk")
	for _, name := range []string{"\u200d", "\u200c \u200d", "\ufe0f", "\u3164", "\u2800", "\u115f\u1160", "\u034f"} {
		e := d.refused("customer.create", jsonf(`{"name":%q}`, name), bus.Validation, bus.ReasonArguments)
		contains(t, e.Message, "empty")
	}
}

func TestAddAddressKeepsOneDefault(t *testing.T) {
	d := openSample(t, "clerk")
	ana := d.ana()
	add := func(rest string) (id string) {
		var out struct{ AddressID string }
		d.must("customer.addAddress",
			jsonf(`{"customerId":%q,"address":{"line1":"9 New Rd","city":"Bath","postalCode":"04530","country":"US"}%s}`, ana,
				rest), &out)
		return out.AddressID
	}
	defaults := func() int64 {
		return d.number(`SELECT COUNT(*) FROM addresses WHERE customer_id = ? AND is_default = 1`, ana)
	}
	add("")
	if defaults() != 1 {
		t.Errorf("%d defaults after one more", defaults())
	}
	id := add(`,"default":true`)
	contains(t, d.said(), "Add the address 9 New Rd for Ana Ruiz and make it the default in place of ")
	if defaults() != 1 || d.number(`SELECT is_default FROM addresses WHERE id = ?`, id) != 1 {
		t.Errorf("%d defaults after a new one", defaults())
	}
	e := d.refused("customer.addAddress",
		jsonf(`{"customerId":%q,"address":{"line1":" ","city":"Bath","postalCode":"1","country":"US"}}`, ana), bus.Validation,
		bus.ReasonArguments)
	if e.Violations[0].Path != "/address/line1" {
		t.Errorf("violations: %+v", e.Violations)
	}
	d.refused("customer.addAddress",
		`{"customerId":"nobody","address":{"line1":"1","city":"B","postalCode":"1","country":"US"}}`, bus.NotFound,
		bus.ReasonRecord)
}

func TestAddPaymentMethod(t *testing.T) {
	d := openSample(t, "clerk")
	ana := d.ana()
	add := func(rest string) string { return jsonf(`{"customerId":%q,%s}`, ana, rest) }
	for name, args := range map[string]string{
		"a whole card number":       `"kind":"card","brand":"Visa","lastFour":"4111111111111111"`,
		"a card number as brand":    `"kind":"card","brand":"4111 1111 1111 1111","lastFour":"1111"`,
		"a card without digits":     `"kind":"card","brand":"Visa"`,
		"PayPal with a brand":       `"kind":"paypal","brand":"Visa"`,
		"gift card without balance": `"kind":"giftCard"`,
		"card with a balance":       `"kind":"card","brand":"Visa","lastFour":"1111","balance":{"amount":1,"currency":"USD"}`,
		"balance below zero":        `"kind":"giftCard","balance":{"amount":-1,"currency":"USD"}`,
		"another currency":          `"kind":"giftCard","balance":{"amount":1,"currency":"EUR"}`,
		"cash":                      `"kind":"cash"`,
	} {
		t.Run(name, func(t *testing.T) {
			d.refused("customer.addPaymentMethod", add(args), bus.Validation, bus.ReasonArguments)
		})
	}
	d.refused("customer.addPaymentMethod", add(`"kind":"paypal"`), bus.PreconditionFailed, bus.ReasonState)
	d.must("customer.addPaymentMethod", add(`"kind":"giftCard","balance":{"amount":5000,"currency":"USD"},"default":true`),
		nil)
	d.must("customer.addPaymentMethod", add(`"kind":"card","brand":"Mastercard","lastFour":"0099"`), nil)
	if n := d.number(`SELECT COUNT(*) FROM payment_methods WHERE customer_id = ? AND is_default = 1`, ana); n != 1 {
		t.Errorf("%d default methods", n)
	}
	d.fillAnasCart()
	c := d.cart()
	if c.SavedPaymentMethods[0].Label != "Gift card" || !c.SavedPaymentMethods[0].Default ||
		c.method("Mastercard ending 0099") == "" {
		t.Errorf("methods: %+v", c.SavedPaymentMethods)
	}
}
