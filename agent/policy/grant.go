package policy

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/deskhand/deskhand/agent/internal/stored"
	"github.com/deskhand/deskhand/bus"
)

// Statuses of a grant.
const (
	GrantActive  = "active"
	GrantPending = "pending" // an assistant requested it, and no person has answered yet
	GrantDenied  = "denied"  // an assistant requested it, and a person refused
	GrantRevoked = "revoked"
	GrantExpired = "expired" // its end has passed, or its uses or its budget are used up
)

// Grantee identifies an assistant that works for a person. Another endpoint or another model is another grantee.
type Grantee struct {
	Person   string `json:"person,omitempty" jsonschema:"maxLength=100"`
	Endpoint string `json:"endpoint" jsonschema:"minLength=1,maxLength=300"`
	Model    string `json:"model" jsonschema:"minLength=1,maxLength=200"`
}

// GrantLimits bound all uses of a grant together.
type GrantLimits struct {
	Uses         int64   `json:"uses,omitempty" jsonschema:"minimum=1,maximum=100000"`
	Budget       *Budget `json:"budget,omitempty" jsonschema_description:"What the amounts of all uses may come to."`
	Conversation string  `json:"conversation,omitempty" jsonschema:"maxLength=100"`
}

// Budget is an amount of money in minor units.
type Budget struct {
	Amount   int64  `json:"amount" jsonschema:"minimum=1,maximum=1000000000000"`
	Currency string `json:"currency" jsonschema:"pattern=^[A-Z]{3}$"`
}

// GrantTerms are the bounds of a grant, with its end.
type GrantTerms struct {
	Constraints Constraints `json:"constraints,omitempty"`
	Limits      GrantLimits `json:"limits,omitzero"`
	Until       int64       `json:"until,omitempty" jsonschema_extras:"x-time=true"` // ms since 1970; 0: for ever
}

// grant is a stored grant with its use so far, as grant.list returns it.
//
// Amounts are known only after the handler ran. So a call is previewed, and the grant answers if arguments and facts
// are within its bounds. Programs share the file, and calls race for the rest of a budget. So the use is written in the
// transaction of the effect; without enough left, all is undone and a person is asked. An undo returns no uses.
type grant struct {
	ID          string      `json:"id"`
	Grantee     Grantee     `json:"grantee"`
	Capability  string      `json:"capability"`
	Text        string      `json:"text" jsonschema_description:"What it allows, in a sentence."`
	Constraints Constraints `json:"constraints"`
	Limits      GrantLimits `json:"limits,omitzero"`
	Until       int64       `json:"until,omitempty" jsonschema_description:"Unix ms." jsonschema_extras:"x-time=true"`
	Reason      string      `json:"reason,omitempty" jsonschema_extras:"x-tainted=true"`
	Status      string      `json:"status" jsonschema:"enum=active,enum=revoked,enum=expired"` // see [grant.statusAt]
	Inoperative bool        `json:"inoperative,omitempty"`
	Used        int64       `json:"used" jsonschema_description:"How often."`
	Spent       int64       `json:"spent" jsonschema_description:"Of its budget, in minor units."`
	CreatedAt   int64       `json:"createdAt" jsonschema_extras:"x-time=true"`
	CreatedBy   string      `json:"createdBy"`
	EndedAt     int64       `json:"endedAt,omitempty" jsonschema_extras:"x-time=true"`
	EndedBy     string      `json:"endedBy,omitempty"`
}

func (g *grant) terms() GrantTerms { return GrantTerms{g.Constraints, g.Limits, g.Until} }

const grantColumns = `SELECT id, person, endpoint, model, capability, constraints, coalesce(uses, 0),
	coalesce(budget, 0), currency, conversation, coalesce(until, 0), reason, status, created_at, created_by,
	coalesce(ended_at, 0), ended_by,
	(SELECT count(*) FROM agent_grant_uses u WHERE u.grant_id = g.id),
	(SELECT coalesce(sum(amount), 0) FROM agent_grant_uses u WHERE u.grant_id = g.id)
	FROM assistant_grants g `

