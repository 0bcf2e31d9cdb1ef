package policy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// proposed is one grant in the result of grant.suggest.
type proposed struct {
	Grantee          policy.Grantee
	Capability, Text string
	Constraints      map[string]any
	Limits           policy.GrantLimits
	Until            int64
	trial
}

func (b *booth) proposals(args string) []proposed {
	b.T.Helper()
	var out struct{ Proposals []proposed }
	b.Does(&out, "grant.suggest", "%s", args)
	return out.Proposals
}

// created is the proposal as grant.create takes it.
func (p *proposed) created() string {
	raw, _ := json.Marshal(map[string]any{"grantee": p.Grantee, "capability": p.Capability, "constraints": p.Constraints,
		"limits": p.Limits, "until": p.Until})
	return string(raw)
}

// holds: U12
func TestU12TheNarrowestGrantThatSparesMostIsProposed(t *testing.T) {
	no := map[string]bool{}
	b, _ := answering(t, func(_ int, c policy.Card) policy.Answer {
		if no[fmt.Sprint(c.Facts["owner"], c.Facts["amount"].(map[string]any)["amount"])] {
			return policy.Answer{Answer: bus.AnswerDeny}
		}
		return policy.Answer{Answer: bus.AnswerAllow}
	})
	no["cus_ana90"], no["cus_ben3"] = true, true
	for _, coins := range []int{10, 25, 90, 40, 5, 300} {
		b.Pays("purse_ana", coins)
	}
	for _, coins := range []int{3, 2} {
		b.Pays("purse_ben", coins)
	}
	b.Clock.Advance(time.Minute)
	got := b.proposals(`{}`)
	if len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	p := got[0]
	// The bound is below the denied 90, so it excludes 300 too. Of Ben's purse the person denied 3, which the bound
	// would allow.
	want := map[string]any{"owner": "cus_ana", "amount": map[string]any{"max": map[string]any{"amount": 40.0,
		"currency": "USD"}}}
	if diff := cmp.Diff(want, p.Constraints); diff != "" || p.Limits != (policy.GrantLimits{Uses: 4}) ||
		p.Spared != 4 || p.Cards != 8 || p.Denied != 2 || len(p.DeniedSpared) != 0 || p.Capability != "purse.pay" ||
		p.Text == "" || p.Grantee.Model != helper.Name {
		t.Errorf("%+v %s", p, diff)
	}
	if len(b.proposals(`{"capability":"remark.add"}`)) != 0 {
		t.Error("of another capability")
	}
	b.Does(nil, "grant.create", "%s", p.created())
	if again := b.proposals(`{}`); len(again) != 0 {
		t.Errorf("it is proposed again although it is given: %+v", again)
	}
}

// TestU12WhatHasNoBoundsIsProposedOnlyIfNothingWasDenied: where no constraint separates the allowed calls from the
// denied ones, there is no proposal. A capability that can have no grant has none either.
//
// holds: U12
func TestU12WhatHasNoBoundsIsProposedOnlyIfNothingWasDenied(t *testing.T) {
	deny := false
	b, _ := answering(t, func(int, policy.Card) policy.Answer {
		if deny {
			return policy.Answer{Answer: bus.AnswerDeny}
		}
		return policy.Answer{Answer: bus.AnswerAllow}
	})
	for i := range 4 {
		b.Agent("remark.add", `{"text":"t%d"}`, i)
		b.Agent("purse.burn", `{"purse":"purse_%d"}`, i)
	}
	b.Clock.Advance(time.Minute)
	got := b.proposals(`{}`)
	if len(got) != 1 || got[0].Capability != "remark.add" || len(got[0].Constraints) != 0 || got[0].Spared != 4 {
		t.Errorf("%+v", got)
	}
	deny = true
	b.Agent("remark.add", `{"text":"no"}`)
	b.Clock.Advance(time.Minute)
	if got := b.proposals(`{}`); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	b.Fails(b.Agent("grant.suggest", `{}`), bus.Forbidden, bus.ReasonAgentForbidden, "")
}

// TestU12AProposedGrantNeverCoversADeniedCall: in random histories, a denied call that is made again under the proposed
// grant still gets a card.
//
// holds: U12
func TestU12AProposedGrantNeverCoversADeniedCall(t *testing.T) {
	seen, checked := 0, 0
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 3))
		denies := 1 + random.IntN(2)
		past, _ := answering(t, func(int, policy.Card) policy.Answer {
			if random.IntN(10) < denies {
				return policy.Answer{Answer: bus.AnswerDeny}
			}
			return policy.Answer{Answer: bus.AnswerAllow}
		})
		var denied []bus.Invocation
		pays(seed, 30, func(ctx context.Context, inv bus.Invocation) {
			if r := past.Bus.Invoke(ctx, inv); !r.OK() {
				inv.RequestID = ""
				denied = append(denied, inv)
			}
		})
		past.Clock.Advance(time.Minute)
		for _, p := range past.proposals(`{}`) {
			seen++
			if p.Spared < 3 || len(p.DeniedSpared) > 0 {
				t.Errorf("seed %d: %+v", seed, p)
			}
			live, cards := answering(t, func(int, policy.Card) policy.Answer {
				return policy.Answer{Answer: bus.AnswerDeny}
			})
			live.Does(nil, "grant.create", "%s", p.created())
			for _, inv := range denied {
				checked++
				if r := live.Bus.Invoke(t.Context(), inv); r.OK() {
					t.Errorf("seed %d: %s covers %s", seed, p.Text, inv.Arguments)
				}
			}
			if len(*cards) != len(denied) {
				t.Errorf("seed %d: %d of %d were asked", seed, len(*cards), len(denied))
			}
		}
	}
	if seen < 5 || checked < 15 {
		t.Errorf("only %d proposals and %d denied calls were tried", seen, checked)
	}
}
