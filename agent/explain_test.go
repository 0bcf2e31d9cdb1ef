package agent_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestA3AModelIsToldWhatWasWrong: a refusal explains the form of money, and an empty list names the words of the
// search.
//
// holds: A3
func TestA3AModelIsToldWhatWasWrong(t *testing.T) {
	for name, c := range map[string]struct{ tool, arguments, says string }{
		"money with a point": {"cart_applyDiscount", `{"amount":{"amount":49.0,"currency":"USD"}}`, "4900 is $49.00"},
		"money in a text":    {"cart_applyDiscount", `{"amount":{"amount":"49.50","currency":"USD"}}`, "4900 is $49.00"},
		"an empty list": {"customer_search", `{"query":"purple elephant"}`,
			`Nothing is found with all of this: query "purple elephant".`},
	} {
		m := &script{Steps: []step{reply("", use("a", c.tool, c.arguments)), reply("ok")}}
		r := newRoom(t, m)
		r.Say("go")
		if said := fmt.Sprint(m.Results(t)[0]); !strings.Contains(said, c.says) {
			t.Errorf("%s: told %s", name, said)
		}
		for _, e := range r.Journal.Entries() {
			if e.Invocation.Capability == "cart.applyDiscount" {
				t.Errorf("%s: %+v", name, e)
			}
		}
	}
	m := &script{Steps: []step{reply("", use("a", "customer_search", `{"query":"Ana"}`),
		use("b", "cart_applyDiscount", `{"amount":{"amount":4900,"currency":"USD"}}`)), reply("ok")}}
	newRoom(t, m).Say("go")
	for _, res := range m.Results(t) {
		if res["note"] != nil || res["status"] != "success" {
			t.Errorf("%v", res)
		}
	}
}
