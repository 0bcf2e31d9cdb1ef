package schema

import (
	"encoding/json"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// MarkedFields lists the names of the fields that a keyword marks in a schema.
func MarkedFields(schema json.RawMessage, keyword string) (names []string) {
	var root any
	if json.Unmarshal(schema, &root) != nil {
		return nil
	}
	text.Each(root, func(node any) {
		t, _ := node.(map[string]any)
		properties, _ := t["properties"].(map[string]any)
		for name, sub := range properties {
			if s, ok := sub.(map[string]any); ok && s[keyword] == true {
				names = append(names, name)
			}
		}
	})
	return names
}

// KeywordPersonal marks a field of a schema with data about a person.
const KeywordPersonal = "x-personal"
