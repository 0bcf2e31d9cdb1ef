package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/deskhand/deskhand/bus"
)

// Page sizes of Search.
const (
	defaultLimit = 50
	maxLimit     = 500
)

// Query filters records; what is left empty does not filter.
type Query struct {
	Kind           string
	Capability     string // its name
	CallerType     bus.CallerType
	Person         string
	Status         string
	Code           bus.Code
	RequestID      string
	TraceID        string
	ConversationID string
	Since          int64  // ms since 1970, inclusive
	Until          int64  // ms since 1970, exclusive; 0 is no end
	Reads          bool   // also what people only looked at
	Limit          int    // default 50, at most 500
	Cursor         string // NextCursor of the page before
}

// Page is one page of records, newest first.
type Page struct {
	Records    []Record
	NextCursor string // "" on the last page
	HasMore    bool
}

// Search finds records, newest first. A page costs the same wherever it lies,
// and records that arrive meanwhile do not shift it.
func (l *Log) Search(ctx context.Context, q Query) (Page, error) {
	at, err := parseCursor(q.Cursor)
	if err != nil {
		return Page{}, err
	}
	q.Limit = pageSize(q.Limit)
	main, err := l.search(ctx, mainStream, &q, at.main)
	if err != nil || !q.Reads {
		return pageOf(main, nil, q.Limit, at), err
	}
	if err := l.writer.flush(ctx); err != nil {
		return Page{}, err
	}
	reads, err := l.search(ctx, readsStream, &q, at.reads)
	return pageOf(main, reads, q.Limit, at), err
}

func pageSize(asked int) int {
	if asked <= 0 {
		return defaultLimit
	}
	return min(asked, maxLimit)
}

// search finds one record more than a page holds, to know whether there is one.
func (l *Log) search(ctx context.Context, s *stream, q *Query, before int64) ([]Record, error) {
	where, args := []string{"r.seq < ?"}, []any{before}
	add := func(condition string, arg any) { where, args = append(where, condition), append(args, arg) }
	if q.Capability != "" {
		var number int64
		err := l.readers.db.QueryRowContext(ctx, "SELECT id FROM audit_capabilities WHERE name = ?", q.Capability).Scan(&number)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("audit: search: %w", err)
		}
		add("r.capability = ?", number)
	}
	for _, f := range []struct{ column, value string }{
		{"r.kind", q.Kind}, {"r.caller_type", string(q.CallerType)}, {"r.person", q.Person}, {"r.status", q.Status},
		{"r.code", string(q.Code)}, {"r.request_id", q.RequestID}, {"r.conversation_id", q.ConversationID},
	} {
		if f.value != "" {
			add(f.column+" = ?", f.value)
		}
	}
	if q.TraceID != "" {
		add("(r.trace_id = ? OR r.trace_id IS NULL AND r.request_id = ?)", q.TraceID)
		args = append(args, q.TraceID)
	}
	if q.Since > 0 {
		add("r.time >= ?", q.Since)
	}
	if q.Until > 0 {
		add("r.time < ?", q.Until)
	}
	args = append(args, q.Limit+1)
	rows, err := l.readers.db.QueryContext(ctx, s.selectRecords()+"WHERE "+strings.Join(where, " AND ")+" ORDER BY r.seq DESC LIMIT ?", args...)
	if err != nil {
		return nil, fmt.Errorf("audit: search: %w", err)
	}
	return s.scanRecords(rows)
}

// cursor says where a page begins: before these numbers.
type cursor struct{ main, reads int64 }

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

// pageOf merges two lists, each newest first in its own order, by time.
func pageOf(main, reads []Record, limit int, at cursor) Page {
	var p Page
	for len(p.Records) < limit && len(main)+len(reads) > 0 {
		if len(reads) == 0 || len(main) > 0 && main[0].Time >= reads[0].Time {
			p.Records, at.main, main = append(p.Records, main[0]), main[0].Seq, main[1:]
		} else {
			p.Records, at.reads, reads = append(p.Records, reads[0]), reads[0].Seq, reads[1:]
		}
	}
	if p.HasMore = len(main)+len(reads) > 0; p.HasMore {
		p.NextCursor = fmt.Sprintf("%d.%d", at.main, at.reads)
	}
	return p
}

// Tail returns records in the order they were written: with after 0 the newest
// n, else the n that follow number after. It is how a log is followed.
func (l *Log) Tail(ctx context.Context, after int64, n int) ([]Record, error) {
	text := mainStream.selectRecords()
	if after <= 0 {
		text += "WHERE r.seq > (SELECT seq FROM audit_heads WHERE stream = 'main') - ? ORDER BY r.seq"
		return l.list(ctx, text, n)
	}
	return l.list(ctx, text+"WHERE r.seq > ? ORDER BY r.seq LIMIT ?", after, n)
}

func (l *Log) list(ctx context.Context, text string, args ...any) ([]Record, error) {
	rows, err := l.readers.db.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, fmt.Errorf("audit: read the log: %w", err)
	}
	return mainStream.scanRecords(rows)
}
