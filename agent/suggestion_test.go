package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// holds: A16
func TestA16SuggestionsAreButtonsAndDoNothing(t *testing.T) {
	m := &script{Steps: []step{reply("", use("a", "catalog_search", `{"query":"Guji"}`)),
		reply("", use("b", "suggest_next_steps",
			`{"suggestions":[{"tool":"cart_addItem","arguments":{"quantity":2,"productId":"prod_guji"}},{"tool":"cart_clear"}]}`)), reply("Anything else?")}}
	r := newRoom(t, m)
	u := r.Say("what is there?")
	want := []agent.Suggestion{
		{Capability: "cart.addItem", Title: "Add to cart", Text: "Add to cart: Product Guji Natural, Quantity 2",
			Arguments: raw(`{"productId":"prod_guji","quantity":2}`), ParentRequestID: "turn_1",
			Values: []policy.CardArgument{
				{Pointer: "/productId", Label: "Product", Value: "prod_guji", Text: "Guji Natural", Origin: policy.OriginLookedUp},
				{Pointer: "/quantity", Label: "Quantity", Value: 2.0, Text: "2", Origin: policy.OriginGuess}}},
		{Capability: "cart.clear", Title: "Clear the cart", Text: "Clear the cart", Arguments: raw(`{}`),
			ParentRequestID: "turn_1"},
	}
	if d := cmp.Diff(want, u.Ended().Suggestions); d != "" {
		t.Error(d)
	}
	if n := len(r.Journal.Entries()); n != 1 || len(u.Calls()) != 1 {
		t.Errorf("%d records, calls %v", n, u.Calls())
	}
}

// TestA16SuggestionsAreDoneAsOnePlan: a plan of all suggestions runs as the person, with one card and in one
// transaction. There is none if a suggestion cannot be a step of a plan.
//
// holds: A12 A16
func TestA16SuggestionsAreDoneAsOnePlan(t *testing.T) {
	b, cards := answering(t, func(int, policy.Card) policy.Answer { return policy.Answer{Answer: bus.AnswerAllow} })
	remark, pay := `{"tool":"remark_add","arguments":{"text":"paid"}}`, `{"tool":"purse_pay","arguments":`+payAna+`}`
	suggest := func(list ...string) step {
		return reply("", use("a", "suggest_next_steps", `{"suggestions":[`+strings.Join(list, ",")+`]}`))
	}
	bridge, _ := b.Talk(suggest(remark, pay), reply("This?"), suggest(remark), reply("Or this?"),
		suggest(remark, `{"tool":"purse_burn","arguments":{"purse":"purse_ana"}}`), reply("Or that?"),
		reply("", use("a", "suggest_next_steps", `{"alternatives":true,"suggestions":[`+remark+`,`+pay+`]}`)), reply("Which?"))
	next := func() (end agent.Update) {
		if err := bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "what now?", Principal: owner},
			func(u agent.Update) { end = u }); err != nil {
			t.Fatal(err)
		}
		return end
	}
	plan := next().Plan
	if plan == nil || len(*cards) != 0 {
		t.Fatalf("%+v, %d cards", plan, len(*cards))
	}
	r := b.Bus.Invoke(t.Context(), bus.Invocation{Capability: plan.Capability, Arguments: plan.Arguments, Principal: owner,
		Caller: bus.Caller{Type: bus.CallerUI, ParentRequestID: plan.ParentRequestID}})
	if !r.OK() || len(*cards) != 1 || len((*cards)[0].Steps) != 2 ||
		(*cards)[0].Arguments[0].Origin != policy.OriginGuess || b.Paid() != 5 || !plan.Reversible {
		t.Errorf("%+v, %d cards, %d paid", r.Err, len(*cards), b.Paid())
	}
	for _, why := range []string{"there is one", "one must be confirmed by itself", "one is meant"} {
		if end := next(); end.Plan != nil || len(end.Suggestions) == 0 {
			t.Errorf("%s: %+v", why, end.Plan)
		}
	}
}

