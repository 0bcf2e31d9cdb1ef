package bus

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus/internal/schema"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// planStep is one step of a plan. An argument of the form {"$from": "/0/noteId"} stands for a part of what an earlier
// step gave: a JSON Pointer whose first token is the number of the step, from 0.
type planStep struct {
	Capability string          `json:"capability" jsonschema:"minLength=1,maxLength=64"`
	Arguments  json.RawMessage `json:"arguments,omitempty" jsonschema:"type=object"`

	seed []byte // what its numbers are drawn from; nil: its own part of the plan's
}

// planDone is the outcome of one step of a plan.
type planDone struct {
	Capability string          `json:"capability"`
	Title      string          `json:"title"`
	Summary    string          `json:"summary"`
	Data       json.RawMessage `json:"data"`
	Facts      map[string]any  `json:"facts,omitempty"`
	Arguments  json.RawMessage `json:"arguments,omitempty"` // where those of the plan do not say them
}

type planInput struct {
	Steps []planStep `json:"steps" jsonschema:"minItems=1,maxItems=20" doc:"In the order in which they are done."`
}

type planOutput struct {
	Steps    []planDone `json:"steps"`
	OneByOne bool       `json:"oneByOne,omitempty"`
}

// fileSteps files the record of a plan by its gravest step and under the
// capabilities of all. What reaches outside is the gravest: nothing takes it back.
func (r *run) fileSteps() {
	var in planInput
	if json.Unmarshal(r.body, &in) != nil {
		return // the schema has been checked: it does not happen
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

// executePlan does the steps in the transaction of the plan.
func (b *Bus) executePlan(ctx context.Context, call *Call, in planInput) (planOutput, error) {
	out := planOutput{Steps: []planDone{}, OneByOne: b.anyOutside(in.Steps)}
	call.stepRefused(nil) // an attempt before this one may have been
	var results []any
	var said []string
	for i, s := range in.Steps {
		done, value, err := b.executeStep(ctx, call, i, s, results)
		if err != nil {
			err = stepError(i, s, err)
			if e, ok := errors.AsType[*Error](err); ok {
				e.Message += " Nothing of the plan was done."
			}
			return out, err
		}
		results = append(results, value)
		out.Steps = append(out.Steps, done)
		said = append(said, fmt.Sprintf("%d. %s", i+1, done.Summary))
	}
	call.Fact("steps", len(out.Steps))
	if call.summary = strings.Join(said, "; "); call.title != "" {
		call.Summarize("%s: %s", call.title, call.summary)
	}
	return out, nil
}

// stepError says which step an error is about. The arguments are the agent's own; what a step gave is not quoted.
func stepError(i int, s planStep, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return fmt.Errorf("step %d of a plan, %s: %w", i+1, s.Capability, err)
	}
	failed := *e.ofStep(i, s.Capability)
	failed.Message = fmt.Sprintf("Step %d (%s): %s", i+1, s.Capability, e.Message)
	failed.Violations = nil
	for _, v := range e.Violations {
		part := "arguments"
		if e.SchemaSide == "response" {
			part, v.Message = "data", "does not fit"
		}
		v.Path = fmt.Sprintf("/steps/%d/%s%s", i, part, v.Path)
		failed.Violations = append(failed.Violations, v)
	}
	return &failed
}

// refusedStep is the step of a plan that was refused.
type refusedStep struct {
	run *run
	at  int
}

// executeStep does step i of a plan in its transaction: the checks of an invocation, and then its handler. value is
// its output, nil for a step outside, which is only described here.
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
	if r.inv.Arguments, err = stepArguments(s.Arguments, results); err != nil {
		return done, nil, err
	}
	for _, check := range []func(context.Context) error{r.validateInput, r.authorize, r.preconditions} {
		if err := check(ctx); err != nil {
			return done, nil, err
		}
	}
	sub := r.newCall()
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
	done = planDone{Capability: r.cap.Name, Title: r.cap.Title, Summary: cmp.Or(sub.summary, r.cap.Title), Data: out,
		Facts: sub.facts}
	return done, value, nil
}

