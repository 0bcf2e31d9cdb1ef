package bus

import (
	"context"
	"errors"
	"slices"
)

// checkPerson checks that the person has the right to make this call with these arguments. If only a right is missing,
// a second approver may have it. The call then continues, for this run only, with the rights of the person with the
// fewest rights among the possible approvers, and needs an approval by one of them.
func (r *run) checkPerson(ctx context.Context) error {
	r.needsApprover, r.possibleApprovers, r.approverScopes = nil, nil, nil
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

// mayDo checks scopes and limits with additional scopes.
func (r *run) mayDo(ctx context.Context, extraScopes []string) error {
	if err := r.cap.checkScopes(r.inv.Principal.with(extraScopes)); err != nil {
		return err
	}
	return r.checkLimit(ctx, extraScopes)
}

// lacksRight reports whether a person with more rights would not be refused.
func (e *Error) lacksRight() bool {
	return e.Code == Forbidden && (e.Reason == ReasonPermission || e.Reason == ReasonLimit)
}

// takesSecondApprover reports whether a second approver may allow the call. It excludes reads, calls of a timer, steps
// of a plan and calls with a secret, which a card cannot show.
func (r *run) takesSecondApprover() bool {
	return r.cap.SideEffect != Pure && !r.cap.in.HasSecrets() && r.inv.Principal.ID != "" && !r.inPlan &&
		r.inv.Caller.Type != CallerSchedule
}

// findApprovers finds the possible second approvers. It returns refused if there are none.
func (r *run) findApprovers(ctx context.Context, refused *Error) error {
	r.needsApprover = refused
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
	// All possible approvers lend the same scopes, so that the execution matches the preview.
	r.approverScopes = able[0].Scopes
	r.possibleApprovers = slices.DeleteFunc(able, func(p Principal) bool { return !p.hasAll(r.approverScopes) })
	return nil
}

// askApprovers calls the SecondApprover in the snapshot or the transaction of ctx.
func (r *run) askApprovers(ctx context.Context, may func(Principal) bool) ([]Principal, error) {
	a, ok := r.b.o.Approver.(SecondApprover)
	if !ok {
		return nil, nil
	}
	req := &ApprovalRequest{Capability: &r.cap.Capability, Invocation: r.inv, Refused: r.needsApprover}
	return a.SecondApprovers(ctx, req, may)
}

// stillApproved checks again, right before the effect, that the second approver may still allow it, because roles
// change and people leave. ctx has the transaction of the effect, or a snapshot.
func (r *run) stillApproved(ctx context.Context) error {
	able, err := r.askApprovers(ctx, func(p Principal) bool { return p.hasAll(r.approverScopes) })
	var refused *Error
	switch {
	case errors.As(err, &refused):
		return ErrVoid
	case err == nil && !slices.ContainsFunc(able, func(p Principal) bool { return p.ID == r.entry.Decision.By }):
		return ErrVoid
	}
	return err
}

// checkApprover refuses an approval by anyone other than the possible approvers.
func (r *run) checkApprover(d Decision) error {
	if r.needsApprover == nil {
		return nil
	}
	named := slices.ContainsFunc(r.possibleApprovers, func(p Principal) bool { return p.ID == d.By })
	if d.Answer == AnswerNobody || d.Allowed && (!named || d.Authentication == "") {
		return r.needsApprover
	}
	return nil
}

// with returns the person with additional scopes.
func (p Principal) with(scopes []string) Principal {
	p.Scopes = append(slices.Clip(p.Scopes), scopes...)
	return p
}

// hasAll reports whether the person holds every one of the scopes.
func (p Principal) hasAll(scopes []string) bool {
	return !slices.ContainsFunc(scopes, func(s string) bool { return !p.Has(s) })
}
