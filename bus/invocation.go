package bus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// CallerType is the kind of caller. A door stamps it; it is never believed from outside.
type CallerType string

// The caller kinds.
const (
	CallerUI    CallerType = "ui"
	CallerAgent CallerType = "agent"
	CallerTest  CallerType = "test"
	CallerCLI   CallerType = "cli"
)

// Caller says on whose behalf an invocation is made. It is recorded, and read by
// access rules and policy; the handler never sees a difference.
type Caller struct {
	Type              CallerType `json:"type"`
	Source            string     `json:"source,omitempty"`             // component, chat session or test id
	ParentRequestID   string     `json:"parent_request_id,omitempty"`  // what led to this call
	TriggeringMessage string     `json:"triggering_message,omitempty"` // the person's words
	Reasoning         string     `json:"reasoning,omitempty"`          // the model's words
}

// ModelID names the model behind an agent's call.
type ModelID struct {
	Endpoint      string `json:"endpoint,omitempty"`
	Name          string `json:"name,omitempty"`
	PromptVersion string `json:"prompt_version,omitempty"`
}

// Principal is the person and the door behind a call. A door fills it in; it
// never comes from the wire.
type Principal struct {
	Person         string   // id of the signed-in person; "" when nobody is
	Name           string   // for people to read
	Role           string   //
	Scopes         []string // e.g. "order:write"; "*" is everything
	Authentication string   // how the person was recognised: "none", "pin", …
	Door           string   // "window", "cli", "bridge", "test"
	ConversationID string   // the chat it belongs to
	Model          *ModelID // set by the bridge
}

// Has reports whether the person holds a scope.
func (p Principal) Has(scope string) bool {
	for _, s := range p.Scopes {
		if s == scope || s == "*" {
			return true
		}
	}
	return false
}

// Invocation is one request to run one capability: everything the bus needs, no
// ambient state. The JSON form is the wire shape; unknown fields are refused.
type Invocation struct {
	Capability     string          `json:"capability"`
	Arguments      json.RawMessage `json:"arguments,omitempty"`       // a JSON object; absent is {}
	RequestID      string          `json:"request_id,omitempty"`      // made when absent
	IdempotencyKey string          `json:"idempotency_key,omitempty"` // same key and arguments, of the same caller kind, source and capability: runs once
	TraceID        string          `json:"trace_id,omitempty"`        // groups requests; the request id when absent
	MinVersion     string          `json:"min_version,omitempty"`     // refuse an older capability
	TimeoutMS      int64           `json:"timeout_ms,omitempty"`      // shortens the capability's own
	DryRun         bool            `json:"dry_run,omitempty"`         // run and roll back; data is that of Preview where there is one
	Caller         Caller          `json:"caller"`
	Principal      Principal       `json:"-"`

	// CostEstimate is what it cost to come to this invocation, such as a model's
	// tokens, as decimal strings by unit: it stands in the record beside what the
	// capability declares. It never comes from the wire.
	CostEstimate map[string]string `json:"-"`

	// PinnedClock and PinnedSeed fix what an invocation otherwise gets from its
	// bus. A replay takes both from the record, so that the same times and ids come
	// out. They never come from the wire.
	PinnedClock time.Time `json:"-"`
	PinnedSeed  []byte    `json:"-"`
}

// decodeInvocation reads one invocation from its wire form, refusing unknown
// fields and trailing bytes with a VALIDATION error.
func decodeInvocation(data []byte) (Invocation, error) {
	var inv Invocation
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&inv); err != nil {
		return inv, Errorf(Validation, ReasonEnvelope, "The invocation is not understood: %s.", plainJSONError(err)).
			WithHint(`Send {"capability":"name","arguments":{…}}.`)
	}
	if _, err := d.Token(); err != io.EOF {
		return inv, Errorf(Validation, ReasonEnvelope, "The invocation is followed by something else.").WithHint("Send one JSON object.")
	}
	return inv, nil
}

