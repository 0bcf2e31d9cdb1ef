package transcript

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// application is the description at the start of a file: named state, and capabilities over it.
type application struct {
	Name         string           `json:"name"`
	Version      string           `json:"version"`
	Clock        int64            `json:"clock"` // ms since 1970
	Person       person           `json:"person"`
	State        map[string]any   `json:"state"`
	Conditions   map[string]check `json:"conditions"`
	Window       int64            `json:"idempotency_window_ms"`
	Own          []string         `json:"own"` // capabilities that any application can have, such as plan.propose
	Capabilities []definition     `json:"capabilities"`
}

type person struct {
	ID     string   `json:"id"`
	Scopes []string `json:"scopes"`
}

// check is a condition with the error of an unmet one.
type check struct {
	Name    string `json:"name"`
	Holds   any    `json:"holds"`
	Message string `json:"message"`
	Hint    string `json:"recovery_hint"`
}

// definition is a capability. Its fields have the names of a manifest, except for its effects.
type definition struct {
	Name             string            `json:"name"`
	Title            string            `json:"title"`
	Description      string            `json:"description"`
	Version          string            `json:"version"`
	Type             bus.Type          `json:"type"`
	InputSchema      json.RawMessage   `json:"input_schema"`
	OutputSchema     json.RawMessage   `json:"output_schema"`
	SideEffect       bus.SideEffect    `json:"side_effect"`
	Permissions      []string          `json:"permissions"`
	Access           bus.Access        `json:"access"`
	Preconditions    []check           `json:"preconditions"`
	Requires         []string          `json:"requires"`
	Available        *check            `json:"available"`
	Limit            *check            `json:"limit"`
	Concurrency      bus.Concurrency   `json:"concurrency"`
	QueueDepth       int               `json:"queue_depth"`
	RateLimit        *rate             `json:"rate_limit"`
	TimeoutMS        int64             `json:"timeout_ms"`
	RetryPolicy      *bus.RetryPolicy  `json:"retry_policy"`
	Idempotent       bool              `json:"idempotent"`
	KeepResult       bool              `json:"keep_result"`
	AgentVisible     *bool             `json:"agent_visible"`
	AgentOnly        bool              `json:"agent_only"`
	Passive          bool              `json:"passive"`
	Public           bool              `json:"public"`
	Routes           []string          `json:"routes"`
	Tags             []string          `json:"tags"`
	Changes          []string          `json:"changes"`
	Facts            []string          `json:"facts"`
	Grantable        []string          `json:"grantable"`
	Reversible       bool              `json:"reversible"`
	Resources        []string          `json:"resources"`
	CostEstimate     map[string]string `json:"cost_estimate"`
	ExecutionContext string            `json:"execution_context"`

	Does    []op `json:"does"`
	Preview []op `json:"preview"`
}

type rate struct {
	Requests int   `json:"requests"`
	PeriodMS int64 `json:"period_ms"`
	Burst    int   `json:"burst"`
}

// running is a bus with an application on it.
type running struct {
	b       *bus.Bus
	journal *bustest.Journal
	clock   *bustest.Clock
	person  person
	world   *world
	answers []answer
	cards   []*bus.Preview
	changed []bool // of a card: an earlier approval was void
	events  *bus.Subscription
	names   map[string]bool // of the state
	seen    int             // records shown, or made before the start

	begun   map[string]chan bus.Result
	waiting chan string
}

