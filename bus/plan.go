package bus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// CapabilityPlan is the name of the capability that [Bus.Plan] makes.
const CapabilityPlan = "plan.propose"

// PlanStep is one step of a plan. An argument of the form {"$from": "/0/orderId"}
// stands for a part of what an earlier step gave: a JSON Pointer whose first
// token is the number of the step, from 0.
type PlanStep struct {
	Capability string          `json:"capability" jsonschema:"minLength=1,maxLength=64"`
	Arguments  json.RawMessage `json:"arguments,omitempty" jsonschema:"type=object" jsonschema_description:"As the capability asks for. {\"$from\": \"/0/orderId\"} stands for orderId in what step 0 gave."`
}

// PlanDone is what one step of a plan came to.
type PlanDone struct {
	Capability string          `json:"capability"`
	Title      string          `json:"title"`
	Summary    string          `json:"summary"`
	Data       json.RawMessage `json:"data"`
}

type planInput struct {
	Steps []PlanStep `json:"steps" jsonschema:"minItems=1,maxItems=20" jsonschema_description:"In the order in which they are done."`
}

type planOutput struct {
	Steps    []PlanDone `json:"steps"`
	OneByOne bool       `json:"oneByOne,omitempty" jsonschema_description:"Each is done by itself, since one reaches outside: what was done stays done when a later one fails."`
}

// Plan makes plan.propose, with which an agent has several changes done as one:
// a person sees all of them together, what each would do after the ones before
// it, and allows all or none; they are executed in one transaction, which is one
// invocation with one record. Every step is validated and authorised as if it
// were called by itself, with the checks of its capability made when its turn
// comes. What cannot be undone may be a step only where it may be granted.
//
// With a step that reaches outside there can be no one transaction. Such a plan is
// shown and allowed as one too, and then its steps are invocations of their own,
// one after the other up to the first that fails. What a step outside gives is not
// known before, so no later step can refer to it.
func (b *Bus) Plan() Capability {
	return Define(Capability{
		Name: CapabilityPlan, Title: "Do several things as one", Category: "assistant", AgentOnly: true,
		Description: "Does an ordered list of things all together or not at all, after the person has seen and allowed the whole of it once. " +
			"Use it when the person wants several changes that belong together; a single one is called by itself. " +
			"Where a step reaches outside they are done one by one instead, up to the first that fails, and no step can refer to what that one gives.",
		SideEffect: UIOnly, Permissions: []string{"plan:write"}, Access: Access{Agent: RuleConfirm}, Resources: []string{"database:write"}, Facts: []string{"steps"},
	}, b.carryOutPlan)
}

func (b *Bus) carryOutPlan(ctx context.Context, call *Call, in planInput) (planOutput, error) {
	out := planOutput{Steps: []PlanDone{}}
	out.OneByOne = b.reachesOutside(in.Steps)
	var results []any
	var said []string
	for i, s := range in.Steps {
		done, err := b.step(ctx, call, i, s, results)
		if err != nil {
			return out, stepFailed(i, s, err)
		}
		var value any // of a step outside: nobody knows yet
		if c := b.find(s.Capability); c.SideEffect != Network {
			if value, err = jsonschema.UnmarshalJSON(bytes.NewReader(done.Data)); err != nil {
				return out, err
			}
		}
		results = append(results, value)
		out.Steps = append(out.Steps, done)
		said = append(said, fmt.Sprintf("%d. %s", i+1, done.Summary))
	}
	call.Fact("steps", len(out.Steps))
	call.Summarize("%s", strings.Join(said, "; "))
	return out, nil
}

// stepFailed says which step could not be done. Nothing was: the plan is undone.
func stepFailed(i int, s PlanStep, err error) error {
	err = stepError(i, s, err)
	var e *Error
	if errors.As(err, &e) {
		e.Message += " Nothing of the plan was done."
	}
	return err
}

// stepError says which step an error is about.
func stepError(i int, s PlanStep, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return fmt.Errorf("step %d of a plan, %s: %w", i+1, s.Capability, err)
	}
	failed := *e
	failed.Message = fmt.Sprintf("Step %d (%s): %s", i+1, s.Capability, e.Message)
	if e.Violations != nil {
		failed.Violations = nil
		for _, v := range e.Violations {
			v.Path = fmt.Sprintf("/steps/%d/arguments%s", i, v.Path)
			failed.Violations = append(failed.Violations, v)
		}
	}
	return &failed
}

