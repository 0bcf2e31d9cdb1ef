package core

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/deskhand/deskhand/shop/internal/text"
)

// SpellingIn enables the correction of typing errors. A caller that acts on hits unseen should not enable it.
type SpellingIn struct {
	Forgiving bool `json:"forgiving,omitempty" doc:"If nothing is found, what is spelt nearly so."`
}

// As returns the source with the correction of typing errors on or off.
func (src Source) As(in SpellingIn) Source {
	src.forgiving = in.Forgiving
	return src
}

// corrected replaces words that occur in no name by the nearest known word, the most frequent of several. It returns
// nil if a word has no near one.
func (src Source) corrected(ctx context.Context, words []string) ([]string, error) {
	if !src.forgiving || src.Names == "" || len(words) == 0 || len(words) > maxWords {
		return nil, nil
	}
	names, err := List(ctx, ScanText, src.Names)
	if err != nil {
		return nil, err
	}
	known := map[string]int{}
	for _, name := range names {
		for word := range strings.FieldsSeq(name) {
			known[word]++
		}
	}
	near := make([]string, len(words))
	for i, w := range words {
		if near[i] = nearest(w, known); near[i] == "" {
			return nil, nil
		}
	}
	if slices.Equal(near, words) {
		return nil, nil
	}
	return near, nil
}

// nearest returns the known word that typed is meant to be or to begin. It returns typed if a known word contains it or
// if it is a number, and "" if no word is near.
func nearest(typed string, known map[string]int) string {
	if known[typed] > 0 || strings.ContainsFunc(typed, unicode.IsDigit) {
		return typed
	}
	letters := []rune(typed)
	best, least := "", text.Forgiven(len(letters))+1
	for word, n := range known {
		if strings.Contains(word, typed) {
			return typed
		}
		of := []rune(word)
		if len(of) < len(letters)-least {
			continue
		}
		errors := text.Errors(letters, of)
		if errors < least || errors == least && best != "" &&
			(n > known[best] || n == known[best] && word < best) {
			best, least = word, errors
		}
	}
	return best
}
