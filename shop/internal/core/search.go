package core

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/shop/internal/text"
)

// Source defines a search by words in a table with two folded columns: the name and the full text. Its SQL is written
// in this program and never comes from input.
type Source struct {
	Kind     string
	Table    string // FROM clause; the row is t
	Order    string // order of equal hits, which an index provides
	Sort     string // Order as one text, to merge hits of several kinds; the id breaks ties
	TitleSQL string // SELECT of title and subtitle, for hits of every kind
	Sub      string
	Exact    string // condition that beats every word, for example a SKU; every ? takes the query, see Named
	Only     string // condition for all rows; "" for none
	Sorted   bool   // keeps the source's order: newest first if Flat; the match quality does not matter
	Flat     bool   // the match quality does not matter: newest first, for example orders

	Letters string // full-text index of all three-letter sequences; "" for none
	Terms   string // the three-letter sequences in the index
	Found   string // FROM clause with the rows t that the index finds

	Names string // SELECT of the folded names whose words correct typing errors; "" corrects none

	forgiving bool // see As

	// Named returns a value for each ? of Exact; nil stands for the query.
	Named func(query string) []any

	// After returns the condition for the rows that follow among equal hits.
	After func(CursorKey) (string, []any)
}

// Hit is a row that a search found.
type Hit struct {
	Kind     string `json:"kind"`
	ID       string `json:"id"`
	Title    string `json:"title" x:"personal=true"`
	Subtitle string `json:"subtitle,omitempty" x:"personal=true"`

	score   int
	sort    string
	words   []string // the words that found it
	relaxed string   // the kind if its words were relaxed, with a mark for a corrected typing error
}

func compareHits(a, b Hit) int {
	return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.sort, b.sort), cmp.Compare(a.ID, b.ID))
}

// Search returns a page of the rows of src, ranked by match quality. A whole word of the name ranks before the
// beginning of a word, and that before a match inside a word; the same order applies to the rest of the text. Among
// equals, the newest or the first by name comes first. If nothing matches, Search tries again without fillers and
// plurals, then with corrected typing errors. The filter narrows the rows. If there is still no hit, FoundOut lists the
// words that no row has.
func Search(ctx context.Context, src Source, query string, p PageIn, filter Filter) ([]Hit, FoundOut, error) {
	after, err := DecodeCursor(p.Cursor)
	if err != nil {
		return nil, FoundOut{}, err
	}
	q := &ranking{Source: src, given: strings.TrimSpace(query), words: text.Words(query), limit: p.Limit + 1,
		other:  text.Spellings(query),
		filter: filter.And(cmp.Or(src.Only, "1")), from: after, first: p.Cursor == ""}
	words := q.words
	keywords := text.Keywords(words)
	later := "" // the kind of search that found the previous page
	for _, mark := range []string{src.Kind, src.Kind + typo} {
		if slices.Contains(after.Relaxed, mark) {
			later = mark
		}
	}
	var hits []Hit
	relaxed := ""
	for _, as := range []struct {
		mark string
		of   func() ([]string, error)
	}{
		{"", func() ([]string, error) { return words, nil }},
		{src.Kind, func() ([]string, error) { return keywords, nil }},
		{src.Kind + typo, func() ([]string, error) { return src.corrected(ctx, keywords) }},
	} {
		if !q.first && as.mark != later {
			continue
		}
		q.words, err = as.of()
		if err == nil && as.mark != "" && (len(q.words) == 0 || slices.Equal(q.words, words)) {
			continue
		}
		if err == nil {
			relaxed = as.mark
			hits, err = q.page(ctx)
		}
		if err != nil {
			return nil, FoundOut{}, err
		}
		if len(hits) > 0 {
			break
		}
	}
	if relaxed != "" && q.first {
		after.Relaxed = []string{relaxed}
	}
	for i := range hits {
		hits[i].words, hits[i].relaxed = q.words, relaxed
	}
	var found FoundOut
	if len(hits) > p.Limit {
		hits = hits[:p.Limit]
		found.PageOut = PageOut{HasMore: true, NextCursor: cursorAfter(hits, after.Relaxed)}
	}
	if len(hits) == 0 && q.first {
		found.NotFound, err = src.unknown(ctx, words)
	}
	return hits, found, err
}

