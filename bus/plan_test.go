package bus_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// planBus is a till whose agent calls go through a.
func planBus(t *testing.T, a bus.Approver, more ...bus.Capability) (*bus.Bus, *bustest.Journal) {
	t.Helper()
	b, j := withApprover(t, a, append(more, grantable(add()), read())...)
	b.MustRegister(bus.Capabilities()[3])
	return b, j
}

func grantable(c bus.Capability) bus.Capability {
	c.Assistant.Grantable = []string{"amount"}
	return c
}

func plan(steps string) bus.Invocation {
	inv := byAgent(call("plan.propose", `{"steps":[`+steps+`]}`))
	inv.Principal.Scopes = append([]string{"plan:write"}, clerk.Scopes...)
	return inv
}

// holds: A12 B7
func TestB7APlanIsSeenAllowedAndDoneAsOne(t *testing.T) {
	a := &approver{rule: bus.RuleConfirm, say: yes}
	b, j := planBus(t, a)
	r := b.Invoke(t.Context(), plan(`{"capability":"till.add","arguments":{"coins":7}},{"capability":"till.read"},
		{"capability":"till.add","arguments":{"coins":{"$from":"/1/total"},"times":2}}`))
	wantOK(t, r)
	if len(a.asked) != 1 || a.asked[0].Summary !=
		"1. Add 7 coins, 7 in all; 2. Read the till; 3. Add 7 coins, 21 in all" || len(a.asked[0].Effects) != 1 {
		t.Fatalf("%+v", a.asked)
	}
	if j.Row("till", "main")["total"] != 21 || r.Facts["steps"] != 3.0 || len(r.Events) != 2 {
		t.Errorf("%s", wire(t, r))
	}
	records(t, j, 1)
}

// holds: B7
func TestB7APlanOfWhichAStepFailsIsNotDone(t *testing.T) {
	for name, tt := range map[string]struct {
		steps string
		code  bus.Code
		words string
	}{
		"wrong arguments": {`{"capability":"till.add","arguments":{"coins":"many"}}`, bus.Validation,
			"Step 2 (till.add)"},
		"no such capability": {`{"capability":"till.rob"}`, bus.NotFound, "till.rob"},
		"a later result": {`{"capability":"till.add","arguments":{"coins":{"$from":"/1/total"}}}`, bus.Validation,
			"nothing that an earlier step gave"},
		"not in the result": {`{"capability":"till.add","arguments":{"coins":{"$from":"/0/sum"}}}`, bus.Validation,
			"nothing that an earlier step gave"},
		"not only a reference": {`{"capability":"till.add","arguments":{"coins":{"$from":"/0/total","x":1}}}`,
			bus.Validation, "nothing that an earlier step gave"},
		"a plan in a plan": {`{"capability":"plan.propose","arguments":{"steps":[]}}`, bus.Validation,
			"cannot be part of a plan"},
		"what is never granted": {`{"capability":"till.empty","arguments":{"coins":1}}`, bus.Validation,
			"cannot be part of a plan"},
		"what no agent may":      {`{"capability":"till.close","arguments":{"coins":1}}`, bus.Forbidden, "not allowed"},
		"what agents do not see": {`{"capability":"till.hide"}`, bus.NotFound, "till.hide"},
		"without the permission": {`{"capability":"till.audit","arguments":{"coins":1}}`, bus.Forbidden, "audit:read"},
	} {
		t.Run(name, func(t *testing.T) {
			closing, hidden, audit, never := grantable(add()), grantable(add()), grantable(add()), add()
			never.Name = "till.empty"
			closing.Name, closing.Checks.Access.Agent = "till.close", bus.RuleDeny
			hidden.Name, hidden.Assistant.Hidden = "till.hide", true
			audit.Name, audit.Permissions = "till.audit", []string{"audit:read"}
			a := &approver{rule: bus.RuleConfirm, say: yes}
			b, j := planBus(t, a, closing, hidden, audit, never)
			r := b.Invoke(t.Context(), plan(`{"capability":"till.add","arguments":{"coins":7}},`+tt.steps))
			if r.Err == nil || r.Err.Code != tt.code || !strings.Contains(r.Err.Message, tt.words) ||
				j.Row("till", "main") != nil || len(a.asked) != 0 {
				t.Errorf("%s", wire(t, r))
			}
			records(t, j, 1)
		})
	}
}

// holds: B7
func TestB7APlanDoesNotQuoteWhatAStepWronglyGave(t *testing.T) {
	named := doing("till.name", bus.Pure, func(context.Context, *bus.Call) (json.RawMessage, error) {
		return json.RawMessage(`{"owner":"Kim Secret"}`), nil
	})
	named.OutputSchema = json.RawMessage(`{"properties":{"owner":{"type":"string","pattern":"^[a-z]+$"}}}`)
	b, _ := planBus(t, &approver{rule: bus.RuleConfirm, say: yes}, named)
	r := b.Invoke(t.Context(), plan(`{"capability":"till.read"},{"capability":"till.name"}`))
	if r.Err == nil || r.Err.Reason != bus.ReasonResponse || len(r.Err.Violations) != 1 ||
		r.Err.Violations[0].Path != "/steps/1/data/owner" || strings.Contains(wire(t, r), "Secret") {
		t.Errorf("%s", wire(t, r))
	}
}

