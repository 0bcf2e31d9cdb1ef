package bus

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// The names of the capabilities of discovery. A model that sees only some of the tools reaches the others with them.
// Put names that describe returned into [View.Keep].
const (
	nameList     = "capability.list"
	nameDescribe = "capability.describe"
	nameNames    = "entity.names"
	namePlan     = "plan.propose"
	nameRepeat   = "plan.repeat"
)

// Capabilities returns the capabilities that suit any application. capability.list and capability.describe list the
// registered capabilities: for a person the permitted ones, for an agent all visible to agents together with the
// expected treatment of a call, and without a signed-in person the public ones. entity.names names records by their ids
// (see [Bus.Names]). The fourth is plan.propose. Register them like any other:
//
//	b.MustRegister(bus.Capabilities()...)
//
// With plan.propose an agent has several changes done as one. A person sees all of them together, each with its effect
// after the previous ones, and allows all or none. They run in one transaction, as one invocation with one record.
// Every step is validated and authorised like a separate call, and its capability's checks run when its turn comes. A
// step that cannot be undone must be grantable. A person may also call plan.propose, for example for several
// suggestions of an agent, and sees the same card.
//
// A plan with a step that reaches outside cannot be a single transaction. It is also shown and allowed as one, but its
// steps are separate invocations, which run in order up to the first failure. No later step can refer to the result of
// an outside step, because that result is unknown at the time of approval.
func Capabilities() []Capability {
	list := Define(Capability{
		Name: nameList, Texts: texts,
		SideEffect: Pure, Type: TypeData,
		Resources: []string{"database:read"},
		Listing:   Listing{Category: "discovery", Public: true},
		Checks:    Checks{Access: Access{Agent: RuleAllow}},
	}, onBus((*Bus).list))
	describe := Define(Capability{
		Name: nameDescribe, Texts: texts,
		SideEffect: Pure, Type: TypeData,
		Resources: []string{"database:read"}, OutputSchema: describedSchema(),
		Listing: Listing{Category: "discovery", Public: true},
		Checks:  Checks{Access: Access{Agent: RuleAllow}},
	}, onBus((*Bus).describe))
	names := Define(Capability{
		Name: nameNames, Texts: texts,
		SideEffect: Pure, Type: TypeData,
		Resources: []string{"database:read"},
		Listing:   Listing{Category: "discovery", Passive: true},
		Checks:    Checks{Access: Access{Agent: RuleDeny}},
		Assistant: Assistant{Hidden: true},
	}, onBus((*Bus).names))
	plan := Define(Capability{
		Name: namePlan, Texts: texts,
		SideEffect: UIOnly, Permissions: []string{"plan:write"},
		Resources: []string{"database:write"}, Facts: []string{"steps"}, Reversible: true,
		Listing: Listing{Category: "assistant"},
		Checks:  Checks{Access: Access{User: RuleConfirm, Agent: RuleConfirm}},
	}, onBus((*Bus).executePlan))
	again := Define(Capability{
		Name: nameRepeat, Texts: texts,
		SideEffect: Destructive, Permissions: []string{"plan:write"},
		Resources: []string{"database:write"}, Facts: []string{"steps", "left"}, Reversible: true,
		Listing: Listing{Category: "assistant"},
		Checks:  Checks{Access: Access{User: RuleConfirm, Agent: RuleConfirm}},
	}, onBus((*Bus).executeRepeat))
	plan.plan, again.plan = true, true
	return []Capability{list, describe, names, plan, again}
}

// onBus makes a handler from a method of the call's bus.
func onBus[In, Out any](do func(b *Bus, ctx context.Context, call *Call, in In) (Out, error),
) func(context.Context, *Call, In) (Out, error) {
	return func(ctx context.Context, call *Call, in In) (Out, error) { return do(call.b, ctx, call, in) }
}

type listInput struct {
	Query  string `json:"query,omitempty" jsonschema:"title=Search for,maxLength=200"`
	Type   Type   `json:"type,omitempty" jsonschema:"title=Type,enum=action,enum=data,enum=state,enum=control,enum=status"`
	Cursor string `json:"cursor,omitempty" jsonschema:"maxLength=600"`
	Limit  int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=100,default=20"`
}

type listOutput struct {
	Capabilities []listed `json:"capabilities"`
	NextCursor   string   `json:"next_cursor,omitempty"`
	HasMore      bool     `json:"has_more"`
}

type listed struct {
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Type        Type   `json:"type"`
	GrantStatus string `json:"grant_status,omitempty"`
}

func (b *Bus) list(ctx context.Context, call *Call, in listInput) (listOutput, error) {
	l := b.listed.Load()
	after, err := l.readCursor(in)
	if err != nil {
		return listOutput{}, err
	}
	view := discoverable(call)
	found := l.page(in, after, func(at int) bool {
		c := l.caps[at]
		return view.sees(&c.sight) && (in.Type == "" || in.Type == c.Type)
	})
	out := listOutput{Capabilities: []listed{}, HasMore: len(found) > in.Limit}
	if out.HasMore {
		found = found[:in.Limit]
		out.NextCursor = l.cursor(in, found[len(found)-1])
	}
	for _, h := range found {
		c := l.caps[h.at]
		status, err := b.grantStatus(ctx, c, call)
		if err != nil {
			return out, err
		}
		out.Capabilities = append(out.Capabilities, listed{c.Name, c.Title, c.Description, c.Type, status})
	}
	return out, nil
}

// Relevant returns the names of up to n capabilities of a view that may match a sentence, best match first. It ranks
// like capability.list.
func (b *Bus) Relevant(v View, sentence string, n int) (names []string) {
	l := b.listed.Load()
	for _, h := range l.find().search(sentence, n, nil, func(at int) bool { return v.sees(&l.sights[at]) }) {
		names = append(names, l.caps[h.at].Name)
	}
	return names
}

