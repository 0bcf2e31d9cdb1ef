package order

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// The states of an order, in the order they come.
const (
	StatusPending   = "pending"
	StatusProcessed = "processed"
	StatusDelivered = "delivered"
	StatusCancelled = "cancelled"
)

// Requests that a delivered order may have, one at a time.
const (
	kindReturn   = "return"
	kindExchange = "exchange"
)

// orderRule is in what state an order must be for something to be done with it.
type orderRule struct {
	capability string
	status     string // "" any
	request    string // kind of request that must be open; noRequest: none may be; "" either
	verb       string // "cancelled": only a pending order can be …
	sent       bool   // it must go to an address

	// needs refuses an order that lacks something else; nil: nothing.
	needs func(ctx context.Context, s *core.Shop, o Head) error
	// refunds is the least that is given back; nil: nothing, or as the arguments say.
	refunds func(ctx context.Context, s *core.Shop, o Head) (least int64, err error)
	// to are the methods one of which must be named to give it back; nil and none: none.
	to func(ctx context.Context, s *core.Shop, o Head) ([]customer.PaymentMethod, error)
}

// StatusInWords returns a status as it is read within a sentence.
func StatusInWords(status string) bus.Text {
	if status == StatusProcessed {
		return bus.Textf("packed")
	}
	return bus.Phrase(status)
}

// noRequest is for what must wait until an open request is received.
const noRequest = "none"

// orderRules are all of them, in the order in which they make sense.
var orderRules = []orderRule{
	{capability: "order.cancel", status: StatusPending, verb: "cancelled", refunds: refundsTotal},
	{capability: "order.addNote"},
	{capability: "order.changeAddress", status: StatusPending, verb: "sent to another address", sent: true},
	{capability: "order.changePayment", status: StatusPending, verb: "paid in another way", needs: needsPayment},
	{capability: "order.changeItems", status: StatusPending, verb: "changed"},
	{capability: "order.process", status: StatusPending, verb: "packed"},
	{capability: "order.fulfil", status: StatusProcessed, verb: "shipped", sent: true, needs: needsUnshipped},
	{capability: "order.deliver", status: StatusProcessed, verb: "delivered"},
	{capability: "order.return", status: StatusDelivered, request: noRequest, verb: "returned", needs: needsKept},
	{capability: "order.returnNow", status: StatusDelivered, request: noRequest, verb: "taken back", needs: needsKept,
		refunds: refundsLeast, to: needed},
	{capability: "order.receiveReturn", status: StatusDelivered, request: kindReturn, verb: "received back",
		refunds: refundsLeast, to: agreedMethod},
	{capability: "order.exchange", status: StatusDelivered, request: noRequest, verb: "exchanged", needs: needsExchange},
	{capability: "order.receiveExchange", status: StatusDelivered, request: kindExchange, verb: "received in exchange",
		needs: needsCover, refunds: refundsDifference, to: agreedMethod},
}

// ruleOf is the rule of a capability.
func ruleOf(capability string) orderRule {
	for _, r := range orderRules {
		if r.capability == capability {
			return r
		}
	}
	panic("shop: no rule for " + capability)
}

// unmet says why the rule does not allow it, nil when it does.
func (r orderRule) unmet(o Head) *bus.Error {
	refuse := func(format string, args ...any) *bus.Error {
		return core.Refused(format, append([]any{o.ID}, args...)...)
	}
	switch {
	case r.status != "" && o.Status != r.status:
		return refuse("Order %s is %s; only a %s order can be %s.", StatusInWords(o.Status), StatusInWords(r.status),
			bus.Phrase(r.verb)).WithHint("%s", wayOn(r.status, o))
	case r.sent && o.Fulfilment != core.Deliver:
		return refuse("Order %s is %s, so nothing is sent.", core.Fulfilled(o.Fulfilment)).
			WithHint("order.deliver says that the customer has it.")
	case r.request == noRequest && o.OpenRequest != "":
		return refuse("Order %s has %s open; it has to be received first.", withArticle(o.OpenRequest)).
			WithHint("%s receives it.", receiving(o.OpenRequest))
	case (r.request == kindReturn || r.request == kindExchange) && o.OpenRequest != r.request:
		return refuse("Order %s has no %s open.", bus.Phrase(r.request)).WithHint("order.%s asks for one.", r.request)
	}
	return nil
}

// wayOn is the hint for an order that is in another state than a capability needs.
func wayOn(want string, o Head) bus.Text {
	switch {
	case o.Status == StatusCancelled:
		return bus.Textf("A cancelled order stays as it is; cart.addItem begins a new one.")
	case want == StatusProcessed && o.Status == StatusPending:
		return bus.Textf("order.process comes first.")
	case want == StatusDelivered && o.Status == StatusProcessed:
		return bus.Textf("order.deliver comes first.")
	case want == StatusDelivered:
		return bus.Textf("A pending order is changed with order.changeItems or cancelled with order.cancel.")
	case o.Status == StatusProcessed:
		return bus.Textf("Once it is delivered, order.deliver, it can come back with order.return or order.exchange.")
	}
	return bus.Textf("What was delivered comes back with order.return or order.exchange.")
}

func withArticle(kind string) bus.Text {
	if kind == kindReturn {
		return bus.Textf("a return")
	}
	return bus.Textf("an exchange")
}

