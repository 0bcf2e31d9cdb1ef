// Package lexicon holds the English words that the built-in assistant understands in every
// application: tokens, numbers, days, sizes, courtesies, corrections. It knows no capability.
package lexicon

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// Token is one word of a sentence. Quoted ones are talk about words, never a command.
type Token struct {
	scanned
	Word  string // the folded word; once canonical, the one it does for
	short bool   // written out from a short form
}

type scanned = text.Word

// Tokenise splits a sentence into tokens.
func Tokenise(said string) []Token {
	var list []Token
	for _, w := range text.Scan(said) {
		list = append(list, Token{scanned: w, Word: w.Folded})
	}
	return list
}

// Number reads a quantity in digits or words: 2, 2x, two, twenty-five, a couple of, half a dozen.
func Number(list []string) (float64, bool) {
	if len(list) > 1 && list[len(list)-1] == "of" {
		list = list[:len(list)-1] // "a couple of"
	}
	if n := len(list) - 1; n > 0 && containers[strings.TrimSuffix(list[n], "s")] {
		list = list[:n] // "3 bags"
	}
	switch len(list) {
	case 1:
		w := list[0]
		if n, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSuffix(w, "x"), ",", ""), 64); err == nil && DigitFirst(w) {
			return n, true
		}
		if n, ok := text.NumberWords[w]; ok {
			return float64(n), true
		}
		tens, ones, ok := strings.Cut(w, "-")
		if ok {
			return Number([]string{tens, ones})
		}
	case 2:
		a, okA := Number(list[:1])
		b, okB := Number(list[1:])
		switch {
		case list[1] == "x" && okA:
			return a, true
		case list[0] == "half" && okB:
			return b / 2, true
		case okA && okB && (b == 12 || b == 100) && a < 12: // two dozen, three hundred
			return a * b, true
		case okA && okB && a >= 20 && a <= 90 && b < 10:
			return a + b, true
		}
	case 3:
		if list[0] == "half" && Noise[list[1]] {
			return Number([]string{list[0], list[2]})
		}
	}
	return 0, false
}

func DigitFirst(w string) bool {
	w = strings.TrimPrefix(w, "-")
	return w != "" && w[0] >= '0' && w[0] <= '9'
}

// Canonical replaces words by the one that stands for them.
func (l *Lexicon) Canonical(list []Token) []Token {
	out := make([]Token, 0, len(list))
	for _, t := range list {
		if !t.Quoted {
			t.Word = l.Stands(t.Word)
		}
		out = append(out, t)
	}
	for _, r := range sameRuns {
		run, word := r[:len(r)-2], r[len(r)-1]
		for i := 0; i+len(run) <= len(out); i++ {
			if RunAt(out[i:], run) {
				t := out[i]
				t.Word, t.End = word, out[i+len(run)-1].End
				out = slices.Replace(out, i, i+len(run), t)
			}
		}
	}
	return out
}

func RunAt(list []Token, run []string) bool {
	if len(list) < len(run) {
		return false
	}
	for i, w := range run {
		if list[i].Word != w || list[i].Quoted {
			return false
		}
	}
	return true
}

// LongestRun is the length of the longest run of words that the list begins with, 0 for none.
func LongestRun(runs [][]string, list []Token) (n int) {
	for _, run := range runs {
		if len(run) > n && RunAt(list, run) {
			n = len(run)
		}
	}
	return n
}

// Wish counts the leading words that introduce another person's wish: "Ana wants to".
func Wish(list []Token) int {
	if len(list) > 3 && list[0].Word == "let" && !Joining[list[1].Word] { // "let Ana pay it by card"
		if list[2].Folded[0] == list[2].Text[0] {
			return 2
		}
		return 3
	}
	for n := 1; n <= 2 && n+2 < len(list); n++ {
		switch {
		case Guards[list[n-1].Word] || Noise[list[n-1].Word] || list[n-1].Quoted:
			return 0
		case RunAt(list[n:], []string{"wants", "to"}), RunAt(list[n:], []string{"needs", "to"}):
			return n + 2
		case n+3 < len(list) && RunAt(list[n:], []string{"would", "like", "to"}):
			return n + 3
		}
	}
	return 0
}

// Instruction takes the courtesies off either end of a sentence. polite tells
// that it was put as a request, so that its question mark means nothing.
func (l *Lexicon) Instruction(list []Token) (rest []Token, polite bool) {
	for n := 1; n > 0 && len(list) > 0; list = list[n:] {
		if n = LongestRun(l.courtesies, list[:len(list)-1]); n > 0 {
			polite = polite || list[n-1].Word == "you" || list[0].Word == "i" || list[0].Word == "she"
		}
	}
	ends := func(run []string) bool { return len(run) < len(list) && RunAt(list[len(list)-len(run):], run) }
	for i := slices.IndexFunc(farewells, ends); i >= 0; i = slices.IndexFunc(farewells, ends) {
		list = list[:len(list)-len(farewells[i])]
	}
	return list, polite
}

func PlainWords(list []Token) []string {
	var words []string
	for _, t := range list {
		words = append(words, t.Word)
	}
	return words
}

// IsCode reports whether a word is the number of a thing rather than a name.
func IsCode(w string) bool { return len(w) > 4 && strings.ContainsAny(w, "0123456789") }

func (l *Lexicon) CanonicalWords(s string) []string { return PlainWords(l.Canonical(Tokenise(s))) }
