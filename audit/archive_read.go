package audit

import (
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/bus"
)

// Chained is a record of the main stream in its stored form: the values that its hash covers, and its payload.
type Chained struct {
	chain.Header
	Prev, Hash []byte
	Salt, Body []byte // of the payload; nil if it was erased
}

// Chained reads the stored records of the main stream after a number, without checks. It returns at most this many
// records, and stops after the one whose payload reaches the limit of bytes. [Log.Append] accepts them.
func (l *Log) Chained(ctx context.Context, after int64, most, bytes int) (out []Chained, err error) {
	if out, err = chained(ctx, l.readers.db, after, most, bytes); err != nil {
		return nil, fmt.Errorf("audit: read records as they are stored: %w", l.explain(err))
	}
	return out, nil
}

func chained(ctx context.Context, q querier, after int64, most, bytes int) (out []Chained, err error) {
	rows, err := q.QueryContext(ctx, `SELECT r.seq, r.time, r.kind, r.request_id, coalesce(r.trace_id, ''),
		coalesce(r.parent_request_id, ''), coalesce(r.conversation_id, ''), coalesce(r.caller_type, ''),
		coalesce(r.person, ''), coalesce(c.name, ''), coalesce(r.side_effect, ''), r.status, coalesce(r.code, ''), r.detail,
		r.payload_digest, r.prev, r.hash, p.salt, p.body
		FROM audit_records r LEFT JOIN audit_capabilities c ON c.id = r.capability
			LEFT JOIN audit_payloads p ON p.seq = r.seq
		WHERE r.seq > ? ORDER BY r.seq LIMIT ?`, after, most)
	enough := errors.New("enough")
	err = each(rows, err, func() error {
		var r Chained
		h := &r.Header
		if err := rows.Scan(&h.Seq, &h.Time, &h.Kind, &h.RequestID, &h.TraceID, &h.ParentRequestID, &h.ConversationID,
			&h.CallerType, &h.Person, &h.Capability, &h.SideEffect, &h.Status, &h.Code, &h.Detail, &h.PayloadDigest,
			&r.Prev, &r.Hash, &r.Salt, &r.Body); err != nil {
			return err
		}
		out = append(out, r)
		if bytes -= len(r.Body); bytes <= 0 {
			return enough
		}
		return nil
	})
	if err == enough {
		err = nil
	}
	return out, err
}

// HashOf returns the hash of a record of the main stream, also of the last one that retention removed; nil if the log
// lacks this record.
func (l *Log) HashOf(ctx context.Context, seq int64) (hash []byte, err error) {
	err = l.readers.db.QueryRowContext(ctx, `SELECT hash FROM audit_records WHERE seq = ?1
		UNION ALL SELECT hash FROM audit_checkpoints WHERE stream = 'main' AND seq = ?1`, seq).Scan(&hash)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("audit: look for record %d: %w", seq, l.explain(err))
	}
	return hash, nil
}

// LastHead returns the last record of the main stream; its number is 0 if there is none. Time is the present time.
func (l *Log) LastHead(ctx context.Context) (Head, error) {
	h, err := l.lastHead(ctx, mainStream)
	if err != nil {
		return Head{}, fmt.Errorf("audit: read the head: %w", l.explain(err))
	}
	return Head{Stream: mainStream.name, Seq: h.seq, Hash: hex.EncodeToString(h.hash), Time: l.o.Clock().UnixMilli()}, nil
}

// Removal returns the range that retention removed from the beginning of the main stream; the zero Removal if none.
func (l *Log) Removal(ctx context.Context) (r Removal, err error) {
	err = l.readers.db.QueryRowContext(ctx, "SELECT seq, time, request_id FROM audit_checkpoints WHERE stream = 'main'").
		Scan(&r.UpTo, &r.Time, &r.RequestID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return r, fmt.Errorf("audit: read what was removed: %w", l.explain(err))
	}
	return r, nil
}

// Erased returns the numbers of the records whose payloads this record's request erased, as ranges of first and last
// number.
func (c *Chained) Erased() (ranges [][2]int64) {
	var d detail
	if !strings.Contains(c.Detail, `"erased":`) || c.Status != string(bus.StatusSuccess) ||
		decode([]byte(c.Detail), &d) != nil {
		return nil
	}
	for _, r := range parseRanges(d.Erased[mainStream.name]) {
		ranges = append(ranges, [2]int64{r.from, r.to - 1})
	}
	return ranges
}

// Restored reports whether the record belongs to a restore: before is the head of the replaced log, after the head of
// the copy that replaced it, which this record follows. See [Log.Restore].
func (c *Chained) Restored() (before, after Head, ok bool) {
	var p payload
	if c.Status != string(bus.StatusSuccess) || c.Body == nil || decode(c.Body, &p) != nil {
		return before, after, false
	}
	for _, e := range p.Effects {
		if e.Table != mainStream.records || e.Op != bus.Bulk || e.Before == nil {
			continue
		}
		before, ok = headIn(e.Before)
		after, also := headIn(e.After)
		if ok && also && after.Seq+1 == c.Seq && after.Hash == hex.EncodeToString(c.Prev) {
			return before, after, true
		}
	}
	return Head{}, Head{}, false
}

func headIn(effect map[string]any) (h Head, ok bool) {
	number, _ := effect["up_to"].(json.Number)
	seq, err := number.Int64()
	hash, ok := effect["hash"].(string)
	return Head{Stream: mainStream.name, Seq: seq, Hash: hash}, ok && err == nil
}
