package core

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/shop/internal/text"
)

// Source is something that can be searched by words: a table with two folded
// columns, the name and everything. All of it is SQL written here, never input.
type Source struct {
	Kind     string
	Table    string // FROM …, the row is t
	Order    string // among equals, as an index has it
	Sort     string // the same as one text, which the hits of several kinds are ordered by; id follows
	TitleSQL string // SELECT title, subtitle: for hits of every kind
	Sub      string
	Exact    string // condition that beats every word, for example a SKU; every ? is the query
	Only     string // condition for all rows; "" is none
	Flat     bool   // how well a row fits does not matter, only that it does

	Letters string // the full-text index of every three letters on end; "" is none
	Terms   string // the three letters that are in it
	Places  string // FROM …, among the rows of its places in a JSON list, the row is t; for what is ranked

	// After is the condition for the rows that come later among equals.
	After func(CursorKey) (string, []any)
}

// Hit is one found row.
type Hit struct {
	Kind     string `json:"kind"`
	ID       string `json:"id"`
	Title    string `json:"title" x:"personal=true"`
	Subtitle string `json:"subtitle,omitempty" x:"personal=true"`

	score   int
	sort    string
	relaxed bool // found by the words without fillers and plurals
}

// Search ranks the rows of src by how well every word of the query fits — a
// whole word of the name before the beginning of one before anything inside,
// then the same in the rest — and gives one page, newest or first by name among
// equals. Words that find nothing are tried once more without fillers and
// plurals. filter and args narrow the rows.
func Search(ctx context.Context, src Source, query string, p PageIn, filter []string, args []any) ([]Hit, PageOut,
	error) {
	after, err := DecodeCursor(p.Cursor)
	if err != nil {
		return nil, PageOut{}, err
	}
	words, relaxed := text.Words(query), slices.Contains(after.Relaxed, src.Kind)
	if relaxed {
		words = text.Keywords(words)
	}
	hits, err := src.rank(ctx, query, words, p, after, filter, args)
	if err != nil {
		return nil, PageOut{}, err
	}
	if len(hits) == 0 && p.Cursor == "" {
		if keywords := text.Keywords(words); len(keywords) > 0 && strings.Join(keywords, " ") != strings.Join(words, " ") {
			relaxed, after.Relaxed = true, []string{src.Kind}
			if hits, err = src.rank(ctx, query, keywords, p, after, filter, args); err != nil {
				return nil, PageOut{}, err
			}
		}
	}
	for i := range hits {
		hits[i].relaxed = relaxed
	}
	var paged PageOut
	if len(hits) > p.Limit {
		hits = hits[:p.Limit]
		paged = PageOut{HasMore: true, NextCursor: cursorAfter(hits, after.Relaxed)}
	}
	return hits, paged, nil
}

// SearchAll gives one page of the hits of several sources, best first.
func SearchAll(ctx context.Context, sources []Source, query string, p PageIn) ([]Hit, PageOut, error) {
	all, page := []Hit{}, PageOut{}
	before, err := DecodeCursor(p.Cursor)
	if err != nil {
		return all, page, err
	}
	relaxed := before.Relaxed
	for _, src := range sources {
		hits, of, err := Search(ctx, src, query, p, nil, nil)
		if err != nil {
			return all, page, err
		}
		all = append(all, hits...)
		page.HasMore = page.HasMore || of.HasMore
		if len(hits) > 0 && hits[0].relaxed && !slices.Contains(relaxed, src.Kind) {
			relaxed = append(relaxed, src.Kind)
		}
	}
	slices.SortStableFunc(all, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.sort, b.sort), cmp.Compare(a.ID, b.ID))
	})
	if len(all) > p.Limit {
		all, page.HasMore = all[:p.Limit], true
	}
	if page.HasMore {
		page.NextCursor = cursorAfter(all, relaxed)
	}
	return all, page, nil
}

// maxWords bounds the work of one query; further words are ignored.
const maxWords = 8

// Ranks: better ones are smaller. Each word adds what it is worth to a row.
const (
	rankExact = -1
	rankWhole = 0 // a whole word of the name, and everything when nothing is asked for
	rankBegun = 1 // the beginning of one
	rankFlat  = 3 // a whole word of the rest: what a row is given when it does not matter how it fits
)

