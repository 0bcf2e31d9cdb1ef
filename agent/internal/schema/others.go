package schema

import (
	"encoding/json"
	"slices"
	"strings"
)

// KeywordTainted marks a field of an output schema with free text from outside, which may contain instructions.
const KeywordTainted = "x-tainted"

// WithOthers returns an output in which the function by has replaced each text from outside; by gets the name of its
// field. An output without a schema counts as text from outside.
func WithOthers(output, data json.RawMessage, by func(field string, v any) any) any {
	var value any
	if json.Unmarshal(data, &value) != nil {
		return nil
	}
	theirs := func(field string, v any) any {
		if !holdsText(v) {
			return v
		}
		return by(field, v)
	}
	var root map[string]any
	if json.Unmarshal(output, &root) != nil {
		return theirs("", value)
	}
	return Replaced(root, root, value, KeywordTainted, theirs)
}

// holdsText reports whether a value contains any text. The name of a field counts only if it has several words, because
// then it is data.
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

// NamesTaint reports whether names in a list with this output count as text from outside: the schema marks any field.
func NamesTaint(output json.RawMessage) bool {
	return len(MarkedFields(output, KeywordTainted)) > 0
}
