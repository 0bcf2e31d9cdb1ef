package builtin

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// slotText holds the words of a sentence for one slot.
type slotText struct {
	text   string          // as it was written
	tokens []lexicon.Token // without noise at the front
	lead   []lexicon.Token // the noise before it: "a", "her", "that"
	picked bool            // chosen from a list the assistant offered
	value  any             // with picked: what the application takes, nil if it is to be found by the text
	misfit bool            // said where a value of a closed set belongs, but not in the set

	minus    bool // a number that is taken away
	dictated bool // behind a colon, or "saying" and the like: a text to be taken as it stands
}

// reading is one way to understand a sentence as a command.
type reading struct {
	pattern *pattern
	slots   map[string]slotText
	score   int             // how many words vouch for it
	words   []string        // of the phrase that were said
	said    []lexicon.Token // its part of the sentence
	others  []reading       // that come near it, the likelier first
	unsure  bool            // read loosely
	owner   []lexicon.Token // whose the thing is said to be
	of      []int           // the phrases its beginning is from
}

// maxReadings bounds the search; real sentences have a handful.
const maxReadings = 400

// matcher looks for all ways in which a pattern covers a sentence from its first word to its last.
type matcher struct {
	text  string
	list  []lexicon.Token
	p     *pattern
	found []reading
}

func (p *pattern) readings(text string, list []lexicon.Token) []reading {
	m := &matcher{text: text, list: list, p: p}
	for _, head := range p.heads {
		if !head.saidIn(list) {
			continue
		}
		start := reading{pattern: p, slots: map[string]slotText{}, score: -head.cost, said: list, of: head.of}
		m.part(head.list, 0, start, func(i int, r reading) { m.rest(i, r, 0) })
		verb := slices.IndexFunc(head.list, func(e element) bool { return e.slot != "" })
		for _, tail := range p.tails { // "for Ana, add two pens"
			if !tail.saidIn(list) || m.strange(tail, head.of) {
				continue
			}
			start.score = -head.cost - tail.cost - 1
			m.part(tail.list, 0, start, func(i int, r reading) {
				if i < len(list) && !r.shares(head.list) {
					m.part(head.list, i, r, func(i int, r reading) { m.rest(i, r, 1) })
				}
			})
			if verb < 1 {
				continue
			}
			start.score -= derivedCost
			m.part(head.list[:verb], 0, start, func(i int, r reading) { // "add to the list two pens"
				m.part(tail.list, i, r, func(i int, r reading) {
					if i < len(list) && !r.shares(head.list[verb:]) {
						m.part(head.list[verb:], i, r, func(i int, r reading) { m.rest(i, r, 1) })
					}
				})
			})
		}
	}
	return m.found
}

// strange says that a part takes any words and is of another phrase than the
// beginning: "rename {x} to {name}" says nothing of what "change the address to" takes.
func (m *matcher) strange(tail form, of []int) bool {
	return slices.ContainsFunc(tail.list, func(e element) bool {
		return e.slot != "" && m.p.field(e.slot).freeText() && !m.p.field(e.slot).shaped()
	}) &&
		!slices.ContainsFunc(tail.of, func(id int) bool { return slices.Contains(of, id) })
}

// shares says that a part has a slot that was filled already.
func (r reading) shares(part []element) bool {
	return slices.ContainsFunc(part, func(e element) bool { _, bound := r.slots[e.slot]; return bound })
}

// saidIn says whether all words of the form are there, so that it is worth a try.
func (f form) saidIn(list []lexicon.Token) bool {
	for _, e := range f.list {
		if e.word != "" && e.word != "'s" && !slices.ContainsFunc(list, func(t lexicon.Token) bool { return lexicon.SaysSame(t.Word, e.word) }) {
			return false
		}
	}
	return true
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
	m.instead(i, r, used)
	m.aside(i, r, used)
	starts := []int{i}
	if j := m.skip(i); j < len(m.list) && m.list[j].Word == "and" {
		starts = append(starts, j+1)
	}
	for _, tail := range m.p.tails {
		if !tail.saidIn(m.list[min(i, len(m.list)):]) || r.shares(tail.list) || m.strange(tail, r.of) {
			continue
		}
		less := r
		less.score -= tail.cost
		for _, at := range starts {
			m.part(tail.list, at, less, func(i int, r reading) { m.rest(i, r, used+1) })
		}
	}
}

