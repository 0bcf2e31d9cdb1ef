package policy_test

import (
	"testing"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// holds: A10
func TestA10AskingForAGrantAlwaysAsksThePerson(t *testing.T) {
	var b *booth
	var cards []policy.Card
	answer := policy.AnswerDeny
	b = openBooth(t, policy.Options{OnCard: func(e policy.CardEvent) {
		if e.Type == policy.CardOpened {
			cards = append(cards, e.Card)
			if err := b.Policy.Decide(policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: answer, By: e.Card.Person}); err !=
				nil {
				t.Error(err)
			}
		}
	}, Capabilities: map[string]bus.Rule{"agent.requestCapability": bus.RuleAllow}})
	ask := func() bus.Result {
		return b.Agent("agent.requestCapability",
			`{"capability":"purse.pay","constraints":{"owner":"cus_ana","amount":{"max":20}},"reason":"many small payments"}`)
	}
	b.Fails(ask(), bus.Forbidden, bus.ReasonDeclined, "")
	answer = policy.AnswerAllow
	if r := ask(); !r.OK() {
		t.Fatal(r.Err)
	}
	if len(cards) != 2 || cards[1].Sentence != "Let helper do without asking: Pay out: up to $0.20 each time, only for "+
		"Ana Ruiz, 5 times, until Monday, 2 March 2026, 09:00" {
		t.Fatalf("%+v", cards)
	}
	for range 5 {
		if r := b.Pays("purse_ana", 20); !r.OK() {
			t.Fatal(r.Err)
		}
	}
	if len(cards) != 2 {
		t.Error("it was asked within the grant")
	}
	answer = policy.AnswerDeny
	b.Fails(b.Pays("purse_ana", 20), bus.Forbidden, bus.ReasonDeclined, "")
	b.Fails(b.Person("agent.requestCapability", `{"capability":"purse.pay","reason":"x"}`), bus.Forbidden,
		bus.ReasonPermission, "assistant only")
	b.Fails(b.Agent("grant.create", `{"grantee":{"endpoint":"e","model":"m"},"capability":"remark.add"}`), bus.Forbidden,
		bus.ReasonAgentForbidden, "")
}

// holds: A10
func TestA10ThePersonNarrowsWhatIsAskedForAndNeverWidens(t *testing.T) {
	wide := policy.GrantTerms{Constraints: policy.Constraints{"amount": raw(`{"max":1000}`), "/purse": raw(`"purse_ana"`)},
		Limits: policy.GrantLimits{Uses: 2}, Until: 1900000000000}
	b, cards := answering(t, func(n int, c policy.Card) policy.Answer {
		switch n {
		case 1:
			return policy.Answer{Answer: policy.AnswerGrant, Grant: &wide}
		case 2:
			return policy.Answer{Answer: policy.AnswerAllow}
		}
		return policy.Answer{Answer: policy.AnswerDeny}
	})
	if r := b.Agent("agent.requestCapability",
		`{"capability":"purse.pay","constraints":{"owner":"cus_ana","amount":{"max":20}},"reason":"r"}`); !r.OK() {
		t.Fatal(r.Err)
	}
	if want := "Let helper do without asking: Pay out: up to $0.20 each time, only with purse “purse_ana”, only " +
		"for Ana Ruiz, 2 times, until Monday, 2 March 2026, 09:00"; (*cards)[1].Sentence != want {
		t.Errorf("%s", (*cards)[1].Sentence)
	}
	for _, coins := range []int{21, 20, 20, 20} {
		b.Pays("purse_ana", coins)
	}
	if b.Paid() != 40 {
		t.Errorf("%d were paid", b.Paid())
	}
}

// holds: A10
func TestA10WhoMayNotGrantIsNotAskedForOne(t *testing.T) {
	asked := false
	b := openBooth(t, policy.Options{OnCard: func(policy.CardEvent) { asked = true }})
	r := b.Bus.Invoke(t.Context(), bus.Invocation{Capability: "agent.requestCapability",
		Arguments: raw(`{"capability":"purse.pay","reason":"many"}`),
		Caller:    bus.Caller{Type: bus.CallerAgent, Source: "chat_1"},
		Principal: bus.Principal{Person: "u2", Role: "clerk", Scopes: []string{"agent:write", "purse:write", "grant:read"},
			ConversationID: "chat_1"}})
	b.Fails(r, bus.Forbidden, bus.ReasonPermission, "")
	if asked {
		t.Error("a card was shown")
	}
}
