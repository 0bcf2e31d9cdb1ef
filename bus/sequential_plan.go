package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// foreseen is the preview of a step of an approved plan, and the decision on the plan. If policy allowed the plan, no
// person saw the preview.
type foreseen struct {
	shown    planDone
	bills    []*Bill // of the step
	decision Decision
}

// anyOutside reports whether a plan has a network step.
func (b *Bus) anyOutside(steps []planStep) bool {
	return slices.ContainsFunc(steps, func(s planStep) bool {
		c := b.find(s.Capability)
		return c != nil && c.SideEffect == Network
	})
}

// leavesTransaction reports whether the steps in the arguments of a plan need separate invocations.
func (r *run) leavesTransaction() bool {
	var in planInput
	return json.Unmarshal(r.body, &in) == nil && r.b.anyOutside(in.Steps)
}

// executeSequentially runs a plan with a network step. Each step is an invocation with its own record, whose parent is
// the plan. The first failure ends the plan. The journal gets a note before the first step and the record after the
// last, so that the next start finds an interrupted plan.
func (r *run) executeSequentially(ctx context.Context) error {
	if r.shown == nil { // policy allowed it without a question
		p, err := r.preview(ctx)
		if err != nil {
			return err
		}
		r.shown = p
	}
	r.entry.Steps = nil // each has its own record
	if err := r.begin(ctx); err != nil {
		return err
	}
	call := r.newCall()
	if out, err := r.invokeSteps(ctx, call); err == nil {
		r.succeed(out, call)
	} else {
		r.fail(r.orJournal(ctx, err))
	}
	r.record(ctx)
	return nil
}

// invokeSteps invokes the steps in their order.
func (r *run) invokeSteps(ctx context.Context, call *Call) (json.RawMessage, error) {
	var in planInput
	var shown planOutput
	if err := errors.Join(json.Unmarshal(r.body, &in), json.Unmarshal(r.shown.Data, &shown)); err != nil {
		return nil, err
	}
	out := planOutput{Steps: []planDone{}, OneByOne: true}
	var results []any
	for i, s := range in.Steps {
		inv, err := r.stepInvocation(i, s, results)
		if err != nil {
			return nil, stoppedAt(i, s, err)
		}
		f := &foreseen{shown: shown.Steps[i], decision: *r.entry.Decision}
		if all := r.shown.Bills; len(all) > i && all[i] != nil {
			f.bills = all[i : i+1]
		}
		res := r.b.invoke(ctx, inv, f)
		if res.Err != nil {
			return nil, stoppedAt(i, s, res.Err)
		}
		value, err := r.b.decoders.Decode(res.Data)
		if err != nil {
			return nil, err
		}
		results = append(results, value)
		f.shown.Data, f.shown.Facts = res.Data, res.Facts
		out.Steps = append(out.Steps, f.shown)
	}
	call.Fact("steps", float64(len(out.Steps)))
	call.summary = r.shown.Texts.At("/summary", r.shown.Summary)
	return json.Marshal(out)
}

// stepInvocation returns the invocation of a step. It has the plan's caller, and the clock and random seed of the
// preview, so that its effect matches the preview.
func (r *run) stepInvocation(i int, s planStep, results []any) (Invocation, error) {
	args, err := s.resolved(results)
	if err != nil {
		return Invocation{}, err
	}
	inv := Invocation{Capability: s.Capability, Arguments: args, TraceID: r.inv.TraceID, Caller: r.inv.Caller,
		Principal: r.inv.Principal, PinnedClock: r.now, PinnedSeed: stepSeed(r.seed, i)}
	inv.Caller.ParentRequestID = r.inv.RequestID
	if r.inv.IdempotencyKey != "" {
		inv.IdempotencyKey = fmt.Sprintf("%s step %d", r.inv.IdempotencyKey, i+1)
	}
	return inv, nil
}

// stoppedAt adds to an error which step failed and which steps were done.
func stoppedAt(i int, s planStep, err error) error {
	failed := coded(stepError(i, s, err))
	said := failed.MessageText()
	switch i {
	case 0:
		failed = failed.WithMessage("%s Nothing after it was begun.", said)
	case 1:
		failed = failed.WithMessage("%s Step 1 was done and stays done; nothing after this one was begun.", said)
	default:
		failed = failed.WithMessage("%s Steps 1 to %d were done and stay done; nothing after this one was begun.", said, i)
	}
	if failed.Hint == "" {
		failed = failed.WithHint("Propose what is left as a new plan.")
	}
	return failed
}

// executeForeseen runs a step of an approved plan if its summary, data and bill still equal those of its preview.
func (r *run) executeForeseen(ctx context.Context) error {
	switch {
	case r.needsApprover != nil:
		return r.needsApprover
	case r.cap.SideEffect == Pure:
		return r.execute(ctx)
	}
	p, err := r.preview(ctx)
	if err != nil {
		return err
	}
	changed := Errorf(Conflict, ReasonChanged, "It is not any more what was shown, so it was not done.").
		WithHint("Propose what is left as a new plan.")
	if p.Summary != r.foreseen.shown.Summary.String() || !r.b.sameJSON(p.Data, r.foreseen.shown.Data) ||
		!reflect.DeepEqual(p.Bills, r.foreseen.bills) {
		return changed
	}
	d := r.foreseen.decision
	if r.entry.Decision != nil {
		d.Rule = r.entry.Decision.Rule
	}
	d.Digest = p.Digest
	r.entry.Decision, r.shown = &d, p
	if err := r.execute(ctx); !errors.Is(err, ErrVoid) {
		return err
	}
	return changed
}

func (b *Bus) sameJSON(one, other []byte) bool {
	first, _ := b.decoders.Decode(one) // both were decoded before
	second, _ := b.decoders.Decode(other)
	return reflect.DeepEqual(first, second)
}