func receiving(kind string) string {
	if kind == kindReturn {
		return "order.receiveReturn"
	}
	return "order.receiveExchange"
}

// orderState is the rule of a capability as its precondition.
func orderState(capability string) []bus.Precondition {
	rule := ruleOf(capability)
	p := bus.Precondition{Name: "order." + rule.status,
		Message: fmt.Sprintf("Only a %s order can be %s.", StatusInWords(rule.status), rule.verb),
		Hint:    "order.get shows what can be done with an order."}
	switch rule.request {
	case noRequest:
		p.Name, p.Message = p.Name+".settled", fmt.Sprintf("Only a delivered order without an open return or "+
			"exchange can be %s.", rule.verb)
	case kindReturn, kindExchange:
		p.Name, p.Message = "order."+rule.request+".open", fmt.Sprintf("Only what has an open %s can be %s.", rule.request,
			rule.verb)
	}
	p.Check = func(ctx context.Context, call *bus.Call) error {
		var in orderIn
		if err := json.Unmarshal(call.Arguments, &in); err != nil {
			return err
		}
		s, err := core.LoadShop(ctx)
		if err == nil {
			_, err = orderFor(ctx, s, call, in.OrderID)
		}
		return err
	}
	return []bus.Precondition{p}
}

// orderFor reads an order that must be in the state that the capability needs.
func orderFor(ctx context.Context, s *core.Shop, call *bus.Call, id string) (Head, error) {
	o, err := ByID(ctx, s, id)
	if err != nil {
		return o, err
	}
	return o, ruleOf(call.Capability.Name).allows(ctx, s, o)
}

// allows refuses an order with which this cannot be done with any arguments. An action and the read that lists
// the actions ask it both.
func (r orderRule) allows(ctx context.Context, s *core.Shop, o Head) error {
	if why := r.unmet(o); why != nil {
		return why
	}
	if r.needs == nil {
		return nil
	}
	return r.needs(ctx, s, o)
}

// withinLimit refuses an action whose least refund is over the person's limit, or may go to no method by this person.
func (r orderRule) withinLimit(ctx context.Context, s *core.Shop, o Head, by bus.Principal) error {
	if r.refunds == nil || by.Has(core.ScopeRefund) {
		return nil
	}
	least, err := r.refunds(ctx, s, o)
	if err != nil {
		return err
	}
	if err := mayRefund(s, least, by); err != nil || r.to == nil {
		return err
	}
	methods, err := r.to(ctx, s, o)
	if err != nil {
		return err
	}
	var refused error
	for _, m := range methods {
		if refused = mayRefundTo(ctx, s, o, m, least, by); refused == nil {
			return nil
		}
	}
	return refused
}

// orderActions are what can be done with an order now, and what not and why. What
// is over a limit counts as possible where a second approver is there, and says so.
func orderActions(ctx context.Context, s *core.Shop, o Head, by bus.Principal) ([]action, error) {
	secondApprover, err := core.HasSecondApprover(ctx, by, core.ScopeRefund)
	all := make([]action, len(orderRules))
	for i, r := range orderRules {
		if err != nil {
			return nil, err
		}
		all[i] = action{Capability: r.capability, Available: true}
		err = r.allows(ctx, s, o)
		refused := err != nil
		if !refused {
			err = r.withinLimit(ctx, s, o, by)
		}
		if why, coded := errors.AsType[*bus.Error](err); coded {
			all[i].Available, all[i].Reason = !refused && secondApprover, why.Message
			err = nil
		}
	}
	return all, err
}

// overRefund says that a refund is over a clerk's limit, nil when it is not or the person has none.
func overRefund(s *core.Shop, amount int64, by bus.Principal) *bus.Error {
	if amount > s.RefundLimit && !by.Has(core.ScopeRefund) {
		return bus.Errorf(bus.Forbidden, bus.ReasonLimit, "A refund over %s needs a manager.", s.Money(s.RefundLimit)).
			WithHint("Ask a manager; session.get shows who is signed in.")
	}
	return nil
}

// mayRefund is overRefund as an error.
func mayRefund(s *core.Shop, amount int64, by bus.Principal) error {
	if why := overRefund(s, amount, by); why != nil {
		return why
	}
	return nil
}

// mayRefund refuses a refund of a plan that the person may not give.
func (p *itemsPlan) mayRefund(ctx context.Context, s *core.Shop, call *bus.Call) error {
	return mayRefundTo(ctx, s, p.order, p.method, -p.difference, call.Person)
}

// mayRefundTo refuses a refund over a person's limit, and one to a method of the shop that did not pay the order: money
// would leave the drawer for a payment that never came into it.
func mayRefundTo(ctx context.Context, s *core.Shop, o Head, to customer.PaymentMethod, amount int64,
	by bus.Principal) error {
	err := mayRefund(s, amount, by)
	if err != nil || amount <= 0 || to.ID == "" || !to.Unsaved() || by.Has(core.ScopeRefund) {
		return err
	}
	paid, err := payers(ctx, o.ID)
	if err != nil || slices.Contains(paid, to.ID) {
		return err
	}
	return bus.Errorf(bus.Forbidden, bus.ReasonLimit, "A refund to %s, which did not pay order %s, needs a manager.",
		to.Label, o.ID).WithHint("Name a method that paid it or a gift card of the customer, or ask a manager.")
}
