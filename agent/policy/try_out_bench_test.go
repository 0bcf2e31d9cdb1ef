package policy_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// BenchmarkTryOut tries a grant and proposes one over 1000 recorded cards, about four weeks of a busy desk.
func BenchmarkTryOut(b *testing.B) {
	const cards = 1000
	desk := openBooth(b, policy.Options{Fixed: bus.AnswerAllow})
	record := func(i int) *bus.Entry {
		who := owner
		who.Model, who.ConversationID = &helper, "chat_1"
		answer := bus.AnswerAllow
		if i%14 == 0 {
			answer = bus.AnswerDeny
		}
		amount := map[string]any{"amount": 100 + i%40, "currency": "USD"}
		if answer == bus.AnswerDeny {
			amount["amount"] = 900
		}
		return &bus.Entry{Kind: bus.KindInvocation, SideEffect: bus.Destructive, Started: desk.Clock.Now(),
			Invocation: bus.Invocation{Capability: "purse.pay", RequestID: fmt.Sprint("req_", i), Principal: who,
				Arguments: payOf(amount), Caller: bus.Caller{Type: bus.CallerAgent}},
			Decision: &bus.Decision{Rule: bus.RuleConfirm, Answer: answer, ApprovalID: fmt.Sprint("apr_", i), By: owner.ID},
			Result:   bus.Result{Status: bus.StatusSuccess, Facts: map[string]any{"owner": "cus_ana", "amount": amount}}}
	}
	for i := range cards {
		if err := desk.Log.Record(b.Context(), record(i)); err != nil {
			b.Fatal(err)
		}
	}
	desk.Clock.Advance(time.Minute)
	grant := desk.grantOf(`{"owner":"cus_ana","amount":{"max":{"amount":500,"currency":"USD"}}}`, `{"uses":100000}`)
	for name, call := range map[string]func(){
		"policy.tryOut": func() {
			if t := desk.tried(`{"grant":%s}`, grant); t.Cards != cards || len(t.DeniedSpared) != 0 {
				b.Fatalf("%+v", t)
			}
		},
		"grant.suggest": func() {
			if p := desk.proposals(`{}`); len(p) != 1 || p[0].Spared < cards/2 {
				b.Fatalf("%+v", p)
			}
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				call()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*cards), "us/card")
		})
	}
}

// payOf are arguments that pay an amount out of Ana's purse.
func payOf(amount map[string]any) []byte {
	return raw(`{"purse":"purse_ana","amount":{"amount":%d,"currency":%q}}`, amount["amount"], amount["currency"])
}
