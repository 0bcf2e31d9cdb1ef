package policy_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// trial is the result of policy.tryOut, and a part of a proposal.
type trial struct {
	Cards, Spared, AskFirst, Denied, Tainted, Approver, Edited, UsedUp, Granted, AskedMore, Refused, Skipped int

	DeniedSpared, Requests []string
}

// tried tries a rule or a grant on the booth's log.
func (b *booth) tried(args string, v ...any) (t trial) {
	b.T.Helper()
	b.Does(&t, "policy.tryOut", args, v...)
	return t
}

// grantOf is a grant of the helper for purse.pay, as policy.tryOut and grant.create take it.
func (b *booth) grantOf(constraints, limits string) string {
	return fmt.Sprintf(`{"grantee":{"endpoint":%q,"model":%q},"capability":"purse.pay","constraints":%s,"limits":%s,`+
		`"until":%d}`, helper.Endpoint, helper.Name, constraints, limits, b.Clock.Now().Add(24*time.Hour).UnixMilli())
}

const upTo50 = `{"owner":"cus_ana","amount":{"max":{"amount":50,"currency":"USD"}}}`

// holds: U12
func TestU12AGrantIsTriedOnTheCardsThatWereAsked(t *testing.T) {
	b, _ := answering(t, func(_ int, c policy.Card) policy.Answer {
		amount := c.Facts["amount"].(map[string]any)["amount"].(float64)
		switch {
		case amount == 13 || amount == 99:
			return policy.Answer{Answer: bus.AnswerDeny}
		case amount == 40:
			return policy.Answer{Answer: bus.AnswerAllow, Arguments: raw(`{"purse":"purse_ana","amount":{"amount":41,` +
				`"currency":"USD"}}`)}
		}
		return policy.Answer{Answer: bus.AnswerAllow}
	})
	for _, coins := range []int{10, 20, 60, 13, 99, 30, 40} {
		b.Pays("purse_ana", coins)
		b.Clock.Advance(time.Minute)
	}
	b.Pays("purse_ben", 5)
	b.AgentAs(bus.ModelID{Endpoint: helper.Endpoint, Name: helper.Name, Autonomy: "ask"}, "chat_2", "purse.pay", "%s",
		payTo("purse_ana", 8))
	b.AgentAs(bus.ModelID{Endpoint: "elsewhere", Name: helper.Name}, "chat_3", "purse.pay", "%s", payTo("purse_ana", 7))
	b.Clock.Advance(time.Minute)

	got := b.tried(`{"list":true,"grant":%s}`, b.grantOf(upTo50, `{"uses":100}`))
	if len(got.DeniedSpared) != 1 || b.last("purse.pay").RequestID == got.DeniedSpared[0] || len(got.Requests) != 4 {
		t.Errorf("%+v", got)
	}
	got.DeniedSpared, got.Requests = nil, nil
	// 10, 20, 30 and the 8 of a conversation that asks first. The person denied 13, and 41 is a value that the person
	// typed.
	if diff := cmp.Diff(trial{Cards: 9, Spared: 4, AskFirst: 1, Denied: 2, Edited: 1}, got); diff != "" {
		t.Error(diff)
	}
	got = b.tried(`{"grant":%s}`, b.grantOf(upTo50, `{"uses":2}`))
	if got.Spared != 2 || got.UsedUp != 2 || len(got.DeniedSpared) != 1 || got.Requests != nil {
		t.Errorf("with two uses: %+v", got)
	}
	got = b.tried(`{"grant":%s}`, b.grantOf(upTo50, `{"budget":{"amount":35,"currency":"USD"}}`))
	if got.Spared != 2 || got.UsedUp != 2 {
		t.Errorf("with a budget: %+v", got)
	}
	if got = b.tried(`{"period":"yesterday","grant":%s}`, b.grantOf(upTo50, `{"uses":2}`)); got.Cards != 0 {
		t.Errorf("yesterday: %+v", got)
	}
}

