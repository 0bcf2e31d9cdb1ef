package order

import (
	"context"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// methodAmount is an amount paid by a payment method or returned to it. Cash is rounded to the smallest coin.
type methodAmount struct {
	PaymentMethodID string     `json:"paymentMethodId"`
	Label           string     `json:"label" x:"personal=true"`
	Amount          core.Money `json:"amount"`

	due int64  // before rounding of cash
	of  string // id of the payment: the payment itself, or the one that a refund returns
}

// moneyOf returns an amount that a method pays or receives.
func moneyOf(s *core.Shop, methodID, label string, due int64, of string) methodAmount {
	amount := due
	if methodID == customer.CashID {
		amount = s.Coins(due)
	}
	return methodAmount{methodID, label, s.Money(amount), due, of}
}

// covers refuses a gift card with a balance below the amount.
func covers(s *core.Shop, m customer.PaymentMethod, amount int64) error {
	if !m.Covers(amount) {
		return core.Refused("The gift card has %s left, and %s is due.", s.Money(m.Left()), s.Money(amount)).
			WithHint("Choose another payment method; customer.get lists them.")
	}
	return nil
}

// record stores a payment or a refund and updates the balance of a gift card. It stores nothing for an amount of 0.
func record(ctx context.Context, call *bus.Call, kind, orderID string, f methodAmount) error {
	if f.due == 0 {
		return nil
	}
	toCard := f.due
	if kind == "payment" {
		toCard = -toCard
	}
	if err := core.Exec(ctx, `UPDATE payment_methods
		SET last_used_at = ?, balance = CASE kind WHEN 'giftCard' THEN balance + ? END WHERE id = ?`,
		call.Now.UnixMilli(), toCard, f.PaymentMethodID); err != nil {
		return err
	}
	return core.Insert(ctx, `payments (id, order_id, kind, method_id, label, amount, rounding, gives_back, at)`,
		call.NewID("pay"),
		orderID, kind, f.PaymentMethodID, f.Label, f.due, f.Amount.Amount-f.due, f.of, call.Now.UnixMilli())
}

// pay records a payment and deducts it from a gift card.
func pay(ctx context.Context, s *core.Shop, call *bus.Call, orderID string, m customer.PaymentMethod, n int64) error {
	return record(ctx, call, "payment", orderID, moneyOf(s, m.ID, m.Label, n, ""))
}

// unrefundedPayments returns the payments of an order with their amounts that are not refunded, oldest first. A refund
// without a payment id counts against payments by its method first, then against the others, last payment first.
func unrefundedPayments(ctx context.Context, s *core.Shop, orderID string) ([]methodAmount, error) {
	type row struct {
		methodAmount
		back bool
		id   string
	}
	rows, err := core.List(ctx, func(r core.Row) (p row, err error) {
		return p, r.Scan(&p.id, &p.back, &p.PaymentMethodID, &p.Label, &p.due, &p.of)
	}, `SELECT id, kind = 'refund', method_id, label, amount, gives_back FROM payments WHERE order_id = ?
		ORDER BY at, rowid`,
		orderID)
	var all []methodAmount
	for _, p := range rows {
		if !p.back {
			all = append(all, moneyOf(s, p.PaymentMethodID, p.Label, p.due, p.id))
			continue
		}
		left := p.due
		for _, match := range []func(methodAmount) bool{
			func(f methodAmount) bool { return p.of != "" && f.of == p.of },
			func(f methodAmount) bool { return f.PaymentMethodID == p.PaymentMethodID },
			func(methodAmount) bool { return true },
		} {
			for i := len(all) - 1; i >= 0 && left > 0; i-- {
				if match(all[i]) {
					n := min(left, all[i].due)
					all[i], left = moneyOf(s, all[i].PaymentMethodID, all[i].Label, all[i].due-n, all[i].of), left-n
				}
			}
		}
	}
	return slices.DeleteFunc(all, func(f methodAmount) bool { return f.due == 0 }), err
}

// splitRefund divides a refund among the payments, last payment first, each up to the amount that is not refunded. The
// named method comes before the others; a named method that did not pay receives the whole refund.
func splitRefund(ctx context.Context, s *core.Shop, orderID string, amount int64,
	to customer.PaymentMethod) ([]methodAmount, error) {
	if amount <= 0 {
		return []methodAmount{}, nil
	}
	paid, err := payers(ctx, orderID)
	if err != nil {
		return nil, err
	}
	if to.ID != "" && !slices.Contains(paid, to.ID) {
		return []methodAmount{moneyOf(s, to.ID, to.Label, amount, "")}, nil
	}
	all, err := unrefundedPayments(ctx, s, orderID)
	slices.Reverse(all)
	named := func(f methodAmount) int { return core.Bit(f.PaymentMethodID == to.ID) }
	slices.SortStableFunc(all, func(a, b methodAmount) int { return named(b) - named(a) })
	refunds, left := []methodAmount{}, amount
	for _, f := range all {
		if n := min(left, f.due); n > 0 {
			refunds, left = append(refunds, moneyOf(s, f.PaymentMethodID, f.Label, n, f.of)), left-n
		}
	}
	if err == nil && left > 0 {
		err = core.Refused("%s are to be given back, and %s were paid for order %s and not given back.", s.Money(amount),
			s.Money(amount-left), orderID).WithHint("Name a gift card of the customer, or ask a manager to name cash.")
	}
	return refunds, err
}

// refundEach records the refunds.
func refundEach(ctx context.Context, call *bus.Call, orderID string, refunds []methodAmount) error {
	for _, f := range refunds {
		if err := record(ctx, call, "refund", orderID, f); err != nil {
			return err
		}
	}
	return nil
}

// paidLeft returns the sum of the payments of an order less its refunds.
func paidLeft(ctx context.Context, orderID string) (int64, error) {
	n, _, err := core.Find(ctx, core.ScanInt, `SELECT
		COALESCE(SUM(CASE kind WHEN 'payment' THEN amount ELSE -amount END), 0)
		FROM payments WHERE order_id = ?`, orderID)
	return n, err
}

// refundWords lists refunds in a sentence.
func refundWords(refunds []methodAmount) bus.Text {
	return listed(refunds, func(f methodAmount) bus.Text {
		return bus.Textf("%s to %s", f.Amount, customer.LabelText(f.Label))
	})
}

// listed joins the words for each refund into one list in a sentence.
func listed(all []methodAmount, one func(methodAmount) bus.Text) (words bus.Text) {
	for i, f := range all {
		part := one(f)
		if words = bus.Textf("%s and %s", words, part); i == 0 {
			words = part
		}
	}
	return words
}

// differenceWords describes the settlement of a difference in a sentence.
func (p *itemsPlan) differenceWords(s *core.Shop) bus.Text {
	switch {
	case p.difference > 0:
		paid := moneyOf(s, p.method.ID, p.method.Label, p.difference, "")
		return bus.Textf("%s charged to %s", paid.Amount, customer.LabelText(p.method.Label))
	case len(p.refunds) == 1:
		return bus.Textf("%s refunded to %s", p.refunds[0].Amount, customer.LabelText(p.refunds[0].Label))
	case p.difference < 0:
		return bus.Textf("refunded: %s", refundWords(p.refunds))
	}
	return bus.Textf("no difference in price")
}

// planSettlement plans how the difference is settled: by a charge, which a gift card must cover, or by refunds. A
// charge without a named method goes to the method of the last payment that is left.
func (p *itemsPlan) planSettlement(ctx context.Context, s *core.Shop) (err error) {
	if p.difference <= 0 {
		p.refunds, err = splitRefund(ctx, s, p.order.ID, -p.difference, p.method)
		return err
	}
	p.refunds = []methodAmount{}
	if p.method.ID == "" {
		paid, err := unrefundedPayments(ctx, s, p.order.ID)
		if err != nil {
			return err
		}
		if len(paid) == 0 {
			return core.Invalid("/paymentMethodId", "Name a method for the difference of %s.", s.Money(p.difference))
		}
		if p.method, err = customer.MethodOf(ctx, s, p.order.Customer, paid[len(paid)-1].PaymentMethodID); err != nil {
			return err
		}
	}
	return covers(s, p.method, p.difference)
}

// recordSettlement records the payment or the refunds of a plan.
func (p *itemsPlan) recordSettlement(ctx context.Context, s *core.Shop, call *bus.Call) error {
	if p.difference > 0 {
		return pay(ctx, s, call, p.order.ID, p.method, p.difference)
	}
	return refundEach(ctx, call, p.order.ID, p.refunds)
}
