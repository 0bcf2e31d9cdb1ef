package policy

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/jsonpointer"
	"github.com/deskhand/deskhand/internal/period"
)

type suggestInput struct {
	period.Days
	Capability string `json:"capability,omitempty" jsonschema:"maxLength=64"`
}

type suggestOutput struct {
	From      int64      `json:"from" jsonschema_description:"Unix ms." jsonschema_extras:"x-time=true"`
	To        int64      `json:"to" jsonschema_extras:"x-time=true"`
	Proposals []proposal `json:"proposals"`
}

// proposal is a grant that would have saved cards, as input of grant.create, with its effect on the recorded calls.
type proposal struct {
	Grantee     Grantee     `json:"grantee"`
	Capability  string      `json:"capability"`
	Text        string      `json:"text" jsonschema_description:"What it would allow, in a sentence."`
	Constraints Constraints `json:"constraints"`
	Limits      GrantLimits `json:"limits"`
	Until       int64       `json:"until" jsonschema_description:"Unix ms." jsonschema_extras:"x-time=true"`
	trial
}

const (
	worthAGrant  = 3  // the least number of cards that a proposal saves
	maxProposals = 10 //
)

// suggestGrants proposes grants for calls that people allowed repeatedly.
func suggestGrants(ctx context.Context, call *bus.Call, o Options, db Shared, in suggestInput) (out suggestOutput,
	err error) {
	out.Proposals = []proposal{}
	if out.From, out.To, err = since(ctx, o.Wording, in.Days, call.Now); err != nil {
		return out, err
	}
	type key struct {
		to   Grantee
		name string
	}
	by := map[key][]pastCall{}
	for _, class := range []bus.SideEffect{bus.UIOnly, bus.Network, bus.Destructive} {
		past, err := pastCalls(ctx, db, call, audit.Query{Since: out.From, Until: out.To, Capability: in.Capability,
			SideEffect: class})
		if err != nil {
			return out, err
		}
		for _, c := range past {
			if to, ok := profileOf(c.req.Invocation.Principal); ok && (c.card() || c.decision.GrantID != "") {
				k := key{to, c.req.Capability.Name}
				by[k] = append(by[k], c)
			}
		}
	}
	until := call.Now.UnixMilli() + out.To - out.From
	for k, past := range by {
		have, err := grantsOf(ctx, db, k.to, k.name)
		if err != nil {
			return out, err
		}
		p, err := propose(past, k.to, have, until, call)
		if err != nil {
			return out, err
		}
		if p == nil {
			continue
		}
		c := past[0].req.Capability
		if p.Text, err = o.Wording.sentence(ctx, c, GrantTerms{p.Constraints, p.Limits, p.Until}, &Provenance{}); err != nil {
			return out, err
		}
		out.Proposals = append(out.Proposals, *p)
	}
	slices.SortStableFunc(out.Proposals, func(a, b proposal) int {
		return cmp.Or(cmp.Compare(b.Spared, a.Spared), cmp.Compare(a.Capability, b.Capability),
			cmp.Compare(a.Grantee.Model, b.Grantee.Model), cmp.Compare(a.Grantee.Endpoint, b.Grantee.Endpoint),
			cmp.Compare(a.Grantee.Person, b.Grantee.Person))
	})
	out.Proposals = out.Proposals[:min(len(out.Proposals), maxProposals)]
	return out, nil
}

// propose returns the narrowest grant that saves most cards of one grantee and capability and covers no denied call;
// nil for none. It starts with bounds around all allowed calls and drops allowed calls until it covers no denied one.
// It leaves out calls that an existing grant covers.
func propose(past []pastCall, to Grantee, have []grant, until int64, call *bus.Call) (*proposal, error) {
	var chosen, no []*pastCall
	for i := range past {
		c := &past[i]
		switch g, err := c.coveredNow(have, call); {
		case err != nil:
			return nil, err
		case c.gone || !grantsCount(c.x, &c.req):
		case c.denied():
			no = append(no, c)
		case g == nil && taintOf(c.x, c.req.Capability).IsZero() &&
			(c.decision.Answer == bus.AnswerAllow || c.decision.Answer == bus.AnswerGrant && c.card()):
			chosen = append(chosen, c)
		}
	}
	keys := boundKeys(chosen)
	for len(chosen) >= worthAGrant {
		terms, wrong := GrantTerms{narrowest(chosen, keys), GrantLimits{Uses: 100_000}, until}.
			normalize(past[0].req.Capability, call.Now)
		if wrong != nil {
			return nil, nil // not grantable
		}
		bad, err := firstWithin(no, terms)
		if err != nil {
			return nil, err
		}
		if bad == nil {
			return proposalOf(past, to, terms)
		}
		chosen = without(chosen, keys, bad)
	}
	return nil, nil
}