// instead takes words such as "for a blue one" behind another part to a list that
// says what is swapped: the nearest before them.
func (m *matcher) instead(i int, r reading, used int) {
	for _, name := range slices.Backward(inOrder(r.slots)) {
		s := r.slots[name]
		if f := m.p.field(name); !f.swaps() || len(s.tokens) == 0 || !replacing[m.list[i].Word] || m.list[i].Quoted || s.tokens[len(s.tokens)-1].End >= m.list[i].Start ||
			slices.ContainsFunc(s.tokens, func(t lexicon.Token) bool { return replacing[t.Word] }) {
			continue
		}
		for to := i + 2; to <= len(m.list); to++ {
			more := s
			more.tokens = slices.Concat(s.tokens, lexicon.AsSaid(m.list[i:to]))
			more.text = s.text + " " + m.text[m.list[i].Start:m.list[to-1].End]
			with := r.bind(name, more)
			with.score -= to - i
			m.rest(to, with, used+1)
		}
		return
	}
}

// skip passes over noise.
func (m *matcher) skip(i int) int {
	for i < len(m.list) && m.idle(i) {
		i++
	}
	return i
}

// idle says that a word may be passed over.
func (m *matcher) idle(i int) bool {
	return (lexicon.Noise[m.list[i].Word] || lexicon.Weak[m.list[i].Word]) && !m.list[i].Quoted
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
	if part[0].word == "'s" && i > 0 && len(m.list[i-1].Word) > 3 && strings.HasSuffix(m.list[i-1].Word, "s") {
		hurried := r // "anas list"
		hurried.score -= derivedCost
		m.part(part[1:], i, hurried, next)
	}
	m.owner(part, i, r, next)
	for j := i; j < len(m.list); j++ {
		if !m.list[j].Quoted && lexicon.SaysSame(m.list[j].Word, part[0].word) {
			r.score += 10
			r.words = append(slices.Clip(r.words), part[0].word)
			if m.list[j].Word != part[0].word {
				r.score -= derivedCost + 1
			}
			m.part(part[1:], j+1, r, next)
			return
		}
		if !m.idle(j) {
			return
		}
	}
}

// slot lets part[0] take words. "her list" fits "{someone}'s list" with her as the slot's words.
func (m *matcher) slot(part []element, i int, r reading, next func(int, reading)) {
	f := m.p.field(part[0].slot)
	owner := len(part) > 1 && part[1].word == "'s"
	if owner && i < len(m.list) && lexicon.Pronouns[m.list[i].Word] && !thingPronouns[m.list[i].Word] && !m.list[i].Quoted {
		bound := r.bind(part[0].slot, m.words(i, i+1))
		bound.score += 10
		m.part(part[2:], i+1, bound, next)
	}
	from := m.skip(i)
	if from > i && from == len(m.list) && lexicon.Pronouns[m.list[from-1].Word] {
		from-- // the sentence ends in "that"
	}
	if from < len(m.list) && m.list[from].Word == "'s" {
		return
	}
	for to := from + 1; to <= len(m.list) && to-from <= f.longest(); to++ {
		s := m.words(from, to)
		s.lead = m.list[min(i, from):from]
		s.misfit, s.minus = !f.takes(s.tokens, s.text), part[0].minus
		if s.misfit && m.p.needsLookUp() && f.shaped() && !f.Required && len(r.owner) == 0 && len(r.words) > 1 && to-from <= 2 && !m.list[from].Quoted && capital(s.text) && !lexicon.Guards[s.tokens[0].Word] {
			hers := r // "mail it to Ana": to what Ana is known to have
			hers.owner = s.tokens
			m.part(part[1:], to, hers, next)
		}
		if s.misfit && (len(f.Enum) == 0 || len(r.words) < 2 || m.list[from].Quoted) {
			continue
		}
		s.dictated = to == len(m.list) && (slices.ContainsFunc(m.list[min(i, from):from+1], func(t lexicon.Token) bool { return t.Comma }) || slices.ContainsFunc(m.list[max(0, min(i, from)-1):from], func(t lexicon.Token) bool { return dictating[t.Word] }))
		if s.dictated && f.freeText() {
			at := min(i, from)
			for at < from && dictating[m.list[at].Word] {
				at++
			}
			s.text = strings.Trim(m.text[m.list[at].Start:], `"“”' `)
		} else if f.freeText() && from > i && lexicon.Articles[m.list[from-1].Word] && capital(m.list[from-1].Text) && capital(s.text) {
			s.text = m.text[m.list[from-1].Start:m.list[from-1].End] + " " + s.text // "The Hobbit"
		}
		bound := r.bind(part[0].slot, s)
		bound.score -= to - from + m.seams(f, from, to)
		switch {
		case f.Lookup != "" && to == from+1 && thingPronouns[s.tokens[0].Word] && !s.tokens[0].Quoted:
			bound.score += pronounWorth
		case f.freeText():
			bound.score-- // any words would do
		case f.Lookup != "" && lexicon.Linking[m.list[from].Word] && !m.list[from].Quoted:
			bound.score -= linkCost // a name does not begin so
		}
		if f.Lookup != "" && slices.ContainsFunc(s.tokens, func(t lexicon.Token) bool { return t.Word == f.kindWord() }) {
			bound.score += 4 // "last folder" is a folder
		}
		switch {
		case s.misfit:
			bound.score -= misfitCost
		case f.says(s.tokens):
			bound.score += 3 // a value there is, rather than a name that may be
		case len(f.Enum) > 0:
			bound.score -= partCost
		case f.isNumber() && to-from > 1:
			bound.score += 2 // "2 bags" is all of it
		case f.Money && f.bare(s):
			bound.score -= derivedCost // a number is a number first
		case f.isNumber() || f.Money || f.Postal || f.Format != "":
			bound.score++
		}
		m.part(part[1:], to, bound, next)
	}
}

