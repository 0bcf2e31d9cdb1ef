package builtin

import (
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/text"
)

// fit says how well an item answers to the words: each must be a word of its name or the beginning of one; the worst of
// them counts. 0 means it does not. Only an item that fits is taken; one that is merely [item.near] is asked about.
func (it item) fit(said []string) int {
	return worst(said, func(w string) int { return wordFit(w, it.primary) })
}

// worst is the lowest score of the words, 0 without words.
func worst(said []string, score func(string) int) (least int) {
	for i, w := range said {
		if n := score(w); i == 0 || n < least {
			least = n
		}
	}
	return least
}

// wordFit is 2 for the word itself, 1 for its beginning: three letters at least,
// and half of the word, so that Jon is not taken for Jónsdóttir.
func wordFit(w string, have []string) int {
	best := 0
	for _, h := range have {
		switch {
		case h == w || lexicon.SameWord(h, w), len(w) >= 4 && text.IsNumber(w) && strings.HasSuffix(h, w):
			return 2
		case len(w) >= 3 && 2*len(w) >= len(h) && strings.HasPrefix(h, w):
			best = 1
		}
	}
	return best
}

// near rates how well an item matches words that do not fit it: 2 for beginnings of words, 1 for parts of words, slips of the pen and what
// is written about it, 0 for not at all.
func (it item) near(said []string) int {
	have := slices.Concat(it.primary, it.other)
	return worst(said, func(w string) (score int) {
		for _, h := range have {
			score = max(score, nearWord(w, h))
		}
		return score
	})
}

// highest keeps the items with the highest score, none where that is 0.
func highest(items []item, score func(item) int) (top []item) {
	best := 1
	for _, it := range items {
		switch n := score(it); {
		case n > best:
			best, top = n, []item{it}
		case n == best:
			top = append(top, it)
		}
	}
	return top
}

func nearWord(w, h string) int {
	switch {
	case len(w) >= 2 && strings.HasPrefix(h, w):
		return 2
	case len(w) >= 2 && strings.Contains(h, w), len(h) >= 3 && strings.Contains(w, h):
		return 1
	case !lexicon.DigitFirst(w) && !lexicon.DigitFirst(h) && len(w) >= 4 && len(h) >= 4 && lexicon.Slip(w, h):
		return 1
	}
	return 0
}

// ledBy keeps the items that also have a word that stood before what was said, when
// some do: "the new home address" is New home, where there is a Home as well.
func ledBy(items []item, lead []lexicon.Token) []item {
	return orAll(slices.DeleteFunc(slices.Clone(items), func(it item) bool {
		return !slices.ContainsFunc(lead, func(t lexicon.Token) bool { return lexicon.Weak[t.Word] && slices.Contains(it.primary, t.Word) })
	}), items)
}

// pick chooses among the items what the words mean: the best fit, or the best fits when several are equally good.
func pick(items []item, said []string) []item {
	top := highest(items, func(it item) int { return it.fit(said) })
	if len(top) < 2 {
		return top
	}
	// A name that is exactly what was said beats one that only contains it.
	if exact := slices.DeleteFunc(slices.Clone(top), func(it item) bool { return !slices.Equal(text.Words(it.name), said) }); len(exact) == 1 {
		return exact
	}
	// "The card" is a thing of the kind card, rather than a gift card.
	kind := strings.Join(said, " ")
	if same := slices.DeleteFunc(slices.Clone(top), func(it item) bool { k, _ := it.fields["kind"].(string); return text.Fold(k) != kind }); len(same) == 1 {
		return same
	}
	return top
}
