package builtin

import "slices"

// sameWord lets a plural stand for a singular.
func sameWord(a, b string) bool {
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

// saysSame says that a word does for a phrase's word.
func saysSame(said, meant string) bool {
	return sameWord(said, meant) || misspelt(said, meant) || len(said) <= 7 && len(meant) <= 7 && joins(said) == joins(meant)
}

// joins is the word that stands for all that join like it.
func joins(w string) string {
	if to, ok := alike[w]; ok {
		return to
	}
	return w
}

// misspelt lets a slip of the pen stand for a longer word, unless what was
// written is another word that commands are made of.
func misspelt(said, meant string) bool {
	return len(said) >= 5 && len(meant) >= 5 && said[0] == meant[0] && !undoable[said] && !guards[said] && slip(said, meant)
}

// asSaid gives words back as they were said: a name is not put into other words.
func asSaid(list []token) []token {
	out := slices.Clone(list)
	for i := range out {
		if !out[i].short && out[i].word != "'s" {
			out[i].word = out[i].plain
		}
	}
	return out
}
