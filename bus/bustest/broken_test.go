package bustest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// door changes the input or output of a bus.
type door func(ctx context.Context, b *bus.Bus, inv bus.Invocation) bus.Result

// changed is a door that changes invocations.
func changed(change func(*bus.Invocation)) door {
	return func(ctx context.Context, b *bus.Bus, inv bus.Invocation) bus.Result {
		change(&inv)
		return b.Invoke(ctx, inv)
	}
}

// lying is a door that gives another answer to one kind of error.
func lying(code bus.Code, reason bus.Reason, lie func(*bus.Result)) door {
	return func(ctx context.Context, b *bus.Bus, inv bus.Invocation) bus.Result {
		r := b.Invoke(ctx, inv)
		if r.Err != nil && r.Err.Code == code && r.Err.Reason == reason {
			e := *r.Err
			r.Err = &e
			lie(&r)
		}
		return r
	}
}

func praise(r *bus.Result) {
	*r = bus.Result{Status: "success", RequestID: r.RequestID, Data: json.RawMessage(`{"count":1}`)}
}

// spoilt is put with another handler around its own.
func spoilt(h func(ctx context.Context, call *bus.Call, h handler) (json.RawMessage, error)) bus.Capability {
	c := put()
	own := c.Handler
	c.Handler = func(ctx context.Context, call *bus.Call) (json.RawMessage, error) { return h(ctx, call, own) }
	return c
}

