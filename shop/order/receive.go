package order

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type receiveReturnIn struct {
	orderIn
	Lines   []pieces `json:"lines,omitempty" jsonschema:"minItems=1,maxItems=100"`
	Restock bool     `json:"restock"`
}

func (receiveReturnIn) TagFields() map[string]string {
	return map[string]string{
		"restock": `x:"said=put it back in stock:true|put it back on the shelf:true|back on the shelf:true|` +
			`back into stock:true|restock it:true|restock:true|it can be sold again:true|as good as new:true|unopened:true|` +
			`sealed:true|do not restock it:false|do not restock:false|it is broken:false|it is damaged:false|opened:false|` +
			`bin it:false|not for sale:false"`,
	}
}

type receiveReturnOut struct {
	OrderID string `json:"orderId"`
	Refund  refund `json:"refund" doc:"Recorded, not transferred."`
}

func orderReceiveReturn() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "order.receiveReturn", Texts: texts, Category: "order",
		SideEffect: bus.Destructive, Permissions: []string{"order:write"}, Access: core.AgentAsks, Resources: core.Writes,
		KeepResult:    true,
		Preconditions: orderState("order.receiveReturn"), Limit: limited(planReceiving), Facts: orderFactNames,
	}, receiveReturn)
}

// receiving is what receiving a return will do.
type receivingPlan struct {
	shop      *core.Shop
	order     Head
	requestID string
	method    customer.PaymentMethod
	lines     *orderLines
	back      returned
}

func planReceiving(ctx context.Context, call *bus.Call, in receiveReturnIn) (p receivingPlan, err error) {
	if p.shop, p.order, err = orderFor(ctx, "order.receiveReturn", in.OrderID); err != nil {
		return p, err
	}
	if p.requestID, p.method, err = openRequest(ctx, p.shop, p.order); err != nil {
		return p, err
	}
	asked, err := core.List(ctx, func(r core.Row) (a pieces, err error) { return a, r.Scan(&a.VariantID, &a.Quantity) },
		`SELECT variant_id, SUM(quantity) FROM order_request_lines WHERE request_id = ? GROUP BY variant_id
			ORDER BY MIN(position)`, p.requestID)
	if err != nil {
		return p, err
	}
	if in.Lines != nil {
		if asked, err = came(in.Lines, asked); err != nil {
			return p, err
		}
	}
	if p.lines, err = loadOrderLines(ctx, p.order.ID); err != nil {
		return p, err
	}
	if p.back, err = p.lines.comeBack(asked); err != nil {
		return p, err
	}
	return p, mayRefund(p.shop, p.back.value, call.Person)
}

// came is what came of what was asked for; it may be less and not more.
func came(lines, asked []pieces) ([]pieces, error) {
	left := map[string]int64{}
	for _, a := range asked {
		left[a.VariantID] = a.Quantity
	}
	var out []pieces
	for _, l := range lines {
		n := l.Quantity
		if n == 0 {
			n = left[l.VariantID]
		}
		if n == 0 || n > left[l.VariantID] {
			return nil, core.Refused("%d of %s were to come back.", left[l.VariantID], l.VariantID).
				WithHint("order.get shows what was asked for.")
		}
		left[l.VariantID] -= n
		out = append(out, pieces{l.VariantID, n})
	}
	return out, nil
}

func receiveReturn(ctx context.Context, call *bus.Call, in receiveReturnIn) (receiveReturnOut, error) {
	var out receiveReturnOut
	p, err := planReceiving(ctx, call, in)
	if err != nil {
		return out, err
	}
	o, value := p.order, p.back.value
	for _, i := range p.back.lines {
		p.lines.lines[i].returnedBy = p.requestID
	}
	for _, b := range p.back.pieces {
		if in.Restock {
			if err := giveBack(ctx, call, b.VariantID, b.Quantity, "return", o.ID); err != nil {
				return out, err
			}
		}
		if err := receivePieces(ctx, p.requestID, b); err != nil {
			return out, err
		}
	}
	if err := settle(ctx, p.shop, call, o.ID, p.method, -value); err != nil {
		return out, err
	}
	if err := p.lines.save(ctx); err != nil {
		return out, err
	}
	if err := closeRequest(ctx, call, p.requestID, -value, in.Restock); err != nil {
		return out, err
	}
	if err := touch(ctx, call, o.ID); err != nil {
		return out, err
	}
	out = receiveReturnOut{o.ID, refund{p.method.ID, p.method.Label, p.shop.Money(value)}}
	orderFacts(p.shop, call, o, value)
	stock := "back into stock"
	if !in.Restock {
		stock = "not back into stock"
	}
	call.Summarize("Receive %s of order %s of %s and refund %s to %s, %s", p.back.words, o.ID, o.Customer.Name,
		out.Refund.Amount.Text, p.method.Label, stock)
	call.Changed("order", fmt.Sprintf("A return of order %s of %s was received.", o.ID, o.Customer.Name), o.ID,
		o.Customer.ID)
	call.Changed("catalog", "Stock changed.")
	return out, tell(ctx, call, o.ID, "Return received: "+p.back.words)
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
