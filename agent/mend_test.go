package agent_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// TestA2SlipsAreMendedWhereOnlyOneThingCanBeMeant: typical slips of small models are corrected. Arguments that have two
// readings are refused.
//
// holds: A2
func TestA2SlipsAreMendedWhereOnlyOneThingCanBeMeant(t *testing.T) {
	const wanted = `{"customerId":"cus_ana","productId":"prod_guji","quantity":2}`
	for name, tc := range map[string]struct{ tool, args, want string }{
		"a number in quotes": {"cart_addItem", `{"productId":"prod_guji","quantity":"2","customerId":"cus_ana"}`, wanted},
		"snake case":         {"cart_addItem", `{"product_id":"prod_guji","quantity":2,"customer_id":"cus_ana"}`, wanted},
		"null for nothing": {"cart_addItem",
			`{"productId":"prod_guji","quantity":2,"customerId":"cus_ana","variantId":null}`, wanted},
		"a comma too many":              {"cart_addItem", `{"customerId":"cus_ana","productId":"prod_guji","quantity":2,}`, wanted},
		"a fence":                       {"cart_addItem", "```json\n" + wanted + "\n```", wanted},
		"a comma in a text":             {"order_addNote", `{"orderId":"ord_1","text":"a, ] b,}"}`, `{"orderId":"ord_1","text":"a, ] b,}"}`},
		"a closed set":                  {"order_cancel", `{"orderId":"ord_1","reason":"Other"}`, `{"orderId":"ord_1","reason":"other"}`},
		"an object in a text":           {"cart_applyDiscount", `{"amount":"{\"amount\":\"500\",\"currency\":\"USD\"}"}`, `{"amount":{"amount":500,"currency":"USD"}}`},
		"digits in a text":              {"order_addNote", `{"orderId":"ord_1","text":"42"}`, `{"orderId":"ord_1","text":"42"}`},
		"thousands in a text":           {"cart_addItem", `{"productId":"prod_guji","quantity":"1,000","customerId":"cus_ana"}`, ""},
		"decimals in a text":            {"cart_addItem", `{"productId":"prod_guji","quantity":"12,50","customerId":"cus_ana"}`, ""},
		"two separators":                {"cart_addItem", `{"productId":"prod_guji","quantity":"1.234,5","customerId":"cus_ana"}`, ""},
		"more than a number":            {"cart_addItem", `{"productId":"prod_guji","quantity":"2 or 3","customerId":"cus_ana"}`, ""},
		"no decimals":                   {"cart_addItem", `{"productId":"prod_guji","quantity":"2,00","customerId":"cus_ana"}`, wanted},
		"spaces":                        {"cart_addItem", `{"productId":"prod_guji","quantity":" 2 ","customerId":"cus_ana"}`, wanted},
		"both thousands and decimals":   {"cart_applyDiscount", `{"amount":{"amount":"1.234,50","currency":"USD"}}`, ""},
		"an amount in a text":           {"cart_applyDiscount", `{"amount":"12,50 USD"}`, `{"amount":{"amount":1250,"currency":"USD"}}`},
		"an amount with its sign":       {"cart_applyDiscount", `{"amount":"12.50 €"}`, `{"amount":{"amount":1250,"currency":"EUR"}}`},
		"a sign in front":               {"cart_applyDiscount", `{"amount":"$1,234.50"}`, `{"amount":{"amount":123450,"currency":"USD"}}`},
		"an amount of two readings":     {"cart_applyDiscount", `{"amount":"$1,234"}`, ""},
		"an amount that does not exist": {"cart_applyDiscount", `{"amount":"12.505 USD"}`, ""},
		"minor units in a text":         {"cart_applyDiscount", `{"amount":{"amount":"1250","currency":"USD"}}`, `{"amount":{"amount":1250,"currency":"USD"}}`},
		"major units in a text":         {"cart_applyDiscount", `{"amount":{"amount":"12.50","currency":"USD"}}`, ""},
		"a percentage in a text":        {"cart_applyDiscount", `{"percent":"12,5"}`, `{"percent":12.5}`},
		"a percentage of two readings":  {"cart_applyDiscount", `{"percent":"1.234"}`, ""},
		"two calls in one":              {"cart_addItem", wanted + `{"quantity":5}`, ""},
		"no number":                     {"cart_addItem", `{"productId":"prod_guji","quantity":"two"}`, ""},
		"a name of nothing":             {"cart_addItem", `{"product":"prod_guji","quantity":2}`, ""},
		"both spellings":                {"cart_addItem", `{"productId":"prod_guji","product_id":"x","quantity":2}`, ""},
		"null for what must be":         {"cart_addItem", `{"productId":null,"quantity":2}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			call := model.Call{ID: "1", Tool: tc.tool, Arguments: raw(`{}`), Broken: tc.args}
			if read := use("1", tc.tool, tc.args); raw(tc.args)[0] == '{' && tc.args[len(tc.args)-2] != ',' {
				call = read
			}
			m := &script{Steps: []step{reply("", call), reply("done")}}
			r := newRoom(t, m)
			u := r.Say("go")
			ok := m.Results(t)[0]["status"] == "success"
			if ok != (tc.want != "") {
				t.Fatalf("%v", m.Results(t)[0])
			}
			if ok && string(r.Journal.Entries()[0].Invocation.Arguments) != tc.want {
				t.Errorf("the bus was asked for %s", r.Journal.Entries()[0].Invocation.Arguments)
			}
			if ok && u.Calls()[0][len(u.Calls()[0])-len(tc.want):] != tc.want {
				t.Errorf("the person was shown %s", u.Calls())
			}
		})
	}
}

// TestA2ANumberThatIsRefusedIsExplained: the error says how to write a number that could mean several, or has decimals
// where only whole ones are taken.
//
// holds: A2
func TestA2ANumberThatIsRefusedIsExplained(t *testing.T) {
	for args, want := range map[string]string{
		`{"productId":"prod_guji","quantity":"1,000"}`: "Only a whole number is taken there",
		`{"productId":"prod_guji","quantity":12.5}`:    "Only a whole number is taken there",
		`{"productId":"prod_guji","quantity":"12,50"}`: "Only a whole number is taken there",
		`{"productId":"prod_guji","quantity":"two"}`:   "Only a whole number is taken there",
	} {
		m := &script{Steps: []step{reply("", use("1", "cart_addItem", args)), reply("done")}}
		newRoom(t, m).Say("go")
		if got, _ := json.Marshal(m.Results(t)[0]); !strings.Contains(string(got), want) {
			t.Errorf("%s: %s", args, got)
		}
	}
	m := &script{Steps: []step{reply("", use("1", "cart_applyDiscount", `{"percent":"1.234"}`)), reply("done")}}
	newRoom(t, m).Say("go")
	if got, _ := json.Marshal(m.Results(t)[0]); !strings.Contains(string(got), "with a point before decimals") {
		t.Errorf("%s", got)
	}
}

// holds: A14
func TestA14TheSameWrongCallIsNotMadeTwiceAndARightOneIsMade(t *testing.T) {
	wrong := func(quantity string) step {
		return reply("", use("", "cart_addItem", `{"productId":"p","quantity":`+quantity+`}`))
	}
	m := &script{Steps: []step{wrong("-1"), wrong("-1"), wrong("-2"), wrong("1"), reply("done")}}
	r := newRoom(t, m)
	r.Say("go")
	if n := len(r.Journal.Entries()); n != 3 || !r.Journal.Entries()[2].Result.OK() {
		t.Errorf("%d invocations: %v", n, m.Results(t))
	}
	if again := m.Results(t)[1]; again["code"] != "VALIDATION" || again["violations"] == nil {
		t.Errorf("the second: %v", again)
	}
}

// TestA14ADeclineIsOfOneCall: after one of two cancels is denied, the other still gets a card. A correction that the
// person typed gets a card and runs. After two denials there are no more cards.
//
// holds: A14 A7
func TestA14ADeclineIsOfOneCall(t *testing.T) {
	cancel := func(order, reason string) model.Call {
		return use("", "order_cancel", `{"orderId":"`+order+`","reason":"`+reason+`"}`)
	}
	for name, tc := range map[string]struct {
		steps       []step
		cards, done int
	}{
		"the other": {[]step{reply("", cancel("ord_1", "other"), cancel("ord_2", "other")), reply("ok")}, 2, 1},
		"a correction": {[]step{reply("", cancel("ord_1", "other")), reply("", cancel("ord_1", "out of stock")),
			reply("ok")}, 2, 1},
		"the same again": {[]step{reply("", cancel("ord_1", "other")), reply("", cancel("ord_1", "other")), reply("ok")}, 1, 0},
		"again and again": {[]step{reply("", cancel("ord_1", "other")), reply("", cancel("ord_3", "other")),
			reply("", cancel("ord_5", "other")), reply("", cancel("ord_7", "other")), reply("ok")}, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			m := &script{Steps: tc.steps}
			r := newRoom(t, m)
			r.Answer = func(c policy.Card) *policy.Answer {
				if name != "again and again" && len(r.Cards) == 2 {
					return &policy.Answer{Answer: bus.AnswerAllow}
				}
				return &policy.Answer{Answer: bus.AnswerDeny, Reason: "It is out of stock"}
			}
			u := r.Say("cancel them")
			done := 0
			for _, a := range u.Ended().Actions {
				if a.Outcome == agent.ActionDone {
					done++
				}
			}
			if len(r.Cards) != tc.cards || done != tc.done {
				t.Errorf("%d cards, %d done: %v", len(r.Cards), done, m.Results(t))
			}
		})
	}
}
