package policy

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/deskhand/deskhand/agent/internal/stored"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
	"github.com/invopop/jsonschema"
)

// JSONSchema implements an interface of the schema reflector. The schema is an object with any keys, because the valid
// keys depend on the capability; [GrantTerms.normalize] checks them.
func (Constraints) JSONSchema() *jsonschema.Schema {
	most := uint64(20)
	return &jsonschema.Schema{Type: "object", AdditionalProperties: jsonschema.TrueSchema, MaxProperties: &most,
		Description: "By the name of a fact or the JSON Pointer of a field: an exact value, or an object of min, max, in " +
			`and not_in. For example {"amount": {"max": 5000}, "/quantity": {"in": [1, 2]}}.`}
}

type grantListInput struct {
	Capability string `json:"capability,omitempty" jsonschema:"maxLength=64"`
	Person     string `json:"person,omitempty" jsonschema:"maxLength=100"`
	Cursor     string `json:"cursor,omitempty" jsonschema:"maxLength=200"`
	Limit      int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=200,default=50"`
}

type grantListOutput struct {
	Grants     []grant `json:"grants" jsonschema_description:"The latest first."`
	NextCursor string  `json:"nextCursor,omitempty"`
	HasMore    bool    `json:"hasMore"`
}

type grantCreateInput struct {
	Grantee     Grantee     `json:"grantee"`
	Capability  string      `json:"capability" jsonschema:"minLength=1,maxLength=64"`
	Constraints Constraints `json:"constraints,omitempty"`
	Limits      GrantLimits `json:"limits,omitzero"`
	Until       int64       `json:"until,omitempty" jsonschema:"minimum=1" jsonschema_extras:"x-time=true"`
}

type grantRequestInput struct {
	Capability  string      `json:"capability" jsonschema:"minLength=1,maxLength=64"`
	Constraints Constraints `json:"constraints,omitempty"`
	Reason      string      `json:"reason" jsonschema:"minLength=1,maxLength=300"`
	Limits      GrantLimits `json:"limits,omitzero"`
	Until       string      `json:"until,omitempty" jsonschema:"maxLength=40"`
}

type grantIDOutput struct {
	GrantID string `json:"grantId"`
	Text    string `json:"text" jsonschema_description:"What it allows, in a sentence."`
}

type grantRevokeInput struct {
	GrantID string `json:"grantId" jsonschema:"minLength=1,maxLength=60" jsonschema_extras:"x-entity=grant"`
}

const (
	nameGrantCreate = "grant.create"
	nameRequest     = "agent.requestCapability"
	scopeGrant      = "grant:write"
	factUntil       = "until" // of a request: its end in ms since 1970

	requestPeriod = time.Hour // rate limit: ten requests of an assistant in this period
)

// grantCapabilities returns grant.list, grant.create, grant.revoke and agent.requestCapability.
func grantCapabilities(db Database, say Wording) []bus.Capability {
	base := bus.Capability{Texts: texts, SideEffect: bus.UIOnly,
		Permissions: []string{scopeGrant}, Resources: []string{"database:write"},
		Listing: bus.Listing{Category: "assistant", Group: "grant", Routes: []string{"settings"}},
		Checks:  bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}}}
	list, create, revoke, request := base, base, base, base
	list.Name, list.Type = "grant.list", bus.TypeData
	list.Entities = []bus.Entity{{Type: "grant", Title: "Grant", List: "/grants"}}
	list.SideEffect, list.Checks.Access, list.Permissions, list.Resources = bus.Pure, bus.Access{Agent: bus.RuleAllow},
		[]string{"grant:read"}, []string{"database:read"}
	list.Run.Idempotent = true
	create.Name = nameGrantCreate
	revoke.Name, revoke.Run.Idempotent = "grant.revoke", true
	request.Name, request.Assistant.Only, request.Listing.Routes = nameRequest, true, nil
	request.Changes = []string{"grant"}
	request.Facts = []string{factUntil}
	request.Checks.Access, request.Permissions, request.Run.RateLimit = bus.Access{Agent: bus.RuleConfirm},
		[]string{scopeGrant},
		&bus.RateLimit{Requests: 10, Period: requestPeriod}
	return []bus.Capability{
		bus.Define(list, func(ctx context.Context, call *bus.Call, in grantListInput) (grantListOutput, error) {
			return listGrants(ctx, db, call, in, say)
		}),
		bus.Define(create, func(ctx context.Context, call *bus.Call, in grantCreateInput) (grantIDOutput, error) {
			if in.Grantee.Person == "" {
				in.Grantee.Person = call.Person.ID
			}
			return createGrant(ctx, db, call, in, "", say)
		}),
		bus.Define(revoke, func(ctx context.Context, call *bus.Call, in grantRevokeInput) (struct{}, error) {
			return struct{}{}, revokeGrant(ctx, db, call, in.GrantID)
		}),
		bus.Define(request, func(ctx context.Context, call *bus.Call, in grantRequestInput) (grantIDOutput, error) {
			to, ok := profileOf(call.Person)
			if !ok {
				return grantIDOutput{}, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Nobody knows which assistant asks.").
					WithHint("Ask in a conversation.")
			}
			until, err := in.end(ctx, say, call.Now)
			if err != nil {
				return grantIDOutput{}, err
			}
			call.Fact(factUntil, until)
			in = in.bounded()
			return createGrant(ctx, db, call, grantCreateInput{to, in.Capability, in.Constraints, in.Limits, until}, in.Reason,
				say)
		}),
	}
}

func noCapability(name string) error {
	return bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no capability %q.", name).
		WithHint("capability.list names them.")
}