// step does one step in the transaction of the plan.
func (b *Bus) step(ctx context.Context, plan *Call, i int, s PlanStep, results []any) (PlanDone, error) {
	c := b.find(s.Capability)
	if c == nil || c.AgentHidden {
		err := Errorf(NotFound, ReasonCapability, "There is no capability %q.", s.Capability)
		return PlanDone{}, err.WithHint("Did you mean %s?", b.nearest(s.Capability, CallerAgent))
	}
	if err := c.mayBeStep(); err != nil {
		return PlanDone{}, err
	}
	body, err := c.stepArguments(s.Arguments, results)
	if err != nil {
		return PlanDone{}, err
	}
	seed := stepSeed(plan.seed, i)
	fresh := func() *Call { // every check draws its own numbers
		return &Call{Capability: &c.Capability, Arguments: body, Person: plan.Person, RequestID: plan.RequestID, Now: plan.Now, caller: plan.caller,
			seed: seed, progress: plan.progress}
	}
	if err := b.authorizeStep(ctx, c, fresh); err != nil {
		return PlanDone{}, err
	}
	sub := fresh()
	run, fits := c.Handler, c.out
	if c.Preview != nil { // what reaches outside is only described here: see goOneByOne
		run, fits = c.Preview, nil
	}
	out, err := run(ctx, sub)
	if err != nil {
		return PlanDone{}, err
	}
	if len(out) == 0 {
		out = json.RawMessage("{}")
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
	if err != nil {
		return PlanDone{}, fmt.Errorf("the output is not JSON: %w", err)
	}
	if v := fits.validate(value); v != nil {
		return PlanDone{}, fmt.Errorf("the output breaks its schema: %s", firstOf(v))
	}
	plan.events = append(plan.events, sub.events...)
	return PlanDone{Capability: c.Name, Title: c.Title, Summary: firstWords(sub.summary, c.Title), Data: out}, nil
}

func firstWords(summary, title string) string {
	if summary == "" {
		return title
	}
	return summary
}

// mayBeStep refuses what a transaction cannot take back, and what has to be asked
// for by itself.
func (c *registered) mayBeStep() error {
	local := c.SideEffect == Pure || c.writes() && c.Preview == nil
	outside := c.SideEffect == Network && c.Preview != nil
	secret := c.in.hasSecrets() || c.out.hasSecrets()
	grave := c.SideEffect == Destructive && len(c.Grantable) == 0 // never granted: an erasure, say, whose record may not quote it
	if c.AgentOnly || !local && !outside || grave || c.Background || c.Bulk || c.rate != nil || secret {
		return Errorf(Validation, ReasonArguments, "%s cannot be part of a plan.", c.Title).WithHint("Call it by itself.")
	}
	return nil
}

// stepArguments puts results into the arguments of a step and validates them.
func (c *registered) stepArguments(raw json.RawMessage, results []any) ([]byte, error) {
	value, err := stepValue(raw, results)
	if err != nil {
		return nil, err
	}
	if c.in != nil {
		if c.in.defaults {
			c.in.fill(c.in.doc, value)
		}
		if v := c.in.validate(value); v != nil {
			e := Errorf(Validation, ReasonArguments, "The arguments do not fit: %s.", firstOf(v)).WithHint("Correct them by the input schema of %s.", c.Name)
			e.Violations, e.SchemaSide = v, "request"
			return nil, e
		}
	}
	return appendCanonical(nil, value)
}

// stepValue puts results into the arguments of a step.
func stepValue(raw json.RawMessage, results []any) (any, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err // the plan's own arguments were read before
	}
	return filledIn(value, results)
}

// fromKey is the one key of an object that stands for a part of a result.
const fromKey = "$from"

// filledIn is v with what its references stand for.
func filledIn(v any, results []any) (any, error) {
	var err error
	switch t := v.(type) {
	case map[string]any:
		if from, is := t[fromKey]; is {
			return referred(from, len(t), results)
		}
		filled := maps.Clone(t)
		for key, sub := range t {
			if filled[key], err = filledIn(sub, results); err != nil {
				return nil, err
			}
		}
		return filled, nil
	case []any:
		filled := slices.Clone(t)
		for i, sub := range t {
			if filled[i], err = filledIn(sub, results); err != nil {
				return nil, err
			}
		}
		return filled, nil
	}
	return v, nil
}

func referred(from any, keys int, results []any) (any, error) {
	pointer, isText := from.(string)
	wrong := Errorf(Validation, ReasonArguments, "%q is nothing that an earlier step gave.", fmt.Sprint(from)).
		WithHint(`Write {"$from": "/0/orderId"}: the number of an earlier step, from 0, and where it is in what that gave.`)
	if !isText || keys != 1 || !strings.HasPrefix(pointer, "/") {
		return nil, wrong
	}
	var at any = results
	for _, token := range strings.Split(pointer[1:], "/") {
		token = unescapePointer(token)
		switch t := at.(type) {
		case map[string]any:
			sub, ok := t[token]
			if !ok {
				return nil, wrong
			}
			at = sub
		case []any:
			n, err := strconv.Atoi(token)
			if err != nil || n < 0 || n >= len(t) || strconv.Itoa(n) != token {
				return nil, wrong
			}
			at = t[n]
		default:
			return nil, wrong
		}
	}
	return clone(at), nil
}

// authorizeStep makes the checks that an invocation of the step would pass.
func (b *Bus) authorizeStep(ctx context.Context, c *registered, fresh func() *Call) error {
	call := fresh()
	for _, p := range c.Permissions {
		if isScope(p) && !call.Person.Has(p) {
			return Errorf(Forbidden, ReasonPermission, "%s needs the permission %s.", c.Title, p).WithHint("Ask someone whose role has it.")
		}
	}
	if c.Access.Agent == RuleDeny {
		return Errorf(Forbidden, ReasonAgentForbidden, "%s is not allowed for this caller.", c.Title).WithHint("A person can do it by hand.")
	}
	if c.Limit != nil {
		if err := c.Limit(ctx, fresh()); err != nil {
			return err
		}
	}
	if b.o.Approver != nil {
		d, err := b.o.Approver.Authorize(ctx, &ApprovalRequest{Capability: &c.Capability, Invocation: Invocation{Capability: c.Name,
			Arguments: call.Arguments, RequestID: call.RequestID, Caller: Caller{Type: call.caller}, Principal: call.Person}})
		if err != nil {
			return err
		}
		if d.Rule != RuleAllow && d.Rule != RuleConfirm {
			return Errorf(Forbidden, ReasonCapabilityNotGranted, "%s is not allowed for this caller.", c.Title).WithHint("A person can do it by hand.")
		}
	}
	if err := b.availability(ctx, c, fresh()); err != nil {
		return err
	}
	for _, p := range c.Preconditions {
		if p.Check == nil {
			continue
		}
		if err := p.Check(ctx, fresh()); err != nil {
			return unmet(ctx, err, ReasonPrecondition, firstWords(p.Message, c.Title+" is not possible now."), p.Hint)
		}
	}
	return nil
}
