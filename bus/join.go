package bus

import (
	"context"
	"errors"
	"slices"
)

// joiner is what an Approver may be besides: see [Approver].
type joiner interface {
	Join(ctx context.Context, req *ApprovalRequest, may func(Principal) bool) ([]Principal, error)
}

// permitted says whether the person may do this, with these arguments. Who lacks
// a right, and nothing else, may be joined by somebody who has it: the call goes
// on with the rights of the least of those who could, for this one run, and only
// their yes lets it happen.
func (r *run) permitted(ctx context.Context) error {
	r.refused, r.able, r.lent = nil, nil, nil
	err := r.cap.scoped(r.inv.Principal)
	if err == nil && r.cap.Limit != nil {
		err = orEnded(ctx, r.b.o.Journal.View(ctx, func(ctx context.Context) error { return r.cap.Limit(ctx, r.newCall()) }))
	}
	var e *Error
	if !errors.As(err, &e) || !e.lacksRight() || !r.joinable() {
		return err
	}
	return r.join(ctx, e)
}

// callWith is newCall with the scopes of somebody beside the caller.
func (r *run) callWith(lent []string) *Call {
	person := r.inv.Principal
	if len(lent) > 0 {
		person.Scopes = slices.Concat(person.Scopes, lent)
	}
	return &Call{Capability: &r.cap.Capability, Arguments: r.body, Person: person, RequestID: r.inv.RequestID,
		Now: r.now, seed: r.seed, caller: r.inv.Caller.Type, progress: func(e Event) {
			e.RequestID, e.Timestamp = r.inv.RequestID, r.b.o.Clock().UnixMilli()
			r.b.events.publish(e)
		}}
}

// mayDo checks scopes and limits as they are with lent scopes added.
func (r *run) mayDo(ctx context.Context, lent []string) error {
	call := r.callWith(lent)
	if err := r.cap.scoped(call.Person); err != nil {
		return err
	}
	if r.cap.Limit == nil {
		return nil
	}
	return r.cap.Limit(ctx, call)
}

// lacksRight tells a refusal that somebody with more rights would not have met.
func (e *Error) lacksRight() bool {
	return e.Code == Forbidden && (e.Reason == ReasonPermission || e.Reason == ReasonLimit)
}

// joinable leaves out what is no action, what happens unasked for, such as the
// reads of a page, and what carries a secret, which no card shows.
func (r *run) joinable() bool {
	secret := r.cap.in.hasSecrets()
	return r.cap.SideEffect != Pure && !secret && r.inv.Principal.Person != ""
}

// join finds out who could stand beside the caller; refused is the answer when
// nobody can.
func (r *run) join(ctx context.Context, refused *Error) error {
	r.refused = refused
	able, err := r.couldJoin(ctx)
	if err == nil && len(able) == 0 {
		err = refused
	}
	if err != nil {
		r.refused = nil
		return err
	}
	// Whoever of them answers lends the same, so that what is shown is what is done.
	r.lent = able[0].Scopes
	r.able = slices.DeleteFunc(able, func(p Principal) bool { return !p.hasAll(r.lent) })
	return nil
}

func (r *run) couldJoin(ctx context.Context) (able []Principal, err error) {
	err = r.b.o.Journal.View(ctx, func(ctx context.Context) error {
		able, err = r.askJoiner(ctx, func(p Principal) bool { return r.mayDo(ctx, p.Scopes) == nil })
		return err
	})
	return able, orEnded(ctx, err)
}

// askJoiner asks in the snapshot or the transaction of ctx.
func (r *run) askJoiner(ctx context.Context, may func(Principal) bool) ([]Principal, error) {
	j, ok := r.b.o.Approver.(joiner)
	if !ok {
		return nil, nil
	}
	return j.Join(ctx, &ApprovalRequest{Capability: &r.cap.Capability, Invocation: r.inv, Refused: r.refused}, may)
}

// stillJoined looks once more, right before it counts, whether who allowed it may
// still: roles change, and people leave. ctx has the transaction of the effect,
// or a snapshot.
func (r *run) stillJoined(ctx context.Context) error {
	able, err := r.askJoiner(ctx, func(p Principal) bool { return p.hasAll(r.lent) })
	var nobody *Error
	switch {
	case errors.As(err, &nobody), err == nil && !slices.ContainsFunc(able, r.isLender):
		return ErrVoid
	}
	return err
}

// isLender recognises who allowed the call.
func (r *run) isLender(p Principal) bool { return p.Person == r.entry.Decision.By }

// joinedBy refuses a yes of anybody but those who could give it.
func (r *run) joinedBy(d Decision) error {
	if r.refused == nil {
		return nil
	}
	named := slices.ContainsFunc(r.able, func(p Principal) bool { return p.Person == d.By })
	switch {
	case d.Answer == "nobody" || d.Allowed && !named:
		return r.refused
	case d.Allowed && d.Authentication == "":
		return r.refused
	}
	return nil
}

// hasAll reports whether the person holds every one of the scopes.
func (p Principal) hasAll(scopes []string) bool {
	return !slices.ContainsFunc(scopes, func(s string) bool { return !p.Has(s) })
}
