package jsondepth

// Meter measures JSON text that arrives in pieces. The zero value is ready to use.
type Meter struct {
	depth                    int
	begun, quoted, backslash bool
}

// Add reads the next piece.
func (m *Meter) Add(piece string) {
	for i := range len(piece) {
		switch c := piece[i]; {
		case m.backslash:
			m.backslash = false
		case m.quoted && c == '\\':
			m.backslash = true
		case c == '"':
			m.begun, m.quoted = true, !m.quoted
		case m.quoted:
		case c == '{' || c == '[':
			m.begun = true
			m.depth++
		case c == '}' || c == ']':
			m.depth--
		}
	}
}

// Whole reports whether an object, array or string has started and all levels are closed.
func (m *Meter) Whole() bool { return m.begun && m.depth <= 0 && !m.quoted }
