package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// Redacted replaces a secret in records.
const Redacted = "[redacted]"

// HasSecrets reports whether any field is writeOnly.
func (s *Schema) HasSecrets() bool { return s != nil && len(s.known().secrets) > 0 }

// isSecret reports whether the value at path, or one around it, is writeOnly.
func (s *Schema) isSecret(path string) bool {
	parts := strings.Split(path, "/")
	return slices.ContainsFunc(s.known().secrets, func(pattern string) bool {
		want := strings.Split(pattern, "/")
		return len(want) <= len(parts) &&
			slices.EqualFunc(want, parts[:len(want)], func(w, part string) bool { return w == "*" || w == part })
	})
}

// FieldsAt returns the names of the fields of the object at path.
func (s *Schema) FieldsAt(path string) (names []string) {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if _, err := strconv.Atoi(part); err == nil {
			parts[i] = "*"
		}
	}
	for _, field := range s.known().fields {
		if name, is := strings.CutPrefix(field, strings.Join(parts, "/")+"/"); is && !strings.Contains(name, "/") {
			names = append(names, jsonpointer.Unescape(name))
		}
	}
	return names
}

// Redact returns value without its writeOnly fields, and pointers to them. It does not change value.
func (s *Schema) Redact(value any) (any, []string) {
	if !s.HasSecrets() {
		return value, nil
	}
	copied := Clone(value)
	var where []string
	for _, pattern := range s.secrets {
		where = append(where, redactAt(copied, strings.Split(pattern, "/")[1:], "")...)
	}
	slices.Sort(where)
	return copied, where
}

// RedactInvalid is Redact for a value that violates the schema. A secret may be in an unknown field, so it also removes
// all fields that the schema does not name.
func (s *Schema) RedactInvalid(value any) (any, []string) {
	if !s.HasSecrets() {
		return value, nil
	}
	safe, where := s.Redact(value)
	where = append(where, s.redactUnnamed(safe, "", "")...)
	slices.Sort(where)
	return safe, where
}

// redactUnnamed redacts the fields that the schema does not name. pattern is path with "*" for each index.
func (s *Schema) redactUnnamed(node any, path, pattern string) (where []string) {
	switch t := node.(type) {
	case map[string]any:
		for _, name := range sortedKeys(t) {
			token := "/" + jsonpointer.Escape(name)
			_, isObject := t[name].(map[string]any)
			_, isList := t[name].([]any)
			if slices.Contains(s.fields, pattern+token) && (isObject || isList || !s.holdsSecret(pattern+token)) {
				where = append(where, s.redactUnnamed(t[name], path+token, pattern+token)...)
				continue
			}
			if t[name] != Redacted {
				t[name], where = Redacted, append(where, path+token)
			}
		}
	case []any:
		for i, child := range t {
			where = append(where, s.redactUnnamed(child, fmt.Sprint(path, "/", i), pattern+"/*")...)
		}
	}
	return where
}

// holdsSecret reports whether an object or a list at a pattern contains a secret. A text in its place may be the
// secret.
func (s *Schema) holdsSecret(pattern string) bool {
	return slices.ContainsFunc(s.secrets, func(secret string) bool { return strings.HasPrefix(secret, pattern+"/") })
}

// IsSecretPointer reports whether text is the JSON Pointer of a secret, or of a value in one.
func (s *Schema) IsSecretPointer(text string) bool {
	return s.HasSecrets() && strings.HasPrefix(text, "/") && s.isSecret(text)
}

// redactAt redacts the matches of a pattern in a value at path.
func redactAt(node any, pattern []string, path string) (where []string) {
	if len(pattern) == 0 {
		return nil
	}
	visit := func(token string, child any, set func(any)) {
		at := path + "/" + token
		if len(pattern) == 1 {
			set(Redacted)
			where = append(where, at)
			return
		}
		where = append(where, redactAt(child, pattern[1:], at)...)
	}
	switch t := node.(type) {
	case map[string]any:
		name := jsonpointer.Unescape(pattern[0])
		if child, ok := t[name]; ok {
			visit(pattern[0], child, func(v any) { t[name] = v })
		}
	case []any:
		if pattern[0] == "*" {
			for i, child := range t {
				visit(strconv.Itoa(i), child, func(v any) { t[i] = v })
			}
		}
	}
	return where
}
