package shop

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// pageIn is how every list is walked: the cursor is the nextCursor of the page before.
type pageIn struct {
	Cursor string `json:"cursor,omitempty" jsonschema:"maxLength=600"`
	Limit  int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=200,default=50"`
}

func (pageIn) DescribeFields() map[string]string {
	return map[string]string{
		"cursor": "nextCursor of the page before.",
		"limit":  "At most this many.",
	}
}

// pageOut tells whether a list goes on, and from where.
type pageOut struct {
	NextCursor string `json:"nextCursor,omitempty"`
	HasMore    bool   `json:"hasMore"`
}

// source is something that can be searched by words: a table with two folded
// columns, the name and everything. All of it is SQL written here, never input.
type source struct {
	kind  string
	table string // FROM …, the row is t
	order string // among equals, as an index has it
	sort  string // the same as one text, which the hits of several kinds are ordered by; id follows
	title string // SELECT title, subtitle: for hits of every kind
	sub   string
	exact string // condition that beats every word, for example a SKU; every ? is the query
	only  string // condition for all rows; "" is none
	flat  bool   // how well a row fits does not matter, only that it does

	letters string // the full-text index of every three letters on end; "" is none
	terms   string // the three letters that are in it
	places  string // FROM …, among the rows of its places in a JSON list, the row is t; for what is ranked

	// after is the condition for the rows that come later among equals.
	after func(cursorKey) (string, []any)
}

// hit is one found row.
type hit struct {
	Kind     string `json:"kind"`
	ID       string `json:"id"`
	Title    string `json:"title" jsonschema_extras:"x-personal=true"`
	Subtitle string `json:"subtitle,omitempty" jsonschema_extras:"x-personal=true"`

	score   int
	sort    string
	relaxed bool // found by the words without fillers and plurals
}

// cursorKey is where a page ended: the place in the ranking, and the kinds of
// which the words were relaxed.
type cursorKey struct {
	Score   int      `json:"s"`
	Sort    string   `json:"o"`
	ID      string   `json:"i"`
	Relaxed []string `json:"k,omitempty"`
}

// cursorAfter is the cursor behind the last of some hits.
func cursorAfter(hits []hit, relaxed []string) string {
	last := hits[len(hits)-1]
	return encodeCursor(cursorKey{last.score, last.sort, last.ID, relaxed})
}

