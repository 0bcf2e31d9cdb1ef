package bus

import (
	"encoding/json"
	"maps"
	"time"
)

// Record is an invocation as a journal writes it down: [RecordOf] makes it of an entry. A journal adds what is its own,
// such as a number. Absent means absent.
type Record struct {
	Time              int64        `json:"time"` // when it began, ms since 1970
	Kind              Kind         `json:"kind"`
	RequestID         string       `json:"request_id"`
	TraceID           string       `json:"trace_id"`
	ParentRequestID   string       `json:"parent_request_id,omitempty"`
	ConversationID    string       `json:"conversation_id,omitempty"`
	Caller            RecordCaller `json:"caller"`
	Model             *ModelID     `json:"model,omitempty"`
	Capability        string       `json:"capability,omitempty"`
	Version           string       `json:"version,omitempty"`
	SideEffect        string       `json:"side_effect,omitempty"` // of a plan: the gravest of its steps'
	Steps             []string     `json:"steps,omitempty"`       // capabilities of a plan in one transaction
	TriggeringMessage string       `json:"triggering_message,omitempty" jsonschema_extras:"x-tainted=true"`
	Reasoning         string       `json:"reasoning,omitempty" jsonschema_extras:"x-tainted=true"`

	Arguments json.RawMessage `json:"arguments,omitempty" jsonschema_extras:"x-tainted=true"`
	Decision  *Decision       `json:"decision,omitempty" jsonschema_extras:"x-tainted=true"`

	Status       Status      `json:"status"`
	Code         Code        `json:"code,omitempty"`
	Reason       Reason      `json:"reason,omitempty"`
	Message      string      `json:"message,omitempty" jsonschema_extras:"x-tainted=true"`
	RecoveryHint string      `json:"recovery_hint,omitempty"`
	Violations   []Violation `json:"violations,omitempty" jsonschema_extras:"x-tainted=true"`
	SchemaSide   string      `json:"schema_side,omitempty"`
	// an output that broke its schema
	Response json.RawMessage `json:"response,omitempty" jsonschema_extras:"x-tainted=true"`
	Data     json.RawMessage `json:"data,omitempty" jsonschema_extras:"x-tainted=true"`
	Facts    map[string]any  `json:"facts,omitempty" jsonschema_extras:"x-tainted=true"`
	Summary  string          `json:"summary,omitempty" jsonschema_extras:"x-tainted=true"`
	Effects  []Effect        `json:"effects,omitempty" jsonschema_extras:"x-tainted=true"`
	Events   []Event         `json:"events,omitempty" jsonschema_extras:"x-tainted=true"`

	DurationMS     int64             `json:"duration_ms"`
	CostEstimate   map[string]string `json:"cost_estimate,omitempty"`
	Seed           string            `json:"seed,omitempty"` // of the invocation's ids, hex
	IdempotencyKey string            `json:"idempotency_key,omitempty"`
	Attempts       int               `json:"attempts,omitempty"`
	Replayed       bool              `json:"replayed,omitempty"`
	DryRun         bool              `json:"dry_run,omitempty"`
	Redacted       []string          `json:"redacted,omitempty"` // JSON Pointers of what was taken out
}

// RecordCaller is the caller of a recorded invocation.
type RecordCaller struct {
	Type           string `json:"type,omitempty"`
	Source         string `json:"source,omitempty"`
	Door           string `json:"door,omitempty"`
	Person         string `json:"person,omitempty"`
	Role           string `json:"role,omitempty"`
	Authentication string `json:"authentication,omitempty"`
}

// RecordOf is the record of an entry, for the author of a journal: every journal writes the same fields. It shares what
// the entry holds by reference. The costs are those of the capability with those that led to the invocation.
func RecordOf(e *Entry) Record {
	inv, who := &e.Invocation, &e.Invocation.Principal
	r := Record{Time: e.Started.UnixMilli(), Kind: e.Kind, RequestID: inv.RequestID, TraceID: inv.TraceID,
		ParentRequestID: inv.Caller.ParentRequestID, ConversationID: who.ConversationID,
		Caller: RecordCaller{string(inv.Caller.Type), inv.Caller.Source, who.Door, who.ID, who.Role, who.Authentication},
		Model:  who.Model, Capability: inv.Capability, Version: e.Version, SideEffect: string(e.SideEffect), Steps: e.Steps,
		TriggeringMessage: inv.Caller.TriggeringMessage, Reasoning: inv.Caller.Reasoning,
		Arguments: inv.Arguments, Decision: e.Decision, Status: e.Result.Status, Response: e.Response,
		Data: e.Result.Data, Facts: e.Result.Facts, Summary: e.Summary, Effects: e.Effects, Events: e.Result.Events,
		DurationMS: e.Result.ExecutionTime.Milliseconds(), CostEstimate: e.Result.CostEstimate, Seed: e.Seed,
		IdempotencyKey: inv.IdempotencyKey, Attempts: e.Attempts, Replayed: e.Result.Replayed,
		DryRun: e.Result.DryRun || inv.DryRun, Redacted: e.Redacted}
	if r.TraceID == "" {
		r.TraceID = r.RequestID
	}
	if len(inv.CostEstimate) > 0 {
		r.CostEstimate = maps.Clone(inv.CostEstimate)
		maps.Copy(r.CostEstimate, e.Result.CostEstimate)
	}
	if err := e.Result.Err; err != nil {
		r.Code, r.Reason, r.SchemaSide = err.Code, err.Reason, err.SchemaSide
		r.Message, r.RecoveryHint, r.Violations = err.Message, err.Hint, err.Violations
	}
	return r
}

// Entry is what a subscriber in another program may know of a record: see [Shared]. The rest of the record is not in it.
func (r *Record) Entry() *Entry {
	e := &Entry{Kind: r.Kind, SideEffect: SideEffect(r.SideEffect), Started: time.UnixMilli(r.Time),
		Invocation: Invocation{Capability: r.Capability, RequestID: r.RequestID, TraceID: r.TraceID,
			Caller: Caller{Type: CallerType(r.Caller.Type), Source: r.Caller.Source, ParentRequestID: r.ParentRequestID},
			Principal: Principal{ID: r.Caller.Person, Role: r.Caller.Role, Door: r.Caller.Door,
				ConversationID: r.ConversationID}},
		Result: Result{Status: r.Status, RequestID: r.RequestID, Events: r.Events, Replayed: r.Replayed,
			DryRun: r.DryRun, Time: time.UnixMilli(r.Time)}}
	if r.Status == StatusError {
		e.Result.Err = &Error{Code: r.Code, Reason: r.Reason, Message: r.Message}
	}
	return e
}
