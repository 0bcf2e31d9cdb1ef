// Package jsondepth measures the nesting of JSON text without decoding it. encoding/json fails beyond 10 000 levels,
// and SQLite beyond 1 000.
package jsondepth

// Limit is the maximum nesting of arguments. Real forms and models stay far below it.
const Limit = 64

// Exceeds reports whether objects and arrays of raw are nested deeper than levels. It counts brackets outside strings,
// so the JSON need not be valid.
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
