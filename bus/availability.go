package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/deskhand/deskhand/bus/internal/schema"
)

// availability returns the reason why a capability cannot be invoked now, or nil. It runs inside a View. In a manifest
// a call has no arguments, so there the result depends on state only.
func (b *Bus) availability(ctx context.Context, c *registered, call *Call) error {
	for _, p := range c.conditions() {
		if err := b.o.Conditions[p](ctx, call); err != nil {
			return named(unmet(ctx, err, ReasonCondition, Textf("The condition %s is not met.", p), Text{}), p)
		}
	}
	for _, name := range c.Checks.Requires {
		if err := b.required(ctx, name, call); err != nil {
			return err
		}
	}
	if c.Checks.Available != nil {
		if err := c.Checks.Available(ctx, call); err != nil {
			return unmet(ctx, err, ReasonUnavailable, c.notNow(), Text{})
		}
	}
	return nil
}

// conditions returns the permissions that are named conditions.
func (r *registered) conditions() []string {
	return slices.DeleteFunc(slices.Clone(r.Permissions), isScope)
}

// required is verdict, computed once in a snapshot for all capabilities with the same requirement.
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

// verdict runs a pure capability with the call's arguments that it accepts. The capability must succeed without "ok":
// false.
func (b *Bus) verdict(ctx context.Context, name string, call *Call) error {
	c := b.find(name)
	sub := *call
	sub.Capability, sub.Arguments = &c.Capability, b.shared(c, call.Arguments)
	data, err := c.handle(ctx, &sub)
	if err != nil {
		return unmet(ctx, err, ReasonUnavailable, Textf("%s says no.", c.TitleText()), Text{})
	}
	var verdict struct {
		OK       *bool `json:"ok"`
		Problems []any `json:"problems"`
	}
	if json.Unmarshal(data, &verdict) != nil || verdict.OK == nil || *verdict.OK {
		return nil
	}
	why := Textf("%s says no.", c.TitleText())
	if len(verdict.Problems) > 0 {
		at, english := problemOf(verdict.Problems[0])
		why = sub.texts.At(at, english)
	}
	return (&Error{Code: PreconditionFailed, Reason: ReasonUnavailable}).withMessage(why).
		WithHint("Invoke %s to see everything that is missing.", name)
}

// shared returns the arguments of a call that a capability also accepts, or none if its schema refuses them.
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

// problemOf reads the first problem, a sentence or an object with a message, and returns the pointer to it.
func problemOf(p any) (pointer, english string) {
	if m, ok := p.(map[string]any); ok {
		if s, ok := m["message"].(string); ok {
			return "/problems/0/message", s
		}
	}
	return "/problems/0", fmt.Sprint(p)
}

// notNow returns the message for an unavailable capability.
func (c *Capability) notNow() Text { return Textf("%s is not possible now.", c.TitleText()) }

// TitleText returns the title for use in a sentence.
func (c *Capability) TitleText() Text { return Phrase(c.Title) }

// ErrUnmet is the error of an unmet check without a message. The result then has the Message and Hint of its
// [Precondition]. A coded error becomes the result unchanged, with that Hint if it has none. Any other error is a
// defect: the result is INTERNAL, and the error appears only in the log.
var ErrUnmet = errors.New("bus: not met")

// named adds the name of a failed condition or precondition to its error.
func named(err error, name string) error {
	var e *Error
	if !errors.As(err, &e) || e.Code != PreconditionFailed {
		return err
	}
	failed := *e
	failed.Precondition = name
	return &failed
}

// unmet returns the result of a failed check. A check that was interrupted has not failed.
func unmet(ctx context.Context, err error, reason Reason, message, hint Text) error {
	var e *Error
	switch {
	case errors.As(err, &e):
		if e.Hint != "" || hint.IsZero() {
			return e
		}
		return e.withHint(hint)
	case ctx.Err() != nil:
		return ended(ctx)
	case !errors.Is(err, ErrUnmet):
		return uncodedError{err}
	}
	return (&Error{Code: PreconditionFailed, Reason: reason}).withMessage(message).withHint(hint)
}
