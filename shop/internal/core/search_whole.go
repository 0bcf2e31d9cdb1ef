package core

import (
	"cmp"
	"context"
	"strings"

	"github.com/deskhand/deskhand/shop/internal/text"
)

// Filter is which rows of a source are meant: conditions on t, all of which
// hold, and what stands in them.
type Filter struct {
	where []string
	Args  []any
}

func (n *Filter) Add(condition string, args ...any) {
	n.where, n.Args = append(n.where, condition), append(n.Args, args...)
}

// String is the conditions as one.
func (n Filter) String() string { return "(" + strings.Join(n.where, ") AND (") + ")" }

// Matching narrows to everything that search finds with the same query, page after
// page: for who wants all of it and has an order of their own.
func (src Source) Matching(ctx context.Context, query string, n Filter) (Filter, error) {
	n.Add(cmp.Or(src.Only, "1"))
	given := strings.TrimSpace(query)
	if given == "" {
		return n, nil
	}
	found := func(more Filter) (bool, error) {
		return Exists(ctx, `SELECT 1 FROM `+src.Table+` WHERE `+more.String(), more.Args...)
	}
	exact := n.with(src.Exact, times(given, strings.Count(src.Exact, "?"))...)
	named, err := found(exact)
	words := text.Words(given)
	if err != nil || len(words) == 0 || named && src.Flat {
		return exact, err
	}
	wide := src.worded(given, words, n)
	if some, err := found(wide); err != nil || some {
		return wide, err
	}
	if keywords := text.Keywords(words); len(keywords) > 0 {
		wide = src.worded(given, keywords, n)
	}
	return wide, nil
}

// with is the narrowing and one condition more.
func (n Filter) with(condition string, args ...any) Filter {
	return Filter{append(append([]string{}, n.where...), condition), append(append([]any{}, n.Args...), args...)}
}

// worded are the rows that a query names, and those with every word of it.
func (src Source) worded(given string, words []string, n Filter) Filter {
	inside := make([]string, 0, maxWords)
	args := times(given, strings.Count(src.Exact, "?"))
	for _, w := range words[:min(len(words), maxWords)] {
		inside, args = append(inside, "instr(t.search_fold, ?)"), append(args, w)
	}
	return n.with(src.Exact+" OR "+strings.Join(inside, " AND "), args...)
}

// ArgsBetween are the arguments of a statement in which the conditions stand between others.
func (n Filter) ArgsBetween(before []any, after ...any) []any {
	return append(append(before, n.Args...), after...)
}
