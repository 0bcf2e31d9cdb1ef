package policy_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// holds: A10
func TestA10AskingForAGrantAlwaysAsksThePerson(t *testing.T) {
	var b *booth
	var cards []policy.Card
	answer := bus.AnswerDeny
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
	answer = bus.AnswerAllow
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
	answer = bus.AnswerDeny
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
			return policy.Answer{Answer: bus.AnswerGrant, Grant: &wide}
		case 2:
			return policy.Answer{Answer: bus.AnswerAllow}
		}
		return policy.Answer{Answer: bus.AnswerDeny}
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
func TestA10AGrantHasTheTightestOfEachBound(t *testing.T) {
	const hours = 3_600_000
	start := bustest.NewClock().Now().UnixMilli()
	const asked = `{"capability":"purse.pay","constraints":{"owner":"cus_ana"},"reason":"r","until":%q,"limits":%s}`
	for name, tc := range map[string]struct {
		asked      string // limits
		until      int64  // hours asked for
		within     policy.GrantLimits
		withinEnd  int64  // hours
		constraint string // on the owner
		limits     string // "": it cannot be
		end        int64
	}{
		"fewer uses":    {`{"uses":7}`, 5, policy.GrantLimits{Uses: 3}, 2, "", `{"uses":3}`, 2},
		"more uses":     {`{"uses":3}`, 2, policy.GrantLimits{Uses: 7}, 5, "", `{"uses":3}`, 2},
		"no more bound": {`{"uses":1}`, 2, policy.GrantLimits{}, 0, "", `{"uses":1}`, 2},
		"one use":       {`{"uses":3}`, 2, policy.GrantLimits{Uses: 1}, 0, "", `{"uses":1}`, 2},
		"uses of a budget": {`{"budget":{"amount":5,"currency":"USD"}}`, 2, policy.GrantLimits{Uses: 3}, 0, "",
			`{"uses":3,"budget":{"amount":5,"currency":"USD"}}`, 2},
		"a budget of uses": {`{"uses":3}`, 2, policy.GrantLimits{Budget: &policy.Budget{Amount: 5, Currency: "USD"}}, 0, "",
			`{"uses":3,"budget":{"amount":5,"currency":"USD"}}`, 2},
		"a smaller budget": {`{"budget":{"amount":9,"currency":"USD"}}`, 2,
			policy.GrantLimits{Budget: &policy.Budget{Amount: 5, Currency: "USD"}}, 0, "",
			`{"budget":{"amount":5,"currency":"USD"}}`, 2},
		"a larger budget": {`{"budget":{"amount":5,"currency":"USD"}}`, 2,
			policy.GrantLimits{Budget: &policy.Budget{Amount: 9, Currency: "USD"}}, 0, "",
			`{"budget":{"amount":5,"currency":"USD"}}`, 2},
		"a budget of another currency": {`{"budget":{"amount":5,"currency":"USD"}}`, 2,
			policy.GrantLimits{Budget: &policy.Budget{Amount: 5, Currency: "EUR"}}, 0, "", "", 0},
		"one conversation": {`{"uses":3}`, 2, policy.GrantLimits{Conversation: "chat_1"}, 0, "",
			`{"uses":3,"conversation":"chat_1"}`, 2},
		"any conversation": {`{"uses":3,"conversation":"chat_2"}`, 2, policy.GrantLimits{}, 0, "",
			`{"uses":3,"conversation":"chat_2"}`, 2},
		"another conversation": {`{"uses":3,"conversation":"chat_2"}`, 2, policy.GrantLimits{Conversation: "chat_1"}, 0, "",
			"", 0},
		"the same owner": {`{"uses":3}`, 2, policy.GrantLimits{}, 0, `"cus_ana"`, `{"uses":3}`, 2},
		"another owner":  {`{"uses":3}`, 2, policy.GrantLimits{}, 0, `"cus_ben"`, "", 0},
	} {
		var refused error
		var b *booth
		answered := false
		b = openBooth(t, policy.Options{OnCard: func(e policy.CardEvent) {
			if e.Type != policy.CardOpened {
				return
			}
			a := answers(e.Card, bus.AnswerAllow)
			if !answered { // a grant with other terms leads to a second card
				a.Answer, a.Grant = bus.AnswerGrant, &policy.GrantTerms{Limits: tc.within}
				if tc.withinEnd > 0 {
					a.Grant.Until = start + tc.withinEnd*hours
				}
				if tc.constraint != "" {
					a.Grant.Constraints = policy.Constraints{"owner": raw("%s", tc.constraint)}
				}
			}
			answered = true
			if refused = b.Policy.Decide(a); refused != nil {
				a.Answer, a.Grant = bus.AnswerDeny, nil
				decide(t, b.Policy, a)
			}
		}})
		r := b.Agent("agent.requestCapability", asked, time.UnixMilli(start+tc.until*hours).UTC().Format(time.RFC3339), tc.asked)
		var list struct {
			Grants []struct {
				Limits json.RawMessage
				Until  int64
			}
		}
		b.Does(&list, "grant.list", `{}`)
		switch {
		case tc.limits == "":
			if code(refused) != bus.Validation || !strings.Contains(refused.Error(), "Nothing fulfils both") || r.OK() {
				t.Errorf("%s: %v, %v", name, refused, r.Err)
			}
		case len(list.Grants) != 1:
			t.Errorf("%s: %v %v", name, refused, r.Err)
		case string(list.Grants[0].Limits) != tc.limits || list.Grants[0].Until != start+tc.end*hours:
			t.Errorf("%s: %s until %d", name, list.Grants[0].Limits, (list.Grants[0].Until-start)/hours)
		}
	}
}

