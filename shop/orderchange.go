package shop

import (
	"context"
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type cancelIn struct {
	OrderID string `json:"orderId" jsonschema:"minLength=1,maxLength=40" jsonschema_description:"For example #W1234567." jsonschema_extras:"x-lookup=order.search#/orders"`
	Reason  string `json:"reason" jsonschema:"enum=no longer needed,enum=ordered by mistake,enum=out of stock,enum=other"`
	Note    string `json:"note,omitempty" jsonschema:"maxLength=2000" jsonschema_description:"Kept with the order."`
}

type refund struct {
	PaymentMethodID string `json:"paymentMethodId"`
	Label           string `json:"label" jsonschema_extras:"x-personal=true"`
	Amount          Money  `json:"amount"`
}

type cancelOut struct {
	OrderID string   `json:"orderId"`
	Status  string   `json:"status"`
	Refunds []refund `json:"refunds" jsonschema_description:"Recorded, not transferred."`
}

func orderCancel() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "order.cancel", Title: "Cancel an order", Category: "order",
		Description: "Cancels a pending order: records a refund of every payment to the method that paid it and brings the stock back. " +
			"Use it when the customer does not want the order any more and it has not been processed. It cannot be undone and does not cancel processed or delivered orders.",
		SideEffect: bus.Destructive, Permissions: []string{"order:write"}, Access: agentAsks, Resources: write, KeepResult: true,
		Limit: refundLimit, Facts: []string{"amount", "customerId", "orderId"}, Grantable: []string{"amount", "customerId"},
		Phrases: []string{"cancel order {orderId} because {reason}", "cancel the order {orderId}, {reason}", "cancel {orderId}, it was {reason}",
			"cancel order {orderId}", "cancel {orderId}", "the customer wants to cancel {orderId} because {reason}"},
	}, cancel)
}

// cannotCancel says why an order cannot be cancelled by a person, nil when it can.
func (s *deskShop) cannotCancel(o orderHead, by bus.Principal) *bus.Error {
	if o.Status != "pending" {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Order %s is %s; only a pending order can be cancelled.", o.ID, o.Status).
			WithHint("order.get shows what can be done with it.")
	}
	if o.Total.Amount > s.RefundLimit && !by.Has(scopeRefund) {
		return bus.Errorf(bus.Forbidden, bus.ReasonLimit, "A refund over %s needs a manager.", s.text(s.RefundLimit)).WithHint("Ask a manager.")
	}
	return nil
}

// refundLimit keeps a clerk's refund within the shop's limit. What else may be
// wrong with the order is the handler's to say.
func refundLimit(ctx context.Context, call *bus.Call) error {
	var in cancelIn
	if err := call.Decode(&in); err != nil {
		return err
	}
	s, err := loadShop(ctx)
	if err != nil {
		return err
	}
	o, found, err := find(ctx, s.scanOrderHead, `SELECT `+orderHeadColumns+` WHERE o.id = ?`, orderID(in.OrderID))
	if err != nil || !found {
		return err
	}
	if why := s.cannotCancel(o, call.Person); why != nil && why.Code == bus.Forbidden {
		return why
	}
	return nil
}

func cancel(ctx context.Context, call *bus.Call, in cancelIn) (cancelOut, error) {
	var out cancelOut
	s, err := loadShop(ctx)
	if err != nil {
		return out, err
	}
	o, err := s.orderByID(ctx, in.OrderID)
	if err != nil {
		return out, err
	}
	if why := s.cannotCancel(o, call.Person); why != nil {
		return out, why
	}
	out = cancelOut{OrderID: o.ID, Status: "cancelled"}
	if out.Refunds, err = s.refundAll(ctx, call, o.ID); err != nil {
		return out, err
	}
	if err := restock(ctx, call, o.ID); err != nil {
		return out, err
	}
	if err := exec(ctx, `UPDATE orders SET status = 'cancelled', cancelled_at = ?, cancelled_by = ?, cancel_reason = ? WHERE id = ?`,
		call.Now.UnixMilli(), call.Person.Person, in.Reason, o.ID); err != nil {
		return out, err
	}
	if words := text.Block(in.Note, messageLimit); words != "" {
		if _, err := addNote(ctx, call, o.ID, words); err != nil {
			return out, err
		}
	}
	var total int64
	var parts []string
	for _, r := range out.Refunds {
		total += r.Amount.Amount
		parts = append(parts, fmt.Sprintf("refund %s to %s", r.Amount.Text, r.Label))
	}
	call.Fact("amount", s.fact(total))
	call.Fact("customerId", o.Customer.ID)
	call.Fact("orderId", o.ID)
	summary := fmt.Sprintf("Cancel order %s of %s", o.ID, o.Customer.Name)
	if len(parts) > 0 {
		summary += " and " + strings.Join(parts, " and ")
	}
	call.Summarize("%s", summary)
	call.Changed("order", fmt.Sprintf("Order %s of %s was cancelled.", o.ID, o.Customer.Name), o.ID, o.Customer.ID)
	call.Changed("catalog", "Stock changed.")
	return out, nil
}

