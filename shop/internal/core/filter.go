package core

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/shop/internal/text"
)

// Filter is which rows of a source are meant: conditions on t, all of which hold, and what stands in them.
type Filter struct {
	where []string
	Args  []any
}

// And is the filter with one condition more.
func (n Filter) And(condition string, args ...any) Filter {
	return Filter{append(slices.Clip(n.where), condition), append(slices.Clip(n.Args), args...)}
}

// String is the conditions as one.
func (n Filter) String() string { return "(" + strings.Join(n.where, ") AND (") + ")" }

// maxWords bounds the work of one query; further words are ignored.
const maxWords = 8

// holding are the rows with every word, in one of its spellings.
func holding(words []string, other map[string]string) (n Filter) {
	for _, w := range words[:min(len(words), maxWords)] {
		n = n.And("instr(t.search_fold, ?) OR instr(t.search_fold, ?)", w, cmp.Or(other[w], w))
	}
	return n
}

// CalledSo are the rows whose name has words that begin with those given.
func CalledSo(name string) (n Filter) {
	other := text.Spellings(name)
	for _, w := range text.Words(name) {
		n = n.And(`instr(t.name_fold, ?) OR instr(t.name_fold, ?)`, " "+w, " "+strings.TrimLeft(cmp.Or(other[w], w), " "))
	}
	return n
}

// named are the arguments of src.Exact.
func (src Source) named(query string) []any {
	if src.Named != nil {
		return src.Named(query)
	}
	return slices.Repeat([]any{query}, strings.Count(src.Exact, "?"))
}

// Matching narrows to everything that search finds with the same query, page after
// page: for who wants all of it and has an order of their own.
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
