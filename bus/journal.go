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

// Journal stores effects, records and idempotency results, all or none of them together. Every method is safe for
// concurrent use. Package audit has the durable one, bustest one in memory and ConformJournal, which checks any.
//
// A Journal may also be [Versioned] or [Shared].
type Journal interface {
	// View runs run with a read snapshot in its context; conditions,
	// preconditions and availability are evaluated inside one.
	View(ctx context.Context, run func(ctx context.Context) error) error

	// Lookup finds the stored result of an idempotency key, nil if there is none.
	Lookup(ctx context.Context, key Key) (*Stored, error)

	// Do runs run inside one transaction. If run returns nil the effects are kept, else rolled back; either way e is
	// recorded in the same commit, and with e.Key set and e.Result a success that was not replayed the result is stored
	// under the key. Do returns after the commit; an error means that nothing was stored at all. run may be called more
	// than once (each time from the start); only the last call counts. If run returns ErrDiscard the effects are rolled
	// back, nothing is recorded and Do returns ErrDiscard: the bus will try again or ask again under the same request.
	// A success whose key has a result by then is refused. What run leaves behind can change nothing after Do.
	Do(ctx context.Context, e *Entry, run func(ctx context.Context, x Exec) error) error

	// DryRun runs run as Do would and rolls back; nothing is recorded.
	DryRun(ctx context.Context, e *Entry, run func(ctx context.Context, x Exec) error) error

	// Record stores e alone: refusals, replays, reads, dry runs. A success with
	// e.Key set that was not replayed is stored under the key, as by Do.
	Record(ctx context.Context, e *Entry) error

	// Begin durably notes that a network step is about to start; a CONFLICT refuses it (its key is stored or under way
	// elsewhere). The same request may begin again, for another attempt, and keeps its one note. Finish records e, stores
	// its key, as Record does or without a result where [Entry.OutcomeUnknown], and removes the note. A step whose program
	// died is recorded as [Entry.Interrupted], once, when the store is opened next, and its key stored as unknown.
	Begin(ctx context.Context, e *Entry) error
	Finish(ctx context.Context, e *Entry) error
}

// Versioned is a [Journal] that tells cheaply whether View may show something else.
type Versioned interface {
	// DataVersion differs whenever View may show something else, also if another program changed it: manifests remember
	// availability as long as it stays the same. Without it they ask the journal again for each manifest after a change
	// through the bus, at least once a minute.
	DataVersion(ctx context.Context) (string, error)
}

// Shared is a [Journal] that several programs write to: what must hold over all of them lies in it. Without it rate
// limits, groups and events are of one program.
type Shared interface {
	// Bucket reads the bucket of a rate limit, as its [Exec] then does inside the transaction. The commit of an entry with
	// a Token takes it from that bucket, with Begin the commit of the note; where the bucket is empty nothing is taken,
	// and Begin, and Record of a success, return the error of the Token and store nothing.
	Bucket(ctx context.Context, capability string) (Bucket, error)

	// Slot waits for the turn of a concurrency group among all programs on the journal, and returns what gives it back, or
	// nil when the group is held and depth others wait already, which SlotFull tells beforehand. A turn ends with its
	// program.
	Slot(ctx context.Context, group string, depth int) (give func(), err error)
	SlotFull(group string, depth int) (bool, error)

	// Elsewhere calls heard with each entry that another program records from now on, in order, until ctx ends; what of
	// people's reads may follow later may be left out. Needed of an entry are its invocation's ids, capability, caller
	// and principal, its side effect and its result with the events.
	Elsewhere(ctx context.Context, heard func(e *Entry)) error
}

// Remembering is a [Journal] in whose records plan.repeat finds what is to be done again.
type Remembering interface {
	// Recall returns what was done until then and still holds, newest first: the records of successes that changed
	// something or reached outside, and were not taken back since, only tried out, or erased. They are those of requests
	// and traces by their ids, or without ids the person's own last. Of others it returns those that the person may read.
	// It reads in the transaction of ctx.
	Recall(ctx context.Context, p Principal, until time.Time, ids ...string) ([]Record, error)
}

// Partial is an [Exec] of which a part can be taken back: without it there is no plan.repeat.
type Partial interface {
	// Part calls run; if that returns an error the changes that it made are taken back, and the transaction goes on.
	Part(run func() error) error
}

// ErrDiscard tells Journal.Do to roll back and record nothing.
var ErrDiscard = errors.New("bus: discard this run")

// Exec is what a journal offers to a running transaction.
//
// One that is [Partial] may also have Next(series string, pinned int64) (int64, error), without which there is no
// [Call.Next]. It counts a series on and returns its number, from 1; an entry, or a part, that is not kept gives
// its numbers back. pinned is the number that a replay must get, behind which the series goes on; 0: the next one. On a
// copy of the data that is merged later it returns 0 and counts nothing.
type Exec interface {
	// Prior is the stored result of the entry's key, looked up inside the transaction; nil if there is none.
	Prior() *Stored
	// Effects are the row changes so far, in a stable order.
	Effects() []Effect
}

// Key identifies an idempotency result: the caller's key within its scope (caller kind and source, capability).
type Key struct {
	CallerType CallerType
	Source     string
	Capability string
	Value      string
	Arguments  string        // digest of the canonical arguments
	Window     time.Duration // how long the result is kept; 0 is for ever
}

