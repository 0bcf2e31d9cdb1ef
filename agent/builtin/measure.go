package builtin

import (
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// slotWeight is the weight of a filled slot, compared with that of words.
const slotWeight = 0.7

// otherForm is the penalty for a word that phrases contain only in another form.
const otherForm = 0.4

// measure compares the sentence with each phrase of the action and keeps the nearest.
func (x *index) measure(g *guess) {
	said, quiet, all := x.heard(g)
	best := -1.0
	for _, d := range g.action.docs {
		matched, size, beside := 0.0, 0.0, all
		for _, stem := range d.stems {
			w := x.weightOf(stem)
			size += w
			matched += w * said[stem]
			beside += worth(quiet[stem], w) // noise counts if the phrase contains it
		}
		size += slotWeight * float64(len(d.slots))
		for name, sp := range g.spans {
			if slices.Contains(d.slots, name) {
				matched += slotWeight
				beside += slotWeight
			} else {
				beside += slotWeight * (0.15 + worth(!sp.cued, 0.25))
			}
		}
		if score := 2 * matched / max(size+beside, 0.1); score > best {
			best, g.doc, g.cover = score, d, matched/max(size, 0.1)
		}
	}
	g.score, g.loose = best, 0
	for _, stem := range slices.Sorted(maps.Keys(said)) { // sorted, because the order changes a sum of fractions
		if !quiet[stem] && !slices.Contains(g.doc.stems, stem) && !g.kindWord(stem) {
			g.loose += x.weightOf(stem)
		}
	}
}

// heard returns the match of each stem outside the slots, the stems that are noise, and the total weight of the words.
func (x *index) heard(g *guess) (said map[string]float64, quiet map[string]bool, all float64) {
	said, quiet, g.foreign = map[string]float64{}, map[string]bool{}, 0
	for i, t := range g.s.list {
		w := x.weightOf(t.stem)
		if t.common && w == 1 {
			w = 0.35
		}
		if g.inSpan(i) {
			all += worth(x.hasForeignWord(g, i), w)
			continue
		}
		said[t.stem] = 1 - worth(!g.action.forms[g.s.lang.same(t.word)], otherForm)
		if t.noise {
			quiet[t.stem] = true
			continue
		}
		all += w
		g.foreign += worth(!g.action.vocab[t.stem], w)
	}
	return said, quiet, all
}

// worded reports whether the sentence has a word of the phrase outside the slots.
func (g *guess) worded() bool {
	for i, t := range g.s.list {
		if !g.inSpan(i) && !t.noise && slices.Contains(g.doc.stems, t.stem) {
			return true
		}
	}
	return false
}

// matches reports whether the sentence has a word of the phrase, if the phrase has any, and a text where the phrase has
// one.
func (g *guess) matches() bool {
	words := slices.ContainsFunc(g.doc.parts, func(part string) bool { return part[0] != '{' })
	lacks := slices.ContainsFunc(g.doc.slots, func(name string) bool {
		_, filled := g.spans[name]
		f := g.action.slot(name).form
		return !filled && (f == aName || f == aText)
	})
	return (g.worded() || !words) && !lacks
}

func (g *guess) inSpan(i int) bool {
	for _, sp := range g.spans {
		if sp.i <= i && i < sp.j {
			return true
		}
	}
	return false
}

// kindWord reports whether a stem names the kind of a record in the guess.
func (g *guess) kindWord(stem string) bool {
	for name := range g.spans {
		for kind := range strings.FieldsSeq(text.SplitName(g.action.slot(name).field.Entity)) {
			if g.s.lang.stem(kind) == stem {
				return true
			}
		}
	}
	return false
}

// hasForeignWord reports whether the span of a name contains a word that cannot be part of a name. After a count any
// word of another action may be part of one: two greeting cards.
func (x *index) hasForeignWord(g *guess, i int) bool {
	t := g.s.list[i]
	if t.quoted || x.capital(g.s, i) || !t.common && x.weight[t.stem] == 0 {
		return false
	}
	for name, sp := range g.spans {
		if sp.i <= i && i < sp.j {
			f := g.action.slot(name).form
			return (f == aRecord || f == aQuery || f == aName) && (t.common || !g.counted(sp.i))
		}
	}
	return false
}

// counted reports whether a count ends where a name begins.
func (g *guess) counted(i int) bool {
	for name, sp := range g.spans {
		if sp.j == i && g.action.slot(name).form == aCount {
			return true
		}
	}
	return false
}

// dictated reports whether a word belongs to a value that may contain any word: one of a closed set, or a text after
// quotation marks, a colon or a word like "saying".
func (g *guess) dictated(i int) bool {
	for name, sp := range g.spans {
		if i < sp.i || i >= sp.j {
			continue
		}
		switch g.action.slot(name).form {
		case aChoice, aPeriod:
			return true
		case aText:
			before := g.s.list[max(sp.i-1, 0)].word
			return g.s.list[sp.i].comma || g.s.list[sp.i].quoted || g.s.lang.has("dictating", before)
		}
		return g.s.list[i].quoted
	}
	return false
}

// guarded reports whether the sentence contains a word that rules out a plain instruction, unless the phrase has it
// too.
func (g *guess) guarded() bool {
	if g.s.howto {
		return true
	}
	for _, i := range g.s.guards {
		own := g.cover >= 0.8 && slices.Contains(g.doc.stems, g.s.list[i].stem)
		if !own && !g.dictated(i) {
			return true
		}
	}
	for i, t := range g.s.list { // "the last one" and "cancelled", if phrases only have "cancel"
		if g.s.newest(i) && !g.inSpan(i) && !slices.Contains(g.doc.stems, t.stem) {
			return true
		}
		if g.action.vocab[t.stem] && !g.action.forms[g.s.lang.same(t.word)] && !g.inSpan(i) && g.s.lang.ends("past", t.word) {
			return true
		}
	}
	return false
}
