package schema

import (
	"encoding/json"
)

// PersonalFields lists the marked fields of a schema, by name.
func PersonalFields(schema json.RawMessage) (names []string) {
	var root any
	if json.Unmarshal(schema, &root) != nil {
		return nil
	}
	var walk func(node any)
	walk = func(node any) {
		switch t := node.(type) {
		case map[string]any:
			properties, _ := t["properties"].(map[string]any)
			for name, sub := range properties {
				if s, ok := sub.(map[string]any); ok && s[KeywordPersonal] == true {
					names = append(names, name)
				}
			}
			for _, sub := range t {
				walk(sub)
			}
		case []any:
			for _, sub := range t {
				walk(sub)
			}
		}
	}
	walk(root)
	return names
}

// KeywordPersonal marks a field of a schema that says something about a person.
const KeywordPersonal = "x-personal"
