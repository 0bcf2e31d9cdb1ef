package bus

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/deskhand/deskhand/bus/internal/spelling"
)

// find is B1. It hides from an agent that a hidden capability exists.
func (r *run) find(context.Context) error {
	switch r.inv.Caller.Type {
	case CallerUI, CallerAgent, CallerTest, CallerCLI, CallerSchedule:
	default:
		return Errorf(Validation, ReasonEnvelope, "The caller type %q is not one of ui, agent, test, cli, schedule.",
			r.inv.Caller.Type)
	}
	switch {
	case r.tooLong != "":
		return Errorf(Validation, ReasonEnvelope, "%s is longer than %d bytes.", r.tooLong, longestID)
	case r.inv.Timeout < 0:
		return Errorf(Validation, ReasonEnvelope, "timeout_ms must not be negative.")
	case r.inv.Capability == "":
		return Errorf(Validation, ReasonEnvelope, "The invocation names no capability.").
			WithHint(`Send {"capability":"name","arguments":{…}}.`)
	}
	c := r.b.find(r.inv.Capability)
	if c == nil || (c.Assistant.Hidden && r.inv.Caller.Type == CallerAgent) {
		err := Errorf(NotFound, ReasonCapability, "There is no capability %q.", r.inv.Capability)
		if near := r.b.nearest(r.inv.Capability, r.inv.Caller.Type); near != "" {
			return err.WithHint("Did you mean %s?", near)
		}
		return err.WithHint("Look at the manifest for what there is.")
	}
	r.cap = c
	r.entry.Version, r.entry.SideEffect = c.Version, c.SideEffect
	r.entry.Bulk, r.entry.Unrecorded = c.Run.Bulk, c.Run.Unrecorded
	return nil
}

// standIn replaces the call of a [StandIn] by the call that it stands for.
func (r *run) standIn(ctx context.Context) error {
	if r.cap.standsFor == nil {
		return nil
	}
	call := r.newCall()
	var name string
	var arguments json.RawMessage
	if err := r.view(ctx, func(ctx context.Context) (err error) {
		name, arguments, err = r.cap.standsFor(ctx, call)
		return err
	}); err != nil {
		return err
	}
	r.inv.As = calledAs{r.cap.Name, r.body, call.summary.String()}
	r.inv.Capability, r.inv.Arguments, r.inv.MinVersion = name, arguments, ""
	r.args, r.body, r.kept = nil, nil, false
	r.entry.Invocation.Capability, r.entry.Invocation.Arguments, r.entry.Decision = name, arguments, nil
	for _, step := range [...]func(context.Context) error{r.find, r.validateInput, r.authorize} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if r.cap.standsFor != nil {
		return Errorf(Validation, ReasonArguments, "%s is itself another name of actions.", r.cap.TitleText())
	}
	return nil
}

// nearest suggests up to three names that are similar to the given one.
func (b *Bus) nearest(name string, caller CallerType) string {
	if len(name) > 2*longestName {
		return "" // no name is similar, and the search would take long
	}
	var names []string
	for _, c := range b.Capabilities() {
		if !c.Assistant.Hidden || caller != CallerAgent {
			names = append(names, c.Name)
		}
	}
	return strings.Join(spelling.Near(name, names), ", ")
}
