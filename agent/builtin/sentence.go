package builtin

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// sentence is a person's sentence after the first reading, which does not know the actions.
type sentence struct {
	lang     *language
	said     string
	today    time.Time
	list     []token
	found    []found
	guards   []int // indexes of words that rule out a plain instruction
	focus    map[string]string
	question bool
	howto    bool // it asks for instructions
}

// read reads a sentence in a language.
func read(l *language, said string, today time.Time, focus map[string]string) *sentence {
	s := &sentence{lang: l, said: said, today: today, list: l.tokens(said), focus: focus}
	if len(s.list) > maxTokens {
		s.list = nil
		return s
	}
	s.correct()
	s.howto = s.any("howto")
	reported := s.opens("reporting")
	polite := s.opens("courtesy") && !reported
	s.recognise()
	for _, f := range s.found {
		if f.kind == aNumber && f.j < len(s.list) { // such as two bags of them
			for n, _ := l.at("containers", s.list, f.j); n > 0; n-- {
				s.list[f.j+n-1].noise = f.j+n < len(s.list)
			}
		}
	}
	if first := s.first(); first < len(s.list) && !polite {
		points := first > 0 && l.has("pronouns", s.list[first-1].word) // "that is for Sato"
		s.question = reported || l.has("asking", s.list[first].word) && !points || s.asks()
	}
	for i := range s.list {
		if s.guard(i) {
			s.guards = append(s.guards, i)
		}
	}
	return s
}

// guard reports whether a word rules out a plain instruction. In "three, not two" it leads to the old value.
func (s *sentence) guard(i int) bool {
	n, _ := s.lang.at("guards", s.list, i)
	old, _ := s.lang.at("instead", s.list, i)
	return n > 0 && !s.list[i].noise && !s.inFound(someDays, i) && !(old > 0 && s.inFound(aNumber, i+old))
}

// asks reports whether the sentence ends with a question mark.
func (s *sentence) asks() bool {
	end := s.list[len(s.list)-1].end
	return slices.Contains([]byte(s.said[end:]), '?')
}

// first returns the index of the first word that is not noise.
func (s *sentence) first() int {
	i := 0
	for i < len(s.list) && s.list[i].noise {
		i++
	}
	return i
}

// any reports whether the sentence contains a run of a section.
func (s *sentence) any(section string) bool {
	for i := range s.list {
		if n, _ := s.lang.at(section, s.list, i); n > 0 {
			return true
		}
	}
	return false
}

// opens marks the runs of a section at the beginning as noise, and reports whether there were any.
func (s *sentence) opens(section string) (any bool) {
	for {
		i := s.first()
		n, _ := s.lang.at(section, s.list, i)
		if n == 0 || i+n >= len(s.list) {
			return any
		}
		for k := range n {
			s.list[i+k].noise = true
		}
		any = true
	}
}

// correct applies a person's corrections: "two, no wait, three" becomes three, and "a mug, I mean a cup" a cup.
func (s *sentence) correct() {
	s.correctEarlier()
	for i := 1; i < len(s.list)-1; i++ {
		n, _ := s.lang.at("correcting", s.list, i)
		if n > 1 && i+n == len(s.list) { // "a large one, sorry, medium I meant"
			s.list = s.list[:i]
			continue
		}
		if n == 0 || i+n >= len(s.list) || n == 1 && !s.list[i].comma {
			continue
		}
		if from := s.articleBefore(i); from >= 0 && s.articleAt(i+n) {
			s.list = slices.Delete(s.list, from, i+n)
			continue
		}
		if n == 1 && s.shape(i+n) == "word" && !s.list[i+n].comma { // "no longer needed" corrects nothing
			continue
		}
		s.replace(i, n)
	}
}

// correctEarlier passes over a correction at the beginning, which is of an earlier sentence: "no, take it out again".
func (s *sentence) correctEarlier() {
	if n, _ := s.lang.at("correcting", s.list, 0); n > 0 && n < len(s.list) && s.list[n].comma {
		for i := range n {
			s.list[i].noise = true
		}
	}
}

// replace puts the word after a correction of n words at i in the place of the last word of the same type before it.
func (s *sentence) replace(i, n int) {
	for k := i - 1; k >= 0; k-- {
		if s.shape(k) == s.shape(i+n) {
			s.list[k] = s.list[i+n]
			s.list = slices.Delete(s.list, i, i+n+1)
			return
		}
	}
}

// articleAt reports whether an article begins at a word: with it a thing is corrected, and not a word of its name.
func (s *sentence) articleAt(i int) bool {
	n, _ := s.lang.at("one", s.list, i)
	return n > 0
}

// articleBefore returns the place of the last article before a word, -1 for none.
func (s *sentence) articleBefore(i int) int {
	for i--; i >= 0 && !s.articleAt(i); i-- {
	}
	return i
}

// shape returns the type of a word, to find the word that a correction replaces.
func (s *sentence) shape(i int) string {
	if n, _ := s.numeral(i); n > 0 {
		return "number"
	}
	if n, _ := s.lang.at("size words", s.list, i); n > 0 {
		return "size"
	}
	if text := s.list[i].text; text != s.list[i].word && i > 0 {
		return "name"
	}
	return "word"
}

// inFound reports whether a word belongs to a value of a kind.
func (s *sentence) inFound(k kind, i int) bool {
	return slices.ContainsFunc(s.found, func(f found) bool { return f.kind == k && f.i <= i && i < f.j })
}

// typedAt reports whether a word belongs to a recognised value.
func (s *sentence) typedAt(i int) bool {
	return slices.ContainsFunc(s.found, func(f found) bool { return f.kind != anArticle && f.i <= i && i < f.j })
}

// joins reports whether a word is a conjunction.
func (s *sentence) joins(i int) bool {
	n, _ := s.lang.at("conjunctions", s.list, i)
	return n > 0
}

// verbatim returns the original text of a range of words, with the signs attached to them, such as a plus before a
// number, a bracket or quotation marks. It returns a single quotation without its marks.
func (s *sentence) verbatim(i, j int) string {
	list := s.list[i:j]
	said := strings.Trim(words(s.said, list), " ,;:")
	from, to := list[0].start, list[len(list)-1].end
	if len(list) == 1 && list[0].quoted || from >= to || to > len(s.said) || s.said[from:to] != said {
		return said // a correction may have changed the order of the words
	}
	least, most := 0, len(s.said)
	if i > 0 {
		least = s.list[i-1].end
	}
	if j < len(s.list) {
		most = s.list[j].start
	}
	for from > least {
		r, size := utf8.DecodeLastRuneInString(s.said[:from])
		if unicode.IsSpace(r) || strings.ContainsRune(",;:–—", r) {
			break
		}
		from -= size
	}
	for to < most {
		r, size := utf8.DecodeRuneInString(s.said[to:])
		if unicode.IsSpace(r) || strings.ContainsRune(",;:.!?…–—", r) {
			break
		}
		to += size
	}
	return s.said[from:to]
}
