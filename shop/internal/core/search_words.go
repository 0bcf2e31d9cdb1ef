package core

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/deskhand/deskhand/audit"
)

// Orders are found by their words in derived_words, where every three letters on
// end of what an order is found by stand with its place: the second it was placed
// in and its number the other way round, so that places from the last to the first
// are orders from the newest, and of one moment by number. Letters narrow down;
// what is found is what has the words. Changed orders are in derived_unsorted
// first, and looked at one by one.

const (
	placeSecond = 24 // bits from which on a place is a second
	placeNumber = 1<<24 - 1
)

// orderOfPlace is the number of the order at the place f.place, in SQL.
const orderOfPlace = `printf('#W%07d', 16777215 - (f.place & 16777215))`

// Places are looked at by so many: few at first, since most words fill a page.
const (
	placesAtFirst = 200
	placesAtOnce  = 1000
)

// sought are the orders with every word, newest first. Words of many orders are
// found among the newest; others by their letters.
func (q *ranking) sought(ctx context.Context) ([]Hit, error) {
	score := rankFlat * len(q.words)
	if !q.first && q.from.Score > score {
		return nil, nil
	}
	hits, err := q.amongNext(ctx, score)
	if err != nil || len(hits) == q.limit {
		return hits, err
	}
	match, none, err := q.lettersOf(ctx, q.words)
	switch {
	case err != nil:
		return nil, err
	case match == "" && !none:
		return q.inOrder(ctx, score, q.words)
	}
	hits = []Hit{}
	high, lowest, err := q.between(ctx, score)
	if err != nil {
		return nil, err
	}
	for n := placesAtFirst; ; n = placesAtOnce {
		places, low, err := candidates(ctx, match, high, n)
		if err != nil {
			return nil, err
		}
		found, err := q.at(ctx, score, places, q.limit-len(hits))
		hits = append(hits, found...)
		if err != nil || len(hits) == q.limit || low <= lowest {
			return hits, err
		}
		high = low - 1
	}
}

// between are the places among which the rows of a score are looked for: after the
// page before, and from the newest to the oldest order that the filter leaves.
func (q *ranking) between(ctx context.Context, score int) (high, low int64, err error) {
	const left = `SELECT COALESCE(MAX(at), 0), COALESCE(MIN(at), 0) FROM (SELECT * FROM (SELECT placed_at / 1000 AS at
		FROM orders t WHERE %[1]s ORDER BY placed_at DESC LIMIT 1)
		UNION ALL SELECT * FROM (SELECT placed_at / 1000 FROM orders t WHERE %[1]s ORDER BY placed_at LIMIT 1))`
	var newest, oldest int64
	query := fmt.Sprintf(left, strings.Join(q.filter, " AND "))
	if err := audit.Tx(ctx).QueryRow(ctx, query, slices.Concat(q.args, q.args)...).Scan(&newest, &oldest); err != nil {
		return 0, 0, err
	}
	high = newest<<placeSecond | placeNumber
	if n, err := strconv.ParseInt(q.from.Sort, 10, 64); err == nil && q.from.Score == score {
		high = min(high, timeOfSort(n)/1000<<placeSecond|placeNumber)
	}
	return high, oldest << placeSecond, nil
}

// amongNext are those of the next orders that have every word: a page is full of
// them when many have.
func (q *ranking) amongNext(ctx context.Context, score int) ([]Hit, error) {
	near := *q
	near.filter, near.args, near.first = nil, nil, true
	inside := q.filter
	if !q.first && q.from.Score == score {
		later, args := q.After(q.from)
		inside, near.tableArgs = append([]string{later}, inside...), args
	}
	near.Table = `(SELECT t.id, t.placed_at, t.status, t.customer_id, t.search_fold FROM orders t
		WHERE ` + strings.Join(inside, " AND ") +
		` ORDER BY ` + q.Order + ` LIMIT ` + strconv.Itoa(probed) + `) t CROSS JOIN customers c ON c.id = t.customer_id`
	near.tableArgs = append(near.tableArgs, q.args...)
	return near.inOrder(ctx, score, near.words)
}