// start makes a bus of a description.
func start(description []byte) (*running, error) {
	var a application
	d := json.NewDecoder(bytes.NewReader(description))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(&a); err != nil {
		return nil, err
	}
	o, j, clock := bustest.Options()
	r := &running{journal: j, clock: clock, person: a.Person, names: map[string]bool{},
		begun:   map[string]chan bus.Result{},
		waiting: make(chan string, 16), world: &world{times: map[string]int64{}, gates: map[string]chan struct{}{}}}
	if a.Clock != 0 {
		clock.Advance(time.UnixMilli(a.Clock).Sub(clock.Now()))
	}
	o.Name, o.Version, o.IdempotencyWindow, o.Approver = a.Name, a.Version, ms(a.Window), r
	o.Conditions = map[string]func(context.Context, *bus.Call) error{}
	for name, c := range a.Conditions {
		o.Conditions[name] = r.check(c, bus.ReasonCondition)
	}
	r.b = bus.New(o)
	var caps []bus.Capability
	for i := range a.Capabilities {
		caps = append(caps, r.capability(&a.Capabilities[i]))
	}
	for _, c := range bus.Capabilities() {
		if slices.Contains(a.Own, c.Name) {
			caps = append(caps, c)
		}
	}
	if err := errors.Join(r.b.Register(caps...), r.b.Check()); err != nil {
		return nil, err
	}
	r.events = r.b.Subscribe()
	return r, r.set(a.State)
}

