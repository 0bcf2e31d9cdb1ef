package bus

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// maxAsks is how often one invocation may be asked again because the world
// changed while the person was thinking.
const maxAsks = 5

// approveAndRun is B7 to B10. An approval holds for exactly what was shown: when
// the execution differs it is rolled back, and the person is asked again.
func (r *run) approveAndRun(ctx context.Context) error {
	if r.foreseen != nil {
		return r.asForeseen(ctx)
	}
	confirm := r.entry.Decision != nil && r.entry.Decision.Rule == RuleConfirm && !r.inv.DryRun
	if !confirm {
		return r.execute(ctx)
	}
	var before *Preview
	for range maxAsks {
		preview, err := r.preview(ctx)
		if err != nil {
			return err
		}
		if before != nil && before.Digest == preview.Digest {
			before = nil // it is the permission that does not hold any more
		}
		again, err := r.ask(ctx, preview, before)
		if err != nil {
			return err
		}
		before = preview
		if again {
			before = nil // the person edited the arguments: a new card, not a changed world
			continue
		}
		r.shown = preview
		if err := r.execute(ctx); !errors.Is(err, ErrVoid) {
			return err
		}
		if r.refused != nil { // who could allow it may have changed too
			if err := r.permitted(ctx); err != nil {
				return err
			}
		}
	}
	return Errorf(Conflict, ReasonChanged, "Things kept changing while the answer was awaited; nothing was done.").
		WithHint("Try again when it is quieter.")
}

// ask lets a person decide. again means: the arguments were edited, preview anew.
func (r *run) ask(ctx context.Context, preview, before *Preview) (again bool, err error) {
	rule := *r.entry.Decision
	d := Decision{Answer: "nobody"}
	if r.b.o.Approver != nil {
		asked := r.b.o.Clock()
		d, err = r.b.o.Approver.Approve(ctx, &ApprovalRequest{Capability: &r.cap.Capability, Invocation: r.inv, Changed: before,
			Refused: r.refused, Able: r.able}, preview)
		took := r.b.o.Clock().Sub(asked)
		r.asked += took
		d.AskedMS = took.Milliseconds()
		if err != nil {
			if ctx.Err() != nil {
				return false, ended(ctx)
			}
			return false, err
		}
	}
	d.Rule = rule.Rule
	if d.By == "" && d.Answer != "expired" { // nobody answered: neither did the rule
		d.By = rule.By
	}
	d.Digest = preview.Digest
	r.entry.Decision = &d
	if d.Arguments == nil {
		if err := r.joinedBy(d); err != nil {
			return false, err
		}
	}
	if !d.Allowed {
		return false, declined(r.cap.Title, d)
	}
	if d.Arguments == nil {
		r.hold, r.held = d.Hold, false
		return false, nil
	}
	if err := r.setArguments(d.Arguments); err != nil {
		return false, err
	}
	// The key stays bound to what was requested: a retry of the request finds the
	// result of what the person made of it.
	if err := r.permitted(ctx); err != nil {
		return false, err
	}
	return true, r.b.o.Journal.View(ctx, r.stillReady)
}

func declined(title string, d Decision) error {
	switch d.Answer {
	case "nobody":
		return Errorf(Forbidden, ReasonDeclined, "%s must be confirmed by a person, and nobody is there to ask.", title).
			WithHint("Run it where someone can answer; on the command line, --approve says how it is answered.")
	case "expired":
		return Errorf(Forbidden, ReasonDeclined, "%s was not confirmed in time.", title).WithHint("Ask again.")
	}
	if d.Reason != "" {
		return Errorf(Forbidden, ReasonDeclined, "%s was declined: %s", title, d.Reason)
	}
	return Errorf(Forbidden, ReasonDeclined, "%s was declined.", title)
}

