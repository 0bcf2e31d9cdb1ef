package order

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type changeItemsIn struct {
	orderIn
	Changes []itemChange `json:"changes,omitempty" jsonschema:"minItems=1,maxItems=100" doc:"Once for an order."`
	settledBy
	Add []addition `json:"add,omitempty" jsonschema:"minItems=1,maxItems=100" doc:"At today's prices."`
	Set []setting  `json:"set,omitempty" jsonschema:"minItems=1,maxItems=100"`
}

// addition is a product to add to an order.
type addition struct {
	ProductID string `json:"productId,omitempty" jsonschema:"maxLength=100" x:"entity=product"`
	VariantID string `json:"variantId,omitempty" jsonschema:"maxLength=100"`
	Quantity  int64  `json:"quantity" jsonschema:"minimum=1,maximum=9999"`
}

// setting is the new quantity of a line.
type setting struct {
	lineRef
	Quantity int64 `json:"quantity" jsonschema:"minimum=0,maximum=9999" doc:"0 takes the line out."`
}

// settledBy names the payment method for the difference of a change, charge or refund.
type settledBy struct {
	PaymentMethodID string `json:"paymentMethodId,omitempty" jsonschema:"maxLength=100"`
}

// methodOf reads the named payment method. It returns the zero method when no method is named.
func (in settledBy) methodOf(ctx context.Context, s *core.Shop, o Head) (m customer.PaymentMethod, err error) {
	if in.PaymentMethodID != "" {
		m, err = customer.MethodOf(ctx, s, o.Customer, in.PaymentMethodID)
	}
	return m, err
}

type differenceOut struct {
	OrderID    string         `json:"orderId"`
	Difference core.Money     `json:"difference" doc:"Positive is charged, negative refunded; recorded, not transferred."`
	Total      core.Money     `json:"total" doc:"What the order comes to with the change."`
	Refunds    []methodAmount `json:"refunds" doc:"Of the difference, in their order."`
}

type changeItemsOut struct {
	differenceOut
	receiptOut
	Unchanged []string    `json:"unchanged,omitempty" doc:"Left out, as these lines are what was asked for."`
	Added     []addedLine `json:"added,omitempty"`
}

type addedLine struct {
	LineID    string `json:"lineId"`
	VariantID string `json:"variantId"`
}

// itemsPlan holds the calculated effects of a change of an order's items.
type itemsPlan struct {
	order      Head
	before     int64                  // the value of the items before
	requestID  string                 // of the return or exchange that is received
	method     customer.PaymentMethod // the named method; its ID is "" if none was named
	lines      *orderLines            // with the change
	swaps      []swap
	moves      []lineMove // lines to add or set
	words      []string   // for lines to add or set
	unchanged  []string   // names of lines that already match the request
	difference int64      // positive is charged, negative refunded
	refunds    []methodAmount
}

func planItems(ctx context.Context, s *core.Shop, call *bus.Call, o Head, in changeItemsIn) (itemsPlan, error) {
	switch {
	case in.Changes == nil && in.Add == nil && in.Set == nil:
		return itemsPlan{}, core.Invalid("/changes", "Name changes, lines to add or lines to set.")
	case in.Changes != nil && o.ItemsChanged:
		return itemsPlan{}, core.Refused("Order %s has had its items changed; that can be done once.", o.ID).
			WithHint("add and set still change how many there are, or order.cancel cancels it.")
	}
	p, err := planSwaps(ctx, s, o, in.settledBy, in.Changes, false)
	if err != nil {
		return p, err
	}
	if err := p.addMore(ctx, s, in.Add); err != nil {
		return p, err
	}
	if err := p.setQuantities(in.Set); err != nil {
		return p, err
	}
	switch {
	case len(p.swaps) == 0 && len(p.moves) == 0:
		return p, core.Refused("%s is what is in the order already.", strings.Join(p.unchanged, ", ")).
			WithHint("order.get shows the lines.")
	case len(p.moves) > 0:
		p.lines.reprice()
		p.difference = p.lines.worth() - p.before
	}
	if err := p.planSettlement(ctx, s); err != nil {
		return p, err
	}
	return p, p.mayRefund(ctx, s, call)
}

// planSwaps plans a change of items to other variants, or an exchange.
func planSwaps(ctx context.Context, s *core.Shop, o Head, by settledBy, changes []itemChange,
	exchange bool) (p itemsPlan, err error) {
	p.order = o
	if p.method, err = by.methodOf(ctx, s, o); err != nil {
		return p, err
	}
	if p.lines, err = loadOrderLines(ctx, o.ID); err != nil {
		return p, err
	}
	p.before = p.lines.worth()
	if err = p.setSwaps(ctx, s, changes, exchange); err != nil {
		return p, err
	}
	p.difference = p.lines.swapped(p.swaps)
	return p, nil
}

