package core

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/deskhand/deskhand/shop/internal/text"
)

// SpellingIn says whether typing errors are forgiven. Who acts on what is found unseen had better not ask for it.
type SpellingIn struct {
	Forgiving bool `json:"forgiving,omitempty" doc:"If nothing is found, what is spelt nearly so."`
}

// As is the source with or without what is only nearly spelt so.
func (src Source) As(in SpellingIn) Source {
	src.forgiving = in.Forgiving
	return src
}

// corrected are words that found nothing, those that are in no name replaced by the nearest that is, the commonest of
// several; nil where one has none near it.
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

// nearest is the known word that a typed one is meant to be or to begin; the typed one if a known one has it, or if it
// is a number; "" if none is near.
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
