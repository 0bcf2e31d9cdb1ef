package bus_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

func TestB3APersonIsNamedWhereOneMayDoIt(t *testing.T) {
	denied := read()
	denied.Checks.Access = bus.Access{User: bus.RuleDeny, Agent: bus.RuleDeny}
	for name, tt := range map[string]struct {
		c      bus.Capability
		rule   bus.Rule
		inv    bus.Invocation
		reason bus.Reason
		hint   bool
	}{
		"an agent, by the definition": {denied, "", byAgent(call("till.read", `{}`)), bus.ReasonAgentForbidden, true},
		"an agent, by policy": {read(), bus.RuleDeny, byAgent(call("till.read", `{}`)), bus.ReasonCapabilityNotGranted,
			true},
		"an agent, by no known rule": {read(), "perhaps", byAgent(call("till.read", `{}`)),
			bus.ReasonCapabilityNotGranted, true},
		"a person": {denied, "", call("till.read", `{}`), bus.ReasonPermission, false},
	} {
		a := &approver{rule: tt.rule, code: bus.ReasonConstraint, say: yes}
		if tt.rule == bus.RuleDeny {
			a.code = ""
		}
		b, j := withApprover(t, a, tt.c)
		r := b.Invoke(t.Context(), tt.inv)
		wantError(t, r, bus.Forbidden, tt.reason)
		d := records(t, j, 1).Decision
		if (r.Err.Hint == "A person can do it by hand.") != tt.hint || d.Rule != bus.RuleDeny {
			t.Errorf("%s: hint %q, decision %+v", name, r.Err.Hint, d)
		}
	}
}

