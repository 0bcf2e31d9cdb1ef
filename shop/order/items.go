package order

import (
	"context"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type changeItemsIn struct {
	orderIn
	Changes         []itemChange `json:"changes" jsonschema:"minItems=1,maxItems=100"`
	PaymentMethodID string       `json:"paymentMethodId" jsonschema:"minLength=1,maxLength=100"`
}

type differenceOut struct {
	OrderID    string     `json:"orderId"`
	Difference core.Money `json:"difference" doc:"Positive is charged, negative refunded; recorded, not transferred."`
	Total      core.Money `json:"total" doc:"What the order comes to with the change."`
}

type changeItemsOut struct {
	differenceOut
	Unchanged []string `json:"unchanged,omitempty" doc:"Left out, as these lines are what was asked for."`
}

// itemsPlan is a change of the items of an order, worked out.
type itemsPlan struct {
	order      Head
	requestID  string // of the return or exchange that is received
	method     customer.PaymentMethod
	lines      *orderLines // with the change
	swaps      []swap
	unchanged  []string // names of lines that are so already
	difference int64    // positive is charged, negative refunded
}

func planItems(ctx context.Context, s *core.Shop, call *bus.Call, o Head, in changeItemsIn) (itemsPlan, error) {
	p, err := planSwaps(ctx, s, o, in, false)
	if err != nil {
		return p, err
	}
	return p, mayRefund(s, -p.difference, call.Person)
}

// planSwaps works out a change of items, or an exchange.
func planSwaps(ctx context.Context, s *core.Shop, o Head, in changeItemsIn, exchange bool) (p itemsPlan, err error) {
	p.order = o
	if p.method, err = customer.MethodOf(ctx, s, o.Customer, in.PaymentMethodID); err != nil {
		return p, err
	}
	if p.lines, err = loadOrderLines(ctx, o.ID); err != nil {
		return p, err
	}
	if err = p.setSwaps(ctx, s, in.Changes, exchange); err != nil {
		return p, err
	}
	p.difference = p.lines.swapped(p.swaps)
	return p, covers(s, p.method, p.difference)
}

func (p *itemsPlan) out(s *core.Shop) differenceOut {
	return differenceOut{p.order.ID, s.Money(p.difference), s.Money(p.order.Total.Amount + p.difference)}
}

func changeItems(ctx context.Context, s *core.Shop, call *bus.Call, o Head, in changeItemsIn) (out changeItemsOut,
	err error) {
	p, err := planItems(ctx, s, call, o, in)
	if err != nil {
		return out, err
	}
	for _, w := range p.swaps {
		if err := giveBack(ctx, call, w.pieces, "exchange", o.ID); err != nil {
			return out, err
		}
	}
	if err := takeNew(ctx, s, call, o.ID, p.swaps); err != nil {
		return out, err
	}
	if err := settle(ctx, s, call, o.ID, p.method, p.difference); err != nil {
		return out, err
	}
	if err := p.lines.save(ctx); err != nil {
		return out, err
	}
	if err := itemsChanged(ctx, call, o.ID); err != nil {
		return out, err
	}
	call.Fact("amount", s.MoneyFact(magnitude(p.difference)))
	what, money := swapWords(p.swaps), differenceWords(s, p.method, p.difference)
	call.Summarize("Change %s in order %s of %s: %s", what, o.ID, o.Buyer(), money)
	if same := strings.Join(p.unchanged, ", "); same != "" {
		call.Summarize("Change %s in order %s of %s: %s; unchanged: %s", what, o.ID, o.Buyer(), money, same)
	}
	billOf(s, call).difference(&p)
	o.changed(call, "The items of order %s of %s were changed.")
	call.Changed("catalog", "Stock changed.")
	return changeItemsOut{p.out(s), p.unchanged}, tell(ctx, call, o.ID, "Items changed: "+what)
}

// itemsChanged notes that an order no longer has what it was placed with.
func itemsChanged(ctx context.Context, call *bus.Call, orderID string) error {
	return core.Exec(ctx, `UPDATE orders SET items_changed_at = ? WHERE id = ?`, call.Now.UnixMilli(), orderID)
}
