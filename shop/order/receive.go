package order

import (
	"cmp"
	"context"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type receiveReturnIn struct {
	orderIn
	Lines   []pieces `json:"lines,omitempty" jsonschema:"minItems=1,maxItems=100"`
	Restock bool     `json:"restock"`
}

type receiveReturnOut struct {
	OrderID string         `json:"orderId"`
	Refund  methodAmount   `json:"refund" doc:"Of all, to the first of them; recorded, not transferred."`
	Refunds []methodAmount `json:"refunds" doc:"How it is split."`
	receiptOut
}

// planReceiving starts the plan for receiving the open request of an order.
func planReceiving(ctx context.Context, s *core.Shop, o Head) (p itemsPlan, err error) {
	p.order = o
	var methodID string
	if _, _, err = core.Find(ctx, func(r core.Row) (struct{}, error) {
		return struct{}{}, r.Scan(&p.requestID, &methodID)
	}, `SELECT id, method_id FROM order_requests WHERE order_id = ? AND status = 'requested'`, o.ID); err != nil {
		return p, err
	}
	if p.method, err = (settledBy{methodID}).methodOf(ctx, s, o); err != nil {
		return p, err
	}
	p.lines, err = loadOrderLines(ctx, o.ID)
	return p, err
}

// planReturn plans the receipt of a requested return.
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
		if asked, err = matchReceived(in.Lines, asked); err != nil {
			return p, err
		}
	}
	return p, p.planReturnedPieces(ctx, s, call, asked)
}

// askedBack returns the pieces of the open request of an order.
func askedBack(ctx context.Context, orderID string) ([]pieces, error) {
	return core.List(ctx, func(r core.Row) (a pieces, err error) {
		return a, r.Scan(&a.LineID, &a.VariantID, &a.Quantity)
	}, `SELECT l.line_id, l.variant_id, SUM(l.quantity) FROM order_requests q JOIN order_request_lines l
		ON l.request_id = q.id WHERE q.order_id = ? AND q.status = 'requested' GROUP BY l.line_id, l.variant_id
		ORDER BY MIN(l.position)`, orderID)
}

// planReturnedPieces plans the return of pieces and their refund, which must be within the person's limit.
func (p *itemsPlan) planReturnedPieces(ctx context.Context, s *core.Shop, call *bus.Call, asked []pieces) (err error) {
	var value int64
	if p.swaps, value, err = p.lines.returnValue(asked); err != nil {
		return err
	}
	p.difference = -value
	if err := p.mayRefund(ctx, s, call); err != nil {
		return err
	}
	return p.planSettlement(ctx, s)
}

// matchReceived matches received pieces with the requested ones. It refuses more pieces than were requested; fewer are
// fine.
func matchReceived(lines, asked []pieces) (out []pieces, err error) {
	left := slices.Clone(asked)
	for _, l := range lines {
		var at []int
		for i, a := range left {
			if (l.LineID == "" || a.LineID == "" || l.LineID == a.LineID) && (l.VariantID == "" || l.VariantID == a.VariantID) {
				at = append(at, i)
			}
		}
		if len(at) > 1 {
			return nil, core.Refused("%d lines of %s were to come back.", len(at), l.VariantID).
				WithHint("Name the line; order.get shows the request.")
		}
		var open int64
		if len(at) == 1 {
			open = left[at[0]].Quantity
		}
		n := cmp.Or(l.Quantity, open)
		if n == 0 || n > open {
			return nil, core.Refused("%d of %s were to come back.", open, cmp.Or(l.LineID, l.VariantID)).
				WithHint("order.get shows what was asked for.")
		}
		left[at[0]].Quantity -= n
		ref := asked[at[0]].lineRef
		ref.LineID = cmp.Or(ref.LineID, l.LineID)
		out = append(out, pieces{ref, n})
	}
	return out, nil
}

func receiveReturn(ctx context.Context, s *core.Shop, call *bus.Call, o Head, in receiveReturnIn) (out receiveReturnOut,
	err error) {
	p, err := planReturn(ctx, s, call, o, in)
	if err != nil {
		return out, err
	}
	if out, err = p.receiveReturnedPieces(ctx, s, call, in.Restock); err != nil {
		return out, err
	}
	what := swapWords(p.swaps)
	call.Summarize("Receive %s of order %s of %s and refund %s, %s", what, o.ID, o.Buyer(), refundWords(p.paidBack(s)),
		stockWords(in.Restock))
	return out, recordChange(ctx, call, o.ID, "Return received: "+what)
}

// receiveReturnedPieces receives the returned pieces and records their refund.
func (p *itemsPlan) receiveReturnedPieces(ctx context.Context, s *core.Shop, call *bus.Call, restock bool) (
	out receiveReturnOut, err error) {
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
	r.refunds(p.paidBack(s))
	p.order.changed(call, "A return of order %s of %s was received.")
	call.Announce("catalog", bus.Textf("Stock changed."))
	all := p.paidBack(s)[0]
	var sum int64
	for _, f := range p.refunds {
		sum += f.Amount.Amount
	}
	all.Amount = s.Money(sum)
	return receiveReturnOut{OrderID: p.order.ID, Refund: all, Refunds: p.refunds}, nil
}

// paidBack returns the plan's refunds, or one refund of 0 when there are none.
func (p *itemsPlan) paidBack(s *core.Shop) []methodAmount {
	if len(p.refunds) == 0 {
		return []methodAmount{{PaymentMethodID: p.method.ID, Label: p.method.Label, Amount: s.Money(0)}}
	}
	return p.refunds
}

func stockWords(restock bool) bus.Text {
	if restock {
		return bus.Textf("back into stock")
	}
	return bus.Textf("not back into stock")
}

// receive marks the request as received, settles the difference and saves the lines.
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
	if err := p.recordSettlement(ctx, s, call); err != nil {
		return err
	}
	if err := p.lines.save(ctx); err != nil {
		return err
	}
	return core.Exec(ctx, `UPDATE order_requests SET status = 'received', received_at = ?, amount = ?, restocked = ?
		WHERE id = ?`, call.Now.UnixMilli(), p.difference, core.Bit(restock), p.requestID)
}

// receivePieces adds received pieces to the lines of a request.
func receivePieces(ctx context.Context, requestID string, b pieces) error {
	type line struct{ position, open int64 }
	lines, err := core.List(ctx, func(r core.Row) (l line, err error) { return l, r.Scan(&l.position, &l.open) },
		`SELECT position, quantity - received FROM order_request_lines WHERE request_id = ? AND variant_id = ?
			AND line_id IN ('', ?) AND received < quantity ORDER BY position`, requestID, b.VariantID, b.LineID)
	for _, l := range lines {
		n := min(b.Quantity, l.open)
		if b.Quantity -= n; err == nil && n > 0 {
			err = core.Exec(ctx, `UPDATE order_request_lines SET received = received + ? WHERE request_id = ?
				AND position = ?`, n, requestID, l.position)
		}
	}
	return err
}
