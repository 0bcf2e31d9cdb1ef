package shop_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/deskhand/deskhand/internal/reckonertest"
)

// counterDay is a new shop with a person at the counter, and a reckoner that follows each call.
type counterDay struct {
	*desk
	currency string
	follows  *reckonertest.Reckoner
	after    int64
	sales    int

	hammer, glue, book, gloves, lamp string // products
	small, large                     string // gloves
	ida, otto                        string // customers, with an address; Ida has a gift card
	giftCard                         string
}

// call runs a capability, then has the reckoner follow it.
func (c *counterDay) call(name, args string, out any) {
	c.t.Helper()
	c.clock = c.clock.Add(90 * time.Second)
	c.must(name, args, out)
	c.after = c.replay(c.follows, c.after)
}

func (c *counterDay) amount(n int64) string {
	return jsonf(`{"amount":%d,"currency":%q}`, n, c.currency)
}

// add puts pieces of a product, or a variant of it, into the cart.
func (c *counterDay) add(product string, n int) {
	c.call("cart.addItem", jsonf(`{"productId":%q,"quantity":%d}`, product, n), nil)
}

// sold is the part of a sale that a test needs.
type sold struct {
	OrderID, ReceiptNumber string
	Total                  money
	Payments               []struct {
		PaymentMethodID string
		Amount          money
	}
}

// sell submits the cart; how are more fields of the call.
func (c *counterDay) sell(how string) (s sold) {
	c.t.Helper()
	c.call("checkout.submit", `{`+how+`}`, &s)
	if c.sales++; s.ReceiptNumber == "" {
		c.t.Error("a sale has no receipt number")
	}
	return s
}

// lineID is the line of the cart with a name.
func (c *counterDay) lineID(name string) string {
	c.t.Helper()
	var cart struct {
		Items []struct{ LineID, Name string }
	}
	c.must("cart.getSummary", `{}`, &cart)
	for _, l := range cart.Items {
		if l.Name == name {
			return l.LineID
		}
	}
	c.t.Fatalf("no line %q in %+v", name, cart.Items)
	return ""
}

// orderLine is the line of an order with a name.
func (c *counterDay) orderLine(order, name string) string {
	c.t.Helper()
	var o struct {
		Lines []struct{ LineID, Name string }
	}
	c.must("order.get", jsonf(`{"orderId":%q}`, order), &o)
	for _, l := range o.Lines {
		if l.Name == name {
			return l.LineID
		}
	}
	c.t.Fatalf("no line %q in %+v", name, o.Lines)
	return ""
}

// newCounter opens a shop of a country with five products, two customers and a reckoner.
func newCounter(t *testing.T, country, currency string) *counterDay {
	c := &counterDay{desk: openEmpty(t), currency: currency}
	c.must("shop.setUp", jsonf(`{"from":"empty","name":"Hansen & Sohn","country":%q}`, country), nil)
	c.as("owner")
	var classes []struct{ ID, Name string }
	for _, r := range c.rows(`SELECT id, name FROM tax_classes ORDER BY id`) {
		classes = append(classes, struct{ ID, Name string }{r.text(0), r.text(1)})
	}
	c.must("settings.set", jsonf(`{"section":"tax","values":{"classes":[{"id":%q,"name":%q,"ratePpm":190000},{"id":"books","name":"Books","ratePpm":70000}]}}`,
		classes[0].ID, classes[0].Name), nil)
	var products []string
	for i, p := range []string{
		`"name":"Hammer","variants":[{"price":%s,"stock":60}]`,
		`"name":"Glue","variants":[{"price":%s,"stock":40}]`,
		`"name":"Book","taxClass":"books","variants":[{"price":%s,"stock":25}]`,
		`"name":"Gloves","options":["Size"],"variants":[{"options":{"Size":"M"},"price":%s,"stock":9},{"options":{"Size":"L"},"price":%[1]s,"stock":9}]`,
		`"name":"Lamp","variants":[{"price":%s}]`,
	} {
		var made struct{ ProductID string }
		c.must("catalog.createProduct", `{`+jsonf(p, c.amount(int64(1995+i*733)))+`}`, &made)
		products = append(products, made.ProductID)
	}
	c.hammer, c.glue, c.book, c.gloves, c.lamp = products[0], products[1], products[2], products[3], products[4]
	sizes := c.rows(`SELECT id FROM variants WHERE product_id = ? ORDER BY position`, c.gloves)
	c.small, c.large = sizes[0].text(0), sizes[1].text(0)
	for i, into := range []*string{&c.ida, &c.otto} {
		var made struct{ CustomerID string }
		c.must("customer.create", jsonf(`{"name":%q,"address":{"label":"Home","line1":"Main %d","city":"Kiel","postalCode":"24103","country":%q}}`,
			[]string{"Ida Hansen", "Otto Brandt"}[i], i+1, country), &made)
		*into = made.CustomerID
	}
	var card struct{ PaymentMethodID string }
	c.must("customer.addPaymentMethod", jsonf(`{"customerId":%q,"kind":"giftCard","balance":%s}`, c.ida, c.amount(10_000)), &card)
	c.giftCard = card.PaymentMethodID
	c.after = c.number(`SELECT MAX(seq) FROM audit_records`)
	c.follows = c.reckoner()
	return c
}