// proposalOf limits the uses of the terms to the number of cards that they would have saved.
func proposalOf(past []pastCall, to Grantee, terms GrantTerms) (*proposal, error) {
	p := &proposal{Grantee: to, Capability: past[0].req.Capability.Name, Constraints: terms.Constraints,
		Until: terms.Until}
	for range 2 { // the second round counts within the limit of the first
		p.trial = trial{DeniedSpared: []string{}}
		if err := p.judge(past, to, terms); err != nil || p.Spared < worthAGrant {
			return nil, err
		}
		terms.Limits = GrantLimits{Uses: int64(p.Spared)}
	}
	p.Limits = terms.Limits
	return p, nil
}

// coveredNow returns the existing grant that would cover such a call now.
func (c *pastCall) coveredNow(have []grant, call *bus.Call) (*grant, error) {
	now := *c
	now.at = call.Now
	return now.answeredBy(have)
}

// firstWithin returns the first denied call that a grant with these terms covers. It ignores the taint of the call.
func firstWithin(denied []*pastCall, terms GrantTerms) (*pastCall, error) {
	g := newGrant(terms)
	for _, c := range denied {
		if why, err := g.covers(&c.req, c.facts, c.at); err != nil || why.IsZero() {
			return c, err
		}
	}
	return nil, nil
}

// boundKeys returns the keys of constraints for such calls: those that the capability declares grantable, or else the
// input fields that have few distinct values.
func boundKeys(calls []*pastCall) (keys []string) {
	if len(calls) == 0 {
		return nil
	}
	c := calls[0].req.Capability
	if len(c.Assistant.Grantable) > 0 {
		for _, name := range c.Assistant.Grantable {
			key := "/" + jsonpointer.Escape(name)
			if _, fact := calls[0].facts[name]; fact {
				key = name
			}
			keys = append(keys, key)
		}
	} else {
		for _, f := range schema.Fields(c.InputSchema) {
			keys = append(keys, "/"+jsonpointer.Escape(f.Name))
		}
	}
	return slices.DeleteFunc(keys, func(key string) bool {
		few := map[string]bool{}
		for _, c := range calls {
			v := c.value(key)
			if _, isSize := sizeOf(v); isSize {
				continue
			}
			switch v.(type) {
			case nil, []any, map[string]any:
				return true // not every call has a value that can bound it
			}
			few[text.Value(v)] = true
		}
		return len(c.Assistant.Grantable) == 0 && 2*len(few) > len(calls) || len(few) > maxValues
	})
}

// value returns the value that a constraint on key would check, nil if there is not exactly one.
func (c *pastCall) value(key string) any {
	input, err := text.ParseJSON(c.req.Invocation.Arguments)
	if err != nil {
		return nil
	}
	values := valuesAt(key, input, c.facts)
	if len(values) != 1 {
		return nil
	}
	return values[0]
}

// narrowest returns the narrowest constraints on keys that all calls meet: for numbers and amounts of money the largest
// value, for other types the values that occur.
func narrowest(calls []*pastCall, keys []string) Constraints {
	out := Constraints{}
	for _, key := range keys {
		var most any
		var values []any
		for _, c := range calls {
			v := c.value(key)
			if _, isSize := sizeOf(v); !isSize {
				if !slices.ContainsFunc(values, func(other any) bool { return sameValue(v, other) }) {
					values = append(values, v)
				}
			} else if most == nil || ordered(most, v) {
				most = v
			}
		}
		var bound any
		switch {
		case most != nil:
			if m, isMoney := most.(map[string]any); isMoney {
				most = map[string]any{"amount": m["amount"], "currency": m["currency"]}
			}
			bound = map[string]any{"max": most}
		case len(values) == 1:
			bound = values[0]
		default:
			bound = map[string]any{"in": values}
		}
		if raw, err := json.Marshal(bound); err == nil { // it was JSON
			out[key] = raw
		}
	}
	return out
}

// without removes as few calls as possible so that the constraints around the rest exclude the denied call. For one key
// it removes the calls with the denied value, or with a number at least as large. It returns none if no key
// distinguishes them.
func without(calls []*pastCall, keys []string, denied *pastCall) (best []*pastCall) {
	for _, key := range keys {
		no := denied.value(key)
		_, isSize := sizeOf(no)
		rest := slices.DeleteFunc(slices.Clone(calls), func(c *pastCall) bool {
			v := c.value(key)
			return isSize && ordered(no, v) || !isSize && sameValue(v, no)
		})
		if len(rest) > len(best) && len(rest) < len(calls) {
			best = rest
		}
	}
	return best
}
