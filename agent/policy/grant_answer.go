package policy

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// Attach sets the bus on which the policy creates the grant that an answer gives. [bus.New] calls it.
func (p *Policy) Attach(b *bus.Bus) { p.bus.Store(b) }

// offerGrant returns the bounds of a grant that the card offers, and the same in words; nil if no grant is possible.
func (p *Policy) offerGrant(ctx context.Context, req *bus.ApprovalRequest, facts map[string]any) (t *GrantTerms,
	text string, err error) {
	if _, ok := profileOf(req.Invocation.Principal); !ok || p.o.Log == nil || p.bus.Load() == nil ||
		req.Invocation.Caller.Type != bus.CallerAgent {
		return nil, "", nil
	}
	if t = suggest(req, facts, p.o.Clock()); t == nil {
		return nil, "", nil
	}
	err = p.o.Log.View(ctx, func(ctx context.Context) (err error) {
		text, err = p.o.Wording.sentence(ctx, req.Capability, *t, provenanceOf(ctx))
		return err
	})
	return t, text, err
}

// bindGrant fills in the bounds of the grant in an answer, or returns the reason why there can be none. If the
// assistant requested a grant, the answer edits the request: the assistant gets the intersection of both bounds.
func (c *openCard) bindGrant(a *Answer, of *bus.Capability, now time.Time) error {
	if of.Name == nameRequest {
		args, err := narrowed(c.Given, a.Grant, c.Facts[factUntil])
		if err != nil {
			return err
		}
		a.Answer, a.Arguments, a.Grant = bus.AnswerAllow, args, nil
		return nil
	}
	switch {
	case c.Card.Grant == nil:
		return notGrantable(of)
	case a.Arguments != nil:
		return bus.Errorf(bus.Validation, bus.ReasonArguments, "Arguments and bounds cannot be changed at once.").
			WithHint("Change the arguments first; the card comes again.")
	case !a.Who.Has(scopeGrant):
		return bus.Errorf(bus.Forbidden, bus.ReasonPermission, "You may not give the assistant a grant.").
			WithHint("Allow it once, or ask someone who may.")
	case a.Grant == nil:
		a.Grant = c.Card.Grant
	}
	_, err := a.Grant.normalize(of, now)
	return err
}

// createGrant carries out the answer "grant": it creates the grant in the name of the person who answered, and allows
// the call on the card.
func (p *Policy) createGrant(ctx context.Context, req *bus.ApprovalRequest, a Answer) (bus.Decision, error) {
	to, _ := profileOf(req.Invocation.Principal) // a card without one offers no grant
	args, err := json.Marshal(grantCreateInput{to, req.Capability.Name, a.Grant.Constraints, a.Grant.Limits,
		a.Grant.Until})
	if err != nil {
		return bus.Decision{}, err
	}
	r := p.bus.Load().Invoke(ctx, bus.Invocation{Capability: nameGrantCreate, Arguments: args,
		TraceID: req.Invocation.TraceID, Principal: a.Who,
		Caller: bus.Caller{Type: p.o.Caller, Source: "approval", ParentRequestID: req.Invocation.RequestID}})
	if !r.OK() {
		return bus.Decision{}, r.Err
	}
	var given grantIDOutput
	if err := json.Unmarshal(r.Data, &given); err != nil {
		return bus.Decision{}, err
	}
	return bus.Decision{Allowed: true, Answer: bus.AnswerGrant, By: a.By, Reason: a.Reason, GrantID: given.GrantID}, nil
}

// narrowed returns the arguments of a grant request within the bounds of the person who answers; end is in ms.
func narrowed(asked json.RawMessage, within *GrantTerms, end any) (json.RawMessage, error) {
	var in grantRequestInput
	if err := json.Unmarshal(asked, &in); err != nil {
		return nil, err
	}
	if within == nil {
		return nil, nil // as requested
	}
	in = in.bounded()
	var until int64
	raw, err := json.Marshal(end) // a card from the file has another number type
	if err = errors.Join(err, json.Unmarshal(raw, &until)); err != nil {
		return nil, err
	}
	if in.Constraints, err = tighten(in.Constraints, within.Constraints); err != nil {
		return nil, err
	}
	in.Until = time.UnixMilli(least(until, within.Until)).UTC().Format(time.RFC3339Nano)
	in.Limits.Uses = least(in.Limits.Uses, within.Limits.Uses)
	switch mine, b := in.Limits.Budget, within.Limits.Budget; {
	case mine == nil:
		in.Limits.Budget = b
	case b == nil: // no bound
	case b.Currency != mine.Currency:
		return nil, errUnsatisfiable("the budget")
	default:
		mine.Amount = min(mine.Amount, b.Amount)
	}
	in.Limits.Conversation = cmp.Or(in.Limits.Conversation, within.Limits.Conversation)
	if cmp.Or(within.Limits.Conversation, in.Limits.Conversation) != in.Limits.Conversation {
		return nil, errUnsatisfiable("the conversation")
	}
	return json.Marshal(in)
}

// least returns the smaller of two bounds; 0 means no bound.
func least(a, b int64) int64 {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}
