package order

import (
	"context"
	"slices"

	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// The needs and refunds of orderRules check whether an action is possible with any arguments.

// needsPayment refuses an order without payments.
func needsPayment(ctx context.Context, s *core.Shop, o Head) error {
	paid, err := unrefundedPayments(ctx, s, o.ID)
	if err == nil && len(paid) == 0 {
		err = core.Refused("Nothing was paid for order %s.", o.ID).WithHint("order.get shows its payments.")
	}
	return err
}

// needsUnshipped refuses an order that was shipped completely.
func needsUnshipped(ctx context.Context, _ *core.Shop, o Head) error {
	waiting, err := unshipped(ctx, o.ID)
	if err == nil && len(waiting) == 0 {
		err = core.Refused("Everything of order %s was shipped.", o.ID).WithHint("order.deliver says that it arrived.")
	}
	return err
}

// needsKept refuses an order whose items were all returned.
func needsKept(ctx context.Context, _ *core.Shop, o Head) error {
	return core.Need(ctx, core.Refused("Everything of order %s came back already.", o.ID).
		WithHint("order.get shows the lines."), `SELECT 1 FROM order_lines WHERE order_id = ? AND returned_by = ''`, o.ID)
}

// needsExchange refuses an order none of whose items can be exchanged, not even for the same variant.
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

// needsCover refuses an open exchange whose difference exceeds the balance of its gift card.
func needsCover(ctx context.Context, s *core.Shop, o Head) error {
	_, err := agreedExchange(ctx, s, o)
	return err
}

func refundsTotal(_ context.Context, _ *core.Shop, o Head) (int64, error) { return o.Total.Amount, nil }

// refundsDifference returns the refund of an open exchange.
func refundsDifference(ctx context.Context, s *core.Shop, o Head) (int64, error) {
	p, err := agreedExchange(ctx, s, o)
	return max(0, -p.difference), err
}

// refundsLeast returns the value of the cheapest piece that can be returned.
func refundsLeast(ctx context.Context, s *core.Shop, o Head) (least int64, err error) {
	lines, err := loadOrderLines(ctx, o.ID)
	if err != nil {
		return 0, err
	}
	var asked []pieces
	if o.OpenRequest != "" {
		if asked, err = askedBack(ctx, o.ID); err != nil {
			return 0, err
		}
	}
	least = -1
	for _, l := range lines.stored {
		named := func(p pieces) bool { return p.holds(&l) }
		if l.returnedBy != "" || len(asked) > 0 && !slices.ContainsFunc(asked, named) {
			continue
		}
		one := &orderLines{included: lines.included, lines: slices.Clone(lines.stored)}
		for _, i := range one.take(lineRef{LineID: l.id}, 1) {
			if value := one.value(&one.lines[i]); least < 0 || value < least {
				least = value
			}
		}
	}
	return max(0, least), nil
}

// needed returns the methods to choose from for a refund when no payment is left to refund.
func needed(ctx context.Context, s *core.Shop, o Head) ([]customer.PaymentMethod, error) {
	if paid, err := unrefundedPayments(ctx, s, o.ID); err != nil || len(paid) > 0 {
		return nil, err
	}
	return refundable(ctx, s, o)
}

// refundable returns the methods that a refund may name: the methods that paid the order, gift cards of the customer,
// and cash with a manager's approval. It adds the shop's other methods when no payment is left to refund: see
// [mayRefundTo].
func refundable(ctx context.Context, s *core.Shop, o Head) (all []customer.PaymentMethod, err error) {
	own := customer.Unsaved()
	if o.Customer != nil {
		if all, err = customer.Methods(ctx, s, o.Customer.ID); err != nil {
			return nil, err
		}
	}
	paid, err := payers(ctx, o.ID)
	if err != nil {
		return nil, err
	}
	did := func(m customer.PaymentMethod) bool { return slices.Contains(paid, m.ID) }
	if slices.ContainsFunc(own, did) || slices.ContainsFunc(all, did) {
		own = slices.DeleteFunc(own, func(m customer.PaymentMethod) bool { return m.ID != customer.CashID && !did(m) })
	}
	all = slices.DeleteFunc(all, func(m customer.PaymentMethod) bool { return m.Kind != "giftCard" && !did(m) })
	return append(all, own...), nil
}

// payers returns the ids of the methods that paid for an order.
func payers(ctx context.Context, orderID string) ([]string, error) {
	return core.List(ctx, core.ScanText, `SELECT DISTINCT method_id FROM payments WHERE order_id = ?
		AND kind = 'payment'`, orderID)
}

// agreedMethod returns the method that an open request names.
func agreedMethod(ctx context.Context, s *core.Shop, o Head) ([]customer.PaymentMethod, error) {
	p, err := planReceiving(ctx, s, o)
	if p.method.ID == "" {
		return nil, err
	}
	return []customer.PaymentMethod{p.method}, err
}