// TestU12TextOfOthersHoldsATriedGrantAsALiveOne: a trial spares no card that came from tainted text, and none that
// needs another person's permission.
//
// holds: U12
func TestU12TextOfOthersHoldsATriedGrantAsALiveOne(t *testing.T) {
	b, _ := answering(t, func(int, policy.Card) policy.Answer { return policy.Answer{Answer: bus.AnswerAllow} })
	read := &policy.Provenance{}
	read.ReadTainted("List the remarks")
	who := owner
	who.Model, who.ConversationID = &helper, "chat_1"
	for i, ctx := range []context.Context{t.Context(), read.In(t.Context())} {
		b.Bus.Invoke(ctx, bus.Invocation{Capability: "purse.pay", Arguments: raw("%s", payTo("purse_ana", int64(i+1))),
			Principal: who, Caller: bus.Caller{Type: bus.CallerAgent}})
		b.Bus.Invoke(ctx, bus.Invocation{Capability: "remark.add", Arguments: raw(`{"text":"t%d"}`, i), Principal: who,
			Caller: bus.Caller{Type: bus.CallerAgent}})
	}
	b.Clock.Advance(time.Minute)
	if got := b.tried(`{"grant":%s}`, b.grantOf(upTo50, `{"uses":9}`)); got.Cards != 2 || got.Spared != 1 ||
		got.Tainted != 1 {
		t.Errorf("%+v", got)
	}
	if d := b.last("purse.pay").Decision; !slices.Equal(d.Tainted, []string{"List the remarks"}) {
		t.Errorf("%+v", d)
	}
	got := b.tried(`{"grant":{"grantee":{"endpoint":%q,"model":%q},"capability":"remark.add"}}`, helper.Endpoint,
		helper.Name)
	if got.Cards != 2 || got.Spared != 2 || got.Tainted != 0 { // a change with an undo may follow tainted text
		t.Errorf("remark.add: %+v", got)
	}
}

