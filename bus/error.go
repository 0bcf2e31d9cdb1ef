package bus

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/deskhand/deskhand/internal/userinfo"
)

// Code is the machine-readable class of a failure. The set is closed: a caller
// can always decide what to do next from the code alone.
type Code string

// The seven codes. There are no others.
const (
	Validation         Code = "VALIDATION"          // the arguments (or the output) break the schema: correct and retry
	Forbidden          Code = "FORBIDDEN"           // this person or caller may not: do not retry
	PreconditionFailed Code = "PRECONDITION_FAILED" // the world is not ready: follow the recovery hint
	Conflict           Code = "CONFLICT"            // something concurrent is in the way: wait and retry
	NotFound           Code = "NOT_FOUND"           // no such capability
	Transient          Code = "TRANSIENT"           // may pass: retry with backoff and the same idempotency key
	Internal           Code = "INTERNAL"            // a defect: report it, do not retry
)

// Reason refines a Code. The set under each code is closed too, but for an
// application's own: names with a dot, such as "ticket.locked".
type Reason string

// Reasons, grouped by the code they stand under.
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
	ReasonAgentForbidden       Reason = "agent_forbidden"        // this caller kind may never
	ReasonCapabilityNotGranted Reason = "capability_not_granted" // policy or a grant says no
	ReasonConstraint           Reason = "constraint"             // outside a grant's constraints
	ReasonDeclined             Reason = "declined"               // a person said no, or nobody was there to ask

	// PRECONDITION_FAILED
	ReasonCondition    Reason = "condition"    // a named condition is unmet
	ReasonPrecondition Reason = "precondition" // a named precondition is unmet
	ReasonUnavailable  Reason = "unavailable"  // the capability is not available now
	ReasonState        Reason = "state"        // the handler met a state it cannot act on

	// CONFLICT
	ReasonBusy    Reason = "busy"    // the concurrency slot is taken
	ReasonChanged Reason = "changed" // the world changed under an approval or an undo

	// NOT_FOUND
	ReasonCapability Reason = "capability" // no capability of that name
	ReasonRecord     Reason = "record"     // the handler found no such thing

	// TRANSIENT
	ReasonRateLimit   Reason = "rate_limit"
	ReasonTimeout     Reason = "timeout"
	ReasonCancelled   Reason = "cancelled"
	ReasonJournal     Reason = "journal"     // the journal could not commit; nothing happened
	ReasonInterrupted Reason = "interrupted" // the program ended in the middle
	ReasonNetwork     Reason = "network"

	// INTERNAL
	ReasonPanic    Reason = "panic"
	ReasonDamaged  Reason = "damaged"  // what the journal stores in is damaged
	ReasonUncoded  Reason = "uncoded"  // the handler returned an error without a code
	ReasonResponse Reason = "response" // the output breaks the output schema
)

// reasons is the closed list of what may stand under each code.
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

// Reasons lists what may stand under c; nil when c is none of the seven codes.
func (c Code) Reasons() []Reason { return slices.Clone(reasons[c]) }

// allows reports whether a reason may stand under c.
func (c Code) allows(r Reason) bool {
	own := len(r) <= longestName && nameForm.MatchString(string(r))
	return slices.Contains(reasons[c], r) || own && reasons[c] != nil
}

// Violation is one way in which a document breaks its schema.
type Violation struct {
	Path    string `json:"path"`    // JSON Pointer into the document; "" is the whole
	Message string `json:"message"` // one sentence

	// Keyword is the schema keyword that is broken, such as "minimum"; "" if none
	// is, or if the value is a secret. Params are what the keyword asks for:
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
	Text    Text           `json:"-"` // Message with its key and values, as long as it says the same
}

// WithText returns v with another message.
func (v Violation) WithText(message Text) Violation {
	v.Message, v.Text = message.String(), message
	return v
}

// Error is a failure with a code: a handler returns it, and a Result of status "error" carries it. Any other error of a
// handler becomes INTERNAL with a neutral message.
type Error struct {
	Code       Code
	Reason     Reason
	Message    string // for people and models; no internals
	Hint       string // how to recover, naming a capability where one mends it; see [Bus.ForPeople]
	Violations []Violation
	SchemaSide string // "request" or "response", with Violations

	Choices      []Choice // the values that there are for arguments; see [Error.WithChoice]
	Precondition string   // PRECONDITION_FAILED: the name of the condition or precondition that failed, if it has one

	RetryAfter time.Duration // rate_limit: when to come back
	Limit      int           // rate_limit: requests per period
	Remaining  int           // rate_limit: requests left
	ResetAt    time.Time     // rate_limit: when there is a token again

	cause         error
	message, hint Text
}

// Errorf makes a coded error.
func Errorf(code Code, reason Reason, format string, args ...any) *Error {
	return (&Error{Code: code, Reason: reason}).withMessage(Textf(format, args...))
}

// MessageText is the message with its key and values, as far as they are known.
func (e *Error) MessageText() Text { return e.message.saying(e.Message) }

// HintText is the hint with its key and values, as far as they are known.
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

// texts are the sentences of the error by their pointers in the wire shape. A violation may repeat the message.
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

// setTexts gives an error that was read back the keys and values of its sentences.
func (e *Error) setTexts(texts Texts) {
	e.message, e.hint = texts.At("/message", e.Message), texts.At("/recovery_hint", e.Hint)
	for i := range e.Violations {
		v := &e.Violations[i]
		v.Text = texts.At(violationAt(i), v.Message)
	}
}

func violationAt(i int) string { return fmt.Sprintf("/violations/%d/message", i) }

// WithCause returns a copy of e with what caused it, for the log; no caller sees it.
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

// Retryable reports whether the same invocation may succeed later unchanged. One
// that was cut off with an unknown outcome must not be repeated unseen.
func (e *Error) Retryable() bool {
	return e.Code == Conflict || e.Code == Transient && e.Reason != ReasonInterrupted
}

// coded turns any error into a coded one: the one total function from error to code. A code or reason outside the
// closed lists is not accepted, since callers decide by them.
func coded(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok && e.Code.allows(e.Reason) {
		return e
	}
	return Errorf(Internal, ReasonUncoded, "Something went wrong inside the application; nothing was changed.").
		WithHint("Report it with the request id.").WithCause(err)
}

// withoutUserinfo returns an error whose words quote no user name and no password of a URL.
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

// loggable is the cause of an error as it may be logged.
func loggable(cause error) any {
	if cause == nil || userinfo.Strip(cause.Error()) == cause.Error() {
		return cause
	}
	return userinfo.Strip(cause.Error())
}

// ForPeople returns an error with titles in the place of capability names: a door
// for people answers it in place of e. The record, a program and a model get e.
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
