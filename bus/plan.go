package bus

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/bus/internal/plan"
	"github.com/deskhand/deskhand/bus/internal/schema"
)

// planStep is one step of a plan. An argument of the form {"$from": "/0/noteId"} stands for a part of an earlier step's
// output: a JSON Pointer whose first token is the number of the step, from 0. {"$count": "/0/notes"} stands for the
// length of such a list. In a step with Each, {"$item": "/id"} stands for a part of the row.
type planStep struct {
	Each       *planEach       `json:"$each,omitempty"`
	Capability string          `json:"capability" jsonschema:"minLength=1,maxLength=64"`
	Arguments  json.RawMessage `json:"arguments,omitempty" jsonschema:"type=object"`

	seed []byte // seed of its numbers; nil: derived from the plan's
	row  *any   // of the list; nil: it has no Each
}

// planDone is the outcome of one step of a plan.
type planDone struct {
	Capability string          `json:"capability"`
	Title      string          `json:"title"`
	Summary    Text            `json:"summary"`
	Data       json.RawMessage `json:"data"`
	Facts      map[string]any  `json:"facts,omitempty"`
	Arguments  json.RawMessage `json:"arguments,omitempty"` // if the plan does not contain them
	Of         int             `json:"of,omitempty"`        // in a program: index of its step, from 0
	Texts      Texts           `json:"-"`                   // those of Data
}

type planInput struct {
	Steps []planStep `json:"steps" jsonschema:"minItems=1,maxItems=20" doc:"In the order in which they are done."`
}

type planOutput struct {
	Steps    []planDone `json:"steps"`
	OneByOne bool       `json:"oneByOne,omitempty"`
}

// fileSteps sets the side effect of a plan's record to that of its most serious step, and lists the capabilities of all
// steps. A step outside is the most serious, because it cannot be undone.
func (r *run) fileSteps() {
	var in planInput
	if json.Unmarshal(r.body, &in) != nil {
		return // unreachable: the schema was checked
	}
	r.entry.SideEffect, r.entry.Steps = r.cap.SideEffect, nil
	gravity := []SideEffect{Pure, UIOnly, Destructive, Network}
	for _, s := range in.Steps {
		c := r.b.find(s.Capability)
		if c == nil || c.plan {
			continue
		}
		r.entry.Steps = append(r.entry.Steps, c.Name)
		r.entry.SideEffect = gravity[max(slices.Index(gravity, c.SideEffect), slices.Index(gravity, r.entry.SideEffect))]
	}
}

// executePlan runs the steps in the transaction of the plan.
func (b *Bus) executePlan(ctx context.Context, call *Call, in planInput) (planOutput, error) {
	out := planOutput{Steps: []planDone{}, OneByOne: b.anyOutside(in.Steps)}
	call.stepRefused(nil) // an earlier attempt may have set it
	program := isProgram(in.Steps)
	var results []any
	var said []Text
	failed := func(i int, err error) error {
		err = stepError(i, in.Steps[i], err)
		if e, ok := errors.AsType[*Error](err); ok {
			err = e.WithMessage("%s Nothing of the plan was done.", e.MessageText())
		}
		if program { // a choice for one row does not apply to all
			call.stepRefused(nil)
		}
		return err
	}
	do := func(i int, s planStep) (value any, err error) {
		done, value, err := b.executeStep(ctx, call, len(out.Steps), s, results)
		if err != nil {
			return nil, err
		}
		if done.Of = i; !program {
			done.Arguments, done.Of = nil, 0
			said = append(said, Textf("%d. %s", i+1, done.Summary))
		}
		out.Steps = append(out.Steps, done)
		return value, nil
	}
	for i, s := range in.Steps {
		if s.Each == nil {
			value, err := do(i, s)
			if err != nil {
				return out, failed(i, err)
			}
			results = append(results, value)
			continue
		}
		rows, err := b.rowsOf(in.Steps, i, results, len(out.Steps)+len(in.Steps)-i-1)
		if err != nil {
			return out, failed(i, err)
		}
		values := make([]any, len(rows))
		for n := range rows {
			s.row = &rows[n]
			if values[n], err = do(i, s); err != nil {
				return out, failed(i, ofRow(n, err))
			}
		}
		results = append(results, values)
	}
	call.Fact("steps", len(out.Steps))
	call.summary = joined(said, "; ")
	if program {
		if err := b.finishProgram(call, in, &out); err != nil {
			return out, err
		}
	}
	if call.title != "" {
		call.Summarize("%s: %s", call.title, call.summary)
	}
	return out, nil
}

// stepError adds the step to an error. The arguments are the agent's own; outputs of steps are not quoted.
func stepError(i int, s planStep, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return fmt.Errorf("step %d of a plan, %s: %w", i+1, s.Capability, err)
	}
	failed := e.ofStep(i, s.Capability).WithMessage("Step %d (%s): %s", i+1, s.Capability, e.MessageText())
	failed.Violations = nil
	for _, v := range e.Violations {
		part := "arguments"
		if e.SchemaSide == "response" {
			part, v = "data", v.WithText(Textf("does not fit"))
		}
		v.Path = fmt.Sprintf("/steps/%d/%s%s", i, part, v.Path)
		failed.Violations = append(failed.Violations, v)
	}
	return failed
}

// refusedStep is the step of a plan that was refused.
type refusedStep struct {
	run *run
	at  int
}

