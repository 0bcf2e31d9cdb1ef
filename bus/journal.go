package bus

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Journal stores effects, records and idempotency results together, all or none. Every method is safe for concurrent
// use. Package audit has a durable journal. Package bustest has one in memory, and ConformJournal, which tests any
// journal.
type Journal interface {
	// View runs run with a read snapshot in its context. The bus evaluates conditions, preconditions and availability
	// in a snapshot.
	View(ctx context.Context, run func(ctx context.Context) error) error

	// Lookup returns the stored result of an idempotency key, or nil if there is none.
	Lookup(ctx context.Context, key Key) (*Stored, error)

	// Do runs run inside one transaction. If run returns nil the effects are kept, else rolled back. Either way e is
	// recorded in the same commit. If e.Key is set and e.Result is a success that was not replayed, the result is
	// stored under the key. Do returns after the commit; an error means that nothing was stored at all. run may be
	// called more than once (each time from the start); only the last call counts. If run returns ErrDiscard, the
	// effects are rolled back, nothing is recorded and Do returns ErrDiscard: the bus will try again or ask again under
	// the same request. A success whose key has a result by then is refused. A goroutine that run leaves behind can
	// change nothing after Do.
	Do(ctx context.Context, e *Entry, run func(ctx context.Context, x Exec) error) error

	// DryRun runs run like Do and rolls back; it records nothing.
	DryRun(ctx context.Context, e *Entry, run func(ctx context.Context, x Exec) error) error

	// Record stores e alone: refusals, replays, reads, dry runs. A success with e.Key set that was not replayed is
	// stored under the key, as in Do.
	Record(ctx context.Context, e *Entry) error

	// Begin durably notes that a network step is about to start. It refuses with CONFLICT if the key is stored or in
	// use elsewhere. The same request may begin again for another attempt, and keeps its single note. Finish records e,
	// stores its key like Record, or without a result after [Entry.OutcomeUnknown], and removes the note. If the
	// program ends during a step, the next opening of the store records the step as [Entry.Interrupted], once, and
	// stores its key as unknown.
	Begin(ctx context.Context, e *Entry) error
	Finish(ctx context.Context, e *Entry) error
}

// Versioned is a [Journal] that reports cheaply whether the result of View may have changed.
type Versioned interface {
	// DataVersion changes whenever the result of View may change, also through another program. Manifests cache
	// availability as long as it stays the same. Without it they ask the journal again for each manifest after a change
	// through the bus, and at least once a minute.
	DataVersion(ctx context.Context) (string, error)
}

// Shared is a [Journal] that several programs write to. It stores the state that they must share. Without it rate
// limits, groups and events apply to one program.
type Shared interface {
	// Bucket reads the bucket of a rate limit. The [Exec] of a transaction has the same method. The commit of an entry
	// with a Token takes it from that bucket; with Begin this is the commit of the note. If the bucket is empty,
	// nothing is taken; Begin, and Record of a success, then return the error of the Token and store nothing.
	Bucket(ctx context.Context, capability string) (Bucket, error)

	// Slot waits for the turn of a concurrency group among all programs on the journal. It returns a function that ends
	// the turn, or nil if the group is busy and depth calls already wait. SlotFull reports the latter in advance. A
	// turn also ends with its program.
	Slot(ctx context.Context, group string, depth int) (give func(), err error)
	SlotFull(group string, depth int) (bool, error)

	// Elsewhere calls heard with each entry that another program records from now on, in order, until ctx ends. It may
	// omit reads by people whose records may follow later. An entry needs its invocation's ids, capability, caller and
	// principal, its side effect, and its result with the events.
	Elsewhere(ctx context.Context, heard func(e *Entry)) error
}

// Remembering is a [Journal] that plan.repeat can search for earlier actions.
type Remembering interface {
	// Recall returns the records of effects before until that still apply, newest first: successes that changed data or
	// reached outside and were neither undone since, nor dry runs, nor erased. ids selects requests and traces. Without
	// ids it returns the person's own latest ones. It omits records of others that the person may not read. It reads in
	// the transaction of ctx.
	Recall(ctx context.Context, p Principal, until time.Time, ids ...string) ([]Record, error)
}

