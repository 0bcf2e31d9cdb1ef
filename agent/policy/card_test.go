package policy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

// cardFor gives the card that asks about a refund with these arguments.
func cardFor(t *testing.T, args string) map[string]string {
	t.Helper()
	shown := map[string]string{}
	var p *policy.Policy
	p = policy.New(policy.Options{OnCard: func(e policy.CardEvent) {
		if e.Type != policy.CardOpened {
			return
		}
		for _, a := range e.Card.Arguments {
			shown[a.Pointer] = a.Text
		}
		decide(t, p, policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerDeny, By: e.Card.Person})
	}})
	o, _, _ := bustest.Options()
	o.Approver = p
	b := bus.New(o)
	b.MustRegister(capability("till.refund", "Refund", bus.Destructive,
		object("", `"sum":{"type":"object"},"note":{"type":"string"}`),
		func(context.Context, *bus.Call) (json.RawMessage, error) { return json.RawMessage(`{}`), nil }))
	b.Invoke(t.Context(), bus.Invocation{Capability: "till.refund", Arguments: raw("%s", args),
		Caller: bus.Caller{Type: bus.CallerAgent}, Principal: kim})
	return shown
}

// holds: A7
func TestA7TheCardShowsTheAmountNotWhatTheModelSaysAboutIt(t *testing.T) {
	for args, want := range map[string]string{
		`{"sum":{"amount":99999,"currency":"USD","text":"$1.00"}}`: "$999.99",
		`{"sum":{"amount":4783,"currency":"USD"}}`:                 "$47.83",
		`{"sum":{"amount":5000,"currency":"JPY"}}`:                 "¥5,000",
		`{"sum":{"amount":-250,"currency":"EUR"}}`:                 "-€2.50",
	} {
		if got := cardFor(t, args)["/sum"]; got != want {
			t.Errorf("%s: %q", args, got)
		}
	}
}

// holds: A7
func TestA7TheCardShowsAValueWhole(t *testing.T) {
	long := strings.Repeat("pay it all ", 45) + "END"
	if got := cardFor(t, `{"note":"`+long+`"}`)["/note"]; got != long {
		t.Errorf("%q", got)
	}
}

// holds: A7
func TestA7WhatAPersonPutsInPlaceIsTheirOwn(t *testing.T) {
	var b *booth
	var origins []policy.Origin
	b = openBooth(t, policy.Options{OnCard: func(e policy.CardEvent) {
		if e.Type != policy.CardOpened {
			return
		}
		for _, a := range e.Card.Arguments {
			origins = append(origins, a.Origin)
		}
		a := policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerAllow, By: e.Card.Person}
		if len(origins) == 1 {
			a.Arguments = json.RawMessage(`{"text":"call her back tomorrow"}`)
		}
		if err := b.Policy.Decide(a); err != nil {
			t.Error(err)
		}
	}})
	bridge, _ := b.Stored(reply("", use("1", "remark_add", `{"text":"call her now"}`)), reply("done"))
	if err := bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "remember it", Principal: owner},
		func(agent.Update) {}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]policy.Origin{policy.OriginGuess, policy.OriginSaid}, origins); diff != "" {
		t.Error(diff)
	}
}

// shown returns the card for a request with this preview.
func shown(t *testing.T, req bus.ApprovalRequest, preview bus.Preview) (card policy.Card) {
	t.Helper()
	return shownOn(t, nil, req, preview)
}

// shownOn is shown with a bus that has the steps of a plan.
func shownOn(t *testing.T, b *bus.Bus, req bus.ApprovalRequest, preview bus.Preview) (card policy.Card) {
	t.Helper()
	var p *policy.Policy
	p = policy.New(policy.Options{OnCard: func(e policy.CardEvent) {
		if card = e.Card; e.Type == policy.CardOpened {
			decide(t, p, policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerDeny, By: e.Card.Person})
		}
	}})
	if b != nil {
		p.Attach(b)
	}
	req.Invocation.Principal, req.Invocation.Caller = kim, bus.Caller{Type: bus.CallerAgent}
	if _, err := p.Approve(t.Context(), &req, &preview); err != nil {
		t.Fatal(err)
	}
	return card
}