// unknown returns the words, as typed, that no row contains. It omits fillers unless there is nothing else.
func (src Source) unknown(ctx context.Context, words []string) (unknown []string, err error) {
	onlyFillers := len(text.Keywords(words)) == 0
	for _, w := range words[:min(len(words), maxWords)] {
		sought := []string{w}
		if !onlyFillers {
			sought = text.Keywords(sought)
		}
		if len(sought) == 0 {
			continue
		}
		q := &ranking{Source: src, given: sought[0], words: sought, limit: 1, first: true,
			filter: Filter{}.And(cmp.Or(src.Only, "1"))}
		hits, err := q.page(ctx)
		if err != nil {
			return nil, err
		}
		if len(hits) == 0 {
			unknown = append(unknown, w)
		}
	}
	return unknown, nil
}

// SearchAll returns one page of the hits of several sources, best first.
func SearchAll(ctx context.Context, sources []Source, query string, p PageIn) ([]Hit, FoundOut, error) {
	all, page := []Hit{}, FoundOut{}
	before, err := DecodeCursor(p.Cursor)
	if err != nil {
		return all, page, err
	}
	relaxed := before.Relaxed
	for i, src := range sources {
		hits, of, err := Search(ctx, src, query, p, Filter{})
		if err != nil {
			return all, page, err
		}
		all = append(all, hits...)
		page.NotFound = slices.DeleteFunc(page.NotFound, func(w string) bool { return !slices.Contains(of.NotFound, w) })
		if i == 0 {
			page.NotFound = of.NotFound
		}
		page.HasMore = page.HasMore || of.HasMore
		if len(hits) > 0 && hits[0].relaxed != "" && !slices.Contains(relaxed, hits[0].relaxed) {
			relaxed = append(relaxed, hits[0].relaxed)
		}
	}
	slices.SortStableFunc(all, compareHits)
	if len(all) > 0 {
		page.NotFound = nil
	}
	if len(all) > p.Limit {
		all, page.HasMore = all[:p.Limit], true
	}
	if page.HasMore {
		page.NextCursor = cursorAfter(all, relaxed)
	}
	return all, page, nil
}

// typo marks hits whose typing errors were corrected; it follows the kind.
const typo = "~"

// The ranks; a smaller rank is better. Each word of the query adds to the rank of a row.
const (
	rankExact = -1
	rankWhole = 0 // a whole word of the name, or an empty query
	rankFlat  = 3 // a whole word of the rest, or any match of a Flat source
)

// ranking reads one page of a search.
type ranking struct {
	Source
	given  string // the query; "" for everything
	words  []string
	other  map[string]string // alternative spellings of words
	filter Filter
	limit  int       // one more than the page size
	from   CursorKey // end of the previous page
	first  bool      // this is the first page
}

// probed is the number of candidates up to which checking each one is cheaper than a scan of the table.
const probed = 2000

// page reads the rows that the query identifies, then the rows with every word.
func (q *ranking) page(ctx context.Context) ([]Hit, error) {
	if q.given == "" {
		return q.equals(ctx, rankWhole, q.filter)
	}
	is, named := q.Exact, q.named(q.given)
	if !q.Flat && !q.Sorted { // rows with that name come first
		is, named = q.Exact+" OR t.name_fold = ?", append(named, text.Fold(q.given))
	}
	exact, err := q.equals(ctx, rankExact, q.filter.And(is, named...))
	if err != nil || len(q.words) == 0 || q.Flat && len(exact) > 0 { // only punctuation, or an order number
		return exact, err
	}
	// The longest word is usually the rarest, and excludes most rows at once.
	words := slices.SortedFunc(slices.Values(q.words[:min(len(q.words), maxWords)]), func(a, b string) int {
		return cmp.Compare(len(b), len(a))
	})
	n := holding(words, q.other).And(q.filter.String(), q.filter.Args...).And("NOT ("+is+")", named...)
	read := q.ranked
	switch {
	case q.Sorted:
		read = q.sorted
	case q.Flat:
		read = q.newest
	}
	hits, err := read(ctx, words, n)
	return append(exact, hits[:min(len(hits), q.limit-len(exact))]...), err
}

