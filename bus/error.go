package bus

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/deskhand/deskhand/internal/userinfo"
)

// Code is the machine-readable class of a failure. The set is closed: a caller can always choose the next step by the
// code alone.
type Code string

// The seven codes.
const (
	Validation         Code = "VALIDATION"          // the arguments (or the output) break the schema: correct and retry
	Forbidden          Code = "FORBIDDEN"           // the person or the kind of caller lacks the right: do not retry
	PreconditionFailed Code = "PRECONDITION_FAILED" // the state does not allow it: follow the recovery hint
	Conflict           Code = "CONFLICT"            // a concurrent call is in the way: wait and retry
	NotFound           Code = "NOT_FOUND"           // no such capability or record
	Transient          Code = "TRANSIENT"           // temporary: retry with backoff and the same idempotency key
	Internal           Code = "INTERNAL"            // a defect: report it, do not retry
)

// Reason refines a Code. The reasons for each code are also a closed set, except for those of the application, which
// are names with a dot, such as "ticket.locked".
type Reason string

// The reasons, grouped by their code.
const (
	// VALIDATION
	ReasonArguments           Reason = "arguments"            // the arguments break the input schema
	ReasonEnvelope            Reason = "envelope"             // the invocation itself is malformed
	ReasonVersion             Reason = "version"              // min_version is newer, or of an older major version
	ReasonIdempotencyMismatch Reason = "idempotency_mismatch" // the key was used with other arguments
	ReasonUnknownOperator     Reason = "unknown_constraint_operator"

	// FORBIDDEN
	ReasonPermission           Reason = "permission"             // the person lacks a scope
	ReasonLimit                Reason = "limit"                  // the arguments exceed the person's limit
	ReasonAgentForbidden       Reason = "agent_forbidden"        // the rule for this kind of caller forbids it
	ReasonCapabilityNotGranted Reason = "capability_not_granted" // policy or a grant forbids it
	ReasonConstraint           Reason = "constraint"             // outside a grant's constraints
	ReasonDeclined             Reason = "declined"               // a person declined, or no one was there to ask

	// PRECONDITION_FAILED
	ReasonCondition    Reason = "condition"    // a named condition is unmet
	ReasonPrecondition Reason = "precondition" // a named precondition is unmet
	ReasonUnavailable  Reason = "unavailable"  // the capability is not available now
	ReasonState        Reason = "state"        // the handler found a state that it cannot handle

	// CONFLICT
	ReasonBusy    Reason = "busy"    // the concurrency slot is taken
	ReasonChanged Reason = "changed" // the data changed after an approval or before an undo

	// NOT_FOUND
	ReasonCapability Reason = "capability" // no capability of that name
	ReasonRecord     Reason = "record"     // the handler found no such record

	// TRANSIENT
	ReasonRateLimit   Reason = "rate_limit"
	ReasonTimeout     Reason = "timeout"
	ReasonCancelled   Reason = "cancelled"
	ReasonJournal     Reason = "journal"     // the journal could not commit; nothing changed
	ReasonInterrupted Reason = "interrupted" // the program ended during the call
	ReasonNetwork     Reason = "network"

	// INTERNAL
	ReasonPanic    Reason = "panic"
	ReasonDamaged  Reason = "damaged"  // the journal's storage is damaged
	ReasonUncoded  Reason = "uncoded"  // the handler returned an error without a code
	ReasonResponse Reason = "response" // the output breaks the output schema
)

// reasons lists the valid reasons of each code.
var reasons = map[Code][]Reason{
	Validation: {ReasonArguments, ReasonEnvelope, ReasonVersion, ReasonIdempotencyMismatch, ReasonUnknownOperator},
	Forbidden: {ReasonPermission, ReasonLimit, ReasonAgentForbidden, ReasonCapabilityNotGranted, ReasonConstraint,
		ReasonDeclined},
	PreconditionFailed: {ReasonCondition, ReasonPrecondition, ReasonUnavailable, ReasonState},
	Conflict:           {ReasonBusy, ReasonChanged},
	NotFound:           {ReasonCapability, ReasonRecord},
	Transient:          {ReasonRateLimit, ReasonTimeout, ReasonCancelled, ReasonJournal, ReasonInterrupted, ReasonNetwork},
	Internal:           {ReasonPanic, ReasonDamaged, ReasonUncoded, ReasonResponse},
}

// Reasons lists the valid reasons of c, or nil if c is none of the seven codes.
func (c Code) Reasons() []Reason { return slices.Clone(reasons[c]) }

// allows reports whether a reason is valid for a code.
func (c Code) allows(r Reason) bool {
	own := len(r) <= longestName && nameForm.MatchString(string(r))
	return slices.Contains(reasons[c], r) || own && reasons[c] != nil
}

// Violation is a violation of a schema in a document.
type Violation struct {
	Path    string `json:"path"`    // JSON Pointer into the document; "" for the whole document
	Message string `json:"message"` // one sentence

	// Keyword is the violated schema keyword, such as "minimum"; "" if there is none or the value is a secret. Params
	// holds the details for the keyword:
	//
	//	type                              want []string, got string (names of types)
	//	enum                              want []any
	//	const                             want any
	//	format, pattern                   want string
	//	minimum, maximum, exclusive…      want float64
	//	multipleOf                        want float64
	//	min and max Length, Items, …      want int
	//	required, additionalProperties    properties []string
	Keyword string         `json:"-"`
	Params  map[string]any `json:"-"`
	Text    Text           `json:"-"` // Message with its key and values, as long as both agree
}

