package policy_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent/policy"
	"pgregory.net/rapid"
)

// holds: A9
func TestA9WhatFulfilsAConstraint(t *testing.T) {
	for _, tt := range []struct {
		constraint string
		yes, no    []string
	}{
		{`"a"`, []string{`"a"`}, []string{`"A"`, `"a "`, `1`, `["a"]`, `null`}},
		{`5`, []string{`5`, `5.0`, `5e0`}, []string{`6`, `"5"`, `true`}},
		{`true`, []string{`true`}, []string{`false`, `1`, `"true"`}},
		{`{"max":10}`, []string{`10`, `-3`, `9.99`, `{"amount":10,"currency":"USD"}`},
			[]string{`10.01`, `1e2`, `"5"`, `null`, `[1]`}},
		{`{"min":2,"max":4}`, []string{`2`, `3`, `4`}, []string{`1`, `5`}},
		{`{"max":9007199254740993}`, []string{`9007199254740993`}, []string{`9007199254740994`}},
		{`{"max":{"amount":500,"currency":"USD"}}`, []string{`{"amount":500,"currency":"USD"}`,
			`{"amount":1,"currency":"USD","text":"$9"}`, `{"amount":-500,"currency":"USD"}`},
			[]string{`{"amount":501,"currency":"USD"}`, `{"amount":-501,"currency":"USD"}`, `{"amount":1,"currency":"EUR"}`,
				`{"amount":1}`, `{"amount":1,"currency":"USD","x":1}`}},
		{`{"amount":5,"currency":"USD"}`, []string{`{"amount":5,"currency":"USD","text":"five"}`},
			[]string{`{"amount":5,"currency":"EUR"}`, `5`}},
		{`{"in":["a",2]}`, []string{`"a"`, `2`}, []string{`"b"`, `3`, `["a",2]`}},
		{`{"not_in":["a",2]}`, []string{`"b"`, `null`}, []string{`"a"`, `2.0`}},
		{`{"in":["a","b"],"not_in":["a"]}`, []string{`"b"`}, []string{`"a"`, `"c"`}},
		{`{"max":1e400}`, nil, []string{`1`}},
		{`{"max":100}`, []string{`1e2`}, []string{`1.01e2`, `1e400`, `{"currency":"USD"}`, `{"amount":1,"currency":""}`,
			`{"amount":"1","currency":"USD"}`, `{"amount":1,"currency":7}`}},
		{`{"max":1000000000000000000000000000000000000000}`, []string{`1000000000000000000000000000000000000000`},
			[]string{`1000000000000000000000000000000000000001`}},
	} {
		check := func(value string, want bool) {
			t.Helper()
			got, err := policy.Fulfils(policy.Constraints{"/x": raw("%s", tt.constraint)}, raw(`{"x":%s}`, value), nil)
			if got != want {
				t.Errorf("%s against %s: %v %v", value, tt.constraint, got, err)
			}
		}
		for _, v := range tt.yes {
			check(v, true)
		}
		for _, v := range tt.no {
			check(v, false)
		}
	}
}

// holds: A9
func TestA9ConstraintsGoByPointersAndFacts(t *testing.T) {
	args := raw(`{"lines":[{"sku":"A"},{"sku":"B"}],"a/b":{"~":1}}`)
	facts := map[string]any{"amount": 5.0}
	for key, want := range map[string]bool{"/lines/1/sku": true, "/lines/2/sku": false, "/lines/01/sku": false,
		"/lines/-1/sku": false, "/lines": false,
		"/a~1b/~0": true, "/a": false, "amount": true, "/amount": false, "other": false} {
		value := raw(`{"in":["B",1,5]}`)
		if got, err := policy.Fulfils(policy.Constraints{key: value}, args, facts); got != want || err != nil {
			t.Errorf("%s: %v %v", key, got, err)
		}
	}
}

// TestA9TheTightestWins: constraints from two sources together allow only the values that both allow.
//
// holds: A9
func TestA9TheTightestWins(t *testing.T) {
	value := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{`-2`, `1`, `2`, `3`, `4`, `"a"`, `"b"`, `{"amount":2,"currency":"USD"}`,
			`{"amount":3,"currency":"EUR"}`}).Draw(t, "v")
	})
	one := rapid.Custom(func(t *rapid.T) json.RawMessage {
		if rapid.Bool().Draw(t, "exact") {
			return raw("%s", value.Draw(t, "is"))
		}
		ops := map[string]json.RawMessage{}
		for _, op := range []string{"min", "max"} {
			if rapid.Bool().Draw(t, op) {
				ops[op] = raw("%s", rapid.SampledFrom([]string{`-1`, `1`, `2`, `3`,
					`{"amount":2,"currency":"USD"}`}).Draw(t, "bound"))
			}
		}
		for _, op := range []string{"in", "not_in"} {
			if rapid.Bool().Draw(t, op) || len(ops) == 0 {
				ops[op] = raw("[%s,%s]", value.Draw(t, "one"), value.Draw(t, "two"))
			}
		}
		text, err := json.Marshal(ops)
		if err != nil {
			t.Fatal(err)
		}
		return text
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := policy.Constraints{"/x": one.Draw(t, "a")}, policy.Constraints{"/x": one.Draw(t, "b")}
		both, refused := policy.Tighten(a, b)
		args := raw(`{"x":%s}`, value.Draw(t, "x"))
		inA, err := policy.Fulfils(a, args, nil)
		if err != nil {
			t.Fatal(err)
		}
		inB, err := policy.Fulfils(b, args, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := false
		if refused == nil {
			if got, err = policy.Fulfils(both, args, nil); err != nil {
				t.Fatal(err)
			}
		}
		if got != (inA && inB) {
			t.Fatalf("%s and %s make %s: %s is %v", a["/x"], b["/x"], both["/x"], args, got)
		}
	})
}

