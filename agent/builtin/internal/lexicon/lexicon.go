package lexicon

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Lexicon is the language together with the words of an application's domain. It is not changed once it is made.
type Lexicon struct {
	same       map[string]string // by word: the one that stands for it
	short      map[string]string // by short form: the words it is short for
	courtesies [][]string        // what a sentence may begin with

	People []string // words for those on whose behalf things are done; also names of fields that name one
	Codes  []string // fields whose value names a thing, beside those that every domain has
}

// New makes a lexicon. words lists other ways to say a word of the domain; one that the
// word begins with is its short form.
func New(words map[string][]string, people, codes []string) *Lexicon {
	l := &Lexicon{same: maps.Clone(same), short: maps.Clone(shortForms), courtesies: slices.Clone(courtesies), People: people, Codes: codes}
	for _, word := range slices.Sorted(maps.Keys(words)) {
		for _, other := range words[word] {
			if strings.HasPrefix(strings.TrimSuffix(word, "s"), strings.TrimSuffix(other, "s")) {
				l.short[other] = word
			} else {
				l.same[other] = word
			}
		}
	}
	for _, one := range people {
		l.courtesies = append(l.courtesies, strings.Fields("the "+one+" wants to"), strings.Fields("the "+one+" would like to"))
	}
	return l
}

// Stands is the word that does for another in phrases and sentences alike; mostly itself.
func (l *Lexicon) Stands(w string) string { return cmp.Or(l.same[w], w) }
