package bus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus/internal/spelling"
)

// CallerType is the kind of caller. The door sets it; a value from outside is never trusted.
type CallerType string

// The kinds of callers.
const (
	CallerUI    CallerType = "ui"
	CallerAgent CallerType = "agent"
	CallerTest  CallerType = "test"
	CallerCLI   CallerType = "cli"

	CallerSchedule CallerType = "schedule" // a timer, for the person who set it
)

// Caller describes the origin of an invocation. The record contains it, and access rules and policy read it. It is
// hidden from the handler.
type Caller struct {
	Type              CallerType `json:"type"`
	Source            string     `json:"source,omitempty"`             // component, chat session or test id
	ParentRequestID   string     `json:"parent_request_id,omitempty"`  // the invocation that led to this call
	TriggeringMessage string     `json:"triggering_message,omitempty"` // the person's words
	Reasoning         string     `json:"reasoning,omitempty"`          // the model's words
}

// ModelID identifies the model behind an agent's call.
type ModelID struct {
	Endpoint      string `json:"endpoint,omitempty"`
	Name          string `json:"name,omitempty"`
	PromptVersion string `json:"prompt_version,omitempty"`
	Rules         string `json:"rules,omitempty"`    // digest of the owner's instructions
	Autonomy      string `json:"autonomy,omitempty"` // its degree of autonomy in the conversation
}

// Principal is the person and the door of a call. The door sets it; it never comes from the wire.
type Principal struct {
	ID             string   // id of the signed-in person; "" if there is none
	Name           string   // for display
	Role           string   //
	Scopes         []string // e.g. "note:write"; "*" means all
	Authentication string   // method of authentication: "none", "pin", …
	Door           string   // "window", "cli", "bridge", "test"
	ConversationID string   // the chat, if any
	Model          *ModelID // set by the bridge
}

// Has reports whether the person holds a scope.
func (p Principal) Has(scope string) bool {
	return slices.Contains(p.Scopes, scope) || slices.Contains(p.Scopes, "*")
}

// Invocation is a request to run one capability, with everything that the bus needs and no ambient state. The JSON form
// is the wire form; unknown fields are refused.
type Invocation struct {
	Capability     string          `json:"capability"`
	Arguments      json.RawMessage `json:"arguments,omitempty"`       // a JSON object; absent means {}
	RequestID      string          `json:"request_id,omitempty"`      // generated if absent
	IdempotencyKey string          `json:"idempotency_key,omitempty"` // runs once with the same arguments; see [Key]
	TraceID        string          `json:"trace_id,omitempty"`        // groups requests; the request id if absent
	MinVersion     string          `json:"min_version,omitempty"`     // refuse older versions, and later major ones
	Timeout        time.Duration   `json:"-"`                         // shortens the capability's own; timeout_ms in JSON
	DryRun         bool            `json:"dry_run,omitempty"`         // run and roll back, or only Preview
	Caller         Caller          `json:"caller"`
	Principal      Principal       `json:"-"`

	As calledAs `json:"-"` // the [StandIn] of the original call; the bus sets it

	// CostEstimate is the cost that led to this invocation, such as a model's tokens, as decimal strings by unit. The
	// record contains it next to the capability's declared cost. It never comes from the wire.
	CostEstimate map[string]string `json:"-"`

	// PinnedClock, PinnedSeed and PinnedNumbers fix values that an invocation otherwise gets from its bus. A replay
	// takes them from the record, to get the same times, ids and numbers. They never come from the wire.
	PinnedClock   time.Time          `json:"-"`
	PinnedSeed    []byte             `json:"-"`
	PinnedNumbers map[string][]int64 `json:"-"` // of Call.Next, by series
}

// calledAs is the original call of a [StandIn].
type calledAs struct {
	Capability string
	Arguments  json.RawMessage
	Title      string // of a plan, by [PlanOf]
}

type plainInvocation Invocation // without methods

// wireInvocation is the JSON of an Invocation.
type wireInvocation struct {
	*plainInvocation
	TimeoutMS int64 `json:"timeout_ms,omitempty"`
}

// MarshalJSON writes the wire form.
func (inv Invocation) MarshalJSON() ([]byte, error) {
	return json.Marshal(wireInvocation{(*plainInvocation)(&inv), inv.Timeout.Milliseconds()})
}

// UnmarshalJSON reads the wire form and ignores unknown fields. [Bus.InvokeJSON] refuses them.
func (inv *Invocation) UnmarshalJSON(data []byte) error {
	return inv.decode(json.NewDecoder(bytes.NewReader(data)))
}

func (inv *Invocation) decode(d *json.Decoder) error {
	w := wireInvocation{plainInvocation: (*plainInvocation)(inv)}
	err := d.Decode(&w)
	inv.Timeout = fromMS(w.TimeoutMS)
	return err
}