// holds: A7
func TestA7ACardListsEveryValueInTheOrderOfTheSchema(t *testing.T) {
	c := refunds(bus.Destructive, `"zeta":{"type":"string","title":"The last"},"alpha":{},"list":{},"one":{}`)
	args := `{"b":1,"a":[],"list":[["x"],{}],"one":{"k":"v"},"zeta":"z",
		"alpha":{"tip":{"amount":5,"currency":"USD"},"no/ne":[]}}`
	req := &bus.ApprovalRequest{Capability: c, Invocation: bus.Invocation{Arguments: raw("%s", args),
		Caller: bus.Caller{Type: bus.CallerUI}}}
	var got []string
	for _, a := range new(policy.Provenance).Arguments(req) {
		got = append(got, strings.Join([]string{a.Pointer, a.Label, a.Text, string(a.Origin)}, "|"))
	}
	want := []string{"/zeta|The last|z|said", "/alpha/no~1ne|Alpha no/ne|[]|said", "/alpha/tip|Alpha tip|$0.05|said",
		"/list/0/0|List 1 1|x|said", "/list/1|List 2|{}|said", "/one/k|One k|v|said", "/a|A|[]|said", "/b|B|1|said"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	req.Invocation.Arguments = raw(`[1]`)
	if got := new(policy.Provenance).Arguments(req); got != nil {
		t.Errorf("no object: %+v", got)
	}
}

// holds: A7
func TestA7ACardSaysWhatWouldHappen(t *testing.T) {
	plan := bus.Capabilities()[3]
	steps := `"steps":[{"summary":"Pay 1"},{"summary":"Pay\n2"}]`
	for name, tc := range map[string]struct {
		capability     *bus.Capability
		summary, data  string
		sentence, left string
		steps          []string
	}{
		"a sentence": {refunds(bus.Destructive, ""), "Refund\n5", `{"x":1}`, "Refund↵5", "", nil},
		"none":       {refunds(bus.Destructive, ""), "", `{}`, "Refund", "", nil},
		"a long one is cut": {refunds(bus.Destructive, ""), strings.Repeat("x", 501), `{}`, strings.Repeat("x", 500) + "…", "",
			nil},
		"what leaves": {refunds(bus.Network, ""), "Mail", `{"to":"ana"}`, "Mail", `{"to":"ana"}`, nil},
		"a plan": {&plan, "Two steps", `{` + steps + `}`, "Do 2 things as one", "",
			[]string{"Pay 1", "Pay↵2"}},
		"a plan one by one": {&plan, "Two steps", `{"oneByOne":true,` + steps + `}`,
			"Do 2 things one after the other, up to the first that fails", "", []string{"Pay 1", "Pay↵2"}},
	} {
		c := shown(t, bus.ApprovalRequest{Capability: tc.capability},
			bus.Preview{Summary: tc.summary, Data: raw("%s", tc.data)})
		if diff := cmp.Diff([]any{tc.sentence, tc.left, tc.steps}, []any{c.Sentence, string(c.Data), c.Steps}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// holds: A21 A7
func TestA21ACardNamesWhatIsLeftOut(t *testing.T) {
	again := bus.Capabilities()[4]
	c := shown(t, bus.ApprovalRequest{Capability: &again, Invocation: bus.Invocation{
		Arguments: raw(`{"subjects":[{"type":"box","id":"b1"}]}`)}}, bus.Preview{Summary: "Do the same with 1: Pay",
		Data: raw(`{"subjects":1,"steps":[{"summary":"Pay 1"}],"left":[{"name":"Box\nb2","why":"It is paid."}]}`)})
	said := fmt.Sprint(c.Sentence, c.Steps, c.Left, c.Arguments, c.SideEffect)
	if said != "Do the same with 1: Pay[Pay 1] [{Box↵b2 It is paid.}] []ui-only" {
		t.Error(said)
	}
}

// TestA7TheMarkIsOfWhatCannotBeTakenBack: a card marks a change that has no undo, also where the change is a step of a
// plan. A change with an undo has no mark.
//
// holds: A7
func TestA7TheMarkIsOfWhatCannotBeTakenBack(t *testing.T) {
	of := func(name string, effect bus.SideEffect, reversible bool) bus.Capability {
		c := capability(name, name, effect, object("", ""), nothing)
		if c.Reversible = reversible; effect == bus.Network {
			c.Run.Preview = nothing
		} else {
			c.Resources = []string{"database:write"}
		}
		return c
	}
	all := append(bus.Capabilities(), of("till.note", bus.UIOnly, true), of("till.join", bus.Destructive, true),
		of("till.pay", bus.Destructive, false), of("till.mail", bus.Network, false))
	b, _, _ := bustest.New(t, all...)
	for _, name := range []string{"plan.propose", "plan.repeat", "till.note", "till.join", "till.pay", "till.mail"} {
		c := all[slices.IndexFunc(all, func(c bus.Capability) bool { return c.Name == name })]
		plans := map[string]bus.SideEffect{"": c.SideEffect}
		if name == "till.join" {
			plans[""] = bus.UIOnly
		}
		if c.IsPlan() {
			plans = map[string]bus.SideEffect{"till.note till.join": bus.UIOnly, "till.note till.pay": bus.Destructive,
				"till.mail till.pay": bus.Network, "till.pay till.mail": bus.Network}
		}
		for steps, want := range plans {
			var done []string
			for s := range strings.FieldsSeq(steps) {
				done = append(done, fmt.Sprintf(`{"capability":%q,"summary":"It"}`, s))
			}
			got := shownOn(t, b, bus.ApprovalRequest{Capability: &c}, bus.Preview{Summary: "It",
				Data: raw(`{"steps":[%s]}`, strings.Join(done, ","))}).SideEffect
			if got != want {
				t.Errorf("%s of %q: %s, want %s", name, steps, got, want)
			}
		}
	}
}

// holds: A7
func TestA7ACardThatIsAskedAgainSaysWhatIsDifferent(t *testing.T) {
	one, other := []bus.Effect{{Table: "a"}}, []bus.Effect{{Table: "b"}}
	base := bus.Preview{Summary: "pay 5", Effects: one, Facts: map[string]any{"left": 9}}
	facts := map[string]any{"left": 9, "alpha": 1, "beta": "x", "gamma": true, "delta": 2, "omega": 1.5}
	for name, tc := range map[string]struct {
		now  bus.Preview
		want []string
	}{
		"nothing that is shown": {base, []string{"What it would give is different now."}},
		"the sentence": {bus.Preview{Summary: "pay 6", Effects: one, Facts: base.Facts},
			[]string{"Before: Pay 5. Now: Pay 6."}},
		"the rows": {bus.Preview{Summary: "pay 5", Effects: other, Facts: base.Facts},
			[]string{"The rows it changes are different now."}},
		"the number of rows": {bus.Preview{Summary: "pay 5", Effects: append(one, other...), Facts: base.Facts},
			[]string{"It changes 2 rows instead of 1."}},
		"a fact and with it a row": {bus.Preview{Summary: "pay 5", Effects: other, Facts: map[string]any{"left": 8}},
			[]string{"Left was 9 and is now 8."}},
		"many facts": {bus.Preview{Summary: "pay 5", Effects: one, Facts: facts},
			[]string{"Alpha was not known and is now 1.", "Beta was not known and is now x.",
				"Delta was not known and is now 2.", "Gamma was not known and is now yes.",
				"Omega was not known and is now 1.5."}},
		"a fact less": {bus.Preview{Summary: "pay 5", Effects: one},
			[]string{"Left was 9 and is now not known."}},
	} {
		got := shown(t, bus.ApprovalRequest{Capability: refunds(bus.Destructive, ""), Changed: &base}, tc.now).Changed
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got := shown(t, bus.ApprovalRequest{Capability: refunds(bus.Destructive, "")}, base).Changed; got != nil {
		t.Errorf("asked for the first time: %q", got)
	}
}

// holds: A7
func TestA7ACardIsOpenForFiveMinutes(t *testing.T) {
	clock := bustest.NewClock()
	var p *policy.Policy
	p = policy.New(policy.Options{Clock: clock.Now, OnCard: func(e policy.CardEvent) {
		if e.Type != policy.CardOpened {
			return
		}
		if want := clock.Now().Add(5 * time.Minute).UnixMilli(); e.Card.ExpiresAt != want {
			t.Errorf("until %d, not %d", e.Card.ExpiresAt, want)
		}
		decide(t, p, policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerDeny, By: e.Card.Person})
	}})
	b, _ := till(t, p)
	pay(b, `{"coins":7}`)
}

// holds: C17
func TestC17ACardNamesTheRecordsItIsAbout(t *testing.T) {
	answering, cards := agenttest.Answering(t, func(int, policy.Card) policy.Answer {
		return policy.Answer{Answer: bus.AnswerDeny}
	})
	b := &booth{answering}
	b.Pays("purse_ana", 20)
	b.Pays("purse_ben", 20)
	var x policy.Provenance // a tax class may have the id of a way to send, and a peer may say anything
	x.Learned(raw(`[{"id":"purse_ana","name":"The petty cash"},{"id":"20","name":"Twenty"}]`))
	who := agenttest.Owner
	who.Model = &agenttest.Helper
	b.Bus.Invoke(x.In(t.Context()), bus.Invocation{Capability: "purse.pay", Arguments: raw("%s", payTo("purse_ana", 5)),
		Principal: who, Caller: bus.Caller{Type: bus.CallerAgent, Source: "chat_1"}})
	x.Heard("Pay five out of the petty cash")
	b.Bus.Invoke(x.In(t.Context()), bus.Invocation{Capability: "purse.pay", Arguments: raw("%s", payTo("purse_ana", 5)),
		Principal: who, Caller: bus.Caller{Type: bus.CallerAgent, Source: "chat_1"}})
	x.Heard("No, out of Ana's purse")
	b.Bus.Invoke(x.In(t.Context()), bus.Invocation{Capability: "purse.pay", Arguments: raw("%s", payTo("purse_ana", 5)),
		Principal: who, Caller: bus.Caller{Type: bus.CallerAgent, Source: "chat_1"}})
	var texts []string
	for _, c := range *cards {
		texts = append(texts, c.Arguments[0].Text+", "+string(c.Arguments[0].Origin))
	}
	if d := cmp.Diff([]string{"Ana's purse, guess", "purse_ben, guess", "Ana's purse, looked_up", "Ana's purse, looked_up",
		"Ana's purse, said"}, texts); d != "" {
		t.Errorf("%v %s", *cards, d)
	}
}
