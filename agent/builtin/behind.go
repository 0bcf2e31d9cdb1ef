package builtin

import (
	"slices"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// aside takes a value of a closed set behind a comma: "…, ordered by mistake".
func (m *matcher) aside(i int, r reading, used int) {
	if !m.list[i].Comma {
		return
	}
	for _, f := range m.p.fields {
		_, bound := r.slots[f.Name]
		if at := m.introduced(i, f); !bound && f.shaped() && at < len(m.list) {
			for to := min(at+f.longest(), len(m.list)); to > at; to-- {
				if s := m.words(at, to); !m.list[at].Quoted && f.fitsShape(s.text) {
					m.rest(to, r.bind(f.Name, s), used+1)
					return
				}
			}
		}
		if bound || len(f.Enum) == 0 && f.words == nil {
			continue
		}
		for to := len(m.list); to > i; to-- {
			if s := m.words(i, to); f.says(s.tokens) {
				with := r.bind(f.Name, s)
				with.score++
				m.rest(to, with, used+1)
				return
			}
		}
	}
}

// introduced is where a value stands behind words that only name its field: "his number is", "email".
func (m *matcher) introduced(i int, f field) int {
	for at := i; at < min(i+4, len(m.list)); at++ {
		if w := m.list[at].Word; !m.idle(at) && !being[w] && !slices.Contains(fieldWords(f), w) {
			return at
		}
	}
	return len(m.list)
}

func fieldWords(f field) []string {
	return append(f.lex.CanonicalWords(text.SplitName(f.Name)), "number", "address")
}
