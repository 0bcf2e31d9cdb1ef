package bus

import (
	"context"
	"errors"
	"slices"
)

// preconditions is B5: conditions, availability, named checks, in that order.
func (r *run) preconditions(ctx context.Context) error {
	if !r.cap.hasChecks() {
		return nil
	}
	return orEnded(ctx, r.view(ctx, r.checkReady))
}

// orEnded replaces the error of an interrupted check; a coded error stays.
func orEnded(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil || errors.As(err, new(*Error)) {
		return err
	}
	return ended(ctx)
}

func (c *registered) hasChecks() bool {
	return c.Checks.Available != nil || len(c.Checks.Requires) > 0 || len(c.Checks.Preconditions) > 0 ||
		slices.ContainsFunc(c.Permissions, func(p string) bool { return !isScope(p) })
}

// checkReady returns the error of the first unmet check. It runs before a question to a person and again inside the
// transaction.
func (r *run) checkReady(ctx context.Context) error {
	if err := r.b.availability(ctx, r.cap, r.newCall()); err != nil {
		return err
	}
	for _, p := range r.cap.Checks.Preconditions {
		err := p.Check(ctx, r.newCall())
		if err == nil {
			continue
		}
		message := Phrase(p.Message)
		if p.Message == "" {
			message = r.cap.notNow()
		}
		err = unmet(ctx, err, ReasonPrecondition, message, Phrase(p.Hint))
		return named(err, p.Name)
	}
	return nil
}
