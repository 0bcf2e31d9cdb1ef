package schema_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus/internal/schema"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// pairs are schemas and values for the short way through validation: takes says
// whether it answers yes by itself.
var pairs = map[string]struct {
	schema, value string
	takes         bool
}{
	"an object as an input is one": {
		`{"type":"object","properties":{"a":{"type":"string"},"n":{"type":"integer","minimum":1}},"required":["a"],"additionalProperties":false}`, `{"a":"x","n":3}`, true},
	"a missing property": {`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`,
		`{}`, false},
	"an unknown property": {`{"properties":{"a":true},"additionalProperties":false}`, `{"b":1}`, false},
	"an unknown property of the right type": {`{"properties":{"a":true},"additionalProperties":{"type":"null"}}`,
		`{"b":null}`, true},
	"additional properties alone": {`{"additionalProperties":{"type":"boolean"}}`, `{"b":true}`, true},
	"below the minimum":           {`{"type":"integer","minimum":1}`, `0`, false},
	"an integer as a decimal":     {`{"type":"integer"}`, `1.0`, false},
	"a number beyond 64 bits":     {`{"type":"number","maximum":9}`, `1e40`, false},
	"an excluded bound":           {`{"exclusiveMinimum":1,"exclusiveMaximum":3}`, `2`, true},
	"a bound and a text":          {`{"minimum":5}`, `"x"`, true},
	"letters counted, not bytes":  {`{"minLength":2,"maxLength":2}`, `"éü"`, true},
	"a list too long":             {`{"maxItems":1}`, `[1,2]`, false},
	"items": {`{"type":"array","items":{"enum":["a",1,null,true]},"minItems":1}`,
		`["a",1,null,true]`, true},
	"an item that is not allowed":       {`{"items":{"const":"a"}}`, `["b"]`, false},
	"an enum of lists has no short way": {`{"enum":[["a"]]}`, `["a"]`, false},
	"a pattern":                         {`{"pattern":"^a+$"}`, `"aa"`, true},
	"a pattern that does not match":     {`{"pattern":"^a+$"}`, `"b"`, false},
	"a format has no short way":         {`{"format":"date"}`, `"2026-01-01"`, false},
	"a reference has no short way":      {`{"$ref":"#/$defs/a","$defs":{"a":true}}`, `1`, false},
	"a tuple has no short way":          {`{"prefixItems":[{"type":"string"}],"items":false}`, `["a"]`, false},
	"two types have no short way":       {`{"type":["string","null"]}`, `null`, false},
	"nothing fits false":                {`{"properties":{"a":false}}`, `{"a":1}`, false},
	"an annotation asserts nothing":     {`{"title":"T","x-personal":true,"writeOnly":true,"default":1}`, `"x"`, true},
}

// holds: C3
func TestC3ShortWayAgreesWithTheCompiledSchema(t *testing.T) {
	for name, p := range pairs {
		t.Run(name, func(t *testing.T) {
			short, compiled, _, err := schema.BothWays(json.RawMessage(p.schema), decoded(t, p.value))
			if err != nil {
				t.Fatal(err)
			}
			if short != p.takes {
				t.Errorf("the short way says %t, want %t", short, p.takes)
			}
			if short && !compiled {
				t.Error("the short way takes what the schema refuses")
			}
		})
	}
}

// holds: C3
func TestC3ASchemaThatCannotBeCompiledRefusesEveryValue(t *testing.T) {
	for _, raw := range []string{`{"pattern":5}`, `{"type":5}`, `{"enum":5}`, `{"required":[5]}`, `{"minLength":"x"}`} {
		s, err := schema.Read(json.RawMessage(raw))
		if err != nil {
			t.Fatal(err)
		}
		if v := s.Validate("x"); v == nil {
			t.Errorf("%s accepts a text", raw)
		}
	}
}

func TestArgumentsAreWrittenAsMarshalWritesThem(t *testing.T) {
	for _, raw := range []string{`{}`, `[]`, `{"b":[1,2.50,1e3,null,true],"a":{"z":"","y":"x"}}`,
		`{"<&>":"\u2028\"\\/é\n"}`,
		`{"i":1,"h":1,"g":1,"f":1,"e":1,"d":1,"c":1,"b":1,"a":1}`} {
		v := decoded(t, raw)
		if got, err := schema.AppendCanonical(nil, v); err != nil || string(got) != marshalled(t, v) {
			t.Errorf("%s is written as %s, %v", raw, got, err)
		}
	}
}

