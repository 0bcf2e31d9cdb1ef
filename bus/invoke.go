package bus

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
	"unicode/utf8"
)

// run is one invocation on its way through the steps. It belongs to the
// goroutine that called Invoke.
type run struct {
	b        *Bus
	inv      Invocation
	cap      *registered
	entry    *Entry
	args     any    // decoded arguments with defaults
	body     []byte // the same, canonical JSON: sorted keys
	seed     []byte
	now      time.Time // the invocation's fixed clock
	wall     time.Time // for durations
	asked    time.Duration
	leave    func()                      // ends the idempotency flight
	shown    *Preview                    // what the person allowed; the execution must match it
	foreseen *foreseen                   // of a step of a plan: what was shown of it; nil elsewhere
	hold     func(context.Context) error // takes what the permission costs; nil: nothing

	refused *Error      // why the caller alone may not; nil: they may
	able    []Principal // with refused: who may allow it beside them
	lent    []string    // with refused: their scopes, for this run

	held  bool // it has, outside of a transaction
	begun bool // a network step is noted: its record must end the note
	done  bool // the result is in entry and recorded

	kept bool // the arguments in entry are fit to be recorded

	strays  sync.WaitGroup // handlers that did not end with their attempt
	strayed bool           // there were any

	redacted []string // what was taken out of the arguments
}

// steps is the order of the pipeline. Nothing may be asked of a person before
// everything cheaper was checked, and nothing runs before a person was asked.
func steps() [7]func(*run, context.Context) error {
	return [...]func(*run, context.Context) error{
		(*run).find,          // B1
		(*run).validate,      // B2
		(*run).authorize,     // B3
		(*run).replay,        // B4
		(*run).preconditions, // B5
		(*run).limits,        // B6
		(*run).approveAndRun, // B7 to B10
	}
}

// Invoke runs one invocation through every step and answers with exactly one
// result; exactly one record of it is in the journal before it returns (people's
// pure reads may follow a moment later). It never panics and never blocks on a
// subscriber.
func (b *Bus) Invoke(ctx context.Context, inv Invocation) Result { return b.invoke(ctx, inv, nil) }

// invoke is Invoke; of a step of a plan with what a person was shown of it.
func (b *Bus) invoke(ctx context.Context, inv Invocation, shown *foreseen) Result {
	r := b.start(inv)
	r.foreseen = shown
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := b.running.add(r.inv.RequestID, cancel); err != nil {
		// Another invocation owns that id, or nothing runs any more: the refusal
		// gets an id of its own, so that no two results share one.
		r.inv.RequestID = b.o.NewRequestID()
		r.entry.Invocation.RequestID = r.inv.RequestID
		r.refuse(ctx, err)
		r.announce()
		return r.entry.Result
	}
	defer b.running.remove(r.inv.RequestID)
	defer func() {
		if r.leave != nil {
			r.leave()
		}
	}()
	if err := r.walk(ctx); err != nil {
		r.refuse(ctx, err)
	}
	r.announce()
	res := r.entry.Result
	if res.Err == nil && r.inv.Caller.Type != CallerAgent { // a model is told no secrets
		res.Data = r.entry.Stored
	}
	return res
}

// InvokeJSON is Invoke for a wire form: stamp, which is required, fills in what
// the door knows (caller kind, principal). What cannot be decoded is refused and recorded too.
func (b *Bus) InvokeJSON(ctx context.Context, data []byte, stamp func(*Invocation)) Result {
	inv, err := decodeInvocation(data)
	if err == nil {
		stamp(&inv)
		return b.Invoke(ctx, inv)
	}
	// Which of its words are secrets, nobody knows: none is recorded.
	inv = Invocation{Capability: undecoded, Arguments: json.RawMessage(fmt.Sprintf("\"%d bytes\"", len(data)))}
	stamp(&inv)
	r := b.start(inv)
	r.refuse(ctx, err)
	r.announce()
	return r.entry.Result
}

// undecoded is the capability in the record of an invocation that could not be decoded.
const undecoded = "(unreadable)"

// walk takes the steps until one refuses or the run is done.
func (r *run) walk(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = r.panicked(p)
		}
	}()
	for _, step := range steps() {
		if err := step(r, ctx); err != nil || r.done {
			return err
		}
	}
	return nil
}

func (b *Bus) start(inv Invocation) *run {
	wall := b.o.Clock()
	now := wall.Truncate(time.Millisecond) // what the record keeps: a replay sees the same clock
	if inv.RequestID == "" {
		inv.RequestID = b.o.NewRequestID()
	}
	if inv.TraceID == "" {
		inv.TraceID = inv.RequestID
	}
	r := &run{b: b, inv: inv, now: now, wall: wall}
	if !inv.PinnedClock.IsZero() {
		r.now, r.seed = inv.PinnedClock, inv.PinnedSeed
	} else {
		r.seed = b.o.Seed()
	}
	r.entry = &Entry{Kind: KindInvocation, Invocation: inv, Started: r.now, Seed: hex.EncodeToString(r.seed)}
	return r
}

