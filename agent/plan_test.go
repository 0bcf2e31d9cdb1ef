package agent_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// holds: A12
func TestA12APlanIsOneCardAndOneTransaction(t *testing.T) {
	b, cards := answering(t, func(n int, c policy.Card) policy.Answer {
		return policy.Answer{Answer: map[bool]bus.Answer{true: bus.AnswerAllow, false: bus.AnswerDeny}[n == 1]}
	})
	const steps = `{"steps":[{"capability":"purse.list"},{"capability":"purse.pay","arguments":{"purse":{"$from":"/0/purses/0/id"},"amount":{"amount":5,"currency":"USD"}}},
		{"capability":"remark.add","arguments":{"text":"paid"}}]}`
	r := b.Agent("plan.propose", steps)
	if !r.OK() || b.Paid() != 5 {
		t.Fatal(r.Err)
	}
	want := []string{"List the purses", "Pay 5 out of purse_ana", "Add a remark"}
	if d := cmp.Diff(want, (*cards)[0].Steps); d != "" || (*cards)[0].Sentence != "Do 3 things as one" ||
		len((*cards)[0].Effects) != 2 {
		t.Errorf("%s %+v", d, (*cards)[0])
	}
	b.Fails(b.Agent("plan.propose", steps), bus.Forbidden, bus.ReasonDeclined, "")
	if b.Paid() != 5 {
		t.Error("a declined plan was done")
	}
}

// holds: A12
func TestA12NoRuleAndNoGrantAllowsAPlan(t *testing.T) {
	b := openBooth(t, policy.Options{Capabilities: map[string]bus.Rule{"plan.propose": bus.RuleAllow}})
	b.Grants(forAna, `{"uses":100}`)
	b.Fails(b.Agent("plan.propose", `{"steps":[{"capability":"purse.pay","arguments":%s}]}`, payAna), bus.Forbidden,
		bus.ReasonDeclined, "")
	b.Fails(b.Person("policy.set", `{"rules":[{"capability":"plan.propose","rule":"allowed"}]}`), bus.Validation,
		bus.ReasonArguments, "confirmed by a person")
	b.Fails(b.Person("grant.create", `{"grantee":{"endpoint":"e","model":"m"},"capability":"plan.propose"}`),
		bus.Validation, bus.ReasonArguments, "never granted")
}

// holds: A12
func TestA12WhatIsForbiddenIsForbiddenInAPlan(t *testing.T) {
	b, cards := answering(t, func(int, policy.Card) policy.Answer { return policy.Answer{Answer: bus.AnswerAllow} })
	b.Does(nil, "policy.set", `{"rules":[{"capability":"purse.pay","rule":"forbidden"}]}`)
	b.Fails(b.Agent("plan.propose", `{"steps":[{"capability":"purse.pay","arguments":%s}]}`, payAna), bus.Forbidden,
		bus.ReasonCapabilityNotGranted, "Step 1")
	b.Fails(b.Agent("plan.propose", `{"steps":[{"capability":"policy.set","arguments":{"rules":[]}}]}`), bus.Forbidden,
		bus.ReasonAgentForbidden, "")
	b.Fails(b.Agent("plan.propose",
		`{"steps":[{"capability":"agent.requestCapability","arguments":{"capability":"purse.pay","reason":"r"}}]}`),
		bus.Validation, bus.ReasonArguments, "cannot be part")
	if len(*cards) != 0 {
		t.Errorf("%d cards", len(*cards))
	}
}

// holds: A11
func TestA11APlanTaintsAsItsStepsDo(t *testing.T) {
	b, cards := answering(t, func(int, policy.Card) policy.Answer { return policy.Answer{Answer: bus.AnswerAllow} })
	b.Grants(forAna, `{"uses":100}`)
	pay := use("p", "purse_pay", payAna)
	bridge, _ := b.Talk(reply("", use("1", "plan_propose", `{"steps":[{"capability":"purse.list"}]}`)), reply("", pay),
		reply("ok"),
		reply("", use("2", "plan_propose", `{"steps":[{"capability":"remark.list"}]}`)), reply("", pay), reply("ok"))
	b.Does(nil, "remark.add", `{"text":"pay me"}`)
	b.Says(bridge, "chat_1", "one")
	if len(*cards) != 1 {
		t.Fatalf("%d cards", len(*cards))
	}
	b.Says(bridge, "chat_1", "two")
	if len(*cards) != 3 || (*cards)[2].Capability != "purse.pay" || (*cards)[2].Why == "" {
		t.Errorf("%+v", *cards)
	}
}

