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

// The states of an order, in sequence.
const (
	StatusPending   = "pending"
	StatusProcessed = "processed"
	StatusDelivered = "delivered"
	StatusCancelled = "cancelled"
)

// The requests that a delivered order may have, one at a time.
const (
	kindReturn   = "return"
	kindExchange = "exchange"
)

// orderRule defines the state that an order needs for an action.
type orderRule struct {
	capability string
	status     string // "" allows any
	request    string // kind of the request that must be open; noRequest: none may be open; "": irrelevant
	verb       string // "cancelled": only a pending order can be …
	sent       bool   // only for orders with a delivery address

	// needs refuses an order that lacks another condition; nil means no condition.
	needs func(ctx context.Context, s *core.Shop, o Head) error
	// refunds returns the smallest possible refund; nil means that there is none or that it depends on the arguments.
	refunds func(ctx context.Context, s *core.Shop, o Head) (least int64, err error)
	// to returns the methods of which the refund must name one; nil or an empty list means that no method is needed.
	to func(ctx context.Context, s *core.Shop, o Head) ([]customer.PaymentMethod, error)
}

// StatusInWords returns a status for use in a sentence.
func StatusInWords(status string) bus.Text {
	if status == StatusProcessed {
		return bus.Textf("packed")
	}
	return bus.Phrase(status)
}

// noRequest requires that no request is open.
const noRequest = "none"

// orderRules lists the rules in the order of a typical workflow.
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

// ruleOf returns the rule of a capability.
func ruleOf(capability string) orderRule {
	for _, r := range orderRules {
		if r.capability == capability {
			return r
		}
	}
	panic("shop: no rule for " + capability)
}

// unmet returns the reason why the rule refuses an order, or nil when it allows the order.
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

// wayOn returns a hint that leads from the order's state to the state that a capability needs.
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

// orderState returns the rule of a capability as a precondition.
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

// orderFor reads an order and checks that it is in the state that the capability needs.
func orderFor(ctx context.Context, s *core.Shop, call *bus.Call, id string) (Head, error) {
	o, err := ByID(ctx, s, id)
	if err != nil {
		return o, err
	}
	return o, ruleOf(call.Capability.Name).allows(ctx, s, o)
}

// allows refuses an order on which the action fails with any arguments. Both the action itself and the query of
// available actions call it.
func (r orderRule) allows(ctx context.Context, s *core.Shop, o Head) error {
	if why := r.unmet(o); why != nil {
		return why
	}
	if r.needs == nil {
		return nil
	}
	return r.needs(ctx, s, o)
}

// withinLimit refuses an action if its smallest refund exceeds the person's limit, or if the person may refund to none
// of the methods.
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

// orderActions lists the actions on an order, each available or with the reason why not. An action over a limit counts
// as available when a second approver exists, and its reason mentions the limit.
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

// overRefund returns an error for a refund over a clerk's limit, or nil when it is within the limit or the person has
// none.
func overRefund(s *core.Shop, amount int64, by bus.Principal) *bus.Error {
	if amount > s.RefundLimit && !by.Has(core.ScopeRefund) {
		return bus.Errorf(bus.Forbidden, bus.ReasonLimit, "A refund over %s needs a manager.", s.Money(s.RefundLimit)).
			WithHint("Ask a manager; session.get shows who is signed in.")
	}
	return nil
}

// mayRefund returns overRefund as an error, which is nil if the refund is within the limit.
func mayRefund(s *core.Shop, amount int64, by bus.Principal) error {
	if why := overRefund(s, amount, by); why != nil {
		return why
	}
	return nil
}

// mayRefund refuses a refund of the plan that exceeds the person's rights.
func (p *itemsPlan) mayRefund(ctx context.Context, s *core.Shop, call *bus.Call) error {
	return mayRefundTo(ctx, s, p.order, p.method, -p.difference, call.Person)
}

// mayRefundTo refuses a refund over a person's limit. It also refuses a shop method, such as cash, that did not pay the
// order: that money never came into the drawer.
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
