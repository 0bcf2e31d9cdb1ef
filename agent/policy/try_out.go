package policy

import (
	"cmp"
	"context"
	"slices"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/period"
)

type tryOutInput struct {
	period.Days
	Rule  *Rule             `json:"rule,omitempty"`
	Grant *grantCreateInput `json:"grant,omitempty"`
	List  bool              `json:"list,omitempty"`
}

type tryOutOutput struct {
	From int64 `json:"from" jsonschema_description:"Unix ms." jsonschema_extras:"x-time=true"`
	To   int64 `json:"to" jsonschema_extras:"x-time=true"`
	trial
}

// trial counts the effects that a rule or a grant would have had on recorded calls. It decides each call again with the
// rule or grant, by the same input as the live decision.
type trial struct {
	Cards        int      `json:"cards"`
	Spared       int      `json:"spared"`
	AskFirst     int      `json:"askFirst"`
	Denied       int      `json:"denied"`
	DeniedSpared []string `json:"deniedSpared"`
	Tainted      int      `json:"tainted"`
	Approver     int      `json:"approver"`
	Edited       int      `json:"edited"`
	UsedUp       int      `json:"usedUp"`
	Granted      int      `json:"granted"`
	AskedMore    int      `json:"askedMore"`
	Refused      int      `json:"refused"`
	Skipped      int      `json:"skipped"`
	Requests     []string `json:"requests,omitempty"`

	list bool
}

// tryCapabilities returns policy.tryOut and grant.suggest. Only people may call them: a model must not learn which
// calls would need no confirmation.
func tryCapabilities(o Options, db Shared) []bus.Capability {
	try := bus.Capability{Name: "policy.tryOut", Texts: texts, Type: bus.TypeData, SideEffect: bus.Pure,
		Permissions: []string{"policy:read", "audit:read"}, Resources: []string{"database:read"},
		Listing: bus.Listing{Category: "assistant", Group: "policy", Routes: []string{"settings"}},
		Checks:  bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}},
		Run:     bus.Run{Idempotent: true}}
	suggest := try
	suggest.Name, suggest.Listing.Group = "grant.suggest", "grant"
	return []bus.Capability{
		bus.Define(try, func(ctx context.Context, call *bus.Call, in tryOutInput) (out tryOutOutput, err error) {
			out.list, out.DeniedSpared = in.List, []string{}
			if out.From, out.To, err = since(ctx, o.Wording, in.Days, call.Now); err != nil {
				return out, err
			}
			q := audit.Query{Since: out.From, Until: out.To}
			switch {
			case (in.Rule == nil) == (in.Grant == nil):
				err = bus.Errorf(bus.Validation, bus.ReasonArguments, "A rule or a grant is tried out.").
					WithHint("Name one of the two.")
			case in.Rule != nil:
				err = out.tryRule(ctx, call, o, db, *in.Rule, q)
			default:
				err = out.tryGrant(ctx, call, db, *in.Grant, q)
			}
			call.Summarize("Tried on %d cards: %d spared, %d of %d denied ones let through", out.Cards, out.Spared,
				len(out.DeniedSpared), out.Denied)
			return out, err
		}),
		bus.Define(suggest, func(ctx context.Context, call *bus.Call, in suggestInput) (suggestOutput, error) {
			return suggestGrants(ctx, call, o, db, in)
		}),
	}
}

// tryRule decides the calls that a rule concerns as if the rule were set.
func (t *trial) tryRule(ctx context.Context, call *bus.Call, o Options, db Shared, r Rule, q audit.Query) error {
	if err := checkRule(call, r, nil); err != nil {
		return err
	}
	others, err := storedRules(ctx, db)
	if err != nil {
		return err
	}
	others = slices.DeleteFunc(others, func(other Rule) bool { return other.subject() == r.subject() })
	with := o.withRules(append(others, r))
	q.Capability, q.SideEffect = r.Capability, r.Class
	past, err := pastCalls(ctx, db, call, q)
	for i := range past {
		t.countRuled(&past[i], with.decide(past[i].req.Capability).Rule)
	}
	return err
}

