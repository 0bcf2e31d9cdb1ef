package shop_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// lineView is a line of a cart or of an order.
type lineView struct {
	ID, LineID, VariantID, Name string

	Quantity                    int64
	Price, Total, Discount, Tax money
	Returned                    bool
	DiscountReason, PriceReason string
	ListPrice                   money
}

type linesView struct {
	OrderID string
	Lines   []lineView
	Total   money
}

// inCart is the cart before the person.
func (d *desk) inCart() (c struct {
	Items    []lineView
	Problems []string
	Total    money
}) {
	d.t.Helper()
	d.must("cart.getSummary", `{}`, &c)
	return c
}

// takenAlong submits the cart of a walk-in, paid in cash.
func (d *desk) takenAlong() (o linesView) {
	d.t.Helper()
	d.must("checkout.submit", `{"fulfilment":"takeAway","paymentMethodId":"cash"}`, &o)
	d.must("order.get", jsonf(`{"orderId":%q}`, o.OrderID), &o)
	return o
}

const giftWrap = `{"title":" Gift  wrap ","unitPrice":{"amount":300,"currency":"USD"},"quantity":2}`

// TestAnOpenItemIsSoldAndReturnedByItsLine: it has a title, a price and the shop's first tax class, and no stock.
func TestAnOpenItemIsSoldAndReturnedByItsLine(t *testing.T) {
	d := openSample(t, "clerk")
	edit(t, d.path, `UPDATE tax_classes SET rate_ppm = 190000 WHERE id = (SELECT id FROM tax_classes ORDER BY id LIMIT 1)`)
	d.must("cart.addOpenItem", giftWrap, nil)
	contains(t, d.said(), "Add 2 × Gift wrap at $3.00 to the cart")
	d.must("cart.addOpenItem", strings.Replace(giftWrap, `"quantity":2`, `"taxClassId":"none"`, 1), nil)
	c := d.inCart()
	if len(c.Items) != 2 || c.Items[0].VariantID != "" || c.Items[0].LineID == c.Items[1].LineID || c.Items[1].Quantity != 1 {
		t.Fatalf("%+v", c.Items)
	}
	o := d.takenAlong()
	if l := o.Lines[0]; l.Name != "Gift wrap" || l.LineID != c.Items[0].LineID || l.Tax.Amount != 114 || o.Lines[1].Tax.Amount != 0 {
		t.Errorf("%+v", o.Lines)
	}
	d.must("order.returnNow", jsonf(`{"orderId":%q,"restock":true,"lines":[{"lineId":%q,"quantity":1}]}`, o.OrderID,
		o.Lines[0].LineID), nil)
	var top struct {
		Rows []struct {
			Name, VariantID string
			Quantity        int64
		}
	}
	d.must("report.topProducts", `{"period":"today"}`, &top)
	if len(top.Rows) == 0 || top.Rows[0].Name != "Open items" || top.Rows[0].Quantity != 2 {
		t.Errorf("%+v", top.Rows)
	}
	var found struct{ Orders []struct{ ID string } }
	d.must("order.search", `{"query":"gift wrap"}`, &found)
	if len(found.Orders) != 1 || found.Orders[0].ID != o.OrderID {
		t.Errorf("found %+v", found)
	}
	d.addsUp()
	d.derived()
	d.as("owner")
	file := d.export()
	imported := openImported(t, file)
	sameShop(t, d, imported)
	if again := imported.export(); again != file {
		t.Error("the second export differs")
	}
}

