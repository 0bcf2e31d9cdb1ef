package audit

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/deskhand/deskhand/bus"
)

// Page sizes of Search.
const (
	defaultLimit = 50
	maxLimit     = 500
)

// searchBudget is the number of records read for one page if a filter has no index or several are combined.
const searchBudget = 10_000

// Query filters records; an empty field does not filter. Its JSON is the filters of audit.search.
type Query struct {
	Kind       bus.Kind `json:"kind,omitempty" jsonschema:"enum=invocation,enum=capability_schema_violation"`
	Capability string   `json:"capability,omitempty"` // its name
	// Exclude leaves out the records of these capabilities: full names, or the part before the dot.
	Exclude        []string       `json:"without,omitempty" jsonschema:"maxItems=20"`
	CallerType     bus.CallerType `json:"callerType,omitempty"`
	Person         string         `json:"person,omitempty" jsonschema_description:"Id of the person."`
	Status         bus.Status     `json:"status,omitempty" jsonschema:"enum=success,enum=error"`
	Code           bus.Code       `json:"code,omitempty"`
	SideEffect     bus.SideEffect `json:"sideEffect,omitempty"`
	RequestID      string         `json:"requestId,omitempty"`
	TraceID        string         `json:"traceId,omitempty"`
	ConversationID string         `json:"conversationId,omitempty"`
	Subject        string         `json:"subject,omitempty" jsonschema:"maxLength=128"` // an id that the record concerns
	// Text lists words that a record must contain, beginnings of words before an asterisk, or phrases in quotes. Case
	// and accents do not matter. The cost of a beginning grows with its matches.
	Text string `json:"text,omitempty" jsonschema:"maxLength=500"`
	// ms since 1970, inclusive
	Since int64 `json:"since,omitempty" jsonschema:"minimum=0" jsonschema_extras:"x-time=true"`
	// ms since 1970, exclusive; 0 means no end
	Until  int64  `json:"until,omitempty" jsonschema:"minimum=0" jsonschema_extras:"x-time=true"`
	Reads  bool   `json:"reads,omitempty" jsonschema_description:"Also what people only looked at."`
	Limit  int    `json:"-"` // default 50, at most 500
	Cursor string `json:"-"` // NextCursor of the previous page
}

// TagFields describes the filters to callers of capabilities.
func (Query) TagFields() map[string]string {
	return map[string]string{
		"code": `jsonschema:"enum=VALIDATION,enum=FORBIDDEN,enum=PRECONDITION_FAILED,enum=CONFLICT,enum=NOT_FOUND,` +
			`enum=TRANSIENT,enum=INTERNAL"`,
		"callerType": `jsonschema:"enum=ui,enum=agent,enum=test,enum=cli,enum=schedule"`,
		"sideEffect": `jsonschema:"enum=pure,enum=ui-only,enum=network,enum=destructive"`,
		"capability": `doc:"Name of a capability, such as audit.undo."`,
		"without":    `doc:"Capabilities to leave out: names, or what stands before the dot, such as navigation."`,
		"subject":    `doc:"Id of something that it is about."`,
		"text":       `doc:"Words that are all in it; a beginning before an asterisk; words in quotes as they stand there."`,
		"since":      `doc:"Milliseconds since 1970, inclusive."`,
		"until":      `doc:"Milliseconds since 1970, exclusive."`,
	}
}

func (q *Query) streams() []*stream {
	if q.Reads {
		return []*stream{mainStream, readsStream}
	}
	return []*stream{mainStream}
}

// Page is one page of records, newest first.
type Page struct {
	Records    []Record
	NextCursor string // "" on the last page
	HasMore    bool   // there are more records, or more to search
	// SearchedBack is set if the budget of the page ended the search before the beginning of the log: the time of the
	// last record read, ms since 1970. The next page continues from there.
	SearchedBack int64
	// Unindexed is the number of newest records whose words and subjects are not indexed yet; see
	// docs/decisions/005-text-index.md.
	Unindexed int64
}

