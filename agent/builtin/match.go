package builtin

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// span is a range of words that gives the value of a slot.
type span struct {
	i, j  int
	value any // if the words alone determine it
	cued  bool
}

// guess is a possible meaning of a sentence: an action, with the words for its slots.
type guess struct {
	action  *action
	s       *sentence
	spans   map[string]span
	chosen  map[string]any    // answers to questions, by field
	called  map[string]string // titles of the chosen options, by field
	of      *guess            // the guess that it was split from, nil for none
	apart   bool              // names without a count are separate records: "a mug and filters"
	score   float64
	doc     doc     // the nearest phrase
	foreign float64 // weight of the words that the action does not explain
	loose   float64 // weight of the words that its phrase does not contain
	cover   float64 // share of the phrase that the sentence contains
}

// candidates limits the actions for close examination, and guesses limits those that are kept.
const candidates, guesses = 48, 8

// guesses ranks the possible meanings of a sentence, the likeliest first.
func (x *index) guesses(s *sentence) []*guess {
	type ranked struct {
		a    *action
		near float64
	}
	var near []ranked
	for _, a := range x.actions {
		sum := worth(slices.ContainsFunc(a.docs, func(d doc) bool { return len(d.stems) == 0 }), maxTokens)
		for _, t := range s.list {
			if a.vocab[t.stem] && !t.quoted {
				sum += x.weightOf(t.stem)
			}
		}
		near = append(near, ranked{a, sum})
	}
	slices.SortStableFunc(near, func(a, b ranked) int { return cmp.Compare(b.near, a.near) })
	var list []*guess
	for _, r := range near[:min(candidates, len(near))] {
		list = append(list, x.assign(r.a, s))
	}
	slices.SortStableFunc(list, func(a, b *guess) int { return cmp.Compare(b.score, a.score) })
	return list[:min(guesses, len(list))]
}

// step is the best reading of the words up to one of them, for one set of filled slots.
type step struct {
	score float64
	from  int // index where the last part begins
	slot  int // index of the slot that it fills, -1 for none
	there bool
	span  span
}

// assign distributes the words of a sentence over the slots of an action with the highest score.
func (x *index) assign(a *action, s *sentence) *guess {
	n, slots := len(s.list), a.slots[:min(len(a.slots), 8)]
	best := make([][]step, n+1)
	for i := range best {
		best[i] = make([]step, 1<<len(slots))
	}
	best[0][0].there = true
	spans := make([][][]scored, len(slots))
	for k, sl := range slots {
		spans[k] = make([][]scored, n)
		for i := range n {
			spans[k][i] = x.spansAt(a, s, sl, i)
		}
	}
	for i := range n {
		word := x.wordScore(a, s.list[i])
		for mask, at := range best[i] {
			if !at.there {
				continue
			}
			put(&best[i+1][mask], step{at.score + word, i, -1, true, span{}})
			for k := range slots {
				if mask&(1<<k) != 0 {
					continue
				}
				for _, sp := range spans[k][i] {
					put(&best[sp.j][mask|1<<k], step{at.score + sp.score, i, k, true, sp.span})
				}
			}
		}
	}
	most := slices.MaxFunc(best[n], func(a, b step) int {
		return cmp.Or(cmp.Compare(worth(a.there, 1), worth(b.there, 1)), cmp.Compare(a.score, b.score))
	})
	var g *guess
	for mask, at := range best[n] {
		if !at.there || at.score < most.score {
			continue
		}
		other := &guess{action: a, s: s, spans: readBack(best, slots, mask), chosen: map[string]any{},
			called: map[string]string{}}
		if x.measure(other); g == nil || other.score > g.score {
			g = other
		}
	}
	return g
}

// readBack returns the spans of a reading of a sentence that fills a set of slots.
func readBack(best [][]step, slots []*slot, mask int) map[string]span {
	spans := map[string]span{}
	for i := len(best) - 1; i > 0; {
		at := best[i][mask]
		if at.slot >= 0 {
			spans[slots[at.slot].name] = at.span
			mask &^= 1 << at.slot
		}
		i = at.from
	}
	return spans
}

func put(at *step, next step) {
	if !at.there || next.score > at.score {
		*at = next
	}
}

