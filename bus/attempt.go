package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// orJournal keeps a coded or context error and blames anything else on the journal.
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

// uncodedError marks a handler's own uncoded error, so that it is not taken for the journal's.
type uncodedError struct{ error }

func (u uncodedError) Unwrap() error { return u.error }

// attempt runs a handler once, in a goroutine of its own so that a deadline or a
// cancellation is answered even when the handler does not look; the journal
// refuses whatever it tries afterwards. The output is validated here (B9).
func (r *run) attempt(ctx context.Context, h Handler, fits *schema) (json.RawMessage, *Call, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, ended(ctx)
	}
	// An earlier attempt may have left its marks.
	r.entry.Kind, r.entry.Response, r.entry.Redacted = KindInvocation, nil, r.redacted
	type outcome struct {
		out json.RawMessage
		err error
	}
	call := r.newCall()
	ch := make(chan outcome, 1)
	go func() {
		makeRoom(0)
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
		r.strayed = true
		r.strays.Go(func() { <-ch })
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
	out, err := r.checkOutput(o.out, call, fits)
	return out, call, err
}

// makeRoom grows the stack of a new goroutine at once. Grown step by step, while
// the handler is deep in decoding, it is copied four times: a fifth of the cost
// of an invocation.
//
//go:noinline
func makeRoom(i int) byte {
	var room [9 << 10]byte
	return room[i]
}

// checkOutput is B9, and makes facts what they will be on the wire.
func (r *run) checkOutput(out json.RawMessage, call *Call, fits *schema) (json.RawMessage, error) {
	if len(out) == 0 {
		out = json.RawMessage("{}")
	}
	value, err := r.b.decoders.decode(out)
	if err != nil {
		return nil, r.badOutput(out, []Violation{{Message: "not JSON: " + err.Error()}})
	}
	if v := fits.validate(value); v != nil {
		return nil, r.badOutput(out, v)
	}
	for name := range call.facts {
		if !slices.Contains(r.cap.Facts, name) {
			return nil, uncodedError{fmt.Errorf("%s states the fact %q, which it does not declare", r.cap.Name, name)}
		}
	}
	if call.facts != nil {
		raw, err := json.Marshal(call.facts)
		if err != nil {
			return nil, uncodedError{err}
		}
		call.facts = nil
		if err := json.Unmarshal(raw, &call.facts); err != nil {
			return nil, uncodedError{err}
		}
	}
	return out, nil
}

func (r *run) badOutput(out json.RawMessage, v []Violation) error {
	r.entry.Response = keepable(out)
	return r.violated("response", v)
}

// succeed makes the handler's output the result.
func (r *run) succeed(out json.RawMessage, call *Call) {
	stamp := r.now.UnixMilli()
	for i := range call.events {
		call.events[i].RequestID, call.events[i].Timestamp = r.inv.RequestID, stamp
	}
	r.entry.Summary = call.summary
	r.settle(Result{Status: statusSuccess, RequestID: r.inv.RequestID, Data: out, Events: call.events, Facts: call.facts,
		CostEstimate: r.cap.CostEstimate, ExecutionTimeMS: r.elapsed(), Timestamp: stamp})
}

// settle takes a success: whole for the caller and the idempotency key, without
// its secrets for the record.
func (r *run) settle(res Result) {
	r.entry.Stored = res.Data
	r.entry.Result = res
	if !r.cap.out.hasSecrets() {
		return
	}
	value, err := r.b.decoders.decode(res.Data)
	if err != nil {
		return // it was validated before: it is JSON
	}
	safe, where := r.cap.out.redact(value)
	if data, err := json.Marshal(safe); err == nil && where != nil {
		r.entry.Result.Data = data
		r.entry.Redacted = slices.Clone(r.redacted)
		for _, pointer := range where {
			r.entry.Redacted = append(r.entry.Redacted, "/data"+pointer)
		}
	}
}