// Stored is an idempotency result.
type Stored struct {
	Arguments string // digest of the canonical arguments it was stored with
	Result    Result
	RequestID string // of the request that ran
	Unknown   bool   // a network step whose outcome is unknown
}

// Effect is one changed row: the whole key, and the changed columns before and
// after (all columns for an insert or a delete).
type Effect struct {
	Table  string         `json:"table"`
	Key    map[string]any `json:"key,omitempty"` // absent in a bulk effect
	Op     Op             `json:"op"`
	Before map[string]any `json:"before,omitempty"`
	After  map[string]any `json:"after,omitempty"`
}

// Op is what happened to a row.
type Op string

// The operations.
const (
	Insert Op = "insert"
	Update Op = "update"
	Delete Op = "delete"
	Bulk   Op = "bulk" // many rows of a table: counts and a digest stand in After
)

// Kind is what a record is about.
type Kind string

// The kinds of record.
const (
	KindInvocation      Kind = "invocation"
	KindSchemaViolation Kind = "capability_schema_violation"
)

// Entry is the content of a record: exactly one per invocation. The bus fills it in; the journal stores it.
type Entry struct {
	Kind       Kind
	Invocation Invocation         // ids filled in; arguments redacted, with defaults
	Version    string             // of the capability; "" when there is none
	SideEffect SideEffect         // of a plan: the gravest of its steps'
	Steps      []string           // of a plan in one transaction: the capabilities of its steps
	Started    time.Time          // the invocation's fixed clock
	Seed       string             // the invocation's id seed, hex
	Numbers    map[string][]int64 // that were drawn, by series
	Decision   *Decision          // how it was authorised; nil if policy was not asked
	Key        *Key               // idempotency
	// Takes a token from the bucket of a rate limit that the journal stores; a coded error says that it is empty.
	Token      func(Bucket) (Bucket, error) `json:"-"`
	Result     Result                       // the one result; Data redacted
	Stored     json.RawMessage              `json:"-"` // the unredacted output, for the idempotency result only
	Declined   map[string]any               `json:"-"` // facts that a person was shown who did not allow it
	Summary    string                       // the handler's sentence about what it did
	Texts      Texts                        // of Summary
	Effects    []Effect                     // filled in by the journal's Do; by the bus for a dry run
	Bulk       bool                         // keep one effect per table with counts and a digest (op "bulk"), not the rows
	Unrecorded bool                         // the output is a part of the log: RecordOf leaves it out
	Response   json.RawMessage              // an output that broke its schema: kept in the record only
	Redacted   []string                     // JSON Pointers of the redacted values
	Attempts   int                          // how often the handler ran
	Read       bool                         // a read by a person: may lie in the reads segment, need not be durable
}

// StoresResult reports whether the entry's result is stored under its key: a success that was neither replayed nor dry.
func (e *Entry) StoresResult() bool {
	return e.Key != nil && e.Result.OK() && !e.Result.Replayed && !e.Result.DryRun
}

// OutcomeUnknown reports whether a network step was given up on its way, or broke there: it may have reached its goal.
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

// Interrupted is the entry that a network step becomes if its program dies.
func (e *Entry) Interrupted() *Entry {
	died := *e
	died.Effects = nil
	died.Result = Result{Status: StatusError, RequestID: e.Invocation.RequestID, Err: Errorf(Transient, ReasonInterrupted,
		"The program ended while this step was under way; nobody knows whether it reached its goal.").
		WithHint("Check the outcome by hand, then use a new key.")}
	return &died
}

// Record is an invocation as a journal writes it down: [RecordOf] makes it of an entry. A journal adds what is its own,
// such as a number. Absent means absent.
type Record struct {
	Time              int64        `json:"time" jsonschema_extras:"x-time=true"` // when it began, ms since 1970
	Kind              Kind         `json:"kind"`
	RequestID         string       `json:"request_id"`
	TraceID           string       `json:"trace_id"`
	ParentRequestID   string       `json:"parent_request_id,omitempty"`
	ConversationID    string       `json:"conversation_id,omitempty"`
	Caller            recordCaller `json:"caller"`
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
	// of Summary, Message, RecoveryHint, Violations and Data: beside the record where it is a part of an answer
	Texts Texts `json:"-"`

	DurationMS   int64             `json:"duration_ms" jsonschema_extras:"x-detail=0"`
	CostEstimate map[string]string `json:"cost_estimate,omitempty"`
	// of the invocation's ids, hex
	Seed string `json:"seed,omitempty" jsonschema_extras:"x-detail=0"`

	Numbers        map[string][]int64 `json:"numbers,omitempty"` // that the call drew, by series
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

// RecordOf is the record of an entry, for the author of a journal: every journal writes the same fields. It shares what
// the entry holds by reference. The costs are those of the capability with those that led to the invocation; an output
// that is a part of the log is left out.
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

// maxMade is among how many draws of a call or of a step of a plan an id is looked for.
const maxMade = 512

// Made reports whether an id was made in the call, by [Call.NewID] or, as six digits or more at its end, by
// [Call.Number] of a power of ten. It takes the seed and the first few hundred draws.
func (r *Record) Made(id string) bool {
	seed, _ := hex.DecodeString(r.Seed) // where it was not kept nothing was drawn from what is left
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

// Entry is what a subscriber in another program may know of a record: see [Shared]. The rest of the record is not in
// it.
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