// wordScore returns the score of a word that belongs to no slot.
func (x *index) wordScore(a *action, t token) float64 {
	switch {
	case a.vocab[t.stem] && t.noise:
		return 0.05
	case a.vocab[t.stem]:
		return 0.2 + 0.6*x.weightOf(t.stem)
	case t.noise:
		return -0.02
	}
	if t.common {
		return -0.3 * x.weightOf(t.stem)
	}
	return -0.7 * x.weightOf(t.stem)
}

// scored is a span with its score.
type scored struct {
	span
	score float64
}

// kindOf maps a form of slots to the kind of value that they take.
var kindOf = map[form]kind{aCount: aNumber, aMoney: anAmount, aPeriod: someDays, aMail: anEmail, aCall: aPhone}

// spansAt returns the spans that begin at a word and may fill a slot.
func (x *index) spansAt(a *action, s *sentence, sl *slot, i int) []scored {
	if k, is := kindOf[sl.form]; is {
		return slices.Concat(x.typed(s, sl, i, k), x.article(s, sl, i), s.bare(sl, i))
	}
	if sl.form == aChoice {
		return x.choices(s, sl, i)
	}
	if sl.form == aRecord {
		return append(x.choices(s, sl, i), x.named(a, s, sl, i)...)
	}
	if of, _, _ := a.sharing(sl); of != nil {
		return s.shares(of, i)
	}
	return x.named(a, s, sl, i)
}

// bareAmount is a number without a currency, as written. It means an amount in the currency of the application.
type bareAmount string

// bare reads a number as an amount, if a phrase has the amount next to the same words. The number in "two bags"
// is a count.
func (s *sentence) bare(sl *slot, i int) []scored {
	f, is := s.findsAt(aNumber, i)
	if !is || sl.form != aMoney || sizeAt(s, i) || s.container(f.j) {
		return nil
	}
	left, right := s.cues(sl, f.i, f.j)
	written := bareOf(f.value)
	digits := strings.ContainsAny(s.list[i].word, "0123456789")
	priced := digits && s.list[i].comma && left > 0 || s.price(i)
	if max(left, right) < strongCue && !(priced && right > 0) {
		return nil
	}
	return []scored{{span{f.i, f.j, written, true}, 0.5 + left + right}}
}

// priceForm matches numbers in the form of prices.
var priceForm = text.Late(`^\d+[.,]\d\d$`)

// price reports whether a word is a number that is written as prices are.
func (s *sentence) price(i int) bool { return priceForm().MatchString(s.list[i].word) }

// container reports whether a word is a unit of counting, such as bags.
func (s *sentence) container(i int) bool {
	return i < len(s.list) && s.lang.has("containers", s.list[i].word) && !s.list[i].common
}

// packs reports whether an article begins a clause with a unit of counting: "pens, a pack".
func (s *sentence) packs(i, j int) bool { return s.list[i].comma && s.container(j) }

// replaced reports whether a number follows "instead of": it is the old value.
func (s *sentence) replaced(i int) bool {
	return slices.ContainsFunc([]int{i - 1, i - 2}, func(from int) bool {
		if from < 0 {
			return false
		}
		n, _ := s.lang.at("instead", s.list, from)
		return n == i-from
	})
}

func bareOf(value any) bareAmount { return bareAmount(fmt.Sprint(value)) }

// typed returns the spans of values that their form identifies.
func (x *index) typed(s *sentence, sl *slot, i int, k kind) []scored {
	var list []scored
	for _, f := range s.found {
		if f.kind != k || f.i != i {
			continue
		}
		if k == aNumber && (sizeAt(s, i) || s.replaced(i) || sl.field.Kind == "integer" && s.price(i)) {
			continue
		}
		left, right := s.cues(sl, f.i, f.j)
		score := 0.9 + left + right
		if k == aNumber && right < strongCue && !sl.right["$"] && !sl.right["{}"] {
			continue // a number of another thing: a sentence always says percent
		}
		score += 0.85 * float64(f.j-f.i-1)
		list = append(list, scored{span{f.i, f.j, f.value, left+right > 0}, score})
	}
	return list
}

// sizeAt reports whether the number at a word belongs to a size or an amount.
func sizeAt(s *sentence, i int) bool {
	_, size := s.findsAt(aSize, i)
	_, money := s.findsAt(anAmount, i)
	return size || money
}

