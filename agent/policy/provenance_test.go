package policy_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// refunds is a capability whose cards the tests look at.
func refunds(effect bus.SideEffect, properties string) *bus.Capability {
	c := capability("till.refund", "Refund", effect, object("", properties), nothing)
	return &c
}

func nothing(context.Context, *bus.Call) (json.RawMessage, error) { return raw(`{}`), nil }

// argued are the arguments of a call by an agent, as a card shows them.
func argued(x *policy.Provenance, properties, args string) []policy.CardArgument {
	return x.Arguments(&bus.ApprovalRequest{Capability: refunds(bus.Destructive, properties),
		Invocation: bus.Invocation{Arguments: raw("%s", args), Caller: bus.Caller{Type: bus.CallerAgent}}})
}

// answered asks about a call with these arguments and answers the card; nothing answers an empty answer.
func answered(t *testing.T, x *policy.Provenance, args string, a policy.Answer) policy.Card {
	t.Helper()
	var card policy.Card
	var p *policy.Policy
	o := policy.Options{OnCard: func(e policy.CardEvent) {
		if e.Type != policy.CardOpened {
			return
		}
		if card = e.Card; a.Answer != "" {
			a.ApprovalID, a.By = e.Card.ApprovalID, e.Card.Person
			decide(t, p, a)
		}
	}}
	if a.Answer == "" {
		o.Timeout = time.Nanosecond
	}
	p = policy.New(o)
	if _, err := p.Approve(x.In(t.Context()), &bus.ApprovalRequest{Capability: refunds(bus.Destructive, ""),
		Invocation: bus.Invocation{RequestID: "r1", Arguments: raw("%s", args), Principal: kim,
			Caller: bus.Caller{Type: bus.CallerAgent}}}, &bus.Preview{}); err != nil {
		t.Fatal(err)
	}
	return card
}

// holds: A7
func TestA7WhereAValueComesFrom(t *testing.T) {
	var x policy.Provenance
	x.Heard("Refund Ana Ruiz $1250 at home, x marks Bo, and take five of A B")
	for _, result := range []string{`{"id":"cus_ana","name":"Ana Ruiz"}`, `[{"id":"cus_ben","name":"Ben Silva"}]`,
		`{"id":"adr_1","text":"123 Main St","label":"Home"}`, `{"status":"paid","note":"","count":7}`,
		`{"id":"","name":"Nameless"}`, `{"id":"cus_eve"}`, `no JSON`,
		`{"id":"cus_carla","name":"Carla Ruiz"}`, `{"id":"cus_ab","name":"A B"}`, `{"id":"cus_cb","name":"C B"}`,
		`{"id":"note_1","text":"Refund Ruiz nothing, take the blue bag and leave the rest at the Home"}`,
		`{"id":"prd_bag","name":"Bag of Guji"}`, `{"id":"prd_at","name":"Tea at and for Home"}`} {
		x.Learned(json.RawMessage(result))
	}
	for value, want := range map[string]policy.Origin{
		`"cus_ana"`:                          policy.OriginSaid, // by the name behind it
		`"adr_1"`:                            policy.OriginSaid, // by a part of it
		`"cus_carla"`:                        policy.OriginSaid,
		`"cus_ab"`:                           policy.OriginSaid,
		`"cus_cb"`:                           policy.OriginLookedUp, // a letter of it is not enough
		`"note_1"`:                           policy.OriginLookedUp, // nor are words of a text
		`"prd_bag"`:                          policy.OriginLookedUp, // nor is "of"
		`"prd_at"`:                           policy.OriginSaid,
		`"Bo"`:                               policy.OriginSaid,
		`5`:                                  policy.OriginSaid,
		`{"amount":125000,"currency":"USD"}`: policy.OriginSaid,
		`{"amount":125001,"currency":"USD"}`: policy.OriginGuess,
		`"cus_ben"`:                          policy.OriginLookedUp,
		`"paid"`:                             policy.OriginLookedUp,
		`"cus_eve"`:                          policy.OriginLookedUp,
		`"usual"`:                            policy.OriginDefault,
		`"other"`:                            policy.OriginGuess,
		`"x"`:                                policy.OriginGuess, // one letter is in every sentence
		`""`:                                 policy.OriginGuess,
		`7`:                                  policy.OriginGuess, // a number is in every result
		`true`:                               policy.OriginGuess,
	} {
		if got := argued(&x, `"v":{"default":"usual"}`, `{"v":`+value+`}`); len(got) != 1 || got[0].Origin != want {
			t.Errorf("%s: %+v", value, got)
		}
	}
	for value, want := range map[string]string{`"cus_ana"`: "Ana Ruiz", `"cus_eve"`: "cus_eve", `""`: ""} {
		if got := argued(&x, `"v":{"x-entity":"customer"}`, `{"v":`+value+`}`); len(got) != 1 || got[0].Text != want {
			t.Errorf("%s: %+v", value, got)
		}
	}
	if got := argued(&x, `"v":{}`, `{"v":null}`); len(got) != 1 || got[0].Origin != policy.OriginGuess {
		t.Errorf("no default: %+v", got)
	}
}

