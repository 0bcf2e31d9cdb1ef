// Package jsondepth measures how deep JSON text is nested, without decoding it: encoding/json gives up beyond 10 000
// levels, and SQLite beyond 1 000.
package jsondepth

// Limit is how many levels arguments may have. No form, and no model that means what it sends, comes near it.
const Limit = 64

// Exceeds reports whether objects and arrays of raw lie more than levels deep in one another. It counts brackets
// outside strings, and so does not need valid JSON.
func Exceeds(raw []byte, levels int) bool {
	if len(raw) <= levels {
		return false
	}
	depth, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > levels {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}
