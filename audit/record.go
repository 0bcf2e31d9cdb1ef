package audit

import (
	"bytes"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/jsondepth"
)

// Record is one invocation in the journal. An empty field was absent.
type Record struct {
	Seq int64 `json:"seq"`
	// "reads" for people's reads, which have separate numbers
	Segment string `json:"segment,omitempty"`
	bus.Record
	Erased bool `json:"erased,omitempty"` // the payload was erased; its digest still holds
	// the reason why the rest of the record is missing: it cannot be decoded
	Unreadable string `json:"unreadable,omitempty"`

	Prev string `json:"prev" jsonschema_extras:"x-detail=0"` // hash of the previous record, hex
	Hash string `json:"hash" jsonschema_extras:"x-detail=0"` // hex
}

// selectRecords returns the query for records, without conditions and order.
func (s *stream) selectRecords() string { return s.selectFrom(s.records + " r") }

// selectFrom is selectRecords with other tables, in which r is the record.
func (s *stream) selectFrom(from string) string {
	return `SELECT r.seq, r.time, r.kind, r.request_id, coalesce(r.trace_id, r.request_id),
		coalesce(r.parent_request_id, ''), coalesce(r.conversation_id, ''), coalesce(r.caller_type, ''),
		coalesce(r.person, ''), coalesce(c.name, ''),
		coalesce(r.side_effect, ''), r.status, coalesce(r.code, ''), r.detail, r.prev, r.hash, p.body
		FROM ` + from + ` LEFT JOIN audit_capabilities c ON c.id = r.capability LEFT JOIN ` + s.payloads +
		` p ON p.seq = r.seq `
}

// deepest limits the levels of a payload that are shown. It covers the limits of the bus and of an application's
// results. A record becomes part of other JSON texts, which have a limit too.
const deepest = 500

// scanRecords reads all rows of such a query.
func (s *stream) scanRecords(rows *sql.Rows, err error) (out []Record, _ error) {
	err = each(rows, err, func() error {
		r, err := s.scanRecord(rows)
		out = append(out, r)
		return err
	})
	return out, err
}

// scanRecord reads one row of such a query. A record that cannot be decoded gets the reason in Unreadable.
func (s *stream) scanRecord(rows *sql.Rows) (Record, error) {
	var r Record
	var detailText, prev, hash, body []byte
	err := rows.Scan(&r.Seq, &r.Time, &r.Kind, &r.RequestID, &r.TraceID, &r.ParentRequestID, &r.ConversationID,
		&r.Caller.Type, &r.Caller.Person, &r.Capability, &r.SideEffect, &r.Status, &r.Code, &detailText, &prev, &hash, &body)
	if err != nil {
		return r, err
	}
	if s == readsStream {
		r.Segment = readsStream.name
	}
	r.Prev, r.Hash = hex.EncodeToString(prev), hex.EncodeToString(hash)
	var d detail
	if err := decode(detailText, &d); err != nil {
		r.Unreadable = err.Error()
		return r, nil
	}
	r.setDetail(&d)
	if body == nil {
		r.Erased = true
		return r, nil
	}
	var p payload
	switch err := decode(body, &p); {
	case err != nil:
		r.Unreadable = err.Error()
	case jsondepth.Exceeds(body, deepest):
		r.Unreadable = fmt.Sprintf("nested more than %d levels deep", deepest)
	default:
		r.setPayload(&p)
	}
	return r, nil
}

func (r *Record) setDetail(d *detail) {
	r.Version, r.Steps = d.Version, d.Steps
	r.Model, r.Decision, r.Reason, r.SchemaSide = d.Model, d.Decision, d.Reason, d.SchemaSide
	r.Caller.Source, r.Caller.Door, r.Caller.Role, r.Caller.Authentication = d.Source, d.Door, d.Role, d.Authentication
	r.DurationMS, r.CostEstimate, r.Seed, r.Numbers = d.DurationMS, d.CostEstimate, d.Seed, d.Numbers
	r.Attempts, r.Replayed, r.DryRun, r.Redacted = d.Attempts, d.Replayed, d.DryRun, d.Redacted
}

func (r *Record) setPayload(p *payload) {
	r.TriggeringMessage, r.Reasoning, r.Arguments = p.TriggeringMessage, p.Reasoning, p.Arguments
	r.Message, r.RecoveryHint, r.Violations, r.Response = p.Message, p.RecoveryHint, p.Violations, p.Response
	r.Data, r.Facts, r.Summary, r.Effects, r.Events = p.Data, p.Facts, p.Summary, p.Effects, p.Events
	r.Texts = p.Texts
	for i := range r.Events { // translatable texts are separate, so that a model reads English
		e := &r.Events[i]
		r.Texts.Within(fmt.Sprintf("/events/%d", i), e.Texts)
		e.Texts = nil
	}
	r.IdempotencyKey = p.IdempotencyKey
	if r.Decision != nil {
		r.Decision.Reason, r.Decision.Digest = p.DecisionReason, p.DecisionDigest
	}
}

// decode keeps numbers unchanged, because an id may not fit a float.
func decode(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(into)
}
