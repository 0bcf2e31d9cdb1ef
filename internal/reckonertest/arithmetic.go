package reckonertest

import (
	"cmp"
	"math/big"
	"slices"
)

// part is n × of / whole, a half rounded up. It is exact for amounts of any size.
func part(n, of, whole int64) int64 {
	product := new(big.Int).Mul(big.NewInt(n), big.NewInt(of))
	twice := product.Lsh(product, 1)
	return twice.Add(twice, big.NewInt(whole)).Div(twice, big.NewInt(2*whole)).Int64()
}

// floor is n × of / whole rounded down, with the rest.
func floor(n, of, whole int64) (quotient, rest int64) {
	q, m := new(big.Int).DivMod(new(big.Int).Mul(big.NewInt(n), big.NewInt(of)), big.NewInt(whole), new(big.Int))
	return q.Int64(), m.Int64()
}

const million = 1_000_000

// taxOf is the tax on an amount, or the part of it that is tax.
func taxOf(amount, rate int64, included bool) int64 {
	if included {
		return part(amount, rate, million+rate)
	}
	return part(amount, rate, million)
}

// spread divides an amount in proportion to weights. Each share is rounded down; what is left goes by one unit each to
// the shares that lost most, the earlier first.
func spread(amount int64, weights []int64) []int64 {
	shares, lost, order := make([]int64, len(weights)), make([]int64, len(weights)), make([]int, len(weights))
	var sum int64
	for _, w := range weights {
		sum += w
	}
	if sum == 0 {
		return shares
	}
	left := amount
	for i, w := range weights {
		shares[i], lost[i] = floor(amount, w, sum)
		left -= shares[i]
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lost[b], lost[a]) })
	for _, i := range order[:left] {
		shares[i]++
	}
	return shares
}

// priceLines computes discount and tax of lines from their own discounts and from that of all together: a percentage
// of what they cost after their own, or an amount.
func priceLines(lines []Line, percent, amount int64, included bool) {
	var left int64
	weights := make([]int64, len(lines))
	for i := range lines {
		l := &lines[i]
		l.Total = l.Price * l.Quantity
		if l.Discount = min(l.Amount, l.Total); l.Percent > 0 {
			l.Discount = part(l.Total, l.Percent, 100)
		}
		weights[i] = l.Total - l.Discount
		left += weights[i]
	}
	whole := min(amount, left)
	if percent > 0 {
		whole = part(left, percent, 100)
	}
	for i, share := range spread(whole, weights) {
		lines[i].Discount += share
		lines[i].tax(included)
	}
}

// tax computes the tax of a line and of its discount.
func (l *Line) tax(included bool) {
	l.Tax, l.DiscountTax = taxOf(l.Total-l.Discount, l.Rate, included), 0
	if included && l.Discount > 0 {
		l.DiscountTax = min(max(taxOf(l.Total, l.Rate, true)-l.Tax, 0), l.Discount)
	}
}

// value is what a customer pays for a line.
func (l Line) value(included bool) int64 {
	if included {
		return l.Total - l.Discount
	}
	return l.Total - l.Discount + l.Tax
}

// net is what a line comes to without tax.
func (l Line) net(included bool) int64 { return l.value(included) - l.Tax }

// RateSum is what has one rate of tax.
type RateSum struct{ Rate, Net, Tax int64 }

// add adds to the sum of a rate. Sums of nothing are left out.
func add(sums []RateSum, rate, net, tax int64) []RateSum {
	i, found := slices.BinarySearchFunc(sums, rate, func(s RateSum, rate int64) int { return cmp.Compare(rate, s.Rate) })
	if !found {
		sums = slices.Insert(sums, i, RateSum{Rate: rate})
	}
	if sums[i].Net, sums[i].Tax = sums[i].Net+net, sums[i].Tax+tax; sums[i] == (RateSum{Rate: rate}) {
		return slices.Delete(sums, i, i+1)
	}
	return sums
}

// shippingSums splits a price of shipping over the rates of the goods by their net after discounts. Each share is
// rounded down, and what is left goes to the largest. With goods that cost nothing it has no tax.
func shippingSums(price int64, goods []RateSum, included bool) (sums []RateSum) {
	if price == 0 || len(goods) == 0 {
		return add(nil, 0, price, 0)
	}
	var whole int64
	largest := 0
	for i, g := range goods {
		if whole += g.Net; g.Net > goods[largest].Net {
			largest = i
		}
	}
	shares, left := make([]int64, len(goods)), price
	for i, g := range goods {
		if whole > 0 {
			shares[i], _ = floor(price, g.Net, whole)
		}
		left -= shares[i]
	}
	shares[largest] += left
	for i, g := range goods {
		tax := taxOf(shares[i], g.Rate, included)
		if included {
			shares[i] -= tax
		}
		sums = add(sums, g.Rate, shares[i], tax)
	}
	return sums
}

// coins rounds an amount of cash to what there are coins for, a half away from zero.
func coins(amount, step int64) int64 {
	if amount < 0 {
		return -coins(-amount, step)
	}
	return part(amount, 1, step) * step
}
