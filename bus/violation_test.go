package bus_test

import (
	"encoding/json"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

func TestViolationsNameTheKeywordAndWhatItAsksFor(t *testing.T) {
	c := doing("a.b", bus.Pure, ok)
	c.InputSchema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["id"],"properties":{
		"id":{"type":"string","pattern":"^[a-z]+$","maxLength":3},
		"count":{"type":"integer","minimum":1},
		"kind":{"enum":["a","b"]},
		"day":{"type":"string","format":"date"},
		"pin":{"type":"string","minLength":4,"writeOnly":true}}}`)
	b, _, _ := bustest.New(t, c)
	want := map[string]map[string]map[string]any{
		`{}`:                            {"required": {"properties": []string{"id"}}},
		`{"id":"a","more":1}`:           {"additionalProperties": {"properties": []string{"more"}}},
		`{"id":"A"}`:                    {"pattern": {"want": "^[a-z]+$"}},
		`{"id":"abcd"}`:                 {"maxLength": {"want": 3}},
		`{"id":"a","count":0}`:          {"minimum": {"want": 1.0}},
		`{"id":"a","count":"1"}`:        {"type": {"want": []string{"integer"}, "got": "string"}},
		`{"id":"a","kind":"c"}`:         {"enum": {"want": []any{"a", "b"}}},
		`{"id":"a","day":"yesterday"}`:  {"format": {"want": "date"}},
		`{"id":"a","pin":"1"}`:          {"": nil},
		`{"id":"abcd","kind":"c"}`:      {"maxLength": {"want": 3}, "enum": {"want": []any{"a", "b"}}},
		`{"id":"a","count":1,"pin":12}`: {"": nil},
	}
	for arguments, keywords := range want {
		r := b.Invoke(t.Context(), bus.Invocation{Capability: "a.b", Arguments: json.RawMessage(arguments),
			Caller: bus.Caller{Type: bus.CallerTest}})
		got := map[string]map[string]any{}
		for _, v := range r.Err.Violations {
			got[v.Keyword] = v.Params
		}
		if diff := cmp.Diff(keywords, got); diff != "" {
			t.Errorf("%s: %s", arguments, diff)
		}
	}
}
