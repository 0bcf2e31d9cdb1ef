package agent

import "strings"

// deepest bounds a walk along references that lead to themselves.
const deepest = 64

// marked visits the parts of a value whose schema carries a keyword. root is the
// whole schema, for references.
func marked(root map[string]any, node, value any, keyword string, depth int, visit func(any)) {
	s, ok := node.(map[string]any)
	if !ok {
		return
	}
	if depth > deepest { // nobody says what is in there
		visit(value)
		return
	}
	if s[keyword] == true {
		visit(value)
		return
	}
	if ref, ok := s["$ref"].(string); ok {
		if target, found := pointed(root, strings.TrimPrefix(ref, "#")); found {
			marked(root, target, value, keyword, depth+1, visit)
		}
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := s[key].([]any)
		for _, sub := range list {
			marked(root, sub, value, keyword, depth+1, visit)
		}
	}
	switch t := value.(type) {
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		for name, v := range t {
			sub, named := properties[name]
			if !named {
				sub = s["additionalProperties"]
			}
			marked(root, sub, v, keyword, depth+1, visit)
		}
	case []any:
		first, _ := s["prefixItems"].([]any)
		for i, v := range t {
			sub := s["items"]
			if i < len(first) {
				sub = first[i]
			}
			marked(root, sub, v, keyword, depth+1, visit)
		}
	}
}