// executeStep runs step i of a plan in its transaction: the checks of an invocation, and then its handler. value is its
// output, or nil for a step outside, which is only described here.
func (b *Bus) executeStep(ctx context.Context, plan *Call, i int, s planStep, results []any) (
	done planDone, value any, err error) {
	r := &run{b: b, inPlan: true, now: plan.Now, seed: s.seed, entry: &Entry{}, inv: Invocation{
		Capability: s.Capability, RequestID: plan.RequestID, Caller: Caller{Type: plan.caller}, Principal: plan.Person}}
	if r.seed == nil {
		r.seed = stepSeed(plan.seed, i)
	}
	defer func() {
		if err != nil {
			plan.stepRefused(&refusedStep{r, i})
		}
	}()
	if err := r.find(ctx); err != nil {
		return done, nil, err
	}
	if err := r.cap.mayBeStep(); err != nil {
		return done, nil, err
	}
	if r.inv.Arguments, err = s.resolved(results); err != nil {
		return done, nil, err
	}
	for _, check := range []func(context.Context) error{r.validateInput, r.authorize, r.preconditions} {
		if err := check(ctx); err != nil {
			return done, nil, err
		}
	}
	sub := r.newCall()
	sub.numbers = plan.numbers
	handler, output := r.cap.previewer()
	out, err := handler(ctx, sub)
	if err != nil {
		return done, nil, err
	}
	if out, err = r.validateOutput(out, sub, output); err != nil {
		return done, nil, err
	}
	plan.events = append(plan.events, sub.events...)
	plan.addStep(sub)
	if r.cap.SideEffect != Network {
		value, _ = b.decoders.Decode(out) // it was decoded before
	}
	done = planDone{Capability: r.cap.Name, Title: r.cap.Title, Summary: sub.summaryOr(r.cap), Data: out,
		Facts: sub.facts, Arguments: r.body}
	done.Texts.Within("/data", sub.texts)
	return done, value, nil
}

// takesParts reports whether a part of the transaction can be undone.
func (c *Call) takesParts() bool {
	_, is := c.exec.(Partial)
	return is
}

// partly runs a part of a plan and appends its steps to out. If the data prevents it, the part is undone and why is the
// reason. Any other failure is err.
func (c *Call) partly(out *planOutput, do func() error) (why, err error) {
	steps, events, bills := len(out.Steps), len(c.events), len(c.ofSteps)
	failed := c.exec.(Partial).Part(do)
	if failed == nil {
		return nil, nil
	}
	c.stepRefused(nil)
	out.Steps, c.events, c.ofSteps = out.Steps[:steps], c.events[:events], c.ofSteps[:bills]
	if e := coded(failed); e.Code == Transient || e.Code == Internal {
		return nil, failed
	}
	return failed, nil
}

// CheckStep returns the reason why a capability cannot be a step of a plan, or nil.
func (b *Bus) CheckStep(capability string) error {
	c := b.find(capability)
	if c == nil {
		return Errorf(NotFound, ReasonCapability, "There is no capability %q.", capability)
	}
	return c.mayBeStep()
}

// stepSeed returns the seed for the numbers of a plan's step.
func stepSeed(plan []byte, i int) []byte {
	return binary.BigEndian.AppendUint32(slices.Clone(plan), uint32(i))
}

// mayBeStep refuses a capability that a transaction cannot undo, or that needs a separate confirmation.
func (c *registered) mayBeStep() error {
	local := c.SideEffect == Pure || c.writes()
	secret := c.in.HasSecrets() || c.out.HasSecrets()
	// For example an erasure, whose record may not quote it.
	grave := c.SideEffect == Destructive && len(c.Assistant.Grantable) == 0
	for _, ban := range []struct {
		is  bool
		why Text
	}{
		{c.plan, Textf("it is a plan itself")},
		{c.standsFor != nil, Textf("it is another name of actions, which can be")},
		{c.Assistant.Only, Textf("it is the assistant's own")},
		{c.Listing.Passive, Textf("it does nothing")},
		{c.Run.Background, Textf("it works in the background")},
		{c.Run.Bulk, Textf("it changes too many rows")},
		{c.rate != nil, Textf("it has a rate limit")},
		{secret, Textf("it has a secret")},
		{grave, Textf("it must always be confirmed by itself")},
		{!local && c.SideEffect != Network, Textf("it cannot be rolled back or previewed")},
	} {
		if ban.is {
			return Errorf(Validation, ReasonArguments, "%s cannot be part of a plan: %s.", c.TitleText(), ban.why).
				WithHint("Call it by itself.")
		}
	}
	return nil
}

// resolved returns the arguments of a step with its references replaced by values.
func (s *planStep) resolved(results []any) (json.RawMessage, error) {
	if len(bytes.TrimSpace(s.Arguments)) == 0 {
		return json.RawMessage("{}"), nil
	}
	var decoder schema.Decoders
	value, err := decoder.Decode(s.Arguments)
	if err != nil {
		return nil, err // the plan's own arguments were read before
	}
	scope := plan.Scope{Results: results, Row: s.row}
	value, err = plan.Replace(value, "", func(o map[string]any, _ string) (any, bool, error) {
		to, is, ok := scope.Value(o)
		if !is || ok {
			return to, is, nil
		}
		if pointer, ofRow := o[plan.Item]; ofRow {
			return nil, true, Errorf(Validation, ReasonArguments, "%q is nothing that a row has.", fmt.Sprint(pointer)).
				WithHint(`Write {"$item": "/id"}, in a step with $each: where it is in the row.`)
		}
		pointer := cmp.Or(o[plan.From], o[plan.Count])
		return nil, true, Errorf(Validation, ReasonArguments, "%q is nothing that an earlier step gave.",
			fmt.Sprint(pointer)).
			WithHint(`Write {"$from": "/0/noteId"}: the number of an earlier step, from 0, and where it is in what that gave.`)
	})
	if err != nil {
		return nil, err
	}
	return schema.AppendCanonical(nil, value)
}
