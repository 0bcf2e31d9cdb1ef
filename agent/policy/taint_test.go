package policy_test

import (
	"testing"

	"github.com/deskhand/deskhand/agent/policy"
)

// holds: A11
func TestA11WhichOutputsAreTainted(t *testing.T) {
	schema := `{"type":"object","properties":{"note":{"type":"string","x-tainted":true},"id":{"type":"string"},"any":{"x-tainted":true},
		"list":{"type":"array","items":{"$ref":"#/$defs/item"}},"map":{"type":"object","additionalProperties":{"type":"string","x-tainted":true}},
		"either":{"anyOf":[{"type":"integer"},{"type":"string","x-tainted":true}]},"loop":{"$ref":"#/$defs/loop"}},
		"$defs":{"item":{"properties":{"text":{"x-tainted":true}}},"loop":{"$ref":"#/$defs/loop"}}}`
	for data, want := range map[string]bool{
		`{}`: false, `{"id":"a b"}`: false, `{"note":""}`: false, `{"note":" \n"}`: false, `{"note":"hi"}`: true,
		`{"list":[]}`: false, `{"list":[{"id":"x"},{"text":"hi"}]}`: true, `{"list":[{"text":""}]}`: false,
		`{"map":{"a":"hi"}}`: true, `{"map":{"a":""}}`: false, `{"either":"hi"}`: true, `{"either":5}`: false,
		`{"any":{"deep":[{"er":"hi"}]}}`: true, `{"any":7}`: false, `{"any":{"a key with words":1}}`: true,
		`{"loop":"hi"}`: true, `{"other":"hi"}`: false,
	} {
		if got := policy.Taints(raw("%s", schema), raw("%s", data)); got != want {
			t.Errorf("%s: %v", data, got)
		}
	}
	if !policy.Taints(nil, raw(`{"x":["hi"]}`)) || policy.Taints(nil, raw(`{"x":[1]}`)) {
		t.Error("an output without a schema")
	}
}