// TestADayAtTheCounterOfANewShop sells forty times in ten ways and more, closes two days, and compares money, stock,
// taxes, receipts and closings with the reckoner after each call.
func TestADayAtTheCounterOfANewShop(t *testing.T) {
	for _, in := range [][2]string{{"DE", "EUR"}, {"GB", "GBP"}, {"CH", "CHF"}, {"US", "USD"}} {
		t.Run(in[0], func(t *testing.T) {
			c := newCounter(t, in[0], in[1])
			c.call("cash.move", jsonf(`{"amount":%s,"reason":"change"}`, c.amount(15_000)), nil)
			yesterday := c.delivered(c.otto, "transfer")
			c.call("day.close", jsonf(`{"counted":%s}`, c.amount(15_000)), nil)
			c.clock = c.clock.Add(20 * time.Hour)

			for range 4 {
				c.round()
			}
			c.call("order.cancel", jsonf(`{"orderId":%q,"reason":"other"}`, yesterday), nil)
			c.call("cash.move", jsonf(`{"amount":{"amount":-5000,"currency":%q},"reason":"to the bank"}`, c.currency), nil)
			var before struct{ Expected money }
			c.call("day.preview", `{}`, &before)
			var closed struct {
				ClosingNumber int64
				Difference    money
			}
			c.call("day.close", jsonf(`{"counted":%s,"note":"short"}`, c.amount(before.Expected.Amount-35)), &closed)
			if closed.ClosingNumber != 2 || closed.Difference.Amount != -35 {
				t.Errorf("closed with %+v", closed)
			}
			if c.sales < 40 {
				t.Errorf("only %d sales", c.sales)
			}
			c.agreesWith(c.follows)
			c.bookedAs(c.follows)
			c.closedAs(c.follows)
		})
	}
}

// delivered sells a hammer and a book to a customer, to be sent and paid by a method, and returns the order.
func (c *counterDay) delivered(customer, method string) string {
	c.call("cart.addItem", jsonf(`{"productId":%q,"quantity":1,"customerId":%q}`, c.hammer, customer), nil)
	c.add(c.book, 2)
	c.call("cart.applyDiscount", `{"percent":5}`, nil)
	return c.sell(jsonf(`"fulfilment":"deliver","paymentMethodId":%q`, method)).OrderID
}

