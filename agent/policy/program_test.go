package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// payEach pays from each purse.
const payEach = `{"steps":[{"capability":"purse.list"},{"$each":{"from":"/0/purses"},"capability":"purse.pay",
	"arguments":{"purse":{"$item":"/id"},"amount":{"amount":1250,"currency":"USD"},"reason":{"$item":"/name"}}}]}`

// shownValues are the values of a card as a person reads them.
func shownValues(c policy.Card) (lines []string) {
	for _, a := range c.Arguments {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s = %s (%s) %d", a.Pointer, a.Label, a.Text, a.Origin, a.Through)))
	}
	return lines
}

// holds: A26
func TestA26AProgramIsOneCardWithTotalsAndEachRow(t *testing.T) {
	b, cards := answering(t, func(int, policy.Card) policy.Answer { return policy.Answer{Answer: bus.AnswerAllow} })
	r := b.Agent("plan.propose", "%s", payEach)
	if !r.OK() || len(*cards) != 1 || b.Paid() != 2500 {
		t.Fatalf("%+v, %d cards, %d paid", r.Err, len(*cards), b.Paid())
	}
	c := (*cards)[0]
	if c.Sentence != "2 × Pay out, $25.00 in all" || c.SideEffect != bus.UIOnly {
		t.Errorf("%s, %s", c.Sentence, c.SideEffect)
	}
	if diff := cmp.Diff([]string{"List the purses", "Pay 1250 out of purse_ana", "Pay 1250 out of purse_ben"}, c.Steps); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{
		"/steps/0/arguments Steps 1 arguments = {} (default) 0",
		"/steps/0/capability Steps 1 capability = purse.list (guess) 0",
		"/steps/1/arguments/amount Steps 2 to 3 arguments amount = $12.50 (guess) 2",
		"/steps/1/arguments/purse Steps 2 arguments purse = Ana's purse (looked_up) 0",
		"/steps/1/arguments/reason Steps 2 arguments reason = Ana's purse (looked_up) 0",
		"/steps/1/capability Steps 2 to 3 capability = purse.pay (guess) 2",
		"/steps/2/arguments/purse Steps 3 arguments purse = purse_ben (looked_up) 0",
		"/steps/2/arguments/reason Steps 3 arguments reason = Ben's purse (looked_up) 0",
	}, shownValues(c)); diff != "" {
		t.Error(diff)
	}
}

// TestA26ARoutineMayBeAProgram: a run of the routine reads the current rows. routine.save refuses a program with a
// wrong step.
//
// holds: A26 A23
func TestA26ARoutineMayBeAProgram(t *testing.T) {
	b, cards := openRoutines(t)
	saved := b.routine("Pay all", strings.TrimSuffix(strings.TrimPrefix(payEach, `{"steps":`), "}"))
	if diff := cmp.Diff([]string{"List the purses", "Pay out"}, saved.Does); diff != "" || saved.Problem != "" {
		t.Error(diff, saved.Problem)
	}
	before := b.state()
	r := b.Person("routine.run", `{"routineId":%q}`, saved.ID)
	if !r.OK() || b.Paid() != 2500 || len(*cards) != 1 ||
		(*cards)[0].Sentence != "Run the routine Pay all: 2 × Pay out, $25.00 in all" {
		t.Fatalf("%+v %+v", r.Err, *cards)
	}
	b.Does(nil, "audit.undo", `{"requestId":%q}`, r.RequestID)
	if b.Paid() != 0 || b.state() != before {
		t.Errorf("%d is paid after the undo", b.Paid())
	}
	for each, words := range map[string]string{
		`{"from":"/1/purses"}`:                              "no list",
		`{"from":"/0/purses","were":{}}`:                    "were",
		`{"from":"/0/purses","where":{"/nam":"x"}}`:         "no field",
		`{"from":"/0/purses","where":{"/name":{"like":1}}}`: "filter",
		`{}`:   "from",
		`true`: "object",
	} {
		r := b.Person("routine.save", `{"name":"Wrong","steps":[{"capability":"purse.list"},{"$each":%s,"capability":"remark.add","arguments":{"text":{"$item":"/name"}}}]}`, each)
		if r.Err == nil || r.Err.Code != bus.Validation || !strings.Contains(r.Err.Message, words) {
			t.Errorf("%s: %+v", each, r.Err)
		}
	}
}

