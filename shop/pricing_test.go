package shop

import (
	"math/rand/v2"
	"testing"
)

// The sums are internal: nothing outside can reach every rounding.

func TestSumsRoundHalfUpPerLine(t *testing.T) {
	for name, tc := range map[string]struct {
		lines                     []pricedLine
		percent, amount, shipping int64
		included                  bool
		discount, tax, total      int64
	}{
		"nothing":                 {},
		"no tax":                  {lines: []pricedLine{{2144, 2, 0}}, shipping: 495, total: 4783},
		"tax on top":              {lines: []pricedLine{{1000, 1, 55_000}}, tax: 55, total: 1055},
		"half a cent goes up":     {lines: []pricedLine{{10, 1, 50_000}}, tax: 1, total: 11},
		"each line for itself":    {lines: []pricedLine{{10, 1, 50_000}, {10, 1, 50_000}}, tax: 2, total: 22},
		"tax in the price":        {lines: []pricedLine{{1190, 1, 190_000}}, included: true, tax: 190, total: 1190},
		"discount before tax":     {lines: []pricedLine{{1000, 1, 100_000}}, percent: 10, discount: 100, tax: 90, total: 990},
		"amount off":              {lines: []pricedLine{{1000, 1, 0}}, amount: 300, discount: 300, total: 700},
		"never more than it cost": {lines: []pricedLine{{1000, 1, 0}}, amount: 3000, shipping: 495, discount: 1000, total: 495},
		"everything off":          {lines: []pricedLine{{333, 3, 80_000}}, percent: 100, discount: 999, total: 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := sumUp(tc.lines, tc.percent, tc.amount, tc.shipping, tc.included)
			if s.discount != tc.discount || s.tax != tc.tax || s.total != tc.total {
				t.Errorf("discount %d, tax %d, total %d; want %d, %d, %d", s.discount, s.tax, s.total, tc.discount, tc.tax, tc.total)
			}
		})
	}
}

func TestDiscountIsSpreadToTheLastCent(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		lines := make([]pricedLine, 1+r.IntN(12))
		for i := range lines {
			lines[i] = pricedLine{r.Int64N(100_000), 1 + r.Int64N(99), r.Int64N(300_000)}
		}
		s := sumUp(lines, r.Int64N(101), r.Int64N(1_000_000), 495, r.IntN(2) == 0)
		var discount, tax, total int64
		for _, l := range s.lines {
			if l.discount < 0 || l.discount > l.total || l.tax < 0 {
				t.Fatalf("a line of %d has a discount of %d and tax of %d", l.total, l.discount, l.tax)
			}
			discount, tax, total = discount+l.discount, tax+l.tax, total+l.total
		}
		if discount != s.discount || tax != s.tax || total != s.subtotal {
			t.Fatalf("%v: lines come to %d, %d, %d; sums are %d, %d, %d", lines, total, discount, tax, s.subtotal, s.discount, s.tax)
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
