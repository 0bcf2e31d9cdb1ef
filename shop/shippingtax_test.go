package shop_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// rated are amounts by the rate of their tax.
type rated struct {
	RatePPM  int64
	Net, Tax money
}

// taxedShipping holds the shipping in the responses for a cart and an order.
type taxedShipping struct {
	Shipping, ShippingTax, Tax, Total money
	Taxes                             []rated
}

func (v taxedShipping) amounts() string {
	said := fmt.Sprintf("%d with %d, %d of %d:", v.Shipping.Amount, v.ShippingTax.Amount, v.Tax.Amount, v.Total.Amount)
	for _, r := range v.Taxes {
		said += fmt.Sprintf(" %d at %d, %d", r.Net.Amount, r.RatePPM/10_000, r.Tax.Amount)
	}
	return said
}

// sendsFor sets a single shipping method at 5.00 with the given tax.
func (d *desk) sendsFor(tax string) {
	d.t.Helper()
	d.must("settings.set", `{"section":"shipping","values":{"methods":[{"id":"parcel","name":"Parcel","days":2,
		"price":{"amount":500,"currency":"USD"}`+tax+`}]}}`, nil)
}

// sendsAMugAndCoffee puts 11.90 at 19 % and 5.35 at 7 % into Ana's cart, both with tax in the price: 10.00 and 5.00 net.
func (d *desk) sendsAMugAndCoffee(included bool) (address string) {
	d.t.Helper()
	full, food := 1000, 500
	if included {
		full, food = 1190, 535
	}
	edit(d.t, d.path, fmt.Sprintf(`UPDATE variants SET price = %d WHERE id = 'var_brew_scale_1'`, full),
		fmt.Sprintf(`UPDATE variants SET price = %d WHERE id = %q`, food, gujiBeans))
	d.must("cart.setCustomer", jsonf(`{"customerId":%q}`, d.ana()), nil)
	d.must("cart.addItem", `{"productId":"prd_brew_scale","quantity":1}`, nil)
	d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":1}`, nil)
	return d.cart().address("Home")
}

// TestShippingIsTaxed as the goods, as one class, or not at all, in cart, order, receipt and report.
func TestShippingIsTaxed(t *testing.T) {
	for name, tc := range map[string]struct {
		included     bool
		class, want  string
		whole, taxed figures
	}{
		"as the goods, in the price": {true, ``, "500 with 64, 289 of 2225: 1281 at 19, 243 655 at 7, 46",
			figures{1, 1500, 0, 0, 1500, 436, 289, 2225}, figures{0, 1000, 0, 0, 1000, 281, 243, 1524}},
		"as the goods, on top": {false, ``, "500 with 75, 300 of 2300: 1334 at 19, 253 666 at 7, 47",
			figures{1, 1500, 0, 0, 1500, 500, 300, 2300}, figures{0, 1000, 0, 0, 1000, 334, 253, 1587}},
		"a class": {true, `,"taxClassId":"food"`, "500 with 33, 258 of 2225: 1000 at 19, 190 967 at 7, 68",
			figures{1, 1500, 0, 0, 1500, 467, 258, 2225}, figures{0, 1000, 0, 0, 1000, 0, 190, 1190}},
		"none": {true, `,"taxClassId":"none"`, "500 with 0, 225 of 2225: 1000 at 19, 190 500 at 7, 35 500 at 0, 0",
			figures{1, 1500, 0, 0, 1500, 500, 225, 2225}, figures{0, 1000, 0, 0, 1000, 0, 190, 1190}},
	} {
		t.Run(name, func(t *testing.T) {
			d := taxShop(t, tc.included)
			d.sendsFor(tc.class)
			address := d.sendsAMugAndCoffee(tc.included)
			var v taxedShipping
			d.must("cart.getSummary", `{}`, &v)
			if v.amounts() != tc.want {
				t.Errorf("the cart: %s, want %s", v.amounts(), tc.want)
			}
			var sold soldView
			d.must("checkout.submit", jsonf(`{"shippingAddressId":%q,"paymentMethodId":"cash"}`, address), &sold)
			d.must("order.get", jsonf(`{"orderId":%q}`, sold.OrderID), &v)
			if v.amounts() != tc.want {
				t.Errorf("the order: %s, want %s", v.amounts(), tc.want)
			}
			if whole := d.identity(t); whole != tc.whole {
				t.Errorf("sales %+v, want %+v", whole, tc.whole)
			}
			for _, row := range d.sales(`{` + allTime + `,"by":"taxRate"}`).Rows {
				if row.Value == "190000" && row.figures() != tc.taxed {
					t.Errorf("19 %%: %+v, want %+v", row.figures(), tc.taxed)
				}
			}
			var printed struct {
				Taxes []struct{ Rate, Net, Tax string }
			}
			d.must("receipt.preview", jsonf(`{"orderId":%q}`, sold.OrderID), &printed)
			for i, r := range printed.Taxes {
				if cents := v.Taxes[i]; r.Net != cents.Net.Text || r.Tax != cents.Tax.Text {
					t.Errorf("the receipt: %+v, want %+v", r, cents)
				}
			}
			book := v
			book.Taxes = nil
			for _, r := range d.rows(`SELECT rate_ppm, net, tax FROM receipt_rates ORDER BY rate_ppm DESC`) {
				book.Taxes = append(book.Taxes, rated{r.number(0), money{Amount: r.number(1)}, money{Amount: r.number(2)}})
			}
			if book.amounts() != tc.want {
				t.Errorf("the book: %s, want %s", book.amounts(), tc.want)
			}
			d.derived()
		})
	}
}

