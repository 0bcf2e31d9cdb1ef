package shop

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// pageIn is how every list is walked: the cursor is the nextCursor of the page before.
type pageIn struct {
	Cursor string `json:"cursor,omitempty" jsonschema:"maxLength=600" jsonschema_description:"nextCursor of the page before."`
	Limit  int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=200,default=50" jsonschema_description:"At most this many."`
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
	sort  string // order among equals; text
	title string // SELECT title, subtitle: for hits of every kind
	sub   string
	exact string // condition that beats every word, for example a SKU; every ? is the query
	only  string // condition for all rows; "" is none
	flat  bool   // how well a row fits does not matter, only that it does
}

// hit is one found row.
type hit struct {
	Kind     string `json:"kind"`
	ID       string `json:"id"`
	Title    string `json:"title" jsonschema_extras:"x-personal=true"`
	Subtitle string `json:"subtitle,omitempty" jsonschema_extras:"x-personal=true"`

	score int
	sort  string
}

// cursorKey is where a page ended: the place in the ranking, and whether the
// words were relaxed.
type cursorKey struct {
	Score   int    `json:"s"`
	Sort    string `json:"o"`
	ID      string `json:"i"`
	Relaxed bool   `json:"r,omitempty"`
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
	words := text.Words(query)
	if after.Relaxed {
		words = text.Keywords(words)
	}
	hits, err := src.rank(ctx, query, words, p, after, filter, args)
	if err != nil {
		return nil, pageOut{}, err
	}
	if len(hits) == 0 && p.Cursor == "" {
		if keywords := text.Keywords(words); len(keywords) > 0 && strings.Join(keywords, " ") != strings.Join(words, " ") {
			after.Relaxed = true
			if hits, err = src.rank(ctx, query, keywords, p, after, filter, args); err != nil {
				return nil, pageOut{}, err
			}
		}
	}
	var paged pageOut
	if len(hits) > p.Limit {
		hits = hits[:p.Limit]
		last := hits[len(hits)-1]
		paged = pageOut{HasMore: true, NextCursor: encodeCursor(cursorKey{last.score, last.sort, last.ID, after.Relaxed})}
	}
	return hits, paged, nil
}

// maxWords bounds the work of one query; further words are ignored.
const maxWords = 8

// rank runs one ranked query for a page and one row more.
func (src source) rank(ctx context.Context, query string, words []string, p pageIn, after cursorKey, filter []string, args []any) ([]hit, error) {
	if len(words) > maxWords {
		words = words[:maxWords]
	}
	where := append([]string{cmp.Or(src.only, "1")}, filter...)
	var score []string
	var scoreArgs, matchArgs []any
	match := []string{"1"}
	for _, w := range words {
		match = append(match, "instr(t.search_fold, ?)")
		matchArgs = append(matchArgs, w)
		if src.flat {
			continue
		}
		score = append(score, `CASE WHEN instr(t.name_fold, ?) THEN 0 WHEN instr(t.name_fold, ?) THEN 1 WHEN instr(t.name_fold, ?) THEN 2
			WHEN instr(t.search_fold, ?) THEN 3 WHEN instr(t.search_fold, ?) THEN 4 ELSE 5 END`)
		scoreArgs = append(scoreArgs, " "+w+" ", " "+w, w, " "+w+" ", " "+w)
	}
	rank, hitsWords := "0", strings.Join(match, " AND ")
	if len(score) > 0 {
		rank = strings.Join(score, " + ")
	}
	if given := strings.TrimSpace(query); given != "" {
		if len(words) == 0 {
			hitsWords = "0" // punctuation only
		}
		rank = "CASE WHEN " + src.exact + " THEN -1 ELSE " + rank + " END"
		hitsWords = "(" + src.exact + " OR " + hitsWords + ")"
		n := strings.Count(src.exact, "?")
		scoreArgs, matchArgs = append(times(given, n), scoreArgs...), append(times(given, n), matchArgs...)
	}
	where = append(where, hitsWords)
	stmt := `SELECT id, score, sort, title, subtitle FROM (
		SELECT t.id AS id, ` + rank + ` AS score, ` + src.sort + ` AS sort, ` + src.title + ` AS title, ` + src.sub + ` AS subtitle
		FROM ` + src.table + ` WHERE ` + strings.Join(where, " AND ") + `)`
	all := append(append(append([]any{}, scoreArgs...), args...), matchArgs...)
	if p.Cursor != "" {
		stmt += ` WHERE (score, sort, id) > (?, ?, ?)`
		all = append(all, after.Score, after.Sort, after.ID)
	}
	stmt += ` ORDER BY score, sort, id LIMIT ?`
	return list(ctx, func(r row) (hit, error) {
		h := hit{Kind: src.kind}
		return h, r.Scan(&h.ID, &h.score, &h.sort, &h.Title, &h.Subtitle)
	}, stmt, append(all, p.Limit+1)...)
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
