package shop

import (
	"cmp"
	"math/bits"
	"slices"
)

// pricedLine is one line as the sums need it.
type pricedLine struct {
	price, quantity int64
	ratePPM         int64 // tax rate in parts per million
}

// lineSum is what one line comes to. Total is before discount and tax.
type lineSum struct{ total, discount, tax int64 }

// sums is what a cart or an order comes to, in minor units.
type sums struct {
	subtotal, discount, shipping, tax, total int64
	lines                                    []lineSum
}

// sumUp adds up lines, a discount (percent of the subtotal, else an amount) and
// shipping. The discount is spread over the lines in proportion, to the last
// minor unit; tax is rounded half-up per line, after discount. With taxIncluded
// the tax is the part of the price that is tax, and is not added again.
func sumUp(lines []pricedLine, percent, amount, shipping int64, taxIncluded bool) sums {
	s := sums{lines: make([]lineSum, len(lines)), shipping: shipping}
	for i, l := range lines {
		s.lines[i].total = l.price * l.quantity
		s.subtotal += s.lines[i].total
	}
	s.discount = min(amount, s.subtotal)
	if percent > 0 {
		s.discount = share(s.subtotal, percent, 100)
	}
	s.spreadDiscount()
	for i, l := range lines {
		s.lines[i].tax = taxOf(s.lines[i].total-s.lines[i].discount, l.ratePPM, taxIncluded)
		s.tax += s.lines[i].tax
	}
	s.total = s.subtotal - s.discount + s.shipping
	if !taxIncluded {
		s.total += s.tax
	}
	return s
}

// spreadDiscount gives every line its share: rounded down, and what is left over
// one unit each to the lines that lost most by rounding, earlier lines first.
func (s *sums) spreadDiscount() {
	if s.discount == 0 {
		return
	}
	left := s.discount
	order := make([]int, len(s.lines))
	lost := make([]int64, len(s.lines))
	for i := range s.lines {
		order[i] = i
		s.lines[i].discount, lost[i] = scale(s.discount, s.lines[i].total, s.subtotal)
		left -= s.lines[i].discount
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lost[b], lost[a]) })
	for _, i := range order[:left] {
		s.lines[i].discount++
	}
}

// taxOf is the tax on an amount: on top of it, or the part of it that is tax.
func taxOf(base, ratePPM int64, included bool) int64 {
	if included {
		return share(base, ratePPM, 1_000_000+ratePPM)
	}
	return share(base, ratePPM, 1_000_000)
}

// share is n × part / whole, a half rounded up. None is negative.
func share(n, part, whole int64) int64 {
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

// overLimit says that a discount is more than a clerk may give. A percentage is
// taken as such: rounded to minor units it may come to a little more.
func (s *deskShop) overLimit(percent, amount, subtotal int64) bool {
	if percent > 0 {
		return percent > s.DiscountLimit
	}
	return min(amount, subtotal)*100 > s.DiscountLimit*subtotal
}
