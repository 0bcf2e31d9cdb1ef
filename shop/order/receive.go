package order

import (
	"cmp"
	"context"
	"errors"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type receiveReturnIn struct {
	orderIn
	Lines   []pieces `json:"lines,omitempty" jsonschema:"minItems=1,maxItems=100"`
	Restock bool     `json:"restock"`
}

type receiveReturnOut struct {
	OrderID string `json:"orderId"`
	Refund  refund `json:"refund" doc:"Recorded, not transferred."`
}

// planReceiving begins the plan for receiving what was asked for.
func planReceiving(ctx context.Context, s *core.Shop, o Head) (p itemsPlan, err error) {
	p.order = o
	var methodID string
	if _, _, err = core.Find(ctx, func(r core.Row) (struct{}, error) {
		return struct{}{}, r.Scan(&p.requestID, &methodID)
	}, `SELECT id, method_id FROM order_requests WHERE order_id = ? AND status = 'requested'`, o.ID); err != nil {
		return p, err
	}
	if p.method, err = customer.MethodOf(ctx, s, o.Customer, methodID); err != nil {
		return p, err
	}
	p.lines, err = loadOrderLines(ctx, o.ID)
	return p, err
}

// planReturn works out what receiving a return will do.
func planReturn(ctx context.Context, s *core.Shop, call *bus.Call, o Head, in receiveReturnIn) (itemsPlan, error) {
	p, err := planReceiving(ctx, s, o)
	if err != nil {
		return p, err
	}
	asked, err := askedBack(ctx, o.ID)
	if err != nil {
		return p, err
	}
	if in.Lines != nil {
		if asked, err = came(in.Lines, asked); err != nil {
			return p, err
		}
	}
	return p, p.takesBack(s, call, asked)
}

// askedBack are the pieces of the open request of an order.
func askedBack(ctx context.Context, orderID string) ([]pieces, error) {
	return core.List(ctx, func(r core.Row) (a pieces, err error) { return a, r.Scan(&a.VariantID, &a.Quantity) },
		`SELECT l.variant_id, SUM(l.quantity) FROM order_requests q JOIN order_request_lines l ON l.request_id = q.id
			WHERE q.order_id = ? AND q.status = 'requested' GROUP BY l.variant_id ORDER BY MIN(l.position)`, orderID)
}

// takesBack plans what comes back and its refund, which must be within the person's limit.
func (p *itemsPlan) takesBack(s *core.Shop, call *bus.Call, asked []pieces) (err error) {
	var value int64
	if p.swaps, value, err = p.lines.comeBack(asked); err != nil {
		return err
	}
	p.difference = -value
	return mayRefund(s, value, call.Person)
}

// came is what came of what was asked for; it may be less and not more.
func came(lines, asked []pieces) ([]pieces, error) {
	left := map[string]int64{}
	for _, a := range asked {
		left[a.VariantID] = a.Quantity
	}
	var out []pieces
	for _, l := range lines {
		n := cmp.Or(l.Quantity, left[l.VariantID])
		if n == 0 || n > left[l.VariantID] {
			return nil, core.Refused("%d of %s were to come back.", left[l.VariantID], l.VariantID).
				WithHint("order.get shows what was asked for.")
		}
		left[l.VariantID] -= n
		out = append(out, pieces{l.VariantID, n})
	}
	return out, nil
}

func receiveReturn(ctx context.Context, s *core.Shop, call *bus.Call, o Head, in receiveReturnIn) (out receiveReturnOut,
	err error) {
	p, err := planReturn(ctx, s, call, o, in)
	if err != nil {
		return out, err
	}
	if out, err = p.takeBack(ctx, s, call, in.Restock); err != nil {
		return out, err
	}
	what := swapWords(p.swaps)
	call.Summarize("Receive %s of order %s of %s and refund %s to %s, %s", what, o.ID, o.Buyer(),
		out.Refund.Amount.Text, p.method.Label, stockWords(in.Restock))
	return out, tell(ctx, call, o.ID, "Return received: "+what)
}

// takeBack receives what comes back and records its refund.
func (p *itemsPlan) takeBack(ctx context.Context, s *core.Shop, call *bus.Call, restock bool) (out receiveReturnOut,
	err error) {
	for _, w := range p.swaps {
		for _, i := range w.lines {
			p.lines.lines[i].returnedBy = p.requestID
		}
	}
	if err := p.receive(ctx, s, call, restock); err != nil {
		return out, err
	}
	call.Fact("amount", s.MoneyFact(-p.difference))
	r := billOf(s, call)
	r.swaps(p.lines, p.swaps)
	r.sum(-p.difference, "Refund")
	r.about("/paymentMethodId", p.method.Label, "Refund to")
	p.order.changed(call, "A return of order %s of %s was received.")
	call.Changed("catalog", "Stock changed.")
	return receiveReturnOut{p.order.ID, refund{p.method.ID, p.method.Label, s.Money(-p.difference)}}, nil
}

func stockWords(restock bool) string {
	if restock {
		return "back into stock"
	}
	return "not back into stock"
}

// receive notes that what a request asks for came, settles the difference and saves the lines.
func (p *itemsPlan) receive(ctx context.Context, s *core.Shop, call *bus.Call, restock bool) error {
	for _, w := range p.swaps {
		if restock {
			if err := giveBack(ctx, call, w.pieces, p.order.OpenRequest, p.order.ID); err != nil {
				return err
			}
		}
		if err := receivePieces(ctx, p.requestID, w.pieces); err != nil {
			return err
		}
	}
	if err := settle(ctx, s, call, p.order.ID, p.method, p.difference); err != nil {
		if coded := (*bus.Error)(nil); errors.As(err, &coded) && coded.Code == bus.PreconditionFailed {
			return askAgain(coded)
		}
		return err
	}
	if err := p.lines.save(ctx); err != nil {
		return err
	}
	return core.Exec(ctx, `UPDATE order_requests SET status = 'received', received_at = ?, amount = ?, restocked = ?
		WHERE id = ?`, call.Now.UnixMilli(), p.difference, core.Bit(restock), p.requestID)
}

// askAgain is a refusal of an exchange that was asked for, with the way out.
func askAgain(why *bus.Error) *bus.Error {
	return why.WithHint("Undo the request for the exchange with audit.undo, and ask for it again with another " +
		"payment method.")
}

// receivePieces notes on the lines of a request how many pieces came.
func receivePieces(ctx context.Context, requestID string, b pieces) error {
	type line struct{ position, open int64 }
	lines, err := core.List(ctx, func(r core.Row) (l line, err error) { return l, r.Scan(&l.position, &l.open) },
		`SELECT position, quantity - received FROM order_request_lines WHERE request_id = ? AND variant_id = ?
			AND received < quantity ORDER BY position`, requestID, b.VariantID)
	for _, l := range lines {
		n := min(b.Quantity, l.open)
		if b.Quantity -= n; err == nil && n > 0 {
			err = core.Exec(ctx, `UPDATE order_request_lines SET received = received + ? WHERE request_id = ?
				AND position = ?`, n, requestID, l.position)
		}
	}
	return err
}