// TestAnOpenItemIsRefused: without a title, in another currency, of an unknown tax class, and of a part of a piece.
func TestAnOpenItemIsRefused(t *testing.T) {
	d := openSample(t, "clerk")
	for change, code := range map[[2]string]bus.Code{{`" Gift  wrap "`, `" "`}: bus.Validation, {"USD", "EUR"}: bus.Validation,
		{`:2`, `:1.5`}: bus.Validation, {`:2`, `:10000`}: bus.Validation, {`300`, `-1`}: bus.Validation,
		{`"quantity":2`, `"taxClassId":"luxury"`}: bus.NotFound} {
		arguments := strings.Replace(giftWrap, change[0], change[1], 1)
		res := d.bus.Invoke(t.Context(), bus.Invocation{Capability: "cart.addOpenItem", Arguments: json.RawMessage(arguments),
			Caller: bus.Caller{Type: bus.CallerTest}, Principal: d.person})
		if res.OK() || res.Err.Code != code || res.Err.Hint == "" {
			t.Errorf("%s: %+v", arguments, res.Err)
		}
	}
}

// TestALinePriceIsForThatLine: more of the variant is another line at the price of the catalog, and a variant of two
// lines is not named by itself.
func TestALinePriceIsForThatLine(t *testing.T) {
	d := openSample(t, "manager")
	add := jsonf(`{"productId":"prd_guji_natural","variantId":%q,"quantity":1}`, gujiBeans)
	d.must("cart.addItem", add, nil)
	d.must("cart.setLinePrice", jsonf(`{"lineId":%q,"price":{"amount":1000,"currency":"USD"},"reason":"Regular"}`, gujiBeans),
		nil)
	contains(t, d.said(), "in the cart at $10.00 instead of $21.44")
	d.must("cart.addItem", add, nil)
	d.must("cart.addItem", add, nil)
	c := d.inCart()
	if len(c.Items) != 2 || c.Items[0].Price.Amount != 1000 || c.Items[0].ListPrice.Amount != 2144 ||
		c.Items[1].Quantity != 2 || c.Items[1].LineID != gujiBeans+".2" || c.Total.Amount != 1000+2*2144 {
		t.Fatalf("%+v", c)
	}
	e := d.refused("cart.setQuantity", jsonf(`{"variantId":%q,"quantity":3}`, gujiBeans), bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, gujiBeans+": 1 × Guji Natural (250 g, Whole bean), $10.00; "+gujiBeans+".2: 2 × ")
	if e.Choices[0].Field != "lineId" || e.Choices[0].Options[1].Value != gujiBeans+".2" {
		t.Errorf("%+v", e.Choices)
	}
	d.must("cart.setQuantity", jsonf(`{"lineId":"%s.2","quantity":1}`, gujiBeans), nil)
	undo := d.inCart()
	if undo.Items[0].Quantity != 1 || undo.Items[1].Quantity != 1 {
		t.Errorf("%+v", undo.Items)
	}
	o := d.takenAlong()
	if o.Lines[0].DiscountReason != "Regular" || o.Total.Amount != 1000+2144 {
		t.Errorf("%+v", o)
	}
	back := func(line string) string {
		return jsonf(`{"orderId":%q,"restock":true,"lines":[{%s}]}`, o.OrderID, line)
	}
	e = d.refused("order.returnNow", back(jsonf(`"variantId":%q`, gujiBeans)), bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, "2 lines of Guji Natural (250 g, Whole bean) are in order "+o.OrderID+": "+gujiBeans+": 1 × ")
	if got := d.refunds("order.returnNow", back(jsonf(`"lineId":"%s.2"`, gujiBeans))); got != "cash 2144" {
		t.Errorf("given back: %s", got)
	}
	if got := d.refunds("order.returnNow", back(jsonf(`"variantId":%q`, gujiBeans))); got != "cash 1000" {
		t.Errorf("given back: %s", got)
	}
	d.addsUp()
}

