package core

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/shop/internal/text"
)

// Filter selects rows of a source: conditions on t, all of which must hold, and their arguments.
type Filter struct {
	where []string
	Args  []any
}

// And returns the filter with an additional condition.
func (n Filter) And(condition string, args ...any) Filter {
	return Filter{append(slices.Clip(n.where), condition), append(slices.Clip(n.Args), args...)}
}

// String returns the conditions as one condition.
func (n Filter) String() string { return "(" + strings.Join(n.where, ") AND (") + ")" }

// maxWords bounds the work of one query; further words are ignored.
const maxWords = 8

// holding selects the rows that contain every word in one of its spellings.
func holding(words []string, other map[string]string) (n Filter) {
	for _, w := range words[:min(len(words), maxWords)] {
		n = n.And("instr(t.search_fold, ?) OR instr(t.search_fold, ?)", w, cmp.Or(other[w], w))
	}
	return n
}

// CalledSo selects the rows whose name has words with the given beginnings.
func CalledSo(name string) (n Filter) {
	other := text.Spellings(name)
	for _, w := range text.Words(name) {
		n = n.And(`instr(t.name_fold, ?) OR instr(t.name_fold, ?)`, " "+w, " "+strings.TrimLeft(cmp.Or(other[w], w), " "))
	}
	return n
}

// named returns the arguments of src.Exact.
func (src Source) named(query string) []any {
	if src.Named != nil {
		return src.Named(query)
	}
	return slices.Repeat([]any{query}, strings.Count(src.Exact, "?"))
}

// Matching narrows the filter to all rows that Search finds with the query, over all pages. It serves callers that need
// every row, in their own order.
func (src Source) Matching(ctx context.Context, query string, n Filter) (Filter, error) {
	if src.Only != "" {
		n = n.And(src.Only)
	}
	given, words := strings.TrimSpace(query), text.Words(query)
	if given == "" {
		return n.And("1"), nil
	}
	hits, _, err := Search(ctx, src, query, PageIn{Limit: 1}, n)
	if err != nil {
		return n, err
	}
	if len(hits) > 0 {
		words = hits[0].words
	}
	if len(words) == 0 || src.Flat && len(hits) > 0 && hits[0].score == rankExact {
		return n.And(src.Exact, src.named(given)...), nil
	}
	all := holding(words, text.Spellings(query))
	return n.And(src.Exact+" OR "+all.String(), append(src.named(given), all.Args...)...), nil
}