// TestACancellationGivesShippingBackAndAReturnDoesNot, each with its tax.
func TestACancellationGivesShippingBackAndAReturnDoesNot(t *testing.T) {
	d := taxShop(t, false)
	d.sendsFor("")
	address := d.sendsAMugAndCoffee(false)
	var sold soldView
	d.must("checkout.submit", jsonf(`{"shippingAddressId":%q,"paymentMethodId":"cash"}`, address), &sold)
	var back struct{ Refunds []struct{ Amount money } }
	d.must("order.cancel", jsonf(`{"orderId":%q,"reason":"other"}`, sold.OrderID), &back)
	if len(back.Refunds) != 1 || back.Refunds[0].Amount.Amount != 2300 {
		t.Errorf("cancelled: %+v", back)
	}
	if got := d.identity(t); got != (figures{}) {
		t.Errorf("sales after the cancellation %+v", got)
	}
	d.sendsAMugAndCoffee(false)
	d.must("checkout.submit", jsonf(`{"shippingAddressId":%q,"paymentMethodId":"cash"}`, address), &sold)
	d.must("order.changeItems", jsonf(`{"orderId":%q,"paymentMethodId":"cash","changes":[{"variantId":%q,"newVariantId":%q}]}`,
		sold.OrderID, gujiBeans, gujiGround), nil)
	d.must("order.process", jsonf(`{"orderId":%q}`, sold.OrderID), nil)
	d.must("order.deliver", jsonf(`{"orderId":%q}`, sold.OrderID), nil)
	d.must("order.returnNow", jsonf(`{"orderId":%q,"paymentMethodId":"cash","restock":true,"lines":[
		{"variantId":"var_brew_scale_1"},{"variantId":%q}]}`, sold.OrderID, gujiGround), nil)
	if got := d.identity(t); got.net != 0 || got.shipping != 500 || got.tax != 75 || got.total != 575 {
		t.Errorf("sales after the return %+v", got)
	}
	d.derived()
}

