package bus

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// mode is the way a run is executed.
type mode int

const (
	readOnly       mode = iota // with a read snapshot
	transaction                // effect, record and key in one transaction
	networkStep                // outside of a transaction, between a note and its record
	dryRun                     // rolled back, or described by a Preview
	sequentialPlan             // each step is a separate invocation
)

func (r *run) mode() mode {
	switch {
	case r.inv.DryRun:
		return dryRun
	case r.cap.plan && r.leavesTransaction():
		return sequentialPlan
	case r.cap.SideEffect == Network:
		return networkStep
	case r.cap.writes():
		return transaction
	}
	return readOnly
}

// execute is B8 to B10: slot, attempts, one record.
func (r *run) execute(ctx context.Context) error {
	mode := r.mode()
	if mode == sequentialPlan {
		return r.executeSequentially(ctx)
	}
	if r.cap.slotKey() != "" {
		give, err := r.takeSlot(ctx)
		if err != nil {
			return err
		}
		defer r.whenLeft(give)
	}
	next := r.backoff()
	for {
		r.entry.Attempts++
		err := r.executeOnce(ctx, mode, next != nil)
		if !errors.Is(err, errAgain) {
			return err
		}
		wait := next.NextBackOff()
		if r.entry.Attempts+1 >= r.cap.Run.Retry.MaxAttempts {
			next = nil // the last attempt is recorded with any result
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ended(ctx) // before the next attempt: the failure of the previous one is known
		}
	}
}

// whenLeft ends the turn when no handler of this run is running any longer. A caller gets its result without waiting
// for a handler that ignores its context, but the next call of the group must wait for that handler.
func (r *run) whenLeft(give func()) {
	if !r.hasLateHandlers {
		give()
		return
	}
	r.b.slots.leave(r.cap.slotKey())
	go func() {
		r.lateHandlers.Wait()
		give()
	}()
}

// errAgain means that a TRANSIENT failure is worth another attempt.
var errAgain = errors.New("bus: try again")

// backoff returns the schedule of the attempts, or nil if there is only one.
func (r *run) backoff() *backoff.ExponentialBackOff {
	p := r.cap.Run.Retry
	if p == nil || p.MaxAttempts < 2 {
		return nil
	}
	s := backoff.NewExponentialBackOff()
	s.InitialInterval = p.InitialDelay
	s.Multiplier = max(p.BackoffMultiplier, 1)
	s.RandomizationFactor = 0
	s.MaxInterval = cmp.Or(p.MaxDelay, time.Hour)
	s.Reset()
	return s
}

// retries reports whether a failure is worth another attempt: TRANSIENT, covered by the policy, and with a known
// outcome.
func (r *run) retries(err error) bool {
	e := coded(err)
	if e.Code != Transient || e.Reason == ReasonCancelled || e.Reason == ReasonInterrupted {
		return false
	}
	if r.hasLateHandlers && r.cap.slotKey() != "" {
		return false // it would overlap its own last attempt
	}
	on := r.cap.Run.Retry.RetryOn
	return len(on) == 0 || slices.Contains(on, e.Reason)
}

func (r *run) timeout() time.Duration {
	asked := max(r.inv.Timeout, 0)
	return min(cmp.Or(asked, r.cap.Run.Timeout), r.cap.Run.Timeout)
}

// executeOnce makes one attempt. more means that a TRANSIENT failure is retried.
func (r *run) executeOnce(ctx context.Context, mode mode, more bool) error {
	ctx, cancel := context.WithTimeout(ctx, r.timeout())
	defer cancel()
	switch mode {
	case dryRun:
		return r.executeDry(ctx)
	case networkStep:
		return r.executeOutside(ctx, more)
	case transaction:
		return r.executeInTransaction(ctx, more)
	default:
		return r.executeReading(ctx, more)
	}
}

