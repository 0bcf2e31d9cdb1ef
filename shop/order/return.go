package order

import (
	"context"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// reasonIn holds the reason for a return or exchange.
type reasonIn struct {
	Reason string `json:"reason,omitempty" jsonschema:"enum=faulty,enum=not as described,enum=changed mind,enum=other"`
}

// after appends the reason to words, such as the customer's name.
func (in reasonIn) after(words any) bus.Text {
	if in.Reason == "" {
		return bus.Textf("%s", words)
	}
	return bus.Textf("%s, %s", words, in.Reason)
}

type returnIn struct {
	orderIn
	reasonIn
	Lines []pieces `json:"lines" jsonschema:"minItems=1,maxItems=100" doc:"What comes back."`
	settledBy
}

type returnOut struct {
	OrderID   string         `json:"orderId"`
	RequestID string         `json:"requestId"`
	RefundDue core.Money     `json:"refundDue" doc:"Recorded when it is received; shipping stays paid."`
	Refunds   []methodAmount `json:"refunds" doc:"How it would be split now."`
}

func requestReturn(ctx context.Context, s *core.Shop, call *bus.Call, o Head, in returnIn) (out returnOut, err error) {
	to, err := in.refundTo(ctx, s, o)
	if err != nil {
		return out, err
	}
	lines, err := loadOrderLines(ctx, o.ID)
	if err != nil {
		return out, err
	}
	back, value, err := lines.returnValue(in.Lines)
	if err != nil {
		return out, err
	}
	out.OrderID, out.RefundDue = o.ID, s.Money(value)
	p := itemsPlan{order: o, method: to, difference: -value}
	if err := p.planSettlement(ctx, s); err != nil {
		return out, err
	}
	out.Refunds = p.refunds
	if out.RequestID, err = insertRequest(ctx, call, o.ID, kindReturn, in.Reason, to, -value, back); err != nil {
		return out, err
	}
	call.Fact("amount", s.MoneyFact(value))
	r := billOf(s, call)
	r.swaps(lines, back)
	r.sum(value, "Refund when it is received")
	what, due := swapWords(back), listed(p.paidBack(s), func(f methodAmount) bus.Text {
		return bus.Textf("%s due to %s", f.Amount, customer.LabelText(f.Label))
	})
	r.refundsTo(p.refunds)
	call.Summarize("Ask for the return of %s from order %s of %s, %s", what, o.ID, in.after(o.Buyer()), due)
	o.changed(call, "Items of order %s of %s come back.")
	return out, recordChange(ctx, call, o.ID, fmt.Sprintf("Return asked for: %s, %s", in.after(what), due))
}

// returnValue finds the pieces to return among the lines and computes their value.
func (o *orderLines) returnValue(asked []pieces) (all []swap, value int64, err error) {
	for _, p := range asked {
		l, n, err := o.asked(p.lineRef, p.Quantity)
		if err != nil {
			return nil, 0, err
		}
		b := l.of(n)
		back := swap{pieces: b, words: fmt.Sprintf("%d × %s", n, l.fullName()), lines: o.take(b.lineRef, n)}
		for _, i := range back.lines {
			value += o.value(&o.lines[i])
		}
		all = append(all, back)
	}
	return all, value, nil
}

type returnNowIn struct {
	returnIn
	Restock bool `json:"restock"`
}

type returnNowOut struct {
	RequestID string `json:"requestId"`
	receiveReturnOut
}

// planReturnNow plans a return of goods that the customer brought along.
func planReturnNow(ctx context.Context, s *core.Shop, call *bus.Call, o Head, in returnNowIn) (p itemsPlan, err error) {
	if p.method, err = in.refundTo(ctx, s, o); err != nil {
		return p, err
	}
	if p.lines, err = loadOrderLines(ctx, o.ID); err != nil {
		return p, err
	}
	p.order, p.order.OpenRequest = o, kindReturn
	return p, p.planReturnedPieces(ctx, s, call, in.Lines)
}

// returnNow requests a return and receives it in one step.
func returnNow(ctx context.Context, s *core.Shop, call *bus.Call, o Head, in returnNowIn) (out returnNowOut,
	err error) {
	p, err := planReturnNow(ctx, s, call, o, in)
	if err != nil {
		return out, err
	}
	if p.requestID, err = insertRequest(ctx, call, o.ID, kindReturn, in.Reason, p.method, p.difference,
		p.swaps); err != nil {
		return out, err
	}
	if out.receiveReturnOut, err = p.receiveReturnedPieces(ctx, s, call, in.Restock); err != nil {
		return out, err
	}
	out.RequestID = p.requestID
	what := swapWords(p.swaps)
	call.Summarize("Take back %s of order %s of %s: refund %s, %s", what, o.ID, in.after(o.Buyer()),
		refundWords(p.paidBack(s)), stockWords(in.Restock))
	return out, recordChange(ctx, call, o.ID, "Returned: "+in.after(what).String())
}

// refundTo returns the named method. It refuses a method that a return may not be refunded to.
func (in settledBy) refundTo(ctx context.Context, s *core.Shop, o Head) (customer.PaymentMethod, error) {
	m, err := in.methodOf(ctx, s, o)
	if err != nil || m.ID == "" {
		return m, err
	}
	all, err := refundable(ctx, s, o)
	if err == nil && !slices.ContainsFunc(all, func(may customer.PaymentMethod) bool { return may.ID == m.ID }) {
		err = core.Refused("Order %s was not paid by %s.", o.ID, customer.LabelText(m.Label)).
			WithHint("Name what paid it, which order.get shows, or a gift card of the customer; " +
				"customer.addPaymentMethod adds one.")
	}
	return m, err
}

// insertRequest opens a request; amount is charged when positive.
func insertRequest(ctx context.Context, call *bus.Call, orderID, kind, reason string, m customer.PaymentMethod,
	amount int64, swaps []swap) (id string, err error) {
	id = call.NewID("rqs")
	if err := core.Insert(ctx, `order_requests (id, order_id, kind, status, requested_at, method_id, method_label,
		amount, person, reason)`, id, orderID, kind, "requested", call.Now.UnixMilli(), m.ID, m.Label, amount,
		call.Person.ID, reason); err != nil {
		return "", err
	}
	for i, w := range swaps {
		var newID string
		if w.to != nil {
			newID = w.to.ID
		}
		if err := core.Insert(ctx, `order_request_lines (request_id, position, line_id, variant_id, quantity,
			new_variant_id, new_price, new_rate_ppm)`, id, i+1, w.LineID, w.VariantID, w.Quantity, newID, w.price,
			w.rate); err != nil {
			return "", err
		}
	}
	return id, nil
}