// plainJSONError says what is wrong with a JSON text without naming our types.
func plainJSONError(err error) string {
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends too early"
	case errors.As(err, &wrong) && wrong.Field == "":
		return "it must be a JSON object, not " + wrong.Value
	case errors.As(err, &wrong):
		return fmt.Sprintf("%q must not be %s", wrong.Field, wrong.Value)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// Result is the one answer to an invocation.
type Result struct {
	Status          string            // "success" or "error"
	RequestID       string            //
	Data            json.RawMessage   // success: the output
	Err             *Error            // error: what went wrong
	Events          []Event           // the handler's own events, in order
	Facts           map[string]any    // success: values computed inside the transaction
	ExecutionTimeMS int64             // of the whole invocation, without waiting for a person
	CostEstimate    map[string]string // decimal strings, as declared
	Replayed        bool              // the stored result of an earlier request with the same key
	DryRun          bool              // rolled back
	Timestamp       int64             // ms since 1970
}

// OK reports success.
func (r Result) OK() bool { return r.Status == statusSuccess }

const (
	statusSuccess = "success"
	statusError   = "error"
)

type wireSuccess struct {
	Status          string            `json:"status"`
	RequestID       string            `json:"request_id"`
	Data            json.RawMessage   `json:"data,omitempty"`
	Events          []Event           `json:"events,omitempty"`
	Facts           map[string]any    `json:"facts,omitempty"`
	ExecutionTimeMS int64             `json:"execution_time_ms"`
	CostEstimate    map[string]string `json:"cost_estimate,omitempty"`
	Replayed        bool              `json:"replayed"`
	DryRun          bool              `json:"dry_run,omitempty"`
	Timestamp       int64             `json:"timestamp"`
}

type wireError struct {
	Status          string      `json:"status"`
	RequestID       string      `json:"request_id"`
	Code            Code        `json:"code"`
	Reason          Reason      `json:"reason,omitempty"`
	Message         string      `json:"message"`
	Hint            string      `json:"recovery_hint,omitempty"`
	Retryable       bool        `json:"retryable"`
	Violations      []Violation `json:"violations,omitempty"`
	SchemaSide      string      `json:"schema_side,omitempty"`
	RetryAfter      int         `json:"retry_after_seconds,omitempty"`
	Limit           int         `json:"limit,omitempty"`
	Remaining       *int        `json:"remaining,omitempty"`
	ResetAt         int64       `json:"reset_at,omitempty"`
	Events          []Event     `json:"events,omitempty"`
	ExecutionTimeMS int64       `json:"execution_time_ms"`
	DryRun          bool        `json:"dry_run,omitempty"`
	Timestamp       int64       `json:"timestamp"`
}

// MarshalJSON writes the wire shape.
func (r Result) MarshalJSON() ([]byte, error) {
	if r.Err == nil {
		return json.Marshal(wireSuccess{statusSuccess, r.RequestID, r.Data, r.Events, r.Facts, r.ExecutionTimeMS,
			r.CostEstimate, r.Replayed, r.DryRun, r.Timestamp})
	}
	e := r.Err
	w := wireError{Status: statusError, RequestID: r.RequestID, Code: e.Code, Reason: e.Reason, Message: e.Message,
		Hint: e.Hint, Retryable: e.Retryable(), Violations: e.Violations, SchemaSide: e.SchemaSide, Events: r.Events,
		ExecutionTimeMS: r.ExecutionTimeMS, DryRun: r.DryRun, Timestamp: r.Timestamp}
	if e.Reason == ReasonRateLimit {
		w.RetryAfter, w.Limit, w.Remaining, w.ResetAt = e.RetryAfterSeconds, e.Limit, &e.Remaining, e.ResetAt
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads the wire shape.
func (r *Result) UnmarshalJSON(data []byte) error {
	var head struct {
		Status string `json:"status"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	if head.Status == statusSuccess {
		var w wireSuccess
		if err := json.Unmarshal(data, &w); err != nil {
			return err
		}
		*r = Result{Status: w.Status, RequestID: w.RequestID, Data: w.Data, Events: w.Events, Facts: w.Facts,
			ExecutionTimeMS: w.ExecutionTimeMS, CostEstimate: w.CostEstimate, Replayed: w.Replayed, DryRun: w.DryRun, Timestamp: w.Timestamp}
		return nil
	}
	var w wireError
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	e := &Error{Code: w.Code, Reason: w.Reason, Message: w.Message, Hint: w.Hint, Violations: w.Violations,
		SchemaSide: w.SchemaSide, RetryAfterSeconds: w.RetryAfter, Limit: w.Limit, ResetAt: w.ResetAt}
	if w.Remaining != nil {
		e.Remaining = *w.Remaining
	}
	*r = Result{Status: statusError, RequestID: w.RequestID, Err: e, Events: w.Events,
		ExecutionTimeMS: w.ExecutionTimeMS, DryRun: w.DryRun, Timestamp: w.Timestamp}
	return nil
}