// Search finds records, newest first. Every page has the same cost, and new records do not shift pages. A page may be
// empty although there are more records: see SearchedBack.
func (l *Log) Search(ctx context.Context, q Query) (_ Page, err error) {
	defer func() { err = l.explain(err) }()
	at, err := parseCursor(q.Cursor)
	if err != nil {
		return Page{}, err
	}
	q.Limit = pageSize(q.Limit)
	if q.Reads {
		if err := l.writer.flush(ctx); err != nil {
			return Page{}, err
		}
	}
	behind, err := l.indexPending(ctx, &q)
	if err != nil {
		return Page{}, err
	}
	main, err := l.searchStream(ctx, mainStream, &q, span{1, at.main}, newestFirst)
	if err != nil {
		return Page{}, err
	}
	var reads hits
	if q.Reads {
		if reads, err = l.searchStream(ctx, readsStream, &q, span{1, at.reads}, newestFirst); err != nil {
			return Page{}, err
		}
	}
	p := pageOf(main, reads, q.Limit, at)
	p.Unindexed = behind
	return p, nil
}

func pageSize(asked int) int {
	if asked <= 0 {
		return defaultLimit
	}
	return min(asked, maxLimit)
}

// hits is a part of the records that a query finds.
type hits struct {
	records   []Record
	stoppedAt int64 // the last number read, if the search stopped there; otherwise 0
	time      int64 // of that record
}

// searchStream finds one record more than a page holds, to determine whether there are more.
func (l *Log) searchStream(ctx context.Context, s *stream, q *Query, in span, d direction) (hits, error) {
	paths, err := l.accessPaths(ctx, s, q)
	if err != nil {
		return hits{}, err
	}
	var out hits
	for i := range paths {
		if err := l.searchPath(ctx, s, &paths[i], q, in, d, &out); err != nil {
			return hits{}, fmt.Errorf("audit: search: %w", err)
		}
	}
	before := func(a, b int64) bool { return d == newestFirst && a > b || d == oldestFirst && a < b }
	slices.SortStableFunc(out.records, func(a, b Record) int {
		if before(a.Seq, b.Seq) {
			return -1
		}
		return 1
	})
	if out.stoppedAt > 0 { // another path may have searched further, and the first that stops ends the page
		for n := range out.records {
			if before(out.stoppedAt, out.records[n].Seq) {
				out.records = out.records[:n]
				break
			}
		}
	}
	if len(out.records) > q.Limit {
		out.records, out.stoppedAt = out.records[:q.Limit+1], 0
	}
	if out.stoppedAt == 0 {
		return out, nil
	}
	err = l.readers.db.QueryRowContext(ctx, "SELECT time FROM "+s.records+" WHERE seq = ?", out.stoppedAt).Scan(&out.time)
	if errors.Is(err, sql.ErrNoRows) { // removed with an old segment
		err = nil
	}
	return out, err
}

// searchPath adds the records that one path finds, and the nearest end of its budget.
func (l *Log) searchPath(ctx context.Context, s *stream, path *accessPath, q *Query, in span, d direction,
	out *hits) error {
	in = span{max(in.from, path.span.from), min(in.to, path.span.to)}
	look, err := l.withinBudget(ctx, path, in, d, l.budget)
	if err != nil || look.from >= look.to {
		return err
	}
	var records []Record
	if path.scans == "" && q.Limit >= parallelReaders*readerShare {
		records, err = l.fetchParallel(ctx, s, path, look, d, q.Limit+1)
	} else {
		text, args := path.statement(s, s.selectFrom, look, d, q.Limit+1)
		records, err = l.listOf(ctx, s, text, args...)
	}
	if err != nil {
		return err
	}
	out.records = append(out.records, records...)
	switch {
	case d == newestFirst && look.from > in.from:
		out.stoppedAt = max(out.stoppedAt, look.from)
	case d == oldestFirst && look.to < in.to && (out.stoppedAt == 0 || look.to-1 < out.stoppedAt):
		out.stoppedAt = look.to - 1
	}
	return nil
}

// Records that an index finds are scattered over the file, and a disk delivers many blocks in parallel as fast as one.
// So up to parallelReaders connections read them, each at least readerShare: a new connection parses the schema first,
// which takes longer than to read a few records.
const (
	parallelReaders = 4
	readerShare     = 4
)