// preview runs the handler for real and rolls back.
func (r *run) preview(ctx context.Context) (*Preview, error) {
	ctx, cancel := context.WithTimeout(ctx, r.timeout())
	defer cancel()
	var p *Preview
	see := func(ctx context.Context, x Exec) error {
		out, call, err := r.attempt(ctx, r.previewer(), r.cap.previewSchema())
		if err != nil {
			return err
		}
		p = r.previewOf(out, call, x)
		return nil
	}
	if r.cap.writes() {
		err := r.b.o.Journal.DryRun(ctx, r.entry, see)
		return p, r.orJournal(ctx, err)
	}
	err := r.b.o.Journal.View(ctx, func(ctx context.Context) error { return see(ctx, nil) })
	return p, r.orJournal(ctx, err)
}

// previewer is what a preview runs: the handler itself, or for what cannot be
// rolled back its description of what it would do.
func (r *run) previewer() Handler {
	if r.cap.Preview != nil {
		return r.cap.Preview
	}
	return r.cap.Handler
}

// previewSchema is what a preview's output must fit: one of its own describes
// the step, not its outcome.
func (c *registered) previewSchema() *schema {
	if c.Preview != nil {
		return nil
	}
	return c.out
}

func (r *run) previewOf(out json.RawMessage, call *Call, x Exec) *Preview {
	p := &Preview{Summary: call.summary, Data: out, Facts: call.facts}
	if x != nil {
		p.Effects = x.Effects()
	}
	if p.Summary == "" {
		p.Summary = r.cap.Title
	}
	p.Digest = digest(r.cap.Name, r.identity(), p.Summary, p.Data, p.Facts, p.Effects)
	return p
}

// execute is B8 to B10: slot, attempts, one record.
func (r *run) execute(ctx context.Context) error {
	if r.isOneByOne() {
		return r.goOneByOne(ctx)
	}
	if key := r.cap.slotKey(); key != "" {
		wait, cancel := context.WithTimeout(ctx, r.timeout()) // as long as an attempt may take
		give, err := r.b.slots.take(wait, key, r.cap.QueueDepth)
		cancel()
		if err != nil {
			return err
		}
		defer r.whenLeft(key, give)
	}
	next := r.schedule()
	for {
		r.entry.Attempts++
		err := r.once(ctx, next != nil)
		if !errors.Is(err, errAgain) {
			return err
		}
		wait := next.NextBackOff()
		if r.entry.Attempts+1 >= r.cap.Retry.MaxAttempts {
			next = nil // the last attempt is recorded whatever it gives
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ended(ctx) // before the next attempt: what was begun and failed is known
		}
	}
}

// whenLeft gives the slot back when no handler of this run is inside any more. A
// caller is answered without waiting for a handler that does not look at its
// context; who excludes it has to wait for it.
func (r *run) whenLeft(key string, give func()) {
	if !r.strayed {
		give()
		return
	}
	r.b.slots.leave(key)
	go func() {
		r.strays.Wait()
		give()
	}()
}

// errAgain means: TRANSIENT, worth another attempt.
var errAgain = errors.New("bus: try again")

// schedule is the backoff between attempts, nil when there is only one.
func (r *run) schedule() *backoff.ExponentialBackOff {
	p := r.cap.Retry
	if p == nil || p.MaxAttempts < 2 || r.inv.DryRun {
		return nil
	}
	s := backoff.NewExponentialBackOff()
	s.InitialInterval = time.Duration(p.InitialDelayMS) * time.Millisecond
	s.Multiplier = max(p.BackoffMultiplier, 1)
	s.RandomizationFactor = 0
	s.MaxInterval = time.Duration(p.MaxDelayMS) * time.Millisecond
	if p.MaxDelayMS == 0 {
		s.MaxInterval = time.Hour
	}
	s.Reset()
	return s
}

// retries says whether a failure is worth another attempt: TRANSIENT, covered by
// the policy, and with a known outcome.
func (r *run) retries(err error) bool {
	e := coded(err)
	if e.Code != Transient || e.Reason == ReasonCancelled || e.Reason == ReasonInterrupted {
		return false
	}
	if r.strayed && r.cap.slotKey() != "" {
		return false // it would overlap its own last attempt
	}
	on := r.cap.Retry.RetryOn
	return len(on) == 0 || slices.Contains(on, e.Reason)
}

func (r *run) timeout() time.Duration {
	t := r.cap.Timeout
	if asked := time.Duration(r.inv.TimeoutMS) * time.Millisecond; asked > 0 && asked < t {
		t = asked
	}
	return t
}

