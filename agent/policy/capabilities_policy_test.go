package policy_test

import (
	"testing"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// holds: A6
func TestA6TheOwnersRulesAreStoredAndHold(t *testing.T) {
	b := openBooth(t, policy.Options{})
	if r := b.Agent("purse.list", `{}`); !r.OK() {
		t.Fatal(r.Err)
	}
	b.Fails(b.Agent("remark.add", `{"text":"hello"}`), bus.Forbidden, bus.ReasonDeclined, "confirmed by a person")
	b.Does(nil, "policy.set",
		`{"rules":[{"capability":"remark.add","rule":"allowed"},{"class":"pure","rule":"forbidden"},{"capability":"purse.pay","rule":"forbidden"}]}`)
	if r := b.Agent("remark.add", `{"text":"hello"}`); !r.OK() {
		t.Error(r.Err)
	}
	b.Fails(b.Agent("purse.list", `{}`), bus.Forbidden, bus.ReasonCapabilityNotGranted, "")
	b.Fails(b.Agent("purse.pay", `{"purse":"purse_ana","amount":{"amount":1,"currency":"USD"}}`), bus.Forbidden,
		bus.ReasonCapabilityNotGranted, "")
	b.Does(nil, "policy.set", `{"rules":[]}`)
	if r := b.Agent("purse.list", `{}`); !r.OK() {
		t.Error(r.Err)
	}
}

// holds: A6
func TestA6PolicyGetShowsRulesAndDefaults(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Does(nil, "policy.set",
		`{"rules":[{"class":"ui-only","rule":"confirmation_required"},{"capability":"remark.add","rule":"forbidden"}]}`)
	var got struct{ Rules, Defaults []policy.Rule }
	b.Does(&got, "policy.get", `{}`)
	want := []policy.Rule{{Capability: "remark.add", Rule: bus.RuleDeny}, {Class: bus.UIOnly, Rule: bus.RuleConfirm}}
	if d := cmp.Diff(want, got.Rules); d != "" || len(got.Defaults) != 4 {
		t.Error(d)
	}
}

// holds: A6
func TestA6RulesThatWouldNotDoWhatTheySayAreRefused(t *testing.T) {
	b := openBooth(t, policy.Options{})
	for rule, want := range map[string]bus.Code{
		`{"rule":"allowed"}`: bus.Validation,
		`{"capability":"purse.list","class":"pure","rule":"allowed"}`:           bus.Validation,
		`{"capability":"order.rush","rule":"allowed"}`:                          bus.NotFound,
		`{"capability":"policy.set","rule":"allowed"}`:                          bus.Validation,
		`{"capability":"purse.list","rule":"yes"}`:                              bus.Validation,
		`{"class":"destructive","rule":"allowed"}`:                              bus.Validation,
		`{"capability":"purse.pay","rule":"allowed"}`:                           bus.Validation,
		`{"class":"all","rule":"forbidden"}`:                                    bus.Validation,
		`{"class":"pure","rule":"forbidden"},{"class":"pure","rule":"allowed"}`: bus.Validation,
	} {
		if r := b.Person("policy.set", `{"rules":[%s]}`, rule); r.Err == nil || r.Err.Code != want {
			t.Errorf("%s: %+v", rule, r.Err)
		}
	}
}

// holds: A6
func TestA6NoAssistantChangesItsOwnRules(t *testing.T) {
	b := openBooth(t, policy.Options{Fixed: bus.AnswerAllow})
	b.Fails(b.Agent("policy.set", `{"rules":[{"class":"destructive","rule":"allowed"}]}`), bus.Forbidden,
		bus.ReasonAgentForbidden, "")
	clerk := owner
	clerk.Scopes = []string{"policy:read"}
	r := b.Bus.Invoke(t.Context(), bus.Invocation{Capability: "policy.set", Arguments: raw(`{"rules":[]}`),
		Caller: bus.Caller{Type: bus.CallerUI}, Principal: clerk})
	b.Fails(r, bus.Forbidden, bus.ReasonPermission, "policy:write")
}
