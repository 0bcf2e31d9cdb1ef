package bus

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deskhand/deskhand/internal/userinfo"
)

// run is one invocation during its steps. It belongs to the goroutine that called Invoke.
type run struct {
	b         *Bus
	inv       Invocation
	tooLong   string // a field of it that was removed
	cap       *registered
	entry     *Entry
	args      any    // decoded arguments with defaults
	body      []byte // the same as canonical JSON: sorted keys
	seed      []byte
	now       time.Time // the invocation's fixed clock
	wall      time.Time // for durations
	asked     time.Duration
	endFlight func()                      // ends the idempotency flight
	shown     *Preview                    // the preview that the person allowed; the execution must match it
	foreseen  *foreseen                   // the preview of a step of a sequential plan; else nil
	reserve   func(context.Context) error // takes the cost of the permission; nil if there is none
	inPlan    bool                        // a step of a plan, inside the plan's transaction
	exec      Exec                        // the transaction; nil if none is open

	needsApprover     *Error      // why the caller alone may not make the call; nil if the caller may
	possibleApprovers []Principal // with needsApprover: the second approvers who may allow it
	approverScopes    []string    // with needsApprover: their scopes, for this run

	prepared *prepared // nil until it ran

	reserved bool // reserve was called outside of a transaction
	begun    bool // a network step is noted: its record must end the note
	done     bool // the result is in entry and recorded
	kept     bool // the arguments in entry are fit for the record

	lateHandlers    sync.WaitGroup // handlers that outlived their attempt
	hasLateHandlers bool           // whether there were any

	refusedStep atomic.Pointer[refusedStep] // of a plan

	redacted []string // pointers of the values removed from the arguments
}

// Invoke runs one invocation through every step and returns exactly one result. Exactly one record of it is in the
// journal before it returns, except that pure reads by people may follow a moment later. It never panics and never
// blocks on a subscriber.
func (b *Bus) Invoke(ctx context.Context, inv Invocation) Result { return b.invoke(ctx, inv, nil) }

// invoke is Invoke. shown is the preview of a plan's step that a person saw.
func (b *Bus) invoke(ctx context.Context, inv Invocation, shown *foreseen) Result {
	if !b.o.CompileLate {
		b.checked.Do(b.logWrong)
	}
	r := b.start(inv)
	r.foreseen = shown
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := b.running.add(r.inv.RequestID, runningCall{r.inv.Principal.ID, cancel}); err != nil {
		// Another invocation has that id, or the bus is closed. The refusal gets a new id, so that no two results share
		// one.
		r.inv.RequestID = b.o.NewRequestID()
		r.entry.Invocation.RequestID = r.inv.RequestID
		r.refuse(ctx, err)
		return r.emit()
	}
	defer b.running.remove(r.inv.RequestID)
	defer func() {
		if r.endFlight != nil {
			r.endFlight()
		}
	}()
	if err := r.walk(ctx); err != nil {
		r.refuse(ctx, err)
	}
	res := r.emit()
	res.Err = r.offer(ctx, res.Err)
	if res.Err == nil && r.inv.Caller.Type != CallerAgent { // a model gets no secrets
		res.Data = r.entry.Stored
	}
	return res
}

// InvokeJSON is Invoke for the wire form. stamp, which is required, sets the data of the door (caller kind, principal).
// Malformed input is refused and also recorded.
func (b *Bus) InvokeJSON(ctx context.Context, data []byte, stamp func(*Invocation)) Result {
	inv, err := decodeInvocation(data)
	if err == nil {
		stamp(&inv)
		return b.Invoke(ctx, inv)
	}
	// Any part of it may be a secret, so none is recorded.
	inv = Invocation{Capability: undecoded, Arguments: json.RawMessage(fmt.Sprintf("\"%d bytes\"", len(data)))}
	stamp(&inv)
	r := b.start(inv)
	r.kept = true
	r.refuse(ctx, err)
	return r.emit()
}

// undecoded is the capability in the record of an invocation that could not be decoded.
const undecoded = "(unreadable)"

// walk runs the steps until one refuses or the run is done. It asks a person only after every cheaper check, and runs
// nothing before the answer. The last step also validates the output and commits, because it repeats when the approval
// becomes void.
func (r *run) walk(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = r.panicked(p)
		}
	}()
	for _, step := range [...]func(context.Context) error{
		r.find,              // B1
		r.validateInput,     // B2
		r.authorize,         // B3
		r.standIn,           // B1 to B3 of the capability that it stands for
		r.idempotency,       // B4
		r.preconditions,     // B5
		r.rateLimit,         // B6
		r.approveAndExecute, // B7 to B10
	} {
		if err := step(ctx); err != nil || r.done {
			return err
		}
	}
	return nil
}

func (b *Bus) start(inv Invocation) *run {
	wall := b.o.Clock()
	now := wall.Truncate(time.Millisecond) // the precision of the record, so that a replay sees the same clock
	r := &run{b: b, inv: inv, now: now, wall: wall}
	r.tooLong = r.inv.cut()
	r.inv.Caller.TriggeringMessage = userinfo.Strip(r.inv.Caller.TriggeringMessage)
	r.inv.Caller.Reasoning = userinfo.Strip(r.inv.Caller.Reasoning)
	if r.inv.RequestID == "" {
		r.inv.RequestID = b.o.NewRequestID()
	}
	r.inv.TraceID = cmp.Or(r.inv.TraceID, r.inv.RequestID)
	if !inv.PinnedClock.IsZero() {
		r.now, r.seed = inv.PinnedClock, inv.PinnedSeed
	} else {
		r.seed = b.o.Seed()
	}
	r.entry = &Entry{Kind: KindInvocation, Invocation: r.inv, Started: r.now, Seed: hex.EncodeToString(r.seed)}
	return r
}

func (r *run) panicked(p any) error {
	r.b.o.Logger.Error("panic", "capability", r.inv.Capability, "request_id", r.inv.RequestID, "panic", p,
		"stack", string(debug.Stack()))
	return Errorf(Internal, ReasonPanic, "Something broke inside the application; nothing was changed.").
		WithHint("Report it with the request id.")
}

// newCall makes a new view of the invocation for one execution. All have the same clock and seed.
func (r *run) newCall() *Call { return r.callWith(r.approverScopes) }

// callWith is newCall with the scopes of a second approver.
func (r *run) callWith(extraScopes []string) *Call {
	return &Call{Capability: &r.cap.Capability, Arguments: r.body, Person: r.inv.Principal.with(extraScopes),
		RequestID: r.inv.RequestID, TraceID: r.inv.TraceID, IdempotencyKey: r.inv.IdempotencyKey,
		Now: r.now, b: r.b, seed: r.seed, caller: r.inv.Caller.Type, prepared: r.prepared,
		stepRefused: r.refusedStep.Store, exec: r.exec, title: r.inv.As.Title,
		progress: func(e Event) {
			e.RequestID, e.Time = r.inv.RequestID, r.b.o.Clock().Truncate(time.Millisecond)
			e.stripURLs()
			r.b.events.publish(r.inv.Principal.ID, []Event{e})
		}}
}

// view runs read in a read snapshot. A step of a plan reads in the plan's transaction, which contains the effects of
// the previous steps.
func (r *run) view(ctx context.Context, read func(context.Context) error) error {
	if r.inPlan {
		return read(ctx)
	}
	return r.b.o.Journal.View(ctx, read)
}