// holds: A16
func TestA16WhatCannotBeTappedIsRefused(t *testing.T) {
	for name, args := range map[string]string{
		"none":               `{"suggestions":[]}`,
		"too many":           `{"suggestions":[{"tool":"cart_clear"},{"tool":"cart_clear"},{"tool":"cart_clear"},{"tool":"cart_clear"},{"tool":"cart_clear"}]}`,
		"no tool":            `{"suggestions":[{"tool":"order_rush"}]}`,
		"itself":             `{"suggestions":[{"tool":"suggest_next_steps"}]}`,
		"without arguments":  `{"suggestions":[{"tool":"cart_addItem"}]}`,
		"unknown arguments":  `{"suggestions":[{"tool":"cart_clear","arguments":{"really":true}}]}`,
		"arguments a list":   `{"suggestions":[{"tool":"cart_clear","arguments":[]}]}`,
		"something else":     `{"buttons":1}`,
		"too few of it":      `{"suggestions":[{"tool":"cart_addItem","arguments":{"productId":"prod_guji","quantity":-5}}]}`,
		"no such record":     `{"suggestions":[{"tool":"cart_addItem","arguments":{"productId":"prod_99","quantity":1}}]}`,
		"one good, one not":  `{"suggestions":[{"tool":"cart_clear"},{"tool":"order_rush"}]}`,
		"suggestions a text": `{"suggestions":"cart_clear"}`,
	} {
		t.Run(name, func(t *testing.T) {
			m := &script{Steps: []step{reply("", use("b", "suggest_next_steps", args)), reply("hm")}}
			u := newRoom(t, m).Say("go")
			if u.Ended().Suggestions != nil || m.Results(t)[0]["status"] != "error" {
				t.Errorf("%+v %v", u.Ended(), m.Results(t))
			}
		})
	}
}

// TestA16WordsAndButtonsTogetherAreTheWholeAnswer: text together with suggestions ends the turn without another
// request. Suggestions alone get one more request and are a valid answer.
//
// holds: A16
func TestA16WordsAndButtonsTogetherAreTheWholeAnswer(t *testing.T) {
	buttons := use("b", "suggest_next_steps", `{"suggestions":[{"tool":"cart_clear"}]}`)
	bad := use("b", "suggest_next_steps", `{"suggestions":[{"tool":"order_rush"}]}`)
	for name, tc := range map[string]struct {
		steps    []step
		requests int
		buttons  int
	}{
		"words and buttons":      {[]step{reply("Here you are.", buttons), reply("too much")}, 1, 1},
		"buttons, then nothing":  {[]step{reply("", buttons), reply("")}, 2, 1},
		"buttons that are wrong": {[]step{reply("Here you are.", bad), reply("Sorry.")}, 2, 0},
		"with a call": {[]step{reply("Here you are.", use("a", "cart_getSummary", `{}`), buttons), reply("It is empty.")},
			2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			m := &script{Steps: tc.steps}
			end := newRoom(t, m).Say("what now?").Ended()
			if len(m.Requests) != tc.requests || len(end.Suggestions) != tc.buttons || end.Status != agent.StatusDone {
				t.Errorf("%d requests, %d buttons, %s %s", len(m.Requests), len(end.Suggestions), end.Status, end.Error)
			}
		})
	}
}

// TestA16ASuggestionOpensAForm: a suggestion of form.fill opens the form when the person taps it, and invokes nothing
// before. Without a page there is no such suggestion.
func TestA16ASuggestionOpensAForm(t *testing.T) {
	b := openBooth(t, policy.Options{Fixed: bus.AnswerAllow})
	for _, forms := range []bool{true, false} {
		m := &script{Steps: []step{reply("", use("a", "suggest_next_steps", `{"suggestions":[{"tool":"form_fill","arguments":
			{"capability":"purse_pay","arguments":`+payAna+`}},{"tool":"remark_add","arguments":{"text":"paid"}}]}`)), reply("This?")}}
		bridge := agent.New(agent.Options{Bus: b.Bus, Policy: b.Policy, Clock: b.Clock.Now, Store: b.Store, Forms: forms,
			Model: func() model.Model { return profiled{m} }})
		t.Cleanup(bridge.Close)
		var end agent.Update
		if err := bridge.Send(t.Context(), agent.Turn{ConversationID: fmt.Sprint("chat_", forms), Text: "pay Ana 5 or 6",
			Principal: owner}, func(u agent.Update) { end = u }); err != nil {
			t.Fatal(err)
		}
		if !forms {
			if len(end.Suggestions) != 0 {
				t.Errorf("without a page: %+v", end.Suggestions)
			}
			continue
		}
		if len(end.Suggestions) != 2 || end.Plan != nil || b.Paid() != 0 {
			t.Fatalf("%+v", end)
		}
		one := end.Suggestions[0]
		if one.Form == nil || one.Capability != "purse.pay" || string(one.Form.Arguments) != string(one.Arguments) ||
			!strings.HasPrefix(one.Text, "Open the form: ") || len(one.Values) == 0 {
			t.Errorf("%+v", one)
		}
	}
}
