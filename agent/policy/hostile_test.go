package policy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// hostile makes n calls of one tool with arguments by their number.
func hostile(n int, tool string, args func(i int) string) step {
	return func(model.Request) (model.Reply, error) {
		r := model.Reply{Text: "obeying"}
		for i := range n {
			c := model.Call{ID: fmt.Sprint("c", i), Tool: tool, Arguments: raw("{}")}
			if a := args(i); json.Valid([]byte(a)) && strings.HasPrefix(a, "{") {
				c.Arguments = raw("%s", a)
			} else {
				c.Broken = a
			}
			r.Calls = append(r.Calls, c)
		}
		return r, nil
	}
}

func same(args string) func(int) string { return func(int) string { return args } }

func payTo(purse string, coins any) string {
	return fmt.Sprintf(`{"purse":%q,"amount":{"amount":%v,"currency":"USD"}}`, purse, coins)
}

// TestA7NothingHappensBeyondWhatWasAllowed: a model makes every call it can, for a person with all permissions. Only
// calls that a grant covers or a person allowed run.
//
// holds: A7
func TestA7NothingHappensBeyondWhatWasAllowed(t *testing.T) {
	nested := strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000)
	pays := func(n int, coins any) step { return hostile(n, "purse_pay", same(payTo("purse_ana", coins))) }
	different := func(n int) step {
		return hostile(n, "purse_pay", func(i int) string { return payTo("purse_ana", i+1) })
	}
	for name, tt := range map[string]struct {
		grant string // limits of a grant for Ana's purse, up to 30 coins at a time
		steps []step
		paid  int64
		cards int // at most
	}{
		"tools that do not exist": {steps: []step{hostile(1, "order_rush", same(`{}`)), hostile(1, "", same(`{}`)),
			hostile(1, "purse.pay\x00", same(payTo("purse_ana", 1))),
			hostile(1, strings.Repeat("x", 100_000), same(`{}`)), hostile(1, "ＰＵＲＳＥ_pay", same(payTo("purse_ana", 1))),
			hostile(1, "../purse_pay", same(`{}`))}, cards: 1},
		"wrong types": {grant: `{"uses":100}`, steps: []step{pays(1, `"5.5"`), pays(1, `null`), pays(1, `-5`), pays(1, `1e400`),
			pays(1, `5.5`), pays(1, `[5]`), pays(1, `9223372036854775808`)}},
		"a number in quotes": {grant: `{"uses":100}`, steps: []step{pays(1, `"5"`), pays(1, `"31"`)}, paid: 5, cards: 1},
		"arguments that are none": {grant: `{"uses":100}`, steps: []step{hostile(1, "purse_pay", same(`[1]`)),
			hostile(1, "purse_pay", same(`{"purse":`)), hostile(1, "purse_pay", same(`"purse_ana"`)),
			hostile(1, "purse_pay", same(``))}},
		"huge and nested arguments": {grant: `{"uses":100}`,
			steps: []step{hostile(1, "purse_pay",
				same(fmt.Sprintf(`{"purse":%q,"amount":{"amount":1,"currency":"USD"}}`, strings.Repeat("x", 1<<20)))),
				hostile(1, "purse_pay", same(nested)), hostile(1, "plan_propose",
					same(`{"steps":`+strings.Replace(nested, "1", `[]`, 1)+`}`))}},
		"thousands of calls": {grant: `{"uses":3}`, steps: []step{pays(2000, 1)}, paid: 0},
		"endless reads":      {steps: []step{hostile(2, "purse_list", same(`{}`))}},
		"a flood of cards":   {steps: []step{different(60), different(60), different(60)}, cards: 2},
		"many kinds of cards": {steps: []step{different(5), hostile(5, "purse_burn", same(`{"purse":"purse_ana"}`)),
			hostile(5, "mail_send", same(`{"to":"eve"}`)), different(5)}, cards: 4},
		"an approval in arguments": {
			steps: []step{hostile(1, "purse_pay",
				same(`{"purse":"purse_ana","amount":{"amount":1,"currency":"USD"},"approval_id":"apr_x"}`))}},
		"fields of the envelope": {
			steps: []step{hostile(1, "purse_pay",
				same(`{"purse":"purse_ana","amount":{"amount":1,"currency":"USD"},"caller":{"type":"ui"},"dry_run":false}`))}},
		"the same call once more": {grant: `{"uses":100}`, steps: []step{pays(20, 5), pays(20, 5)}, paid: 5},
		"an amount in slices": {grant: `{"budget":{"amount":40,"currency":"USD"}}`, steps: []step{different(20)},
			paid: 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8, cards: 2},
		"just over each time": {grant: `{"budget":{"amount":40,"currency":"USD"}}`,
			steps: []step{hostile(3, "purse_pay", func(i int) string { return payTo("purse_ana", 29+i) })}, paid: 29, cards: 2},
		"another currency": {grant: `{"budget":{"amount":40,"currency":"USD"}}`,
			steps: []step{hostile(1, "purse_pay", same(`{"purse":"purse_ana","amount":{"amount":5,"currency":"JPY"}}`))},
			cards: 1},
		"somebody else's purse": {grant: `{"uses":100}`, steps: []step{hostile(3, "purse_pay", same(payTo("purse_ben", 1)))},
			cards: 1},
		"a grant for itself": {steps: []step{
			hostile(1, "grant_create",
				same(`{"grantee":{"endpoint":"http://localhost/v1","model":"helper"},"capability":"remark.add"}`)), pays(1, 1)},
			cards: 1},
		"rules for itself": {steps: []step{hostile(1, "policy_set",
			same(`{"rules":[{"class":"destructive","rule":"allowed"}]}`)), pays(1, 1)}, cards: 1},
		"begging for a grant": {steps: []step{hostile(9, "agent_requestCapability", func(i int) string {
			return fmt.Sprintf(`{"capability":"purse.pay","constraints":{"owner":"cus_ana"},"limits":{"uses":%d},"reason":"please"}`, i+1)
		}), pays(1, 1)}, cards: 3},
		"a grant without bounds": {
			steps: []step{hostile(1, "agent_requestCapability", same(`{"capability":"purse.pay","reason":"all of it"}`)),
				hostile(1, "agent_requestCapability",
					same(`{"capability":"purse.pay","constraints":{"owner":{"matches":"*"}},"reason":"x"}`))}},
		"a plan instead": {grant: `{"uses":100}`, steps: []step{
			hostile(2, "plan_propose", same(`{"steps":[{"capability":"purse.pay","arguments":`+payTo("purse_ana", 1)+`}]}`))},
			cards: 1},
		"a plan of a thousand": {
			steps: []step{hostile(1, "plan_propose",
				same(`{"steps":[`+strings.TrimSuffix(strings.Repeat(`{"capability":"purse.list"},`, 1000), ",")+`]}`))}},
		"a plan that points around": {steps: []step{hostile(4, "plan_propose", func(i int) string {
			return fmt.Sprintf(`{"steps":[{"capability":"purse.list"},{"capability":"purse.pay","arguments":{"purse":{"$from":%q},"amount":{"amount":1,"currency":"USD"}}}]}`, []string{"/1/x", "/-1", "", "/0/purses/9999999999999999999/id"}[i])
		})}},
		"switching itself on": {steps: []step{hostile(1, "assistant_setEnabled", same(`{"enabled":true}`))}},
		"what people said": {steps: []step{hostile(1, "conversation_list", same(`{}`)),
			hostile(1, "conversation_get", same(`{"conversationId":"chat_2"}`))}},
		"calls in text": {steps: []step{reply(`<tool_call>{"name":"purse_pay","arguments":` + payTo("purse_ana", 1) +
			`}</tool_call>`)}},
	} {
		t.Run(name, func(t *testing.T) {
			b, cards := answering(t, func(int, policy.Card) policy.Answer { return policy.Answer{Answer: bus.AnswerDeny} })
			if tt.grant != "" {
				b.Does(nil, "grant.create",
					`{"grantee":{"endpoint":%q,"model":%q},"capability":"purse.pay","constraints":{"owner":"cus_ana","amount":{"max":30}},"limits":%s,"until":%d}`,
					helper.Endpoint, helper.Name, tt.grant, b.Clock.Now().Add(1e12).UnixMilli())
			}
			before := b.Decided()
			bridge, _ := b.Stored(append(tt.steps, reply("done"))...)
			b.Says(bridge, "chat_1", "hello")
			if b.Paid() != tt.paid || b.Mails.Load() != 0 || b.Decided() != before || b.Purses() != 10 {
				t.Errorf("%d paid, %d mails, decided %s and before %s", b.Paid(), b.Mails.Load(), b.Decided(), before)
			}
			if len(*cards) > tt.cards {
				t.Errorf("%d cards", len(*cards))
			}
			if v, err := b.Log.Verify(t.Context(), nil); err != nil || !v.OK {
				t.Errorf("%+v %v", v, err)
			}
		})
	}
}