// TestShippingRefersToATaxClassOfTheShop, which stays while it is in use.
func TestShippingRefersToATaxClassOfTheShop(t *testing.T) {
	d := openSample(t, "owner")
	const ways = `{"section":"shipping","values":{"methods":[{"id":"a","name":"A","days":1,"price":{"amount":1,"currency":"USD"},
		"taxClassId":%q}]}}`
	e := d.refused("settings.set", jsonf(ways, "wine"), bus.Validation, bus.ReasonArguments)
	contains(t, e.Message, "There is no tax class wine.")
	d.must("settings.set", `{"section":"tax","values":{"classes":[{"id":"food","name":"F","ratePpm":70000},
		{"id":"none","name":"N","ratePpm":0},{"id":"standard","name":"S","ratePpm":190000},
		{"id":"parcel","name":"P","ratePpm":70000}]}}`, nil)
	d.must("settings.set", jsonf(ways, "parcel"), nil)
	e = d.refused("settings.set", `{"section":"tax","values":{"classes":[{"id":"food","name":"F","ratePpm":70000},
		{"id":"none","name":"N","ratePpm":0},{"id":"standard","name":"S","ratePpm":190000}]}}`, bus.PreconditionFailed,
		bus.ReasonState)
	contains(t, e.Message, "parcel, of A")
	var got struct {
		Shipping []struct{ ID, TaxClassID string }
	}
	d.must("settings.get", `{"section":"shipping"}`, &got)
	if len(got.Shipping) != 1 || got.Shipping[0].TaxClassID != "parcel" {
		t.Errorf("%+v", got)
	}
}

// TestANewShopTaxesShippingAsItsCountryDoes, and knows the smallest coin.
func TestANewShopTaxesShippingAsItsCountryDoes(t *testing.T) {
	for country, want := range map[string]string{"DE": `"" 1`, "AT": `"" 1`, "CH": `"" 5`, "FR": `"" 1`, "GB": `"" 1`,
		"US": `"none" 1`, "SE": `"" 100`, "CA": `"none" 5`} {
		d := openEmpty(t)
		d.must("shop.setUp", jsonf(`{"from":"empty","country":%q}`, country), nil)
		r := d.rows(`SELECT tax_class, cash_step FROM shipping_methods, shop`)[0]
		if got := fmt.Sprintf("%q %d", r.text(0), r.number(1)); got != want {
			t.Errorf("%s: %s, want %s", country, got, want)
		}
	}
}

// TestTaxedShippingIsExportedAndImported: the file of the shop holds it, and another shop reads the same.
func TestTaxedShippingIsExportedAndImported(t *testing.T) {
	d := openSample(t, "owner")
	edit(t, d.path, `UPDATE tax_classes SET rate_ppm = CASE id WHEN 'food' THEN 70000 ELSE 190000 END`,
		`UPDATE shop SET prices_include_tax = 1`)
	d.sendsFor("")
	var sold soldView
	d.must("checkout.submit", jsonf(`{"shippingAddressId":%q,"paymentMethodId":"cash"}`, d.sendsAMugAndCoffee(true)), &sold)
	file := d.export()
	contains(t, file, `"taxClass":""`)
	contains(t, file, `"shippingTaxes":[{"ratePpm":190000,"net":{"amount":281`)
	other := openImported(t, file)
	sameShop(t, d, other)
	var v taxedShipping
	other.must("order.get", jsonf(`{"orderId":%q}`, sold.OrderID), &v)
	if want := "500 with 64, 289 of 2225: 1281 at 19, 243 655 at 7, 46"; v.amounts() != want {
		t.Errorf("imported: %s, want %s", v.amounts(), want)
	}
	other.derived()
	for old, bad := range map[string]string{`"net":{"amount":281,`: `"net":{"amount":601,`,
		`"ratePpm":70000,"net":{"amount":155`: `"ratePpm":190000,"net":{"amount":155`, `"taxClass":""`: `"taxClass":"wine"`} {
		broken := openNew(t)
		broken.files["file"] = strings.Replace(file, old, bad, 1)
		e := broken.refused("shop.import", `{"file":"file"}`, bus.Validation, bus.ReasonArguments)
		if !strings.Contains(fmt.Sprint(e.Message, e.Violations), "hipping") {
			t.Errorf("%s: %s %v", bad, e.Message, e.Violations)
		}
	}
}
