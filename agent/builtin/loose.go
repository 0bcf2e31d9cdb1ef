package builtin

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
)

// A sentence that no phrase covers may still say plainly what is meant, in another order or with words of several
// phrases. It is read loosely: each word must be one of the command's own words, a value or a name that one of its
// slots takes, or a word that only joins. What does more than read must begin with its verb, and nothing in the
// sentence may make it other than a plain instruction.

// chunk is a run of words that must be a name, with what stands around it.
type chunk struct {
	tokens []lexicon.Token
	before string // the word in front of it
	owner  bool   // 's behind it
}

// weights count how many patterns have a word.
type weights map[string]int

func newWeights(patterns []*pattern) weights {
	l := weights{}
	for _, p := range patterns {
		own := map[string]bool{}
		p.leads, p.after = map[string][]string{}, map[string][]string{}
		for _, f := range slices.Concat(p.heads, p.tails) {
			next := append(slices.Clone(f.list[1:]), element{})
			for i, e := range f.list {
				if e.word != "" && e.word != "'s" {
					own[e.word] = true
				}
				if e.slot != "" {
					p.after[e.slot] = append(p.after[e.slot], next[i].word)
				}
				if e.slot != "" && i > 0 && f.list[i-1].word != "" && !slices.Contains(p.leads[f.list[i-1].word], e.slot) {
					p.leads[f.list[i-1].word] = append(p.leads[f.list[i-1].word], e.slot)
				}
				if e.word == "'s" && i > 0 && !slices.Contains(p.leads["'s"], f.list[i-1].slot) {
					p.leads["'s"] = append(p.leads["'s"], f.list[i-1].slot)
				}
			}
		}
		p.own = slices.Sorted(maps.Keys(own))
		for _, w := range p.own {
			l[w]++
		}
	}
	return l
}

// weight is high for a word that few patterns have.
func (l weights) weight(w string) int {
	switch n := l[w]; {
	case lexicon.Joining[w] || lexicon.Noise[w]:
		return 0
	case n <= 1:
		return 10
	case n <= 3:
		return 8
	case n <= 6:
		return 5
	case n <= 12:
		return 3
	}
	return 1
}

// leastSure is the least score of a loose reading.
const leastSure = 8

// loosely reads a sentence without a phrase that covers it.
func loosely(text string, list []lexicon.Token, patterns []*pattern, today time.Time) []reading {
	guarded := slices.ContainsFunc(list, func(t lexicon.Token) bool { return lexicon.Guards[t.Word] && !t.Quoted })
	first := 0
	for first < len(list)-1 && (lexicon.Noise[list[first].Word] || lexicon.Weak[list[first].Word]) {
		first++
	}
	var all []reading
	for _, p := range patterns {
		acts := reading{pattern: p}.acts()
		verb := p.word(list[first].Word)
		begins := func(h form) bool { return verb != "" && h.list[0].word == verb }
		if acts && (guarded || !slices.ContainsFunc(p.heads, begins)) || lexicon.Undoable[list[first].Word] && verb == "" {
			continue
		}
		if r, ok := p.loose(text, list, today); ok && r.score >= leastSure && !r.strained(list) {
			all = append(all, r)
		}
	}
	return ranked(all)
}

// word is the pattern's own word that a word does for, "" for none: the word itself, else its singular or plural, else
// one that it is a slip of the pen for; of several the first in the alphabet.
func (p *pattern) word(w string) string {
	if _, own := slices.BinarySearch(p.own, w); own {
		return w
	}
	if i := slices.IndexFunc(p.own, func(own string) bool { return lexicon.SameWord(w, own) }); i >= 0 {
		return p.own[i]
	}
	if i := slices.IndexFunc(p.own, func(own string) bool { return lexicon.Misspelt(w, own) }); i >= 0 {
		return p.own[i]
	}
	return ""
}

// loose is the loose reading of a sentence as this pattern, if there is one.
func (p *pattern) loose(text string, list []lexicon.Token, today time.Time) (reading, bool) {
	r := reading{pattern: p, slots: map[string]slotText{}, said: list, unsure: true}
	m := &matcher{text: text, list: list, p: p}
	if from, to := p.field("from"), p.field("to"); from != nil && to != nil && from.Format == "date" {
		if d, i, j, ok := lexicon.DaysIn(list, today); ok {
			r = r.bind("from", slotText{text: d.From.Format(time.DateOnly)})
			if !d.To.IsZero() {
				r = r.bind("to", slotText{text: d.To.Format(time.DateOnly)})
			}
			m.list = slices.Concat(list[:i], list[j:])
		}
	}
	var chunks []chunk
	before, open := "", false
	counted := map[string]bool{}
	for i := 0; i < len(m.list); {
		t := m.list[i]
		if n, name := m.typed(r, i); n > 0 {
			r = r.bind(name, m.words(i, i+n))
			i, open, before = i+n, false, ""
			continue
		}
		own := p.word(t.Word)
		switch {
		case t.Quoted:
			return reading{}, false
		case t.Word == "'s":
			if open {
				chunks[len(chunks)-1].owner = true
			}
			open, before = false, t.Word
		case own != "" && (p.words.weight(own) > 0 || !open):
			if w := p.words.weight(own); !counted[own] {
				counted[own] = true
				r.score += w
				r.words = append(r.words, own)
			}
			open, before = false, own
		case lexicon.Joining[t.Word]:
			open, before = false, t.Word
		case lexicon.Noise[t.Word] || lexicon.Weak[t.Word]:
			open = false
		case open && !t.Comma:
			c := &chunks[len(chunks)-1]
			c.tokens = append(c.tokens, lexicon.AsSaid(m.list[i:i+1])...)
		default:
			chunks = append(chunks, chunk{tokens: lexicon.AsSaid(m.list[i : i+1]), before: before})
			open = true
		}
		i++
	}
	return r.named(text, chunks)
}

