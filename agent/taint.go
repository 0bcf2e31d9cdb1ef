package agent

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
)

// keywordTainted marks a field of an output schema that holds free text which
// did not come from staff at this desk: it may hold instructions.
const keywordTainted = "x-tainted"

// taints says whether an output holds any of the text that its schema marks. An
// output without a schema is taken for tainted as a whole: nobody says what is in
// it.
func taints(schema, data json.RawMessage) bool {
	var value any
	if json.Unmarshal(data, &value) != nil {
		return false
	}
	if len(schema) == 0 {
		return holdsText(value)
	}
	var root map[string]any
	if json.Unmarshal(schema, &root) != nil {
		return holdsText(value)
	}
	return (&taintWalk{root: root}).walk(root, value, 0)
}

type taintWalk struct{ root map[string]any }

// deepest bounds a walk along references that lead to themselves.
const deepest = 64

func (w *taintWalk) walk(node, value any, depth int) bool {
	s, ok := node.(map[string]any)
	if !ok || depth > deepest {
		return depth > deepest && holdsText(value)
	}
	if s[keywordTainted] == true && holdsText(value) {
		return true
	}
	if ref, ok := s["$ref"].(string); ok {
		if target, found := pointed(w.root, strings.TrimPrefix(ref, "#")); found && w.walk(target, value, depth+1) {
			return true
		}
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := s[key].([]any)
		for _, sub := range list {
			if w.walk(sub, value, depth+1) {
				return true
			}
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
			if w.walk(sub, v, depth+1) {
				return true
			}
		}
	case []any:
		first, _ := s["prefixItems"].([]any)
		for i, v := range t {
			sub := s["items"]
			if i < len(first) {
				sub = first[i]
			}
			if w.walk(sub, v, depth+1) {
				return true
			}
		}
	}
	return false
}

// holdsText says whether there is any text in a value. Names of fields count only
// when they are more than a word: then they are somebody's data.
func holdsText(v any) bool {
	switch t := v.(type) {
	case string:
		return strings.TrimSpace(t) != ""
	case []any:
		return slices.ContainsFunc(t, holdsText)
	case map[string]any:
		for key, sub := range t {
			if holdsText(sub) || strings.ContainsAny(strings.TrimSpace(key), " \n\t") {
				return true
			}
		}
	}
	return false
}

// readTainted notes that the model has read text of others, in the result of
// what has this title.
func (x *exchange) readTainted(title string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !slices.Contains(x.tainted, title) {
		x.tainted = append(x.tainted, title)
	}
}

// taints lists the titles of what gave the model text of others.
func (x *exchange) taints() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.tainted)
}

// taintedBy says in a sentence what text of others the model has read, "" for
// none.
func (x *exchange) taintedBy() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.tainted) == 0 {
		return ""
	}
	return "In this conversation the assistant has read text that is not from the staff (" + strings.Join(x.tainted, ", ") + ")."
}

// distrusted says why grants do not count for a call, "" where they do: what
// reaches outside or cannot be undone is not to hang on words of others.
func distrusted(x *exchange, c *bus.Capability) string {
	if isLocal(c) {
		return ""
	}
	return x.taintedBy()
}