// journal is a journal in memory that does one thing wrong.
type journal struct {
	bustest.Journal
	do     func(j *bustest.Journal, ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error
	dryRun func(j *bustest.Journal, ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error
	record func(j *bustest.Journal, ctx context.Context, e *bus.Entry) error
	lookup func(j *bustest.Journal, ctx context.Context, k bus.Key) (*bus.Stored, error)
}

func (j *journal) Do(ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
	if j.do != nil {
		return j.do(&j.Journal, ctx, e, run)
	}
	return j.Journal.Do(ctx, e, run)
}

func (j *journal) DryRun(ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
	if j.dryRun != nil {
		return j.dryRun(&j.Journal, ctx, e, run)
	}
	return j.Journal.DryRun(ctx, e, run)
}

func (j *journal) Record(ctx context.Context, e *bus.Entry) error {
	if j.record != nil {
		return j.record(&j.Journal, ctx, e)
	}
	return j.Journal.Record(ctx, e)
}

func (j *journal) Lookup(ctx context.Context, k bus.Key) (*bus.Stored, error) {
	if j.lookup != nil {
		return j.lookup(&j.Journal, ctx, k)
	}
	return j.Journal.Lookup(ctx, k)
}

// brokenRule is a definition, a journal or a door that breaks a rule.
type brokenRule struct {
	rule       string
	capability bus.Capability // put, when it has no name
	journal    *journal
	door       door
}

// TestEachBrokenRuleIsFoundAndNamed breaks every rule at least once, by a bad
// capability, a bad journal or a bad door.
func TestEachBrokenRuleIsFoundAndNamed(t *testing.T) {
	var outside atomic.Int64 // a state no journal knows of
	cases := map[string]brokenRule{
		"a hint that names nothing": {rule: "definition", capability: hinting("Invoke shelf.claer.")},
		"a capability that cannot succeed": {rule: "arguments",
			capability: spoilt(func(context.Context, *bus.Call, handler) (json.RawMessage, error) {
				return nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Never.")
			})},
		"a door that mends arguments": {rule: "invalid input", door: changed(func(inv *bus.Invocation) {
			var in putIn
			if json.Unmarshal(inv.Arguments, &in) != nil || in.ID == "" {
				inv.Arguments = json.RawMessage(`{"id":"x","count":1}`)
			}
		})},
		"a door that keeps the violations to itself": {rule: "invalid input",
			door: lying(bus.Validation, bus.ReasonArguments, func(r *bus.Result) { r.Err.Violations = nil })},
		"a door that takes every version": {rule: "version",
			door: changed(func(inv *bus.Invocation) { inv.MinVersion = "" })},
		"an output that breaks its schema": {rule: "output schema",
			capability: spoilt(func(ctx context.Context, call *bus.Call, h handler) (json.RawMessage, error) {
				_, err := h(ctx, call)
				return json.RawMessage(`{"count":"many"}`), err
			})},
		"a door that drops the output": {rule: "output schema",
			door: func(ctx context.Context, b *bus.Bus, inv bus.Invocation) bus.Result {
				r := b.Invoke(ctx, inv)
				r.Data = nil
				return r
			}},
		"a door where everybody may everything": {rule: "permission",
			door: changed(func(inv *bus.Invocation) { inv.Principal.Scopes = []string{"*"} })},
		"a door that calls agents people": {rule: "access", capability: hidden(),
			door: changed(func(inv *bus.Invocation) { inv.Caller.Type = bus.CallerUI })},
		"a door that confirms by itself": {rule: "access", door: lying(bus.Forbidden, bus.ReasonDeclined, praise)},
		"a door that ignores conditions": {rule: "condition",
			door: lying(bus.PreconditionFailed, bus.ReasonCondition, praise)},
		"a door that ignores requirements": {rule: "condition",
			door: lying(bus.PreconditionFailed, bus.ReasonUnavailable, praise)},
		"a door that ignores preconditions": {rule: "precondition",
			door: lying(bus.PreconditionFailed, bus.ReasonPrecondition, praise)},
		"a door that keeps hints to itself": {rule: "precondition",
			door: lying(bus.PreconditionFailed, bus.ReasonPrecondition, func(r *bus.Result) { r.Err.Hint = "" })},
		"a door that knows no rate": {rule: "rate limit", door: lying(bus.Transient, bus.ReasonRateLimit, praise)},
		"a door that says only no": {rule: "rate limit", door: lying(bus.Transient, bus.ReasonRateLimit,
			func(r *bus.Result) { r.Err.RetryAfter = 0 })},
		"a door with a bus for each call": {rule: "exclusivity",
			door: func(ctx context.Context, b *bus.Bus, inv bus.Invocation) bus.Result {
				own := bus.New(b.Options())
				for _, c := range b.Capabilities() {
					own.MustRegister(*c)
				}
				return own.Invoke(ctx, inv)
			}},
		"a door that drops keys": {rule: "idempotent replay",
			door: changed(func(inv *bus.Invocation) { inv.IdempotencyKey = "" })},
		"a door that drops dry runs": {rule: "dry run", door: changed(func(inv *bus.Invocation) {
			if inv.DryRun {
				inv.DryRun, inv.IdempotencyKey = false, ""
			}
		})},
		"a journal that forgets keys": {rule: "idempotent replay", journal: &journal{
			lookup: func(*bustest.Journal, context.Context, bus.Key) (*bus.Stored, error) { return nil, nil },
			do: func(j *bustest.Journal, ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
				key := e.Key
				e.Key = nil
				defer func() { e.Key = key }()
				return j.Do(ctx, e, run)
			}}},
		"a journal whose dry runs stay": {rule: "dry run", journal: &journal{
			dryRun: func(j *bustest.Journal, ctx context.Context, e *bus.Entry,
				run func(context.Context, bus.Exec) error) error {
				wet := *e
				wet.Invocation.RequestID += " dry"
				return j.Do(ctx, &wet, run)
			}}},
		"a handler that writes elsewhere": {rule: "dry run",
			capability: spoilt(func(ctx context.Context, call *bus.Call, h handler) (json.RawMessage, error) {
				outside.Add(1)
				return h(ctx, call)
			})},
		"a door that cannot be found again": {rule: "cancellation",
			door: changed(func(inv *bus.Invocation) { inv.RequestID += "x" })},
		"a door that makes up an answer": {rule: "timeout", door: lying(bus.Transient, bus.ReasonTimeout, praise)},
		"a journal that keeps what failed": {rule: "all or nothing", journal: &journal{
			do: func(j *bustest.Journal, ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
				return j.Do(ctx, e, func(ctx context.Context, x bus.Exec) error {
					if err := run(ctx, x); errors.Is(err, bus.ErrDiscard) {
						return err
					}
					return nil
				})
			}}},
		"an eighth code": {rule: "codes", door: lying(bus.Forbidden, bus.ReasonPermission,
			func(r *bus.Result) { r.Err.Code = "TEAPOT" })},
		"a refusal without words": {rule: "codes", door: lying(bus.Forbidden, bus.ReasonPermission,
			func(r *bus.Result) { r.Err.Message = "" })},
		"half an answer": {rule: "codes", door: lying(bus.Forbidden, bus.ReasonPermission,
			func(r *bus.Result) { r.Status = "success" })},
		"a handler without codes": {rule: "codes",
			capability: spoilt(func(context.Context, *bus.Call, handler) (json.RawMessage, error) {
				return nil, errors.New("it broke")
			})},
		"a handler with an eighth code": {rule: "codes",
			capability: spoilt(func(context.Context, *bus.Call, handler) (json.RawMessage, error) {
				return nil, bus.Errorf("TEAPOT", "short", "I am a teapot.")
			})},
		"a journal that loses refusals": {rule: "one record", journal: &journal{
			record: func(*bustest.Journal, context.Context, *bus.Entry) error { return nil }}},
		"a journal that writes twice": {rule: "one record", journal: &journal{
			record: func(j *bustest.Journal, ctx context.Context, e *bus.Entry) error {
				return errors.Join(j.Record(ctx, e), j.Record(ctx, e))
			}}},
		"a door that tries again": {rule: "one record", door: func(ctx context.Context, b *bus.Bus,
			inv bus.Invocation) bus.Result {
			if r := b.Invoke(ctx, inv); r.OK() || r.Err.Code != bus.Validation {
				return r
			}
			return b.Invoke(ctx, inv)
		}},
		"an event of no known form": {rule: "events",
			capability: spoilt(func(ctx context.Context, call *bus.Call, h handler) (json.RawMessage, error) {
				call.Notify("deafening", "Hello.")
				return h(ctx, call)
			})},
	}
	counting := spoilt(func(ctx context.Context, call *bus.Call, h handler) (json.RawMessage, error) {
		call.Summarize("Run %d", outside.Add(1))
		return h(ctx, call)
	})
	counting.SideEffect, counting.Run.RateLimit = bus.UIOnly, nil
	cases["a step that is another one each time"] = brokenRule{rule: "program", capability: counting}
	broken := map[string]bool{}
	for name, tc := range cases {
		broken[tc.rule] = true
		t.Run(name, func(t *testing.T) {
			c, j := tc.capability, tc.journal
			if c.Name == "" {
				c = put()
			}
			if j == nil {
				j = &journal{}
			}
			app := bustest.App{Bus: shelf(t, j, c, list()), Invoke: tc.door, Bodies: 60,
				Digest: func() (string, error) {
					return fmt.Sprint(j.Row("shelf", "x"), outside.Load()), nil
				},
				Records: func(id string) (int, error) {
					n := 0
					for _, e := range j.Entries() {
						if e.Invocation.RequestID == id {
							n++
						}
					}
					return n, nil
				}}
			found := bustest.Check(t.Context(), app, c.Name)
			for _, f := range found {
				if f.Rule == tc.rule {
					return
				}
			}
			t.Errorf("%q is broken and was not found, only %v", tc.rule, found)
		})
	}
	for rule := range bustest.Rules() {
		if !broken[rule] {
			t.Errorf("nothing breaks the rule %q", rule)
		}
	}
}

// hinting is put with another hint.
func hinting(hint string) bus.Capability {
	c := put()
	c.Checks.Preconditions[0].Hint = hint
	return c
}

// hidden is put where no agent sees it.
func hidden() bus.Capability {
	c := put()
	c.Assistant.Hidden = true
	return c
}

func TestASchemaThatIsCompiledLateIsFoundBeforeItRefusesEverything(t *testing.T) {
	o, _, _ := bustest.Options()
	o.CompileLate = true
	b := bus.New(o)
	c := send()
	c.InputSchema = json.RawMessage(`{"type":"object","properties":{"to":{"minLength":"x"}}}`)
	b.MustRegister(c)
	found := bustest.Check(t.Context(), bustest.App{Bus: b, Bodies: 1}, c.Name)
	if len(found) != 1 || found[0].Rule != "definition" {
		t.Errorf("%v", found)
	}
}

// handler is the type of [bus.Capability.Handler].
type handler = func(ctx context.Context, call *bus.Call) (json.RawMessage, error)
