package bus

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/deskhand/deskhand/bus/internal/schema"
)

// availability returns why a capability cannot be invoked now, nil if it can. It runs inside a View. In a manifest a
// call has no arguments, so there it depends on state only.
func (b *Bus) availability(ctx context.Context, c *registered, call *Call) error {
	for _, p := range c.conditions() {
		if err := b.o.Conditions[p](ctx, call); err != nil {
			return named(unmet(ctx, err, ReasonCondition, "The condition "+p+" is not met.", ""), p)
		}
	}
	for _, name := range c.Checks.Requires {
		if err := b.required(ctx, name, call); err != nil {
			return err
		}
	}
	if c.Checks.Available != nil {
		if err := c.Checks.Available(ctx, call); err != nil {
			return unmet(ctx, err, ReasonUnavailable, c.Title+" is not possible now.", "")
		}
	}
	return nil
}

// conditions are the permissions that are a state of the world.
func (r *registered) conditions() []string {
	return slices.DeleteFunc(slices.Clone(r.Permissions), isScope)
}

// required is verdict, run once for all that require the same in one snapshot.
func (b *Bus) required(ctx context.Context, name string, call *Call) error {
	if err, known := call.verdicts[name]; known {
		return err
	}
	err := b.verdict(ctx, name, call)
	if call.verdicts != nil {
		call.verdicts[name] = err
	}
	return err
}

// verdict runs a pure capability with those arguments of the call that it has too: it must succeed, and not say
// "ok": false.
func (b *Bus) verdict(ctx context.Context, name string, call *Call) error {
	c := b.find(name)
	sub := *call
	sub.Capability, sub.Arguments = &c.Capability, b.shared(c, call.Arguments)
	data, err := c.handle(ctx, &sub)
	if err != nil {
		return unmet(ctx, err, ReasonUnavailable, c.Title+" says no.", "")
	}
	var verdict struct {
		OK       *bool `json:"ok"`
		Problems []any `json:"problems"`
	}
	if json.Unmarshal(data, &verdict) != nil || verdict.OK == nil || *verdict.OK {
		return nil
	}
	why := c.Title + " says no."
	if len(verdict.Problems) > 0 {
		why = problemText(verdict.Problems[0])
	}
	return Errorf(PreconditionFailed, ReasonUnavailable, "%s", why).
		WithHint("Invoke %s to see everything that is missing.", name)
}

// shared returns those arguments of a call that a capability has too, and none if its schema refuses them.
func (b *Bus) shared(c *registered, arguments json.RawMessage) json.RawMessage {
	none := json.RawMessage("{}")
	if c.in.Schema == nil || len(arguments) == 0 {
		return none
	}
	args, why := b.decode(arguments)
	if why != "" {
		return none
	}
	fields, own := args.(map[string]any), c.in.FieldsAt("")
	maps.DeleteFunc(fields, func(name string, _ any) bool { return !slices.Contains(own, name) })
	c.in.Fill(fields)
	if c.in.Validate(fields) != nil {
		return none
	}
	if raw, err := schema.AppendCanonical(nil, fields); err == nil {
		return raw
	}
	return none
}

// problemText reads a problem that is a sentence or an object with a message.
func problemText(p any) string {
	if m, ok := p.(map[string]any); ok {
		if s, ok := m["message"].(string); ok {
			return s
		}
	}
	return fmt.Sprint(p)
}

// ErrUnmet is returned by a check that is unmet and has no message of its own: the Message and Hint of its
// [Precondition] are answered. A coded error is answered as it is, with that Hint if it has none. Any other error is a
// defect: the answer is INTERNAL, and the error is only in the log.
var ErrUnmet = errors.New("bus: not met")

// named puts the name of a failed condition or precondition into its error.
func named(err error, name string) error {
	var e *Error
	if !errors.As(err, &e) || e.Code != PreconditionFailed {
		return err
	}
	failed := *e
	failed.Precondition = name
	return &failed
}

// unmet makes a failed check's answer; one that was cut off has not failed.
func unmet(ctx context.Context, err error, reason Reason, message, hint string) error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.WithHint("%s", cmp.Or(e.Hint, hint))
	case ctx.Err() != nil:
		return ended(ctx)
	case !errors.Is(err, ErrUnmet):
		return uncodedError{err}
	}
	return Errorf(PreconditionFailed, reason, "%s", message).WithHint("%s", hint)
}
