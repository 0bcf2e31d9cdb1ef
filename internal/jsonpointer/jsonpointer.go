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

// Join makes a pointer of property names and indices as text.
func Join(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteByte('/')
		b.WriteString(Escape(name))
	}
	return b.String()
}

// At follows a pointer through decoded JSON; ok is false if it leads nowhere.
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
