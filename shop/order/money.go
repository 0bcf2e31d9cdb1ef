package order

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// refund is money given back, as an answer tells it.
type refund struct {
	PaymentMethodID string     `json:"paymentMethodId"`
	Label           string     `json:"label" x:"personal=true"`
	Amount          core.Money `json:"amount"`
}

// covers refuses a gift card whose balance is less than the amount.
func covers(s *core.Shop, m customer.PaymentMethod, amount int64) error {
	if !m.Covers(amount) {
		return core.Refused("The gift card has %s left, and %s is due.", s.Text(m.Left()), s.Text(amount)).
			WithHint("Choose another payment method; customer.get lists them.")
	}
	return nil
}

// record writes a payment or a refund down, and moves a gift card's balance at once. Of nothing, nothing is recorded.
func record(ctx context.Context, call *bus.Call, kind, orderID, methodID, label string, amount int64) error {
	if amount == 0 {
		return nil
	}
	toCard := amount
	if kind == "payment" {
		toCard = -amount
	}
	if err := core.Exec(ctx, `UPDATE payment_methods
		SET last_used_at = ?, balance = CASE kind WHEN 'giftCard' THEN balance + ? END WHERE id = ?`,
		call.Now.UnixMilli(), toCard, methodID); err != nil {
		return err
	}
	return core.Insert(ctx, `payments (id, order_id, kind, method_id, label, amount, at)`,
		call.NewID("pay"), orderID, kind, methodID, label, amount, call.Now.UnixMilli())
}

// pay records a payment, and takes it off a gift card.
func pay(ctx context.Context, call *bus.Call, orderID string, m customer.PaymentMethod, amount int64) error {
	return record(ctx, call, "payment", orderID, m.ID, m.Label, amount)
}

// settle records a difference: charged to the method when it is positive, which
// a gift card must cover, else refunded to it.
func settle(ctx context.Context, s *core.Shop, call *bus.Call, orderID string, m customer.PaymentMethod,
	difference int64) error {
	if difference < 0 {
		return record(ctx, call, "refund", orderID, m.ID, m.Label, -difference)
	}
	if err := covers(s, m, difference); err != nil {
		return err
	}
	return pay(ctx, call, orderID, m, difference)
}

// paidBy is what each method has paid for an order and not got back, the method that paid first before the others. What
// another method got back is taken off the last ones, so that the sum is what was paid in all.
func paidBy(ctx context.Context, s *core.Shop, orderID string) ([]refund, error) {
	all, err := core.List(ctx, func(r core.Row) (f refund, err error) {
		return f, r.Scan(&f.PaymentMethodID, &f.Label, &f.Amount.Amount)
	}, `SELECT method_id, MIN(label), SUM(CASE kind WHEN 'payment' THEN amount ELSE -amount END) AS net
		FROM payments WHERE order_id = ? GROUP BY method_id HAVING net <> 0 ORDER BY MIN(at), MIN(rowid)`, orderID)
	if err != nil {
		return nil, err
	}
	var elsewhere int64 // refunded to methods that had not paid it
	for _, f := range all {
		elsewhere += max(0, -f.Amount.Amount)
	}
	for i := len(all) - 1; i >= 0; i-- {
		net := max(0, all[i].Amount.Amount)
		less := min(net, elsewhere)
		elsewhere -= less
		all[i].Amount = s.Money(net - less)
	}
	return slices.DeleteFunc(all, func(f refund) bool { return f.Amount.Amount == 0 }), nil
}

// refundAll records a refund of everything paid and not yet refunded, to each method what it paid.
func refundAll(ctx context.Context, s *core.Shop, call *bus.Call, orderID string) ([]refund, error) {
	refunds, err := paidBy(ctx, s, orderID)
	if err != nil {
		return nil, err
	}
	for _, f := range refunds {
		if err := record(ctx, call, "refund", orderID, f.PaymentMethodID, f.Label, f.Amount.Amount); err != nil {
			return nil, err
		}
	}
	return refunds, nil
}

// refundWords is a list of refunds in a sentence.
func refundWords(refunds []refund) string {
	var parts []string
	for _, r := range refunds {
		parts = append(parts, fmt.Sprintf("%s to %s", r.Amount.Text, r.Label))
	}
	return strings.Join(parts, " and ")
}

// differenceWords describes a difference charged or refunded to a payment method, in a sentence.
func differenceWords(s *core.Shop, m customer.PaymentMethod, difference int64) string {
	switch {
	case difference > 0:
		return fmt.Sprintf("%s charged to %s", s.Text(difference), m.Label)
	case difference < 0:
		return fmt.Sprintf("%s refunded to %s", s.Text(-difference), m.Label)
	}
	return "no difference in price"
}