// holds: A7
func TestA7OnlyWhatAnEditChangedIsThePersons(t *testing.T) {
	var x policy.Provenance
	answered(t, &x, `{"coins":7,"to":"mallory","deep":["evil"]}`, policy.Answer{Answer: bus.AnswerAllow,
		Arguments: raw(`{"coins":50,"to":"mallory","deep":["evil"],"note":"agreed by phone"}`)})
	for value, want := range map[string]policy.Origin{`50`: policy.OriginSaid, `"agreed by phone"`: policy.OriginSaid,
		`"mallory"`: policy.OriginGuess, `"evil"`: policy.OriginGuess, `7`: policy.OriginGuess} {
		if got := argued(&x, "", `{"v":`+value+`}`); len(got) != 1 || got[0].Origin != want {
			t.Errorf("%s: %+v", value, got)
		}
	}
}

// holds: A7
func TestA7TheOutcomeOfACardIsTakenOnce(t *testing.T) {
	edited := policy.Answer{Answer: bus.AnswerAllow, Arguments: raw(`{"coins":5}`)}
	yes, no, none := policy.Answer{Answer: bus.AnswerAllow}, policy.Answer{Answer: bus.AnswerDeny}, policy.Answer{}
	for name, tc := range map[string]struct {
		answers []policy.Answer
		edit    string
		ignored bool
	}{
		"allowed":                     {[]policy.Answer{yes}, "", false},
		"denied":                      {[]policy.Answer{no}, "", false},
		"no answer":                   {[]policy.Answer{none}, "", true},
		"edited":                      {[]policy.Answer{edited}, `{"coins":5}`, false},
		"edited, then allowed":        {[]policy.Answer{edited, yes}, `{"coins":5}`, false},
		"edited, then without answer": {[]policy.Answer{edited, none}, `{"coins":5}`, true},
		"without answer, asked again": {[]policy.Answer{none, yes}, "", true},
	} {
		var x policy.Provenance
		for _, a := range tc.answers {
			answered(t, &x, `{"coins":7}`, a)
		}
		if edit, ignored := x.TakeOutcome("r1"); string(edit) != tc.edit || ignored != tc.ignored {
			t.Errorf("%s: %s %v", name, edit, ignored)
		}
		if edit, ignored := x.TakeOutcome("r1"); edit != nil || ignored {
			t.Errorf("%s: taken twice: %s %v", name, edit, ignored)
		}
	}
}

// holds: A7
func TestA7ACardThatIsWithdrawnWasNotAnswered(t *testing.T) {
	var x policy.Provenance
	ctx, cancel := context.WithCancel(x.In(t.Context()))
	p := policy.New(policy.Options{OnCard: func(policy.CardEvent) { cancel() }})
	_, err := p.Approve(ctx, &bus.ApprovalRequest{Capability: refunds(bus.Destructive, ""),
		Invocation: bus.Invocation{RequestID: "r1", Principal: kim}}, &bus.Preview{})
	if _, ignored := x.TakeOutcome("r1"); err == nil || !ignored {
		t.Error(err, ignored)
	}
}

// holds: A11
func TestA11WhatIsDistrustedAfterTextOfOthers(t *testing.T) {
	const warning = "In this conversation the assistant has read text from outside (List the mails, Show a note)."
	b, _ := till(t, policy.New(policy.Options{}))
	send := capability("mail.send", "Send a mail", bus.Network, object("", ""), nothing)
	send.Run.Preview = nothing
	b.MustRegister(capability("mail.list", "List the mails", bus.Pure, object("", ""), nothing), send)
	plan := bus.Capabilities()[3]
	steps := func(names ...string) json.RawMessage {
		done := thing{"steps": []thing{}}
		for _, name := range names {
			done["steps"] = append(done["steps"].([]thing), thing{"capability": name})
		}
		return must[[]byte](t)(json.Marshal(done))
	}
	for name, tc := range map[string]struct {
		attached   *bus.Bus
		capability *bus.Capability
		preview    json.RawMessage
		want       string
	}{
		"a read":                               {b, refunds(bus.Pure, ""), nil, ""},
		"a change that can be undone":          {b, refunds(bus.UIOnly, ""), nil, ""},
		"what reaches outside":                 {b, refunds(bus.Network, ""), nil, warning},
		"the same without a bus":               {nil, refunds(bus.Network, ""), nil, warning},
		"what cannot be undone":                {b, refunds(bus.Destructive, ""), nil, warning},
		"a plan of reads":                      {b, &plan, steps("mail.list", "mail.list"), ""},
		"a plan of reads without a bus":        {nil, &plan, steps("mail.list"), ""},
		"a plan with a mail":                   {b, &plan, steps("mail.list", "mail.send"), warning},
		"a plan with a payment":                {b, &plan, steps("till.pay"), warning},
		"a plan of what is not known any more": {b, &plan, steps("till.gone"), ""},
	} {
		var x policy.Provenance
		for _, title := range []string{"List the mails", "Show a note", "List the mails"} {
			x.ReadTainted(title)
		}
		var why string
		var p *policy.Policy
		p = policy.New(policy.Options{OnCard: func(e policy.CardEvent) {
			if why = e.Card.Why; e.Type == policy.CardOpened {
				decide(t, p, policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerDeny, By: e.Card.Person})
			}
		}})
		if tc.attached != nil {
			p.Attach(tc.attached)
		}
		_, err := p.Approve(x.In(t.Context()), &bus.ApprovalRequest{Capability: tc.capability,
			Invocation: bus.Invocation{Principal: kim, Caller: bus.Caller{Type: bus.CallerAgent}}},
			&bus.Preview{Data: tc.preview})
		if diff := cmp.Diff(tc.want, why); err != nil || diff != "" {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
}
