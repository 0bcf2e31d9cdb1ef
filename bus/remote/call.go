package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// Invoke runs an invocation at the other end, which sets person and caller kind itself. The result is that of the other
// end, or an error of the link: the package documentation explains which errors leave the outcome unknown. When ctx
// ends, Invoke sends a cancellation and waits for the result for Options.Grace. progress, if it is not nil, receives
// the progress of the work, in order and before the result. It must not block.
func (l *Link) Invoke(ctx context.Context, inv bus.Invocation, progress func(bus.Event)) bus.Result {
	c := &call{inv: inv, result: make(chan bus.Result, 1), progress: progress}
	l.mu.Lock()
	l.last++
	id := l.last
	l.calls[id] = c
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		delete(l.calls, id)
		l.mu.Unlock()
	}()
	select {
	case <-l.gone:
		return failed(inv, errNotSent)
	default:
	}
	body, err := json.Marshal(inv)
	if err != nil { // its arguments are no JSON: the other end refuses and records the call
		inv.Arguments, _ = json.Marshal(string(inv.Arguments))
		body, _ = json.Marshal(inv) // nothing else of it can fail
	}
	if ctx.Err() != nil {
		_ = l.out.write(frameCancel, id, nil) // ahead of the call: it is recorded, and does not run
	}
	switch err := l.out.body(frameInvoke, id, body); {
	case errors.Is(err, errTooLarge):
		return failed(inv, errTooLong)
	case err != nil:
		l.fail(err)
	}
	select {
	case r := <-c.result:
		return r
	case <-l.gone:
	case <-ctx.Done():
		if r, ended := l.cancel(id, c); ended {
			return r
		}
	}
	select {
	case r := <-c.result: // it came before the link ended
		return r
	default:
		return failed(inv, l.unanswered(inv))
	}
}

// cancel tells the other end to stop, and waits for its result for a limited time.
func (l *Link) cancel(id uint64, c *call) (bus.Result, bool) {
	if err := l.out.write(frameCancel, id, nil); err != nil {
		l.fail(err)
	}
	wait := time.NewTimer(l.o.Grace)
	defer wait.Stop()
	select {
	case r := <-c.result:
		return r, true
	case <-wait.C:
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.calls[id] != nil {
			l.left[id] = true
		}
	case <-l.gone:
	}
	return bus.Result{}, false
}

// answered handles a result. A result without an open call, or of another call, means that the other end is faulty and
// cannot be trusted.
func (l *Link) answered(f frame) error {
	var r bus.Result
	if err := json.Unmarshal(f.Body, &r); err != nil {
		return fmt.Errorf("%w: a result is not understood", errProtocol)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.calls[f.ID]
	delete(l.calls, f.ID)
	switch {
	case l.left[f.ID]:
		delete(l.left, f.ID)
		return nil
	case c == nil:
		return fmt.Errorf("%w: a result of a call that is not open", errProtocol)
	case c.inv.RequestID != "" && r.RequestID != c.inv.RequestID:
		return fmt.Errorf("%w: the result of another request", errProtocol)
	}
	c.result <- r
	return nil
}

// The errors of a call when its link fails.
var (
	errTooLong = bus.Errorf(bus.Validation, bus.ReasonEnvelope, "The invocation is larger than %d MB.", MaxBody>>20).
			WithHint("Send less at once.")
	errNotSent = bus.Errorf(bus.Transient, bus.ReasonNetwork,
		"The link to the other program has ended: nothing was done.").
		WithHint("Retry when it is back.")
	errAskAgain = bus.Errorf(bus.Transient, bus.ReasonNetwork, "The link to the other program ended before its answer.").
			WithHint("Retry when it is back, with the same idempotency key: it is done once.")
	errUnknown = bus.Errorf(bus.Transient, bus.ReasonInterrupted,
		"The link to the other program ended before its answer; nobody knows whether it was done.").
		WithHint("Check the outcome by hand; next time send an idempotency key.")
)

// Unanswered returns the error of a call that was sent but has no result. With an idempotency key it may be repeated.
func Unanswered(inv bus.Invocation) *bus.Error {
	if inv.IdempotencyKey != "" || inv.DryRun {
		return errAskAgain
	}
	return errUnknown
}

// unanswered is [Unanswered] with the manifest's information about the capability.
func (l *Link) unanswered(inv bus.Invocation) *bus.Error {
	err := Unanswered(inv)
	for _, e := range l.other.Manifest.Capabilities {
		if e.Name == inv.Capability && (e.SideEffect == bus.Pure || e.Idempotent) {
			err = errAskAgain
		}
	}
	if cause := l.Err(); cause != nil {
		return err.WithCause(cause)
	}
	return err
}

// failed returns the result of a call that got none.
func failed(inv bus.Invocation, err *bus.Error) bus.Result {
	return bus.Result{Status: bus.StatusError, RequestID: inv.RequestID, Err: err}
}
