package order

import (
	"context"
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// pieces names some of what is in an order.
type pieces struct {
	VariantID string `json:"variantId" jsonschema:"minLength=1,maxLength=100" x:"lookup=order.get#/lines"`
	Quantity  int64  `json:"quantity,omitempty" jsonschema:"minimum=1,maximum=9999" doc:"Absent: all of them."`
}

type returnIn struct {
	orderIn
	Lines           []pieces `json:"lines" jsonschema:"minItems=1,maxItems=100" doc:"What comes back."`
	PaymentMethodID string   `json:"paymentMethodId" jsonschema:"minLength=1,maxLength=100"`
}

func (returnIn) TagFields() map[string]string {
	return map[string]string{"paymentMethodId": `x:"lookup=order.get#/savedPaymentMethods"`}
}

type returnOut struct {
	OrderID   string     `json:"orderId"`
	RequestID string     `json:"requestId"`
	RefundDue core.Money `json:"refundDue" doc:"Recorded when it is received; shipping stays paid."`
}

func orderReturn() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "order.return", Texts: texts, Category: "order",
		SideEffect: bus.UIOnly, Permissions: []string{"order:write"}, Access: core.AgentAsks, Resources: core.Writes,
		Reversible:    true,
		Preconditions: orderState("order.return"), Facts: orderFactNames,
	}, requestReturn)
}

func requestReturn(ctx context.Context, call *bus.Call, in returnIn) (returnOut, error) {
	var out returnOut
	s, o, err := orderFor(ctx, "order.return", in.OrderID)
	if err != nil {
		return out, err
	}
	to, err := refundable(ctx, s, o, in.PaymentMethodID)
	if err != nil {
		return out, err
	}
	lines, err := loadOrderLines(ctx, o.ID)
	if err != nil {
		return out, err
	}
	back, err := lines.comeBack(in.Lines)
	if err != nil {
		return out, err
	}
	out.OrderID, out.RefundDue = o.ID, s.Money(back.value)
	if out.RequestID, err = insertRequest(ctx, call, o.ID, kindReturn, to, -back.value); err != nil {
		return out, err
	}
	for i, b := range back.pieces {
		if err := core.Exec(ctx, `INSERT INTO order_request_lines (request_id, position, variant_id, quantity)
			VALUES (?, ?, ?, ?)`,
			out.RequestID, i+1, b.VariantID, b.Quantity); err != nil {
			return out, err
		}
	}
	orderFacts(s, call, o, back.value)
	call.Summarize("Ask for the return of %s from order %s of %s, %s due to %s", back.words, o.ID, o.Customer.Name,
		out.RefundDue.Text, to.Label)
	call.Changed("order", fmt.Sprintf("Items of order %s of %s come back.", o.ID, o.Customer.Name), o.ID, o.Customer.ID)
	if err := touch(ctx, call, o.ID); err != nil {
		return out, err
	}
	return out, tell(ctx, call, o.ID, fmt.Sprintf("Return asked for: %s, %s due to %s", back.words, out.RefundDue.Text,
		to.Label))
}

// refundable reads the method that a return may be refunded to: one that paid
// the order, or a gift card of the customer.
func refundable(ctx context.Context, s *core.Shop, o Head, methodID string) (customer.PaymentMethod, error) {
	m, err := customer.MethodOf(ctx, s, o.Customer, methodID)
	if err != nil || m.Kind == "giftCard" {
		return m, err
	}
	paid, err := core.Exists(ctx, `SELECT 1 FROM payments WHERE order_id = ? AND method_id = ?
		AND kind = 'payment'`, o.ID, m.ID)
	if err == nil && !paid {
		err = core.Refused("Order %s was not paid by %s.", o.ID, m.Label).
			WithHint("Name what paid it, which order.get shows, or a gift card of the customer; " +
				"customer.addPaymentMethod adds one.")
	}
	return m, err
}

// returned are the pieces that come back of an order.
type returned struct {
	pieces []pieces // quantities filled in
	lines  []int
	value  int64
	words  string
}

// comeBack finds what comes back among the lines.
func (o *orderLines) comeBack(asked []pieces) (b returned, err error) {
	var words []string
	for _, p := range asked {
		l, n, err := o.asked(p.VariantID, p.Quantity)
		if err != nil {
			return b, err
		}
		taken := o.take(p.VariantID, n)
		for _, i := range taken {
			b.value += o.value(&o.lines[i])
		}
		b.lines = append(b.lines, taken...)
		b.pieces = append(b.pieces, pieces{p.VariantID, n})
		words = append(words, fmt.Sprintf("%d × %s", n, l.fullName()))
	}
	b.words = strings.Join(words, ", ")
	return b, nil
}

// insertRequest opens a request; amount is charged when positive.
func insertRequest(ctx context.Context, call *bus.Call, orderID, kind string, m customer.PaymentMethod,
	amount int64) (string, error) {
	id := call.NewID("rqs")
	return id, core.Exec(ctx, `INSERT INTO order_requests (id, order_id, kind, status, requested_at, method_id,
		method_label, amount, person) VALUES (?, ?, ?, 'requested', ?, ?, ?, ?, ?)`,
		id, orderID, kind, call.Now.UnixMilli(), m.ID, m.Label, amount, call.Person.Person)
}

// openRequest is the request of an order that is not received yet, with its method.
func openRequest(ctx context.Context, s *core.Shop, o Head) (id string, m customer.PaymentMethod, err error) {
	ids, _, err := core.Find(ctx, func(r core.Row) (v [2]string, err error) { return v, r.Scan(&v[0], &v[1]) },
		`SELECT id, method_id FROM order_requests WHERE order_id = ? AND status = 'requested'`, o.ID)
	if err != nil {
		return "", m, err
	}
	m, err = customer.MethodOf(ctx, s, o.Customer, ids[1])
	return ids[0], m, err
}

// closeRequest notes that a request was received, and what was settled.
func closeRequest(ctx context.Context, call *bus.Call, id string, amount int64, restock bool) error {
	return core.Exec(ctx, `UPDATE order_requests SET status = 'received', received_at = ?, amount = ?, restocked = ?
		WHERE id = ?`,
		call.Now.UnixMilli(), amount, core.Bit(restock), id)
}