// marshalled is what json.Marshal writes, with whole numbers written as such.
func marshalled(t *testing.T, v any) string {
	t.Helper()
	var whole func(v any) any
	whole = func(v any) any {
		switch v := v.(type) {
		case json.Number:
			if r, ok := new(big.Rat).SetString(string(v)); ok && r.IsInt() && strings.ContainsAny(string(v), ".eE") &&
				new(big.Int).Abs(r.Num()).Cmp(big.NewInt(math.MaxInt64)) <= 0 {
				return json.Number(r.Num().String())
			}
		case []any:
			for i := range v {
				v[i] = whole(v[i])
			}
		case map[string]any:
			for k := range v {
				v[k] = whole(v[k])
			}
		}
		return v
	}
	raw, err := json.Marshal(whole(schema.Clone(v)))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// FuzzFast holds the short ways against the long ones: the fast validation may
// only say yes where the compiled schema does, and arguments are written as
// json.Marshal writes them.
func FuzzFast(f *testing.F) {
	for _, p := range pairs {
		f.Add([]byte(p.schema), []byte(p.value))
	}
	f.Fuzz(func(t *testing.T, raw, value []byte) {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
		if err != nil || schema.Ambiguity(value, v) != "" {
			return // no schema sees it
		}
		if got, err := schema.AppendCanonical(nil, v); err != nil || string(got) != marshalled(t, v) {
			t.Errorf("written as %s, %v", got, err)
		}
		if short, compiled, known, err := schema.BothWays(raw, v); err == nil && known && short && !compiled {
			t.Errorf("%s takes %s by the short way only", raw, value)
		}
	})
}

func decoded(t *testing.T, raw string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(raw)))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestASchemaReadLateAnswersAsOneReadAtOnce: each method may be the first that is called.
func TestASchemaReadLateAnswersAsOneReadAtOnce(t *testing.T) {
	raw := json.RawMessage(`{"type":"object","required":["id"],"properties":{"id":{"type":"string","x-entity":"pad"},` +
		`"n":{"type":"integer","default":3},"pin":{"type":"string","writeOnly":true},` +
		`"of":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","x-entity":"pad"}}}}}}`)
	now, err := schema.Read(raw)
	if err != nil {
		t.Fatal(err)
	}
	given := func() map[string]any { return map[string]any{"pin": "1234", "id": "2", "other": json.Number("1")} }
	for i, ask := range []func(s *schema.Schema) any{
		func(s *schema.Schema) any { v := given(); s.Fill(v); return v },
		func(s *schema.Schema) any { return s.Validate(given()) },
		func(s *schema.Schema) any { return s.Validate(map[string]any{"pin": json.Number("1")}) },
		func(s *schema.Schema) any { v, where := s.Redact(given()); return []any{v, where} },
		func(s *schema.Schema) any { v, where := s.RedactInvalid(given()); return []any{v, where} },
		func(s *schema.Schema) any { return s.HasField("/of/*/id") },
		func(s *schema.Schema) any { return s.Required() },
		func(s *schema.Schema) any { return s.Entities() },
		func(s *schema.Schema) any { return s.PathsOf("pad") },
		func(s *schema.Schema) any { return s.EntityAt("/of/*/id") },
		func(s *schema.Schema) any { return s.FieldsAt("/of/0") },
		func(s *schema.Schema) any { return s.NodeAt("/n") },
		func(s *schema.Schema) any { return s.HasSecrets() },
		func(s *schema.Schema) any { return s.Compile() },
	} {
		if got, want := ask(schema.Late(raw)), ask(now); !reflect.DeepEqual(got, want) {
			t.Errorf("%d: got %v, want %v", i, got, want)
		}
	}
	if broken := schema.Late(json.RawMessage(`{`)); broken.HasSecrets() || broken.Validate(given()) == nil {
		t.Error("what is no schema accepts a value")
	}
}
