package lexicon

import (
	"cmp"
	"slices"
)

// SameWord lets a plural stand for a singular.
func SameWord(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	switch len(a) - len(b) {
	case 0:
		return a == b
	case 1:
		return len(b) > 2 && a[len(b)] == 's' && a[:len(b)] == b
	case 2:
		return len(b) > 2 && a[len(b):] == "es" && a[:len(b)] == b
	}
	return false
}

// SaysSame says that a word does for a phrase's word.
func SaysSame(said, meant string) bool {
	return SameWord(said, meant) || Misspelt(said, meant) || len(said) <= 7 && len(meant) <= 7 &&
		cmp.Or(alike[said], said) == cmp.Or(alike[meant], meant) // words that join alike
}

// Misspelt lets a slip of the pen stand for a longer word, unless what was
// written is another word that commands are made of.
func Misspelt(said, meant string) bool {
	return len(said) >= 5 && len(meant) >= 5 && said[0] == meant[0] && !Undoable[said] && !Guards[said] && Slip(said, meant)
}

// AsSaid gives words back as they were said: a name is not put into other words.
func AsSaid(list []Token) []Token {
	out := slices.Clone(list)
	for i := range out {
		if !out[i].short && out[i].Word != "'s" {
			out[i].Word = out[i].Folded
		}
	}
	return out
}

// Slip says that two words differ by one letter: another, one more or two exchanged.
func Slip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	return i == len(a) || a[i+1:] == b[i+1:] ||
		i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
