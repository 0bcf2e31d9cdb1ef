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

// proposal is a grant that would have spared cards, as grant.create takes it, with what it would have done.
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
	worthAGrant  = 3  // cards that a proposal spares at least
	maxProposals = 10 //
)

// suggestGrants proposes grants from what people allowed again and again.
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
	slices.SortFunc(out.Proposals, func(a, b proposal) int {
		return cmp.Or(cmp.Compare(b.Spared, a.Spared), cmp.Compare(a.Capability, b.Capability),
			cmp.Compare(a.Grantee.Model, b.Grantee.Model), cmp.Compare(a.Grantee.Endpoint, b.Grantee.Endpoint),
			cmp.Compare(a.Grantee.Person, b.Grantee.Person))
	})
	out.Proposals = out.Proposals[:min(len(out.Proposals), maxProposals)]
	return out, nil
}

// propose is the narrowest grant that spares most of the cards of one grantee and capability and covers none that was
// denied; nil for none. It begins with bounds around everything that was allowed, and gives up allowed calls until it
// covers no denied one. What a grant there is covers already needs no other.
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
		case g == nil && distrust(c.x, c.req.Capability).IsZero() &&
			(c.decision.Answer == bus.AnswerAllow || c.decision.Answer == bus.AnswerGrant && c.card()):
			chosen = append(chosen, c)
		}
	}
	keys := boundKeys(chosen)
	for len(chosen) >= worthAGrant {
		terms, wrong := GrantTerms{around(chosen, keys), GrantLimits{Uses: 100_000}, until}.
			normalize(past[0].req.Capability, call.Now)
		if wrong != nil {
			return nil, nil // it may not be granted
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

// proposalOf limits terms to what they would have spared.
func proposalOf(past []pastCall, to Grantee, terms GrantTerms) (*proposal, error) {
	p := &proposal{Grantee: to, Capability: past[0].req.Capability.Name, Constraints: terms.Constraints,
		Until: terms.Until}
	for range 2 { // how much it spares, then the same within that
		p.trial = trial{DeniedSpared: []string{}}
		if err := p.judge(past, to, terms); err != nil || p.Spared < worthAGrant {
			return nil, err
		}
		terms.Limits = GrantLimits{Uses: int64(p.Spared)}
	}
	p.Limits = terms.Limits
	return p, nil
}

// coveredNow is the grant that covers such a call from now on.
func (c *pastCall) coveredNow(have []grant, call *bus.Call) (*grant, error) {
	now := *c
	now.at = call.Now
	return now.answeredBy(have)
}

// firstWithin is the first denied call that a grant with these terms covers. The taint of the call does not count.
func firstWithin(denied []*pastCall, terms GrantTerms) (*pastCall, error) {
	g := newGrant(terms)
	for _, c := range denied {
		if why, err := g.covers(&c.req, c.facts, c.at); err != nil || why.IsZero() {
			return c, err
		}
	}
	return nil, nil
}

// boundKeys are what a grant can be bound by of such calls: what their capability lets it be bound by, or else the
// fields of its input that have the same few values.
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
				return true // it bounds not all of them
			}
			few[text.Value(v)] = true
		}
		return len(c.Assistant.Grantable) == 0 && 2*len(few) > len(calls) || len(few) > maxValues
	})
}

// value is what a constraint on key is about, nil if it is not there.
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

// around are the narrowest constraints on keys that calls fulfil: of a number and an amount of money the largest, of
// everything else the values there are.
func around(calls []*pastCall, keys []string) Constraints {
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

// without leaves out as few calls as keep a denied one outside of what is around the rest: those with its value of one
// of the keys, or with a size like its own and over. None of the calls is left if nothing tells it from them.
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
