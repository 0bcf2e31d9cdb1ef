package core

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/deskhand/deskhand/audit"
)

// The full-text index contains every three-letter sequence of the search text of a row. The index only narrows the
// candidates; a row matches when it contains the words. Index rows of orders have a position made of the second of the
// order and its number, inverted, so that descending positions list orders from newest to oldest.

// Limits of a query of the index. It uses only the rarest sequences, since a sequence that nearly every row contains
// costs a walk through all rows and excludes almost none.
const (
	askedFor = 4
	maxBegun = 100 // alternatives for a short word; a word with more is common
)

// lettersOf returns the index query for the rows that may contain the words, or "" if the index does not help. A word
// shorter than three letters matches any sequence that it begins. If there are too many of these, only the rows are
// searched for the word.
func (q *ranking) lettersOf(ctx context.Context, words []string) (match string, err error) {
	src := q.Source
	if src.Letters == "" {
		return "", nil
	}
	all := []string{}
	for _, w := range words {
		letters, other := []rune(w), q.other[w]
		for i := range max(0, len(letters)-2) {
			if three := string(letters[i : i+3]); other == "" || strings.Contains(other, three) {
				all = append(all, quoted(three))
			}
		}
		if len(letters) > 2 || other != "" {
			continue
		}
		begun, err := List(ctx, ScanText, `SELECT '"' || term || '"' FROM `+src.Terms+` WHERE term >= ? AND term < ?
			LIMIT ?`, w, w+string(utf8.MaxRune), maxBegun+1)
		switch {
		case err != nil:
			return "", err
		case len(begun) == 0:
			all = append(all, quoted(w)) // no row has it
		case len(begun) <= maxBegun:
			all = append(all, "("+strings.Join(begun, " OR ")+")")
		}
	}
	if len(all) == 0 {
		return "", nil
	}
	// The position of the fiftieth last entry estimates the frequency of a sequence.
	all, err = List(ctx, ScanText, `SELECT DISTINCT value FROM json_each(?) ORDER BY (SELECT rowid FROM `+src.Letters+
		` WHERE `+src.Letters+` MATCH value ORDER BY rowid DESC LIMIT 1 OFFSET 50) LIMIT ?`, JSONList(all), askedFor)
	return strings.Join(all, " AND "), err
}

// quoted returns a string literal in the syntax of the full-text index.
func quoted(s string) string { return `"` + s + `"` }

// newest returns the orders with every word, newest first. It first checks the next orders, because common words fill
// the page from those. Then it checks orders with the letters until the page is full. A filter that leaves few orders
// makes the letters unnecessary.
func (q *ranking) newest(ctx context.Context, words []string, n Filter) ([]Hit, error) {
	score := rankFlat * len(words)
	left, some := q.behind(score, q.filter)
	if !some {
		return nil, nil
	}
	where := ` FROM orders t WHERE ` + left.String()
	until, more, err := Find(ctx, ScanInt, `SELECT placed_at`+where+` ORDER BY placed_at DESC, id LIMIT 1 OFFSET ?`,
		append(left.Args, probed)...)
	if err != nil {
		return nil, err
	}
	near := n
	if more {
		near = n.And("t.placed_at >= ?", until)
	}
	hits, err := q.equals(ctx, score, near)
	if err != nil || !more || len(hits) == q.limit {
		return hits, err
	}
	match, err := q.lettersOf(ctx, words)
	if err != nil {
		return nil, err
	}
	if match == "" {
		return q.equals(ctx, score, n)
	}
	since, _, err := Find(ctx, ScanInt, `SELECT MIN(placed_at)`+where, left.Args...)
	if err != nil {
		return nil, err
	}
	n, _ = q.behind(score, n)
	rows, err := audit.Tx(ctx).QueryContext(ctx,
		q.columns(score)+` FROM `+q.Found+` WHERE t.placed_at < ?3 AND `+n.String(),
		slices.Concat([]any{match, since, until}, n.Args)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		h, err := q.scan(rows)
		if err != nil {
			return nil, err
		}
		if last := len(hits) - 1; len(hits) >= q.limit && second(hits[last]) != second(h) {
			break
		}
		hits = append(hits, h)
	}
	slices.SortFunc(hits, compareHits) // hits of the same second arrived sorted by number
	return hits[:min(len(hits), q.limit)], rows.Err()
}

// sorted returns the rows with every word in the order of the source until the page is full. It reads the candidates of
// the index if they are few, or else all rows in the order of a table index.
func (q *ranking) sorted(ctx context.Context, words []string, n Filter) ([]Hit, error) {
	score := rankFlat * len(words)
	match, few, err := q.fewWith(ctx, words)
	if err != nil || !few {
		return q.equals(ctx, score, n)
	}
	n, some := q.behind(score, n)
	if !some {
		return nil, nil
	}
	asked := []any{match}
	if q.Flat {
		asked = append(asked, 0, int64(1000)<<38) // without bounds on the time
	}
	return List(ctx, q.scan, q.columns(score)+` FROM `+q.Found+` WHERE `+n.String()+` ORDER BY `+q.Order+` LIMIT ?`,
		slices.Concat(asked, n.Args, []any{q.limit})...)
}

// fewWith returns the index query for rows that may contain the words. It reports whether the index finds at most
// probed candidates.
func (q *ranking) fewWith(ctx context.Context, words []string) (match string, few bool, err error) {
	if match, err = q.lettersOf(ctx, words); match == "" || err != nil {
		return match, false, err
	}
	found, _, err := Find(ctx, ScanInt, `SELECT COUNT(*) FROM (SELECT 1 FROM `+q.Letters+` WHERE `+q.Letters+
		` MATCH ? LIMIT ?)`, match, probed+1)
	return match, found <= probed, err
}

// second returns the second of an order's time, as text, from its sort key of 15 digits.
func second(h Hit) string { return h.sort[:12] }
