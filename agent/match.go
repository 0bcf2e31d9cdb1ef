package agent

import (
	"maps"
	"slices"
	"strings"
)

// slotText is what a sentence says for a slot.
type slotText struct {
	text   string  // as it was written
	tokens []token // without noise at the front
	lead   []token // the noise before it: "a", "her", "that"
	picked bool    // chosen from a list the assistant offered
	misfit bool    // said where a value of a closed set belongs, but not in the set
}

// reading is one way to understand a sentence as a command.
type reading struct {
	pattern *pattern
	slots   map[string]slotText
	score   int
	words   []string // of the phrase that were said
	said    []token
	others  []reading // equally good ones that only read, to be tried when this finds nothing
}

// maxReadings bounds the search; real sentences have a handful.
const maxReadings = 400

// matcher looks for all ways in which a pattern covers a sentence from its
// first word to its last.
type matcher struct {
	text  string
	list  []token
	p     *pattern
	found []reading
}

func (p *pattern) readings(text string, list []token) []reading {
	m := &matcher{text: text, list: list, p: p}
	for _, head := range p.heads {
		m.part(head.list, 0, reading{pattern: p, slots: map[string]slotText{}, score: -head.cost, said: list}, func(i int, r reading) { m.rest(i, r, 0) })
	}
	return m.found
}

// rest covers what follows the head with the parts that may follow.
func (m *matcher) rest(i int, r reading, used int) {
	if len(m.found) >= maxReadings {
		return
	}
	if m.skip(i) == len(m.list) {
		if r.complete() {
			r.score += wholeBonus
		}
		m.found = append(m.found, r)
		return
	}
	if used >= 4 {
		return
	}
	starts := []int{i}
	if j := m.skip(i); j < len(m.list) && m.list[j].word == "and" {
		starts = append(starts, j+1)
	}
	for _, tail := range m.p.tails {
		if slices.ContainsFunc(tail.list, func(e element) bool { _, bound := r.slots[e.slot]; return bound }) {
			continue
		}
		less := r
		less.score -= tail.cost
		for _, at := range starts {
			m.part(tail.list, at, less, func(i int, r reading) { m.rest(i, r, used+1) })
		}
	}
}

// skip passes over noise.
func (m *matcher) skip(i int) int {
	for i < len(m.list) && noise[m.list[i].word] && !m.list[i].quoted {
		i++
	}
	return i
}

// part covers one pattern part from word i on and calls next behind it.
func (m *matcher) part(part []element, i int, r reading, next func(int, reading)) {
	if len(m.found) >= maxReadings {
		return
	}
	if len(part) == 0 {
		next(i, r)
		return
	}
	if part[0].slot != "" {
		m.slot(part, i, r, next)
		return
	}
	j := m.skip(i)
	if j < len(m.list) && !m.list[j].quoted && sameWord(m.list[j].word, part[0].word) {
		r.score += 10
		r.words = append(slices.Clip(r.words), part[0].word)
		if m.list[j].word != part[0].word {
			r.score -= derivedCost + 1
		}
		m.part(part[1:], j+1, r, next)
	}
}

// slot lets part[0] take words. "her list" fits "{someone}'s list" with her as
// the slot's words.
func (m *matcher) slot(part []element, i int, r reading, next func(int, reading)) {
	f := m.p.field(part[0].slot)
	owner := len(part) > 1 && part[1].word == "'s"
	if owner && i < len(m.list) && pronouns[m.list[i].word] && !m.list[i].quoted {
		bound := r.bind(part[0].slot, m.words(i, i+1))
		bound.score += 10
		m.part(part[2:], i+1, bound, next)
	}
	from := m.skip(i)
	if from > i && from == len(m.list) && pronouns[m.list[from-1].word] {
		from-- // the sentence ends in "that"
	}
	for to := from + 1; to <= len(m.list) && to-from <= f.longest(); to++ {
		s := m.words(from, to)
		s.lead = m.list[min(i, from):from]
		s.misfit = !f.takes(s.tokens, s.text)
		if s.misfit && (len(f.enum) == 0 || len(r.words) < 2 || m.list[from].quoted) {
			continue
		}
		bound := r.bind(part[0].slot, s)
		bound.score -= to - from
		if f.lookup != "" && slices.ContainsFunc(s.tokens, func(t token) bool { return t.word == f.kindWord() }) {
			bound.score += 4 // "last folder" is a folder
		}
		switch {
		case s.misfit:
			bound.score -= misfitCost
		case len(f.enum) > 0:
			bound.score++ // a value there is, rather than a name that may be
		}
		m.part(part[1:], to, bound, next)
	}
}

// misfitCost lets any reading with a proper value win when it has as many words
// for it.
const misfitCost = 6

func (m *matcher) words(from, to int) slotText {
	s := slotText{text: m.text[m.list[from].start:m.list[to-1].end], tokens: m.list[from:to]}
	if m.list[from].quoted { // up to the closing quotation mark, which is no word
		rest := m.text[m.list[to-1].end:]
		if end := strings.IndexFunc(rest, func(r rune) bool { return strings.ContainsRune(`"'`, plainQuote(r)) }); end > 0 && m.list[to-1].quoted && len(wordsOf(rest[:end])) == 0 {
			s.text += rest[:end]
		}
		s.text = strings.Trim(s.text, `"“”'`)
	}
	return s
}

func (r reading) bind(slot string, s slotText) reading {
	r.slots = maps.Clone(r.slots)
	r.slots[slot] = s
	r.score += 2
	return r
}

// sameWord lets a plural stand for a singular.
func sameWord(a, b string) bool {
	return a == b || len(a) > 3 && len(b) > 2 && (a == b+"s" || b == a+"s")
}

// guarded says that a reading swallowed words that make it no plain instruction.
// Values of a closed set and numbers are what they are; names and free text could
// hide an "if".
func (r reading) guarded() bool {
	for name, s := range r.slots {
		if f := r.pattern.field(name); f.lookup == "" && !f.freeText() && !s.misfit {
			continue
		}
		if s.guarded() {
			return true
		}
	}
	return false
}

func (s slotText) guarded() bool {
	return slices.ContainsFunc(s.tokens, func(t token) bool { return guards[t.word] && !t.quoted })
}