// find is B1. An agent does not learn of what is hidden from it.
func (r *run) find(context.Context) error {
	switch r.inv.Caller.Type {
	case CallerUI, CallerAgent, CallerTest, CallerCLI:
	default:
		return Errorf(Validation, ReasonEnvelope, "The caller type %q is not one of ui, agent, test, cli.", r.inv.Caller.Type)
	}
	if r.inv.Capability == "" {
		return Errorf(Validation, ReasonEnvelope, "The invocation names no capability.").WithHint(`Send {"capability":"name","arguments":{…}}.`)
	}
	c := r.b.find(r.inv.Capability)
	if c == nil || (c.AgentHidden && r.inv.Caller.Type == CallerAgent) {
		err := Errorf(NotFound, ReasonCapability, "There is no capability %q.", r.inv.Capability)
		if near := r.b.nearest(r.inv.Capability, r.inv.Caller.Type); near != "" {
			return err.WithHint("Did you mean %s?", near)
		}
		return err.WithHint("Look at the manifest for what there is.")
	}
	r.cap = c
	r.entry.Version, r.entry.SideEffect, r.entry.Bulk = c.Version, c.SideEffect, c.Bulk
	return nil
}

// validate is B2: schema and defaults. The arguments become canonical here.
func (r *run) validate(context.Context) error {
	if v := r.inv.MinVersion; v != "" && olderThan(r.cap.Version, v) {
		return Errorf(Validation, ReasonVersion, "%s is at version %s, and %s was asked for.", r.cap.Name, r.cap.Version, v).
			WithHint("Update the application, or ask for an older version.")
	}
	return r.setArguments(r.inv.Arguments)
}

func (r *run) setArguments(raw json.RawMessage) error {
	r.kept = true
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	r.body = nil
	args, err := r.b.decoders.decode(raw)
	if why := unreadable(raw, args, err); why != "" {
		r.entry.Invocation.Arguments = r.cap.in.keepable(raw)
		return r.violated("request", []Violation{{Message: why}})
	}
	if err := r.keepArguments(args, false); err != nil {
		return err
	}
	if r.cap.in != nil {
		if r.cap.in.defaults {
			r.cap.in.fill(r.cap.in.doc, args)
		}
		if v := r.cap.in.validate(args); v != nil {
			if err := r.keepArguments(args, true); err != nil {
				return err
			}
			return r.violated("request", v)
		}
	}
	if r.body, err = appendCanonical(make([]byte, 0, len(raw)), args); err != nil {
		return err
	}
	r.args, r.inv.Arguments = args, r.body
	return r.keepArguments(args, false)
}

// unreadable says why arguments are not one JSON object that means one thing.
func unreadable(raw []byte, args any, err error) string {
	if err != nil {
		return "not JSON: " + err.Error()
	}
	if _, isObject := args.(map[string]any); !isObject {
		return "the arguments must be a JSON object"
	}
	return inexact(raw, args)
}

// keepUnread puts arguments into the entry that nobody has looked at: they may
// be anything, and where the capability has secrets they may be among them.
func (r *run) keepUnread() {
	var in *schema
	if c := r.b.find(r.inv.Capability); c != nil {
		in = c.in
	}
	r.entry.Invocation.Arguments = in.keepable(r.inv.Arguments)
}

// keepArguments puts the arguments into the entry, without their secrets.
func (r *run) keepArguments(args any, unfit bool) error {
	safe, where := r.b.redact(r.cap, args, unfit)
	if where == nil && !r.cap.in.hasSecrets() {
		if r.body != nil {
			r.entry.Invocation.Arguments = r.body
		}
		return nil
	}
	raw, err := json.Marshal(safe)
	if err != nil {
		return err
	}
	r.entry.Invocation.Arguments = raw
	r.redacted = nil
	for _, pointer := range where {
		r.redacted = append(r.redacted, "/arguments"+pointer)
	}
	r.entry.Redacted = r.redacted
	return nil
}

// violated makes the schema error and the record's kind.
func (r *run) violated(side string, v []Violation) error {
	r.entry.Kind = KindSchemaViolation
	if side == "response" {
		e := Errorf(Internal, ReasonResponse, "%s gave an answer that breaks its own contract; nothing was changed.", r.cap.Title).
			WithHint("Report it with the request id.")
		e.Violations, e.SchemaSide = v, side
		return e
	}
	e := Errorf(Validation, ReasonArguments, "The arguments do not fit %s: %s.", r.cap.Name, firstOf(v)).
		WithHint("Correct the arguments by the input schema and try again.")
	e.Violations, e.SchemaSide = v, side
	return e
}