// typed finds how many words at i are a value of a field that is known by its form.
func (m *matcher) typed(r reading, i int) (n int, name string) {
	if m.list[i].Quoted {
		return 0, ""
	}
	for n := min(4, len(m.list)-i); n > 0; n-- {
		for _, f := range m.p.fields {
			if _, bound := r.slots[f.Name]; bound || f.Lookup != "" || f.freeText() && !f.shaped() || f.isList() || f.Kind == "boolean" && f.words == nil {
				continue
			}
			s := m.words(i, i+n)
			if !f.takes(s.tokens, s.text) || (len(f.Enum) > 0 || f.words != nil) && !f.says(s.tokens) {
				continue
			}
			if f.isNumber() && (!m.p.spoken(f.Name) || !m.unit(f.Name, i+n)) {
				continue
			}
			return n, f.Name
		}
	}
	return 0, ""
}

// unit says that what must stand behind a number does: 5 is not 5 percent.
func (m *matcher) unit(name string, i int) bool {
	after := m.p.after[name]
	return slices.Contains(after, "") || i < len(m.list) && slices.Contains(after, m.list[i].Word) || !slices.ContainsFunc(after, func(w string) bool { return w != "" && !lexicon.Linking[w] })
}

// spoken says that phrases have a slot for the field.
func (p *pattern) spoken(name string) bool {
	return slices.ContainsFunc(p.whole, func(w phrase) bool { return slices.Contains(w.slots, name) })
}

// named gives each chunk to a slot; false when one is left over.
func (r reading) named(text string, chunks []chunk) (reading, bool) {
	for _, c := range chunks {
		if c.owner {
			c.before = "'s"
		}
		name, leads := "", r.pattern.leads[c.before]
		if i := slices.IndexFunc(leads, func(slot string) bool { return r.pattern.names(slot, r) }); i >= 0 {
			name = leads[i]
			r.score += 2
		} else {
			i := slices.IndexFunc(r.pattern.fields, func(f field) bool { return r.pattern.names(f.Name, r) && r.pattern.spoken(f.Name) })
			switch {
			case i < 0 && r.acts():
				return reading{}, false
			case i < 0: // a question is answered as far as it is understood
				r.score -= missedCost * len(c.tokens)
				continue
			}
			name = r.pattern.fields[i].Name
		}
		score := r.score
		if r.pattern.field(name).Lookup != "" {
			score += 3
		}
		r = r.bind(name, slotText{text: text[c.tokens[0].Start:c.tokens[len(c.tokens)-1].End], tokens: c.tokens})
		r.score = score - len(c.tokens)
	}
	return r, len(r.words) > 0
}

// missedCost is the cost of each word of a question that was not understood.
const missedCost = 4

// names says that a slot can still take a name. Free text takes one only where nothing is done with it.
func (p *pattern) names(slot string, r reading) bool {
	f := p.field(slot)
	if _, bound := r.slots[slot]; bound || f == nil {
		return false
	}
	return f.Lookup != "" || f.freeText() && !f.shaped() && !r.acts()
}

// ranked keeps the best of several readings, with the others that come near it.
func ranked(all []reading) []reading {
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b reading) int {
		switch {
		case a.score != b.score:
			return b.score - a.score
		case a.acts() == b.acts():
			return 0
		case b.acts():
			return -1 // reading first cannot do harm
		}
		return 1
	})
	top := all[0]
	for _, r := range all[1:] {
		if r.score >= top.score-nearCost && (top.acts() || !r.acts()) && len(top.others) < maxOthers {
			top.others = append(top.others, r)
		}
	}
	return []reading{top}
}

// shaped says that values of the field look like nothing else: an e-mail address, a telephone number.
func (f field) shaped() bool {
	return f.Format == "email" || strings.HasSuffix(strings.ToLower(f.Name), "email") || strings.HasSuffix(strings.ToLower(f.Name), "phone")
}

// fitsShape says that a text looks like what the field holds.
func (f field) fitsShape(text string) bool {
	if strings.HasSuffix(strings.ToLower(f.Name), "phone") {
		return phoneForm.MatchString(text)
	}
	return mailForm.MatchString(text)
}

var (
	phoneForm = regexp.MustCompile(`^(?:[-+()/. ]*\d){5,}[-+()/. ]*$`)
	mailForm  = regexp.MustCompile(`^[^@ \t,]+@[^ \t,]+$`)
)