// discoverable returns the view of all capabilities that a caller may find. For an agent these are more than it is
// offered.
func discoverable(call *Call) View {
	if call.caller == CallerAgent {
		return View{Caller: CallerAgent}
	}
	return View{Caller: call.caller, Principal: call.Person}
}

// page returns one hit more than the limit, to show whether further ones exist.
func (l *listing) page(in listInput, after *hit, keep func(at int) bool) []hit {
	if strings.TrimSpace(in.Query) != "" {
		return l.find().search(in.Query, in.Limit+1, after, keep)
	}
	var found []hit
	next := 0
	if after != nil {
		next = after.at + 1
	}
	for at := next; at < len(l.caps) && len(found) <= in.Limit; at++ {
		if keep(at) {
			found = append(found, hit{at: at})
		}
	}
	return found
}

// position is the content of a cursor: the last capability of a page, and a digest of the query, because the position
// is valid only for that query.
type position struct {
	Asked string `json:"q"`
	Score uint64 `json:"s"`
	Name  string `json:"n"`
}

func asked(in listInput) string {
	sum := sha256.Sum256([]byte(string(in.Type) + "\x00" + in.Query))
	return base64.RawURLEncoding.EncodeToString(sum[:6])
}

func (l *listing) cursor(in listInput, last hit) string {
	raw, _ := json.Marshal(position{asked(in), math.Float64bits(last.score), l.caps[last.at].Name})
	return base64.RawURLEncoding.EncodeToString(raw)
}

func (l *listing) readCursor(in listInput) (*hit, error) {
	if in.Cursor == "" {
		return nil, nil
	}
	var p position
	raw, err := base64.RawURLEncoding.DecodeString(in.Cursor)
	if err == nil {
		err = json.Unmarshal(raw, &p)
	}
	at, known := l.at[p.Name]
	if err != nil || !known || p.Asked != asked(in) {
		return nil, Errorf(Validation, ReasonArguments, "The cursor does not belong to this question.").
			WithHint("Ask again without a cursor.")
	}
	return &hit{at, math.Float64frombits(p.Score)}, nil
}

type describeInput struct {
	Name string `json:"name" jsonschema:"title=Capability,minLength=1,maxLength=200"`
}

type described struct {
	ManifestEntry
	GrantStatus string `json:"grant_status,omitempty"`
}

func (b *Bus) describe(ctx context.Context, call *Call, in describeInput) (described, error) {
	l := b.listed.Load()
	at, known := l.at[in.Name]
	if !known {
		at = slices.IndexFunc(l.caps, func(c *registered) bool { return toolName(c.Name) == in.Name })
	}
	if at < 0 || !discoverable(call).sees(&l.sights[at]) {
		e := Errorf(NotFound, ReasonCapability, "There is no capability %q.", in.Name)
		return described{}, e.WithHint("Invoke %s to see what there is.", nameList)
	}
	c := l.caps[at]
	out := described{ManifestEntry: *c.entry()}
	now := b.stateOf(ctx, c, &Call{Capability: &c.Capability, Arguments: json.RawMessage("{}"), Person: call.Person, b: b,
		Now: call.Now, seed: call.seed})
	now.describe(&out.ManifestEntry)
	var err error
	out.GrantStatus, err = b.grantStatus(ctx, c, call)
	return out, err
}

// describedSchema returns the published schema of a manifest entry with the grant's status.
func describedSchema() json.RawMessage {
	var published struct {
		Defs map[string]map[string]any `json:"$defs"`
	}
	_ = json.Unmarshal(manifestSchema, &published) // it is embedded
	entry := published.Defs["entry"]
	entry["properties"].(map[string]any)["grant_status"] = map[string]any{"type": "string"}
	delete(published.Defs, "entry")
	entry["$defs"] = published.Defs
	raw, err := json.Marshal(entry)
	if err != nil {
		panic(fmt.Sprintf("bus: the schema of %s: %v", nameDescribe, err))
	}
	return raw
}

// grantStatus returns the expected treatment of an agent's call, or "" for people. A call without the person's right is
// forbidden, unless a second approver could allow it.
func (b *Bus) grantStatus(ctx context.Context, c *registered, call *Call) (string, error) {
	if call.caller != CallerAgent {
		return "", nil
	}
	status, err := b.statusByRule(ctx, c, call.Person)
	r := &run{b: b, cap: c, inv: Invocation{Capability: c.Name, Principal: call.Person,
		Caller: Caller{Type: CallerAgent}}}
	if err != nil || status == string(RuleDeny) || call.Person.ID == "" ||
		!errors.As(c.checkScopes(call.Person), &r.needsApprover) {
		return status, err
	}
	var able []Principal
	if r.takesSecondApprover() {
		able, err = r.askApprovers(ctx, func(p Principal) bool { return c.checkScopes(call.Person.with(p.Scopes)) == nil })
	}
	if len(able) > 0 {
		return string(RuleConfirm), err
	}
	if e := (*Error)(nil); errors.As(err, &e) && e.lacksRight() {
		err = nil // the refusal is the status
	}
	return string(RuleDeny), err
}

// statusByRule returns the status from policy, or else from the access rules.
func (b *Bus) statusByRule(ctx context.Context, c *registered, person Principal) (string, error) {
	if teller, ok := b.o.Approver.(grantTeller); ok {
		return teller.GrantStatus(ctx, &c.Capability, person)
	}
	if rule := defaultRule(c.Checks.Access.Agent, c.SideEffect); rule != RuleAllow {
		return string(rule), nil
	}
	return "granted", nil
}