// rank reads one page and one row more, best first. What can be read in the order
// of an index is, so that it costs what the page costs and not what the table
// does.
func (src Source) rank(ctx context.Context, query string, words []string, p PageIn, after CursorKey, filter []string,
	args []any) ([]Hit, error) {
	if len(words) > maxWords {
		words = words[:maxWords]
	}
	q := &ranking{Source: src, given: strings.TrimSpace(query), words: words, limit: p.Limit + 1, from: after,
		first: p.Cursor == ""}
	q.filter, q.args = append(filter, cmp.Or(src.Only, "1")), args
	if q.given == "" {
		return q.inOrder(ctx, rankWhole, nil)
	}
	exact, err := q.exactly(ctx)
	switch {
	case err != nil || len(exact) >= q.limit || len(words) == 0: // no words: punctuation only
		return exact, err
	case src.Flat && len(exact) > 0: // a number names one order
		return exact, nil
	}
	// The longest word is the rarest, most often: most rows are done with after it.
	words = slices.SortedFunc(slices.Values(words), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	q.words = words
	var hits []Hit
	if src.Flat {
		hits, err = q.sought(ctx)
	} else {
		q.limit -= len(exact)
		hits, err = q.best(ctx)
	}
	return append(exact, hits[:min(len(hits), p.Limit+1-len(exact))]...), err
}

// best is the page of those that fit best: where many have the words whole, among
// the next of them; where few have them, among these; else among all.
func (q *ranking) best(ctx context.Context) ([]Hit, error) {
	hits, err := q.whole(ctx)
	if err != nil || len(hits) == q.limit {
		return hits, err
	}
	if few, ok, err := q.among(ctx, q.words); err != nil {
		return nil, err
	} else if ok {
		return few.ranked(ctx)
	}
	if hits, err = q.begun(ctx); err != nil || len(hits) == q.limit {
		return hits, err
	}
	return q.ranked(ctx)
}

// among is the ranking of the rows where the letters of some words stand, if they
// are few.
func (q *ranking) among(ctx context.Context, words []string) (*ranking, bool, error) {
	if q.Places == "" {
		return nil, false, nil
	}
	match, none, err := q.lettersOf(ctx, words)
	if err != nil || (match == "" && !none) {
		return nil, false, err
	}
	places := []int64{}
	if !none {
		if places, err = List(ctx, ScanInt, `SELECT rowid FROM `+q.Letters+` WHERE `+q.Letters+` MATCH ? LIMIT ?`, match,
			probed+1); err != nil || len(places) > probed {
			return nil, false, err
		}
	}
	at, err := json.Marshal(places)
	if err != nil {
		return nil, false, err
	}
	few := *q
	few.Table, few.tableArgs = q.Places, []any{string(at)}
	return &few, true, nil
}

// begun are those of one word where it is whole in few names and begins many: the
// first, and then the next ones that it begins. It is a page, or of no use.
func (q *ranking) begun(ctx context.Context) ([]Hit, error) {
	if len(q.words) != 1 || (!q.first && q.from.Score > rankBegun) {
		return nil, nil
	}
	word := " " + q.words[0]
	var hits []Hit
	if q.first || q.from.Score == rankWhole {
		few, ok, err := q.among(ctx, []string{word + " "})
		if err != nil || !ok {
			return nil, err
		}
		few.filter, few.args = append([]string{"instr(t.name_fold, ?)"}, q.filter...), append([]any{word + " "}, q.args...)
		if hits, err = few.ranked(ctx); err != nil || len(hits) == q.limit {
			return hits, err
		}
	}
	next, err := q.near(ctx, rankBegun, []string{"instr(t.name_fold, ?)", "NOT instr(t.name_fold, ?)"}, word, word+" ")
	return append(hits, next[:min(len(next), q.limit-len(hits))]...), err
}

// ranking is one page of a search being read.
type ranking struct {
	Source
	given  string // what was asked for; "" is everything
	words  []string
	filter []string
	args   []any
	limit  int
	from   CursorKey // where the page before ended
	first  bool      // there is none before

	tableArgs []any // of the table, when rows are looked for among some only
}

// exactly are the rows that the query names.
func (q *ranking) exactly(ctx context.Context) ([]Hit, error) {
	if !q.first && q.from.Score != rankExact {
		return nil, nil
	}
	where, args := append([]string{q.Exact}, q.filter...), append(times(q.given, strings.Count(q.Exact, "?")), q.args...)
	return q.read(ctx, strconv.Itoa(rankExact), where, args, !q.first)
}

// inOrder are the rows that all fit equally well, with every word somewhere. They
// are read in the order they are shown in, until there are enough.
func (q *ranking) inOrder(ctx context.Context, score int, words []string) ([]Hit, error) {
	if !q.first && q.from.Score > score {
		return nil, nil
	}
	var where []string
	var args []any
	for _, w := range words {
		where, args = append(where, "instr(t.search_fold, ?)"), append(args, w)
	}
	where, args = append(where, q.filter...), append(args, q.args...)
	if q.given != "" {
		where, args = append(where, "NOT "+q.Exact), append(args, times(q.given, strings.Count(q.Exact, "?"))...)
	}
	return q.read(ctx, strconv.Itoa(score), where, args, !q.first && q.from.Score == score)
}

// probed is how many rows are looked at for whole words of the name before all are
// for everything: words that many rows have fill a page among them.
const probed = 2000

// whole are the rows with every word whole in the name, among the next ones.
func (q *ranking) whole(ctx context.Context) ([]Hit, error) {
	if !q.first && q.from.Score > rankWhole {
		return nil, nil
	}
	var where []string
	var args []any
	for _, w := range q.words {
		where, args = append(where, "instr(t.name_fold, ?)"), append(args, " "+w+" ")
	}
	return q.near(ctx, rankWhole, where, args...)
}

// near are the rows of a score whose names meet some conditions, among the next
// ones: an index has the names, and only what meets them is read.
func (q *ranking) near(ctx context.Context, score int, where []string, args ...any) ([]Hit, error) {
	next := *q
	inside, from := "1", []any(nil)
	if !q.first && q.from.Score == score {
		inside, from = q.After(q.from)
	}
	next.Table = "(SELECT t.id FROM (SELECT t.id, t.name_fold FROM " + q.Table + " WHERE " + inside + " ORDER BY " +
		q.Order + " LIMIT " + strconv.Itoa(probed) + ") t" +
		" WHERE " + strings.Join(where, " AND ") + ") n CROSS JOIN " + q.Table + " ON t.id = n.id"
	next.tableArgs = append(from, args...)
	return next.read(ctx, strconv.Itoa(score), append([]string{"NOT " + q.Exact}, q.filter...),
		append(times(q.given, strings.Count(q.Exact, "?")), q.args...), false)
}

// read reads rows of one score, behind where the page before ended if need be.
func (q *ranking) read(ctx context.Context, score string, where []string, args []any, behind bool) ([]Hit, error) {
	if behind {
		later, more := q.After(q.from)
		where, args = append([]string{later}, where...), append(more, args...)
	}
	return q.hits(ctx, `SELECT t.id, `+score+`, `+q.Sort+`, `+q.TitleSQL+`, `+q.Sub+` FROM `+q.Table+` WHERE `+
		strings.Join(where, " AND ")+` ORDER BY `+q.Order+` LIMIT ?`, slices.Concat(q.tableArgs, args))
}

// ranked are the rows by how well each fits, but for those that the query names.
func (q *ranking) ranked(ctx context.Context) ([]Hit, error) {
	var score, where []string
	var scoreArgs, args []any
	for _, w := range q.words {
		score = append(score, `CASE instr(t.name_fold, ?) WHEN 0 THEN CASE WHEN instr(t.search_fold,
			?) THEN 3 WHEN instr(t.search_fold, ?) THEN 4 ELSE 5 END
			ELSE CASE WHEN instr(t.name_fold, ?) THEN 0 WHEN instr(t.name_fold, ?) THEN 1 ELSE 2 END END`)
		scoreArgs = append(scoreArgs, w, " "+w+" ", " "+w, " "+w+" ", " "+w)
		where, args = append(where, "instr(t.search_fold, ?)"), append(args, w)
	}
	where = slices.Concat(where, q.filter, []string{"NOT " + q.Exact})
	args = slices.Concat(scoreArgs, q.tableArgs, args, q.args, times(q.given, strings.Count(q.Exact, "?")))
	stmt := `SELECT id, score, sort, title, subtitle FROM (
		SELECT t.id AS id, ` + strings.Join(score, " + ") + ` AS score, ` + q.Sort + ` AS sort, ` + q.TitleSQL +
		` AS title, ` + q.Sub + ` AS subtitle
		FROM ` + q.Table + ` WHERE ` + strings.Join(where, " AND ") + `)`
	if !q.first {
		stmt += ` WHERE (score, sort, id) > (?, ?, ?)`
		args = append(args, q.from.Score, q.from.Sort, q.from.ID)
	}
	return q.hits(ctx, stmt+` ORDER BY score, sort, id LIMIT ?`, args)
}

func (q *ranking) hits(ctx context.Context, stmt string, args []any) ([]Hit, error) {
	return List(ctx, func(r Row) (Hit, error) {
		h := Hit{Kind: q.Kind}
		return h, r.Scan(&h.ID, &h.score, &h.sort, &h.Title, &h.Subtitle)
	}, stmt, append(args, q.limit)...)
}

func times(v any, n int) []any {
	all := make([]any, n)
	for i := range all {
		all[i] = v
	}
	return all
}

// RefoldOrder renews what an order is found by: its number, customer and products.
func RefoldOrder(ctx context.Context, orderID string) error {
	who, _, err := Find(ctx, ScanText, `SELECT c.name FROM orders o JOIN customers c ON c.id = o.customer_id
		WHERE o.id = ?`, orderID)
	if err != nil {
		return err
	}
	words, err := List(ctx, ScanText, `SELECT name || ' ' || sku FROM order_lines WHERE order_id = ?
		ORDER BY line`, orderID)
	if err != nil {
		return err
	}
	return Exec(ctx, `UPDATE orders SET name_fold = ?, search_fold = ? WHERE id = ?`,
		text.Fold(orderID, who), text.Fold(append([]string{orderID, who}, words...)...), orderID)
}

func AfterName(k CursorKey) (string, []any) {
	return `(t.name_fold, t.id) > (?, ?)`, []any{k.Sort, k.ID}
}

// AfterTime also takes a place among the hits of another kind: a name comes
// before every time.
func AfterTime(k CursorKey) (string, []any) {
	n, err := strconv.ParseInt(k.Sort, 10, 64)
	if err != nil {
		return "1", nil
	}
	at := timeOfSort(n)
	return `t.placed_at <= ? AND (t.placed_at < ? OR t.id > ?)`, []any{at, at, k.ID}
}

// timeOfSort is the moment that orderSource.sort tells: the later, the smaller.
func timeOfSort(n int64) int64 { return 999_999_999_999_999 - n }
