package transfer

import (
	"slices"

	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/order"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopfile"
)

// check verifies the rules that hold for every order: the total is the sum of its parts, the payments balance, the
// status has its times, and returns and exchanges refer to its lines.
func (in *fileOrder) check() error {
	for _, rule := range []func() error{in.addsUp, in.hasItsTimes, in.requestsFit, in.balances} {
		if err := rule(); err != nil {
			return err
		}
	}
	return nil
}

func (in *fileOrder) addsUp() error {
	o, s := in.o, &in.sums
	for i := range o.Lines {
		l := &o.Lines[i]
		whole := l.Price.Amount * l.Quantity
		if l.Discount.Amount > whole {
			return in.at.Refuse(item("/lines", i, "/discount"), "The discount is more than the line's %s.", in.shop.Money(whole))
		}
		if l.RatePPM == 0 {
			l.RatePPM = core.RateOf(whole-l.Discount.Amount, l.Tax.Amount, in.included)
		}
		of := core.DiscountTax(whole, l.Discount.Amount, l.Tax.Amount, l.RatePPM, in.included)
		if l.DiscountTax == nil {
			l.DiscountTax = &shopfile.Money{Amount: of}
		}
		if l.DiscountTax.Amount > l.Discount.Amount {
			return in.at.Refuse(item("/lines", i, "/discountTax"), "The tax of the discount is more than the discount.")
		}
		s.DiscountTax += l.DiscountTax.Amount
		s.Subtotal, s.Discount, s.Tax = s.Subtotal+whole, s.Discount+l.Discount.Amount, s.Tax+l.Tax.Amount
	}
	s.Shipping = o.Shipping.Amount
	taxed := int64(0)
	for i, t := range o.ShippingTaxes {
		s.ShippingRates = append(s.ShippingRates, core.RateSum{RatePPM: t.RatePPM, Net: t.Net.Amount, Tax: t.Tax.Amount})
		if taxed += t.Net.Amount; in.included {
			taxed += t.Tax.Amount
		}
		if s.ShippingTax += t.Tax.Amount; taxed > s.Shipping || slices.ContainsFunc(o.ShippingTaxes[:i],
			func(other shopfile.Rate) bool { return other.RatePPM == t.RatePPM }) {
			return in.at.Refuse(item("/shippingTaxes", i, ""), "The rate is there twice, or more is taxed than the shipping.")
		}
	}
	s.Tax += s.ShippingTax
	s.Total = s.Subtotal - s.Discount + s.Shipping
	if !in.included {
		s.Total += s.Tax
	}
	if s.Total != o.Total.Amount {
		return in.at.Refuse("/total", "The total is %s and its parts make %s.", in.shop.Money(o.Total.Amount),
			in.shop.Money(s.Total))
	}
	return nil
}

func (in *fileOrder) hasItsTimes() error {
	o := in.o
	cancelled, delivered := o.Status == order.StatusCancelled, o.Status == order.StatusDelivered
	processed := delivered || o.Status == order.StatusProcessed
	for _, t := range []struct {
		pointer string
		at      int64
		wanted  bool
		after   int64
	}{
		{"/processedAt", o.ProcessedAt, processed, o.PlacedAt},
		{"/deliveredAt", o.DeliveredAt, delivered, o.ProcessedAt},
		{"/cancelledAt", o.CancelledAt, cancelled, o.PlacedAt},
	} {
		switch {
		case t.wanted && t.at == 0:
			return in.at.Refuse("", "A %s order has %s.", o.Status, t.pointer[1:])
		case !t.wanted && t.at != 0:
			return in.at.Refuse(t.pointer, "A %s order has no such time.", o.Status)
		case t.at != 0 && t.at < t.after:
			return in.at.Refuse(t.pointer, "It is before what must have come first.")
		}
	}
	if cancelled != (o.CancelReason != "") {
		return in.at.Refuse("/cancelReason", "A cancelled order has a reason, and no other order.")
	}
	if len(o.Fulfilments) > 0 && !processed && !cancelled {
		return in.at.Refuse("/fulfilments", "A %s order was not sent.", o.Status)
	}
	return nil
}

func (in *fileOrder) requestsFit() error {
	o, open := in.o, 0
	if len(o.Requests) > 0 && o.Status != order.StatusDelivered {
		return in.at.Refuse("/requests", "Only what was delivered comes back.")
	}
	for i := range o.Requests {
		q := &o.Requests[i]
		if q.MethodID != "" {
			if err := in.method(item("/requests", i, "/methodId"), q.MethodID, q.Removed); err != nil {
				return err
			}
		}
		if received := q.Status == "received"; received != (q.ReceivedAt != 0) {
			return in.at.Refuse(item("/requests", i, "/receivedAt"), "A request has it once it is received.")
		} else if !received {
			open++
		}
		if open > 1 {
			return in.at.Refuse(item("/requests", i, "/status"), "Another request is open already.")
		}
		for n := range q.Lines {
			l := &q.Lines[n]
			at := item("/requests", i, item("/lines", n, ""))
			if err := in.sold(at+"/variantId", l.VariantID); err != nil {
				return err
			}
			if (q.Kind == "exchange") != (l.NewVariantID != "") {
				return in.at.Refuse(at+"/newVariantId", "An exchange names what is sent instead, a return does not.")
			}
			if l.NewVariantID != "" {
				if err := in.sold(at+"/newVariantId", l.NewVariantID); err != nil {
					return err
				}
			}
			if l.Received > l.Quantity {
				return in.at.Refuse(at+"/received", "More came back than was asked for.")
			}
		}
	}
	for i := range o.Lines {
		by := o.Lines[i].ReturnedBy
		if by != "" && in.request(by).ID == "" {
			return in.at.Refuse(item("/lines", i, "/returnedBy"), "The order has no request %q.", by)
		}
	}
	return nil
}

// balances checks that payments less refunds equal the value of the items that the customer keeps.
func (in *fileOrder) balances() error {
	var paid, kept int64
	for i := range in.o.Payments {
		p := &in.o.Payments[i]
		if err := in.method(item("/payments", i, "/methodId"), p.MethodID, p.Removed); err != nil {
			return err
		}
		if p.Kind == "payment" {
			paid += p.Amount.Amount
		} else {
			paid -= p.Amount.Amount
		}
	}
	if in.o.Status != order.StatusCancelled {
		if kept = in.o.Shipping.Amount; !in.included {
			kept += in.sums.ShippingTax
		}
		for i := range in.o.Lines {
			if l := &in.o.Lines[i]; l.ReturnedBy == "" {
				kept += in.value(l)
			}
		}
	}
	if paid != kept {
		return in.at.Refuse("/payments", "Payments less refunds are %s and what the customer keeps is worth %s.",
			in.shop.Money(paid), in.shop.Money(kept))
	}
	return nil
}

// value returns the amount that the customer pays for a line.
func (in *fileOrder) value(l *shopfile.Line) int64 {
	v := l.Price.Amount*l.Quantity - l.Discount.Amount
	if !in.included {
		v += l.Tax.Amount
	}
	return v
}
