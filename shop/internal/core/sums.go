package core

import (
	"cmp"
	"math/bits"
	"slices"
)

// PricedLine is one line as the sums need it.
type PricedLine struct {
	Price, Quantity int64
	RatePPM         int64 // tax rate in parts per million
	Discount        int64 // of the line itself
}

// lineSum is the amounts of one line. Total is before discount and tax; DiscountTax is as [DiscountTax] gives it.
type lineSum struct{ Total, Discount, DiscountTax, Tax, RatePPM int64 }

// Shipping is the price of sending: at a separate rate of tax, at those of the goods, or without tax.
type Shipping struct {
	Price   int64
	RatePPM *int64 // nil: those of the goods
	AsGoods bool
}

// RateSum is net and tax at one rate, in minor units.
type RateSum struct{ RatePPM, Net, Tax int64 }

// Sums are the amounts of a cart or an order, in minor units. ShippingTax is a part of Tax, and of Shipping too where
// prices include tax; ShippingRates are the taxed parts of the shipping by rate, the highest first.
type Sums struct {
	Subtotal, Discount, DiscountTax, Shipping, ShippingTax, Tax, Total int64

	Lines         []lineSum
	ShippingRates []RateSum
}

// SumUp adds up lines, a discount (percent of what the lines cost after their own, else an amount) and shipping. The
// discount is spread over the lines in proportion, to the last minor unit; tax is rounded half-up per line, after it.
// With taxIncluded the tax is the part of the price that is tax, and is not added again.
func SumUp(lines []PricedLine, percent, amount int64, shipping Shipping, taxIncluded bool) Sums {
	s := Sums{Lines: make([]lineSum, len(lines)), Shipping: shipping.Price}
	for i, l := range lines {
		s.Lines[i].Total = l.Price * l.Quantity
		s.Lines[i].Discount = min(l.Discount, s.Lines[i].Total)
		s.Subtotal += s.Lines[i].Total
		s.Discount += s.Lines[i].Discount
	}
	left := s.Subtotal - s.Discount
	whole := min(amount, left)
	if percent > 0 {
		whole = Share(left, percent, 100)
	}
	s.spreadDiscount(whole, left)
	for i, l := range lines {
		s.Lines[i].RatePPM = l.RatePPM
		s.Lines[i].Tax = TaxOf(s.Lines[i].Total-s.Lines[i].Discount, l.RatePPM, taxIncluded)
		s.Tax += s.Lines[i].Tax
		s.Lines[i].DiscountTax = DiscountTax(s.Lines[i].Total, s.Lines[i].Discount, s.Lines[i].Tax, l.RatePPM, taxIncluded)
		s.DiscountTax += s.Lines[i].DiscountTax
	}
	s.ShippingRates = s.ship(shipping, taxIncluded)
	for _, r := range s.ShippingRates {
		s.ShippingTax += r.Tax
	}
	s.Tax += s.ShippingTax
	s.Total = s.Subtotal - s.Discount + s.Shipping
	if !taxIncluded {
		s.Total += s.Tax
	}
	return s
}

// Rates are net and tax of lines and shipping by rate, the highest first. Shipping without tax has the rate 0.
func (s Sums) Rates(taxIncluded bool) (all []RateSum) {
	untaxed := s.Shipping
	if taxIncluded {
		untaxed -= s.ShippingTax
	}
	for _, r := range s.ShippingRates {
		all = addRate(all, r)
		untaxed -= r.Net
	}
	all = addRate(all, RateSum{Net: untaxed})
	for _, l := range s.Lines {
		all = addRate(all, l.sum(taxIncluded))
	}
	return all
}

func (l lineSum) sum(taxIncluded bool) RateSum {
	net := l.Total - l.Discount
	if taxIncluded {
		net -= l.Tax
	}
	return RateSum{l.RatePPM, net, l.Tax}
}

// addRate adds to the sum of a rate; of nothing there is none.
func addRate(all []RateSum, r RateSum) []RateSum {
	i, found := slices.BinarySearchFunc(all, r.RatePPM, func(a RateSum, rate int64) int {
		return cmp.Compare(rate, a.RatePPM)
	})
	switch {
	case found:
		all[i].Net, all[i].Tax = all[i].Net+r.Net, all[i].Tax+r.Tax
	case r.Net != 0 || r.Tax != 0:
		all = slices.Insert(all, i, r)
	}
	return all
}

