package bus

import (
	"context"
	"encoding/json"
)

// reachOut takes a network step between its note and its record. From the note
// on its outcome is recorded by Finish, whatever happens to the caller: record
// sees to that.
func (r *run) reachOut(ctx context.Context, more bool) error {
	if !r.begun {
		if err := r.asShown(ctx); err != nil {
			return err
		}
		if err := r.holdOnce(ctx); err != nil {
			return err
		}
		if err := r.b.o.Journal.Begin(ctx, r.entry); err != nil {
			return r.orJournal(ctx, err)
		}
		r.begun = true
	}
	var out json.RawMessage
	var call *Call
	err := r.b.o.Journal.View(ctx, func(ctx context.Context) (err error) {
		out, call, err = r.attempt(ctx, r.cap.Handler, r.cap.out)
		return err
	})
	switch {
	case err == nil:
		r.succeed(out, call)
	case more && r.retries(unsure(err)):
		return errAgain
	default:
		r.fail(unsure(r.orJournal(ctx, err)))
	}
	r.record(ctx)
	return nil
}

// asShown repeats the checks, and the preview of a step that a person allowed:
// it may not be another step by now.
func (r *run) asShown(ctx context.Context) error {
	if err := r.b.o.Journal.View(ctx, r.stillReady); err != nil {
		return err
	}
	if r.shown == nil {
		return nil
	}
	p, err := r.preview(ctx)
	if err != nil {
		return err
	}
	if p.Digest != r.shown.Digest {
		return ErrVoid
	}
	return nil
}

// unsure says of a step that was cut off what is true of it: nobody knows.
func unsure(err error) error {
	switch e := coded(err); e.Reason {
	case ReasonTimeout, ReasonCancelled:
		return errUnknown.WithCause(err)
	case ReasonPanic:
		broken := errUnknown.WithCause(err)
		broken.Code, broken.Reason = Internal, ReasonPanic
		return broken
	}
	return err
}

// errUnknown is the outcome of a step that began and whose end nobody saw.
var errUnknown = Errorf(Transient, ReasonInterrupted, "It was cut off in the middle; nobody knows whether it reached its goal.").
	WithHint("Check the outcome by hand; to do it again use a new idempotency key.")