// search ranks the rows of src by how well every word of the query fits — a
// whole word of the name before the beginning of one before anything inside,
// then the same in the rest — and gives one page, newest or first by name among
// equals. Words that find nothing are tried once more without fillers and
// plurals. filter and args narrow the rows.
func search(ctx context.Context, src source, query string, p pageIn, filter []string, args []any) ([]hit, pageOut, error) {
	after, err := decodeCursor(p.Cursor)
	if err != nil {
		return nil, pageOut{}, err
	}
	words, relaxed := text.Words(query), slices.Contains(after.Relaxed, src.kind)
	if relaxed {
		words = text.Keywords(words)
	}
	hits, err := src.rank(ctx, query, words, p, after, filter, args)
	if err != nil {
		return nil, pageOut{}, err
	}
	if len(hits) == 0 && p.Cursor == "" {
		if keywords := text.Keywords(words); len(keywords) > 0 && strings.Join(keywords, " ") != strings.Join(words, " ") {
			relaxed, after.Relaxed = true, []string{src.kind}
			if hits, err = src.rank(ctx, query, keywords, p, after, filter, args); err != nil {
				return nil, pageOut{}, err
			}
		}
	}
	for i := range hits {
		hits[i].relaxed = relaxed
	}
	var paged pageOut
	if len(hits) > p.Limit {
		hits = hits[:p.Limit]
		paged = pageOut{HasMore: true, NextCursor: cursorAfter(hits, after.Relaxed)}
	}
	return hits, paged, nil
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
func (src source) rank(ctx context.Context, query string, words []string, p pageIn, after cursorKey, filter []string, args []any) ([]hit, error) {
	if len(words) > maxWords {
		words = words[:maxWords]
	}
	q := &ranking{source: src, given: strings.TrimSpace(query), words: words, limit: p.Limit + 1, from: after, first: p.Cursor == ""}
	q.filter, q.args = append(filter, cmp.Or(src.only, "1")), args
	if q.given == "" {
		return q.inOrder(ctx, rankWhole, nil)
	}
	exact, err := q.exactly(ctx)
	switch {
	case err != nil || len(exact) >= q.limit || len(words) == 0: // no words: punctuation only
		return exact, err
	case src.flat && len(exact) > 0: // nobody who gives a number means another one
		return exact, nil
	}
	// The longest word is the rarest, most often: most rows are done with after it.
	words = slices.SortedFunc(slices.Values(words), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	q.words = words
	var hits []hit
	if src.flat {
		hits, err = q.sought(ctx)
	} else {
		q.limit -= len(exact)
		hits, err = q.best(ctx)
	}
	return append(exact, hits[:min(len(hits), p.Limit+1-len(exact))]...), err
}

// best is the page of those that fit best: where many have the words whole, among
// the next of them; where few have them, among these; else among all.
func (q *ranking) best(ctx context.Context) ([]hit, error) {
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
	if q.places == "" {
		return nil, false, nil
	}
	match, none, err := q.lettersOf(ctx, words)
	if err != nil || (match == "" && !none) {
		return nil, false, err
	}
	places := []int64{}
	if !none {
		if places, err = list(ctx, scanInt, `SELECT rowid FROM `+q.letters+` WHERE `+q.letters+` MATCH ? LIMIT ?`, match, probed+1); err != nil || len(places) > probed {
			return nil, false, err
		}
	}
	at, err := json.Marshal(places)
	if err != nil {
		return nil, false, err
	}
	few := *q
	few.table, few.tableArgs = q.places, []any{string(at)}
	return &few, true, nil
}

// begun are those of one word where it is whole in few names and begins many: the
// first, and then the next ones that it begins. It is a page, or of no use.
func (q *ranking) begun(ctx context.Context) ([]hit, error) {
	if len(q.words) != 1 || (!q.first && q.from.Score > rankBegun) {
		return nil, nil
	}
	word := " " + q.words[0]
	var hits []hit
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
	source
	given  string // what was asked for; "" is everything
	words  []string
	filter []string
	args   []any
	limit  int
	from   cursorKey // where the page before ended
	first  bool      // there is none before

	tableArgs []any // of the table, when rows are looked for among some only
}

// exactly are the rows that the query names.
func (q *ranking) exactly(ctx context.Context) ([]hit, error) {
	if !q.first && q.from.Score != rankExact {
		return nil, nil
	}
	where, args := append([]string{q.exact}, q.filter...), append(times(q.given, strings.Count(q.exact, "?")), q.args...)
	return q.read(ctx, strconv.Itoa(rankExact), where, args, !q.first)
}

// inOrder are the rows that all fit equally well, with every word somewhere. They
// are read in the order they are shown in, until there are enough.
func (q *ranking) inOrder(ctx context.Context, score int, words []string) ([]hit, error) {
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
		where, args = append(where, "NOT "+q.exact), append(args, times(q.given, strings.Count(q.exact, "?"))...)
	}
	return q.read(ctx, strconv.Itoa(score), where, args, !q.first && q.from.Score == score)
}

// probed is how many rows are looked at for whole words of the name before all are
// for everything: words that many rows have fill a page among them.
const probed = 2000

// whole are the rows with every word whole in the name, among the next ones.
func (q *ranking) whole(ctx context.Context) ([]hit, error) {
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
func (q *ranking) near(ctx context.Context, score int, where []string, args ...any) ([]hit, error) {
	next := *q
	inside, from := "1", []any(nil)
	if !q.first && q.from.Score == score {
		inside, from = q.after(q.from)
	}
	next.table = "(SELECT t.id FROM (SELECT t.id, t.name_fold FROM " + q.table + " WHERE " + inside + " ORDER BY " + q.order + " LIMIT " + strconv.Itoa(probed) + ") t" +
		" WHERE " + strings.Join(where, " AND ") + ") n CROSS JOIN " + q.table + " ON t.id = n.id"
	next.tableArgs = append(from, args...)
	return next.read(ctx, strconv.Itoa(score), append([]string{"NOT " + q.exact}, q.filter...), append(times(q.given, strings.Count(q.exact, "?")), q.args...), false)
}

// read reads rows of one score, behind where the page before ended if need be.
func (q *ranking) read(ctx context.Context, score string, where []string, args []any, behind bool) ([]hit, error) {
	if behind {
		later, more := q.after(q.from)
		where, args = append([]string{later}, where...), append(more, args...)
	}
	return q.hits(ctx, `SELECT t.id, `+score+`, `+q.sort+`, `+q.title+`, `+q.sub+` FROM `+q.table+` WHERE `+strings.Join(where, " AND ")+` ORDER BY `+q.order+` LIMIT ?`, slices.Concat(q.tableArgs, args))
}

// ranked are the rows by how well each fits, but for those that the query names.
func (q *ranking) ranked(ctx context.Context) ([]hit, error) {
	var score, where []string
	var scoreArgs, args []any
	for _, w := range q.words {
		score = append(score, `CASE instr(t.name_fold, ?) WHEN 0 THEN CASE WHEN instr(t.search_fold, ?) THEN 3 WHEN instr(t.search_fold, ?) THEN 4 ELSE 5 END
			ELSE CASE WHEN instr(t.name_fold, ?) THEN 0 WHEN instr(t.name_fold, ?) THEN 1 ELSE 2 END END`)
		scoreArgs = append(scoreArgs, w, " "+w+" ", " "+w, " "+w+" ", " "+w)
		where, args = append(where, "instr(t.search_fold, ?)"), append(args, w)
	}
	where = slices.Concat(where, q.filter, []string{"NOT " + q.exact})
	args = slices.Concat(scoreArgs, q.tableArgs, args, q.args, times(q.given, strings.Count(q.exact, "?")))
	stmt := `SELECT id, score, sort, title, subtitle FROM (
		SELECT t.id AS id, ` + strings.Join(score, " + ") + ` AS score, ` + q.sort + ` AS sort, ` + q.title + ` AS title, ` + q.sub + ` AS subtitle
		FROM ` + q.table + ` WHERE ` + strings.Join(where, " AND ") + `)`
	if !q.first {
		stmt += ` WHERE (score, sort, id) > (?, ?, ?)`
		args = append(args, q.from.Score, q.from.Sort, q.from.ID)
	}
	return q.hits(ctx, stmt+` ORDER BY score, sort, id LIMIT ?`, args)
}

func (q *ranking) hits(ctx context.Context, stmt string, args []any) ([]hit, error) {
	return list(ctx, func(r row) (hit, error) {
		h := hit{Kind: q.kind}
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

func encodeCursor(k cursorKey) string {
	data, err := json.Marshal(k)
	if err != nil {
		panic("shop: " + err.Error()) // strings and numbers always marshal
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

func decodeCursor(s string) (cursorKey, error) {
	var k cursorKey
	if s == "" {
		return k, nil
	}
	data, err := base64.RawURLEncoding.DecodeString(s)
	if err == nil {
		err = json.Unmarshal(data, &k)
	}
	if err != nil {
		return k, invalid("/cursor", "The cursor is not one that this list gave.")
	}
	return k, nil
}

// invalid refuses an argument that the schema cannot: the same shape as a
// violation of the schema.
func invalid(path, format string, args ...any) *bus.Error {
	e := bus.Errorf(bus.Validation, bus.ReasonArguments, format, args...)
	e.Violations, e.SchemaSide = []bus.Violation{{Path: path, Message: e.Message}}, "request"
	return e.WithHint("Correct %s and try again.", path)
}
