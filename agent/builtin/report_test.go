package builtin_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// holds: A3
func TestA3ReportsAreForPeople(t *testing.T) {
	at := func(ms int64) string { return time.UnixMilli(ms).Local().Format("Monday, 2 January 2006, 15:04") }
	for sentence, tt := range map[string]struct{ has, lacks []string }{
		"show the audit log": {[]string{"- The cart was emptied — Mara Lindqvist (assistant), " + at(1795172605635), "- Show the cart — Owner, " + at(1795172605999) + ", not done"},
			[]string{"req_", "1795172605", "invocation", "1.0.0", "cart.getSummary"}},
		"do we have guji in stock?":                     {[]string{"Guji Natural", "250 g price $21.44", "stock 84", "1 kg price $74.90"}, []string{"var_", "prod_"}},
		"show orders":                                   {[]string{at(1795094640000)}, []string{"1795094640000", "ord_1", "cus_ana"}},
		"give a discount of 200%":                       {[]string{"Percent must be at most 100."}, []string{"maximum", "want"}},
		"Add a guji to the cart. Show the cart.":        {[]string{"- Guji Natural (250 g) — quantity 1, rate 5.5 %"}, nil},
		"clear the cart":                                {[]string{"Cart cleared."}, nil},
		"how do I empty the cart?":                      {[]string{"To keep it use “Show the cart”."}, []string{"cart.getSummary"}},
		"set the theme to blue":                         {[]string{"Which theme?"}, nil},
		"Show the cart. Frobnicate it. Clear the cart.": {[]string{"I did not understand “Frobnicate it”.", "Nothing after that was done."}, nil},
		"Clear the cart. Wait, no.":                     {[]string{"I have not done anything: I did not understand “Wait, no”"}, nil},
	} {
		t.Run(sentence, func(t *testing.T) {
			r := newRoom(t)
			text := r.Say(sentence).Text()
			for _, part := range tt.has {
				if !strings.Contains(text, part) {
					t.Errorf("lacks %q:\n%s", part, text)
				}
			}
			for _, part := range tt.lacks {
				if strings.Contains(text, part) {
					t.Errorf("has %q:\n%s", part, text)
				}
			}
		})
	}
}

// holds: A7
func TestA7AnUnansweredCardIsToldAsSuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRoom(t)
		r.Answer = func(policy.Card) *policy.Answer { return nil }
		r.Say("add a guji to the cart")
		u := r.Say("submit the order to home")
		if !strings.Contains(u.Text(), "Nobody answered in time. I have not done it.") || strings.Contains(u.Text(), "declined") {
			t.Error(u.Text())
		}
		if a := u.Ended().Actions[0]; a.Outcome != agent.ActionRefused || a.Text != "Nobody answered in time." {
			t.Errorf("%+v", a)
		}
	})
}

// holds: A3
func TestA3SeveralSumsSayWhatTheyAre(t *testing.T) {
	r := newRoom(t)
	money := func(text string) map[string]any { return map[string]any{"amount": 1, "currency": "USD", "text": text} }
	r.Bus.MustRegister(agenttest.Capability("till.takings", "Show the takings", bus.Pure, agenttest.Object("", ""), agenttest.Searching([]map[string]any{
		{"id": "mon", "name": "Monday", "gross": money("$9.00"), "shippingFee": money("$2.00"), "tax": money("$1.00")},
		{"id": "tue", "name": "Tuesday", "gross": money("$5.00")},
	}, "days"), "show the takings"))
	text := r.Say("show the takings").Text()
	for _, want := range []string{"gross $9.00", "shipping fee $2.00", "tax $1.00", "Tuesday — gross $5.00"} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
}

// holds: A7
func TestA7ADeclinedCardIsNotToldAsUnanswered(t *testing.T) {
	r := newRoom(t)
	r.Answer = func(policy.Card) *policy.Answer { return &policy.Answer{Answer: bus.AnswerDeny, By: "p1"} }
	r.Say("add a guji to the cart")
	if text := r.Say("submit the order to home").Text(); !strings.Contains(text, "was declined") || strings.Contains(text, "Nobody") {
		t.Error(text)
	}
}
