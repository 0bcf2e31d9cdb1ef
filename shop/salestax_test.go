package shop_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/deskhand/deskhand/shop"
)

// taxShop is the sample without its orders, of which the goods have three rates of tax.
func taxShop(t *testing.T, included bool) *desk {
	t.Helper()
	d := openSample(t, "owner")
	edit(t, d.path, `PRAGMA foreign_keys = ON`, `DELETE FROM orders`,
		`UPDATE tax_classes SET rate_ppm = 70000 WHERE id = 'food'`,
		`UPDATE tax_classes SET rate_ppm = 190000 WHERE id = 'standard'`,
		`UPDATE variants SET stock = 100000, available = 1`)
	edit(t, d.path, shop.RebuildDerived()...)
	d.must("settings.set", jsonf(`{"section":"shop","values":{"pricesIncludeTax":%v}}`, included), nil)
	return d
}

const allTime = `"from":"2025-01-01","to":"2027-12-31"`

// TestADiscountWithoutTaxIsNetBeforeLessNetAfter: 12.00 with 20 % included, half off, and further cases.
func TestADiscountWithoutTaxIsNetBeforeLessNetAfter(t *testing.T) {
	for name, tc := range map[string]struct {
		included              bool
		rate, price, quantity int64
		line, whole           string
		want                  figures
	}{
		"half off the order": {true, 200_000, 1200, 1, "", `{"percent":50}`, figures{1, 1000, 500, 0, 500, 0, 100, 600}},
		"half off the line":  {true, 200_000, 1200, 1, `"percent":50`, "", figures{1, 1000, 500, 0, 500, 0, 100, 600}},
		"all off":            {true, 190_000, 1190, 1, "", `{"percent":100}`, figures{1, 1000, 1000, 0, 0, 0, 0, 0}},
		"an amount off": {true, 190_000, 1190, 2, "", `{"amount":{"amount":238,"currency":"USD"}}`,
			figures{1, 2000, 200, 0, 1800, 0, 342, 2142}},
		"of both":          {true, 70_000, 999, 3, `"percent":10`, `{"percent":15}`, figures{1, 2801, 659, 0, 2142, 0, 150, 2292}},
		"nothing off":      {true, 70_000, 999, 3, "", "", figures{1, 2801, 0, 0, 2801, 0, 196, 2997}},
		"tax on top":       {false, 200_000, 1200, 1, "", `{"percent":50}`, figures{1, 1200, 600, 0, 600, 0, 120, 720}},
		"without any rate": {true, 0, 1200, 1, "", `{"percent":50}`, figures{1, 1200, 600, 0, 600, 0, 0, 600}},
	} {
		t.Run(name, func(t *testing.T) {
			d := taxShop(t, tc.included)
			edit(t, d.path, fmt.Sprintf(`UPDATE tax_classes SET rate_ppm = %d`, tc.rate),
				fmt.Sprintf(`UPDATE variants SET price = %d WHERE sku = 'NL-GUJ-250-WB'`, tc.price))
			d.must("cart.addItem", jsonf(`{"productId":"NL-GUJ-250-WB","quantity":%d}`, tc.quantity), nil)
			if tc.line != "" {
				d.must("cart.setLineDiscount", jsonf(`{"productId":"NL-GUJ-250-WB",%s}`, tc.line), nil)
			}
			if tc.whole != "" {
				d.must("cart.applyDiscount", tc.whole, nil)
			}
			d.must("checkout.submit", `{}`, nil)
			if got := d.sales(`{` + allTime + `}`).Totals.figures(); got != tc.want {
				t.Errorf("%+v, want %+v", got, tc.want)
			}
			d.identity(t)
		})
	}
}

// identity makes sure that every row of every report of sales is gross less discounts and returns, and with shipping and
// tax the total, and that rows add up to the totals.
func (d *desk) identity(t *testing.T) (whole figures) {
	t.Helper()
	whole = d.sales(`{` + allTime + `}`).Totals.figures()
	for _, by := range []string{"day", "week", "month", "person", "fulfilment", "taxRate"} {
		report := d.sales(jsonf(`{%s,"by":%q}`, allTime, by))
		var sum figures
		for _, row := range report.Rows {
			f := row.figures()
			if f.gross-f.discounts-f.returns != f.net || f.net+f.shipping+f.tax != f.total {
				t.Errorf("by %s, %s: %+v", by, row.Period, f)
			}
			sum = sum.plus(f)
		}
		if by == "taxRate" {
			sum.orders = whole.orders
		}
		if sum != whole || report.Totals.figures() != whole {
			t.Errorf("by %s the rows make %+v, and the totals are %+v, %+v", by, sum, report.Totals.figures(), whole)
		}
	}
	return whole
}

// halfUp is n × part / whole by fractions, a half rounded up.
func halfUp(n, part, whole int64) int64 {
	f := new(big.Rat).Mul(big.NewRat(n, 1), big.NewRat(part, whole))
	f.Add(f, big.NewRat(1, 2))
	return new(big.Int).Div(f.Num(), f.Denom()).Int64()
}

