package recount

import (
	"context"
	"slices"

	"github.com/deskhand/deskhand/shop/internal/core"
)

// words is a full-text index of rows: every three-letter sequence of a text followed by a space.
type words struct {
	says   string
	index  string // the table; index_places lists the letters of each row
	rows   string // a query for the place and the text of each row
	except string // a query for places that the index may not contain yet
}

// letters sums up the positions of a letter sequence. Two indexes with equal sums for all sequences have the same
// sequences in the same rows, unless differences cancel out.
type letters struct{ rows, low, high, both int64 }

func (l *letters) add(place int64) {
	low, high := place&(1<<24-1), place>>24
	l.rows, l.low, l.high, l.both = l.rows+1, l.low+low, l.high+high, l.both+low*high%1_000_003
}

// sumLetters computes letters in SQL.
const sumLetters = `COUNT(*), SUM(doc & 16777215), SUM(doc >> 24), SUM((doc & 16777215) * (doc >> 24) % 1000003)`

// check compares the index with the rows.
func (w words) check(ctx context.Context, found func(string)) error {
	except, err := core.List(ctx, core.ScanInt, w.except)
	if err != nil {
		return err
	}
	waits := map[int64]bool{}
	for _, place := range except {
		waits[place] = true
	}
	want, places := map[string]letters{}, map[int64]bool{}
	var begun []string // of the row, sorted
	_, err = core.List(ctx, func(r core.Row) (none struct{}, err error) {
		var place int64
		var text string
		if err := r.Scan(&place, &text); err != nil || waits[place] {
			return none, err
		}
		places[place] = true
		begun = trigrams(begun[:0], text+" ")
		for _, three := range begun {
			l := want[three]
			l.add(place)
			want[three] = l
		}
		return none, nil
	}, w.rows)
	if err != nil {
		return err
	}
	wrong := false
	if _, err = core.List(ctx, func(r core.Row) (none struct{}, err error) {
		var three string
		var l letters
		if err := r.Scan(&three, &l.rows, &l.low, &l.high, &l.both); err != nil {
			return none, err
		}
		wrong = wrong || want[three] != l
		delete(want, three)
		return none, nil
	}, `SELECT term, `+sumLetters+` FROM `+w.index+`_places WHERE doc NOT IN (`+w.except+`) GROUP BY term`); err != nil {
		return err
	}
	if _, err = core.List(ctx, func(r core.Row) (none struct{}, err error) {
		place, err := core.ScanInt(r)
		wrong = wrong || !waits[place] && !places[place]
		delete(places, place)
		return none, err
	}, `SELECT rowid FROM `+w.index); err != nil {
		return err
	}
	if wrong || len(want) > 0 || len(places) > 0 {
		found(w.says)
	}
	return nil
}

// trigrams appends every three-letter sequence of a text, each once.
func trigrams(to []string, text string) []string {
	var at [3]int // start positions of the last letters
	n := 0
	for i := range text {
		if n++; n > 3 {
			to = append(to, text[at[0]:i])
		}
		at[0], at[1], at[2] = at[1], at[2], i
	}
	if n >= 3 {
		to = append(to, text[at[0]:])
	}
	slices.Sort(to)
	return slices.Compact(to)
}