// TestA10ARequestNamesItsEndAsPeopleDo: until is a day, which ends at midnight, or a time in Wording.Zone, unless the
// text has another zone. Other texts are refused.
//
// holds: A10
func TestA10ARequestNamesItsEndAsPeopleDo(t *testing.T) {
	zone := time.FixedZone("", 3*60*60)
	at := func(day, hour, minute int) int64 {
		return time.Date(2026, 3, day, hour, minute, 0, 0, zone).UnixMilli()
	}
	wording := policy.Wording{Zone: func(context.Context) (*time.Location, error) { return zone, nil }}
	for until, want := range map[string]int64{
		"2026-03-03":           at(4, 0, 0),
		"2026-03-03T17:30:00Z": at(3, 20, 30),
		"2026-03-03T17:30:00":  at(3, 17, 30),
		"2026-03-03T17:30":     at(3, 17, 30),
		"2026-03-03 17:30":     at(3, 17, 30),
		"1772548200000":        0,
		"tomorrow":             0,
		"2026-02-01":           0, // it is over
	} {
		b := openBooth(t, policy.Options{Fixed: bus.AnswerAllow})
		b.Bus = bus.New(b.Bus.Options())
		b.Bus.MustRegister(append(b.Capabilities(), policy.Capabilities(policy.Options{Log: b.Log, Wording: wording})...)...)
		r := b.Agent("agent.requestCapability", `{"capability":"remark.add","reason":"many","until":%q}`, until)
		if want == 0 {
			b.Fails(r, bus.Validation, bus.ReasonArguments, "")
			continue
		}
		if list := b.listed(`{}`).Grants; !r.OK() || len(list) != 1 || list[0].Until != want {
			t.Errorf("%s: %+v %v", until, list, r.Err)
		}
	}
}

// holds: A10
func TestA10WhoMayNotGrantIsNotAskedForOne(t *testing.T) {
	asked := false
	b := openBooth(t, policy.Options{OnCard: func(policy.CardEvent) { asked = true }})
	r := b.Bus.Invoke(t.Context(), bus.Invocation{Capability: "agent.requestCapability",
		Arguments: raw(`{"capability":"purse.pay","reason":"many"}`),
		Caller:    bus.Caller{Type: bus.CallerAgent, Source: "chat_1"},
		Principal: bus.Principal{ID: "u2", Role: "clerk", Scopes: []string{"agent:write", "purse:write", "grant:read"},
			ConversationID: "chat_1"}})
	b.Fails(r, bus.Forbidden, bus.ReasonPermission, "")
	if asked {
		t.Error("a card was shown")
	}
}
