package audit

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/bus"
)

// row is a record before it gets its place in the chain.
type row struct {
	stream *stream
	chain.Header
	figures
	body []byte // the payload's JSON
}

// detail is the part of a record's header that is rarely searched: one JSON column. It must not contain personal data,
// nor a plain digest from which personal data could be guessed, because it cannot be erased.
type detail struct {
	Version        string       `json:"version,omitempty"`
	Steps          []string     `json:"steps,omitempty"`
	Source         string       `json:"source,omitempty"`
	Door           string       `json:"door,omitempty"`
	Role           string       `json:"role,omitempty"`
	Authentication string       `json:"authentication,omitempty"`
	Model          *bus.ModelID `json:"model,omitempty"`
	// without the person's words and the digest of the card
	Decision     *bus.Decision      `json:"decision,omitempty"`
	Reason       bus.Reason         `json:"reason,omitempty"`
	SchemaSide   string             `json:"schema_side,omitempty"`
	DurationMS   int64              `json:"duration_ms"`
	CostEstimate map[string]string  `json:"cost_estimate,omitempty"`
	Seed         string             `json:"seed,omitempty"`
	Numbers      map[string][]int64 `json:"numbers,omitempty"`
	Attempts     int                `json:"attempts,omitempty"`
	Replayed     bool               `json:"replayed,omitempty"`
	DryRun       bool               `json:"dry_run,omitempty"`
	Redacted     []string           `json:"redacted,omitempty"`
	// numbers of the records whose payloads the request erased, by stream
	Erased map[string]string `json:"erased,omitempty"`
}

// payload is the part of a record that may be personal. A separate table holds it, so that it can be erased.
type payload struct {
	Arguments         json.RawMessage `json:"arguments,omitempty"`
	Data              json.RawMessage `json:"data,omitempty"`
	Facts             map[string]any  `json:"facts,omitempty"`
	Effects           []bus.Effect    `json:"effects,omitempty"`
	Summary           string          `json:"summary,omitempty"`
	Message           string          `json:"message,omitempty"`
	RecoveryHint      string          `json:"recovery_hint,omitempty"`
	Violations        []bus.Violation `json:"violations,omitempty"`
	Response          json.RawMessage `json:"response,omitempty"`
	TriggeringMessage string          `json:"triggering_message,omitempty"`
	Reasoning         string          `json:"reasoning,omitempty"`
	DecisionReason    string          `json:"decision_reason,omitempty"`
	DecisionDigest    string          `json:"decision_digest,omitempty"`
	IdempotencyKey    string          `json:"idempotency_key,omitempty"`
	Events            []bus.Event     `json:"events,omitempty"`
	Texts             bus.Texts       `json:"texts,omitempty"` // the translatable texts of all sentences above
	ErasedRows        *erasedRows     `json:"erased_rows,omitempty"`
}

// newRow encodes an entry in its stored form, with the records whose payloads it erased and the rows of those.
func (l *Log) newRow(e *bus.Entry, erased erasedNumbers, rows *erasedRows) (*row, error) {
	is := bus.RecordOf(e)
	if e.Started.IsZero() {
		is.Time = l.o.Clock().UnixMilli()
	}
	r := &row{stream: mainStream, Header: chain.Header{
		Time: is.Time, Kind: string(is.Kind), RequestID: is.RequestID, TraceID: is.TraceID,
		ParentRequestID: is.ParentRequestID, ConversationID: is.ConversationID, CallerType: is.Caller.Type,
		Person: is.Caller.Person, Capability: is.Capability, SideEffect: is.SideEffect, Status: string(is.Status),
		Code: string(is.Code),
	}}
	if e.Read && e.Key == nil { // a key belongs to a record of the main stream
		r.stream = readsStream
	}
	if r.TraceID == r.RequestID {
		r.TraceID = ""
	}
	d := detail{
		Version: is.Version, Steps: is.Steps, Source: is.Caller.Source, Door: is.Caller.Door, Role: is.Caller.Role,
		Authentication: is.Caller.Authentication, Model: is.Model, Reason: is.Reason, SchemaSide: is.SchemaSide,
		DurationMS: is.DurationMS, CostEstimate: is.CostEstimate, Seed: is.Seed, Numbers: is.Numbers, Attempts: is.Attempts,
		Replayed: is.Replayed, DryRun: is.DryRun, Redacted: is.Redacted, Erased: erased.ranges(),
	}
	b := payload{
		Arguments: is.Arguments, Data: is.Data, Facts: is.Facts, Effects: is.Effects, Summary: is.Summary,
		Message: is.Message, RecoveryHint: is.RecoveryHint, Violations: is.Violations, Response: is.Response,
		TriggeringMessage: is.TriggeringMessage, Reasoning: is.Reasoning, IdempotencyKey: is.IdempotencyKey,
		Events: is.Events, Texts: is.Texts, ErasedRows: rows,
	}
	if is.Decision != nil {
		decision := *is.Decision
		b.DecisionReason, decision.Reason = decision.Reason, ""
		b.DecisionDigest, decision.Digest = decision.Digest, ""
		d.Decision = &decision
	}
	o := l.jsonWriters.get()
	defer l.jsonWriters.put(o)
	text, err := o.add(d.write)
	if err != nil {
		return nil, fmt.Errorf("audit: write the record of %s: %w", is.RequestID, err)
	}
	r.Detail, r.figures = string(text), figuresOf(&d)
	if text, err = o.add(b.write); err != nil {
		return nil, fmt.Errorf("audit: write the payload of %s: %w", is.RequestID, err)
	}
	r.body = bytes.Clone(text)
	return r, nil
}

func (d *detail) write(o *jsonWriter) {
	o.text("version", d.Version)
	o.any("steps", len(d.Steps) > 0, d.Steps)
	o.text("source", d.Source)
	o.text("door", d.Door)
	o.text("role", d.Role)
	o.text("authentication", d.Authentication)
	o.any("model", d.Model != nil, d.Model)
	o.any("decision", d.Decision != nil, d.Decision)
	o.text("reason", string(d.Reason))
	o.text("schema_side", d.SchemaSide)
	o.number("duration_ms", d.DurationMS)
	o.any("cost_estimate", len(d.CostEstimate) > 0, d.CostEstimate)
	o.text("seed", d.Seed)
	o.any("numbers", len(d.Numbers) > 0, d.Numbers)
	o.any("attempts", d.Attempts != 0, int64(d.Attempts))
	o.flag("replayed", d.Replayed)
	o.flag("dry_run", d.DryRun)
	o.any("redacted", len(d.Redacted) > 0, d.Redacted)
	o.any("erased", len(d.Erased) > 0, d.Erased)
}

func (p *payload) write(o *jsonWriter) {
	o.raw("arguments", p.Arguments)
	o.raw("data", p.Data)
	o.any("facts", len(p.Facts) > 0, p.Facts)
	o.effects("effects", p.Effects)
	o.text("summary", p.Summary)
	o.text("message", p.Message)
	o.text("recovery_hint", p.RecoveryHint)
	o.any("violations", len(p.Violations) > 0, p.Violations)
	o.raw("response", p.Response)
	o.text("triggering_message", p.TriggeringMessage)
	o.text("reasoning", p.Reasoning)
	o.text("decision_reason", p.DecisionReason)
	o.text("decision_digest", p.DecisionDigest)
	o.text("idempotency_key", p.IdempotencyKey)
	o.any("events", len(p.Events) > 0, p.Events)
	o.any("texts", len(p.Texts) > 0, p.Texts)
	o.any("erased_rows", p.ErasedRows != nil, p.ErasedRows)
}