// Partial is an [Exec] that can undo a part of its transaction. plan.repeat requires it.
type Partial interface {
	// Part calls run. If run returns an error, its changes are undone and the transaction continues.
	Part(run func() error) error
}

// ErrDiscard tells Journal.Do to roll back and record nothing.
var ErrDiscard = errors.New("bus: discard this run")

// Exec is the interface of a journal to a running transaction.
//
// A [Partial] one may also have Next(series string, pinned int64) (int64, error), which [Call.Next] requires. Next
// increments a series and returns the new number, from 1. A discarded entry or part returns its numbers. A replay
// passes the number that it must get as pinned, and the series continues after it; 0 means the next number. On a copy
// of the data that is merged later, Next returns 0 and counts nothing.
type Exec interface {
	// Prior returns the stored result of the entry's key, looked up inside the transaction, or nil if there is none.
	Prior() *Stored
	// Effects returns the row changes so far, in a stable order.
	Effects() []Effect
}

// Key identifies an idempotency result: the caller's key within its scope (caller kind and source, capability).
type Key struct {
	CallerType CallerType
	Source     string
	Capability string
	Value      string
	Arguments  string        // digest of the canonical arguments
	Window     time.Duration // lifetime of the result; 0 is for ever
}

// Stored is an idempotency result.
type Stored struct {
	Arguments string // digest of the canonical arguments it was stored with
	Result    Result
	RequestID string // of the request that ran
	Unknown   bool   // a network step whose outcome is unknown
}

// Effect is one changed row: the whole key, and the changed columns before and after (all columns for an insert or a
// delete).
type Effect struct {
	Table  string         `json:"table"`
	Key    map[string]any `json:"key,omitempty"` // absent in a bulk effect
	Op     Op             `json:"op"`
	Before map[string]any `json:"before,omitempty"`
	After  map[string]any `json:"after,omitempty"`
}

// Op is the operation on a row.
type Op string

// The operations.
const (
	Insert Op = "insert"
	Update Op = "update"
	Delete Op = "delete"
	Bulk   Op = "bulk" // many rows of a table: After has counts and a digest
)

// Kind is the subject of a record.
type Kind string

// The kinds of record.
const (
	KindInvocation      Kind = "invocation"
	KindSchemaViolation Kind = "capability_schema_violation"
)

// Entry is the content of a record. There is exactly one for each invocation. The bus fills it in, and the journal
// stores it.
type Entry struct {
	Kind       Kind
	Invocation Invocation         // ids filled in; arguments redacted, with defaults
	Version    string             // of the capability; "" when there is none
	SideEffect SideEffect         // of a plan: the most serious of its steps'
	Steps      []string           // of a plan in one transaction: the capabilities of its steps
	Started    time.Time          // the invocation's fixed clock
	Seed       string             // the invocation's id seed, hex
	Numbers    map[string][]int64 // drawn numbers by series
	Decision   *Decision          // the authorisation; nil without one
	Key        *Key               // idempotency
	// Token takes a token from the bucket of a rate limit in the journal. A coded error means that it is empty.
	Token      func(Bucket) (Bucket, error) `json:"-"`
	Result     Result                       // the one result; Data redacted
	Stored     json.RawMessage              `json:"-"` // the unredacted output, for the idempotency result only
	Declined   map[string]any               `json:"-"` // facts on the card that a person declined
	Summary    string                       // the handler's sentence about its effect
	Texts      Texts                        // one effect per table with counts and a digest, no rows
	Effects    []Effect                     // filled in by the journal's Do; by the bus for a dry run
	Bulk       bool                         // one effect per table with counts and a digest, no rows
	Unrecorded bool                         // the output is part of the log: RecordOf omits it
	Response   json.RawMessage              // an output that violates its schema: only for the record
	Redacted   []string                     // JSON Pointers of the redacted values
	Attempts   int                          // number of runs of the handler
	Read       bool                         // a read by a person: may be in the reads segment, need not be durable
}

// StoresResult reports whether the entry's result is stored under its key: a success that was neither replayed nor dry.
func (e *Entry) StoresResult() bool {
	return e.Key != nil && e.Result.OK() && !e.Result.Replayed && !e.Result.DryRun
}