// refundAll records a refund of everything paid and not yet refunded, to each
// method what it paid. A gift card has its balance back at once.
func (s *deskShop) refundAll(ctx context.Context, call *bus.Call, orderID string) ([]refund, error) {
	refunds, err := list(ctx, func(r row) (refund, error) {
		var f refund
		var amount int64
		err := r.Scan(&f.PaymentMethodID, &f.Label, &amount)
		f.Amount = s.money(amount)
		return f, err
	}, `SELECT method_id, MIN(label), SUM(CASE kind WHEN 'payment' THEN amount ELSE -amount END) AS net
		FROM payments WHERE order_id = ? GROUP BY method_id HAVING net > 0 ORDER BY MIN(at), method_id`, orderID)
	if err != nil {
		return nil, err
	}
	for _, f := range refunds {
		if err := exec(ctx, `INSERT INTO payments (id, order_id, kind, method_id, label, amount, at) VALUES (?, ?, 'refund', ?, ?, ?, ?)`,
			call.NewID("pay"), orderID, f.PaymentMethodID, f.Label, f.Amount.Amount, call.Now.UnixMilli()); err != nil {
			return nil, err
		}
		if err := exec(ctx, `UPDATE payment_methods SET balance = balance + ? WHERE id = ? AND kind = 'giftCard'`, f.Amount.Amount, f.PaymentMethodID); err != nil {
			return nil, err
		}
	}
	return refunds, nil
}

// restock brings the pieces of an order back, as far as they were taken.
func restock(ctx context.Context, call *bus.Call, orderID string) error {
	type taken struct {
		variantID string
		pieces    int64
	}
	all, err := list(ctx, func(r row) (t taken, err error) { return t, r.Scan(&t.variantID, &t.pieces) },
		`SELECT variant_id, -SUM(delta) AS pieces FROM stock_movements WHERE order_id = ? GROUP BY variant_id HAVING pieces > 0 ORDER BY variant_id`, orderID)
	if err != nil {
		return err
	}
	for _, t := range all {
		if err := moveStock(ctx, call, t.variantID, t.pieces, "cancellation", orderID); err != nil {
			return err
		}
	}
	return nil
}

type addNoteIn struct {
	OrderID string `json:"orderId" jsonschema:"minLength=1,maxLength=40" jsonschema_description:"For example #W1234567." jsonschema_extras:"x-lookup=order.search#/orders"`
	Text    string `json:"text" jsonschema:"minLength=1,maxLength=2000"`
}

type addNoteOut struct {
	NoteID string `json:"noteId"`
}

func orderAddNote() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "order.addNote", Title: "Add a note to an order", Category: "order",
		Description: "Writes a note on an order, for the people at the desk. " +
			"Use it to keep what a customer said. It does not change the order and is not sent to the customer.",
		SideEffect: bus.UIOnly, Permissions: []string{"order:write"}, Access: agentMay, Resources: write, Reversible: true,
		Phrases: []string{"note on order {orderId}: {text}", "add a note to order {orderId}: {text}", "write on {orderId} that {text}"},
	}, func(ctx context.Context, call *bus.Call, in addNoteIn) (addNoteOut, error) {
		var out addNoteOut
		s, err := loadShop(ctx)
		if err != nil {
			return out, err
		}
		o, err := s.orderByID(ctx, in.OrderID)
		if err != nil {
			return out, err
		}
		words := text.Block(in.Text, messageLimit)
		if words == "" {
			return out, invalid("/text", "The note is empty.")
		}
		call.Summarize("Add a note to order %s of %s: “%s”", o.ID, o.Customer.Name, text.Line(words, 100))
		call.Changed("order", "Order "+o.ID+" has a new note.", o.ID)
		out.NoteID, err = addNote(ctx, call, o.ID, words)
		return out, err
	})
}

func addNote(ctx context.Context, call *bus.Call, orderID, words string) (string, error) {
	id := call.NewID("note")
	return id, exec(ctx, `INSERT INTO order_notes (id, order_id, text, person, at) VALUES (?, ?, ?, ?, ?)`, id, orderID, words, call.Person.Person, call.Now.UnixMilli())
}
