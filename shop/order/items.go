package order

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type changeItemsIn struct {
	orderIn
	Changes         []itemChange `json:"changes" jsonschema:"minItems=1,maxItems=100"`
	PaymentMethodID string       `json:"paymentMethodId" jsonschema:"minLength=1,maxLength=100"`
}

func (changeItemsIn) TagFields() map[string]string {
	return map[string]string{"paymentMethodId": `x:"lookup=order.get#/savedPaymentMethods"`}
}

type differenceOut struct {
	OrderID    string     `json:"orderId"`
	Difference core.Money `json:"difference" doc:"Positive is charged, negative refunded; recorded, not transferred."`
	Total      core.Money `json:"total" doc:"What the order comes to with the change."`
}

func orderChangeItems() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "order.changeItems", Texts: texts, Category: "order",
		SideEffect: bus.Destructive, Permissions: []string{"order:write"}, Access: core.AgentAsks, Resources: core.Writes,
		KeepResult:    true,
		Preconditions: orderState("order.changeItems"), Limit: limited(planItems), Facts: orderFactNames,
		Grantable: []string{"amount", "customerId"},
	}, changeItems)
}

// itemsPlan is the planned change of the items of an order.
type itemsPlan struct {
	shop       *core.Shop
	order      Head
	method     customer.PaymentMethod
	lines      *orderLines // with the change
	swaps      []swap
	difference int64
}

func planItems(ctx context.Context, call *bus.Call, in changeItemsIn) (itemsPlan, error) {
	p, err := planSwaps(ctx, "order.changeItems", in)
	if err != nil {
		return p, err
	}
	return p, mayRefund(p.shop, -p.difference, call.Person)
}

// planSwaps works out a change of items, or an exchange.
func planSwaps(ctx context.Context, capability string, in changeItemsIn) (p itemsPlan, err error) {
	if p.shop, p.order, err = orderFor(ctx, capability, in.OrderID); err != nil {
		return p, err
	}
	if p.method, err = customer.MethodOf(ctx, p.shop, p.order.Customer, in.PaymentMethodID); err != nil {
		return p, err
	}
	if p.lines, err = loadOrderLines(ctx, p.order.ID); err != nil {
		return p, err
	}
	if p.swaps, err = swaps(ctx, p.shop, p.lines, in.Changes); err != nil {
		return p, err
	}
	p.difference = p.lines.swapped(p.swaps)
	return p, covers(p.shop, p.method, p.difference)
}

func (p *itemsPlan) out() differenceOut {
	return differenceOut{p.order.ID, p.shop.Money(p.difference), p.shop.Money(p.order.Total.Amount + p.difference)}
}

func changeItems(ctx context.Context, call *bus.Call, in changeItemsIn) (differenceOut, error) {
	p, err := planItems(ctx, call, in)
	if err != nil {
		return differenceOut{}, err
	}
	o := p.order
	for _, w := range p.swaps {
		if err := giveBack(ctx, call, w.from, w.quantity, "exchange", o.ID); err != nil {
			return differenceOut{}, err
		}
	}
	if err := takeNew(ctx, p.shop, call, o.ID, p.swaps); err != nil {
		return differenceOut{}, err
	}
	if err := settle(ctx, p.shop, call, o.ID, p.method, p.difference); err != nil {
		return differenceOut{}, err
	}
	if err := p.lines.save(ctx); err != nil {
		return differenceOut{}, err
	}
	if err := itemsChanged(ctx, call, o.ID); err != nil {
		return differenceOut{}, err
	}
	orderFacts(p.shop, call, o, magnitude(p.difference))
	what := swapWords(p.swaps)
	call.Summarize("Change %s in order %s of %s: %s", what, o.ID, o.Customer.Name, differenceWords(p.shop, p.method,
		p.difference))
	call.Changed("order", fmt.Sprintf("The items of order %s of %s were changed.", o.ID, o.Customer.Name), o.ID,
		o.Customer.ID)
	call.Changed("catalog", "Stock changed.")
	return p.out(), tell(ctx, call, o.ID, "Items changed: "+what)
}

// itemsChanged notes that an order no longer has what it was placed with.
func itemsChanged(ctx context.Context, call *bus.Call, orderID string) error {
	return core.Exec(ctx, `UPDATE orders SET items_changed_at = ?, revision = ?
		WHERE id = ?`, call.Now.UnixMilli(), call.NewID("rev"), orderID)
}
