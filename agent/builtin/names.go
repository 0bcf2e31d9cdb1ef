package builtin

import (
	"slices"
	"strings"
)

// maxSpan is the greatest number of words in a name. A free text has no limit.
const maxSpan = 9

// named returns the spans from a word on that may fill a slot for a name, a record, a query or a text. The words beside
// such a value identify it, not its form. Scores are relative: 0.5 is a word of the phrase beside the value, 0.2 a weak
// sign.
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
		if j > i+1 && !sl.prose() && s.colon(j-1) {
			break // a text follows: "note on Sato: likes tea"
		}
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

// colon reports whether a word follows a colon.
func (s *sentence) colon(i int) bool {
	from, to := s.list[i-1].end, s.list[i].start
	return s.list[i].comma && from < to && strings.Contains(s.said[from:to], ":")
}

// answers reports whether words are an answer by themselves, such as no or fine.
func (s *sentence) answers(i, j int) bool {
	return slices.ContainsFunc([]string{"yes", "leave", "thanks", "greeting"}, func(section string) bool {
		return s.lang.is(section, s.list[i:j])
	})
}

// beginsName reports whether a name may begin with a word. It does not begin with an article, a common word in small
// letters, or a pronoun without a record in the conversation.
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

// endsName reports whether a name may end before a word. It does not end with "please" or another courtesy, nor inside
// the sentence with a filler or a conjunction. The value of a field "name" does not end with a common word in small
// letters.
func (s *sentence) endsName(sl *slot, i, j int) bool {
	last := s.list[j-1]
	joins := s.lang.has("courtesies", last.word) ||
		j < len(s.list) && (last.noise || s.lang.has("conjunctions", last.word))
	return !(joins && j-i > 1) && !(sl.field.Name == "name" && last.common && last.text == last.word)
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
	behind := left == 0 && x.capital(s, max(i-1, 0))  // the word before may belong to the name
	loose := behind || left == 0 && right < strongCue // no word introduces it
	switch sl.form {
	case aName:
		if s.answers(i, j) {
			return 0, false
		}
		score -= worth(behind, 0.5)
		whole := a.template(s, sl, i, j)
		return score + worth(whole, 0.5*float64(j-i)), whole || max(left, right) >= strongCue && s.properName(i, j)
	case aQuery: // if a record fits too, the record wins
		score -= worth(!s.list[i].code(), 0.15)
		admitted = left > 0 || right >= strongCue
	default:
		admitted = s.mayName(a, sl, i, j, left, right)
	}
	return score - worth(loose, 0.5), admitted
}

// mayName reports whether words may name a record. For an optional record a word must introduce them, and a size alone
// is never enough.
func (s *sentence) mayName(a *action, sl *slot, i, j int, left, right float64) bool {
	led := max(left, right) >= strongCue || left > 0 && s.behind(sl, i) >= 0
	led = led && (right >= strongCue || !s.unfinished(a, sl, i, j))
	return (led || sl.field.Required || sl.field.Wanted) && !(sl.found && s.onlySize(i, j))
}

// unfinished reports whether the word before a name requires a word of the action after it. Example: all phrases say
// "in {room} room", so "in Sato" is incomplete.
func (s *sentence) unfinished(a *action, sl *slot, i, j int) bool {
	k := s.behind(sl, i)
	if k < 0 || j < len(s.list) && a.vocab[s.list[j].stem] {
		return false
	}
	after := sl.around[s.list[k].stem]
	return after != nil && !after["$"] && !after["{}"]
}

// plain reports whether all words are common or fillers, so that they identify no record.
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

// code reads a word with digits, a quotation or a pronoun as the value of a slot, if a word of the phrase is beside it.
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
			!(len(d.stems) == 0 && s.grammar(i, j)) // without such a word any talk would match the phrase
	})
}

// grammar reports whether one of the words is common and in small letters, and so no part of a name.
func (s *sentence) grammar(i, j int) bool {
	return slices.ContainsFunc(s.list[i:j], func(t token) bool { return t.common && t.text == t.word })
}

// courteous reports whether all words from an index on are courtesies.
func (s *sentence) courteous(from int) bool {
	return !slices.ContainsFunc(s.list[from:], func(t token) bool { return !s.lang.has("courtesies", t.word) })
}

// reads reports whether the words from an index on match the parts of a phrase whose slot sl has the span sp.
func (a *action) reads(parts []string, s *sentence, k int, sl *slot, sp span) bool {
	if len(parts) == 0 {
		return k == len(s.list) || sl.form == aName && s.courteous(k)
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
	case !first && (s.lang.has("containers", t.word) || s.leadsToOption(a, i)):
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

// leadsToOption reports whether a word may lead to a size or a colour: "a jacket in medium".
func (s *sentence) leadsToOption(a *action, i int) bool {
	if i+1 == len(s.list) {
		return false
	}
	t, next := s.list[i], s.list[i+1]
	named := !next.common && !next.noise && !a.vocab[next.stem] || s.lang.has("options", next.word)
	return t.common && s.inFound(aSize, i+1) || s.lang.has("options", t.word) && named
}

// otherValue reports whether a word belongs to a value of another kind. A name may begin with an e-mail address, and
// contain capitalised words for days.
func (s *sentence) otherValue(i int, first bool) bool {
	t := s.list[i]
	return s.typedAt(i) && !(first && s.inFound(anEmail, i)) && (t.text == t.word || !s.inFound(someDays, i))
}

// prose reports whether a slot takes free text, which may contain any word.
func (sl *slot) prose() bool { return sl.form == aText || sl.form == aPostal || sl.form == aList }
