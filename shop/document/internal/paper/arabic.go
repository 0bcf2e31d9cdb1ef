package paper

import (
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// forms holds the shapes of an Arabic letter by its position in a word; 0 if it has none.
type forms struct{ alone, last, first, middle rune }

// shapes holds the letters of Arabic, Persian and Urdu that change their shape. It derives them from Unicode: each
// presentation form decomposes into its letter, and the forms of a letter are adjacent.
var shapes = sync.OnceValue(func() map[rune]*forms {
	all := map[rune]*forms{}
	for _, block := range [][2]rune{{0xFE80, 0xFEF4}, {0xFB50, 0xFBB1}, {0xFBD3, 0xFBE9}, {0xFBFC, 0xFBFF}} {
		for r := block[0]; r <= block[1]; r++ {
			letter := []rune(norm.NFKC.String(string(r)))
			if len(letter) != 1 || letter[0] == r {
				continue
			}
			f := all[letter[0]]
			switch {
			case f == nil:
				all[letter[0]] = &forms{alone: r}
			case f.last == 0:
				f.last = r
			case f.first == 0:
				f.first = r
			case f.middle == 0:
				f.middle = r
			}
		}
	}
	return all
})

// lamAlef holds the four mandatory ligatures of lam by the alef: isolated and final form.
var lamAlef = map[rune][2]rune{'آ': {0xFEF5, 0xFEF6}, 'أ': {0xFEF7, 0xFEF8}, 'إ': {0xFEF9, 0xFEFA},
	'ا': {0xFEFB, 0xFEFC}}

// joined replaces each Arabic letter by its shape within the word. The PDF library prints characters as they are.
func joined(text []rune) []rune {
	known := shapes()
	var out []rune
	before := false // the previous letter connects to this one
	for i := 0; i < len(text); i++ {
		r := text[i]
		f := known[r]
		if f == nil {
			if !unicode.Is(unicode.Mn, r) {
				before = r == 'ـ' // a tatweel connects on both sides
			}
			out = append(out, r)
			continue
		}
		next, at := following(text, i)
		if pair, ok := lamAlef[next]; ok && r == 'ل' && at == i+1 {
			out = append(out, pair[bit(before)])
			before, i = false, at
			continue
		}
		after := f.first != 0 && (known[next] != nil && known[next].last != 0 || next == 'ـ')
		switch {
		case before && after && f.middle != 0:
			out = append(out, f.middle)
		case before && f.last != 0:
			out = append(out, f.last)
		case after:
			out = append(out, f.first)
		default:
			out = append(out, f.alone)
		}
		before = after
	}
	return out
}

// following returns the next character that is no mark on this one, and its index.
func following(text []rune, i int) (rune, int) {
	for at := i + 1; at < len(text); at++ {
		if !unicode.Is(unicode.Mn, text[at]) {
			return text[at], at
		}
	}
	return 0, len(text)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
