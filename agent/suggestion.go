package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// Suggestion is a possible next step that a person can take by one tap. The tap is an invocation of the person, which
// is validated, authorised and recorded like any other. The bridge writes its words from the arguments, because a
// model's own words could describe another action.
type Suggestion struct {
	Capability      string          `json:"capability"`
	Title           string          `json:"title"`
	Text            string          `json:"text"` // the title and every argument, with names in place of ids
	Arguments       json.RawMessage `json:"arguments"`
	ParentRequestID string          `json:"parent_request_id"` // for the invocation's caller
	Reversible      bool            `json:"reversible,omitempty"`

	Values []policy.CardArgument `json:"values,omitempty"` // the arguments in Text, for other languages
	Form   *Form                 `json:"form,omitempty"`   // a tap opens it and invokes nothing
}

// suggestTool is the only tool without a capability: it only shows buttons in the chat.
const suggestTool = "suggest_next_steps"

const (
	maxSuggestions = 4
	maxTools       = 128 // limit of common endpoints
)

// suggesting returns the tool's definition.
func suggesting() model.Tool {
	return model.Tool{Name: suggestTool, Title: "Suggest next steps", SideEffect: bus.Pure,
		Description: "Shows the person 1 to 4 buttons with what they may want to do next. Each names one of your tools " +
			"and complete arguments, with ids from results. Nothing is done until the person taps one. Use it at the end of " +
			"a turn, when a next step is likely; do not announce it.",
		Parameters: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["suggestions"],
			"properties":{"alternatives":{"type":"boolean","description":"One of them is meant: no button does all."},
			"suggestions":{"type":"array","minItems":1,"maxItems":4,
			"items":{"type":"object","additionalProperties":false,"required":["tool"],
			"properties":{"tool":{"type":"string"},"arguments":{"type":"object"}}}}}}`)}
}

// suggested holds the arguments of the tool.
type suggested struct {
	Alternatives bool `json:"alternatives,omitempty"`
	Suggestions  []struct {
		Tool      string          `json:"tool"`
		Arguments json.RawMessage `json:"arguments,omitempty"`
	} `json:"suggestions"`
}

// suggest answers a call of the tool. It refuses a suggestion that could not run, so that the model can correct it.
func (t *turnRun) suggest(ctx context.Context, j *job) bus.Result {
	t.suggestions = nil
	var in suggested
	if j.call.Broken != "" || json.Unmarshal(j.call.Arguments, &in) != nil || len(in.Suggestions) == 0 ||
		len(in.Suggestions) > maxSuggestions {
		return t.refusal(j, bus.Errorf(bus.Validation, bus.ReasonArguments,
			"There must be 1 to %d suggestions, each with a tool and arguments.", maxSuggestions))
	}
	var list []Suggestion
	for _, s := range in.Suggestions {
		made, err := t.suggestion(ctx, s.Tool, s.Arguments)
		if err != nil {
			return t.refusal(j, err)
		}
		list = append(list, made)
	}
	t.suggestions, t.alternatives = list, in.Alternatives
	return bus.Result{Status: "success", RequestID: j.requestID, Data: json.RawMessage(`{"shown":true}`),
		Time: t.b.o.Clock()}
}

// onlySuggested reports whether all calls of a reply were suggestions that are shown.
func (t *turnRun) onlySuggested(reply model.Reply) bool {
	return len(t.suggestions) > 0 && !slices.ContainsFunc(reply.Calls, func(c model.Call) bool {
		return c.Tool != suggestTool
	})
}

// plan returns all suggestions as one plan; nil if that is impossible or the person should choose only one.
func (t *turnRun) plan() *Suggestion {
	plan, known := t.b.o.Bus.Lookup("plan.propose")
	if !known || len(t.suggestions) < 2 || t.alternatives {
		return nil
	}
	type step struct {
		Capability string          `json:"capability"`
		Arguments  json.RawMessage `json:"arguments"`
	}
	var steps []step
	for _, s := range t.suggestions {
		if s.Form != nil || t.b.o.Bus.CheckStep(s.Capability) != nil {
			return nil
		}
		steps = append(steps, step{s.Capability, s.Arguments})
	}
	raw, err := json.Marshal(map[string][]step{"steps": steps})
	if err != nil {
		return nil
	}
	return &Suggestion{Capability: plan.Name, Title: plan.Title, Text: plan.Title, Arguments: raw,
		ParentRequestID: t.id, Reversible: plan.Reversible}
}

// redactSuggestions removes the secrets from a call of the tool.
func (t *turnRun) redactSuggestions(c *model.Call) {
	var in suggested
	if c.Broken != "" || json.Unmarshal(c.Arguments, &in) != nil {
		c.Arguments, c.Broken = json.RawMessage("{}"), ""
		return
	}
	for i := range in.Suggestions {
		s := &in.Suggestions[i]
		s.Arguments = t.b.o.Bus.Redacted(t.capabilityName(s.Tool), s.Arguments)
	}
	raw, err := json.Marshal(in)
	if err != nil {
		raw = json.RawMessage("{}")
	}
	c.Arguments = raw
}

func (t *turnRun) suggestion(ctx context.Context, tool string, args json.RawMessage) (Suggestion, *bus.Error) {
	name, offered := t.capabilities[tool]
	e := t.titles[name]
	c, known := t.b.o.Bus.Lookup(name)
	if !offered || !known || c.Assistant.Only || c.IsPlan() {
		return Suggestion{}, bus.Errorf(bus.NotFound, bus.ReasonCapability, "There is no tool %q to suggest.",
			text.Clean(tool, 64))
	}
	canonical, err := text.CanonicalJSON(args)
	if name == nameForm && err == nil {
		return t.formSuggestion(ctx, canonical)
	}
	if err != nil || !text.IsObject(string(canonical)) {
		return Suggestion{}, bus.Errorf(bus.Validation, bus.ReasonArguments, "The arguments for %s are not an object.", tool)
	}
	if string(t.b.o.Bus.Redacted(name, canonical)) != string(canonical) {
		return Suggestion{}, bus.Errorf(bus.Validation, bus.ReasonArguments, "%s takes a secret, which no button carries.",
			e.Title)
	}
	canonical = text.CanonicalOrNil(t.mendArguments(name, canonical))
	if wrong := t.b.o.Bus.Violations(name, canonical); len(wrong) > 0 {
		e := bus.Errorf(bus.Validation, bus.ReasonArguments, "The arguments for %s do not fit: %s.", tool,
			strings.TrimSuffix(schema.Violations(c.InputSchema, wrong).String(), "."))
		e.Violations = wrong
		return Suggestion{}, e
	}
	if err := t.unknownRecord(ctx, c, canonical); err != nil {
		return Suggestion{}, err
	}
	values := t.conv.provenance.Arguments(&bus.ApprovalRequest{
		Capability: c, Invocation: bus.Invocation{Arguments: canonical, Caller: bus.Caller{Type: bus.CallerAgent}}})
	return Suggestion{Capability: name, Title: e.Title, Text: withValues(e.Title, values), Arguments: canonical,
		ParentRequestID: t.id, Reversible: e.Reversible, Values: values}, nil
}

// withValues appends the values of arguments to a title.
func withValues(title string, values []policy.CardArgument) string {
	var said []string
	for _, a := range values {
		said = append(said, fmt.Sprintf("%s %s", a.Label, a.Text))
	}
	if len(said) == 0 {
		return title
	}
	return title + ": " + strings.Join(said, ", ")
}

// formSuggestion returns a suggestion to open a filled form.
func (t *turnRun) formSuggestion(ctx context.Context, arguments json.RawMessage) (Suggestion, *bus.Error) {
	f, err := t.form(ctx, &job{call: model.Call{Arguments: arguments}})
	if err != nil {
		return Suggestion{}, err
	}
	title := t.titles[f.Capability].Title
	return Suggestion{Capability: f.Capability, Title: title, Text: "Open the form: " + withValues(title, f.Values),
		Arguments: f.Arguments, ParentRequestID: t.id, Values: f.Values, Form: f}, nil
}

// unknownRecord returns an error if an id in a suggestion has no record.
func (t *turnRun) unknownRecord(ctx context.Context, c *bus.Capability, arguments json.RawMessage) *bus.Error {
	var given map[string]any
	_ = json.Unmarshal(arguments, &given) // it is an object
	for _, f := range schema.Fields(c.InputSchema) {
		id, is := given[f.Name].(string)
		if f.Entity == "" || !is {
			continue
		}
		names, err := t.b.o.Bus.Names(ctx, t.who, f.Entity, id)
		if err == nil && names != nil && names[id] == "" && !t.conv.provenance.Knows(id) {
			return bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no %s %q.", f.Label(), text.Clean(id, 64)).
				WithHint("Look it up.")
		}
	}
	return nil
}
