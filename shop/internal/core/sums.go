package core

import (
	"cmp"
	"math/bits"
	"slices"
)

// PricedLine is a line for the calculation of sums.
type PricedLine struct {
	Price, Quantity int64
	RatePPM         int64 // tax rate in parts per million
	Discount        int64 // discount on this line
}

// lineSum holds the amounts of one line. Total is before discount and tax. DiscountTax is the result of [DiscountTax].
type lineSum struct{ Total, Discount, DiscountTax, Tax, RatePPM int64 }

// Shipping is the price of shipping, taxed at its own rate, at the rates of the goods, or not at all.
type Shipping struct {
	Price   int64
	RatePPM *int64 // nil for the rates of the goods
	AsGoods bool
}

// RateSum is the net amount and tax at one rate, in minor units.
type RateSum struct{ RatePPM, Net, Tax int64 }

// Sums holds the amounts of a cart or an order, in minor units. ShippingTax is part of Tax, and also of Shipping if
// prices include tax. ShippingRates holds the taxed shipping by rate, highest rate first.
type Sums struct {
	Subtotal, Discount, DiscountTax, Shipping, ShippingTax, Tax, Total int64

	Lines         []lineSum
	ShippingRates []RateSum
}

// SumUp adds lines, a discount and shipping. The discount is a percentage of the lines after their own discounts, or
// else an amount. It is divided among the lines in proportion, exact to the minor unit. Tax is then rounded half up for
// each line. With taxIncluded the prices contain the tax, and it is not added again.
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

// Rates returns the net amounts and tax of lines and shipping by rate, highest rate first. Untaxed shipping has rate 0.
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

// addRate adds to the sum of a rate. It adds no entry for amounts of 0.
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

// ship divides a price of shipping by rate. Shipping at the rates of the goods is divided in proportion to their net
// amounts after discounts: each share is rounded down, and the largest gets the rest.
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

// spreadDiscount divides a discount among the lines. Shares are rounded down. The remaining units go one each to the
// lines with the largest remainders, earlier lines first.
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

// TaxOf returns the tax on an amount: added to it, or included in it.
func TaxOf(base, ratePPM int64, included bool) int64 {
	if included {
		return Share(base, ratePPM, 1_000_000+ratePPM)
	}
	return Share(base, ratePPM, 1_000_000)
}

// DiscountTax returns the tax within a discount: the tax in the price of a line less the tax that remains. The discount
// without tax is then the difference of the line's net amounts. It is 0 if prices exclude tax.
func DiscountTax(total, discount, tax, ratePPM int64, included bool) int64 {
	if !included || discount == 0 {
		return 0
	}
	return min(max(TaxOf(total, ratePPM, included)-tax, 0), discount)
}

// Share returns n × part / whole, rounded half up. No argument may be negative.
func Share(n, part, whole int64) int64 {
	q, r := scale(n, part, whole)
	if r >= whole-r {
		q++
	}
	return q
}

// scale returns n × part / whole and its remainder. The product may exceed 64 bits; the quotient does not, because n or
// part is at most whole.
func scale(n, part, whole int64) (quotient, rest int64) {
	hi, lo := bits.Mul64(uint64(n), uint64(part))
	q, r := bits.Div64(hi, lo, uint64(whole))
	return int64(q), int64(r)
}

// OverLimit reports whether a discount exceeds a clerk's limit. It compares percentages directly, because rounding to
// minor units may exceed the limit slightly.
func (s *Shop) OverLimit(percent, amount, subtotal int64) bool {
	if percent > 0 {
		return percent > s.DiscountLimit
	}
	return min(amount, subtotal)*100 > s.DiscountLimit*subtotal
}

// RateOf returns the roundest rate that yields the tax on an amount.
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
