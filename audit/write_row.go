package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/bus"
)

// row is a record before it has its place in the chain.
type row struct {
	stream *stream
	chain.Header
	figures
	body []byte // the payload's JSON
}

// detail is the part of a record's header that is rarely searched: one JSON column. Nothing personal may be in it, nor
// a plain digest of something personal, from which it could be guessed: it cannot be erased.
type detail struct {
	Version        string       `json:"version,omitempty"`
	Steps          []string     `json:"steps,omitempty"`
	Source         string       `json:"source,omitempty"`
	Door           string       `json:"door,omitempty"`
	Role           string       `json:"role,omitempty"`
	Authentication string       `json:"authentication,omitempty"`
	Model          *bus.ModelID `json:"model,omitempty"`
	// without the person's words and the digest of what was shown
	Decision     *bus.Decision     `json:"decision,omitempty"`
	Reason       bus.Reason        `json:"reason,omitempty"`
	SchemaSide   string            `json:"schema_side,omitempty"`
	DurationMS   int64             `json:"duration_ms"`
	CostEstimate map[string]string `json:"cost_estimate,omitempty"`
	Seed         string            `json:"seed,omitempty"`
	Attempts     int               `json:"attempts,omitempty"`
	Replayed     bool              `json:"replayed,omitempty"`
	DryRun       bool              `json:"dry_run,omitempty"`
	Redacted     []string          `json:"redacted,omitempty"`
	// numbers of the records whose payloads the request erased, by stream
	Erased map[string]string `json:"erased,omitempty"`
}

// payload is the part of a record that may be personal: a table of its own has it, from which it can be erased.
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
}

// newRow encodes an entry as it will be stored, with the records whose payloads it erased.
func (l *Log) newRow(e *bus.Entry, erased erasedNumbers) (*row, error) {
	inv, p := &e.Invocation, &e.Invocation.Principal
	started := e.Started
	if started.IsZero() {
		started = l.o.Clock()
	}
	r := &row{stream: mainStream, Header: chain.Header{
		Time: started.UnixMilli(), Kind: string(e.Kind), RequestID: inv.RequestID, TraceID: inv.TraceID,
		ParentRequestID: inv.Caller.ParentRequestID, ConversationID: p.ConversationID, CallerType: string(inv.Caller.Type),
		Person: p.ID, Capability: inv.Capability, SideEffect: string(e.SideEffect), Status: string(e.Result.Status),
	}}
	if e.Read && e.Key == nil { // a key belongs to a record of the main stream
		r.stream = readsStream
	}
	if r.TraceID == r.RequestID {
		r.TraceID = ""
	}
	d := detail{
		Version: e.Version, Steps: e.Steps, Source: inv.Caller.Source, Door: p.Door, Role: p.Role,
		Authentication: p.Authentication, Model: p.Model, DurationMS: e.Result.ExecutionTime.Milliseconds(),
		CostEstimate: costs(e),
		Seed:         e.Seed, Attempts: e.Attempts,
		Replayed: e.Result.Replayed, DryRun: e.Result.DryRun || inv.DryRun, Redacted: e.Redacted, Erased: erased.ranges(),
	}
	b := payload{
		Arguments: inv.Arguments, Data: e.Result.Data, Facts: e.Result.Facts, Effects: e.Effects, Summary: e.Summary,
		Response: e.Response, TriggeringMessage: inv.Caller.TriggeringMessage, Reasoning: inv.Caller.Reasoning,
		Events: e.Result.Events, IdempotencyKey: inv.IdempotencyKey,
	}
	if e.Decision != nil {
		decision := *e.Decision
		b.DecisionReason, decision.Reason = decision.Reason, ""
		b.DecisionDigest, decision.Digest = decision.Digest, ""
		d.Decision = &decision
	}
	if err := e.Result.Err; err != nil {
		r.Code = string(err.Code)
		d.Reason, d.SchemaSide = err.Reason, err.SchemaSide
		b.Message, b.RecoveryHint, b.Violations = err.Message, err.Hint, err.Violations
	}
	if quotesLog(inv.Capability) && b.Data != nil {
		b.Data, d.Redacted = nil, append(slices.Clone(d.Redacted), "/data")
	}
	o := l.jsonWriters.get()
	defer l.jsonWriters.put(o)
	text, err := o.add(d.write)
	if err != nil {
		return nil, fmt.Errorf("audit: write the record of %s: %w", inv.RequestID, err)
	}
	r.Detail, r.figures = string(text), figuresOf(&d)
	if text, err = o.add(b.write); err != nil {
		return nil, fmt.Errorf("audit: write the payload of %s: %w", inv.RequestID, err)
	}
	r.body = bytes.Clone(text)
	return r, nil
}

// costs adds the costs that led to an invocation to those of its capability.
func costs(e *bus.Entry) map[string]string {
	if len(e.Invocation.CostEstimate) == 0 {
		return e.Result.CostEstimate
	}
	all := maps.Clone(e.Invocation.CostEstimate)
	maps.Copy(all, e.Result.CostEstimate)
	return all
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
}

// quotesLog reports whether a capability's output is a part of the log. Such
// output is not recorded: each reading would contain the readings before it.
func quotesLog(name string) bool { return name == "audit.search" || name == "audit.trace" }
