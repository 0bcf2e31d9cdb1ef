package bus

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// foreseen is what a person was shown of a step of a plan, and what they said.
type foreseen struct {
	shown    PlanDone
	decision Decision
}

// is says that a preview is what was shown.
func (f *foreseen) is(p *Preview) bool {
	return p.Summary == f.shown.Summary && sameJSON(p.Data, f.shown.Data)
}

func sameJSON(a, b []byte) bool {
	one, err := jsonschema.UnmarshalJSON(bytes.NewReader(a))
	if err != nil {
		return false
	}
	other, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		return false
	}
	first, err := appendCanonical(nil, one)
	if err != nil {
		return false
	}
	second, err := appendCanonical(nil, other)
	return err == nil && bytes.Equal(first, second)
}

// reachesOutside says that a plan has a step that no transaction takes back.
func (b *Bus) reachesOutside(steps []PlanStep) bool {
	return slices.ContainsFunc(steps, func(s PlanStep) bool {
		c := b.find(s.Capability)
		return c != nil && c.SideEffect == Network
	})
}

// isOneByOne says that the run is a plan whose steps cannot share a transaction.
func (r *run) isOneByOne() bool {
	if r.cap.Name != CapabilityPlan || r.inv.DryRun {
		return false
	}
	var in planInput
	return json.Unmarshal(r.body, &in) == nil && r.b.reachesOutside(in.Steps)
}

// goOneByOne carries out a plan with a step that reaches outside: each step is an
// invocation of its own, with a record of its own that names the plan's as what
// led to it, and the first that fails ends the plan. The plan is noted before and
// recorded after, as a step outside is: what was cut off is found at the start.
func (r *run) goOneByOne(ctx context.Context) error {
	if r.shown == nil { // a policy that asks nobody
		p, err := r.preview(ctx)
		if err != nil {
			return err
		}
		r.shown = p
	}
	if err := r.asShown(ctx); err != nil {
		return err
	}
	if err := r.holdOnce(ctx); err != nil {
		return err
	}
	r.entry.SideEffect = Network
	if err := r.b.o.Journal.Begin(ctx, r.entry); err != nil {
		return r.orJournal(ctx, err)
	}
	r.begun = true
	call := r.newCall()
	out, err := r.stepByStep(ctx, call)
	if err == nil {
		r.succeed(out, call)
	} else {
		r.fail(r.orJournal(ctx, err))
	}
	r.record(ctx)
	return nil
}

// stepByStep invokes the steps in their order.
func (r *run) stepByStep(ctx context.Context, call *Call) (json.RawMessage, error) {
	var in planInput
	var shown planOutput
	if err := errors.Join(json.Unmarshal(r.body, &in), json.Unmarshal(r.shown.Data, &shown)); err != nil {
		return nil, err
	}
	out := planOutput{Steps: []PlanDone{}, OneByOne: true}
	var results []any
	for i, s := range in.Steps {
		inv, err := r.stepOf(i, s, results)
		if err != nil {
			return nil, stoppedAt(i, s, err)
		}
		f := &foreseen{shown.Steps[i], *r.entry.Decision}
		res := r.b.invoke(ctx, inv, f)
		if res.Err != nil {
			return nil, stoppedAt(i, s, res.Err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(res.Data))
		if err != nil {
			return nil, err
		}
		results = append(results, value)
		f.shown.Data = res.Data
		out.Steps = append(out.Steps, f.shown)
	}
	call.Fact("steps", float64(len(out.Steps)))
	call.summary = r.shown.Summary
	return json.Marshal(out)
}

// stepOf is the invocation of a step: by the same caller at the same time with the
// numbers of the preview, so that it comes to what was shown.
func (r *run) stepOf(i int, s PlanStep, results []any) (Invocation, error) {
	args, err := stepValue(s.Arguments, results)
	if err != nil {
		return Invocation{}, err
	}
	body, err := appendCanonical(nil, args)
	if err != nil {
		return Invocation{}, err
	}
	inv := Invocation{Capability: s.Capability, Arguments: body, TraceID: r.inv.TraceID, Caller: r.inv.Caller, Principal: r.inv.Principal,
		PinnedClock: r.now, PinnedSeed: stepSeed(r.seed, i)}
	inv.Caller.ParentRequestID = r.inv.RequestID
	if r.inv.IdempotencyKey != "" {
		inv.IdempotencyKey = fmt.Sprintf("%s step %d", r.inv.IdempotencyKey, i+1)
	}
	return inv, nil
}

// stepSeed is where a step of a plan draws its numbers from.
func stepSeed(plan []byte, i int) []byte {
	return binary.BigEndian.AppendUint32(slices.Clone(plan), uint32(i))
}

// stoppedAt says which step ended a plan, and what is true of the others.
func stoppedAt(i int, s PlanStep, err error) error {
	failed := *coded(stepError(i, s, err))
	switch i {
	case 0:
		failed.Message += " Nothing after it was begun."
	case 1:
		failed.Message += " Step 1 was done and stays done; nothing after this one was begun."
	default:
		failed.Message += fmt.Sprintf(" Steps 1 to %d were done and stay done; nothing after this one was begun.", i)
	}
	failed.Hint = firstWords(failed.Hint, "Propose what is left as a new plan.")
	return &failed
}

// asForeseen runs a step of a plan that was allowed as a whole, if it still is what
// was shown.
func (r *run) asForeseen(ctx context.Context) error {
	switch {
	case r.refused != nil:
		return r.refused
	case r.cap.SideEffect == Pure:
		return r.execute(ctx)
	}
	p, err := r.preview(ctx)
	if err != nil {
		return err
	}
	changed := Errorf(Conflict, ReasonChanged, "It is not any more what was shown, so it was not done.").WithHint("Propose what is left as a new plan.")
	if !r.foreseen.is(p) {
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