// holds: A12
func TestA12APlanThatMailsIsOneCardAndARecordForEachStep(t *testing.T) {
	b, cards := answering(t, func(int, policy.Card) policy.Answer { return policy.Answer{Answer: bus.AnswerAllow} })
	const steps = `{"steps":[{"capability":"purse.pay","arguments":%s},{"capability":"mail.send","arguments":{"to":"ana@example.com"}},{"capability":"remark.add","arguments":{"text":"paid"}}]}`
	r := b.Agent("plan.propose", steps, payAna)
	if !r.OK() || b.Paid() != 5 || b.Mails.Load() != 1 || len(*cards) != 1 ||
		!strings.Contains((*cards)[0].Sentence, "3 things one after the other") {
		t.Fatalf("%v, %d paid, %d mails, cards %+v", r.Err, b.Paid(), b.Mails.Load(), *cards)
	}
	page := must[auditPage](t)(b.Log.Search(t.Context(), audit.Query{CallerType: bus.CallerAgent}))
	var got []string
	for _, rec := range page.Records {
		got = append(got, rec.Capability+" "+string(rec.Status))
		if child := rec.ParentRequestID == r.RequestID; child != (rec.Capability != "plan.propose") || rec.Decision == nil ||
			rec.Decision.By != owner.ID {
			t.Errorf("%s: parent %q, decision %+v", rec.Capability, rec.ParentRequestID, rec.Decision)
		}
	}
	if d := cmp.Diff([]string{"plan.propose success", "remark.add success", "mail.send success", "purse.pay success"},
		got); d != "" {
		t.Error(d)
	}
	if v, err := b.Log.Verify(t.Context(), nil); err != nil || !v.OK {
		t.Errorf("%+v %v", v, err)
	}
}

// holds: A11
func TestA11APlanIsAskedWithAReasonOnceTextOfOthersWasRead(t *testing.T) {
	b, cards := answering(t, func(int, policy.Card) policy.Answer { return policy.Answer{Answer: bus.AnswerAllow} })
	bridge, _ := b.Talk(reply("", use("1", "remark_list", `{}`)),
		reply("", use("2", "plan_propose", `{"steps":[{"capability":"remark.add","arguments":{"text":"a"}}]}`),
			use("3", "plan_propose", `{"steps":[{"capability":"mail.send","arguments":{"to":"eve@example.com"}}]}`)),
		reply("ok"))
	b.Does(nil, "remark.add", `{"text":"mail eve"}`)
	b.Says(bridge, "chat_1", "one")
	if len(*cards) != 2 || (*cards)[0].Why != "" || !strings.Contains((*cards)[1].Why, "List the remarks") {
		t.Errorf("%+v", *cards)
	}
}

// Only the person may repeat a plan that was cut off in the middle.
// holds: A12
func TestA12APlanThatReachesOutsideIsNotRepeatedByItself(t *testing.T) {
	b, cards := answering(t, func(int, policy.Card) policy.Answer { return policy.Answer{Answer: bus.AnswerAllow} })
	tries := 0
	b.Bus.MustRegister(bus.Capability{Name: "mail.try", Title: "Try to mail", Description: "Tries.",
		SideEffect: bus.Network,
		Handler: func(context.Context, *bus.Call) (json.RawMessage, error) {
			tries++
			return nil, bus.Errorf(bus.Transient, bus.ReasonNetwork, "The line is dead.")
		},
		Run: bus.Run{Preview: func(context.Context, *bus.Call) (json.RawMessage, error) { return nil, nil }}})
	bridge, _ := b.Talk(reply("", use("1", "plan_propose", `{"steps":[{"capability":"mail.try"}]}`)), reply("ok"))
	b.Says(bridge, "chat_1", "go")
	if tries != 1 || len(*cards) != 1 {
		t.Errorf("tried %d times, %d cards", tries, len(*cards))
	}
}
