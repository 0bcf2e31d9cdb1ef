package bus

import "context"

// executeOutside runs a network step between its note and its record. After the note, Finish records its outcome even
// if the caller is gone.
func (r *run) executeOutside(ctx context.Context, more bool) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	out, call, err := r.attemptReading(ctx, r.cap.handle)
	switch {
	case err == nil:
		r.succeed(out, call)
	case more && r.retries(orUnknown(err)):
		return errAgain
	default:
		r.fail(orUnknown(r.orJournal(ctx, err)))
	}
	r.record(ctx)
	return nil
}

// begin notes, once for all attempts, that a network step is about to start.
func (r *run) begin(ctx context.Context) error {
	if r.begun {
		return nil
	}
	if ctx.Err() != nil {
		return ended(ctx) // it is certain that nothing started
	}
	if err := r.checkShown(ctx); err != nil {
		return err
	}
	if err := r.reserveOnce(ctx); err != nil {
		return err
	}
	if err := r.b.o.Journal.Begin(ctx, r.entry); err != nil {
		return r.orJournal(ctx, err)
	}
	r.begun, r.entry.Token = true, nil
	return nil
}

// checkShown repeats the checks, and the preview of a step that a person allowed, because the step may have changed.
func (r *run) checkShown(ctx context.Context) error {
	if err := r.b.o.Journal.View(ctx, r.checkStillReady); err != nil {
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

// orUnknown replaces the error of a step that was interrupted or failed after it may have had its effect. Its outcome
// is unknown, see [Entry.OutcomeUnknown].
func orUnknown(err error) error {
	e := coded(err)
	unknown := errUnknown.WithCause(err)
	switch {
	case e.Reason == ReasonTimeout, e.Reason == ReasonCancelled:
		return unknown
	case e.Reason == ReasonPanic:
	case e.Reason == ReasonUncoded:
		unknown = unknown.WithMessage("Something went wrong inside the application, and it may have reached its goal.")
	case e.Reason == ReasonResponse && e.SchemaSide != "":
		unknown = unknown.WithMessage("The answer breaks its own contract, and the step may have reached its goal.")
	default:
		return err
	}
	unknown.Code, unknown.Reason, unknown.Violations, unknown.SchemaSide = e.Code, e.Reason, e.Violations, e.SchemaSide
	return unknown
}

// errUnknown is the result of a step that started and was interrupted.
var errUnknown = Errorf(Transient, ReasonInterrupted,
	"It was cut off in the middle; nobody knows whether it reached its goal.").
	WithHint("Check the outcome by hand; to do it again use a new idempotency key.")