// holds: A9
func TestA9WhatTwoConstraintsLeave(t *testing.T) {
	for _, tt := range []struct{ a, b, want string }{ // "": nothing
		{`{"min":2}`, `{"max":4}`, `{"max":4,"min":2}`},
		{`{"min":2}`, `{"min":3}`, `{"min":3}`},
		{`{"max":2}`, `{"max":3}`, `{"max":2}`},
		{`{"min":2,"max":9}`, `{"min":1,"max":8}`, `{"max":8,"min":2}`},
		{`{"max":5}`, `{"max":{"amount":9,"currency":"USD"}}`, `{"max":{"amount":5,"currency":"USD"}}`},
		{`{"max":{"amount":9,"currency":"USD"}}`, `{"max":{"amount":5,"currency":"USD"}}`,
			`{"max":{"amount":5,"currency":"USD"}}`},
		{`{"max":0}`, `{"max":{"amount":9,"currency":"USD"}}`, `{"max":{"amount":0,"currency":"USD"}}`},
		{`{"max":-5}`, `{"max":{"amount":9,"currency":"USD"}}`, `{"max":-5}`},
		{`{"max":{"amount":9,"currency":"USD"}}`, `{"max":{"amount":5,"currency":"EUR"}}`, ""},
		{`{"in":[1,2,3]}`, `{"in":[3,2,4]}`, `{"in":[2,3]}`},
		{`{"in":[1,2]}`, `{"max":2}`, `{"in":[1,2]}`},
		{`{"in":[1,2]}`, `{"in":[2,3]}`, `2`},
		{`{"in":[1,2]}`, `{"not_in":[1]}`, `2`},
		{`{"in":[1,2]}`, `{"min":3}`, ""},
		{`1`, `{"max":5}`, `1`},
		{`{"min":2}`, `1`, ""},
		{`"a"`, `"b"`, ""},
		{`"a"`, `"a"`, `"a"`},
		{`{"not_in":["a"]}`, `{"not_in":["b"]}`, `{"not_in":["a","b"]}`},
		{`{"not_in":["a"]}`, `{"min":1}`, `{"min":1,"not_in":["a"]}`},
	} {
		both, err := policy.Tighten(policy.Constraints{"/x": raw("%s", tt.a)}, policy.Constraints{"/x": raw("%s", tt.b)})
		if got := string(both["/x"]); got != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%s and %s: %s, not %s; %v", tt.a, tt.b, got, tt.want, err)
		}
	}
	both, err := policy.Tighten(policy.Constraints{"/x": raw(`1`)}, policy.Constraints{"/y": raw(`2`)})
	if err != nil || string(both["/x"]) != `1` || string(both["/y"]) != `2` {
		t.Errorf("%s %v", both, err)
	}
	if both, err = policy.Tighten(nil, policy.Constraints{"/y": raw(`2`)}); err != nil || string(both["/y"]) != `2` {
		t.Errorf("%s %v", both, err)
	}
	for _, bad := range []string{`{"most":1}`, `[1]`, `{`} {
		for _, pair := range [][2]string{{bad, `1`}, {`1`, bad}} {
			if _, err := policy.Tighten(policy.Constraints{"/x": raw("%s", pair[0])},
				policy.Constraints{"/x": raw("%s", pair[1])}); err == nil {
				t.Errorf("%s is taken", pair)
			}
		}
	}
}

// holds: A9
func TestA9AListOfManyIsNoBound(t *testing.T) {
	list := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]" }
	for _, op := range []string{"in", "not_in"} {
		for n, want := range map[int]bool{0: false, 1: true, 50: true, 51: false} {
			_, err := policy.Fulfils(policy.Constraints{"/x": raw(`{%q:%s}`, op, list(n))}, raw(`{"x":1}`), nil)
			if (err == nil) != want {
				t.Errorf("%s of %d: %v", op, n, err)
			}
			if err != nil && !strings.Contains(err.Error(), "a list of 1 to 50 values") {
				t.Error(err)
			}
		}
	}
}