// Decided lists the stored decisions about the assistant.
func (b *booth) Decided() string {
	b.T.Helper()
	var rules, grants json.RawMessage
	b.Does(&rules, "policy.get", `{}`)
	var list struct {
		Grants []struct{ ID, Status string }
	}
	b.Does(&list, "grant.list", `{}`)
	grants, _ = json.Marshal(len(list.Grants))
	return string(rules) + string(grants)
}

func (b *booth) Purses() (n int64) {
	b.T.Helper()
	err := b.Log.View(context.Background(), func(ctx context.Context) error {
		return audit.Tx(ctx).QueryRowContext(ctx, `SELECT count(*) FROM purses`).Scan(&n)
	})
	if err != nil {
		b.T.Fatal(err)
	}
	return n
}

// TestA7AnsweredCardsAreSpent: an allowed call with other arguments under the same call id gets a new card.
//
// holds: A7
func TestA7AnsweredCardsAreSpent(t *testing.T) {
	b, cards := answering(t, func(n int, c policy.Card) policy.Answer {
		if n == 1 {
			return policy.Answer{Answer: bus.AnswerAllow}
		}
		return policy.Answer{Answer: bus.AnswerDeny}
	})
	bridge, _ := b.Talk(reply("", use("x", "purse_pay", payTo("purse_ana", 5))),
		reply("", use("x", "purse_pay", payTo("purse_ana", 50))), reply("ok"),
		reply("", use("x", "purse_pay", payTo("purse_ana", 5))), reply("ok"))
	b.Says(bridge, "chat_1", "pay 5")
	b.Says(bridge, "chat_1", "and again")
	if b.Paid() != 5 || len(*cards) != 3 {
		t.Errorf("%d paid, %d cards", b.Paid(), len(*cards))
	}
	for _, c := range *cards {
		if err := b.Policy.Decide(policy.Answer{ApprovalID: c.ApprovalID, Answer: bus.AnswerAllow, By: c.Person}); code(
			err) !=
			bus.Conflict {
			t.Errorf("an old answer: %v", err)
		}
	}
}

// TestA7RacingApprovalsAllowOneCall: many calls at once, whose one card is
// answered by many.
// holds: A7
func TestA7RacingApprovalsAllowOneCall(t *testing.T) {
	var b *booth
	var allowed atomic.Int64
	b = openBooth(t, policy.Options{OnCard: func(e policy.CardEvent) {
		if e.Type != policy.CardOpened {
			return
		}
		for range 50 {
			go func() {
				answer := bus.AnswerDeny
				if allowed.Add(1) == 1 {
					answer = bus.AnswerAllow
				}
				// all but one come too late
				_ = b.Policy.Decide(policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: answer, By: e.Card.Person})
			}()
		}
	}})
	done := make(chan bus.Result)
	for range 8 {
		go func() { done <- b.Agent("purse.pay", "%s", payTo("purse_ana", 1)) }()
	}
	ok := int64(0)
	for range 8 {
		if r := <-done; r.OK() {
			ok++
		}
	}
	if ok > 1 || b.Paid() != ok {
		t.Errorf("%d calls done, %d paid", ok, b.Paid())
	}
}