// decodeInvocation reads one invocation from its wire form. It refuses unknown fields and trailing bytes with a
// VALIDATION error.
func decodeInvocation(data []byte) (Invocation, error) {
	var inv Invocation
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := inv.decode(d); err != nil {
		return inv, Errorf(Validation, ReasonEnvelope, "The invocation is not understood: %s.", plainJSONError(err)).
			WithHint(`Send {"capability":"name","arguments":{…}}.`)
	}
	if _, err := d.Token(); err != io.EOF {
		return inv, Errorf(Validation, ReasonEnvelope, "The invocation is followed by something else.").
			WithHint("Send one JSON object.")
	}
	if name := twice(data); name != "" {
		return inv, Errorf(Validation, ReasonEnvelope, "%q stands twice in the invocation.", name).
			WithHint("Send each field once.")
	}
	return inv, nil
}

// twice returns a duplicate field of a valid object or its caller, in any case of its letters. The decoder would use
// the last one.
func twice(object []byte) string {
	d, seen := json.NewDecoder(bytes.NewReader(object)), map[string]bool{}
	for _, _ = d.Token(); d.More(); {
		token, _ := d.Token()
		name, _ := token.(string)
		var value json.RawMessage
		if key := strings.ToLower(name); seen[key] || d.Decode(&value) != nil {
			return name
		} else if seen[key] = true; key == "caller" && value[0] == '{' {
			if inner := twice(value); inner != "" {
				return inner
			}
		}
	}
	return ""
}

// longestID limits the ids and names of an invocation and its origin, because records contain them.
const longestID = 256

// cut removes a value that is too long from an invocation, and returns its field's name.
func (inv *Invocation) cut() (name string) {
	for _, f := range [...]struct {
		name string
		text *string
	}{{"capability", &inv.Capability}, {"request_id", &inv.RequestID}, {"idempotency_key", &inv.IdempotencyKey},
		{"trace_id", &inv.TraceID}, {"min_version", &inv.MinVersion}, {"caller.source", &inv.Caller.Source},
		{"caller.parent_request_id", &inv.Caller.ParentRequestID}} {
		if len(*f.text) > longestID {
			*f.text, name = "", f.name
		}
	}
	return name
}

// plainJSONError describes a JSON error without the names of Go types.
func plainJSONError(err error) string {
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends too early"
	case errors.As(err, new(*json.SyntaxError)):
		return "it is not JSON"
	case errors.As(err, &wrong) && wrong.Field == "":
		return "it must be a JSON object, not " + wrong.Value
	case errors.As(err, &wrong):
		return fmt.Sprintf("%q must not be %s", strings.TrimPrefix(wrong.Field, "plainInvocation."), wrong.Value)
	}
	text := strings.TrimPrefix(err.Error(), "json: ")
	if name, is := strings.CutPrefix(text, "unknown field "); is {
		text = "there is no field " + name + didYouMean(strings.Trim(name, `"`), envelopeFields)
	}
	return text
}

// envelopeFields lists the fields of an invocation's wire form.
var envelopeFields = []string{"arguments", "caller", "capability", "dry_run", "idempotency_key", "min_version",
	"request_id", "timeout_ms", "trace_id"}

