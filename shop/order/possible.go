package order

import (
	"context"
	"errors"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// The needs and refunds of orderRules: whether there is any way to do something with an order.

// needsPayment refuses an order for which nothing is paid.
func needsPayment(ctx context.Context, s *core.Shop, o Head) error {
	paid, err := paidBy(ctx, s, o.ID)
	if err == nil && len(paid) == 0 {
		err = core.Refused("Nothing was paid for order %s.", o.ID).WithHint("order.get shows its payments.")
	}
	return err
}

// needsUnshipped refuses an order of which everything was shipped.
func needsUnshipped(ctx context.Context, _ *core.Shop, o Head) error {
	waiting, err := unshipped(ctx, o.ID)
	if err == nil && len(waiting) == 0 {
		err = core.Refused("Everything of order %s was shipped.", o.ID).WithHint("order.deliver says that it arrived.")
	}
	return err
}

// needsKept refuses an order of which the customer has nothing.
func needsKept(ctx context.Context, _ *core.Shop, o Head) error {
	return core.Need(ctx, core.Refused("Everything of order %s came back already.", o.ID).
		WithHint("order.get shows the lines."), `SELECT 1 FROM order_lines WHERE order_id = ? AND returned_by = ''`, o.ID)
}

// needsAlternative refuses an order of which no item can become another variant.
func needsAlternative(ctx context.Context, s *core.Shop, o Head) error {
	others, err := replacements(ctx, s, o, false)
	if err == nil && len(others) == 0 {
		err = core.Refused("No other variant of the items of order %s can be bought.", o.ID).
			WithHint("order.cancel cancels it, and cart.addItem begins a new one.")
	}
	return err
}

// needsExchange refuses an order of which no item can be exchanged, also not for the same.
func needsExchange(ctx context.Context, s *core.Shop, o Head) error {
	if err := needsKept(ctx, s, o); err != nil {
		return err
	}
	others, err := replacements(ctx, s, o, true)
	if err == nil && len(others) == 0 {
		err = core.Refused("No variant of the items of order %s can be bought.", o.ID).
			WithHint("order.return takes items back.")
	}
	return err
}

// needsCover refuses an open exchange whose difference a gift card no longer covers.
func needsCover(ctx context.Context, s *core.Shop, o Head) error {
	p, err := agreedExchange(ctx, s, o)
	if err == nil {
		err = covers(s, p.method, p.difference)
	}
	if why, coded := errors.AsType[*bus.Error](err); coded && why.Code == bus.PreconditionFailed {
		return askAgain(why)
	}
	return err
}

func refundsTotal(_ context.Context, _ *core.Shop, o Head) (int64, error) { return o.Total.Amount, nil }

// refundsDifference is the refund of an open exchange.
func refundsDifference(ctx context.Context, s *core.Shop, o Head) (int64, error) {
	p, err := agreedExchange(ctx, s, o)
	return max(0, -p.difference), err
}

// refundsLeast is the value of the cheapest piece that can come back.
func refundsLeast(ctx context.Context, s *core.Shop, o Head) (least int64, err error) {
	lines, err := loadOrderLines(ctx, o.ID)
	if err != nil {
		return 0, err
	}
	asked := map[string]bool{}
	if o.OpenRequest != "" {
		open, err := askedBack(ctx, o.ID)
		if err != nil {
			return 0, err
		}
		for _, p := range open {
			asked[p.VariantID] = true
		}
	}
	least = -1
	for _, l := range lines.stored {
		if l.returnedBy != "" || len(asked) > 0 && !asked[l.variantID] {
			continue
		}
		one := &orderLines{included: lines.included, lines: slices.Clone(lines.stored)}
		for _, i := range one.take(l.variantID, 1) {
			if value := one.value(&one.lines[i]); least < 0 || value < least {
				least = value
			}
		}
	}
	return max(0, least), nil
}

// refundable are the methods that a return may be refunded to: those that paid the order, and gift cards of the
// customer. Where none that paid is left, or nothing was paid, the shop's own may.
func refundable(ctx context.Context, s *core.Shop, o Head) (all []customer.PaymentMethod, err error) {
	own := customer.Unsaved()
	if o.Customer != nil {
		if all, err = customer.Methods(ctx, s, o.Customer.ID); err != nil {
			return nil, err
		}
	}
	paid, err := core.List(ctx, core.ScanText, `SELECT DISTINCT method_id FROM payments WHERE order_id = ?
		AND kind = 'payment'`, o.ID)
	if err != nil {
		return nil, err
	}
	did := func(m customer.PaymentMethod) bool { return slices.Contains(paid, m.ID) }
	if slices.ContainsFunc(own, did) || slices.ContainsFunc(all, did) {
		own = slices.DeleteFunc(own, func(m customer.PaymentMethod) bool { return !did(m) })
	}
	all = slices.DeleteFunc(all, func(m customer.PaymentMethod) bool { return m.Kind != "giftCard" && !did(m) })
	return append(all, own...), nil
}
