package shopify

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// reckon completes the amounts of the order, or reports the column that does not add up.
func (p *orderParser) reckon() {
	if p.discounts() && p.taxes() {
		p.payments()
	}
}

// discounts divides the difference between the lines and the subtotal among the lines: first the lines' own discounts,
// then the rest in proportion. The order's discount may exceed this, because it may include a discount on shipping.
func (p *orderParser) discounts() bool {
	o, r := &p.order, p.first
	subtotal, off := p.amount(r, colSubtotal, p.digits), p.amount(r, colDiscount, p.digits)
	var whole, own int64
	left := make([]int64, len(o.Lines))
	for i, l := range o.Lines {
		left[i] = l.Price*l.Quantity - l.Discount
		whole, own = whole+l.Price*l.Quantity, own+l.Discount
	}
	rest := whole - own - subtotal
	if rest < 0 || rest > off {
		p.problem(r, colSubtotal, "The lines come to %s, with discounts of %s, and the subtotal says %s.", p.text(whole),
			p.text(max(off, own)), p.text(subtotal))
		return false
	}
	for i, part := range shares(rest, left) {
		o.Lines[i].Discount += part
	}
	return true
}

// taxes determines whether prices include the tax, and divides it among the taxed lines. If no line is taxed, as when
// only shipping is, it divides the tax among all lines.
func (p *orderParser) taxes() bool {
	o, r := &p.order, p.first
	subtotal, tax := p.amount(r, colSubtotal, p.digits), p.amount(r, colTaxes, p.digits)
	switch o.Total - subtotal - o.Shipping {
	case tax:
		if tax > 0 {
			o.TaxIncluded = new(bool)
		}
	case 0:
		included := true
		o.TaxIncluded = &included
	default:
		p.problem(r, colTotal, "The total is %s, and subtotal, shipping and taxes come to %s.", p.text(o.Total),
			p.text(subtotal+o.Shipping+tax))
		return false
	}
	tax -= p.taxShipping(tax)
	taxed, all := make([]int64, len(o.Lines)), make([]int64, len(o.Lines))
	var sum int64
	for i, l := range o.Lines {
		all[i] = l.Price*l.Quantity - l.Discount
		if l.taxable {
			taxed[i] = all[i]
			sum += all[i]
		}
	}
	if sum == 0 {
		taxed = all
	}
	for i, part := range shares(tax, taxed) {
		o.Lines[i].Tax = part
	}
	return true
}

// taxShipping computes the tax of shipping, which the file does not contain. It succeeds if the file names a single
// rate that explains the tax of goods and shipping together. Otherwise it returns 0.
func (p *orderParser) taxShipping(tax int64) int64 {
	o := &p.order
	name := strings.TrimSpace(p.first.get(colTaxName)) // for example VAT 20%
	rate, err := strconv.ParseFloat(strings.TrimSuffix(name[strings.LastIndex(name, " ")+1:], "%"), 64)
	if err != nil || rate <= 0 || rate > 100 || p.first.get(colOtherTax) != "" || o.Shipping == 0 || o.TaxIncluded == nil {
		return 0
	}
	ppm := int64(math.Round(rate * 10_000))
	of := func(amount int64) int64 {
		whole := int64(1_000_000)
		if *o.TaxIncluded {
			whole += ppm
		}
		return (scaled(amount, 2*ppm, whole) + 1) / 2
	}
	var goods int64
	for _, l := range o.Lines {
		if l.taxable {
			goods += of(l.Price*l.Quantity - l.Discount)
		}
	}
	rounded := int64(len(o.Lines) + 1)
	if off := tax - goods - of(o.Shipping); off < -rounded || off > rounded || tax-goods <= rounded {
		return 0
	}
	o.ShippingTax, o.ShippingRate = min(of(o.Shipping), tax), ppm
	return o.ShippingTax
}

// payments derives payments and refunds from the order's financial status.
func (p *orderParser) payments() {
	o, r := &p.order, p.first
	refunded, open := p.amount(r, colRefunded, p.digits), p.amount(r, colOutstanding, p.digits)
	cancelled := o.Status == Cancelled
	status := strings.ToLower(r.get(colFinancial))
	switch status {
	case "paid", "partially_refunded", "refunded":
		open = 0
	case "pending", "authorized", "unpaid", "expired", "voided", "partially_paid":
		if r.get(colOutstanding) == "" || status != "partially_paid" {
			open = o.Total
		}
	default:
		p.problem(r, colFinancial, "%q is not a way for an order to be paid or not.", r.get(colFinancial))
		return
	}
	paid := o.Total - open
	switch {
	case open > o.Total:
		p.problem(r, colOutstanding, "More is open than the order comes to.")
	case status == "voided" && !cancelled && o.Total > 0:
		p.problem(r, colFinancial, "The payment is void and the order is not cancelled.")
	case refunded > paid:
		p.problem(r, colRefunded, "%s was paid and %s given back.", p.text(paid), p.text(refunded))
	case status == "refunded" && refunded != paid:
		p.problem(r, colRefunded, "The order is refunded: %s was paid and %s given back.", p.text(paid),
			p.text(refunded))
	case cancelled && refunded != paid:
		p.problem(r, colRefunded, "The order is cancelled: %s was paid and %s given back.", p.text(paid),
			p.text(refunded))
	default:
		p.pay(paid, refunded, open)
	}
}