// lettersOf is what the index of letters is asked for: a word by three letters after the
// other, and its last three; a number, which shares them with many, by any three. A
// shorter word begins some. none means that no order in it has them, and neither a
// question nor none that they are of no help.
func (src Source) lettersOf(ctx context.Context, words []string) (match string, none bool, err error) {
	var all []string
	for _, w := range words {
		runes := []rune(w)
		if len(runes) > 2 {
			step := 3
			if strings.ContainsAny(w, "0123456789") {
				step = 1
			}
			last := len(runes) - 3
			for from := 0; from < last; from += step {
				all = append(all, quoted(string(runes[from:from+3])))
			}
			all = append(all, quoted(string(runes[last:])))
			continue
		}
		begun, err := List(ctx, ScanText, `SELECT term FROM `+src.Terms+` WHERE term >= ? AND term < ? LIMIT ?`, w, w+
			string(utf8.MaxRune), maxBegun+1)
		switch {
		case err != nil || len(begun) == 0:
			return "", err == nil, err
		case len(begun) <= maxBegun:
			for i, letters := range begun {
				begun[i] = quoted(letters)
			}
			all = append(all, "("+strings.Join(begun, " OR ")+")")
		}
	}
	slices.Sort(all)
	all, err = src.rarest(ctx, slices.Compact(all))
	return strings.Join(all, " AND "), false, err
}

// askedFor is how many letters are asked for at most. What nearly every row has
// costs the index a walk through all of them and leaves out next to none.
const askedFor = 4

// rarest are the letters that few rows have: of each as many are counted, from the
// last row, and where that ends tells how far apart they are.
func (src Source) rarest(ctx context.Context, all []string) ([]string, error) {
	if len(all) <= askedFor {
		return all, nil
	}
	const counted = 50
	apart := make(map[string]int64, len(all)) // the place it ended at; 0 where there are fewer
	for _, letters := range all {
		at, _, err := Find(ctx, ScanInt, `SELECT rowid FROM `+src.Letters+` WHERE `+src.Letters+
			` MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?`, letters, counted)
		if err != nil {
			return nil, err
		}
		apart[letters] = at
	}
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(apart[a], apart[b]) })
	return all[:askedFor], nil
}

// maxBegun bounds the alternatives for a short word: with more, it is common.
const maxBegun = 100

// quoted is a string of the full-text index's own language.
func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// candidates are about n places up to high where the letters stand, and what lies
// beside them unsorted. All placed in the second of the last are among them.
// All places from low to high are looked at then; none is left below 0.
func candidates(ctx context.Context, match string, high int64, n int) (places []int64, low int64, err error) {
	const found = `SELECT rowid FROM derived_words WHERE derived_words MATCH ? AND rowid <= ? AND rowid >= ?
		ORDER BY rowid DESC LIMIT ?`
	if match != "" {
		if places, err = List(ctx, ScanInt, found, match, high, 0, n); err != nil {
			return nil, 0, err
		}
	}
	if len(places) == n {
		last := places[n-1]
		low = last &^ placeNumber
		rest, err := List(ctx, ScanInt, found, match, last-1, low, placeNumber)
		if err != nil {
			return nil, 0, err
		}
		places = append(places, rest...)
	}
	unsorted, err := List(ctx, ScanInt, `SELECT place FROM derived_unsorted WHERE place BETWEEN ? AND ?`, low, high)
	return append(places, unsorted...), low, err
}

// at are the orders at some places that have every word.
func (q *ranking) at(ctx context.Context, score int, places []int64, limit int) ([]Hit, error) {
	list, err := json.Marshal(places)
	if err != nil {
		return nil, err
	}
	there := *q
	there.limit = limit
	there.Table = `(SELECT DISTINCT value AS place FROM json_each(?)) f CROSS JOIN orders t ON t.id = ` + orderOfPlace +
		` AND t.placed_at / 1000 = f.place >> 24
		CROSS JOIN customers c ON c.id = t.customer_id`
	there.tableArgs = []any{string(list)}
	return there.inOrder(ctx, score, q.words)
}
