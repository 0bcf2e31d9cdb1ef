package audit

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/bus"
)

const (
	// facetBudget is the number of records counted one by one.
	facetBudget = 10_000
	// recentRecords is the number of newest records searched for conversations.
	recentRecords = 5_000
	// maxConversations is the number of conversations listed.
	maxConversations = 20
)

// Facets count the records by each filter. Each count ignores the query's filter of that kind, so it shows the matches
// of every other value.
type Facets struct {
	Records      int64   `json:"records"` // that match all filters
	Callers      []Count `json:"callers"` // most frequent first; "" counts records without a value
	Capabilities []Count `json:"capabilities"`
	Outcomes     []Count `json:"outcomes"` // codes, and "success"
	SideEffects  []Count `json:"sideEffects"`
	People       []Count `json:"people"`
	// Conversations are the latest ones, newest first, regardless of the filters.
	Conversations []Conversation `json:"conversations"`
	// SearchedBack is set if no roll-up has the filters and counting ended before the beginning of the log: the time of
	// the last record read, ms since 1970.
	SearchedBack int64 `json:"searchedBack,omitempty"`
}

// Count is the number of records with a value.
type Count struct {
	Value   string `json:"value"`
	Records int64  `json:"records"`
}

// Conversation is a chat with the assistant that has records in the log.
type Conversation struct {
	ID   string `json:"id"`
	Time int64  `json:"time" jsonschema_extras:"x-time=true"` // of its latest record, ms since 1970
}

// dimensions is the number of values by which a cell counts, in the order of its columns.
const dimensions = 5

const (
	byCapability = iota
	byCaller
	byPerson
	bySideEffect
	byCode
)

// cell is a count of records that agree in every dimension.
type cell struct {
	values [dimensions]string
	calls  int64
	step   bool // counts plans under the capability of a step
}

// Facets counts the records that q finds; it ignores Limit and Cursor. For filters by caller, capability, code, status,
// side effect, person and whole hours the cost does not depend on the length of the log. For others it counts the
// newest records one by one.
func (l *Log) Facets(ctx context.Context, q Query) (Facets, error) {
	if _, err := l.writer.countTail(ctx); err != nil {
		return Facets{}, err
	}
	if _, err := l.indexPending(ctx, &q); err != nil {
		return Facets{}, err
	}
	sum := newFacetSum(&q)
	var out Facets
	for _, s := range q.streams() {
		var err error
		if inRollups(&q) {
			err = l.rollupCells(ctx, s, &q, sum.add)
		} else {
			var back int64
			back, err = l.scannedCells(ctx, s, q, sum.add)
			out.SearchedBack = max(out.SearchedBack, back)
		}
		if err != nil {
			return Facets{}, fmt.Errorf("audit: count: %w", err)
		}
	}
	sum.into(&out)
	var err error
	if out.Conversations, err = l.conversations(ctx); err != nil {
		return Facets{}, fmt.Errorf("audit: count: %w", err)
	}
	return out, nil
}

// inRollups reports whether the roll-ups have the filters of q.
func inRollups(q *Query) bool {
	return q.Kind == "" && q.RequestID == "" && q.TraceID == "" && q.ConversationID == "" && q.Subject == "" &&
		q.Text == "" &&
		q.Since%hourMS == 0 && q.Until%hourMS == 0
}

// rollupCells calls add with the cells of the roll-ups in the period of q.
func (l *Log) rollupCells(ctx context.Context, s *stream, q *Query, add func(cell)) error {
	parts, _ := periods(q.Since, q.Until)
	for _, days := range parts {
		rows, err := l.readers.db.QueryContext(ctx,
			`SELECT coalesce(c.name, ''), k.caller_type, k.person, k.side_effect, k.code, k.calls, k.stream = 'steps'
			FROM audit_counts k LEFT JOIN audit_capabilities c ON c.id = k.capability
			WHERE k.stream IN (?, ?) AND k.day >= ? AND k.day < ?`, s.name, s.steps(), days.from, days.to)
		if err := eachCell(rows, err, add); err != nil {
			return err
		}
	}
	return nil
}