// OutcomeUnknown reports whether a network step was interrupted or failed after it may have had its effect.
func (e *Entry) OutcomeUnknown() bool {
	if e.Result.Err == nil {
		return false
	}
	switch e.Result.Err.Reason {
	case ReasonTimeout, ReasonCancelled, ReasonInterrupted, ReasonPanic, ReasonUncoded, ReasonResponse:
		return true
	}
	return false
}

// Interrupted returns the entry of a network step whose program ended.
func (e *Entry) Interrupted() *Entry {
	died := *e
	died.Effects = nil
	died.Result = Result{Status: StatusError, RequestID: e.Invocation.RequestID, Err: Errorf(Transient, ReasonInterrupted,
		"The program ended while this step was under way; nobody knows whether it reached its goal.").
		WithHint("Check the outcome by hand, then use a new key.")}
	return &died
}

// Record is an invocation as a journal stores it. [RecordOf] makes it from an entry. A journal adds its own fields,
// such as a number. Absent fields have no value.
type Record struct {
	Time              int64        `json:"time" jsonschema_extras:"x-time=true"` // start time, Unix milliseconds
	Kind              Kind         `json:"kind"`
	RequestID         string       `json:"request_id"`
	TraceID           string       `json:"trace_id"`
	ParentRequestID   string       `json:"parent_request_id,omitempty"`
	ConversationID    string       `json:"conversation_id,omitempty"`
	Caller            recordCaller `json:"caller"`
	Model             *ModelID     `json:"model,omitempty"`
	Capability        string       `json:"capability,omitempty"`
	Version           string       `json:"version,omitempty"`
	SideEffect        string       `json:"side_effect,omitempty"` // of a plan: the most serious of its steps'
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
	// an output that violates its schema
	Response json.RawMessage `json:"response,omitempty" jsonschema_extras:"x-tainted=true"`
	Data     json.RawMessage `json:"data,omitempty" jsonschema_extras:"x-tainted=true"`
	Facts    map[string]any  `json:"facts,omitempty" jsonschema_extras:"x-tainted=true"`
	Summary  string          `json:"summary,omitempty" jsonschema_extras:"x-tainted=true"`
	Effects  []Effect        `json:"effects,omitempty" jsonschema_extras:"x-tainted=true"`
	Events   []Event         `json:"events,omitempty" jsonschema_extras:"x-tainted=true"`
	// of Summary, Message, RecoveryHint, Violations and Data; separate where the record is part of a response
	Texts Texts `json:"-"`

	DurationMS   int64             `json:"duration_ms" jsonschema_extras:"x-detail=0"`
	CostEstimate map[string]string `json:"cost_estimate,omitempty"`
	// of the invocation's ids, hex
	Seed string `json:"seed,omitempty" jsonschema_extras:"x-detail=0"`

	Numbers        map[string][]int64 `json:"numbers,omitempty"` // drawn by the call, by series
	IdempotencyKey string             `json:"idempotency_key,omitempty"`
	Attempts       int                `json:"attempts,omitempty"`
	Replayed       bool               `json:"replayed,omitempty"`
	DryRun         bool               `json:"dry_run,omitempty"`
	Redacted       []string           `json:"redacted,omitempty"` // JSON Pointers of the redacted values
}

// recordCaller is the caller of a recorded invocation.
type recordCaller struct {
	Type           string `json:"type,omitempty"`
	Source         string `json:"source,omitempty"`
	Door           string `json:"door,omitempty"`
	Person         string `json:"person,omitempty"`
	Role           string `json:"role,omitempty"`
	Authentication string `json:"authentication,omitempty"`
}

