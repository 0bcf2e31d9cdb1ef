package bustest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// example makes values that fit a schema, and lead to something where the schema says how to look it up.
type example struct {
	app App
	ctx context.Context
	doc map[string]any // the root, for references
	all bool           // optional properties too

	sources map[string]string // where the ids of records are found, by kind
}

// arguments makes arguments for a capability.
func (x example) arguments(c *bus.Capability) json.RawMessage {
	if c.InputSchema == nil || json.Unmarshal(c.InputSchema, &x.doc) != nil {
		return json.RawMessage(`{}`)
	}
	if x.app.Bus != nil {
		x.sources = x.app.Bus.Sources(c.Name)
	}
	raw, err := json.Marshal(x.value(x.doc, 0))
	if err != nil {
		return json.RawMessage(`{}`)
	}
	return raw
}

// deepest bounds how far a schema that refers to itself is followed.
const deepest = 8

// value makes a value that fits schema, as well as can be done without solving it.
func (x example) value(schema any, depth int) any {
	m, ok := schema.(map[string]any)
	if !ok || depth > deepest {
		return nil
	}
	if ref, ok := m["$ref"].(string); ok {
		target, _ := jsonpointer.At(x.doc, strings.TrimPrefix(ref, "#"))
		return x.value(target, depth+1)
	}
	if v, ok := m["const"]; ok {
		return v
	}
	for _, k := range []string{"enum", "examples"} {
		if list, ok := m[k].([]any); ok && len(list) > 0 {
			return list[0]
		}
	}
	if v, ok := m["default"]; ok {
		return v
	}
	if of, ok := m["x-entity"].(string); ok && x.app.Bus != nil {
		if id := x.lookUp(x.sources[of]); id != nil {
			return id
		}
	}
	for _, k := range []string{"oneOf", "anyOf", "allOf"} {
		if list, ok := m[k].([]any); ok && len(list) > 0 && m["properties"] == nil {
			return x.value(list[0], depth+1)
		}
	}
	switch kind(m) {
	case "object":
		return x.object(m, depth)
	case "array":
		list := []any{}
		for range max(1, number(m["minItems"], 0)) {
			list = append(list, x.value(m["items"], depth+1))
		}
		return list
	case "string":
		return text(m)
	case "integer", "number":
		return between(m)
	case "boolean":
		return true
	}
	return nil
}

// kind is the type a schema asks for; of several the first.
func kind(m map[string]any) string {
	switch t := m["type"].(type) {
	case string:
		return t
	case []any:
		if s, ok := t[0].(string); ok {
			return s
		}
	}
	if m["properties"] != nil {
		return "object"
	}
	return ""
}

func (x example) object(m map[string]any, depth int) any {
	obj := map[string]any{}
	required, _ := m["required"].([]any)
	props, _ := m["properties"].(map[string]any)
	for name, sub := range props {
		if x.all || slices.Contains(required, any(name)) {
			obj[name] = x.value(sub, depth+1)
		}
	}
	return obj
}

func text(m map[string]any) string {
	format, _ := m["format"].(string)
	if s, ok := map[string]string{
		"uuid": "0f8fad5b-d9cb-469f-a165-70867728950e", "email": "kim@example.com", "uri": "https://example.com/x",
		"uri-reference": "/x", "date-time": "2026-03-02T09:00:00Z", "date": "2026-03-02",
	}[format]; ok {
		return s
	}
	return strings.Repeat("x", max(1, number(m["minLength"], 0)))
}

func between(m map[string]any) any {
	if low, ok := m["minimum"]; ok {
		return low
	}
	if low, ok := m["exclusiveMinimum"]; ok {
		return number(low, 0) + 1
	}
	if high := number(m["maximum"], 1); high < 1 {
		return high
	}
	return 1
}

// number reads a schema's number as an int, or takes the other one.
func number(v any, otherwise int) int {
	switch n := v.(type) {
	case float64:
		return int(n)
	case json.Number:
		if i, err := n.Int64(); err == nil {
			return int(i)
		}
	}
	return otherwise
}

// lookUp invokes "capability#/list" and takes the id of the first thing listed.
func (x example) lookUp(lookup string) any {
	name, pointer, _ := strings.Cut(lookup, "#")
	c, ok := x.app.Bus.Lookup(name)
	if !ok || c.SideEffect != bus.Pure {
		return nil
	}
	person := x.app.Person
	person.Scopes = []string{"*"}
	r := x.app.Bus.Invoke(x.ctx, bus.Invocation{Capability: name, Arguments: x.arguments(c),
		Caller: bus.Caller{Type: bus.CallerTest, Source: "conformance"}, Principal: person})
	var data map[string]any
	if !r.OK() || json.Unmarshal(r.Data, &data) != nil {
		return nil
	}
	found, _ := jsonpointer.At(data, pointer)
	list, _ := found.([]any)
	if len(list) == 0 {
		return nil
	}
	first, _ := list[0].(map[string]any)
	return first["id"]
}
