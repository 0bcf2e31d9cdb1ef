package bus

import (
	"context"
	"errors"
	"slices"
)

// checkPerson checks whether the person may do this, with these arguments. If they lack a right, and nothing else, a
// second approver may have it: the call then goes on with the rights of the least of those who could approve, for this
// one run, and only if one of them allows it.
func (r *run) checkPerson(ctx context.Context) error {
	r.refused, r.approvers, r.lent = nil, nil, nil
	err := r.cap.checkScopes(r.inv.Principal)
	if err == nil && r.cap.Checks.Limit != nil {
		err = orEnded(ctx, r.view(ctx, func(ctx context.Context) error { return r.checkLimit(ctx, nil) }))
	}
	var e *Error
	if !errors.As(err, &e) || !e.lacksRight() || !r.takesSecondApprover() {
		return err
	}
	return r.findApprovers(ctx, e)
}

// mayDo checks scopes and limits with lent scopes added.
func (r *run) mayDo(ctx context.Context, lent []string) error {
	if err := r.cap.checkScopes(r.inv.Principal.with(lent)); err != nil {
		return err
	}
	return r.checkLimit(ctx, lent)
}

// lacksRight reports whether a person with more rights would not be refused.
func (e *Error) lacksRight() bool {
	return e.Code == Forbidden && (e.Reason == ReasonPermission || e.Reason == ReasonLimit)
}

// takesSecondApprover leaves out what is no action, what happens unasked, such
// as the reads of a page or the work of a timer, and what carries a secret, which no card shows.
func (r *run) takesSecondApprover() bool {
	return r.cap.SideEffect != Pure && !r.cap.in.HasSecrets() && r.inv.Principal.ID != "" && !r.inPlan &&
		r.inv.Caller.Type != CallerSchedule
}

// findApprovers finds out who could approve beside the caller; refused is the answer if there is no one.
func (r *run) findApprovers(ctx context.Context, refused *Error) error {
	r.refused = refused
	var able []Principal
	err := r.b.o.Journal.View(ctx, func(ctx context.Context) (err error) {
		able, err = r.askApprovers(ctx, func(p Principal) bool { return r.mayDo(ctx, p.Scopes) == nil })
		return err
	})
	if err = orEnded(ctx, err); err == nil && len(able) == 0 {
		err = refused
	}
	if err != nil {
		return err
	}
	// All who may answer lend the same scopes, so that what is shown is what is done.
	r.lent = able[0].Scopes
	r.approvers = slices.DeleteFunc(able, func(p Principal) bool { return !p.hasAll(r.lent) })
	return nil
}

// askApprovers asks in the snapshot or the transaction of ctx.
func (r *run) askApprovers(ctx context.Context, may func(Principal) bool) ([]Principal, error) {
	a, ok := r.b.o.Approver.(SecondApprover)
	if !ok {
		return nil, nil
	}
	req := &ApprovalRequest{Capability: &r.cap.Capability, Invocation: r.inv, Refused: r.refused}
	return a.SecondApprovers(ctx, req, may)
}

// stillApproved checks again, right before it counts, whether the second approver may still allow it: roles change, and
// people leave. ctx has the transaction of the effect, or a snapshot.
func (r *run) stillApproved(ctx context.Context) error {
	able, err := r.askApprovers(ctx, func(p Principal) bool { return p.hasAll(r.lent) })
	var refused *Error
	switch {
	case errors.As(err, &refused):
		return ErrVoid
	case err == nil && !slices.ContainsFunc(able, func(p Principal) bool { return p.ID == r.entry.Decision.By }):
		return ErrVoid
	}
	return err
}

// checkApprover refuses a yes of anyone but those who could give it.
func (r *run) checkApprover(d Decision) error {
	if r.refused == nil {
		return nil
	}
	named := slices.ContainsFunc(r.approvers, func(p Principal) bool { return p.ID == d.By })
	if d.Answer == AnswerNobody || d.Allowed && (!named || d.Authentication == "") {
		return r.refused
	}
	return nil
}

// with returns the person with scopes added.
func (p Principal) with(scopes []string) Principal {
	p.Scopes = append(slices.Clip(p.Scopes), scopes...)
	return p
}

// hasAll reports whether the person holds every one of the scopes.
func (p Principal) hasAll(scopes []string) bool {
	return !slices.ContainsFunc(scopes, func(s string) bool { return !p.Has(s) })
}
