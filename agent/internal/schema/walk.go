package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// MaxDepth bounds a walk along references that lead to themselves.
const MaxDepth = 64

// Marked visits the parts of a value whose schema carries a keyword, each with the
// name of the field that it is in. root is the whole schema, for references.
func Marked(root map[string]any, node, value any, keyword string, visit func(name string, v any)) {
	markedIn(root, node, "", value, keyword, 0, visit)
}

func markedIn(root map[string]any, node any, name string, value any, keyword string, depth int,
	visit func(name string, v any)) {
	s, ok := node.(map[string]any)
	if !ok {
		return
	}
	if depth > MaxDepth { // unknown: taken for marked
		visit(name, value)
		return
	}
	if s[keyword] == true {
		visit(name, value)
		return
	}
	if ref, ok := s["$ref"].(string); ok {
		if target, found := jsonpointer.At(root, strings.TrimPrefix(ref, "#")); found {
			markedIn(root, target, name, value, keyword, depth+1, visit)
		}
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := s[key].([]any)
		for _, sub := range list {
			markedIn(root, sub, name, value, keyword, depth+1, visit)
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
			markedIn(root, sub, field, t[field], keyword, depth+1, visit)
		}
	case []any:
		first, _ := s["prefixItems"].([]any)
		for i, v := range t {
			sub := s["items"]
			if i < len(first) {
				sub = first[i]
			}
			markedIn(root, sub, name, v, keyword, depth+1, visit)
		}
	}
}

// Declared is a pointer to an argument as far as the schema names its parts, and whether it is a required one of where
// it lies: what is beyond, as the key of a map, is cut off.
func Declared(input json.RawMessage, pointer string) (name string, required bool) {
	var node any
	_ = json.Unmarshal(input, &node) // anything else names nothing
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