// An edit is another call: what is checked of a call is checked of it, and nothing is left of the card before.
func TestB7AnEditIsCheckedLikeACall(t *testing.T) {
	few := add()
	few.Checks.Preconditions = []bus.Precondition{{Name: "few", Check: func(_ context.Context, call *bus.Call) error {
		if strings.Contains(string(call.Arguments), "500") {
			return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Too many.")
		}
		return nil
	}}}
	for name, tt := range map[string]struct {
		c      bus.Capability
		args   string
		code   bus.Code
		reason bus.Reason
	}{
		"the limit of the person": {limitedAdd(), `{"coins":11}`, bus.Forbidden, bus.ReasonLimit},
		"a precondition":          {few, `{"coins":500}`, bus.PreconditionFailed, bus.ReasonState},
		"the schema":              {add(), `{"coins":-2}`, bus.Validation, bus.ReasonArguments},
	} {
		a := &approver{say: func(n int, p *bus.Preview) bus.Decision {
			d := yes(n, p)
			if n == 1 {
				d.Arguments = json.RawMessage(tt.args)
			}
			return d
		}}
		b, j := withApprover(t, a, tt.c)
		wantError(t, b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":7}`))), tt.code, tt.reason)
		if e := records(t, j, 1); len(a.asked) != 1 || e.Attempts != 0 || j.Row("till", "main") != nil {
			t.Errorf("%s: asked %d times, tried %d times, %v", name, len(a.asked), e.Attempts, j.Row("till", "main"))
		}
	}
	runs, c := 0, add()
	plain := c.Handler
	c.Handler = func(ctx context.Context, call *bus.Call) (json.RawMessage, error) { runs++; return plain(ctx, call) }
	a := &approver{say: func(n int, p *bus.Preview) bus.Decision {
		d := yes(n, p)
		if n == 1 {
			d.Arguments = json.RawMessage(`{"coins":2}`)
		}
		return d
	}}
	b, _ := withApprover(t, a, c)
	wantOK(t, b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":7}`))))
	if runs != 3 || a.saw[1] != nil {
		t.Errorf("%d runs, two of them previews; the second card says that %+v changed", runs, a.saw[1])
	}
}

func TestB7WhatCannotBePreviewedIsNotAsked(t *testing.T) {
	c := doing("mail.send", bus.Network, ok)
	c.Run.Preview = func(context.Context, *bus.Call) (json.RawMessage, error) {
		return nil, bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such person.")
	}
	a := &approver{say: yes}
	b, _ := withApprover(t, a, c)
	wantError(t, b.Invoke(t.Context(), byAgent(call("mail.send", `{}`))), bus.NotFound, bus.ReasonRecord)
	if len(a.asked) != 0 {
		t.Error("a person was asked")
	}
}

// twoOutside are a step outside and one that writes a file, with the same handler.
func twoOutside(h handler) []bus.Capability {
	mail, file := doing("mail.send", bus.Network, h), doing("log.save", bus.UIOnly, h)
	file.Resources, file.Run.Preview = nil, ok
	return []bus.Capability{mail, file}
}

func TestB7NothingIsTriedOnceThePersonHasGone(t *testing.T) {
	for _, c := range twoOutside(ok) {
		ctx, cancel := context.WithCancel(t.Context())
		b, j := withApprover(t, waiting{&approver{say: yes}, cancel}, c)
		wantError(t, b.Invoke(ctx, byAgent(call(c.Name, `{}`))), bus.Transient, bus.ReasonCancelled)
		if e := records(t, j, 1); e.Attempts != 0 {
			t.Errorf("%s: tried %d times", c.Name, e.Attempts)
		}
	}
}

func TestB7APermissionCostsOnceForAllAttempts(t *testing.T) {
	tries := 0
	for _, c := range twoOutside(func(context.Context, *bus.Call) (json.RawMessage, error) {
		if tries++; tries%3 != 0 {
			return nil, bus.Errorf(bus.Transient, bus.ReasonNetwork, "Not now.")
		}
		return json.RawMessage(`{}`), nil
	}) {
		cost := 0
		c.Run.Retry = &bus.RetryPolicy{MaxAttempts: 3, InitialDelay: time.Millisecond}
		a := &approver{say: func(n int, p *bus.Preview) bus.Decision {
			d := yes(n, p)
			d.Reserve = func(context.Context) error { cost++; return nil }
			return d
		}}
		b, j := withApprover(t, a, c)
		wantOK(t, b.Invoke(t.Context(), byAgent(call(c.Name, `{}`))))
		if e := records(t, j, 1); e.Attempts != 3 || cost != 1 {
			t.Errorf("%s: %d attempts cost %d", c.Name, e.Attempts, cost)
		}
	}
}

func TestB7TheTimeOfThePersonIsNotTheCalls(t *testing.T) {
	o, j, clock := bustest.Options()
	answer := bus.Decision{Allowed: true, Answer: "allow", By: "p1"}
	o.Approver = &approver{say: func(int, *bus.Preview) bus.Decision { clock.Advance(3 * time.Second); return answer }}
	b := bus.New(o)
	b.MustRegister(add())
	r := b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":7}`)))
	wantOK(t, r)
	if d := records(t, j, 1).Decision; d.Asked != 3*time.Second || r.ExecutionTime != 0 {
		t.Errorf("asked for %d ms, executed for %d ms", d.Asked, r.ExecutionTime)
	}
	answer = bus.Decision{Answer: "nobody"}
	b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":7}`)))
	if d := records(t, j, 2).Decision; d.By != "test" {
		t.Errorf("no person answered, the rule did: %+v", d)
	}
}

// broken is a desk whose list of people cannot be read any more.
type broken struct {
	*joining
	reads, good int
}

func (b *broken) SecondApprovers(ctx context.Context, req *bus.ApprovalRequest, may func(bus.Principal) bool) (
	[]bus.Principal, error) {
	if b.reads++; b.reads > b.good {
		return nil, errPlain
	}
	return b.joining.SecondApprovers(ctx, req, may)
}

func TestA7NothingIsDoneWhileItIsUnknownWhoMay(t *testing.T) {
	for good, asked := range []int{0, 1} {
		a := &broken{good: good,
			joining: &joining{approver: &approver{say: allowedBy(boss)}, staff: []bus.Principal{boss}}}
		b, j := withApprover(t, a, limitedAdd())
		r := b.Invoke(t.Context(), call("till.add", `{"coins":11}`))
		wantError(t, r, bus.Internal, bus.ReasonUncoded)
		if len(a.shown) != asked || j.Row("till", "main") != nil {
			t.Errorf("%d good reads: asked %d times, %v", good, len(a.shown), j.Row("till", "main"))
		}
	}
}

func TestA7OnlyALackingRightIsJoined(t *testing.T) {
	c := add()
	c.Checks.Limit = func(context.Context, *bus.Call) error {
		return bus.Errorf(bus.Forbidden, bus.ReasonConstraint,
			"No.")
	}
	a := &joining{approver: &approver{say: allowedBy(boss)}, staff: []bus.Principal{boss}}
	b, _ := withApprover(t, a, c)
	wantError(t, b.Invoke(t.Context(), call("till.add", `{"coins":11}`)), bus.Forbidden, bus.ReasonConstraint)
	c.Checks.Limit = func(_ context.Context, call *bus.Call) error {
		if call.Person.Has("till:lots") {
			return nil
		}
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonLimit, "No.")
	}
	b, _ = withApprover(t, a, c)
	if r := b.Invoke(t.Context(), call("till.add", `{"coins":11}`)); r.OK() || len(a.shown) != 0 {
		t.Errorf("%s, asked %d times", wire(t, r), len(a.shown))
	}
}

func TestA7TheRuleOfAJoinedCallIsRecorded(t *testing.T) {
	for by, inv := range map[string]bus.Invocation{"test": byAgent(call("till.add", `{"coins":11}`)),
		"access": call("till.add", `{"coins":11}`)} {
		a := &joining{approver: &approver{rule: bus.RuleAllow, say: func(int, *bus.Preview) bus.Decision {
			return bus.Decision{Answer: "nobody"}
		}}, staff: []bus.Principal{boss}}
		b, j := withApprover(t, a, limitedAdd())
		wantError(t, b.Invoke(t.Context(), inv), bus.Forbidden, bus.ReasonLimit)
		if d := records(t, j, 1).Decision; d.By != by || d.Rule != bus.RuleConfirm {
			t.Errorf("%s: %+v", by, d)
		}
	}
}