// seams counts what a name hardly has inside: a comma, an article, a number
// between two words. One thing ends there and another begins.
func (m *matcher) seams(f *field, from, to int) (n int) {
	switch {
	case f.Postal:
		return from - to // commas belong to it, and its form vouches for it
	case m.list[from].Quoted || f.isList():
		return 0
	}
	for i := from + 1; i < to; i++ {
		t := m.list[i]
		if f.freeText() {
			if lexicon.Linking[t.Word] {
				n++
			}
			continue
		}
		if t.Comma {
			n += 4
		}
		if t.Word == "a" || t.Word == "an" || t.Word == "the" || t.Word == "and" {
			n += 2
		}
		if _, counts := text.NumberWords[t.Word]; counts && f.Lookup != "" {
			n++
		}
	}
	return n
}

// misfitCost lets any reading with a proper value win when it has as many words for it.
const misfitCost = 16

// pronounWorth brings a reading in which "it" stands for something near one that has the word itself.
const pronounWorth = 6

// linkCost is the cost of a name that begins with a linking word.
const linkCost = 6

// partCost is the cost of a value of a closed set that was said only in part.
const partCost = 4

func (m *matcher) words(from, to int) slotText {
	s := slotText{text: m.text[m.list[from].Start:m.list[to-1].End], tokens: lexicon.AsSaid(m.list[from:to])}
	if m.list[from].Quoted { // up to the closing quotation mark, which is no word
		rest := m.text[m.list[to-1].End:]
		if end := strings.IndexFunc(rest, func(r rune) bool { return strings.ContainsRune(`"'`, text.PlainQuote(r)) }); end > 0 && m.list[to-1].Quoted && len(text.Words(rest[:end])) == 0 {
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

// guarded says that a reading swallowed words that make it no plain instruction. Values of a closed set and numbers are
// what they are; names and free text could hide an "if".
func (r reading) guarded() bool {
	for name, s := range r.slots {
		f := r.pattern.field(name)
		if f.Lookup == "" && !f.freeText() && !f.isList() && !s.misfit {
			continue
		}
		if f.freeText() && r.acts() && r.crowded(s) {
			return true
		}
		if f.freeText() && s.dictated && r.pattern.tool.SideEffect != bus.Destructive {
			continue
		}
		if s.guarded() {
			return true
		}
	}
	return false
}

// crowded says that words for one field look like those of several: "Ana Vale, ana@vale.example, mobile 555 0101".
func (r reading) crowded(s slotText) bool {
	_, more, _ := strings.Cut(s.text, ",")
	quoted := slices.ContainsFunc(s.tokens, func(t lexicon.Token) bool { return t.Quoted })
	return !quoted && strings.ContainsAny(more, "@0123456789") && slices.ContainsFunc(r.pattern.fields, func(f field) bool {
		_, said := r.slots[f.Name]
		return !said && f.Kind == "string" && f.Lookup == "" && len(f.Enum) == 0
	})
}

// inOrder lists slots as their words follow one another.
func inOrder(slots map[string]slotText) []string {
	start := func(name string) int {
		if list := slots[name].tokens; len(list) > 0 {
			return list[0].Start
		}
		return -1
	}
	return slices.SortedFunc(maps.Keys(slots), func(a, b string) int {
		return cmp.Or(cmp.Compare(start(a), start(b)), strings.Compare(a, b))
	})
}

func (s slotText) guarded() bool {
	return slices.ContainsFunc(s.tokens, func(t lexicon.Token) bool { return lexicon.Guards[t.Word] && !t.Quoted })
}