// ship is a price of shipping by rate. As the goods, it is split over their rates by their net after discounts: each
// share is rounded down, and the rest goes to the largest.
func (s Sums) ship(shipping Shipping, taxIncluded bool) (rates []RateSum) {
	var goods []RateSum
	switch {
	case shipping.AsGoods:
		goods = Sums{Lines: s.Lines}.Rates(taxIncluded)
	case shipping.RatePPM != nil:
		goods = []RateSum{{RatePPM: *shipping.RatePPM, Net: 1}}
	}
	if len(goods) == 0 {
		return nil
	}
	var whole int64
	largest := 0
	for i, g := range goods {
		if whole += g.Net; g.Net > goods[largest].Net {
			largest = i
		}
	}
	shares, left := make([]int64, len(goods)), shipping.Price
	for i, g := range goods {
		if whole > 0 {
			shares[i], _ = scale(shipping.Price, g.Net, whole)
		}
		left -= shares[i]
	}
	shares[largest] += left
	for i, g := range goods {
		r := RateSum{g.RatePPM, shares[i], TaxOf(shares[i], g.RatePPM, taxIncluded)}
		if taxIncluded {
			r.Net -= r.Tax
		}
		rates = addRate(rates, r)
	}
	return rates
}

// spreadDiscount gives every line its share: rounded down, and what is left over
// one unit each to the lines that lost most by rounding, earlier lines first.
func (s *Sums) spreadDiscount(discount, of int64) {
	if discount == 0 {
		return
	}
	s.Discount += discount
	left := discount
	order := make([]int, len(s.Lines))
	lost := make([]int64, len(s.Lines))
	for i := range s.Lines {
		l := &s.Lines[i]
		order[i] = i
		var share int64
		share, lost[i] = scale(discount, l.Total-l.Discount, of)
		l.Discount += share
		left -= share
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lost[b], lost[a]) })
	for _, i := range order[:left] {
		s.Lines[i].Discount++
	}
}

// TaxOf is the tax on an amount: on top of it, or the part of it that is tax.
func TaxOf(base, ratePPM int64, included bool) int64 {
	if included {
		return Share(base, ratePPM, 1_000_000+ratePPM)
	}
	return Share(base, ratePPM, 1_000_000)
}

// DiscountTax is the part of a discount that is tax: the tax in the price of a line, less the tax that is left. The
// discount without tax is then the line's net before less its net after. Where prices have no tax in them it is 0.
func DiscountTax(total, discount, tax, ratePPM int64, included bool) int64 {
	if !included || discount == 0 {
		return 0
	}
	return min(max(TaxOf(total, ratePPM, included)-tax, 0), discount)
}

// Share is n × part / whole, a half rounded up. None is negative.
func Share(n, part, whole int64) int64 {
	q, r := scale(n, part, whole)
	if r >= whole-r {
		q++
	}
	return q
}

// scale is n × part / whole with what is left over. The product may be too large
// for any amount; the quotient is not, as n or part is never more than whole.
func scale(n, part, whole int64) (quotient, rest int64) {
	hi, lo := bits.Mul64(uint64(n), uint64(part))
	q, r := bits.Div64(hi, lo, uint64(whole))
	return int64(q), int64(r)
}

// OverLimit says that a discount is more than a clerk may give. A percentage is
// taken as such: rounded to minor units it may come to a little more.
func (s *Shop) OverLimit(percent, amount, subtotal int64) bool {
	if percent > 0 {
		return percent > s.DiscountLimit
	}
	return min(amount, subtotal)*100 > s.DiscountLimit*subtotal
}

// RateOf is the roundest rate that gives a tax on an amount.
func RateOf(base, tax int64, included bool) int64 {
	if included {
		base -= tax
	}
	if tax <= 0 || base <= 0 {
		return 0
	}
	exact := min(Share(tax, 1_000_000, base), 1_000_000)
	for step := int64(10_000); step > 1; step /= 10 {
		rate := (exact + step/2) / step * step
		whole := base
		if included {
			whole += tax
		}
		if TaxOf(whole, rate, included) == tax {
			return rate
		}
	}
	return exact
}