// scannedCells counts the newest records one by one, without the filters that the sum applies itself.
func (l *Log) scannedCells(ctx context.Context, s *stream, q Query, add func(cell)) (searchedBack int64, err error) {
	q.Capability, q.CallerType, q.Person, q.SideEffect, q.Code, q.Status = "", "", "", "", "", ""
	paths, err := l.accessPaths(ctx, s, &q)
	if err != nil {
		return 0, err
	}
	var edge int64
	for i := range paths {
		path := &paths[i]
		path.rest = append(path.rest, condition{sql: "true"}) // every record is read
		look, err := l.withinBudget(ctx, path, path.span, newestFirst, facetBudget)
		if err != nil {
			return 0, err
		}
		if look.from > path.span.from {
			edge = max(edge, look.from)
		}
		where, args := path.clause(look, path.where, path.rest)
		const others = ", coalesce(r.caller_type, ''), coalesce(r.person, ''), coalesce(r.side_effect, ''), " +
			"coalesce(r.code, ''), "
		rows, err := l.readers.db.QueryContext(ctx, "SELECT coalesce(c.name, '')"+others+"count(*), 0 FROM "+path.from+
			" LEFT JOIN audit_capabilities c ON c.id = r.capability"+where+" GROUP BY 1, 2, 3, 4, 5 UNION ALL SELECT x.value"+
			others+"count(DISTINCT r.seq), 1 FROM "+path.from+" CROSS JOIN "+steps+" x"+where+" AND "+l.isPlan()+
			" GROUP BY 1, 2, 3, 4, 5", slices.Concat(args, args)...)
		if err := eachCell(rows, err, add); err != nil {
			return 0, err
		}
	}
	if edge == 0 {
		return 0, nil
	}
	err = l.readers.db.QueryRowContext(ctx, "SELECT time FROM "+s.records+" WHERE seq >= ? ORDER BY seq LIMIT 1", edge).
		Scan(&searchedBack)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return searchedBack, err
}

func eachCell(rows *sql.Rows, err error, add func(cell)) error {
	return each(rows, err, func() error {
		var c cell
		if err := rows.Scan(&c.values[byCapability], &c.values[byCaller], &c.values[byPerson],
			&c.values[bySideEffect], &c.values[byCode], &c.calls, &c.step); err != nil {
			return err
		}
		add(c)
		return nil
	})
}

// facetSum adds up cells for each dimension.
type facetSum struct {
	want    [dimensions]string // "" means any
	status  string
	exclude []string
	records int64
	counts  [dimensions]map[string]int64
}

func newFacetSum(q *Query) *facetSum {
	f := &facetSum{status: string(q.Status), exclude: q.Exclude, want: [dimensions]string{
		byCapability: q.Capability, byCaller: string(q.CallerType),
		byPerson: q.Person, bySideEffect: string(q.SideEffect), byCode: string(q.Code)}}
	for d := range f.counts {
		f.counts[d] = map[string]int64{}
	}
	return f
}

// add counts a cell in every dimension if it passes all filters; otherwise in the one dimension whose filter alone
// excludes it.
func (f *facetSum) add(c cell) {
	if matchesAny(f.exclude, c.values[byCapability]) {
		return
	}
	misses, missed := 0, 0
	for d, want := range f.want {
		fits := want == "" || want == c.values[d]
		if d == byCode && f.status != "" {
			fits = fits && (f.status == string(bus.StatusSuccess)) == (c.values[d] == "")
		}
		if !fits {
			misses, missed = misses+1, d
		}
	}
	if c.step && f.want[byCapability] == "" { // another cell counts the record itself
		if misses == 0 {
			f.counts[byCapability][c.values[byCapability]] += c.calls
		}
		return
	}
	switch misses {
	case 0:
		f.records += c.calls
		for d, value := range c.values {
			f.counts[d][value] += c.calls
		}
	case 1:
		f.counts[missed][c.values[missed]] += c.calls
	}
}

// into writes the sums to the result, the most frequent values first.
func (f *facetSum) into(out *Facets) {
	out.Records = f.records
	if n, ok := f.counts[byCode][""]; ok {
		delete(f.counts[byCode], "")
		f.counts[byCode][string(bus.StatusSuccess)] = n
	}
	for d, into := range [dimensions]*[]Count{byCapability: &out.Capabilities, byCaller: &out.Callers,
		byPerson: &out.People, bySideEffect: &out.SideEffects, byCode: &out.Outcomes} {
		*into = make([]Count, 0, len(f.counts[d]))
		for value, n := range f.counts[d] {
			*into = append(*into, Count{value, n})
		}
		slices.SortStableFunc(*into, func(a, b Count) int {
			return cmp.Or(cmp.Compare(b.Records, a.Records), cmp.Compare(a.Value, b.Value))
		})
	}
}

// conversations lists the latest conversations among the newest records.
func (l *Log) conversations(ctx context.Context) ([]Conversation, error) {
	rows, err := l.readers.db.QueryContext(ctx, `SELECT conversation_id, time FROM audit_records NOT INDEXED
		WHERE seq > (SELECT seq FROM audit_heads WHERE stream = 'main') - ? AND conversation_id IS NOT NULL
		ORDER BY seq DESC`, recentRecords)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out, seen := []Conversation{}, map[string]bool{}
	for rows.Next() && len(out) < maxConversations {
		var c Conversation
		if err := rows.Scan(&c.ID, &c.Time); err != nil {
			return nil, err
		}
		if !seen[c.ID] {
			seen[c.ID] = true
			out = append(out, c)
		}
	}
	return out, rows.Err()
}