func scanGrant(scan stored.Scan) (g grant, err error) {
	var constraints string
	var budget Budget
	if err := scan(&g.ID, &g.Grantee.Person, &g.Grantee.Endpoint, &g.Grantee.Model, &g.Capability, &constraints,
		&g.Limits.Uses, &budget.Amount, &budget.Currency, &g.Limits.Conversation, &g.Until,
		&g.Reason, &g.Status, &g.CreatedAt, &g.CreatedBy, &g.EndedAt, &g.EndedBy, &g.Used, &g.Spent); err != nil {
		return g, err
	}
	if budget.Currency != "" {
		g.Limits.Budget = &budget
	}
	return g, json.Unmarshal([]byte(constraints), &g.Constraints)
}

// statusAt returns the grant's status at a time; the stored status is GrantActive or GrantRevoked.
func (g *grant) statusAt(now time.Time) string {
	l := g.Limits
	switch {
	case g.Status != GrantActive:
		return g.Status
	case g.Until != 0 && now.UnixMilli() >= g.Until, l.Uses != 0 && g.Used >= l.Uses,
		l.Budget != nil && g.Spent >= l.Budget.Amount:
		return GrantExpired
	}
	return GrantActive
}

// profileOf returns the grantee that made a call, and false if no assistant made it.
func profileOf(who bus.Principal) (Grantee, bool) {
	if who.Model == nil || who.ID == "" {
		return Grantee{}, false
	}
	return Grantee{Person: who.ID, Endpoint: who.Model.Endpoint, Model: who.Model.Name}, true
}

// grantsFor lists the grants of a caller for a capability, the latest first.
func (p *Policy) grantsFor(ctx context.Context, who bus.Principal, capability string) (list []grant, err error) {
	to, ok := profileOf(who)
	if p.o.Log == nil || !ok {
		return nil, nil
	}
	err = p.o.Log.View(ctx, func(ctx context.Context) (err error) {
		list, err = grantsOf(ctx, p.o.Log, to, capability)
		return err
	})
	return list, err
}

// grantsOf lists the grants of a grantee for a capability in the snapshot of ctx, the latest first.
func grantsOf(ctx context.Context, db Database, to Grantee, capability string) ([]grant, error) {
	return stored.Rows(ctx, db, scanGrant, grantColumns+
		`WHERE person = $1 AND capability = $2 AND endpoint = $3 AND model = $4 ORDER BY created_at DESC, id DESC`,
		to.Person, capability, to.Endpoint, to.Model)
}

// covers returns the reason why a grant does not cover a call, a zero text if it does.
func (g *grant) covers(req *bus.ApprovalRequest, facts map[string]any, now time.Time) (why bus.Text, err error) {
	switch status := g.statusAt(now); {
	case status == GrantExpired:
		return bus.Phrase("There is a grant for this, but it has expired."), nil
	case status != GrantActive:
		return bus.Phrase("There is a grant for this, but it was revoked."), nil
	case g.Limits.Conversation != "" && g.Limits.Conversation != req.Invocation.Principal.ConversationID:
		return bus.Phrase("There is a grant for this, but it is for another conversation."), nil
	}
	if _, wrong := g.terms().normalize(req.Capability, now); wrong != nil {
		return bus.Phrase("There is a grant for this, but it may not be granted any more."), nil
	}
	key, err := g.Constraints.unmet(req.Invocation.Arguments, facts)
	if err != nil {
		return why, err
	}
	if key != "" {
		return bus.Textf("There is a grant for this, but %s is outside its bounds.",
			bus.Phrase(keyText(key, req.Capability))), nil
	}
	if b := g.Limits.Budget; b != nil {
		amount, ok := spending(facts, b.Currency)
		if !ok {
			return bus.Phrase("There is a grant for this, but its budget is in another currency."), nil
		}
		if amount > b.Amount-g.Spent {
			return bus.Phrase("There is a grant for this, but the amount is more than the rest of its budget."), nil
		}
	}
	return why, nil
}

// factAmount is the fact that counts against a budget.
const factAmount = "amount"

// spending returns the amount that a call uses of a budget, in minor units and without its sign.
func spending(facts map[string]any, currency string) (n int64, ok bool) {
	q, ok := moneyOf(facts[factAmount])
	if !ok || q.currency != currency || !q.n.IsInt() || !q.n.Num().IsInt64() {
		return n, false
	}
	n = q.n.Num().Int64()
	return max(n, -n), n != -n || n == 0
}