// article reads an article before a record as the count 1.
func (x *index) article(s *sentence, sl *slot, i int) []scored {
	f, is := s.findsAt(anArticle, i)
	_, indefinite := s.lang.at("one", s.list, i)
	if !is || !sl.counts() || sizeAt(s, i) || !sl.field.Required && indefinite == "" {
		return nil
	}
	left, _ := s.cues(sl, f.i, f.j)
	again, _ := s.lang.at("again", s.list, i)
	switch {
	case indefinite == "" && again > 0: // "the same"
		return nil
	case f.j == len(s.list):
		if !s.any("again") { // "another one"
			return nil
		}
	case left > 0 && s.packs(i, f.j):
		return []scored{{span{f.i, f.j, f.value, true}, 1}}
	case left < strongCue && (left == 0 || i > 0):
		return nil
	}
	return []scored{{span{f.i, f.j, f.value, true}, 0.3}}
}

// counts reports whether a slot takes a number of records, which is at least 1.
func (sl *slot) counts() bool {
	return sl.form == aCount && sl.field.Min != nil && *sl.field.Min >= 1 && sl.right["{}"]
}

// choices returns the runs of words that mean a value of a closed set, with the words that introduce them: "because it
// was sold out".
func (x *index) choices(s *sentence, sl *slot, i int) []scored {
	var list []scored
	for _, v := range sl.values {
		for at := i; at < len(s.list) && at < i+5; at++ {
			if j := s.matches(v.stems, at); j > at && (!v.past || s.lang.ends("past", s.list[j-1].word)) {
				list = append(list, scored{span{i, j, v.value, true}, 0.7 + 0.9*float64(j-at) + 0.6*float64(at-i)})
			}
			if !s.list[i].comma && !s.lang.has("dictating", s.list[i].word) {
				break
			}
			if t := s.list[at]; !t.noise && !t.common && !s.lang.has("pronouns", t.word) {
				break
			}
		}
	}
	return list
}

// matches returns the end of a run of stems that begins at a word, 0 for no match. It skips noise between them.
func (s *sentence) matches(stems []string, at int) int {
	for k, stem := range stems {
		for k > 0 && at < len(s.list) && s.list[at].noise && s.list[at].stem != stem {
			at++
		}
		if at >= len(s.list) || s.list[at].stem != stem || s.list[at].quoted {
			return 0
		}
		at++
	}
	return at
}

// Scores of a word next to a span that is there in phrases too.
const strongCue, weakCue = 0.5, 0.2

// cues scores the match of the words next to a span with a slot.
func (s *sentence) cues(sl *slot, i, j int) (left, right float64) {
	return s.leftCue(sl, i), s.rightCue(sl, j)
}

func (s *sentence) leftCue(sl *slot, i int) float64 {
	k := s.behind(sl, i)
	if k < 0 {
		return worth(sl.left["^"], weakCue)
	}
	t, comma := s.list[k], s.list[i].comma
	if sl.left[t.stem] && !t.quoted {
		return strongCue
	}
	return worth(sl.left["{}"] && (comma || t.quoted || s.typedAt(k)), weakCue)
}

// behind returns the index of the word before a span that may introduce it, -1 at the beginning.
func (s *sentence) behind(sl *slot, i int) int {
	k := i - 1
	for k >= 0 && sl.form != aText && s.skipped(sl, k) && !sl.left[s.list[k].stem] {
		k--
	}
	return k
}

func (s *sentence) rightCue(sl *slot, j int) float64 {
	for j < len(s.list) && s.list[j].noise && !sl.right[s.list[j].stem] {
		j++
	}
	if j >= len(s.list) {
		return worth(sl.right["$"], weakCue)
	}
	t := s.list[j]
	if sl.right[t.stem] && !t.quoted {
		return strongCue
	}
	return worth(sl.right["{}"] && (t.comma || t.quoted || s.typedAt(j)), weakCue)
}

func worth(is bool, score float64) float64 {
	if is {
		return score
	}
	return 0
}

// skipped reports whether a word before a span carries no information about its type.
func (s *sentence) skipped(sl *slot, k int) bool {
	t := s.list[k]
	return t.noise && (sl.form != aName || t.text == t.word) || s.lang.has("containers", t.word)
}