// WithText returns v with another message.
func (v Violation) WithText(message Text) Violation {
	v.Message, v.Text = message.String(), message
	return v
}

// Error is a failure with a code. A handler returns it, and a Result with the status "error" carries it. Any other
// error of a handler becomes INTERNAL with a neutral message.
type Error struct {
	Code       Code
	Reason     Reason
	Message    string // for people and models; no internals
	Hint       string // advice that names a capability if one helps; see [Bus.ForPeople]
	Violations []Violation
	SchemaSide string // "request" or "response", with Violations

	Choices      []Choice // the possible values of arguments; see [Error.WithChoice]
	Precondition string   // PRECONDITION_FAILED: the name of the failed condition or precondition, if any

	RetryAfter time.Duration // rate_limit: delay before the next attempt
	Limit      int           // rate_limit: requests per period
	Remaining  int           // rate_limit: requests left
	ResetAt    time.Time     // rate_limit: time of the next token

	cause         error
	message, hint Text
}

// Errorf returns a coded error.
func Errorf(code Code, reason Reason, format string, args ...any) *Error {
	return (&Error{Code: code, Reason: reason}).withMessage(Textf(format, args...))
}

// MessageText returns the message with its key and values, as far as known.
func (e *Error) MessageText() Text { return e.message.saying(e.Message) }

// HintText returns the hint with its key and values, as far as known.
func (e *Error) HintText() Text { return e.hint.saying(e.Hint) }

// WithMessage returns a copy of e with another message.
func (e *Error) WithMessage(format string, args ...any) *Error {
	return e.withMessage(Textf(format, args...))
}

func (e *Error) withMessage(message Text) *Error {
	c := *e
	c.message, c.Message = message, message.String()
	return &c
}

func (e *Error) withHint(hint Text) *Error {
	c := *e
	c.hint, c.Hint = hint, hint.String()
	return &c
}

// texts returns the sentences of the error by their pointers in the wire form. A violation may repeat the message.
func (e *Error) texts() (texts Texts) {
	texts.Put("/message", e.MessageText())
	texts.Put("/recovery_hint", e.HintText())
	for i, v := range e.Violations {
		text := v.Text.saying(v.Message)
		if text.key == "" {
			text = e.message.saying(v.Message)
		}
		texts.Put(violationAt(i), text)
	}
	return texts
}

// setTexts restores the keys and values of the sentences of a decoded error.
func (e *Error) setTexts(texts Texts) {
	e.message, e.hint = texts.At("/message", e.Message), texts.At("/recovery_hint", e.Hint)
	for i := range e.Violations {
		v := &e.Violations[i]
		v.Text = texts.At(violationAt(i), v.Message)
	}
}

func violationAt(i int) string { return fmt.Sprintf("/violations/%d/message", i) }

// WithCause returns a copy of e with its cause for the log. Callers do not see the cause.
func (e *Error) WithCause(err error) *Error {
	c := *e
	c.cause = err
	return &c
}

// WithHint returns a copy of e with a recovery hint.
func (e *Error) WithHint(format string, args ...any) *Error {
	return e.withHint(Textf(format, args...))
}

// Error implements error.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap returns the cause, if any.
func (e *Error) Unwrap() error { return e.cause }

// Retryable reports whether the same invocation may succeed later unchanged. A call that was interrupted with an
// unknown outcome must not be repeated without a check.
func (e *Error) Retryable() bool {
	return e.Code == Conflict || e.Code == Transient && e.Reason != ReasonInterrupted
}

// coded converts any error into a coded one. It refuses a code or reason outside the closed sets, because callers
// depend on them.
func coded(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok && e.Code.allows(e.Reason) {
		return e
	}
	return Errorf(Internal, ReasonUncoded, "Something went wrong inside the application; nothing was changed.").
		WithHint("Report it with the request id.").WithCause(err)
}

// withoutUserinfo returns the error with user names and passwords removed from URLs in its texts.
func (e *Error) withoutUserinfo() *Error {
	quotes := func(text string) bool { return userinfo.Strip(text) != text }
	if !quotes(e.Message) && !quotes(e.Hint) &&
		!slices.ContainsFunc(e.Violations, func(v Violation) bool { return quotes(v.Message) }) {
		return e
	}
	safe := *e
	safe.Message, safe.Hint = userinfo.Strip(e.Message), userinfo.Strip(e.Hint)
	safe.Violations = slices.Clone(e.Violations)
	for i := range safe.Violations {
		safe.Violations[i].Message = userinfo.Strip(safe.Violations[i].Message)
	}
	return &safe
}

// loggable returns the cause of an error in a form for the log.
func loggable(cause error) any {
	if cause == nil || userinfo.Strip(cause.Error()) == cause.Error() {
		return cause
	}
	return userinfo.Strip(cause.Error())
}

// ForPeople returns the error with titles in place of capability names. A door for people returns it instead of e. The
// record, programs and models get e.
func (b *Bus) ForPeople(e *Error) *Error {
	title := func(name string) (string, bool) {
		if c := b.find(name); c != nil {
			return c.Title, true
		}
		return "", false
	}
	told := *e
	told.message, told.hint = e.MessageText().titled(title), e.HintText().titled(title)
	told.Message, told.Hint = told.message.String(), told.hint.String()
	return &told
}
