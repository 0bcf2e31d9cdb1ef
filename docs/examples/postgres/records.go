package pgjournal

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/capabilities"
	"github.com/deskhand/deskhand/bus"
)

var _ capabilities.Records = (*Journal)(nil)

// recordOf is the record of an entry, and what is found by: without the JSON of others, in which there may be escapes
// that PostgreSQL cannot read, and with U+FFFD in place of U+0000, which it can hold in no text.
func recordOf(e *bus.Entry) (record bus.Record, head json.RawMessage) {
	record = bus.RecordOf(e)
	found := record
	found.Arguments, found.Data, found.Response = nil, nil, nil
	head, _ = json.Marshal(found) // what is no JSON fails as a part of the record
	for i := 0; i+5 < len(head); i++ {
		if string(head[i:i+6]) == `\u0000` {
			copy(head[i:], `\ufffd`)
		} else if head[i] == '\\' {
			i++ // what is escaped
		}
	}
	return record, head
}

// Search implements [capabilities.Records]. A subject is found by its id anywhere in a record, a word by its letters.
func (j *Journal) Search(ctx context.Context, q audit.Query) (page audit.Page, err error) {
	where, args := "WHERE true", []any{}
	and := func(condition string, value any) {
		args = append(args, value)
		where += " AND " + strings.ReplaceAll(condition, "?", fmt.Sprint("$", len(args)))
	}
	for _, f := range [][2]string{{"request_id = ?", q.RequestID}, {"trace_id = ?", q.TraceID},
		{"head ->> 'kind' = ?", string(q.Kind)}, {"head ->> 'capability' = ?", q.Capability},
		{"head -> 'caller' ->> 'type' = ?", string(q.CallerType)}, {"head -> 'caller' ->> 'person' = ?", q.Person},
		{"head ->> 'status' = ?", string(q.Status)}, {"head ->> 'code' = ?", string(q.Code)},
		{"head ->> 'side_effect' = ?", string(q.SideEffect)}, {"head ->> 'conversation_id' = ?", q.ConversationID},
		{"strpos(record::text, to_json(?::text)::text) > 0", q.Subject}} {
		if f[1] != "" {
			and(f[0], f[1])
		}
	}
	for _, name := range q.Exclude {
		and("coalesce(head ->> 'capability', '') || '.' NOT LIKE replace(?::text, '_', '\\_') || '.%'", name)
	}
	for word := range strings.FieldsSeq(strings.NewReplacer(`"`, " ", "*", " ").Replace(q.Text)) {
		and("strpos(lower(record::text), lower(?)) > 0", word)
	}
	if q.Since > 0 {
		and("(head ->> 'time')::bigint >= ?", q.Since)
	}
	if q.Until > 0 {
		and("(head ->> 'time')::bigint < ?", q.Until)
	}
	if !q.Reads {
		where += " AND NOT reads"
	}
	if q.Cursor != "" {
		before, err := strconv.ParseInt(q.Cursor, 10, 64)
		if err != nil {
			return page, bus.Errorf(bus.Validation, bus.ReasonArguments, "The cursor is none of this log's.")
		}
		and("seq < ?", before)
	}
	if q.Limit <= 0 {
		q.Limit = 50
	}
	q.Limit = min(q.Limit, 500)
	page.Records, err = j.records(ctx, where+fmt.Sprint(" ORDER BY seq DESC LIMIT ", q.Limit+1), args...)
	if page.HasMore = len(page.Records) > q.Limit; page.HasMore {
		page.Records = page.Records[:q.Limit]
		page.NextCursor = strconv.FormatInt(page.Records[q.Limit-1].Seq, 10)
	}
	return page, err
}

// maxTrace bounds the records of one trace.
const maxTrace = 10_000

// Trace implements [capabilities.Records].
func (j *Journal) Trace(ctx context.Context, requestID string) (audit.Trace, error) {
	found, err := j.records(ctx, `WHERE seq IN (
		WITH RECURSIVE joined (id) AS (SELECT $1::text UNION
			SELECT v.id FROM joined JOIN journal_records AS r ON joined.id IN (r.request_id, r.trace_id, r.parent_id)
				CROSS JOIN LATERAL (VALUES (r.request_id), (r.trace_id), (r.parent_id)) AS v (id) WHERE v.id IS NOT NULL)
		SELECT r.seq FROM joined JOIN journal_records AS r ON joined.id IN (r.request_id, r.trace_id, r.parent_id))
		ORDER BY (head ->> 'time')::bigint, seq LIMIT $2`, requestID, maxTrace+1)
	t := audit.Trace{RequestID: requestID, Records: found, Truncated: len(found) > maxTrace}
	t.Records = t.Records[:min(len(found), maxTrace)]
	return t, err
}

// records reads those that fit a condition, in the snapshot of ctx or one of their own.
func (j *Journal) records(ctx context.Context, where string, args ...any) ([]audit.Record, error) {
	list := []audit.Record{}
	err := j.View(ctx, func(ctx context.Context) error {
		return j.Query(ctx, func(scan func(...any) error) error {
			var r audit.Record
			var raw []byte
			var reads bool
			if err := scan(&r.Seq, &reads, &raw); err != nil {
				return err
			}
			if reads {
				r.Segment = "reads"
			}
			err := decode(raw, &r.Record)
			list = append(list, r)
			return err
		}, "SELECT seq, reads, record FROM journal_records "+where, args...)
	})
	return list, err
}
