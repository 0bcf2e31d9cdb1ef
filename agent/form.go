package agent

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// nameForm is the capability by which a model opens the form of another capability, filled in.
const nameForm = "form.fill"

// Form is a form of a capability with the values that a model supplied. The person edits and submits it as their own
// call. The bridge adds the origin of each value.
type Form struct {
	Capability      string                `json:"capability"`
	Arguments       json.RawMessage       `json:"arguments"`
	Values          []policy.CardArgument `json:"values,omitempty"`
	Tainted         []string              `json:"tainted,omitempty"` // titles of the sources of tainted text
	ParentRequestID string                `json:"parent_request_id"` // for the invocation's caller
}

type formInput struct {
	Capability string          `json:"capability" jsonschema:"minLength=1,maxLength=64"`
	Arguments  json.RawMessage `json:"arguments,omitempty" jsonschema:"type=object"`
}

type formOutput struct {
	Shown  bool        `json:"shown"`
	Values []formValue `json:"values"`
}

type formValue struct {
	Pointer string        `json:"pointer"`
	Origin  policy.Origin `json:"origin"`
}

type formKey struct{}

// formCapability returns form.fill. It changes nothing: the bridge puts the checked form into the context and shows it.
func formCapability() bus.Capability {
	return bus.Define(bus.Capability{Name: nameForm, Texts: texts, SideEffect: bus.UIOnly,
		Listing: bus.Listing{Category: "assistant", Group: "assistant"},
		Checks:  bus.Checks{Access: bus.Access{User: bus.RuleDeny, Agent: bus.RuleAllow}},
		Run: bus.Run{ExecutionContext: "client", Preview: func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
			return call.Arguments, nil
		}}},
		func(ctx context.Context, call *bus.Call, in formInput) (formOutput, error) {
			f, shows := ctx.Value(formKey{}).(*Form)
			if !shows {
				return formOutput{}, errNoForms()
			}
			out := formOutput{Shown: true, Values: []formValue{}}
			for _, v := range f.Values {
				out.Values = append(out.Values, formValue{v.Pointer, v.Origin})
			}
			call.Summarize("Open the form of %s, filled in", in.Capability)
			return out, nil
		})
}

// errNoForms refuses a form if there is no page to show it, or no bridge has checked it.
func errNoForms() *bus.Error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "No form can be shown here.").
		WithHint("Call the capability itself.")
}

// unfilled lists the schema keywords that a form may violate, because the person fills in the rest.
var unfilled = []string{"required", "minProperties", "dependentRequired", "anyOf", "oneOf", "if", "then", "else"}

// form checks the form that a model requests. It refuses a capability that the assistant or the person may not use, and
// a secret.
func (t *turnRun) form(ctx context.Context, j *job) (*Form, *bus.Error) {
	var in formInput
	if json.Unmarshal(j.call.Arguments, &in) != nil || in.Arguments == nil {
		in.Arguments = json.RawMessage("{}")
	}
	name := t.capabilityName(in.Capability)
	c, known := t.b.o.Bus.Lookup(name)
	if !known || c.Assistant.Hidden || c.Assistant.Only || c.IsPlan() || c.Listing.Passive || name == nameForm {
		return nil, bus.Errorf(bus.NotFound, bus.ReasonCapability, "There is no form of %q.", text.Clean(in.Capability, 64))
	}
	status, err := t.b.o.Policy.GrantStatus(ctx, c, t.principal())
	lacks := func(scope string) bool { return strings.Contains(scope, ":") && !t.who.Has(scope) }
	if err != nil || status == string(bus.RuleDeny) && !c.Assistant.Form || c.Checks.Access.User == bus.RuleDeny ||
		slices.ContainsFunc(c.Permissions, lacks) {
		return nil, bus.Errorf(bus.Forbidden, bus.ReasonCapabilityNotGranted, "%s is not to be filled in by the assistant.",
			c.Title).WithHint("A person can do it by hand.")
	}
	canonical, bad := text.CanonicalJSON(in.Arguments)
	if bad != nil || !text.IsObject(string(canonical)) {
		return nil, bus.Errorf(bus.Validation, bus.ReasonArguments, "The arguments for %s are not an object.", c.Title)
	}
	if string(t.b.o.Bus.Redacted(name, canonical)) != string(canonical) {
		return nil, bus.Errorf(bus.Validation, bus.ReasonArguments, "%s takes a secret, which only a person types.", c.Title)
	}
	fields := schema.Fields(c.InputSchema)
	var given map[string]any
	_ = json.Unmarshal(canonical, &given) // it is an object
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(fields, func(f schema.Field) bool { return f.Name == key }) {
			return nil, bus.Errorf(bus.Validation, bus.ReasonArguments, "%s has no argument %q.", c.Title, text.Clean(key, 64))
		}
	}
	wrong := slices.DeleteFunc(t.b.o.Bus.Violations(name, canonical), func(v bus.Violation) bool {
		return slices.Contains(unfilled, v.Keyword)
	})
	if len(wrong) > 0 {
		e := bus.Errorf(bus.Validation, bus.ReasonArguments, "The values for %s do not fit: %s.", c.Title,
			strings.TrimSuffix(schema.Violations(c.InputSchema, wrong).String(), "."))
		e.Violations = wrong
		return nil, e
	}
	values := t.conv.provenance.Arguments(&bus.ApprovalRequest{
		Capability: c, Invocation: bus.Invocation{Arguments: canonical, Caller: bus.Caller{Type: bus.CallerAgent}}})
	return &Form{Capability: name, Arguments: canonical, Values: values, Tainted: t.conv.provenance.Tainted(),
		ParentRequestID: t.id}, nil
}

// formTools returns tools for the capabilities that a model may only fill in: see [bus.Assistant].
func (t *turnRun) formTools(m bus.Manifest) ([]bus.Tool, error) {
	only := bus.Manifest{}
	for _, e := range m.Capabilities {
		if c, known := t.b.o.Bus.Lookup(e.Name); known && t.b.o.Forms && c.Assistant.Form {
			e.Access, e.Description = nil, "Opens its form, filled in; a person does it. "+e.Description
			only.Capabilities = append(only.Capabilities, e)
		}
	}
	return only.Tools()
}

// filled turns a call of such a tool into a call of form.fill.
func (t *turnRun) filled(j *job) {
	c, known := t.b.o.Bus.Lookup(j.capability)
	if !known || !c.Assistant.Form || !t.b.o.Forms || c.Checks.Access.Agent != bus.RuleDeny {
		return
	}
	raw, err := json.Marshal(formInput{j.capability, j.call.Arguments})
	if err == nil {
		j.capability, j.call.Arguments = nameForm, raw
	}
}

// invokeOrFill invokes a call; for form.fill the page also shows the form.
func (t *turnRun) invokeOrFill(ctx context.Context, j *job, inv bus.Invocation) bus.Result {
	if j.capability == nameForm {
		return t.fillForm(ctx, j, inv)
	}
	return t.invokeOnce(ctx, j, inv)
}

// fillForm runs form.fill and makes the page show the form.
func (t *turnRun) fillForm(ctx context.Context, j *job, inv bus.Invocation) bus.Result {
	f, refused := t.form(ctx, j)
	switch {
	case refused != nil:
		ctx = policy.Refuse(ctx, refused)
	case !t.b.o.Forms:
		ctx = policy.Refuse(ctx, errNoForms())
	default:
		ctx = context.WithValue(ctx, formKey{}, f)
	}
	res := t.invokeOnce(ctx, j, inv)
	if res.OK() {
		t.emit(Update{Type: UpdateForm, Form: f})
	}
	return res
}
