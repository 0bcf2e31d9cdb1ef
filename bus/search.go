package bus

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
)

// searchIndex finds capabilities by words with BM25 over their texts. Everything except the sum is precomputed. It
// never changes.
type searchIndex struct {
	places map[string][]posting // by term
	terms  []string             // sorted, for incomplete words
	size   int                  // number of capabilities
}

// posting is a term's weight for one capability.
type posting struct {
	at     int
	weight float64
}

// hit is a capability that was found.
type hit struct {
	at    int
	score float64
}

// The usual constants of BM25: the saturation of repeated words, and the reduction for long texts.
const (
	saturation = 1.2
	longText   = 0.75
)

// The weights of a word by its position.
const (
	inName   = 3
	inTitle  = 3
	inPhrase = 2
	inTags   = 2
	inText   = 1
)

func newSearchIndex(caps []*registered) *searchIndex {
	x := &searchIndex{places: map[string][]posting{}, size: len(caps)}
	lengths := make([]float64, len(caps))
	total := 0.0
	for i, c := range caps {
		counts := countTerms(&c.Capability)
		for _, term := range slices.Sorted(maps.Keys(counts)) {
			x.places[term] = append(x.places[term], posting{i, counts[term]})
			lengths[i] += counts[term]
		}
		total += lengths[i]
	}
	mean := total / float64(max(1, len(caps)))
	for _, list := range x.places {
		n := float64(len(list))
		rarity := math.Log(1 + (float64(len(caps))-n+0.5)/(n+0.5))
		for i, p := range list {
			length := 1 - longText + longText*lengths[p.at]/mean
			list[i].weight = rarity * p.weight * (saturation + 1) / (p.weight + saturation*length)
		}
	}
	x.terms = slices.Sorted(maps.Keys(x.places))
	return x
}

func countTerms(c *Capability) map[string]float64 {
	counts := map[string]float64{}
	add := func(weight float64, texts ...string) {
		for _, text := range texts {
			for _, term := range terms(text) {
				counts[term] += weight
			}
		}
	}
	add(inName, c.Name)
	add(inTitle, c.Title)
	add(inText, c.Description)
	add(inTags, c.Listing.Category, c.Listing.Group)
	add(inTags, c.Listing.Tags...)
	add(inPhrase, c.Assistant.Phrases...)
	return counts
}

// stopWords carry no meaning. In a small application they would count as rare.
var stopWords = strings.Fields("a an and by do for from i in is it of on or that the this to use with")

// terms splits a text into words, at characters other than letters and digits and inside camelCase. It replaces plurals
// by singulars and omits stop words.
func terms(text string) []string {
	var list []string
	var word []rune
	end := func() {
		if n := len(word); n > 3 && word[n-1] == 's' && word[n-2] != 's' {
			word = word[:n-1]
		}
		if len(word) > 0 && !slices.Contains(stopWords, string(word)) {
			list = append(list, string(word))
		}
		word = word[:0]
	}
	lower := false // the last letter was lower case
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) || lower && unicode.IsUpper(r) {
			end()
		}
		lower = unicode.IsLower(r)
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			word = append(word, unicode.ToLower(r))
		}
	}
	end()
	return list
}

// maxEndings limits the completions of an incomplete word.
const maxEndings = 16

// search returns the best n capabilities that keep accepts and that follow after (nil: from the best), best first,
// equal ones in order of index.
func (x *searchIndex) search(query string, n int, after *hit, keep func(at int) bool) []hit {
	scores := make([]float64, x.size)
	for _, term := range terms(query) {
		if list, known := x.places[term]; known {
			for _, p := range list {
				scores[p.at] += p.weight
			}
			continue
		}
		from, _ := slices.BinarySearch(x.terms, term)
		for _, longer := range x.terms[from:min(from+maxEndings, len(x.terms))] {
			if !strings.HasPrefix(longer, term) {
				break
			}
			for _, p := range x.places[longer] {
				scores[p.at] += p.weight / 2
			}
		}
	}
	best := make([]hit, 0, n+1)
	for at, score := range scores {
		h := hit{at, score}
		switch {
		case score == 0, after != nil && compareHits(h, *after) <= 0:
		case len(best) == n && compareHits(h, best[n-1]) > 0:
		case keep(at):
			place, _ := slices.BinarySearchFunc(best, h, compareHits)
			best = slices.Insert(best, place, h)
			best = best[:min(n, len(best))]
		}
	}
	return best
}

// compareHits sorts the better hit first.
func compareHits(a, b hit) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	return cmp.Compare(a.at, b.at)
}