// fetchParallel reads the records that an index finds, in no order.
func (l *Log) fetchParallel(ctx context.Context, s *stream, path *accessPath, look span, d direction,
	limit int) ([]Record, error) {
	text, args := path.statement(s, path.numbers, look, d, limit)
	rows, err := l.readers.db.QueryContext(ctx, text, args...)
	numbers, err := collect(rows, err, func(number *int64) []any { return []any{number} })
	if err != nil || len(numbers) == 0 {
		return nil, err
	}
	readers := min(parallelReaders, max(1, len(numbers)/readerShare))
	parts, failed := make([][]Record, readers), make([]error, readers)
	var all sync.WaitGroup
	for i := range readers {
		share := numbers[i*len(numbers)/len(parts) : (i+1)*len(numbers)/len(parts)]
		all.Go(func() {
			var list []byte
			if list, failed[i] = json.Marshal(share); failed[i] == nil {
				parts[i], failed[i] = l.listOf(ctx, s, s.selectRecords()+"WHERE r.seq IN (SELECT value FROM json_each(?))",
					string(list))
			}
		})
	}
	all.Wait()
	return slices.Concat(parts...), errors.Join(failed...)
}

// cursor is the beginning of a page: before these numbers.
type cursor struct{ main, reads int64 }

// parseCursor parses the cursor of a page; "" begins at the newest record.
func parseCursor(text string) (cursor, error) {
	at := cursor{math.MaxInt64, math.MaxInt64}
	if text == "" {
		return at, nil
	}
	if _, err := fmt.Sscanf(text, "%d.%d", &at.main, &at.reads); err != nil {
		return at, bus.Errorf(bus.Validation, bus.ReasonArguments, "The cursor %q is not one of this log.", text).
			WithHint("Use the nextCursor of the page before, or none.")
	}
	return at, nil
}

// pageOf merges two lists by time, each newest first. If the budget ended one of them, it stops there in the other too.
func pageOf(main, reads hits, limit int, at cursor) Page {
	var p Page
	for len(p.Records) < limit {
		fromMain := main.next()
		if other := reads.next(); other > fromMain {
			if len(reads.records) == 0 {
				break
			}
			p.Records, at.reads, reads.records = append(p.Records, reads.records[0]), reads.records[0].Seq, reads.records[1:]
			continue
		}
		if len(main.records) == 0 {
			break
		}
		p.Records, at.main, main.records = append(p.Records, main.records[0]), main.records[0].Seq, main.records[1:]
	}
	for _, f := range []struct {
		hits
		at *int64
	}{{main, &at.main}, {reads, &at.reads}} {
		if len(f.records) > 0 || f.stoppedAt > 0 {
			p.HasMore = true
		}
		if len(f.records) == 0 && f.stoppedAt > 0 {
			*f.at, p.SearchedBack = f.stoppedAt, max(p.SearchedBack, f.time)
		}
	}
	if p.HasMore {
		p.NextCursor = fmt.Sprintf("%d.%d", at.main, at.reads)
	}
	return p
}

// next returns the time of the next record, or of the end of the budget; before all times if there is neither.
func (f *hits) next() int64 {
	switch {
	case len(f.records) > 0:
		return f.records[0].Time
	case f.stoppedAt > 0:
		return f.time
	}
	return math.MinInt64
}

// Tail returns records in the order of the log: with after 0 the newest n, otherwise the n that follow number after.
func (l *Log) Tail(ctx context.Context, after int64, n int) (_ []Record, err error) {
	defer func() { err = l.explain(err) }()
	text := mainStream.selectRecords()
	if after <= 0 {
		text += "WHERE r.seq > (SELECT seq FROM audit_heads WHERE stream = 'main') - ? ORDER BY r.seq"
		return l.list(ctx, text, n)
	}
	return l.list(ctx, text+"WHERE r.seq > ? ORDER BY r.seq LIMIT ?", after, n)
}

func (l *Log) list(ctx context.Context, text string, args ...any) ([]Record, error) {
	return l.listOf(ctx, mainStream, text, args...)
}

func (l *Log) listOf(ctx context.Context, s *stream, text string, args ...any) ([]Record, error) {
	records, err := s.scanRecords(l.readers.db.QueryContext(ctx, text, args...))
	if err != nil {
		return nil, fmt.Errorf("audit: read the log: %w", err)
	}
	return records, nil
}
