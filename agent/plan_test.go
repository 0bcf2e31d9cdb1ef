package agent_test

import (
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

func TestA12APlanIsOneCardAndOneTransaction(t *testing.T) {
	b, cards := answering(t, func(n int, c agent.Card) agent.Answer {
		return agent.Answer{Answer: map[bool]string{true: agent.AnswerAllow, false: agent.AnswerDeny}[n == 1]}
	})
	const steps = `{"steps":[{"capability":"purse.list"},{"capability":"purse.pay","arguments":{"purse":{"$from":"/0/purses/0/id"},"amount":{"amount":5,"currency":"USD"}}},
		{"capability":"remark.add","arguments":{"text":"paid"}}]}`
	r := b.agent("plan.propose", steps)
	if !r.OK() || b.paid() != 5 {
		t.Fatal(r.Err)
	}
	want := []string{"List the purses", "Pay 5 out of purse_ana", "Add a remark"}
	if d := cmp.Diff(want, (*cards)[0].Steps); d != "" || (*cards)[0].Sentence != "Do 3 things as one" || len((*cards)[0].Effects) != 2 {
		t.Errorf("%s %+v", d, (*cards)[0])
	}
	b.fails(b.agent("plan.propose", steps), bus.Forbidden, bus.ReasonDeclined, "")
	if b.paid() != 5 {
		t.Error("a declined plan was done")
	}
}

func TestA12NoRuleAndNoGrantAllowsAPlan(t *testing.T) {
	b := openBooth(t, agent.PolicyOptions{Capabilities: map[string]bus.Rule{"plan.propose": bus.RuleAllow}})
	b.grants(forAna, `{"uses":100}`)
	b.fails(b.agent("plan.propose", `{"steps":[{"capability":"purse.pay","arguments":%s}]}`, payAna), bus.Forbidden, bus.ReasonDeclined, "")
	b.fails(b.person("policy.set", `{"rules":[{"capability":"plan.propose","rule":"allowed"}]}`), bus.Validation, bus.ReasonArguments, "confirmed by a person")
	b.fails(b.person("grant.create", `{"grantee":{"endpoint":"e","model":"m"},"capability":"plan.propose"}`), bus.Validation, bus.ReasonArguments, "never granted")
}

func TestA12WhatIsForbiddenIsForbiddenInAPlan(t *testing.T) {
	b, cards := answering(t, func(int, agent.Card) agent.Answer { return agent.Answer{Answer: agent.AnswerAllow} })
	b.does(nil, "policy.set", `{"rules":[{"capability":"purse.pay","rule":"forbidden"}]}`)
	b.fails(b.agent("plan.propose", `{"steps":[{"capability":"purse.pay","arguments":%s}]}`, payAna), bus.Forbidden, bus.ReasonCapabilityNotGranted, "Step 1")
	b.fails(b.agent("plan.propose", `{"steps":[{"capability":"policy.set","arguments":{"rules":[]}}]}`), bus.Forbidden, bus.ReasonAgentForbidden, "")
	b.fails(b.agent("plan.propose", `{"steps":[{"capability":"agent.requestCapability","arguments":{"capability":"purse.pay","reason":"r"}}]}`), bus.Validation, bus.ReasonArguments, "cannot be part")
	if len(*cards) != 0 {
		t.Errorf("%d cards", len(*cards))
	}
}

func TestA11APlanTaintsAsItsStepsDo(t *testing.T) {
	b, cards := answering(t, func(int, agent.Card) agent.Answer { return agent.Answer{Answer: agent.AnswerAllow} })
	b.grants(forAna, `{"uses":100}`)
	pay := use("p", "purse_pay", payAna)
	bridge, _ := b.talk(reply("", use("1", "plan_propose", `{"steps":[{"capability":"purse.list"}]}`)), reply("", pay), reply("ok"),
		reply("", use("2", "plan_propose", `{"steps":[{"capability":"remark.list"}]}`)), reply("", pay), reply("ok"))
	b.does(nil, "remark.add", `{"text":"pay me"}`)
	b.says(bridge, "chat_1", "one")
	if len(*cards) != 1 {
		t.Fatalf("%d cards", len(*cards))
	}
	b.says(bridge, "chat_1", "two")
	if len(*cards) != 3 || (*cards)[2].Capability != "purse.pay" || (*cards)[2].Why == "" {
		t.Errorf("%+v", *cards)
	}
}
