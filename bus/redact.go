package bus

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// secret reports whether a value at path, or around it, is writeOnly.
func (s *schema) secret(path string) bool {
	parts := strings.Split(path, "/")
	for _, pattern := range s.secrets {
		want := strings.Split(pattern, "/")
		if len(want) > len(parts) {
			continue
		}
		match := true
		for i, w := range want {
			match = match && (w == "*" || w == parts[i])
		}
		if match {
			return true
		}
	}
	return false
}

// keepable returns arguments that could not be read as they can be recorded: not
// at all where there may be a secret in them.
func (s *schema) keepable(raw json.RawMessage) json.RawMessage {
	if s != nil && len(s.secrets) > 0 {
		return json.RawMessage(`"` + redactedMark + `"`)
	}
	return keepable(raw)
}

// redact returns value without its writeOnly fields, and where they were. value
// itself stays as it is.
func (s *schema) redact(value any) (any, []string) {
	if s == nil || len(s.secrets) == 0 {
		return value, nil
	}
	copied := clone(value)
	var where []string
	for _, pattern := range s.secrets {
		where = append(where, blank(copied, strings.Split(pattern, "/")[1:], "")...)
	}
	sort.Strings(where)
	return copied, where
}

// redactedMark stands in records where a secret stood.
const redactedMark = "[redacted]"

func blank(node any, pattern []string, path string) []string {
	if len(pattern) == 0 {
		return nil
	}
	var where []string
	visit := func(key string, child any, set func(any)) {
		at := path + "/" + escapePointer(key)
		if len(pattern) == 1 {
			set(redactedMark)
			where = append(where, at)
			return
		}
		where = append(where, blank(child, pattern[1:], at)...)
	}
	switch t := node.(type) {
	case map[string]any:
		name := strings.NewReplacer("~1", "/", "~0", "~").Replace(pattern[0])
		if child, ok := t[name]; ok {
			visit(name, child, func(v any) { t[name] = v })
		}
	case []any:
		if pattern[0] == "*" {
			for i, child := range t {
				visit(fmt.Sprint(i), child, func(v any) { t[i] = v })
			}
		}
	}
	return where
}