// executeInTransaction commits effect, record and key together.
func (r *run) executeInTransaction(ctx context.Context, more bool) error {
	var failed error
	r.prepare(ctx)
	err := r.b.o.Journal.Do(ctx, r.entry, func(ctx context.Context, x Exec) error {
		failed = r.insideTransaction(ctx, x, more)
		switch failed {
		case nil:
			return nil
		case errAgain, ErrVoid:
			return ErrDiscard
		}
		r.setError(failed)
		return failed
	})
	switch {
	case errors.Is(err, ErrDiscard):
		return failed
	case err != nil:
		return r.orJournal(ctx, err)
	}
	r.logDefect()
	return nil
}

// insideTransaction returns errAgain or ErrVoid if the transaction must leave no trace.
func (r *run) insideTransaction(ctx context.Context, x Exec, more bool) error {
	if prior := x.Prior(); prior != nil {
		return r.replay(prior)
	}
	if err := r.checkToken(ctx, x); err != nil {
		return err
	}
	r.exec = x
	r.entry.Numbers = nil
	out, call, err := r.attemptInTransaction(ctx, x)
	switch {
	case errors.Is(err, ErrVoid):
		return ErrVoid
	case err != nil && more && r.retries(err):
		return errAgain
	case err != nil:
		return err
	}
	if r.shown != nil {
		switch err := r.reserveInTransaction(ctx); {
		case errors.Is(err, ErrVoid):
			return ErrVoid
		case err != nil:
			return err
		}
	}
	r.entry.Numbers = call.numbers.given
	r.succeed(out, call)
	return nil
}

// matchesCard reports whether the effect of a run is exactly the effect on the card. It is true if there was no card.
func (r *run) matchesCard(out json.RawMessage, call *Call, x Exec) bool {
	return r.shown == nil || r.previewOf(out, call, x).Digest == r.shown.Digest
}

// checkedHandler runs the handler after a repetition of the checks: for a writing handler inside its transaction, for
// all within the attempt's deadline.
func (r *run) checkedHandler(ctx context.Context, call *Call) (json.RawMessage, error) {
	if err := r.checkStillReady(ctx); err != nil {
		return nil, err
	}
	return r.cap.handle(ctx, call)
}

// checkStillReady repeats the checks from before a question to a person or a wait for a turn, because the data may have
// changed since.
func (r *run) checkStillReady(ctx context.Context) error {
	if err := r.checkLimit(ctx, r.approverScopes); err != nil {
		return err
	}
	if !r.cap.hasChecks() {
		return nil
	}
	return r.checkReady(ctx)
}

// executeDry runs the call without keeping its effect and key.
func (r *run) executeDry(ctx context.Context) error {
	p, err := r.preview(ctx)
	if err != nil {
		return err
	}
	r.entry.Effects = p.Effects
	r.summarize(p.Texts.At("/summary", p.Summary))
	r.setResult(Result{Status: StatusSuccess, RequestID: r.inv.RequestID, Data: p.Data, Facts: p.Facts, DryRun: true,
		Summary: p.Summary, Texts: p.Texts,
		CostEstimate: r.cap.Run.CostEstimate, ExecutionTime: r.elapsed(), Time: r.now})
	r.record(ctx)
	return nil
}

// executeReading runs a handler without a commit.
func (r *run) executeReading(ctx context.Context, more bool) error {
	if err := r.reserveOnce(ctx); err != nil {
		return err
	}
	out, call, err := r.attemptReading(ctx, r.checkedHandler)
	if err != nil {
		if more && r.retries(err) {
			return errAgain
		}
		return r.orJournal(ctx, err)
	}
	if r.cap.Run.Preview == nil && !r.matchesCard(out, call, nil) {
		return ErrVoid
	}
	r.succeed(out, call)
	r.entry.Read = r.cap.SideEffect == Pure && r.inv.Caller.Type != CallerAgent && r.entry.Key == nil &&
		r.entry.Token == nil
	r.record(ctx)
	return nil
}
