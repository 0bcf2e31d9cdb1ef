package bus_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

type named struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty" jsonschema:"type=object"`
}

// other is another name of all that a bus has.
func other(name string, access bus.Access) bus.Capability {
	return bus.StandIn(bus.Capability{Name: name, Title: "Do what is named", Description: "Does what is named.",
		SideEffect: bus.Network, Resources: []string{"network:write"}, Checks: bus.Checks{Access: access}},
		func(in named) (string, json.RawMessage) { return in.Name, in.Arguments })
}

// ruled is an approver with a rule for each capability, which keeps what it was asked about.
type ruled struct {
	rules map[string]bus.Rule
	asked []string
}

func (r *ruled) Authorize(_ context.Context, req *bus.ApprovalRequest) (bus.Decision, error) {
	r.asked = append(r.asked, req.Capability.Name+" "+string(req.Invocation.Arguments))
	return bus.Decision{Rule: r.rules[req.Capability.Name]}, nil
}

func (r *ruled) Approve(_ context.Context, req *bus.ApprovalRequest, _ *bus.Preview) (bus.Decision, error) {
	r.asked = append(r.asked, "card of "+req.Capability.Name)
	return bus.Decision{Answer: bus.AnswerAllow, Allowed: true}, nil
}

// holds: O4 B12 R5
func TestO4WhatStandsForAnotherIsJudgedAndRecordedAsThat(t *testing.T) {
	for _, c := range []struct {
		other, add bus.Rule
		want       bus.Reason
		asked      string
	}{
		{bus.RuleAllow, bus.RuleConfirm, "", "card of till.add"},
		{bus.RuleConfirm, bus.RuleAllow, "", `till.add {"coins":2,"times":1}`},
		{bus.RuleAllow, bus.RuleDeny, bus.ReasonCapabilityNotGranted, `till.add {"coins":2,"times":1}`},
		{bus.RuleDeny, bus.RuleAllow, bus.ReasonCapabilityNotGranted, `other.do {"arguments":{"coins":2},"name":"till.add"}`},
	} {
		policy := &ruled{rules: map[string]bus.Rule{"other.do": c.other, "till.add": c.add}}
		j := &bustest.Journal{}
		b := bus.New(bus.Options{Journal: j, Approver: policy, Name: "test", Version: "1.0.0"})
		b.MustRegister(add(), other("other.do", bus.Access{}))
		r := b.Invoke(t.Context(), byAgent(call("other.do", `{"name":"till.add","arguments":{"coins":2}}`)))
		if r.OK() != (c.want == "") || !r.OK() && r.Err.Reason != c.want {
			t.Errorf("%+v: answered with %v", c, r.Err)
		}
		if last := policy.asked[len(policy.asked)-1]; last != c.asked {
			t.Errorf("%+v: asked %q", c, policy.asked)
		}
		e := records(t, j, 1)
		if want := map[bool]string{true: "other.do", false: "till.add"}[c.other == bus.RuleDeny]; e.Invocation.Capability != want {
			t.Errorf("%+v: recorded as %s", c, e.Invocation.Capability)
		}
	}
}

// holds: O4 B2
func TestO4WhatStandsForAnotherHasItsContract(t *testing.T) {
	b, j, _ := bustest.New(t, add(), other("other.do", bus.Access{}), other("other.other", bus.Access{}))
	r := b.Invoke(t.Context(), call("other.do", `{"name":"till.add","arguments":{"coins":0}}`))
	wantError(t, r, bus.Validation, bus.ReasonArguments)
	e := records(t, j, 1)
	if r.Err.Violations[0].Path != "/coins" || e.Kind != bus.KindSchemaViolation ||
		e.Invocation.Capability != "till.add" ||
		string(e.Invocation.Arguments) != `{"coins":0}` {
		t.Errorf("%+v, recorded as %+v", r.Err.Violations, e)
	}
	r = b.Invoke(t.Context(), call("other.do", `{"name":"till.ad"}`))
	wantError(t, r, bus.NotFound, bus.ReasonCapability)
	if !strings.Contains(r.Err.Hint, "till.add") {
		t.Errorf("hint %q", r.Err.Hint)
	}
	wantError(t, b.Invoke(t.Context(), call("other.do", `{}`)), bus.Validation, bus.ReasonArguments)
	wantError(t, b.Invoke(t.Context(), call("other.do", `{"name":"other.other","arguments":{"name":"till.add"}}`)),
		bus.Validation, bus.ReasonArguments)
	m, err := b.Manifest(t.Context(), bus.View{All: true})
	if err != nil || !m.Capabilities[0].Composite || m.Capabilities[2].Composite {
		t.Errorf("%v: %+v", err, m.Capabilities)
	}
	if err := b.CheckStep("other.do"); err == nil {
		t.Error("it may be a step of a plan")
	}
	for range 2 {
		inv := call("other.do", `{"name":"till.add","arguments":{"coins":2}}`)
		inv.IdempotencyKey = "k"
		wantOK(t, b.Invoke(t.Context(), inv))
	}
	inv := call("till.add", `{"coins":2}`)
	inv.IdempotencyKey = "k"
	if r := b.Invoke(t.Context(), inv); !r.OK() || !r.Replayed {
		t.Errorf("the same call by its own name: %+v", r)
	}
}

// holds: O4 C13
func TestO4WhatStandsForAnotherKeepsItsSecrets(t *testing.T) {
	lock := bus.Define(bus.Capability{Name: "till.lock", Title: "Lock", Description: "Lock the till.",
		SideEffect: bus.UIOnly},
		func(_ context.Context, _ *bus.Call, _ struct {
			Code string `json:"code" jsonschema_extras:"writeOnly=true"`
		}) (struct{}, error) {
			return struct{}{}, nil
		})
	b, j, _ := bustest.New(t, add(), lock, other("other.do", bus.Access{}), other("other.denied",
		bus.Access{Agent: bus.RuleDeny}))
	const arguments = `{"name":"till.lock","arguments":{"code":"4711"}}`
	wantOK(t, b.Invoke(t.Context(), call("other.do", arguments)))
	b.Invoke(t.Context(), byAgent(call("other.denied", arguments)))
	b.Invoke(t.Context(), call("other.do", `{"nam":"till.lock","arguments":{"code":"4711"}}`))
	records(t, j, 3)
	for _, e := range j.Entries() {
		if strings.Contains(string(e.Invocation.Arguments), "4711") || e.Redacted == nil {
			t.Errorf("recorded %s, redacted %q", e.Invocation.Arguments, e.Redacted)
		}
	}
	for arguments, kept := range map[string]bool{
		arguments:         false,
		`{"code":"4711"}`: false, // as a person edits the card of till.lock
		`{"name":"till.add","arguments":{"coins":4711}}`: true,
	} {
		if got := b.Redacted("other.do", json.RawMessage(arguments)); strings.Contains(string(got), "4711") != kept {
			t.Errorf("%s is shown as %s", arguments, got)
		}
	}
}