// TestAPriceFarBelowTheCatalogNeedsAManager: as a discount does, also when several small ones are one large one.
func TestAPriceFarBelowTheCatalogNeedsAManager(t *testing.T) {
	d := openSample(t, "clerk")
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","variantId":%q,"quantity":1}`, gujiBeans), nil)
	price := func(n int) string {
		return jsonf(`{"lineId":%q,"price":{"amount":%d,"currency":"USD"}}`, gujiBeans, n)
	}
	e := d.refused("cart.setLinePrice", price(1929), bus.Forbidden, bus.ReasonLimit)
	contains(t, e.Message, "A price more than 10 % below $21.44 needs a manager.")
	d.must("cart.setLinePrice", price(1930), nil)
	d.must("cart.applyDiscount", `{"percent":5}`, nil)
	if c := d.inCart(); len(c.Problems) != 1 {
		t.Errorf("%q", c.Problems)
	}
	d.must("cart.removeDiscount", `{}`, nil)
	d.must("cart.setLinePrice", price(9900), nil)
	d.as("manager")
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","variantId":%q,"quantity":1}`, gujiBeans), nil)
	d.must("cart.setLinePrice", price(1), nil)
	if c := d.inCart(); len(c.Problems) > 0 {
		t.Errorf("%q", c.Problems)
	}
}

// TestLinesOfOnePlaceHaveOneOrder: an undo brings a line back to the place that another one has taken.
func TestLinesOfOnePlaceHaveOneOrder(t *testing.T) {
	d := openSample(t, "manager")
	for range 2 {
		d.must("cart.addOpenItem", giftWrap, nil)
		d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","variantId":%q,"quantity":1}`, gujiBeans), nil)
	}
	edit(t, d.path, `UPDATE cart_lines SET position = 1`)
	first := d.inCart().Items
	for range 20 {
		if again := d.inCart().Items; again[0] != first[0] || again[1] != first[1] {
			t.Fatalf("%+v, then %+v", first, again)
		}
	}
}

// TestAnOrderGetsMoreAndFewerItems: the difference is charged or given back, stock follows, a second change is allowed,
// and something stays in the order.
func TestAnOrderGetsMoreAndFewerItems(t *testing.T) {
	d := openSample(t, "manager")
	order := d.soldBy("pickUp", `{"paymentMethodId":"transfer"}`)
	before := d.stock(gujiBeans)
	change := func(what string) string { return jsonf(`{"orderId":%q,%s}`, order, what) }
	var out struct {
		Difference money
		Added      []struct{ LineID, VariantID string }
	}
	d.must("order.changeItems", change(`"add":[{"productId":"NL-GUJ-250-WB","quantity":3}],"paymentMethodId":"cash"`), &out)
	if out.Difference.Amount != 3*2144 || len(out.Added) != 1 || out.Added[0].LineID != gujiBeans+".2" {
		t.Errorf("%+v", out)
	}
	contains(t, d.said(), "3 × Guji Natural (250 g, Whole bean) more")
	e := d.refused("order.changeItems", change(jsonf(`"set":[{"variantId":%q,"quantity":1}]`, gujiBeans)), bus.PreconditionFailed,
		bus.ReasonState)
	contains(t, e.Message, "2 lines of Guji Natural")
	for _, step := range []struct{ set, back string }{
		{jsonf(`{"lineId":"%s.2","quantity":1}`, gujiBeans), "cash 4288"},
		{jsonf(`{"lineId":%q,"quantity":0}`, gujiBeans), "cash 2144, transfer 2144"},
	} {
		if got := d.refunds("order.changeItems", change(`"set":[`+step.set+`]`)); got != step.back {
			t.Errorf("%s gave back %s, want %s", step.set, got, step.back)
		}
	}
	if got := d.stock(gujiBeans); got != before+1 {
		t.Errorf("stock %d, want %d", got, before+1)
	}
	d.refused("order.changeItems", change(jsonf(`"set":[{"variantId":%q,"quantity":0}]`, gujiBeans)), bus.PreconditionFailed,
		bus.ReasonState)
	d.refused("order.changeItems", change(jsonf(`"set":[{"variantId":%q,"quantity":1}]`, gujiBeans)), bus.PreconditionFailed,
		bus.ReasonState)
	d.refused("order.changeItems", change(`"paymentMethodId":"cash"`), bus.Validation, bus.ReasonArguments)
	d.refused("order.changeItems", change(jsonf(`"add":[{"variantId":%q,"quantity":1.5}]`, gujiBeans)), bus.Validation,
		bus.ReasonArguments)
	d.addsUp()
	d.derived()
}