// keepable returns arguments as they can be recorded: JSON, or the text as a string.
func keepable(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || json.Valid(raw) && utf8.Valid(raw) {
		return raw
	}
	quoted, _ := json.Marshal(string(raw))
	return quoted
}

func firstOf(v []Violation) string {
	s := v[0].Message
	if v[0].Path != "" {
		s = v[0].Path + ": " + s
	}
	if n := len(v) - 1; n > 0 {
		s += fmt.Sprintf(" (and %d more)", n)
	}
	return s
}

// refuse records an invocation that did not reach its transaction.
func (r *run) refuse(ctx context.Context, err error) {
	if !r.kept {
		r.keepUnread()
	}
	r.fail(err)
	r.record(ctx)
}

// fail makes err the result.
func (r *run) fail(err error) {
	e := coded(err)
	if e.Code == Internal {
		r.b.o.Logger.Error("invocation failed", "capability", r.inv.Capability, "request_id", r.inv.RequestID, "reason", e.Reason, "violations", e.Violations, "cause", e.Unwrap())
	}
	r.entry.Result = Result{Status: statusError, RequestID: r.inv.RequestID, Err: e, DryRun: r.inv.DryRun,
		ExecutionTimeMS: r.elapsed(), Timestamp: r.now.UnixMilli()}
	r.entry.Read, r.entry.Effects, r.entry.Summary = false, nil, ""
}

// record stores the entry alone. What cannot be recorded did not happen: the
// caller is told so even when the answer was ready.
func (r *run) record(ctx context.Context) {
	write := r.b.o.Journal.Record
	if r.begun {
		write = r.b.o.Journal.Finish
	}
	if err := write(context.WithoutCancel(ctx), r.entry); err != nil {
		failed := r.journalFailed(err)
		if r.begun {
			failed = errUnknown.WithCause(err)
		}
		r.fail(failed)
	}
	r.done = true
}

func (r *run) journalFailed(err error) error {
	r.b.o.Logger.Error("journal failed", "capability", r.inv.Capability, "request_id", r.inv.RequestID, "cause", err)
	var told *Error
	if errors.As(err, &told) && told.Reason == ReasonJournal {
		return told
	}
	return Errorf(Transient, ReasonJournal, "It could not be written down, so it was not done.").
		WithHint("Check that the disk is not full and the data folder is writable, then try again with the same idempotency key.")
}

// elapsed is the time spent so far, without the time a person took to answer.
func (r *run) elapsed() int64 { return (r.b.o.Clock().Sub(r.wall) - r.asked).Milliseconds() }

func (r *run) panicked(p any) error {
	r.b.o.Logger.Error("panic", "capability", r.inv.Capability, "request_id", r.inv.RequestID, "panic", p, "stack", string(debug.Stack()))
	return Errorf(Internal, ReasonPanic, "Something broke inside the application; nothing was changed.").
		WithHint("Report it with the request id.")
}

// announce is B11: the result event, then the handler's own, after the commit.
func (r *run) announce() {
	res := r.entry.Result
	if r.entry.SideEffect != Pure {
		r.b.changes.Add(1) // before anybody hears of it: what they ask next is answered afresh
	}
	caller := r.inv.Caller
	caller.TriggeringMessage, caller.Reasoning = "", ""
	first := Event{Type: EventInvocation, RequestID: r.inv.RequestID, Timestamp: res.Timestamp,
		Capability: r.inv.Capability, Caller: &caller, Status: res.Status, Replayed: res.Replayed, DryRun: res.DryRun}
	if res.Err != nil {
		first.Code = res.Err.Code
	}
	if res.Replayed || res.DryRun {
		r.b.events.publish(first)
		return
	}
	r.b.events.publish(first, res.Events...)
}

// newCall makes a fresh view of the invocation for one execution; the same clock
// and seed every time.
func (r *run) newCall() *Call { return r.callWith(r.lent) }

// identity stands for the arguments in a digest that is stored. With a secret in
// them it needs a key that is nowhere stored: a PIN is guessed from a plain digest
// in no time. So such a digest says nothing to another bus, which takes the
// arguments for different ones.
func (r *run) identity() any {
	if !r.cap.in.hasSecrets() {
		return r.args
	}
	mac := hmac.New(sha256.New, r.b.secret[:])
	mac.Write(r.body)
	return hex.EncodeToString(mac.Sum(nil))
}

func digest(parts ...any) string {
	h := sha256.New()
	for _, p := range parts {
		b, err := json.Marshal(p)
		if err != nil {
			b = []byte(err.Error())
		}
		fmt.Fprintf(h, "%d:", len(b))
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil))
}