// holds: U12
func TestU12ARuleIsTriedOnEveryCall(t *testing.T) {
	b, _ := answering(t, func(n int, _ policy.Card) policy.Answer {
		if n == 2 {
			return policy.Answer{Answer: bus.AnswerDeny}
		}
		return policy.Answer{Answer: bus.AnswerAllow}
	})
	for i := range 3 {
		b.Agent("remark.add", `{"text":"t%d"}`, i)
	}
	for range 4 {
		b.Agent("purse.fill", `{}`)
	}
	b.Clock.Advance(time.Minute)
	for rule, want := range map[string]trial{
		`{"capability":"remark.add","rule":"allowed"}`:               {Cards: 3, Spared: 2, Denied: 1},
		`{"capability":"remark.add","rule":"confirmation_required"}`: {Cards: 3, Denied: 1},
		`{"capability":"remark.add","rule":"forbidden"}`:             {Cards: 3, Denied: 1, Refused: 3},
		`{"capability":"purse.fill","rule":"confirmation_required"}`: {AskedMore: 4},
		`{"class":"ui-only","rule":"confirmation_required"}`:         {Cards: 3, Denied: 1, AskedMore: 4},
		`{"class":"ui-only","rule":"forbidden"}`:                     {Cards: 3, Denied: 1, Refused: 7},
		`{"class":"ui-only","rule":"allowed"}`:                       {Cards: 3, Denied: 1}, // never looser than a definition
	} {
		got := b.tried(`{"rule":%s}`, rule)
		if let := len(got.DeniedSpared); (let == 1) != (want.Spared > 0) {
			t.Errorf("%s: lets %d denied calls through", rule, let)
		}
		got.DeniedSpared = nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
	b.Does(nil, "policy.set", `{"rules":[{"capability":"purse.fill","rule":"forbidden"}]}`)
	if got := b.tried(`{"rule":{"class":"ui-only","rule":"confirmation_required"}}`); got.Refused != 4 ||
		got.AskedMore != 0 {
		t.Errorf("beside another rule: %+v", got)
	}
	b.Does(nil, "policy.set", `{"rules":[{"class":"ui-only","rule":"forbidden"}]}`)
	if got := b.tried(`{"rule":{"class":"ui-only","rule":"confirmation_required"}}`); got.AskedMore != 4 {
		t.Errorf("in place of the rule for the same: %+v", got)
	}
}

// holds: U12 R12
func TestU12WhatCannotBeTriedIsRefused(t *testing.T) {
	b := openBooth(t, policy.Options{})
	for args, words := range map[string]string{
		`{}`: "A rule or a grant is tried out",
		`{"rule":{"class":"pure","rule":"allowed"},"grant":` + b.grantOf(upTo50, `{"uses":1}`) + `}`: "A rule or a grant",
		`{"rule":{"capability":"purse.pay","rule":"allowed"}}`:                                       "confirmed by a person",
		`{"grant":` + b.grantOf(`{}`, `{"uses":1}`) + `}`:                                            "needs one owner",
		`{"period":"week","from":"2026-01-01","rule":{"class":"pure","rule":"allowed"}}`:             "not both",
	} {
		b.Fails(b.Person("policy.tryOut", "%s", args), bus.Validation, bus.ReasonArguments, words)
	}
	b.Fails(b.Person("policy.tryOut", `{"rule":{"capability":"no.such","rule":"allowed"}}`), bus.NotFound,
		bus.ReasonRecord, "no.such")
	b.Fails(b.Agent("policy.tryOut", `{"rule":{"class":"pure","rule":"allowed"}}`), bus.Forbidden,
		bus.ReasonAgentForbidden, "")
	who := owner
	for _, scopes := range [][]string{{"policy:read"}, {"audit:read"}} {
		who.Scopes = scopes
		b.Fails(b.Bus.Invoke(t.Context(), bus.Invocation{Capability: "policy.tryOut", Principal: who,
			Arguments: raw(`{"rule":{"class":"pure","rule":"allowed"}}`), Caller: bus.Caller{Type: bus.CallerUI}}),
			bus.Forbidden, bus.ReasonPermission, "")
	}
}

// pays makes random calls that are the same for each seed. The purse, the amount, the conversation and the taint vary.
func pays(seed uint64, n int, do func(ctx context.Context, inv bus.Invocation)) {
	random := rand.New(rand.NewPCG(seed, 1))
	for i := range n {
		x := &policy.Provenance{}
		if random.IntN(5) == 0 {
			x.ReadTainted("List the remarks")
		}
		who, model := owner, helper
		who.Model, who.ConversationID = &model, fmt.Sprint("chat_", random.IntN(3))
		purse := []string{"purse_ana", "purse_ben", "purse_0"}[random.IntN(3)]
		args := raw(`{"purse":%q,"amount":{"amount":%d,"currency":"USD"}}`, purse, 1+random.IntN(12))
		do(x.In(context.Background()), bus.Invocation{Capability: "purse.pay", RequestID: fmt.Sprint("req_pay_", i),
			Arguments: args, Principal: who, Caller: bus.Caller{Type: bus.CallerAgent}})
	}
}

// TestU12ATrialSaysWhatTheLiveRuleDoes: a trial of a grant spares the same cards as the grant does when the same calls
// run again.
//
// holds: U12
func TestU12ATrialSaysWhatTheLiveRuleDoes(t *testing.T) {
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 2))
		constraints := fmt.Sprintf(`{"owner":%q,"amount":{"max":{"amount":%d,"currency":"USD"}}}`,
			[]string{"cus_ana", "cus_ben"}[random.IntN(2)], 2+random.IntN(10))
		limits := []string{`{"uses":100}`, `{"uses":4}`, `{"budget":{"amount":30,"currency":"USD"}}`,
			`{"uses":100,"conversation":"chat_1"}`}[random.IntN(4)]
		allow := func(int, policy.Card) policy.Answer { return policy.Answer{Answer: bus.AnswerAllow} }
		past, _ := answering(t, allow)
		pays(seed, 40, func(ctx context.Context, inv bus.Invocation) { past.Bus.Invoke(ctx, inv) })
		past.Clock.Advance(time.Minute)
		grant := past.grantOf(constraints, limits)
		got := past.tried(`{"list":true,"grant":%s}`, grant)

		live, cards := answering(t, allow)
		live.Does(nil, "grant.create", "%s", grant)
		pays(seed, 40, func(ctx context.Context, inv bus.Invocation) { live.Bus.Invoke(ctx, inv) })
		asked := map[string]bool{}
		for _, c := range *cards {
			asked[c.RequestID] = true
		}
		var spared []string
		for i := range 40 {
			if id := fmt.Sprint("req_pay_", i); !asked[id] {
				spared = append(spared, id)
			}
		}
		if got.Cards != 40 || !slices.Equal(got.Requests, spared) {
			t.Errorf("seed %d, %s %s: tried %d of %d, live %d", seed, constraints, limits, len(got.Requests), got.Cards,
				len(spared))
		}
	}
}

// TestU12WhatWasErasedIsSkippedAndCounted: a trial cannot judge a card whose arguments and facts were erased.
//
// holds: U12
func TestU12WhatWasErasedIsSkippedAndCounted(t *testing.T) {
	b, _ := answering(t, func(int, policy.Card) policy.Answer { return policy.Answer{Answer: bus.AnswerAllow} })
	b.Pays("purse_ana", 10)
	b.Pays("purse_ben", 10)
	erase := &bus.Entry{Kind: bus.KindInvocation, Started: b.Clock.Now(), Invocation: bus.Invocation{Capability: "erase",
		RequestID: "req_erase"}, Result: bus.Result{Status: bus.StatusSuccess}}
	if err := b.Log.Do(t.Context(), erase, func(ctx context.Context, _ bus.Exec) error {
		_, err := b.Log.Erase(ctx, "purse_ana")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	b.Clock.Advance(time.Minute)
	got := b.tried(`{"grant":%s}`, b.grantOf(`{"owner":{"in":["cus_ana","cus_ben"]}}`, `{"uses":9}`))
	if got.Cards != 2 || got.Spared != 1 || got.Skipped != 1 {
		t.Errorf("%+v", got)
	}
}
