// Package jsonpointer reads and writes JSON Pointers (RFC 6901).
package jsonpointer

import (
	"strconv"
	"strings"
)

var (
	escape   = strings.NewReplacer("~", "~0", "/", "~1")
	unescape = strings.NewReplacer("~1", "/", "~0", "~")
)

// Escape returns a property name as a reference token.
func Escape(name string) string { return escape.Replace(name) }

// Unescape returns the property name of a reference token.
func Unescape(token string) string { return unescape.Replace(token) }

// Join makes a pointer from property names and indices in text form.
func Join(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteByte('/')
		b.WriteString(Escape(name))
	}
	return b.String()
}

// At follows a pointer through decoded JSON. ok is false if it has no target.
func At(value any, pointer string) (at any, ok bool) {
	if pointer == "" {
		return value, true
	}
	if pointer[0] != '/' {
		return nil, false
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		switch t := value.(type) {
		case map[string]any:
			if value, ok = t[Unescape(token)]; !ok {
				return nil, false
			}
		case []any:
			n, err := strconv.Atoi(token)
			if err != nil || n < 0 || n >= len(t) || strconv.Itoa(n) != token {
				return nil, false
			}
			value = t[n]
		default:
			return nil, false
		}
	}
	return value, true
}

// Set replaces the value at a pointer in decoded JSON, or adds a missing property. ok is false if the pointer has no
// target.
func Set(value any, pointer string, to any) (ok bool) {
	i := strings.LastIndexByte(pointer, '/')
	if i < 0 {
		return false
	}
	parent, found := At(value, pointer[:i])
	switch t := parent.(type) {
	case map[string]any:
		t[Unescape(pointer[i+1:])] = to
	case []any:
		if _, found = At(value, pointer); found {
			n, _ := strconv.Atoi(pointer[i+1:]) // it was parsed as a number above
			t[n] = to
		}
	default:
		return false
	}
	return found
}