// takesParts reports whether a part of the transaction can be taken back.
func (c *Call) takesParts() bool {
	_, is := c.exec.(Partial)
	return is
}

// partly does a part of a plan whose steps go to out. If it fails for what the data are, nothing of it stays, and why
// is the reason; any other failure is the error.
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

// CheckStep returns why a capability cannot be a step of a plan, nil if it can.
func (b *Bus) CheckStep(capability string) error {
	c := b.find(capability)
	if c == nil {
		return Errorf(NotFound, ReasonCapability, "There is no capability %q.", capability)
	}
	return c.mayBeStep()
}

// stepSeed is what a step of a plan draws its numbers from.
func stepSeed(plan []byte, i int) []byte {
	return binary.BigEndian.AppendUint32(slices.Clone(plan), uint32(i))
}

// mayBeStep refuses what a transaction cannot take back, and what has to be asked for by itself.
func (c *registered) mayBeStep() error {
	local := c.SideEffect == Pure || c.writes()
	secret := c.in.HasSecrets() || c.out.HasSecrets()
	// Such as an erasure, whose record may not quote it.
	grave := c.SideEffect == Destructive && len(c.Assistant.Grantable) == 0
	for _, ban := range []struct {
		is  bool
		why string
	}{
		{c.plan, "it is a plan itself"},
		{c.standsFor != nil, "it is another name of actions, which can be"},
		{c.Assistant.Only, "it is the assistant's own"},
		{c.Listing.Passive, "it does nothing"},
		{c.Run.Background, "it works in the background"},
		{c.Run.Bulk, "it changes too many rows"},
		{c.rate != nil, "it has a rate limit"},
		{secret, "it has a secret"},
		{grave, "it must always be confirmed by itself"},
		{!local && c.SideEffect != Network, "it cannot be rolled back or previewed"},
	} {
		if ban.is {
			return Errorf(Validation, ReasonArguments, "%s cannot be part of a plan: %s.", c.Title, ban.why).
				WithHint("Call it by itself.")
		}
	}
	return nil
}

// stepArguments puts results into the arguments of a step.
func stepArguments(raw json.RawMessage, results []any) (json.RawMessage, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return json.RawMessage("{}"), nil
	}
	var decoder schema.Decoders
	value, err := decoder.Decode(raw)
	if err != nil {
		return nil, err // the plan's own arguments were read before
	}
	value, err = replace(value, "", func(o map[string]any, _ string) (any, bool, error) {
		from, is := o[fromKey]
		if !is {
			return nil, false, nil
		}
		to, err := resolveReference(from, len(o), results)
		return to, true, err
	})
	if err != nil {
		return nil, err
	}
	return schema.AppendCanonical(nil, value)
}

// fromKey is the one key of an object that stands for a part of a result.
const fromKey = "$from"

// replace returns v with something else in the place of the objects of which by says so. It is told where each stands.
func replace(v any, at string, by func(object map[string]any, at string) (to any, is bool, err error)) (any, error) {
	var err error
	switch t := v.(type) {
	case map[string]any:
		if to, is, err := by(t, at); is || err != nil {
			return to, err
		}
		filled := maps.Clone(t)
		for _, key := range slices.Sorted(maps.Keys(t)) {
			if filled[key], err = replace(t[key], at+"/"+jsonpointer.Escape(key), by); err != nil {
				return nil, err
			}
		}
		return filled, nil
	case []any:
		filled := slices.Clone(t)
		for i, sub := range t {
			if filled[i], err = replace(sub, fmt.Sprint(at, "/", i), by); err != nil {
				return nil, err
			}
		}
		return filled, nil
	}
	return v, nil
}

func resolveReference(from any, keys int, results []any) (any, error) {
	pointer, isText := from.(string)
	if isText && keys == 1 && pointer != "" {
		if at, ok := jsonpointer.At(results, pointer); ok {
			return schema.Clone(at), nil
		}
	}
	return nil, Errorf(Validation, ReasonArguments, "%q is nothing that an earlier step gave.", fmt.Sprint(from)).
		WithHint(`Write {"$from": "/0/noteId"}: the number of an earlier step, from 0, and where it is in what that gave.`)
}
