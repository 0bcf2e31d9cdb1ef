package schema

import (
	"encoding/json"
	"fmt"
)

// keywordDetail marks a field of an output schema that a model does not need. Its value is a rank from 1, the fields to
// omit first, to MaxDetail. A field of rank 0 is for programs only, such as a hash.
const keywordDetail = "x-detail"

// MaxDetail is the last rank of detail.
const MaxDetail = 5

// WithoutDetail returns a value of an output with null in place of each field that is marked as detail of a rank. It
// calls left with the name of each. It changes lists and objects in place.
func WithoutDetail(output json.RawMessage, value any, rank int, left func(name string)) any {
	var root map[string]any
	if json.Unmarshal(output, &root) != nil {
		return value
	}
	marked := func(s map[string]any) bool { return fmt.Sprint(s[keywordDetail]) == fmt.Sprint(rank) }
	return replacedIn(root, root, "", value, marked, 0, func(name string, _ any) any {
		left(name)
		return nil
	})
}