// lineMove is a change of the quantity of a line.
type lineMove struct {
	line      int // index in the order's lines
	variantID string
	was, is   int64
}

// addMore adds new lines to the plan.
func (p *itemsPlan) addMore(ctx context.Context, s *core.Shop, add []addition) error {
	for _, a := range add {
		v, _, err := catalog.ChooseVariant(ctx, s, a.ProductID, a.VariantID)
		if err != nil {
			return err
		}
		line := p.lines.add(keptLine{id: v.ID, productID: v.ProductID, variantID: v.ID, sku: v.SKU, name: v.ProductName,
			label: v.Label, quantity: a.Quantity, price: v.Price.Amount, total: v.Price.Amount * a.Quantity, ratePPM: v.RatePPM,
			tax: -1})
		p.moves = append(p.moves, lineMove{line, v.ID, 0, a.Quantity})
		p.words = append(p.words, fmt.Sprintf("%d × %s more", a.Quantity, v.FullName()))
	}
	return nil
}

// setQuantities changes quantities of lines. At least one item must remain; an order without items is cancelled
// instead.
func (p *itemsPlan) setQuantities(set []setting) error {
	for _, a := range set {
		l, err := p.lines.one(a.lineRef)
		if err != nil {
			return err
		}
		if a.Quantity == l.quantity {
			p.unchanged = append(p.unchanged, l.fullName())
		} else {
			l.tax = -1
			p.words = append(p.words, fmt.Sprintf("%s from %d to %d", l.fullName(), l.quantity, a.Quantity))
			line := slices.IndexFunc(p.lines.lines, func(o keptLine) bool { return o.line == l.line })
			p.moves = append(p.moves, lineMove{line, l.variantID, l.quantity, a.Quantity})
		}
		l.taken, l.gone = true, a.Quantity == 0
		l.quantity = a.Quantity
		l.total = l.price * l.quantity
	}
	if !slices.ContainsFunc(p.lines.lines, func(l keptLine) bool { return !l.gone }) {
		return core.Refused("Nothing would be left in order %s.", p.order.ID).WithHint("order.cancel cancels it.")
	}
	return nil
}

// takeMoves applies the plan's quantity changes to the stock. It returns pieces before it takes others.
func (p *itemsPlan) takeMoves(ctx context.Context, s *core.Shop, call *bus.Call) error {
	for _, m := range p.moves {
		b := pieces{lineRef{VariantID: m.variantID}, m.was - m.is}
		if err := giveBack(ctx, call, b, "exchange", p.order.ID); err != nil {
			return err
		}
	}
	for _, m := range p.moves {
		if m.is > m.was && m.variantID != "" {
			if err := takeStock(ctx, s, call, p.order.ID, m.variantID, m.is-m.was); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *itemsPlan) out(s *core.Shop) differenceOut {
	return differenceOut{p.order.ID, s.Money(p.difference), s.Money(p.order.Total.Amount + p.difference), p.refunds}
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
	if err := p.takeMoves(ctx, s, call); err != nil {
		return out, err
	}
	if err := p.recordSettlement(ctx, s, call); err != nil {
		return out, err
	}
	for _, m := range p.moves {
		if m.was == 0 {
			out.Added = append(out.Added, addedLine{p.lines.lines[m.line].id, m.variantID})
		}
	}
	billOf(s, call).difference(&p)
	if err := p.lines.save(ctx); err != nil {
		return out, err
	}
	if len(p.swaps) > 0 {
		if err := itemsChanged(ctx, call, o.ID); err != nil {
			return out, err
		}
	}
	call.Fact("amount", s.MoneyFact(magnitude(p.difference)))
	words := p.words
	if len(p.swaps) > 0 {
		words = append([]string{swapWords(p.swaps)}, words...)
	}
	what, money := strings.Join(words, ", "), p.differenceWords(s)
	call.Summarize("Change %s in order %s of %s: %s", what, o.ID, o.Buyer(), money)
	if same := strings.Join(p.unchanged, ", "); same != "" {
		call.Summarize("Change %s in order %s of %s: %s; unchanged: %s", what, o.ID, o.Buyer(), money, same)
	}
	o.changed(call, "The items of order %s of %s were changed.")
	call.Announce("catalog", bus.Textf("Stock changed."))
	out.differenceOut, out.Unchanged = p.out(s), p.unchanged
	return out, recordChange(ctx, call, o.ID, "Items changed: "+what)
}

// itemsChanged records that the items of an order differ from the items at checkout.
func itemsChanged(ctx context.Context, call *bus.Call, orderID string) error {
	return core.Exec(ctx, `UPDATE orders SET items_changed_at = ? WHERE id = ?`, call.Now.UnixMilli(), orderID)
}
