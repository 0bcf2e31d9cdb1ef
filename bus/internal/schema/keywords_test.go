package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus/internal/schema"
)

// doubling returns a schema whose definitions refer twice to the next one, in a pattern with two %s.
func doubling(levels int, pattern string) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/d0","$defs":{`)
	for i := range levels {
		next := fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i+1)
		fmt.Fprintf(&b, `"d%d":%s,`, i, strings.ReplaceAll(pattern, "NEXT", next))
	}
	fmt.Fprintf(&b, `"d%d":{"type":"object"}}}`, levels)
	return b.String()
}

// TestC3ReferencesThatMultiplyAreRefused: a file of 3 KB must not stop the program that reads it.
func TestC3ReferencesThatMultiplyAreRefused(t *testing.T) {
	for _, pattern := range []string{
		`{"properties":{"a":NEXT,"b":NEXT}}`,
		`{"properties":{"a":{"default":{},"allOf":[NEXT]},"b":{"default":{},"allOf":[NEXT]}}}`,
		`{"not":{"anyOf":[NEXT,NEXT]}}`,
		`{"prefixItems":[NEXT,NEXT]}`,
	} {
		if _, err := schema.Read(json.RawMessage(doubling(40, pattern))); err == nil ||
			!strings.Contains(err.Error(), "more than 100000 parts") {
			t.Errorf("%s: %v", pattern, err)
		}
		if _, err := schema.Compile(json.RawMessage(doubling(8, pattern))); err != nil {
			t.Errorf("%s, a few times: %v", pattern, err)
		}
	}
	tree := `{"type":"object","properties":{"left":{"$ref":"#"},"right":{"$ref":"#"},"value":{"type":"string"}}}`
	if _, err := schema.Compile(json.RawMessage(tree)); err != nil {
		t.Errorf("a schema that refers to itself: %v", err)
	}
}

// TestC4AMistakeInASchemaHasItsPlace: in one line, whichever check finds it.
func TestC4AMistakeInASchemaHasItsPlace(t *testing.T) {
	for raw, want := range map[string]string{
		`{"items":{"$ref":"#/schemas/bird"}}`:             "at /items/$ref: the schema has nothing at #/schemas/bird",
		`{"$ref":"#bird"}`:                                "at /$ref: the schema has nothing at #bird",
		`{"properties":{"a":{"type":"strin"}}}`:           "at /properties/a/type: value must be one of",
		`{"properties":{"a":{"pattern":"("}}}`:            "at /properties/a/pattern: '(' is not valid regex",
		`{"minLength":"x"}`:                               "at /minLength: got string, want integer",
		`{"$ref":"#/$defs/a%20b","$defs":{"a b":{}}}`:     "",
		`{"default":{"$ref":"#/no"},"type":"object"}`:     "",
		`{"properties":{"default":{"$ref":"#/nowhere"}}}`: "at /properties/default/$ref: the schema has nothing at",
		`{"properties":{"$ref":{"type":"string"}}}`:       "",
	} {
		_, err := schema.Compile(json.RawMessage(raw))
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) || strings.Contains(got, "\n") {
			t.Errorf("%s: %v", raw, err)
		}
	}
}
