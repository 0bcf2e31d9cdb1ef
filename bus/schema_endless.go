package bus

import "fmt"

// deepestFill is how many references filling in defaults may follow without
// coming to an end; it is taken to have none then.
const deepestFill = 100

// checkFill refuses a schema by which filling in defaults would never end: a
// reference that leads back to itself, or a default that needs itself filled in.
func (s *schema) checkFill(node any, path string) error {
	switch t := node.(type) {
	case map[string]any:
		value, ok := t["default"]
		if !ok {
			value = map[string]any{}
		}
		if s.fillsOn(t, value, 0) {
			return fmt.Errorf("%s: filling in its defaults would never end", at(path))
		}
		for _, name := range sortedKeys(t) {
			if err := s.checkFill(t[name], path+"/"+escapePointer(name)); err != nil {
				return err
			}
		}
	case []any:
		for i, sub := range t {
			if err := s.checkFill(sub, fmt.Sprintf("%s/%d", path, i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// fillsOn walks as fill does, over a value that nobody sent.
func (s *schema) fillsOn(node, value any, refs int) bool {
	m, ok := node.(map[string]any)
	if !ok {
		return false
	}
	if refs > deepestFill {
		return true
	}
	if ref, ok := m["$ref"].(string); ok && s.fillsOn(s.deref(ref), value, refs+1) {
		return true
	}
	switch t := value.(type) {
	case map[string]any:
		props, _ := m["properties"].(map[string]any)
		for name, sub := range props {
			child, present := t[name]
			if p, ok := sub.(map[string]any); ok && !present {
				child, present = p["default"]
			}
			if present && s.fillsOn(sub, child, refs) {
				return true
			}
		}
	case []any:
		for _, child := range t {
			if s.fillsOn(m["items"], child, refs) {
				return true
			}
		}
	}
	return false
}
