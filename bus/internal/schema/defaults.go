package schema

import (
	"fmt"

	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// Fill sets absent properties of value to their defaults, in place.
func (s *Schema) Fill(value any) {
	if s != nil && s.known().hasDefaults {
		s.fill(s.doc, value, 0)
	}
}

// maxReferences limits the chain of references that Fill follows. A longer chain counts as endless.
const maxReferences = 100

// fill applies the defaults in a part of the schema. references is the length of the current chain. It reports whether
// it ended.
func (s *Schema) fill(node, value any, references int) (ended bool) {
	m, ok := node.(map[string]any)
	if !ok {
		return true
	}
	if ref, ok := m["$ref"].(string); ok {
		if references == maxReferences || !s.fill(s.deref(ref), value, references+1) {
			return false
		}
	}
	switch t := value.(type) {
	case map[string]any:
		props, _ := m["properties"].(map[string]any)
		for name, sub := range props {
			p, _ := sub.(map[string]any)
			if d, ok := p["default"]; ok {
				if _, present := t[name]; !present {
					t[name] = Clone(d)
				}
			}
			if child, present := t[name]; present && !s.fill(sub, child, references) {
				return false
			}
		}
	case []any:
		for _, child := range t {
			if !s.fill(m["items"], child, references) {
				return false
			}
		}
	}
	return true
}

// Clone copies decoded JSON.
func Clone(v any) any {
	switch t := v.(type) {
	case map[string]any:
		c := make(map[string]any, len(t))
		for k, e := range t {
			c[k] = Clone(e)
		}
		return c
	case []any:
		c := make([]any, len(t))
		for i, e := range t {
			c[i] = Clone(e)
		}
		return c
	}
	return v
}

// checkDefaults refuses a schema whose defaults would be endless: a reference to itself, or a default that contains
// itself.
func (s *Schema) checkDefaults(node any, path string) error {
	switch t := node.(type) {
	case map[string]any:
		value, ok := t["default"]
		if !ok {
			value = map[string]any{}
		}
		if !s.fill(t, Clone(value), 0) {
			return fmt.Errorf("%s: filling in its defaults would never end", at(path))
		}
		for _, name := range sortedKeys(t) {
			if err := s.checkDefaults(t[name], path+"/"+jsonpointer.Escape(name)); err != nil {
				return err
			}
		}
	case []any:
		for i, sub := range t {
			if err := s.checkDefaults(sub, fmt.Sprintf("%s/%d", path, i)); err != nil {
				return err
			}
		}
	}
	return nil
}
