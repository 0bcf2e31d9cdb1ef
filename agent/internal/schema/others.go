package schema

import (
	"encoding/json"
	"slices"
	"strings"
)

// KeywordTainted marks a field of an output schema with free text from outside, which may hold instructions.
const KeywordTainted = "x-tainted"

// WithOthers is an output with what by gives in the place of each part of it that others wrote, which by is given with
// the name of its field. An output without a schema is taken for theirs as a whole.
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

// holdsText says whether there is any text in a value. Names of fields count only
// when they are more than a word: then they are data.
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

// NamesTaint reports whether names in a list with this output are taken for text of others: where it marks any.
func NamesTaint(output json.RawMessage) bool {
	return len(MarkedFields(output, KeywordTainted)) > 0
}