// once makes one attempt the way the capability's class asks for.
func (r *run) once(ctx context.Context, more bool) error {
	ctx, cancel := context.WithTimeout(ctx, r.timeout())
	defer cancel()
	switch {
	case r.cap.SideEffect == Network && !r.inv.DryRun:
		return r.reachOut(ctx, more)
	case r.inv.DryRun:
		return r.tryOut(ctx)
	case r.cap.writes():
		return r.transact(ctx, more)
	}
	return r.readOnly(ctx, more)
}

// transact runs the handler in a transaction: effect, record and key together.
func (r *run) transact(ctx context.Context, more bool) error {
	var cause error // why the journal was told to discard
	err := r.b.o.Journal.Do(ctx, r.entry, func(ctx context.Context, x Exec) error {
		cause = nil
		if prior := x.Prior(); prior != nil {
			err := r.take(prior)
			if err != nil {
				r.fail(err)
			}
			return err
		}
		out, call, err := r.attempt(ctx, r.checked, r.cap.out)
		if err != nil {
			if more && r.retries(err) {
				cause = errAgain
				return ErrDiscard
			}
			r.fail(err)
			return err
		}
		if r.shown != nil && r.previewOf(out, call, x).Digest != r.shown.Digest {
			cause = ErrVoid
			return ErrDiscard
		}
		if r.shown != nil {
			switch err := r.takeHold(ctx, r.stillJoined); {
			case errors.Is(err, ErrVoid):
				cause = ErrVoid
				return ErrDiscard
			case err != nil:
				r.fail(err)
				return err
			}
		}
		r.succeed(out, call)
		return nil
	})
	switch {
	case errors.Is(err, ErrDiscard):
		return cause
	case err != nil:
		return r.orJournal(ctx, err)
	}
	r.done = true
	return nil
}

// checked is the handler behind a second look at what was checked before: for a
// writing one inside its transaction, for all inside the attempt's deadline.
func (r *run) checked(ctx context.Context, call *Call) (json.RawMessage, error) {
	if err := r.stillReady(ctx); err != nil {
		return nil, err
	}
	return r.cap.Handler(ctx, call)
}

// stillReady repeats what was checked before a person was asked or a turn was
// waited for: the world may have changed since.
func (r *run) stillReady(ctx context.Context) error {
	if r.cap.Limit != nil {
		if err := r.cap.Limit(ctx, r.newCall()); err != nil {
			return err
		}
	}
	if !r.cap.hasChecks() {
		return nil
	}
	return r.ready(ctx)
}

// tryOut is a dry run: everything but the effect and the key.
func (r *run) tryOut(ctx context.Context) error {
	p, err := r.preview(ctx)
	if err != nil {
		return err
	}
	r.entry.Effects, r.entry.Summary = p.Effects, p.Summary
	r.settle(Result{Status: statusSuccess, RequestID: r.inv.RequestID, Data: p.Data, Facts: p.Facts, DryRun: true,
		CostEstimate: r.cap.CostEstimate, ExecutionTimeMS: r.elapsed(), Timestamp: r.now.UnixMilli()})
	r.record(ctx)
	return nil
}

// readOnly runs a handler that has nothing to commit.
func (r *run) readOnly(ctx context.Context, more bool) error {
	if err := r.holdOnce(ctx); err != nil {
		return err
	}
	var out json.RawMessage
	var call *Call
	err := r.b.o.Journal.View(ctx, func(ctx context.Context) (err error) {
		out, call, err = r.attempt(ctx, r.checked, r.cap.out)
		return err
	})
	if err != nil {
		if more && r.retries(err) {
			return errAgain
		}
		return r.orJournal(ctx, err)
	}
	if r.shown != nil && r.cap.Preview == nil && r.previewOf(out, call, nil).Digest != r.shown.Digest {
		return ErrVoid
	}
	r.succeed(out, call)
	r.entry.Read = r.cap.SideEffect == Pure && r.inv.Caller.Type != CallerAgent && r.entry.Key == nil
	r.record(ctx)
	return nil
}