// cost returns the amount that the call uses of the grant's budget, in minor units; 0 without a budget.
func (g *grant) cost(facts map[string]any) (amount int64) {
	if b := g.Limits.Budget; b != nil {
		amount, _ = spending(facts, b.Currency) // covers checked that it has one
	}
	return amount
}

// reserve records one use of a grant in the transaction of ctx, or in a new one. It returns [bus.ErrVoid] if the grant
// no longer covers the call.
func (p *Policy) reserve(ctx context.Context, id string, req *bus.ApprovalRequest, facts map[string]any) error {
	now := p.o.Clock()
	return p.o.Log.UpdateBridge(ctx, func(ctx context.Context) error {
		g, err := stored.One(ctx, p.o.Log, scanGrant, grantColumns+`WHERE id = $1`, id)
		if err != nil || g == nil {
			return cmp.Or(err, bus.ErrVoid)
		}
		if why, err := g.covers(req, facts, now); err != nil || !why.IsZero() {
			return cmp.Or(err, bus.ErrVoid)
		}
		return p.o.Log.Exec(ctx,
			`INSERT INTO agent_grant_uses (grant_id, request_id, amount, at) VALUES ($1, $2, $3, $4)`,
			id, req.Invocation.RequestID, g.cost(facts), now.UnixMilli())
	})
}

// grantsCount reports whether a grant may answer for the person. It gives their consent, never a right that they lack,
// and none in a conversation that asks first.
func grantsCount(x *Provenance, req *bus.ApprovalRequest) bool {
	by := req.Invocation.Caller.Type
	return req.Refused == nil && x.Autonomy() != AskFirst && (by == bus.CallerAgent || by == bus.CallerSchedule) &&
		!alwaysAsked(req.Capability)
}

// granted looks for a grant that covers a call. Without one the decision is not Allowed, and why tells the reason if
// there are grants.
func (p *Policy) granted(ctx context.Context, x *Provenance, req *bus.ApprovalRequest, facts map[string]any) (
	none bus.Decision, why bus.Text, err error,
) {
	list, err := p.grantsFor(ctx, req.Invocation.Principal, req.Capability.Name)
	if err != nil {
		return none, why, err
	}
	g, why, err := answering(list, x, req, facts, p.o.Clock())
	if g == nil {
		return none, why, err
	}
	return bus.Decision{Allowed: true, Answer: bus.AnswerGrant, GrantID: g.ID, By: "grant " + g.ID,
		Reserve: func(ctx context.Context) error { return p.reserve(ctx, g.ID, req, facts) }}, why, nil
}

// answering returns the first grant in list that covers a call, nil for none. Then why tells the reason if there are
// grants.
func answering(list []grant, x *Provenance, req *bus.ApprovalRequest, facts map[string]any, now time.Time) (
	found *grant, why bus.Text, err error) {
	if len(list) == 0 {
		return nil, why, nil
	}
	if why := taintOf(x, req.Capability); !why.IsZero() {
		return nil, bus.Textf("%s So no grant counts here.", why), nil
	}
	for i := range list {
		g := &list[i]
		no, err := g.covers(req, facts, now)
		if err != nil {
			return nil, why, err
		}
		if no.IsZero() {
			return g, bus.Text{}, nil
		}
		if why.IsZero() || g.statusAt(now) == GrantActive {
			why = no
		}
	}
	return nil, why, nil
}

// grantStatus returns the status of an assistant's grants for a capability, "" if there are none.
func (p *Policy) grantStatus(ctx context.Context, c *bus.Capability, who bus.Principal) (string, error) {
	list, err := p.grantsFor(ctx, who, c.Name)
	if err != nil {
		return "", err
	}
	now := p.o.Clock()
	if i := slices.IndexFunc(list, func(g grant) bool { return g.statusAt(now) == GrantActive }); i >= 0 {
		return GrantActive, nil
	}
	if wished, err := p.requestStatus(ctx, who, c.Name); err != nil || wished != "" || len(list) == 0 {
		return wished, err
	}
	return list[0].statusAt(now), nil
}