// didYouMean returns "; did you mean …?" with the nearest of the names, or "" if none is near.
func didYouMean(name string, among []string) string {
	best, least := "", len(name)/3+1
	for _, candidate := range among {
		if d := spelling.Distance(strings.ToLower(name), strings.ToLower(candidate)); d < least || d == least && best == "" {
			best, least = candidate, d
		}
	}
	if best == "" || len(name) > longestName {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// toMS returns the time in Unix milliseconds, and 0 for the zero time.
func toMS(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// timeOf is the inverse of toMS.
func timeOf(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

// fromMS converts milliseconds to a duration.
func fromMS(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }

// Result is the result of an invocation.
type Result struct {
	Status        Status            //
	RequestID     string            //
	Data          json.RawMessage   // success: the output
	Err           *Error            // error: the failure
	Events        []Event           // the handler's own events, in order
	Facts         map[string]any    // success: values computed inside the transaction
	ExecutionTime time.Duration     // of the whole invocation, without waiting for a person
	CostEstimate  map[string]string // decimal strings, as declared
	Replayed      bool              // the stored result of an earlier request with the same key
	DryRun        bool              // rolled back
	Summary       string            // of a dry run: the sentence about its effect
	Texts         Texts             // sentences with their keys and values, by pointers into the wire form
	Time          time.Time         // time of its end
}

// OK reports success.
func (r Result) OK() bool { return r.Status == StatusSuccess }

// Error returns r.Err as an error; nil after a success.
func (r Result) Error() error {
	if r.Err == nil {
		return nil
	}
	return r.Err
}

// Decode reads the output of a success into v, a pointer. For a failure it returns the error.
func (r Result) Decode(v any) error {
	if err := r.Error(); err != nil {
		return err
	}
	if err := json.Unmarshal(r.Data, v); err != nil {
		return fmt.Errorf("bus: the output does not fit %T: %w", v, err)
	}
	return nil
}

// Invoke is [Bus.Invoke] with Go values. in becomes the arguments unless it is nil, and the output becomes an Out. The
// error is an [*Error], or an error about an in or Out that does not fit.
func Invoke[Out any](ctx context.Context, b *Bus, inv Invocation, in any) (out Out, err error) {
	if in != nil {
		if inv.Arguments, err = json.Marshal(in); err != nil {
			return out, fmt.Errorf("bus: encode the arguments of %s: %w", inv.Capability, err)
		}
	}
	err = b.Invoke(ctx, inv).Decode(&out)
	return out, err
}

// Status is the outcome of an invocation.
type Status string

// The two outcomes.
const (
	StatusSuccess Status = "success"
	StatusError   Status = "error"
)

// wireResult is the wire form: data, facts, cost and replayed of a success, or the fields of an error.
type wireResult struct {
	Status    Status          `json:"status"`
	RequestID string          `json:"request_id"`
	Data      json.RawMessage `json:"data,omitempty"`
	*wireError
	Events          []Event           `json:"events,omitempty"`
	Facts           map[string]any    `json:"facts,omitempty"`
	ExecutionTimeMS int64             `json:"execution_time_ms"`
	CostEstimate    map[string]string `json:"cost_estimate,omitempty"`
	Replayed        any               `json:"replayed,omitempty"` // a bool; nil in an error
	DryRun          bool              `json:"dry_run,omitempty"`
	Summary         string            `json:"summary,omitempty"`
	Texts           Texts             `json:"texts,omitempty"` // see [Texts]
	Timestamp       int64             `json:"timestamp"`
}

type wireError struct {
	Code       Code        `json:"code"`
	Reason     Reason      `json:"reason,omitempty"`
	Message    string      `json:"message"`
	Hint       string      `json:"recovery_hint,omitempty"`
	Retryable  bool        `json:"retryable"`
	Violations []Violation `json:"violations,omitempty"`
	Choices    []Choice    `json:"choices,omitempty"`
	SchemaSide string      `json:"schema_side,omitempty"`
	Condition  string      `json:"precondition,omitempty"`
	RetryAfter int         `json:"retry_after_seconds,omitempty"`
	Limit      int         `json:"limit,omitempty"`
	Remaining  *int        `json:"remaining,omitempty"`
	ResetAt    int64       `json:"reset_at,omitempty"`
}

// MarshalJSON writes the wire form.
func (r Result) MarshalJSON() ([]byte, error) {
	w := wireResult{Status: StatusSuccess, RequestID: r.RequestID, Events: r.Events,
		ExecutionTimeMS: r.ExecutionTime.Milliseconds(),
		DryRun:          r.DryRun, Summary: r.Summary, Texts: r.Texts, Timestamp: toMS(r.Time)}
	e := r.Err
	if e == nil {
		w.Data, w.Facts, w.CostEstimate, w.Replayed = r.Data, r.Facts, r.CostEstimate, r.Replayed
		return json.Marshal(&w)
	}
	w.Status, w.Texts = StatusError, e.texts()
	w.wireError = &wireError{Code: e.Code, Reason: e.Reason, Message: e.Message, Hint: e.Hint, Retryable: e.Retryable(),
		Violations: e.Violations, Choices: e.Choices, SchemaSide: e.SchemaSide, Condition: e.Precondition}
	if e.Reason == ReasonRateLimit {
		w.RetryAfter, w.Limit, w.Remaining, w.ResetAt = int(e.RetryAfter.Seconds()), e.Limit, &e.Remaining, toMS(e.ResetAt)
	}
	return json.Marshal(&w)
}

// UnmarshalJSON reads the wire form.
func (r *Result) UnmarshalJSON(data []byte) error {
	w := wireResult{wireError: &wireError{}}
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*r = Result{Status: StatusError, RequestID: w.RequestID, Events: w.Events, ExecutionTime: fromMS(w.ExecutionTimeMS),
		DryRun: w.DryRun, Time: timeOf(w.Timestamp)}
	if w.Status == StatusSuccess {
		r.Status, r.Data, r.Facts, r.CostEstimate = StatusSuccess, w.Data, w.Facts, w.CostEstimate
		r.Summary, r.Texts = w.Summary, w.Texts
		r.Replayed = w.Replayed == true
		return nil
	}
	r.Err = &Error{Code: w.Code, Reason: w.Reason, Message: w.Message, Hint: w.Hint, Violations: w.Violations,
		Choices: w.Choices, SchemaSide: w.SchemaSide, Precondition: w.Condition,
		RetryAfter: time.Duration(w.RetryAfter) * time.Second, Limit: w.Limit, ResetAt: timeOf(w.ResetAt)}
	r.Err.setTexts(w.Texts)
	if w.Remaining != nil {
		r.Err.Remaining = *w.Remaining
	}
	return nil
}
