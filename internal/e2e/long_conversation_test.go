package e2e

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// use calls a tool as a model does: one that is not listed is described first, and then called as the answer says.
func (s *stage) use(tool, arguments string) line {
	return func(m told) (string, []string) {
		named := func(name string) bool {
			return slices.ContainsFunc(m.Tools, func(t chatTool) bool { return t.Function.Name == name })
		}
		call := func(m told) (string, []string) {
			if !named(tool) && strings.Contains(m.at(len(m.results)-1, "data", "note"), "capability_call") {
				return "", []string{fmt.Sprintf(`capability_call {"name":%q,"arguments":%s}`, tool, arguments)}
			}
			return "", []string{tool + " " + arguments}
		}
		if named(tool) {
			return call(m)
		}
		s.mu.Lock()
		s.script = slices.Insert(s.script, 0, call)
		s.mu.Unlock()
		return "", []string{fmt.Sprintf(`capability_describe {"name":%q}`, strings.Replace(tool, "_", ".", 1))}
	}
}

// TestA13AConversationOfThirtyTurnsKeepsItsTools: a day of many domains with a model of 8192 tokens. The tools change
// in three requests at most, within a turn only by additions at the end; every tool can be called all the same; and
// what was done in turns that are no longer sent is told.
//
// holds: A13 M2 M3
func TestA13AConversationOfThirtyTurnsKeepsItsTools(t *testing.T) {
	s := newStage(t, 8192)
	var firsts []int // of each turn, its first request
	turn := func(text, want string, replies ...line) {
		t.Helper()
		firsts = append(firsts, len(s.bodies))
		s.want(text, want, append(replies, words("Very well."))...)
	}
	const ana = `"customerId":"cus_201100"`
	day := func() {
		turn("Who is Ana Ruiz?", "", s.use("customer_search", `{"query":"Ana Ruiz"}`))
		turn("Which orders of hers are open?", "", s.use("order_search", `{`+ana+`,"status":"pending","limit":3}`))
		turn("Her card, please", "", s.use("customer_get", `{`+ana+`}`))
		turn("Put a note on her: likes it light", "customer.addNote done",
			s.use("customer_addNote", `{`+ana+`,"text":"Likes it light."}`))
		turn("What did we take today?", "", s.use("report_today", `{}`))
		turn("And last month, by week?", "", s.use("report_sales", `{"period":"last month","by":"week"}`))
		turn("What sold best?", "", s.use("report_topProducts", `{"period":"last month"}`))
		turn("What came back?", "", s.use("report_returns", `{"period":"last month"}`))
		turn("What is running low?", "", s.use("report_lowStock", `{}`))
		turn("Add two Guji to Ana's cart", "cart.addItem done", s.use("catalog_search", `{"query":"Guji","limit":2}`),
			func(m told) (string, []string) {
				return "", []string{`cart_addItem {"productId":"` + m.at(0, "data", "products", 0, "id") + `","quantity":2,` + ana + `}`}
			})
		turn("Ten percent off for her", "cart.applyDiscount done", s.use("cart_applyDiscount", `{"percent":10,"reason":"regular"}`))
		turn("No, no discount", "cart.removeDiscount done", s.use("cart_removeDiscount", `{}`))
		turn("Write on it: ring twice", "cart.setNote done", s.use("cart_setNote", `{"text":"Ring twice."}`))
		turn("Set the cart aside", "cart.hold done", s.use("cart_hold", `{}`))
		turn("Which carts are set aside?", "", s.use("cart_listHeld", `{}`))
	}
	day()
	day()
	if len(firsts) != 30 {
		t.Fatalf("%d turns", len(firsts))
	}
	changed := 0
	var before []chatTool
	for i, body := range s.bodies {
		var now chatRequest
		if err := json.Unmarshal([]byte(body), &now); err != nil {
			t.Fatal(err)
		}
		if i > 0 && !reflect.DeepEqual(now.Tools, before) {
			changed++
			grown := len(now.Tools) > len(before) && reflect.DeepEqual(now.Tools[:len(before)], before)
			if !slices.Contains(firsts, i) && !grown {
				t.Errorf("request %d changed the tools within a turn", i)
			}
		}
		before = now.Tools
	}
	if changed > 3 {
		t.Errorf("the tools changed in %d of %d requests", changed, len(s.bodies))
	}
	for i, n := range s.tokens() {
		if n > 6500 {
			t.Errorf("request %d has %d tokens", i, n)
		}
	}
	last := s.bodies[len(s.bodies)-1]
	for _, want := range []string{"earlier turns; done in them", "Likes it light"} {
		if !strings.Contains(last, want) {
			t.Errorf("the last request lacks %q", want)
		}
	}
	t.Logf("%d requests, %d with other tools than before; the last has %d tools", len(s.bodies), changed, len(before))
}