// end parses the end that a request names, in the people's time zone. A day means the end of that day.
func (in grantRequestInput) end(ctx context.Context, say Wording, now time.Time) (ms int64, err error) {
	if in.Until == "" {
		return suggestedEnd(now), nil
	}
	zone := time.UTC
	if say.Zone != nil {
		if zone, err = say.Zone(ctx); err != nil {
			return 0, err
		}
	}
	if day, err := time.ParseInLocation(time.DateOnly, in.Until, zone); err == nil {
		return day.AddDate(0, 0, 1).UnixMilli(), nil
	}
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if at, err := time.ParseInLocation(form, in.Until, zone); err == nil {
			return at.UnixMilli(), nil
		}
	}
	e := bus.Errorf(bus.Validation, bus.ReasonArguments,
		"%q is neither a day such as 2026-03-31 nor a moment such as 2026-03-31T17:00.", in.Until)
	e.Violations, e.SchemaSide = []bus.Violation{{Path: "/until", Message: e.Message}}, "request"
	return 0, e.WithHint("Correct /until and try again, or leave it out: a grant then ends in 8 hours.")
}

// bounded sets a default limit on the uses of a request that has no limit.
func (in grantRequestInput) bounded() grantRequestInput {
	if in.Limits.Uses == 0 && in.Limits.Budget == nil {
		in.Limits.Uses = suggestedUses
	}
	return in
}

func createGrant(ctx context.Context, db Database, call *bus.Call, in grantCreateInput, reason string,
	say Wording) (out grantIDOutput, err error) {
	c, known := call.Lookup(in.Capability)
	if !known {
		return out, noCapability(in.Capability)
	}
	terms, err := GrantTerms{in.Constraints, in.Limits, in.Until}.normalize(c, call.Now)
	if err != nil {
		return out, err
	}
	constraints, err := json.Marshal(terms.Constraints)
	if err != nil {
		return out, err
	}
	said, err := say.sentence(ctx, c, terms, provenanceOf(ctx))
	if err != nil {
		return out, err
	}
	g := grantIDOutput{GrantID: call.NewID("grant"), Text: said}
	l, uses, until, budget, currency := terms.Limits, any(nil), any(nil), any(nil), ""
	if l.Uses > 0 {
		uses = l.Uses
	}
	if terms.Until > 0 {
		until = terms.Until
	}
	if l.Budget != nil {
		budget, currency = l.Budget.Amount, l.Budget.Currency
	}
	err = db.Exec(ctx,
		`INSERT INTO assistant_grants (id, person, endpoint, model, capability, constraints, uses, budget, currency,
			conversation, until, reason, status, created_at, created_by)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'active', $13, $14)`,
		g.GrantID, in.Grantee.Person, in.Grantee.Endpoint, in.Grantee.Model, c.Name, string(constraints), uses, budget,
		currency, l.Conversation, until,
		text.Clean(reason, text.MaxShown), call.Now.UnixMilli(), call.Person.ID)
	call.Summarize("Let %s do without asking: %s", text.Clean(in.Grantee.Model, 80), g.Text)
	call.Announce("grant", bus.Textf("The assistant got a grant."), g.GrantID)
	return g, err
}

func revokeGrant(ctx context.Context, db Database, call *bus.Call, id string) error {
	g, err := stored.One(ctx, db, scanGrant, grantColumns+`WHERE id = $1`, id)
	switch {
	case err != nil:
		return err
	case g == nil:
		return bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such grant.").
			WithHint("grant.list shows them.")
	case g.Status == GrantRevoked:
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "It is revoked already.")
	}
	call.Summarize("Revoke the grant for %s", g.Capability)
	call.Announce("grant", bus.Textf("A grant was revoked."), id)
	return db.Exec(ctx, `UPDATE assistant_grants SET status = 'revoked', ended_at = $1, ended_by = $2 WHERE id = $3`,
		call.Now.UnixMilli(), call.Person.ID, id)
}

func listGrants(ctx context.Context, db Database, call *bus.Call, in grantListInput, say Wording) (
	out grantListOutput, err error) {
	where, args := "WHERE true", []any{}
	for _, f := range []struct{ column, value string }{{"capability", in.Capability}, {"person", in.Person}} {
		if f.value != "" {
			args = append(args, f.value)
			where += fmt.Sprint(" AND ", f.column, " = $", len(args))
		}
	}
	if in.Cursor != "" {
		args = append(args, in.Cursor)
		where += fmt.Sprint(" AND (created_at, id) < (SELECT created_at, id FROM assistant_grants WHERE id = $",
			len(args), ")")
	}
	found, err := stored.Rows(ctx, db, scanGrant, grantColumns+where+
		fmt.Sprintf(" ORDER BY created_at DESC, id DESC LIMIT $%d", len(args)+1), append(args, in.Limit+1)...)
	if err != nil {
		return out, err
	}
	if out.HasMore = len(found) > in.Limit; out.HasMore {
		found = found[:in.Limit]
		out.NextCursor = found[len(found)-1].ID
	}
	for i := range found {
		g := &found[i]
		g.Status = g.statusAt(call.Now)
		c, known := call.Lookup(g.Capability)
		if !known {
			g.Text, g.Inoperative = g.Capability, true
			continue
		}
		if g.Text, err = say.sentence(ctx, c, g.terms(), &Provenance{}); err != nil {
			return out, err
		}
		_, wrong := g.terms().normalize(c, call.Now)
		g.Inoperative = wrong != nil && g.Status == GrantActive
	}
	out.Grants = found
	return out, nil
}