// behind adds the condition that rows with this score follow the previous page. It reports whether there may be any.
func (q *ranking) behind(score int, n Filter) (Filter, bool) {
	if q.first || q.from.Score < score {
		return n, true
	}
	later, args := q.After(q.from)
	return n.And(later, args...), q.from.Score == score
}

// equals reads rows of the same score in the order of an index until the page is full. The cost depends on the page and
// not on the size of the table.
func (q *ranking) equals(ctx context.Context, score int, n Filter) ([]Hit, error) {
	n, some := q.behind(score, n)
	if !some {
		return nil, nil
	}
	return List(ctx, q.scan, q.columns(score)+` FROM `+q.Table+` WHERE `+n.String()+` ORDER BY `+q.Order+` LIMIT ?`,
		append(n.Args, q.limit)...)
}

// columns and scan read a hit.
func (q *ranking) columns(score int) string {
	return `SELECT t.id, ` + strconv.Itoa(score) + `, ` + q.Sort + `, ` + q.TitleSQL + `, ` + q.Sub
}

func (q *ranking) scan(r Row) (Hit, error) {
	h := Hit{Kind: q.Kind}
	return h, r.Scan(&h.ID, &h.score, &h.sort, &h.Title, &h.Subtitle)
}

// ranked returns the rows with every word, ranked by match quality. It reads only the candidates of the index if they
// are few. Otherwise it scans the table, which costs less than many look-ups.
func (q *ranking) ranked(ctx context.Context, words []string, n Filter) ([]Hit, error) {
	table, tableArgs := q.Table, []any(nil)
	match, few, err := q.fewWith(ctx, words)
	if err != nil {
		return nil, err
	}
	if few {
		table, tableArgs = q.Found, []any{match}
	}
	var score []string
	var args []any
	for _, w := range words {
		const of = `CASE instr(t.name_fold, ?) WHEN 0 THEN CASE WHEN instr(t.search_fold,
			?) THEN 3 WHEN instr(t.search_fold, ?) THEN 4 ELSE 5 END
			ELSE CASE WHEN instr(t.name_fold, ?) THEN 0 WHEN instr(t.name_fold, ?) THEN 1 ELSE 2 END END`
		spelt := []string{w}
		if other := q.other[w]; other != "" {
			spelt = append(spelt, strings.TrimSpace(other))
		}
		for _, w := range spelt {
			args = append(args, w, " "+w+" ", " "+w, " "+w+" ", " "+w)
		}
		score = append(score, []string{of, `min(` + of + `, ` + of + `)`}[len(spelt)-1])
	}
	stmt := `SELECT id, score, sort, title, subtitle FROM (
		SELECT t.id AS id, ` + strings.Join(score, " + ") + ` AS score, ` + q.Sort + ` AS sort, ` + q.TitleSQL +
		` AS title, ` + q.Sub + ` AS subtitle
		FROM ` + table + ` WHERE ` + n.String() + `)`
	args = slices.Concat(args, tableArgs, n.Args)
	if !q.first {
		stmt += ` WHERE (score, sort, id) > (?, ?, ?)`
		args = append(args, q.from.Score, q.from.Sort, q.from.ID)
	}
	return List(ctx, q.scan, stmt+` ORDER BY score, sort, id LIMIT ?`, append(args, q.limit)...)
}

