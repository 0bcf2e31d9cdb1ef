package bus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
)

// attempt runs a handler once, in a separate goroutine, so that a deadline or a cancellation gets an answer even if the
// handler ignores it. The journal refuses later operations of such a handler.
func (r *run) attempt(ctx context.Context, h handler, output side) (json.RawMessage, *Call, error) {
	return r.attemptWith(ctx, h, output, nil)
}

// attemptWith is attempt for a handler that may draw numbers. The numbers belong to its call, because an abandoned
// handler may still be running.
func (r *run) attemptWith(ctx context.Context, h handler, output side, numbers *numbering) (json.RawMessage, *Call,
	error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, ended(ctx)
	}
	// Remove the results of an earlier attempt.
	r.entry.Kind, r.entry.Response, r.entry.Redacted = KindInvocation, nil, r.redacted
	type outcome struct {
		out json.RawMessage
		err error
	}
	call := r.newCall()
	call.numbers = numbers
	ch := make(chan outcome, 1)
	go func() {
		growStack(0)
		var o outcome
		returned := false
		defer func() {
			if p := recover(); !returned {
				if p == nil {
					p = "the handler ended its goroutine" // runtime.Goexit
				}
				o = outcome{err: r.panicked(p)}
			}
			ch <- o
		}()
		o.out, o.err = h(ctx, call)
		returned = true
	}()
	var o outcome
	select {
	case o = <-ch:
	case <-ctx.Done():
		r.hasLateHandlers = true
		r.lateHandlers.Go(func() { <-ch })
		return nil, nil, ended(ctx)
	}
	if o.err != nil {
		var e *Error
		switch {
		case errors.As(o.err, &e):
			return nil, nil, e
		case ctx.Err() != nil:
			return nil, nil, ended(ctx)
		}
		return nil, nil, uncodedError{o.err}
	}
	out, err := r.validateOutput(o.out, call, output)
	return out, call, err
}

// attemptReading is attempt with a read snapshot.
func (r *run) attemptReading(ctx context.Context, h handler) (out json.RawMessage, call *Call, err error) {
	err = r.b.o.Journal.View(ctx, func(ctx context.Context) (err error) {
		out, call, err = r.attempt(ctx, h, r.cap.out)
		return err
	})
	return out, call, err
}

// growStack grows the stack of a new goroutine at once. Otherwise it grows step by step while the handler decodes
// deeply nested data, and is copied four times: a fifth of the cost of an invocation.
//
//go:noinline
func growStack(i int) byte {
	var room [9 << 10]byte
	return room[i]
}

// uncodedError marks an uncoded error of a handler, to distinguish it from an error of the journal.
type uncodedError struct{ error }

func (u uncodedError) Unwrap() error { return u.error }

// orJournal returns a coded or context error, and attributes any other error to the journal.
func (r *run) orJournal(ctx context.Context, err error) error {
	var e *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return e
	case ctx.Err() != nil:
		return ended(ctx)
	case errors.As(err, new(uncodedError)):
		return err
	}
	return r.journalFailed(err)
}

// ended converts the end of a context to TRANSIENT, with the reason timeout or cancelled.
func ended(ctx context.Context) *Error {
	if ctx.Err() == context.DeadlineExceeded {
		return Errorf(Transient, ReasonTimeout, "It took too long and was stopped; nothing was changed.").
			WithHint("Try again with the same idempotency key.")
	}
	return Errorf(Transient, ReasonCancelled, "It was cancelled; nothing was changed.")
}

// prepared is the result of [Run].Prepare.
type prepared struct {
	of    []byte // the arguments
	value any
	err   error
}

// prepare runs the capability's Prepare, once for the same arguments. The handler returns its error, so that it is
// recorded.
func (r *run) prepare(ctx context.Context) {
	if r.cap.Run.Prepare == nil || r.prepared != nil && bytes.Equal(r.prepared.of, r.body) {
		return
	}
	made := make(chan any, 1)
	h := func(ctx context.Context, call *Call) (json.RawMessage, error) {
		value, err := r.cap.Run.Prepare(r.cap.within(ctx), call)
		made <- value
		return nil, err
	}
	p := &prepared{of: r.body}
	p.err = r.b.o.Journal.View(ctx, func(ctx context.Context) error {
		_, _, err := r.attempt(ctx, h, side{})
		return err
	})
	if p.err == nil {
		p.value = <-made
	}
	r.prepared = p
}

// Prepared returns the value or the error of [Run].Prepare.
func (c *Call) Prepared(ctx context.Context) (any, error) {
	switch {
	case c.prepared != nil:
		return c.prepared.value, c.prepared.err
	case c.Capability.Run.Prepare == nil:
		return nil, errors.New("bus: the capability has no Prepare")
	}
	return c.Capability.Run.Prepare(ctx, c)
}
