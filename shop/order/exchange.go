package order

import (
	"context"
	"errors"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type exchangeIn struct {
	orderIn
	Changes []itemChange `json:"changes" jsonschema:"minItems=1,maxItems=100"`
	settledBy
	reasonIn
}

type exchangeOut struct {
	differenceOut
	RequestID string `json:"requestId"`
}

func requestExchange(ctx context.Context, s *core.Shop, call *bus.Call, o Head, in exchangeIn) (out exchangeOut,
	err error) {
	p, err := planSwaps(ctx, s, o, in.settledBy, in.Changes, true)
	if err != nil {
		return out, err
	}
	if err := p.planSettlement(ctx, s); err != nil {
		return out, err
	}
	if err := takeNew(ctx, s, call, o.ID, p.swaps); err != nil {
		return out, err
	}
	out.differenceOut = p.out(s)
	if out.RequestID, err = insertRequest(ctx, call, o.ID, kindExchange, in.Reason, p.method, p.difference,
		p.swaps); err != nil {
		return out, err
	}
	call.Fact("amount", s.MoneyFact(magnitude(p.difference)))
	what, money := swapWords(p.swaps), p.differenceWords(s)
	call.Summarize("Ask for the exchange of %s in order %s of %s: %s when it is received", what, o.ID,
		in.after(o.Buyer()), money)
	billOf(s, call).difference(&p)
	o.changed(call, "Items of order %s of %s are exchanged.")
	call.Announce("catalog", bus.Textf("Stock changed."))
	return out, recordChange(ctx, call, o.ID, "Exchange asked for: "+in.after(what).String())
}

type receiveExchangeIn struct {
	orderIn
	Restock bool `json:"restock"`
}

type receiveExchangeOut struct {
	differenceOut
	receiptOut
}

// planExchange calculates the agreed exchange and refuses a refund over the person's limit.
func planExchange(ctx context.Context, s *core.Shop, call *bus.Call, o Head, _ receiveExchangeIn) (itemsPlan, error) {
	p, err := agreedExchange(ctx, s, o)
	if err != nil {
		return p, err
	}
	return p, p.mayRefund(ctx, s, call)
}

// agreedExchange calculates the exchange again that was agreed when it was requested.
func agreedExchange(ctx context.Context, s *core.Shop, o Head) (itemsPlan, error) {
	p, err := planReceiving(ctx, s, o)
	if err != nil {
		return p, err
	}
	if p.swaps, err = core.List(ctx, func(r core.Row) (w swap, err error) {
		w.to = &catalog.Variant{}
		return w, r.Scan(&w.LineID, &w.VariantID, &w.Quantity, &w.to.ID, &w.price, &w.rate)
	}, `SELECT line_id, variant_id, quantity, new_variant_id, new_price, new_rate_ppm FROM order_request_lines
		WHERE request_id = ?
		ORDER BY position`, p.requestID); err != nil {
		return p, err
	}
	for i := range p.swaps {
		w := &p.swaps[i]
		from, err := p.lines.some(w.pieces)
		if err != nil {
			return p, err
		}
		if w.to, err = catalog.VariantByID(ctx, s, w.to.ID); err != nil {
			return p, err
		}
		w.words, w.from = swapText(from, w.Quantity, "for", w.to), from.fullName()
		w.lines = p.lines.take(w.lineRef, w.Quantity)
	}
	p.difference = p.lines.swapped(p.swaps)
	err = p.planSettlement(ctx, s)
	if why, coded := errors.AsType[*bus.Error](err); coded && why.Code == bus.PreconditionFailed {
		return p, why.WithHint("Undo the request for the exchange with audit.undo, and ask for it again with another " +
			"payment method.")
	}
	return p, err
}

func receiveExchange(ctx context.Context, s *core.Shop, call *bus.Call, o Head,
	in receiveExchangeIn) (out receiveExchangeOut, err error) {
	p, err := planExchange(ctx, s, call, o, in)
	if err != nil {
		return out, err
	}
	if err := p.receive(ctx, s, call, in.Restock); err != nil {
		return out, err
	}
	if err := itemsChanged(ctx, call, o.ID); err != nil {
		return out, err
	}
	call.Fact("amount", s.MoneyFact(magnitude(p.difference)))
	what := swapWords(p.swaps)
	call.Summarize("Receive %s in order %s of %s: %s", what, o.ID, o.Buyer(), p.differenceWords(s))
	billOf(s, call).difference(&p)
	o.changed(call, "An exchange of order %s of %s was received.")
	call.Announce("catalog", bus.Textf("Stock changed."))
	return receiveExchangeOut{differenceOut: p.out(s)}, recordChange(ctx, call, o.ID, "Exchange received: "+what)
}
