package schema

import (
	"encoding/json"
	"fmt"
)

// keywordDetail marks a field of an output schema that a model can do without. Its value is a rank from 1, the fields
// that go first, to MaxDetail; a field of rank 0 is for programs alone, such as a hash.
const keywordDetail = "x-detail"

// MaxDetail is the last rank of detail.
const MaxDetail = 5

// WithoutDetail is a value of an output with null in the place of each field that is marked as detail of a rank. left
// is called with the name of each. Lists and objects in it are changed in place.
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