// pay records payments and refunds. An open amount becomes a payment on account, unless nothing is owed.
func (p *orderParser) pay(paid, refunded, open int64) {
	o := &p.order
	at := p.moment(p.first, colPaidAt, p.zone)
	if at.Before(o.PlacedAt) {
		at = o.PlacedAt
	}
	means := meansOf(p.short(p.first, colPaidBy, maxText))
	record := func(refund bool, m Means, amount int64, at time.Time) {
		if amount > 0 {
			o.Payments = append(o.Payments, Payment{refund, m, amount, at})
		}
	}
	record(false, means, paid, at)
	if o.Status != Cancelled {
		record(false, Means{Kind: onAccount}, open, o.PlacedAt)
	}
	back := at
	for _, later := range []time.Time{o.SentAt, o.CancelledAt} {
		if later.After(back) {
			back = later
		}
	}
	record(true, means, refunded, back)
	switch {
	case refunded == 0 || o.Status == Cancelled:
	case refunded == o.Total: // everything was refunded
		o.Status, o.CancelledAt = Cancelled, back
	default:
		p.lower(refunded)
	}
}

// lower subtracts a refund from the order. The file does not contain the reason, so the refund becomes a discount on
// the lines and their taxes, and any excess is subtracted from the shipping.
func (p *orderParser) lower(refund int64) {
	o := &p.order
	included := o.TaxIncluded != nil && *o.TaxIncluded
	values := make([]int64, len(o.Lines))
	var sum int64
	for i, l := range o.Lines {
		if values[i] = l.Price*l.Quantity - l.Discount; !included {
			values[i] += l.Tax
		}
		sum += values[i]
	}
	off := min(refund, sum)
	for i, part := range shares(off, values) {
		if part == 0 {
			continue
		}
		l := &o.Lines[i]
		tax := scaled(part, l.Tax, values[i])
		if l.Tax -= tax; included {
			tax = 0
		}
		l.Discount += part - tax
	}
	o.Total -= refund
	rest, paid := refund-off, o.Shipping
	if !included {
		paid += o.ShippingTax
	}
	if rest > 0 {
		tax := scaled(rest, o.ShippingTax, paid)
		if o.ShippingTax -= tax; included {
			tax = 0
		}
		o.Shipping -= rest - tax
	}
	if o.DiscountReason != "" {
		o.DiscountReason += ", "
	}
	o.DiscountReason += "refunded in part"
}

// The kinds of payment methods of the shop.
const (
	card      = "card"
	paypal    = "paypal"
	giftCard  = "giftCard"
	onAccount = "onAccount"
	cash      = "cash"
)

// meansOf returns the payment method for the words in a file. When several methods paid together, the file has only the
// total, so the one that is not a gift card counts.
func meansOf(words string) Means {
	kind := ""
	for part := range strings.SplitSeq(strings.ToLower(words), "+") {
		part = strings.TrimSpace(part)
		is := card
		switch {
		case strings.Contains(part, "gift"):
			is = giftCard
		case strings.Contains(part, "paypal"):
			is = paypal
		case part == cash:
			is = cash
		case part == "manual", strings.Contains(part, "cash on delivery"), strings.Contains(part, "bank"),
			strings.Contains(part, "money order"), strings.Contains(part, "invoice"):
			is = onAccount
		}
		if kind == "" || kind == giftCard {
			kind = is
		}
	}
	return Means{kind, words}
}

// shares divides an amount in proportion to the weights, exact to the minor unit. Each part is rounded down. The
// remaining units go one each to the first parts with a positive weight.
func shares(amount int64, weights []int64) []int64 {
	parts := make([]int64, len(weights))
	var whole int64
	for _, w := range weights {
		whole += w
	}
	left := amount
	for i, w := range weights {
		if w > 0 {
			parts[i] = scaled(amount, w, whole)
			left -= parts[i]
		}
	}
	for i, w := range weights {
		if left > 0 && (w > 0 || whole == 0) {
			unit := int64(1)
			if whole == 0 { // no weights
				unit = left
			}
			parts[i] += unit
			left -= unit
		}
	}
	return parts
}

// scaled returns n × part / whole, rounded down. part must not exceed whole.
func scaled(n, part, whole int64) int64 {
	hi, lo := bits.Mul64(uint64(n), uint64(part))
	q, _ := bits.Div64(hi, lo, uint64(whole))
	return int64(q)
}

// text formats an amount for a message.
func (p *orderParser) text(amount int64) string {
	sign := ""
	if amount < 0 {
		sign, amount = "-", -amount
	}
	s := fmt.Sprintf("%0*d", p.digits+1, amount)
	if p.digits == 0 {
		return sign + s
	}
	return sign + s[:len(s)-p.digits] + "." + s[len(s)-p.digits:]
}
