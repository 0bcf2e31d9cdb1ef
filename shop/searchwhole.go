package shop

import (
	"cmp"
	"context"
	"strings"

	"github.com/deskhand/deskhand/shop/internal/text"
)

// narrowing is which rows of a source are meant: conditions on t, all of which
// hold, and what stands in them.
type narrowing struct {
	where []string
	args  []any
}

func (n *narrowing) add(condition string, args ...any) {
	n.where, n.args = append(n.where, condition), append(n.args, args...)
}

// String is the conditions as one.
func (n narrowing) String() string { return "(" + strings.Join(n.where, ") AND (") + ")" }

// whole narrows to everything that search finds with the same query, page after
// page: for who wants all of it and has an order of their own.
func (src source) whole(ctx context.Context, query string, n narrowing) (narrowing, error) {
	n.add(cmp.Or(src.only, "1"))
	given := strings.TrimSpace(query)
	if given == "" {
		return n, nil
	}
	found := func(more narrowing) (bool, error) {
		return exists(ctx, `SELECT 1 FROM `+src.table+` WHERE `+more.String(), more.args...)
	}
	exact := n.with(src.exact, times(given, strings.Count(src.exact, "?"))...)
	named, err := found(exact)
	words := text.Words(given)
	if err != nil || len(words) == 0 || named && src.flat {
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
func (n narrowing) with(condition string, args ...any) narrowing {
	return narrowing{append(append([]string{}, n.where...), condition), append(append([]any{}, n.args...), args...)}
}

// worded are the rows that a query names, and those with every word of it.
func (src source) worded(given string, words []string, n narrowing) narrowing {
	inside := make([]string, 0, maxWords)
	args := times(given, strings.Count(src.exact, "?"))
	for _, w := range words[:min(len(words), maxWords)] {
		inside, args = append(inside, "instr(t.search_fold, ?)"), append(args, w)
	}
	return n.with(src.exact+" OR "+strings.Join(inside, " AND "), args...)
}

// between are the arguments of a statement in which the conditions stand between others.
func (n narrowing) between(before []any, after ...any) []any {
	return append(append(before, n.args...), after...)
}
