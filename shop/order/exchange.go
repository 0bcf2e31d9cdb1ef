package order

import (
	"context"
	"errors"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type exchangeOut struct {
	differenceOut
	RequestID string `json:"requestId"`
}

func orderExchange() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "order.exchange", Texts: texts, Category: "order",
		SideEffect: bus.UIOnly, Permissions: []string{"order:write"}, Access: core.AgentAsks, Resources: core.Writes,
		Reversible:    true,
		Preconditions: orderState("order.exchange"), Facts: orderFactNames,
	}, requestExchange)
}

func requestExchange(ctx context.Context, call *bus.Call, in changeItemsIn) (exchangeOut, error) {
	var out exchangeOut
	p, err := planSwaps(ctx, "order.exchange", in)
	if err != nil {
		return out, err
	}
	o := p.order
	if err := takeNew(ctx, p.shop, call, o.ID, p.swaps); err != nil {
		return out, err
	}
	out.differenceOut = p.out()
	if out.RequestID, err = insertRequest(ctx, call, o.ID, kindExchange, p.method, p.difference); err != nil {
		return out, err
	}
	for i, w := range p.swaps {
		if err := core.Exec(ctx, `INSERT INTO order_request_lines (request_id, position, variant_id, quantity, new_variant_id,
			new_price, new_rate_ppm) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			out.RequestID, i+1, w.from, w.quantity, w.to.ID, w.price, w.rate); err != nil {
			return out, err
		}
	}
	orderFacts(p.shop, call, o, magnitude(p.difference))
	what, money := swapWords(p.swaps), differenceWords(p.shop, p.method, p.difference)
	call.Summarize("Ask for the exchange of %s in order %s of %s: %s when it is received", what, o.ID, o.Customer.Name,
		money)
	call.Changed("order", fmt.Sprintf("Items of order %s of %s are exchanged.", o.ID, o.Customer.Name), o.ID,
		o.Customer.ID)
	call.Changed("catalog", "Stock changed.")
	if err := touch(ctx, call, o.ID); err != nil {
		return out, err
	}
	return out, tell(ctx, call, o.ID, "Exchange asked for: "+what)
}

type receiveExchangeIn struct {
	orderIn
	Restock bool `json:"restock"`
}

func (receiveExchangeIn) TagFields() map[string]string {
	return map[string]string{
		"restock": `x:"said=put it back in stock:true|put it back on the shelf:true|back on the shelf:true|` +
			`back into stock:true|restock it:true|restock:true|it can be sold again:true|as good as new:true|unopened:true|` +
			`sealed:true|do not restock it:false|do not restock:false|it is broken:false|it is damaged:false|opened:false|` +
			`bin it:false|not for sale:false"`,
	}
}

func orderReceiveExchange() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "order.receiveExchange", Texts: texts, Category: "order",
		SideEffect: bus.Destructive, Permissions: []string{"order:write"}, Access: core.AgentAsks, Resources: core.Writes,
		KeepResult:    true,
		Preconditions: orderState("order.receiveExchange"), Limit: limited(planReceivedExchange), Facts: orderFactNames,
	}, receiveExchange)
}

// receivedExchange is an exchange as it was agreed on, worked out again.
type receivedExchange struct {
	itemsPlan
	requestID string
}

func planReceivedExchange(ctx context.Context, call *bus.Call, in receiveExchangeIn) (p receivedExchange, err error) {
	if p.shop, p.order, err = orderFor(ctx, "order.receiveExchange", in.OrderID); err != nil {
		return p, err
	}
	if p.requestID, p.method, err = openRequest(ctx, p.shop, p.order); err != nil {
		return p, err
	}
	if p.lines, err = loadOrderLines(ctx, p.order.ID); err != nil {
		return p, err
	}
	if p.swaps, err = core.List(ctx, func(r core.Row) (w swap, err error) {
		w.to = &catalog.Variant{}
		return w, r.Scan(&w.from, &w.quantity, &w.to.ID, &w.price, &w.rate)
	}, `SELECT variant_id, quantity, new_variant_id, new_price, new_rate_ppm FROM order_request_lines WHERE request_id = ?
		ORDER BY position`, p.requestID); err != nil {
		return p, err
	}
	for i := range p.swaps {
		w := &p.swaps[i]
		from, _, err := p.lines.asked(w.from, w.quantity)
		if err != nil {
			return p, err
		}
		if w.to, err = catalog.VariantByID(ctx, p.shop, w.to.ID); err != nil {
			return p, err
		}
		w.words = fmt.Sprintf("%d × %s for %s", w.quantity, from.fullName(), w.to.Label)
		w.lines = p.lines.take(w.from, w.quantity)
	}
	p.difference = p.lines.swapped(p.swaps)
	return p, mayRefund(p.shop, -p.difference, call.Person)
}

func receiveExchange(ctx context.Context, call *bus.Call, in receiveExchangeIn) (differenceOut, error) {
	p, err := planReceivedExchange(ctx, call, in)
	if err != nil {
		return differenceOut{}, err
	}
	o := p.order
	for _, w := range p.swaps {
		if in.Restock {
			if err := giveBack(ctx, call, w.from, w.quantity, "exchange", o.ID); err != nil {
				return differenceOut{}, err
			}
		}
		if err := receivePieces(ctx, p.requestID, pieces{w.from, w.quantity}); err != nil {
			return differenceOut{}, err
		}
	}
	if err := settle(ctx, p.shop, call, o.ID, p.method, p.difference); err != nil {
		return differenceOut{}, p.stuck(err)
	}
	if err := p.lines.save(ctx); err != nil {
		return differenceOut{}, err
	}
	if err := closeRequest(ctx, call, p.requestID, p.difference, in.Restock); err != nil {
		return differenceOut{}, err
	}
	if err := itemsChanged(ctx, call, o.ID); err != nil {
		return differenceOut{}, err
	}
	orderFacts(p.shop, call, o, magnitude(p.difference))
	what := swapWords(p.swaps)
	call.Summarize("Receive %s in order %s of %s: %s", what, o.ID, o.Customer.Name, differenceWords(p.shop, p.method,
		p.difference))
	call.Changed("order", fmt.Sprintf("An exchange of order %s of %s was received.", o.ID, o.Customer.Name), o.ID,
		o.Customer.ID)
	call.Changed("catalog", "Stock changed.")
	return p.out(), tell(ctx, call, o.ID, "Exchange received: "+what)
}

// stuck names the way out when a gift card no longer covers what was agreed on.
func (p *receivedExchange) stuck(err error) error {
	if coded := (*bus.Error)(nil); errors.As(err, &coded) && coded.Code == bus.PreconditionFailed {
		return coded.WithHint("Undo the request for the exchange with audit.undo, and ask for it again with another " +
			"payment method.")
	}
	return err
}
