package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// MaxDepth limits a walk along recursive references.
const MaxDepth = 64

// Marked visits the parts of a value whose schema has a keyword, each with the name of its field. The root is the whole
// schema, for references.
func Marked(root map[string]any, node, value any, keyword string, visit func(name string, v any)) {
	Replaced(root, node, value, keyword, func(name string, v any) any {
		visit(name, v)
		return v
	})
}

// Replaced returns the value in which the function by has replaced the parts whose schema has a keyword. It changes
// lists and objects in place.
func Replaced(root map[string]any, node, value any, keyword string, by func(name string, v any) any) any {
	marked := func(s map[string]any) bool { return s[keyword] == true }
	return replacedIn(root, node, "", value, marked, 0, by)
}

func replacedIn(root map[string]any, node any, name string, value any, marked func(schema map[string]any) bool,
	depth int, by func(name string, v any) any) any {
	s, ok := node.(map[string]any)
	if !ok {
		return value
	}
	if depth > MaxDepth || marked(s) { // the schema beyond this depth is unknown, so it counts as marked
		return by(name, value)
	}
	if ref, ok := s["$ref"].(string); ok {
		if target, found := jsonpointer.At(root, strings.TrimPrefix(ref, "#")); found {
			value = replacedIn(root, target, name, value, marked, depth+1, by)
		}
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := s[key].([]any)
		for _, sub := range list {
			value = replacedIn(root, sub, name, value, marked, depth+1, by)
		}
	}
	switch t := value.(type) {
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		for _, field := range slices.Sorted(maps.Keys(t)) {
			sub, named := properties[field]
			if !named {
				sub = s["additionalProperties"]
			}
			t[field] = replacedIn(root, sub, field, t[field], marked, depth+1, by)
		}
	case []any:
		first, _ := s["prefixItems"].([]any)
		for i, v := range t {
			sub := s["items"]
			if i < len(first) {
				sub = first[i]
			}
			t[i] = replacedIn(root, sub, name, v, marked, depth+1, by)
		}
	}
	return value
}

// Declared returns a pointer to an argument up to the last part that the schema names, so that a key of a map is cut
// off, and whether this part is required in its object.
func Declared(input json.RawMessage, pointer string) (name string, required bool) {
	var node any
	_ = json.Unmarshal(input, &node) // other data names nothing
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		below, ok := jsonpointer.At(node, "/properties/"+part)
		if _, bad := strconv.ParseUint(part, 10, 16); !ok && bad == nil {
			below, ok = jsonpointer.At(node, "/items")
		}
		if !ok {
			return name, false
		}
		list, _ := jsonpointer.At(node, "/required")
		names, _ := list.([]any)
		node, name, required = below, name+"/"+part, slices.Contains(names, any(part))
	}
	return name, required
}