// By returns the source sorted by a number, ascending or descending, then by id.
func (src Source) By(number string, descending bool) Source {
	direction, later := "", ">"
	if descending {
		direction, later = " DESC", "<"
	}
	src.Sorted, src.Order = true, number+direction+", t.id"+direction
	src.Sort, src.After = "printf('%015d', "+number+")", AfterNumber(number, later, later)
	return src
}

// AfterNumber returns the condition for the rows that follow a row in the order of a number and then of the id. later
// and laterID are the operators, "<" or ">".
func AfterNumber(column, later, laterID string) func(CursorKey) (string, []any) {
	return func(k CursorKey) (string, []any) {
		n, err := strconv.ParseInt(k.Sort, 10, 64)
		if err != nil {
			return "1", nil
		}
		return column + ` ` + later + `= ? AND (` + column + ` ` + later + ` ? OR t.id ` + laterID + ` ?)`,
			[]any{n, n, k.ID}
	}
}

// Place returns the search text of an address: its street, and its postal code with and without spaces.
func Place(line1, postalCode string) string {
	if joined := strings.ReplaceAll(postalCode, " ", ""); joined != postalCode {
		return line1 + " " + postalCode + " " + joined
	}
	return line1 + " " + postalCode
}

func scanPlace(r Row) (string, error) {
	var line1, postalCode string
	err := r.Scan(&line1, &postalCode)
	return Place(line1, postalCode), err
}

// RefoldCustomer updates the search text of a customer: name, email, phone, those of merged records, and addresses.
func RefoldCustomer(ctx context.Context, id string) error {
	words, err := List(ctx, ScanText, `SELECT concat_ws(' ', name, email, phone, phone_digits) FROM customers
		WHERE id = ?`, id)
	if err != nil {
		return err
	}
	merged, err := List(ctx, ScanText, `SELECT concat_ws(' ', name, email, phone) FROM merged_customers
		WHERE customer_id = ? ORDER BY at, id`, id)
	if err != nil {
		return err
	}
	places, err := List(ctx, scanPlace, `SELECT line1, postal_code FROM addresses WHERE customer_id = ?
		ORDER BY created_at, id`, id)
	if err != nil {
		return err
	}
	return Exec(ctx, `UPDATE customers SET search_fold = ?1 WHERE id = ?2 AND search_fold <> ?1`,
		text.Fold(slices.Concat(words, merged, places)...), id)
}

// RefoldOrder updates the search text of an order: number, customer, address and products.
func RefoldOrder(ctx context.Context, orderID string) error {
	who, _, err := Find(ctx, ScanText, `SELECT concat_ws(' ', o.exported_name, c.name) FROM orders o
		LEFT JOIN customers c ON c.id = o.customer_id WHERE o.id = ?`, orderID)
	if err != nil {
		return err
	}
	place, _, err := Find(ctx, scanPlace, `SELECT line1, postal_code FROM orders WHERE id = ?`, orderID)
	if err != nil {
		return err
	}
	words, err := List(ctx, ScanText, `SELECT name || ' ' || sku FROM order_lines WHERE order_id = ?
		ORDER BY line`, orderID)
	if err != nil {
		return err
	}
	return Exec(ctx, `UPDATE orders SET name_fold = ?, search_fold = ? WHERE id = ?`,
		text.Fold(orderID, who), text.Fold(append([]string{orderID, who, place}, words...)...), orderID)
}

// AfterName returns the condition for the rows that follow in the order of name and id.
func AfterName(k CursorKey) (string, []any) {
	return `(t.name_fold, t.id) > (?, ?)`, []any{k.Sort, k.ID}
}

// AfterTime also accepts the cursor of a hit of another kind: a name sorts before every time.
func AfterTime(k CursorKey) (string, []any) {
	n, err := strconv.ParseInt(k.Sort, 10, 64)
	if err != nil {
		return "1", nil
	}
	at := 999_999_999_999_999 - n // smaller for later times
	return `t.placed_at <= ? AND (t.placed_at < ? OR t.id > ?)`, []any{at, at, k.ID}
}
