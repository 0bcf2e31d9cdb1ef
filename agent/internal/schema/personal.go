package schema

import (
	"encoding/json"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// PersonalFields lists the marked fields of a schema, by name.
func PersonalFields(schema json.RawMessage) (names []string) {
	var root any
	if json.Unmarshal(schema, &root) != nil {
		return nil
	}
	text.Each(root, func(node any) {
		t, _ := node.(map[string]any)
		properties, _ := t["properties"].(map[string]any)
		for name, sub := range properties {
			if s, ok := sub.(map[string]any); ok && s[KeywordPersonal] == true {
				names = append(names, name)
			}
		}
	})
	return names
}

// KeywordPersonal marks a field of a schema that says something about a person.
const KeywordPersonal = "x-personal"
