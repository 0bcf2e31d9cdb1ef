package lexicon

import "slices"

// WithoutContrast leaves out what is said not to be meant, where what is meant was
// said before it: a number behind a number, or a few words with an article.
func WithoutContrast(list []Token) []Token {
	for i := 1; i+1 < len(list); i++ {
		n := LongestRun(contrasting, list[i:])
		if n == 0 || i+n >= len(list) || n == 1 && !list[i].Comma {
			continue
		}
		rest := list[i+n:]
		to := countAt(rest)
		if to == 0 && Articles[rest[0].Word] && len(rest) > 1 {
			for to = 2; to < len(rest) && to < 3 && !Linking[rest[to].Word] && !rest[to].Comma; to++ {
			}
		}
		if to == 0 || to < len(rest) && !Linking[rest[to].Word] && !rest[to].Comma {
			continue
		}
		return slices.Concat(list[:i], rest[to:])
	}
	return list
}