// TestADiscountOfAnAmountStaysWhenItemsChange: and a percentage follows them.
func TestADiscountOfAnAmountStaysWhenItemsChange(t *testing.T) {
	for given, want := range map[string]int64{`{"amount":{"amount":300,"currency":"USD"}}`: 300, `{"percent":10}`: 1072} {
		d := openSample(t, "manager")
		d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","variantId":%q,"quantity":2,"customerId":%q}`, gujiBeans,
			d.ana()), nil)
		d.must("cart.applyDiscount", given, nil)
		var sold struct{ OrderID string }
		d.must("checkout.submit", `{"fulfilment":"pickUp","paymentMethodId":"card"}`, &sold)
		d.must("order.changeItems", jsonf(`{"orderId":%q,"set":[{"lineId":%q,"quantity":5}]}`, sold.OrderID, gujiBeans), nil)
		if got := d.number(`SELECT discount FROM orders WHERE id = ?`, sold.OrderID); got != want {
			t.Errorf("%s: %d, want %d", given, got, want)
		}
		d.addsUp()
	}
}

// TestAnOlderShopKeepsItsLines: each gets an id, its variant's where that is free, and its discount stays.
func TestAnOlderShopKeepsItsLines(t *testing.T) {
	path := olderShop(t, 7)
	edit(t, path, `INSERT INTO orders (id, status, fulfilment, placed_at, placed_by, subtotal, discount, shipping, tax, total,
			tax_included, shipping_method, estimated_delivery, address_id, address_label, line1, line2, city, region, postal_code,
			country, name_fold, search_fold) VALUES ('#W0000001', 'pending', 'pickUp', 1773300000000, 'owner', 600, 50, 0, 0,
			550, 0, '', '2026-03-12', '', '', '', '', '', '', '', '', ' ', ' ')`,
		`INSERT INTO order_lines (order_id, line, product_id, variant_id, sku, name, label, quantity, price, discount, tax,
			total) VALUES ('#W0000001', 1, 'p', 'v', '', 'Thing', '', 1, 200, 50, 0, 200),
			('#W0000001', 2, 'p', 'v', '', 'Thing', '', 1, 200, 0, 0, 200), ('#W0000001', 3, 'p', 'w', '', 'Thing', '', 1, 200, 0, 0, 200)`,
		`INSERT INTO tax_classes (id, name, rate_ppm) VALUES ('tax', 'Tax', 0)`,
		`INSERT INTO products (id, handle, name, tax_class, published, name_fold, search_fold, created_at)
			VALUES ('p', 'p', 'Thing', 'tax', 1, ' ', ' ', 0)`,
		`INSERT INTO variants (id, product_id, position, price, backorder, available) VALUES ('v', 'p', 1, 200, 0, 1)`,
		`INSERT INTO carts (id, status, created_at) VALUES ('c', 'open', 0)`,
		`INSERT INTO cart_lines (cart_id, variant_id, position, quantity, discount_percent) VALUES ('c', 'v', 1, 3, 5)`)
	d := openDesk(t, path)
	d.derived()
	for query, want := range map[string]string{
		`SELECT group_concat(id, ' ') FROM order_lines ORDER BY line`:                                      "v v.2 w",
		`SELECT group_concat(discount_amount, ' ') FROM order_lines`:                                       "50 0 0",
		`SELECT sold || ' ' || quantity || ' ' || discount_percent FROM cart_lines WHERE variant_id = 'v'`: "v 3 5",
	} {
		if got := d.one(query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}