// TestA26AProgramOfAModelDoesNothingBeyondItsCard: without an allowing answer, no program changes anything. Text in the
// rows is data and no instruction.
//
// holds: A26 A7
func TestA26AProgramOfAModelDoesNothingBeyondItsCard(t *testing.T) {
	program := func(each, capability, args string) step {
		return hostile(1, "plan_propose", same(fmt.Sprintf(`{"steps":[{"capability":"purse.list"},{"capability":"remark.list"},
			{"$each":%s,"capability":%q,"arguments":%s}]}`, each, capability, args)))
	}
	pay := `{"purse":{"$item":"/id"},"amount":{"amount":1,"currency":"USD"}}`
	for name, tt := range map[string]struct {
		steps []step
		cards int
	}{
		"all purses":             {[]step{program(`{"from":"/0/purses"}`, "purse.pay", pay)}, 1},
		"the same again":         {[]step{program(`{"from":"/0/purses"}`, "purse.pay", pay), program(`{"from":"/0/purses"}`, "purse.pay", pay)}, 1},
		"what is never a step":   {[]step{program(`{"from":"/0/purses"}`, "purse.burn", `{"purse":{"$item":"/id"}}`)}, 0},
		"a mail for each":        {[]step{program(`{"from":"/0/purses"}`, "mail.send", `{"to":{"$item":"/name"}}`)}, 0},
		"a program in a program": {[]step{program(`{"from":"/0/purses"}`, "plan.propose", payEach)}, 0},
		"a rule for each": {[]step{program(`{"from":"/0/purses"}`, "policy.set",
			`{"rules":[{"class":"destructive","rule":"allowed"}]}`)}, 0},
		"a grant for each": {[]step{program(`{"from":"/0/purses"}`, "grant.create", `{"capability":"purse.pay"}`)}, 0},
		"many times over": {[]step{hostile(1, "plan_propose", same(`{"steps":[{"capability":"purse.list"}`+
			strings.Repeat(`,{"$each":{"from":"/0/purses"},"capability":"purse.list"},{"$each":{"from":"/1"},"capability":"purse.list"}`, 9)+`]}`)),
			hostile(1, "plan_propose", same(`{"steps":[{"capability":"purse.list"}`+strings.Repeat(`,{"$each":{"from":"/0/purses"},"capability":"purse.pay","arguments":`+
				pay+`}`, 500)+`]}`))}, 0},
		"pointers to nowhere": {[]step{program(`{"from":"/2"}`, "purse.pay", pay), program(`{"from":"/-0/purses"}`, "purse.pay", pay),
			program(`{"from":"/00/purses"}`, "purse.pay", pay), program(`{"from":"/9999999999999999999/x"}`, "purse.pay", pay),
			program(`{"from":"/0/__proto__"}`, "purse.pay", pay), program(`{"from":"//"}`, "purse.pay", pay)}, 0},
		"filters that are none": {[]step{program(`{"from":"/0/purses","where":{"/id":{"in":[]}}}`, "purse.pay", pay),
			program(`{"from":"/0/purses","where":{"__proto__":1}}`, "purse.pay", pay),
			program(`{"from":"/0/purses","where":{"/id":{"not_in":["x"],"$from":"/0"}}}`, "purse.pay", pay),
			program(`{"from":"/0/purses","where":[]}`, "purse.pay", pay)}, 0},
		"a capability of a row": {[]step{hostile(1, "plan_propose", same(`{"steps":[{"capability":"purse.list"},
			{"$each":{"from":"/0/purses"},"capability":{"$item":"/name"},"arguments":{}}]}`))}, 0},
		"words of a row": {[]step{program(`{"from":"/1/remarks"}`, "remark.add", `{"text":{"$item":"/text"}}`)}, 1},
	} {
		for _, allowed := range []bool{false, true} {
			b, cards := answering(t, func(_ int, c policy.Card) policy.Answer {
				if allowed && len(c.Steps) > 0 && strings.Contains(c.Sentence, "Add a remark") {
					return policy.Answer{Answer: bus.AnswerAllow}
				}
				return policy.Answer{Answer: bus.AnswerDeny}
			})
			evil := `{"$from":"/0/purses/0/id"}`
			b.Does(nil, "remark.add", `{"text":%s}`, quoted(evil))
			before := b.Decided()
			bridge, _ := b.Stored(append(tt.steps, reply("done"))...)
			b.Says(bridge, "chat_1", "hello")
			if b.Paid() != 0 || b.Mails.Load() != 0 || b.Decided() != before || b.Purses() != 10 || len(*cards) > tt.cards {
				t.Errorf("%s: %d paid, %d mails, %d cards", name, b.Paid(), b.Mails.Load(), len(*cards))
			}
			var list struct{ Remarks []struct{ Text string } }
			b.Does(&list, "remark.list", `{}`)
			for _, r := range list.Remarks {
				if r.Text != evil {
					t.Errorf("%s: %q", name, r.Text)
				}
			}
			if want := allowed && name == "words of a row"; want != (len(list.Remarks) == 2) {
				t.Errorf("%s: %d remarks", name, len(list.Remarks))
			}
		}
	}
}
