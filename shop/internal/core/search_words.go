package core

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/deskhand/deskhand/audit"
)

// A full-text index has every three letters on end of what a row is found by. Letters narrow down; what is found is
// what has the words. Those of orders stand at the order's place: the second it was placed in and its number the other
// way round, so that places from the last to the first are orders from the newest.

// What is asked of the index: the rarest letters only, since those that nearly
// every row has cost a walk through all of them and leave out next to none.
const (
	askedFor = 4
	maxBegun = 100 // alternatives for a short word: with more, it is common
)

// lettersOf is the question to the index for the rows that may have some words; "" where it is of no help. A word
// shorter than three letters is any three that it begins; if these are many, it is looked for in the rows only.
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
			all = append(all, quoted(w)) // and no row has it
		case len(begun) <= maxBegun:
			all = append(all, "("+strings.Join(begun, " OR ")+")")
		}
	}
	if len(all) == 0 {
		return "", nil
	}
	// Where the fiftieth from the last stands tells how far apart they are.
	all, err = List(ctx, ScanText, `SELECT DISTINCT value FROM json_each(?) ORDER BY (SELECT rowid FROM `+src.Letters+
		` WHERE `+src.Letters+` MATCH value ORDER BY rowid DESC LIMIT 1 OFFSET 50) LIMIT ?`, JSONList(all), askedFor)
	return strings.Join(all, " AND "), err
}

// quoted is a string of the full-text index's own language.
func quoted(s string) string { return `"` + s + `"` }

// newest are the orders with every word, newest first: those among the next ones,
// where words that many have fill the page, and others among those that have the
// letters, as far as it takes to fill it. A filter that leaves few needs no letters.
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
	slices.SortFunc(hits, compareHits) // those of a second came by number
	return hits[:min(len(hits), q.limit)], rows.Err()
}

// sorted are the rows with every word in the order of the source: those that have the letters, if they are few, else
// as an index has all of them, until the page is full.
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
		asked = append(asked, 0, int64(1000)<<38) // of any time
	}
	return List(ctx, q.scan, q.columns(score)+` FROM `+q.Found+` WHERE `+n.String()+` ORDER BY `+q.Order+` LIMIT ?`,
		slices.Concat(asked, n.Args, []any{q.limit})...)
}

// fewWith is the question to the index for rows that may have the words, and whether so few have what it asks for that
// they are worth to be looked at one by one.
func (q *ranking) fewWith(ctx context.Context, words []string) (match string, few bool, err error) {
	if match, err = q.lettersOf(ctx, words); match == "" || err != nil {
		return match, false, err
	}
	found, _, err := Find(ctx, ScanInt, `SELECT COUNT(*) FROM (SELECT 1 FROM `+q.Letters+` WHERE `+q.Letters+
		` MATCH ? LIMIT ?)`, match, probed+1)
	return match, found <= probed, err
}

// second is when an order was placed, of its time as a text of 15 digits.
func second(h Hit) string { return h.sort[:12] }