// RecordOf returns the record of an entry. Journals use it so that all records have the same fields. It shares the
// values that the entry refers to. The costs are those of the capability plus those that led to the invocation. It
// omits an output that is part of the log.
func RecordOf(e *Entry) Record {
	inv, who := &e.Invocation, &e.Invocation.Principal
	r := Record{Time: e.Started.UnixMilli(), Kind: e.Kind, RequestID: inv.RequestID, TraceID: inv.TraceID,
		ParentRequestID: inv.Caller.ParentRequestID, ConversationID: who.ConversationID,
		Caller: recordCaller{string(inv.Caller.Type), inv.Caller.Source, who.Door, who.ID, who.Role, who.Authentication},
		Model:  who.Model, Capability: inv.Capability, Version: e.Version, SideEffect: string(e.SideEffect), Steps: e.Steps,
		TriggeringMessage: inv.Caller.TriggeringMessage, Reasoning: inv.Caller.Reasoning,
		Arguments: inv.Arguments, Decision: e.Decision, Status: e.Result.Status, Response: e.Response,
		Data: e.Result.Data, Facts: e.Result.Facts, Summary: e.Summary, Effects: e.Effects, Events: e.Result.Events,
		DurationMS: e.Result.ExecutionTime.Milliseconds(), CostEstimate: e.Result.CostEstimate, Seed: e.Seed,
		Numbers:        e.Numbers,
		IdempotencyKey: inv.IdempotencyKey, Attempts: e.Attempts, Replayed: e.Result.Replayed,
		DryRun: e.Result.DryRun || inv.DryRun, Redacted: e.Redacted}
	if r.TraceID == "" {
		r.TraceID = r.RequestID
	}
	if len(inv.CostEstimate) > 0 {
		r.CostEstimate = maps.Clone(inv.CostEstimate)
		maps.Copy(r.CostEstimate, e.Result.CostEstimate)
	}
	r.Texts.Within("", e.Texts)
	r.Texts.Within("", e.Result.Texts.without([]string{"/summary"}))
	if e.Unrecorded && r.Data != nil {
		r.Texts = r.Texts.without([]string{"/data"})
		r.Data, r.Redacted = nil, append(slices.Clip(r.Redacted), "/data")
	}
	if r.Facts == nil {
		r.Facts = e.Declined
	}
	if err := e.Result.Err; err != nil {
		r.Code, r.Reason, r.SchemaSide = err.Code, err.Reason, err.SchemaSide
		r.Message, r.RecoveryHint, r.Violations = err.Message, err.Hint, err.Violations
		r.Texts.Within("", err.texts())
	}
	return r
}

// maxMade limits the draws of a call, or of a step of a plan, that Made searches for an id.
const maxMade = 512

// Made reports whether the call made an id with [Call.NewID] or, as six digits or more at its end, with [Call.Number]
// of a power of ten. It repeats the first few hundred draws from the seed.
func (r *Record) Made(id string) bool {
	seed, _ := hex.DecodeString(r.Seed) // without a stored seed, an empty one yields no id of the call
	digits := id[len(strings.TrimRight(id, "0123456789")):]
	number, tooLong := strconv.ParseUint(digits, 10, 63)
	numbered := len(digits) >= 6 && len(digits) <= 18 && tooLong == nil
	for step := range max(len(r.Steps), 1) {
		c, n := Call{seed: seed}, Call{seed: seed}
		if len(r.Steps) > 0 {
			c.seed, n.seed = stepSeed(seed, step), stepSeed(seed, step)
		}
		for range maxMade {
			drawn := numbered && n.Number(uint64(math.Pow10(len(digits)))) == number
			if drawn || strings.HasSuffix(id, c.NewID("")) {
				return true
			}
		}
	}
	return false
}

// Entry returns the part of a record that subscribers in other programs receive: see [Shared].
func (r *Record) Entry() *Entry {
	e := &Entry{Kind: r.Kind, SideEffect: SideEffect(r.SideEffect), Started: time.UnixMilli(r.Time),
		Invocation: Invocation{Capability: r.Capability, RequestID: r.RequestID, TraceID: r.TraceID,
			Caller: Caller{Type: CallerType(r.Caller.Type), Source: r.Caller.Source, ParentRequestID: r.ParentRequestID},
			Principal: Principal{ID: r.Caller.Person, Role: r.Caller.Role, Door: r.Caller.Door,
				ConversationID: r.ConversationID}},
		Result: Result{Status: r.Status, RequestID: r.RequestID, Events: r.Events, Replayed: r.Replayed,
			DryRun: r.DryRun, Time: time.UnixMilli(r.Time)}}
	if r.Status == StatusError {
		e.Result.Err = &Error{Code: r.Code, Reason: r.Reason, Message: r.Message, message: r.Texts.At("/message", r.Message)}
	}
	e.Result.Events = slices.Clone(r.Events)
	for i := range e.Result.Events {
		e.Result.Events[i].Texts.Within("", r.Texts.below(fmt.Sprintf("/events/%d", i)))
	}
	return e
}
