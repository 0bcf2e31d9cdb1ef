package lexicon

import (
	"strings"
	"unicode"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// Sentences cuts a text where a sentence ends: at . ! ? ; or a line's end,
// outside quotation marks and not behind an abbreviation.
func Sentences(said string) []string {
	runes, at, inside := text.Runes(said)
	var list []string
	from := 0
	cut := func(to int) {
		if s := strings.TrimSpace(said[at[from]:at[to]]); len(Tokenise(s)) > 0 {
			list = append(list, s)
		}
		from = to
	}
	for i, r := range runes {
		last := i+1 == len(runes) || unicode.IsSpace(runes[i+1])
		switch {
		case inside[i] && !(r == '"' && i > 0 && strings.ContainsRune(".!?", runes[i-1])):
		case r == '\n', r == ';', last && (r == '!' || r == '?'), last && r == '.' && !abbreviated(runes[from:i]):
			cut(i + 1)
		}
	}
	cut(len(runes))
	return list
}

// abbreviated says that the word before a full stop is short for another.
func abbreviated(before []rune) bool {
	i := len(before)
	for i > 0 && unicode.IsLetter(before[i-1]) {
		i--
	}
	w := text.Fold(string(before[i:]))
	return abbreviations[w] || len(w) == 1 && w != "a" && w != "i"
}