// TestSalesWithoutTaxAddUpOverRandomOrders: mixed rates, discounts on lines and orders, shipping and returns, with the
// tax in the prices and on top. Returns change neither gross sales nor discounts of the day of the sale.
func TestSalesWithoutTaxAddUpOverRandomOrders(t *testing.T) {
	for _, included := range []bool{true, false} {
		t.Run(fmt.Sprint("included ", included), func(t *testing.T) {
			d, r := taxShop(t, included), rand.New(rand.NewPCG(7, 9))
			customer := d.ana()
			all := d.rows(`SELECT v.id, p.id FROM variants v JOIN products p ON p.id = v.product_id
				JOIN tax_classes t ON t.id = p.tax_class WHERE p.published ORDER BY v.id`)
			var want figures
			for range 25 {
				d.clock = d.clock.Add(7 * time.Hour)
				if r.IntN(2) == 0 {
					d.must("cart.setCustomer", jsonf(`{"customerId":%q}`, customer), nil)
				}
				seen := map[string]bool{}
				for range 1 + r.IntN(4) {
					v := all[r.IntN(len(all))]
					if seen[v.text(0)] {
						continue
					}
					seen[v.text(0)] = true
					d.must("cart.addItem", jsonf(`{"productId":%q,"variantId":%q,"quantity":%d}`, v.text(1), v.text(0), 1+r.IntN(5)), nil)
					if r.IntN(3) == 0 {
						d.must("cart.setLineDiscount", jsonf(`{"variantId":%q,"percent":%d}`, v.text(0), 1+r.IntN(99)), nil)
					}
				}
				if r.IntN(2) == 0 {
					d.must("cart.applyDiscount", jsonf(`{"percent":%d}`, 1+r.IntN(99)), nil)
				}
				var sold soldView
				d.must("checkout.submit", `{}`, &sold)
				want.orders++
				for _, l := range d.rows(`SELECT total, discount, rate_ppm FROM order_lines WHERE order_id = ?`, sold.OrderID) {
					net := func(amount int64) int64 {
						if !included {
							return amount
						}
						return amount - halfUp(amount, l.number(2), 1_000_000+l.number(2))
					}
					before, after := net(l.number(0)), net(l.number(0)-l.number(1))
					want.gross, want.discounts, want.net = want.gross+before, want.discounts+before-after, want.net+after
				}
				want.shipping += d.number(`SELECT shipping FROM orders WHERE id = ?`, sold.OrderID)
				want.tax += d.number(`SELECT tax FROM orders WHERE id = ?`, sold.OrderID)
			}
			want.total = want.net + want.shipping + want.tax
			if got := d.identity(t); got != want || got.discounts == 0 || got.shipping == 0 {
				t.Fatalf("%+v, want %+v", got, want)
			}
			var back int64
			for _, o := range d.rows(`SELECT o.id, l.variant_id, p.method_id FROM orders o JOIN order_lines l ON l.order_id = o.id
				JOIN payments p ON p.order_id = o.id WHERE o.status = 'delivered' AND l.quantity > 1 ORDER BY o.id, l.line`) {
				d.clock = d.clock.Add(time.Minute)
				d.must("order.returnNow", jsonf(`{"orderId":%q,"paymentMethodId":%q,"restock":true,
					"lines":[{"variantId":%q,"quantity":1}]}`, o.text(0), o.text(2), o.text(1)), nil)
				back++
			}
			got := d.identity(t)
			if got.gross != want.gross || got.discounts != want.discounts || got.net != want.net-got.returns || back < 5 {
				t.Errorf("after %d returns %+v, before %+v", back, got, want)
			}
			d.derived()
		})
	}
}

// TestAReceiptHasEachRateWithNetAndTax, in every form that it is written in.
func TestAReceiptHasEachRateWithNetAndTax(t *testing.T) {
	for _, included := range []bool{true, false} {
		d := taxShop(t, included)
		edit(t, d.path, `UPDATE variants SET price = 1070 WHERE sku = 'NL-GUJ-250-WB'`,
			`UPDATE variants SET price = 1190 WHERE id = 'var_stoneware_mug_1'`)
		d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":2}`, nil)
		d.must("cart.addItem", `{"productId":"prd_stoneware_mug","variantId":"var_stoneware_mug_1","quantity":1}`, nil)
		d.must("cart.applyDiscount", `{"percent":50}`, nil)
		var sold soldView
		d.must("checkout.submit", `{}`, &sold)
		var v struct {
			TaxColumns []string
			Taxes      []struct{ Rate, Net, Tax string }
			Sums       []struct{ Label, Amount string }
		}
		d.must("receipt.preview", jsonf(`{"orderId":%q}`, sold.OrderID), &v)
		want := "[{19\u00a0% $5.00 $0.95} {7\u00a0% $10.00 $0.70}]"
		if !included {
			want = "[{19\u00a0% $5.95 $1.13} {7\u00a0% $10.70 $0.75}]"
		}
		if got := fmt.Sprint(v.Taxes); got != want || len(v.TaxColumns) != 3 {
			t.Errorf("%v: %s, want %s", included, got, want)
		}
	}
}
