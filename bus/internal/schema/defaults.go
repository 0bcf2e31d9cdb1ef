package schema

import (
	"fmt"

	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// Fill sets absent properties of value to their defaults, in place.
func (s *Schema) Fill(value any) {
	if s != nil && s.hasDefaults {
		s.fill(s.doc, value)
	}
}

func (s *Schema) fill(node any, value any) {
	m, ok := node.(map[string]any)
	if !ok {
		return
	}
	if ref, ok := m["$ref"].(string); ok {
		s.fill(s.deref(ref), value)
	}
	if obj, ok := value.(map[string]any); ok {
		props, _ := m["properties"].(map[string]any)
		for name, sub := range props {
			if _, present := obj[name]; !present {
				if p, ok := sub.(map[string]any); ok {
					if d, ok := p["default"]; ok {
						obj[name] = Clone(d)
					}
				}
			}
			if child, present := obj[name]; present {
				s.fill(sub, child)
			}
		}
	}
	if list, ok := value.([]any); ok {
		for _, child := range list {
			s.fill(m["items"], child)
		}
	}
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

// maxReferences is how many references in a row filling in defaults may follow;
// beyond it they are taken to be endless.
const maxReferences = 100

// checkDefaults refuses a schema by which filling in defaults would never end: a
// reference that leads back to itself, or a default that needs itself filled in.
func (s *Schema) checkDefaults(node any, path string) error {
	switch t := node.(type) {
	case map[string]any:
		value, ok := t["default"]
		if !ok {
			value = map[string]any{}
		}
		if s.fillsEndlessly(t, value, 0) {
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

// fillsEndlessly walks as fill does, without changing value.
func (s *Schema) fillsEndlessly(node, value any, references int) bool {
	m, ok := node.(map[string]any)
	if !ok {
		return false
	}
	if references > maxReferences {
		return true
	}
	if ref, ok := m["$ref"].(string); ok && s.fillsEndlessly(s.deref(ref), value, references+1) {
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
			if present && s.fillsEndlessly(sub, child, references) {
				return true
			}
		}
	case []any:
		for _, child := range t {
			if s.fillsEndlessly(m["items"], child, references) {
				return true
			}
		}
	}
	return false
}
