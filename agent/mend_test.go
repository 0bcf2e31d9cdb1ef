package agent_test

import (
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// TestA2SlipsAreMendedWhereOnlyOneThingCanBeMeant: what small models write is done as it is meant, and what could mean
// two things is refused.
//
// holds: A2
func TestA2SlipsAreMendedWhereOnlyOneThingCanBeMeant(t *testing.T) {
	const wanted = `{"customerId":"cus_ana","productId":"prod_guji","quantity":2}`
	for name, tc := range map[string]struct{ tool, args, want string }{
		"a number in quotes": {"cart_addItem", `{"productId":"prod_guji","quantity":"2","customerId":"cus_ana"}`, wanted},
		"snake case":         {"cart_addItem", `{"product_id":"prod_guji","quantity":2,"customer_id":"cus_ana"}`, wanted},
		"null for nothing": {"cart_addItem",
			`{"productId":"prod_guji","quantity":2,"customerId":"cus_ana","variantId":null}`, wanted},
		"a comma too many":      {"cart_addItem", `{"customerId":"cus_ana","productId":"prod_guji","quantity":2,}`, wanted},
		"a fence":               {"cart_addItem", "```json\n" + wanted + "\n```", wanted},
		"a comma in a text":     {"order_addNote", `{"orderId":"ord_1","text":"a, ] b,}"}`, `{"orderId":"ord_1","text":"a, ] b,}"}`},
		"a closed set":          {"order_cancel", `{"orderId":"ord_1","reason":"Other"}`, `{"orderId":"ord_1","reason":"other"}`},
		"an object in a text":   {"cart_applyDiscount", `{"amount":"{\"amount\":\"500\",\"currency\":\"USD\"}"}`, `{"amount":{"amount":500,"currency":"USD"}}`},
		"digits in a text":      {"order_addNote", `{"orderId":"ord_1","text":"42"}`, `{"orderId":"ord_1","text":"42"}`},
		"no number":             {"cart_addItem", `{"productId":"prod_guji","quantity":"two"}`, ""},
		"a name of nothing":     {"cart_addItem", `{"product":"prod_guji","quantity":2}`, ""},
		"both spellings":        {"cart_addItem", `{"productId":"prod_guji","product_id":"x","quantity":2}`, ""},
		"null for what must be": {"cart_addItem", `{"productId":null,"quantity":2}`, ""},
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

// holds: A14
func TestA14TheSameWrongCallIsNotMadeTwiceAndARightOneIsMade(t *testing.T) {
	wrong := func(quantity string) step {
		return reply("", use("", "cart_addItem", `{"productId":"p","quantity":`+quantity+`}`))
	}
	m := &script{Steps: []step{wrong("-1"), wrong("-1"), wrong("-2"), wrong("0"), wrong("1"), reply("done")}}
	r := newRoom(t, m)
	r.Say("go")
	if n := len(r.Journal.Entries()); n != 4 || !r.Journal.Entries()[3].Result.OK() {
		t.Errorf("%d invocations: %v", n, m.Results(t))
	}
	if again := m.Results(t)[1]; again["code"] != "VALIDATION" || again["violations"] == nil {
		t.Errorf("the second: %v", again)
	}
}

// TestA14ADeclineIsOfOneCall: of two cancels one is denied, and the other is asked; a correction that the person typed
// is carried out, after a card of its own; who says no twice is not asked again.
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