// holds: A7 A12 B7
func TestB7AChangedWorldVoidsAPlan(t *testing.T) {
	a := &approver{rule: bus.RuleConfirm}
	b, j := planBus(t, a)
	a.say = func(n int, p *bus.Preview) bus.Decision {
		if n == 1 {
			wantOK(t, b.Invoke(context.Background(), call("till.add", `{"coins":100}`)))
		}
		return yes(n, p)
	}
	wantOK(t, b.Invoke(t.Context(),
		plan(`{"capability":"till.add","arguments":{"coins":1}},{"capability":"till.add","arguments":{"coins":1}}`)))
	if len(a.asked) != 2 || j.Row("till", "main")["total"] != 102 {
		t.Errorf("asked %d times, %v", len(a.asked), j.Row("till", "main"))
	}
}

// holds: B7
func TestB7APolicyThatForbidsAStepForbidsThePlan(t *testing.T) {
	a := stepDenier{approver{say: yes}}
	b, j := planBus(t, &a)
	r := b.Invoke(t.Context(), plan(`{"capability":"till.add","arguments":{"coins":7}}`))
	if r.Err == nil || r.Err.Code != bus.Forbidden || j.Row("till", "main") != nil {
		t.Errorf("%s", wire(t, r))
	}
}

// stepDenier lets a plan be asked for, and none of its steps.
type stepDenier struct{ approver }

func (s *stepDenier) Authorize(_ context.Context, req *bus.ApprovalRequest) (bus.Decision, error) {
	if req.Capability.Name == "plan.propose" {
		return bus.Decision{Rule: bus.RuleConfirm}, nil
	}
	return bus.Decision{Rule: bus.RuleDeny}, nil
}

// holds: U1
func TestU1APlanIsFiledByItsGravestStep(t *testing.T) {
	free := doing("till.free", bus.UIOnly, func(context.Context, *bus.Call) (json.RawMessage, error) { return nil, nil })
	free.Resources = []string{"database:write"}
	no := func(int, *bus.Preview) bus.Decision { return bus.Decision{Answer: "deny"} }
	for name, tt := range map[string]struct {
		steps  string
		effect bus.SideEffect
		want   string
		answer func(int, *bus.Preview) bus.Decision
	}{
		"reads":  {`{"capability":"till.read"}`, bus.UIOnly, "till.read", yes},
		"writes": {`{"capability":"till.read"},{"capability":"till.free"}`, bus.UIOnly, "till.read till.free", yes},
		"destroys": {addSeven + `,{"capability":"till.read"},` + addSeven, bus.Destructive, "till.add till.read till.add",
			yes},
		"goes out":   {addSeven + `,` + sendMail, bus.Network, "", yes},
		"was denied": {addSeven + `,` + sendMail, bus.Network, "till.add mail.send", no},
		"was wrong":  {`{"capability":"till.add"},{"capability":"till.rob"}`, bus.Destructive, "till.add", yes},
	} {
		b, j := planBus(t, &approver{rule: bus.RuleConfirm, say: tt.answer}, free, mailing(func() error { return nil }))
		b.Invoke(t.Context(), plan(tt.steps))
		entries := j.Entries()
		e := entries[len(entries)-1]
		if e.SideEffect != tt.effect || strings.Join(e.Steps, " ") != tt.want {
			t.Errorf("%s: %s, %v", name, e.SideEffect, e.Steps)
		}
	}
}

// holds: U1
func TestU1APlanHasTheFactsOfItsSteps(t *testing.T) {
	b, _ := planBus(t, &approver{rule: bus.RuleConfirm, say: yes}, mailing(func() error { return nil }))
	for _, steps := range []string{addSeven, addSeven + `,` + sendMail} {
		var out struct {
			Steps []struct{ Facts map[string]any }
		}
		if err := json.Unmarshal(b.Invoke(t.Context(), plan(steps)).Data, &out); err != nil ||
			out.Steps[0].Facts["amount"] == nil {
			t.Errorf("%s: %+v %v", steps, out, err)
		}
	}
}

// holds: B7
func TestB7ARefusedStepSaysWhy(t *testing.T) {
	secret := json.RawMessage(`{"type":"object","properties":{"pin":{"type":"string","writeOnly":true}}}`)
	for why, change := range map[string]func(*bus.Capability){
		"it has a rate limit": func(c *bus.Capability) {
			c.Run.RateLimit = &bus.RateLimit{Requests: 1, Period: 1}
		},
		"it has a secret":                       func(c *bus.Capability) { c.InputSchema = secret },
		"it works in the background":            func(c *bus.Capability) { c.Run.Background = true },
		"it changes too many rows":              func(c *bus.Capability) { c.Run.Bulk = true },
		"it is the assistant's own":             func(c *bus.Capability) { c.Assistant.Only = true },
		"it must always be confirmed by itself": func(c *bus.Capability) { c.SideEffect = bus.Destructive },
		"it cannot be rolled back or previewed": func(c *bus.Capability) { c.Resources = nil },
	} {
		c := doing("till.free", bus.UIOnly, ok)
		change(&c)
		b, _ := planBus(t, &approver{rule: bus.RuleConfirm, say: yes}, c)
		r := b.Invoke(t.Context(), plan(`{"capability":"till.free"}`))
		if r.Err == nil || !strings.Contains(r.Err.Message, "cannot be part of a plan: "+why+".") {
			t.Errorf("%s: %v", why, r.Err)
		}
	}
}