// round sells once in each way: ten sales with their follow-ups.
func (c *counterDay) round() {
	c.add(c.hammer, 1)
	c.sell(jsonf(`"tendered":%s`, c.amount(10_000)))

	c.add(c.glue, 2)
	c.add(c.book, 1)
	c.sell(`"paymentMethodId":"card"`)

	c.add(c.hammer, 2) // cash and card
	c.add(c.book, 1)
	split := c.sell(jsonf(`"payments":[{"paymentMethodId":"cash","amount":%s},{"paymentMethodId":"card"}]`, c.amount(2000)))

	c.call("cart.addItem", jsonf(`{"productId":%q,"quantity":1,"customerId":%q}`, c.lamp, c.ida), nil)
	c.sell(jsonf(`"fulfilment":"takeAway","payments":[{"paymentMethodId":%q,"amount":%s},{"paymentMethodId":"cash"}]`,
		c.giftCard, c.amount(1500)))

	c.call("cart.setCustomer", `{"walkIn":true}`, nil)
	c.add(c.glue, 1)
	c.call("cart.addOpenItem", jsonf(`{"title":"Gift wrap","unitPrice":%s}`, c.amount(300)), nil)
	open := c.sell(jsonf(`"tendered":%s`, c.amount(20_000)))

	c.add(c.lamp, 1)
	c.call("cart.setLinePrice", jsonf(`{"lineId":%q,"price":%s,"reason":"scratched"}`, c.lineID("Lamp"), c.amount(3333)), nil)
	c.sell(`"paymentMethodId":"other"`)

	sent := c.delivered(c.ida, "transfer")

	c.call("cart.setCustomer", `{"walkIn":true}`, nil)
	c.call("cart.addItem", jsonf(`{"productId":%q,"variantId":%q,"quantity":2}`, c.gloves, c.small), nil)
	gloves := c.sell(jsonf(`"tendered":%s`, c.amount(50_000)))

	c.add(c.hammer, 1)
	c.add(c.glue, 3)
	c.call("cart.applyDiscount", jsonf(`{"amount":%s}`, c.amount(777)), nil)
	kept := c.sell(`"fulfilment":"pickUp","paymentMethodId":"card"`)

	c.add(c.glue, 1)
	undone := c.sell(jsonf(`"tendered":%s`, c.amount(4000)))

	c.call("order.returnNow", jsonf(`{"orderId":%q,"lines":[{"lineId":%q,"quantity":1}],"restock":true}`, split.OrderID,
		c.orderLine(split.OrderID, "Hammer")), nil)
	c.call("order.returnNow", jsonf(`{"orderId":%q,"lines":[{"lineId":%q}],"restock":false}`, open.OrderID,
		c.orderLine(open.OrderID, "Gift wrap")), nil)
	c.call("order.exchange", jsonf(`{"orderId":%q,"changes":[{"variantId":%q,"newVariantId":%q,"quantity":1}]}`,
		gloves.OrderID, c.small, c.large), nil)
	c.call("order.receiveExchange", jsonf(`{"orderId":%q,"restock":true}`, gloves.OrderID), nil)
	c.call("order.changeItems", jsonf(`{"orderId":%q,"add":[{"variantId":%q,"quantity":1}],"set":[{"lineId":%q,"quantity":1}]}`,
		kept.OrderID, c.oneVariant(c.book), c.orderLine(kept.OrderID, "Glue")), nil)
	c.call("order.changePayment", jsonf(`{"orderId":%q,"paymentMethodId":"cash"}`, sent), nil)
	c.call("order.returnNow", jsonf(`{"orderId":%q,"lines":[{"variantId":%q}],"restock":true}`, undone.OrderID,
		c.oneVariant(c.glue)), nil)
}

func (c *counterDay) oneVariant(product string) string {
	return c.rows(`SELECT id FROM variants WHERE product_id = ?`, product)[0].text(0)
}

// bookedAs compares the book with the receipts of a reckoner: each with its sums by rate and its payments.
func (d *desk) bookedAs(r *reckonertest.Reckoner) {
	d.t.Helper()
	got := []reckonertest.Receipt{}
	for _, e := range d.rows(`SELECT number, desk, cashier, order_id, at, refers_to, shipping, rounding, total, sales, returns
		FROM receipts ORDER BY series_year, count`) {
		k := reckonertest.Receipt{Number: e.text(0), Desk: e.text(1), Cashier: e.text(2), Order: e.text(3), At: e.number(4),
			RefersTo: e.text(5), Shipping: e.number(6), Rounding: e.number(7), Total: e.number(8), Sales: e.number(9),
			Returns: e.number(10)}
		for _, s := range d.rows(`SELECT rate_ppm, net, tax FROM receipt_rates WHERE number = ? ORDER BY 1 DESC`, e.text(0)) {
			k.Sums = append(k.Sums, reckonertest.RateSum{Rate: s.number(0), Net: s.number(1), Tax: s.number(2)})
		}
		for _, p := range d.rows(`SELECT method_id, amount FROM receipt_payments WHERE number = ? ORDER BY position`,
			e.text(0)) {
			k.Payments = append(k.Payments, reckonertest.Payment{Method: p.text(0), Amount: p.number(1)})
		}
		got = append(got, k)
	}
	want := r.Receipts()
	for i := range want {
		want[i].Lines = nil
		for j, p := range want[i].Payments {
			want[i].Payments[j] = reckonertest.Payment{Method: p.Method, Amount: p.Amount}
		}
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(reckonertest.Payment{})); diff != "" {
		d.t.Errorf("receipts (-reckoner +shop):\n%s", diff)
	}
}