// set changes the state from outside of the bus.
func (r *running) set(state map[string]any) error {
	err := r.journal.Do(context.Background(), &bus.Entry{Kind: outside}, func(ctx context.Context, _ bus.Exec) error {
		s := scope{ctx: ctx}
		for name, value := range state {
			r.names[name] = true
			if err := s.set(name, plain(value)); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// state is the whole of the state.
func (r *running) state() map[string]any {
	all := map[string]any{}
	for name := range r.names {
		if row := r.journal.Row(table, name); row != nil {
			all[name] = row["value"]
		}
	}
	return all
}

func (r *running) scope(ctx context.Context, call *bus.Call) *scope {
	return &scope{ctx: ctx, call: call, world: r.world, arrived: func(id string) {
		select {
		case r.waiting <- id:
		default:
		}
	}}
}

// check makes the function of a check.
func (r *running) check(c check, reason bus.Reason) func(context.Context, *bus.Call) error {
	c.Holds = plain(c.Holds)
	return func(ctx context.Context, call *bus.Call) error {
		holds, err := r.scope(ctx, call).holds(c.Holds)
		switch {
		case err != nil || holds:
			return err
		case reason == bus.ReasonPrecondition || c.Message == "":
			return bus.ErrUnmet
		case reason == bus.ReasonLimit:
			return bus.Errorf(bus.Forbidden, reason, "%s", c.Message)
		}
		e := bus.Errorf(bus.PreconditionFailed, reason, "%s", c.Message)
		if c.Hint != "" {
			e = e.WithHint("%s", c.Hint)
		}
		return e
	}
}

func (r *running) capability(d *definition) bus.Capability {
	for i := range d.Does {
		r.names[cmp.Or(d.Does[i].Set, d.Does[i].Add, d.Does[i].Append)] = true
	}
	plainOps(d.Does)
	plainOps(d.Preview)
	does := func(ops []op) func(context.Context, *bus.Call) (json.RawMessage, error) {
		return func(ctx context.Context, call *bus.Call) (json.RawMessage, error) { return r.scope(ctx, call).run(ops) }
	}
	c := bus.Capability{Name: d.Name, Title: cmp.Or(d.Title, d.Name), Description: cmp.Or(d.Description, d.Name),
		Version: d.Version, Type: d.Type, InputSchema: d.InputSchema, OutputSchema: d.OutputSchema,
		SideEffect: d.SideEffect, Permissions: d.Permissions, Resources: d.Resources, Facts: d.Facts,
		Reversible: d.Reversible, Changes: d.Changes,
		Listing: bus.Listing{Passive: d.Passive, Public: d.Public, Routes: d.Routes, Tags: d.Tags},
		Checks:  bus.Checks{Access: d.Access, Requires: d.Requires},
		Run: bus.Run{Concurrency: d.Concurrency, QueueDepth: d.QueueDepth, Timeout: ms(d.TimeoutMS), Retry: d.RetryPolicy,
			Idempotent: d.Idempotent, KeepResult: d.KeepResult, CostEstimate: d.CostEstimate,
			ExecutionContext: d.ExecutionContext},
		Assistant: bus.Assistant{Hidden: d.AgentVisible != nil && !*d.AgentVisible, Only: d.AgentOnly,
			Grantable: d.Grantable},
		Handler: does(d.Does)}
	if d.RateLimit != nil {
		c.Run.RateLimit = &bus.RateLimit{Requests: d.RateLimit.Requests, Period: ms(d.RateLimit.PeriodMS),
			Burst: d.RateLimit.Burst}
	}
	if d.Resources == nil {
		c.Resources = []string{"database:write"}
		if d.SideEffect == bus.Pure || d.SideEffect == bus.Network {
			c.Resources = []string{"database:read"}
		}
	}
	if d.SideEffect == bus.Network {
		c.Run.Preview = does(d.Preview)
	}
	for _, p := range d.Preconditions {
		c.Checks.Preconditions = append(c.Checks.Preconditions, bus.Precondition{Name: p.Name, Message: p.Message,
			Hint: p.Hint, Check: r.check(p, bus.ReasonPrecondition)})
	}
	if d.Available != nil {
		c.Checks.Available = r.check(*d.Available, bus.ReasonUnavailable)
	}
	if d.Limit != nil {
		c.Checks.Limit = r.check(*d.Limit, bus.ReasonLimit)
	}
	return c
}

// plainOps gives the numbers in effects one form.
func plainOps(ops []op) {
	for i := range ops {
		o := &ops[i]
		for _, v := range []*any{&o.When, &o.To, &o.By, &o.Value, &o.Return, &o.Summarize} {
			*v = plain(*v)
		}
		if o.Change != nil {
			for n := range o.Change.IDs {
				o.Change.IDs[n] = plain(o.Change.IDs[n])
			}
		}
	}
}

// answer is the answer of a person to a card, with calls that come before it.
type answer struct {
	Answer    bus.Answer      `json:"answer"`
	Reason    string          `json:"reason"`
	Arguments json.RawMessage `json:"arguments"`
	Meanwhile json.RawMessage `json:"meanwhile"` // an invocation of the person's
}

// Authorize uses the access rules, like a bus without policy.
func (r *running) Authorize(_ context.Context, req *bus.ApprovalRequest) (bus.Decision, error) {
	rule := req.Capability.Checks.Access.Agent
	if rule == "" {
		rule = bus.RuleConfirm
		if e := req.Capability.SideEffect; e == bus.Pure || e == bus.UIOnly {
			rule = bus.RuleAllow
		}
	}
	return bus.Decision{Rule: rule, By: "access"}, nil
}

// Approve takes the next answer; without one no person is there.
func (r *running) Approve(ctx context.Context, req *bus.ApprovalRequest, p *bus.Preview) (bus.Decision, error) {
	if len(r.answers) == 0 {
		return bus.Decision{Answer: bus.AnswerNobody}, nil
	}
	r.cards, r.changed = append(r.cards, p), append(r.changed, req.Changed != nil)
	a := r.answers[0]
	r.answers = r.answers[1:]
	if a.Meanwhile != nil {
		if res := r.invoke(ctx, a.Meanwhile); !res.OK() {
			return bus.Decision{}, fmt.Errorf("meanwhile: %w", res.Err)
		}
	}
	d := bus.Decision{Answer: a.Answer, Reason: a.Reason, Arguments: a.Arguments, By: r.person.ID,
		Allowed: a.Answer == bus.AnswerAllow || a.Answer == bus.AnswerEdit}
	return d, nil
}

// invoke is a line of the wire.
func (r *running) invoke(ctx context.Context, line []byte) bus.Result {
	return r.b.InvokeJSON(ctx, line, func(inv *bus.Invocation) {
		inv.Caller.Type = cmp.Or(inv.Caller.Type, bus.CallerCLI)
		inv.Principal = bus.Principal{ID: r.person.ID, Scopes: r.person.Scopes, Door: "test"}
	})
}

const (
	outside  = "outside" // the kind of a record that is none: the state was changed from outside of the bus
	settling = 30 * time.Millisecond
)