// countRuled counts a call that a rule decides.
func (t *trial) countRuled(c *pastCall, rule bus.Rule) {
	t.count(c)
	switch was := c.decision.Rule; {
	case was == bus.RuleDeny: // a rule refused it, so there was no card and no effect
	case rule == bus.RuleDeny:
		t.Refused++
	case c.card() && rule == bus.RuleAllow:
		t.countSpared(c)
	case was == bus.RuleAllow && rule == bus.RuleConfirm:
		t.AskedMore++
	}
}

// count counts a call by its answer.
func (t *trial) count(c *pastCall) {
	if c.card() {
		t.Cards++
	} else if c.decision.GrantID != "" {
		t.Granted++
	}
	if c.denied() {
		t.Denied++
	}
}

// countSpared counts a card that would have been saved. It reports false if the recorded arguments are not those that
// the assistant proposed, or the person lacked the right.
func (t *trial) countSpared(c *pastCall) (spared bool) {
	id := c.req.Invocation.RequestID
	switch {
	case c.req.Refused != nil:
		t.Approver++
	case c.denied():
		t.DeniedSpared = append(t.DeniedSpared, id)
	case c.decision.Answer == bus.AnswerEdit:
		t.Edited++
	default:
		t.Spared++
		if t.list {
			t.Requests = append(t.Requests, id)
		}
		return true
	}
	return false
}

// tryGrant decides the calls of a grantee as if they had the grant.
func (t *trial) tryGrant(ctx context.Context, call *bus.Call, db Shared, in grantCreateInput, q audit.Query) error {
	c, known := call.Lookup(in.Capability)
	if !known {
		return noCapability(in.Capability)
	}
	terms, err := GrantTerms{in.Constraints, in.Limits, in.Until}.normalize(c, call.Now)
	if err != nil {
		return err
	}
	if in.Grantee.Person == "" {
		in.Grantee.Person = call.Person.ID
	}
	q.Capability, q.Person = c.Name, in.Grantee.Person
	past, err := pastCalls(ctx, db, call, q)
	if err != nil {
		return err
	}
	return t.judge(past, in.Grantee, terms)
}

// judge decides the calls of a grantee in order, as if they had a grant with these terms. It decides a denied call with
// an unused grant.
func (t *trial) judge(past []pastCall, to Grantee, terms GrantTerms) error {
	with := []grant{newGrant(terms)}
	for i := range past {
		c := &past[i]
		if of, ok := profileOf(c.req.Invocation.Principal); !ok || of != to {
			continue
		}
		if t.count(c); !c.card() {
			continue
		}
		list := with
		if c.denied() {
			list = []grant{newGrant(terms)}
		}
		g, err := c.answeredBy(list)
		within, wrong := c.answeredBy([]grant{newGrant(terms)})
		switch {
		case err != nil || wrong != nil:
			return cmp.Or(err, wrong)
		case c.gone:
			t.Skipped++
		case within == nil && c.req.Refused != nil:
			t.Approver++
		case within == nil && !taintOf(c.x, c.req.Capability).IsZero():
			t.Tainted++
		case within == nil: // outside its bounds
		case g == nil && c.decision.Answer != bus.AnswerEdit:
			t.UsedUp++
		case t.countSpared(c):
			g.Used, g.Spent = g.Used+1, g.Spent+g.cost(c.facts)
			if c.askFirst {
				t.AskFirst++
			}
		}
	}
	return nil
}

// answeredBy returns the grant that would have answered for the person, nil for none.
func (c *pastCall) answeredBy(list []grant) (*grant, error) {
	if c.gone || !grantsCount(c.x, &c.req) {
		return nil, nil
	}
	g, _, err := answering(list, c.x, &c.req, c.facts, c.at)
	return g, err
}

// newGrant returns an unused grant.
func newGrant(t GrantTerms) grant {
	return grant{Constraints: t.Constraints, Limits: t.Limits, Until: t.Until, Status: GrantActive}
}
