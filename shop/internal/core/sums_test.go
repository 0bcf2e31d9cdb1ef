package core

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The sums are internal: nothing outside can reach every rounding.

func TestSumsRoundHalfUpPerLine(t *testing.T) {
	for name, tc := range map[string]struct {
		lines                     []PricedLine
		percent, amount, shipping int64
		included                  bool
		discount, tax, total      int64
	}{
		"nothing":              {},
		"no tax":               {lines: []PricedLine{{2144, 2, 0, 0}}, shipping: 495, total: 4783},
		"tax on top":           {lines: []PricedLine{{1000, 1, 55_000, 0}}, tax: 55, total: 1055},
		"half a cent goes up":  {lines: []PricedLine{{10, 1, 50_000, 0}}, tax: 1, total: 11},
		"each line for itself": {lines: []PricedLine{{10, 1, 50_000, 0}, {10, 1, 50_000, 0}}, tax: 2, total: 22},
		"tax in the price":     {lines: []PricedLine{{1190, 1, 190_000, 0}}, included: true, tax: 190, total: 1190},
		"discount before tax":  {lines: []PricedLine{{1000, 1, 100_000, 0}}, percent: 10, discount: 100, tax: 90, total: 990},
		"amount off":           {lines: []PricedLine{{1000, 1, 0, 0}}, amount: 300, discount: 300, total: 700},
		"never more than it cost": {lines: []PricedLine{{1000, 1, 0, 0}}, amount: 3000, shipping: 495, discount: 1000,
			total: 495},
		"a line's own, then the cart's": {lines: []PricedLine{{1000, 1, 0, 200}, {1000, 1, 0, 0}}, percent: 10, discount: 380,
			total: 1620},
		"everything off": {lines: []PricedLine{{333, 3, 80_000, 0}}, percent: 100, discount: 999, total: 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := SumUp(tc.lines, tc.percent, tc.amount, Shipping{Price: tc.shipping}, tc.included)
			if s.Discount != tc.discount || s.Tax != tc.tax || s.Total != tc.total {
				t.Errorf("discount %d, tax %d, total %d; want %d, %d, %d", s.Discount, s.Tax, s.Total, tc.discount, tc.tax,
					tc.total)
			}
		})
	}
}

func TestDiscountIsSpreadToTheLastCent(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		lines := make([]PricedLine, 1+r.IntN(12))
		for i := range lines {
			lines[i] = PricedLine{r.Int64N(100_000), 1 + r.Int64N(99), r.Int64N(300_000), r.Int64N(2) * r.Int64N(50_000)}
		}
		s := SumUp(lines, r.Int64N(101), r.Int64N(1_000_000), Shipping{Price: 495}, r.IntN(2) == 0)
		var discount, tax, total int64
		for _, l := range s.Lines {
			if l.Discount < 0 || l.Discount > l.Total || l.Tax < 0 {
				t.Fatalf("a line of %d has a discount of %d and tax of %d", l.Total, l.Discount, l.Tax)
			}
			discount, tax, total = discount+l.Discount, tax+l.Tax, total+l.Total
		}
		if discount != s.Discount || tax != s.Tax || total != s.Subtotal {
			t.Fatalf("%v: lines come to %d, %d, %d; sums are %d, %d, %d", lines, total, discount, tax, s.Subtotal, s.Discount,
				s.Tax)
		}
	}
}

func TestMoneyIsWrittenForPeople(t *testing.T) {
	for want, in := range map[string]struct {
		amount   int64
		currency string
	}{
		"$47.83":         {4783, "USD"},
		"$0.05":          {5, "USD"},
		"-$1,234,567.00": {-123456700, "USD"},
		"€1,000.00":      {100000, "EUR"},
		"¥1,500":         {1500, "JPY"},
		"12.50 CHF":      {1250, "CHF"},
		"1.500 KWD":      {1500, "KWD"},
	} {
		if got := formatMoney(in.amount, in.currency); got != want {
			t.Errorf("%d %s is %q, want %q", in.amount, in.currency, got, want)
		}
	}
}

// TestShippingIsTaxedByItsClass: 5.00 with goods of 10.00 net at 19 % and 5.00 net at 7 %, and further cases.
func TestShippingIsTaxedByItsClass(t *testing.T) {
	rate := int64(200_000)
	full, food := PricedLine{1000, 1, 190_000, 0}, PricedLine{500, 1, 70_000, 0}
	asGoods := Shipping{Price: 500, AsGoods: true}
	for name, tc := range map[string]struct {
		lines    []PricedLine
		shipping Shipping
		included bool
		want     []RateSum
	}{
		"as the goods": {[]PricedLine{food, full}, asGoods, false, []RateSum{{190_000, 334, 63}, {70_000, 166, 12}}},
		"as the goods, in the price": {[]PricedLine{{1190, 1, 190_000, 0}, {535, 1, 70_000, 0}}, asGoods, true,
			[]RateSum{{190_000, 281, 53}, {70_000, 155, 11}}},
		"after discounts":       {[]PricedLine{{1000, 1, 190_000, 1000}, food}, asGoods, false, []RateSum{{70_000, 500, 35}}},
		"goods that are free":   {[]PricedLine{{1000, 1, 190_000, 1000}}, asGoods, false, nil},
		"goods without tax":     {[]PricedLine{{1000, 1, 0, 0}}, asGoods, true, []RateSum{{0, 500, 0}}},
		"a class of its own":    {[]PricedLine{full}, Shipping{Price: 500, RatePPM: &rate}, false, []RateSum{{200_000, 500, 100}}},
		"its own, in the price": {[]PricedLine{full}, Shipping{Price: 500, RatePPM: &rate}, true, []RateSum{{200_000, 417, 83}}},
		"none":                  {[]PricedLine{full}, Shipping{Price: 500}, true, nil},
		"for nothing":           {[]PricedLine{full}, Shipping{AsGoods: true}, true, nil},
	} {
		s := SumUp(tc.lines, 0, 0, tc.shipping, tc.included)
		if !slices.Equal(s.ShippingRates, tc.want) {
			t.Errorf("%s: %v, want %v", name, s.ShippingRates, tc.want)
		}
		var net, tax int64
		for _, r := range s.Rates(tc.included) {
			net, tax = net+r.Net, tax+r.Tax
		}
		if tax != s.Tax || net+tax != s.Total {
			t.Errorf("%s: the rates come to %d and %d of tax, the total is %d with %d", name, net, tax, s.Total, s.Tax)
		}
	}
}
