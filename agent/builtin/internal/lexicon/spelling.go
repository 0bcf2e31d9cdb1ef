package lexicon

import "strings"

// maxSpellings bounds how many sentences one phrase stands for.
const maxSpellings = 256

// Spellings writes out the sentences a phrase stands for: "(add|put) a pen" is
// "add a pen" and "put a pen". The first is the one that is shown.
func Spellings(phrase string) []string {
	before, more, _ := strings.Cut(phrase, "(")
	inside, after, closed := strings.Cut(more, ")")
	if !closed {
		return []string{phrase}
	}
	rest := Spellings(after)
	var all []string
	for either := range strings.SplitSeq(inside, "|") {
		for _, r := range rest {
			if len(all) == maxSpellings {
				return all
			}
			all = append(all, before+either+r)
		}
	}
	return all
}
