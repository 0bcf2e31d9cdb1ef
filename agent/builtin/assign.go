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
	g := &guess{action: a, s: s, spans: readBack(best, slots), chosen: map[string]any{}, called: map[string]string{}}
	x.measure(g)
	return g
}

// readBack returns the spans of the best reading of a sentence.
func readBack(best [][]step, slots []*slot) map[string]span {
	n, mask := len(best)-1, 0
	for m, at := range best[n] {
		if at.there && (!best[n][mask].there || at.score > best[n][mask].score) {
			mask = m
		}
	}
	spans := map[string]span{}
	for i := n; i > 0; {
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

// bare reads a number as an amount, if a phrase has the amount next to the same words.
func (s *sentence) bare(sl *slot, i int) []scored {
	f, is := s.findsAt(aNumber, i)
	if !is || sl.form != aMoney || sizeAt(s, i) {
		return nil
	}
	left, right := s.cues(sl, f.i, f.j)
	written := bareOf(f.value)
	priced := s.list[i].comma && left > 0 || s.price(i)
	if max(left, right) < strongCue && !(priced && right > 0) {
		return nil
	}
	return []scored{{span{f.i, f.j, written, true}, 0.5 + left + right}}
}

// priceForm matches numbers in the form of prices.
var priceForm = text.Late(`^\d+[.,]\d\d$`)

// price reports whether a word is a number that is written as prices are.
func (s *sentence) price(i int) bool { return priceForm().MatchString(s.list[i].word) }

// was reports whether a number follows "instead of": it is the old value.
func (s *sentence) was(i int) bool {
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
		if k == aNumber && (sizeAt(s, i) || s.was(i) || sl.field.Kind == "integer" && s.price(i)) {
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
	if !is || sl.form != aCount || sizeAt(s, i) || sl.field.Min == nil || *sl.field.Min < 1 ||
		!sl.field.Required && indefinite == "" || !sl.right["{}"] || f.j >= len(s.list) {
		return nil
	}
	if left, _ := s.cues(sl, f.i, f.j); left < strongCue && (left == 0 || i > 0) {
		return nil
	}
	return []scored{{span{f.i, f.j, f.value, true}, 0.3}}
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

// maxSpan limits the words of a name.
const maxSpan = 9

// named returns the spans of names and texts, which only the words next to them identify.
func (x *index) named(a *action, s *sentence, sl *slot, i int) (list []scored) {
	if sl.form == aCode {
		return s.code(sl, i)
	}
	if s.list[i].quoted {
		left, right := s.cues(sl, i, i+1)
		return []scored{{span{i, i + 1, nil, true}, 1.2 + left + right}}
	}
	if !sl.prose() && !s.beginsName(sl, i) {
		return nil
	}
	inside := 0.0
	for j := i + 1; j <= len(s.list) && (sl.prose() || j-i <= maxSpan); j++ {
		inside += x.nameScore(a, s, sl, i, j-1)
		if !s.endsName(sl, i, j) {
			continue
		}
		left, right := s.cues(sl, i, j)
		fits := x.nameFit
		if sl.prose() {
			fits = x.proseFit
		}
		if fit, admitted := fits(a, s, sl, i, j); admitted {
			list = append(list, scored{span{i, j, nil, left+right > 0}, 0.3 + inside + left + right + fit})
		}
	}
	return list
}

// beginsName reports whether a name may begin with a word. No name begins with an article, or with a pronoun that
// refers to no record of the conversation.
func (s *sentence) beginsName(sl *slot, i int) bool {
	t := s.list[i]
	if s.lang.has("pronouns", t.word) {
		return sl.form != aRecord || s.refers(sl, i) || i+1 < len(s.list) && s.newest(i+1)
	}
	grammar := sl.form == aName && t.common && t.text == t.word
	if n, _ := s.lang.at("all", s.list, i); grammar || n > 0 && sl.form == aRecord {
		return false
	}
	return !t.noise || sizeAt(s, i) || t.text != t.word && (i > 0 || sl.form == aName)
}

// endsName reports whether a name may end before a word: not with a conjunction, and the name of a person or a thing
// not with "new".
func (s *sentence) endsName(sl *slot, i, j int) bool {
	last := s.list[j-1]
	joins := j-i > 1 && j < len(s.list) && (last.noise || s.lang.has("conjunctions", last.word))
	return !joins && !(sl.field.Name == "name" && last.common && last.text == last.word)
}

// proseFit scores words as a free text. Only a text that words of a phrase introduce is admitted.
func (x *index) proseFit(_ *action, s *sentence, sl *slot, i, j int) (score float64, admitted bool) {
	left, right := s.cues(sl, i, j)
	if sl.form == aPostal {
		_, is := postalAddress(words(s.said, s.list[i:j]))
		return 1 + 0.5*float64(j-i), is && !s.list[i].common && !s.list[i].noise
	}
	if t := s.list[i]; t.noise && !t.comma && sl.left[t.stem] && j > i+1 {
		return 0, false // it introduces the text: "a slot of Sato"
	}
	if sl.form == aText && s.list[i].comma {
		score = 0.6 + worth(left >= strongCue, 0.6)
	}
	score -= worth(s.list[j-1].quoted, 1.5) // the quotation is the text, and the words before it introduce it
	score -= worth(j < len(s.list) && right < strongCue, 0.6)
	return score, s.led(i, j, left, right) && !s.pointsOnly(i, j)
}

// led reports whether the words around a text introduce it in phrases.
func (s *sentence) led(i, j int, left, right float64) bool {
	return left >= strongCue || left > 0 && (s.between(i, right) || s.list[i].comma && j == len(s.list))
}

// between reports whether a text is between a value and a word that follows it in phrases: "$20 change in".
func (s *sentence) between(i int, right float64) bool {
	return i > 0 && right >= strongCue && s.typedAt(i-1)
}

// nameFit scores words as a name.
func (x *index) nameFit(a *action, s *sentence, sl *slot, i, j int) (score float64, admitted bool) {
	left, right := s.cues(sl, i, j)
	if !s.namelike(x, sl, i, j) {
		score = worth(left >= strongCue && sl.form == aRecord, 0.4) - 0.8
		if s.typedAt(i) || plain(s.list[i:j]) {
			return 0, false
		}
	}
	behind := left == 0 && x.capital(s, max(i-1, 0))  // a word that may be part of the name
	loose := behind || left == 0 && right < strongCue // no word introduces it
	switch sl.form {
	case aName:
		score -= worth(behind, 0.5)
		whole := a.template(s, sl, i, j)
		return score + worth(whole, 0.5*float64(j-i)), whole || max(left, right) >= strongCue && s.properName(i, j)
	case aQuery: // a record outranks a query
		score -= worth(!s.list[i].code(), 0.15)
		admitted = left > 0 || right >= strongCue
	default:
		admitted = s.mayName(sl, i, j, left, right)
	}
	return score - worth(loose, 0.5), admitted
}

// mayName reports whether words may name a record. For an optional record a word must introduce them, and a size alone
// is never enough.
func (s *sentence) mayName(sl *slot, i, j int, left, right float64) bool {
	led := max(left, right) >= strongCue || left > 0 && s.behind(sl, i) >= 0
	return (led || sl.field.Required || sl.field.Wanted) && !(sl.found && s.onlySize(i, j))
}

// plain reports whether no word distinguishes one record from another.
func plain(list []token) bool {
	return !slices.ContainsFunc(list, func(t token) bool { return !t.common && !t.noise })
}

// onlySize reports whether words name only a size.
func (s *sentence) onlySize(i, j int) bool {
	for i < j && (s.list[i].noise || s.list[i].common) {
		i++
	}
	f, is := s.findsAt(aSize, i)
	for is && f.j < j && (s.list[f.j].noise || s.list[f.j].common) {
		f.j++
	}
	return is && f.j >= j
}

// code reads a word with digits as the value of a slot.
func (s *sentence) code(sl *slot, i int) []scored {
	t := s.list[i]
	left, right := s.cues(sl, i, i+1)
	pronoun := s.lang.has("pronouns", t.word)
	if !t.quoted && !pronoun && !strings.ContainsAny(t.word, "0123456789") || left+right == 0 {
		return nil
	}
	return []scored{{span{i, i + 1, nil, true}, 0.6 + left + right}}
}

// namelike reports whether one of the words may be part of a name: it is in no phrase, it has a capital letter or a
// digit, or it is a pronoun for an earlier record.
func (s *sentence) namelike(x *index, sl *slot, i, j int) bool {
	for k := i; k < j; k++ {
		t := s.list[k]
		capital := x.capital(s, k)
		if t.quoted || sizeAt(s, k) || t.code() || capital && !t.noise ||
			!t.common && !t.noise && x.weight[t.stem] == 0 || k == i && s.refers(sl, i) || s.newest(k) {
			return true
		}
	}
	return false
}

// pointsOnly reports whether all words are pronouns or noise.
func (s *sentence) pointsOnly(i, j int) bool {
	return !slices.ContainsFunc(s.list[i:j], func(t token) bool { return !t.noise && !s.lang.has("pronouns", t.word) })
}

// newest reports whether a word asks for the latest of several records.
func (s *sentence) newest(i int) bool {
	return s.lang.has("newest", s.list[i].word) && !s.inFound(someDays, i) && !s.list[i].quoted
}

// capital reports whether a word has a capital letter that marks a name.
func (x *index) capital(s *sentence, i int) bool {
	t := s.list[i]
	return t.text != t.word && i > 0 && !t.quoted &&
		(x.weight[t.stem] == 0 && !t.common || s.lang.runs["nouns"] == nil)
}

// code reports whether a word has digits and is no plain number.
func (t token) code() bool {
	return strings.ContainsAny(t.word, "0123456789") && !priceForm().MatchString(t.word) &&
		(len(t.word) > 3 || !decimalForm().MatchString(t.word))
}

// refers reports whether a word is a pronoun for a record that the conversation named.
func (s *sentence) refers(sl *slot, i int) bool {
	if _, nouns := s.lang.runs["nouns"]; nouns && s.lang.has("one", s.list[i].word) && i+1 < len(s.list) &&
		s.list[i+1].text != s.list[i+1].word {
		return false // the article of a noun
	}
	return s.lang.has("pronouns", s.list[i].word) && (s.focus[sl.field.Entity] != "" || sl.found && s.focus["open"] != "")
}

// properName reports whether words look like the name of a new record: one has a capital letter, and none is a
// condition.
func (s *sentence) properName(i, j int) (is bool) {
	for k := i; k < j; k++ {
		if n, _ := s.lang.at("guards", s.list, k); n > 0 && s.list[k].text == s.list[k].word || s.typedAt(k) {
			return false
		}
		is = is || s.list[k].text != s.list[k].word && (k > 0 || j > i+1)
	}
	return is
}

// template reports whether a sentence matches a phrase of the action word by word, with these words in one slot and
// recognised values in the others.
func (a *action) template(s *sentence, sl *slot, i, j int) bool {
	if a.vocab[s.list[i].stem] && s.list[i].text == s.list[i].word {
		return false // it introduces the name: "a slot called Sato"
	}
	for k := i; k < j; k++ {
		n, _ := s.lang.at("guards", s.list, k)
		if n > 0 || s.typedAt(k) || k > i && s.list[k].comma || s.lang.has("pronouns", s.list[k].word) {
			return false
		}
	}
	return slices.ContainsFunc(a.docs, func(d doc) bool {
		return d.own && slices.Contains(d.slots, sl.name) && a.reads(d.parts, s, 0, sl, span{i: i, j: j}) &&
			!(len(d.stems) == 0 && s.grammar(i, j)) // the phrase has no word that tells a talk from a name
	})
}

// grammar reports whether one of the words cannot be part of a name.
func (s *sentence) grammar(i, j int) bool {
	return slices.ContainsFunc(s.list[i:j], func(t token) bool { return t.common && t.text == t.word })
}

// reads reports whether the words from an index on match the parts of a phrase.
func (a *action) reads(parts []string, s *sentence, k int, sl *slot, sp span) bool {
	if len(parts) == 0 {
		return k == len(s.list)
	}
	for k < len(s.list) && k != sp.i && s.list[k].noise {
		k++
	}
	if k == len(s.list) {
		return false
	}
	name, slotted := strings.CutPrefix(parts[0], "{")
	if !slotted {
		return k != sp.i && s.list[k].stem == parts[0] && a.reads(parts[1:], s, k+1, sl, sp)
	}
	if name == sl.name {
		return k == sp.i && a.reads(parts[1:], s, sp.j, sl, sp)
	}
	of := a.slot(name).form
	return slices.ContainsFunc(s.found, func(f found) bool {
		return f.i == k && f.fits(of) && a.reads(parts[1:], s, f.j, sl, sp)
	})
}

// fits reports whether a value has the kind for a form.
func (f found) fits(of form) bool {
	want, typed := kindOf[of]
	return typed && f.kind == want || of == aMoney && f.kind == aNumber
}

// nameScore scores a word as part of a name or a text that begins at another word.
func (x *index) nameScore(a *action, s *sentence, sl *slot, from, i int) float64 {
	t, record, first := s.list[i], sl.form == aRecord, i == from
	switch {
	case t.quoted:
		return 0.9
	case sl.prose():
		return 0.12
	case t.word == "'s", record && s.newest(i):
		return 0.4
	case record && !first && s.newest(i-1) && t.stem == s.lang.stem(sl.field.Entity):
		return 0.5
	case s.joins(i):
		return worth(!record || first, -1)
	}
	number, _ := s.numeral(i)
	guard, _ := s.lang.at("guards", s.list, i)
	old, _ := s.lang.at("instead", s.list, i)
	return x.partScore(a, s, sl, i, first) - worth(!first && t.comma && !(record && number > 0), 0.5) -
		worth(guard+old > 0 && t.text == t.word, 1)
}

// partScore scores a word as part of a name, without regard to its neighbours.
func (x *index) partScore(a *action, s *sentence, sl *slot, i int, first bool) float64 {
	t, capital := s.list[i], x.capital(s, i)
	switch {
	case !first && (s.lang.has("containers", t.word) || t.common && s.inFound(aSize, i+1)):
		return 0.1
	case sizeAt(s, i), t.code():
		return 0.4
	case s.skipped(sl, i):
		return -0.05
	case s.otherValue(i, first):
		return -0.6
	case t.common && !capital:
		return -0.5
	case x.weight[t.stem] == 0, capital:
		return 0.4
	case a.vocab[t.stem]:
		return -0.4 - 0.4*x.weightOf(t.stem)
	}
	return -0.15 - 0.3*x.weightOf(t.stem) // a word of other actions
}

// otherValue reports whether a word belongs to a value of another kind. A name may begin with an e-mail address, and
// contain capitalised words for days.
func (s *sentence) otherValue(i int, first bool) bool {
	t := s.list[i]
	return s.typedAt(i) && !(first && s.inFound(anEmail, i)) && (t.text == t.word || !s.inFound(someDays, i))
}

// prose reports whether a slot takes free text, which may contain any word.
func (sl *slot) prose() bool { return sl.form == aText || sl.form == aPostal || sl.form == aList }
