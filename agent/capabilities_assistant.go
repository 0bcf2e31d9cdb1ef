package agent

import (
	"context"
	"encoding/json"
	"time"

	"github.com/deskhand/deskhand/agent/internal/stored"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// AssistantStatus says how the assistant is.
type AssistantStatus struct {
	Enabled   bool   `json:"enabled"`
	Connected bool   `json:"connected" jsonschema_description:"The model answered when it was asked last."`
	Endpoint  string `json:"endpoint,omitempty"`
	Model     string `json:"model,omitempty"`
	LatencyMS int64  `json:"latencyMs" jsonschema_description:"How long its last answer took."`

	Remote bool     `json:"remote" jsonschema_description:"What the model is told leaves the machine."`
	Masked bool     `json:"masked,omitempty"`
	Leaves []string `json:"leaves,omitempty" jsonschema_description:"The personal fields among what may leave it."`
}

func (AssistantStatus) DescribeFields() map[string]string {
	return map[string]string{
		"masked": "Personal values leave it as placeholders only: what was looked up or stands in the state, and what " +
			"has the form of a mail address or a phone number.",
	}
}

type enabledInput struct {
	Enabled bool `json:"enabled"`
}

type maskedInput struct {
	Masked bool `json:"masked"`
}

type testModelInput struct {
	Endpoint string `json:"endpoint" jsonschema:"minLength=1,maxLength=300"`
	Model    string `json:"model" jsonschema:"minLength=1,maxLength=200"`
}

func (testModelInput) DescribeFields() map[string]string {
	return map[string]string{
		"endpoint": "An OpenAI-compatible one, for example http://localhost:11434/v1.",
		"model":    "The endpoint's name of the model.",
	}
}

// enabled reports whether the assistant is switched on.
func (s *Store) enabled(ctx context.Context) (bool, error) { return s.read(ctx, stored.Enabled, true) }

// masked reports whether personal values are masked for remote models.
func (s *Store) masked(ctx context.Context) (bool, error) { return s.read(ctx, stored.Masked, false) }

// read reads a switch in a snapshot of its own; without a store it is as by default.
func (s *Store) read(ctx context.Context, get func(context.Context) (bool, error), on bool) (bool, error) {
	if s == nil {
		return on, nil
	}
	err := s.log.View(ctx, func(ctx context.Context) (err error) {
		on, err = get(ctx)
		return err
	})
	return on, err
}

func errSwitchedOff() error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "The assistant is switched off.").
		WithHint("Switch it on with assistant.setEnabled.")
}

// assistantCapabilities are assistant.setEnabled, assistant.setMasked,
// assistant.status and settings.testModel, as far as there are ports for them.
func assistantCapabilities(o CapabilityOptions) []bus.Capability {
	toggle := bus.Capability{Type: bus.TypeControl, Category: "assistant", Group: "assistant", SideEffect: bus.UIOnly,
		Permissions: []string{"assistant:write"}, Access: bus.Access{Agent: bus.RuleDeny},
		Resources: []string{"database:write"}, Reversible: true, Idempotent: true, Routes: []string{"settings"}}
	enable, mask := toggle, toggle
	enable.Name, enable.Title = "assistant.setEnabled", "Switch the assistant on or off"
	enable.Description = "Switches the assistant on or off for everybody. Everything else works without it; " +
		"conversations, rules and grants stay. What it is doing is refused from then on."
	enable.Current = func(ctx context.Context, _ *bus.Call) (any, error) { return stored.Enabled(ctx) }
	mask.Name, mask.Title = "assistant.setMasked", "Mask personal values"
	mask.Description = "Keeps names, addresses and other personal values from a model that is not on this computer: it " +
		"is told placeholders, and what it says is put back here. It knows those that were looked up or stand in the " +
		"state, and the form of mail addresses and phone numbers: a name that nobody looked up yet is told as it is " +
		"typed. It changes nothing for a model on this computer."
	mask.Current = func(ctx context.Context, _ *bus.Call) (any, error) { return stored.Masked(ctx) }
	list := []bus.Capability{bus.Define(enable, setEnabled), bus.Define(mask, setMasked)}
	if o.Status != nil {
		status := bus.Capability{Name: "assistant.status", Title: "How the assistant is", Type: bus.TypeStatus,
			Category: "assistant", Group: "assistant", Passive: true,
			Description: "Shows whether the assistant is switched on, which model answers, and how long its last answer " +
				"took. It asks the model nothing.",
			SideEffect: bus.Pure, Permissions: []string{"assistant:read"}, Access: bus.Access{Agent: bus.RuleAllow},
			Resources:  []string{"database:read"},
			Idempotent: true, RefreshIntervalSeconds: 30}
		list = append(list, bus.Define(status, func(ctx context.Context, _ *bus.Call, _ struct{}) (AssistantStatus, error) {
			s := o.Status()
			var err error
			if s.Enabled, err = stored.Enabled(ctx); err != nil || s.Masked || !s.Remote {
				return s, err
			}
			s.Masked, err = stored.Masked(ctx)
			return s, err
		}))
	}
	if o.TestModel != nil {
		list = append(list, testModel(o.TestModel))
	}
	return list
}

func setEnabled(ctx context.Context, call *bus.Call, in enabledInput) (enabledInput, error) {
	call.Summarize("Switch the assistant %s", map[bool]string{true: "on", false: "off"}[in.Enabled])
	call.Changed("assistant", "The assistant is switched "+map[bool]string{true: "on.", false: "off."}[in.Enabled])
	return in, stored.Set(ctx, "enabled", in.Enabled)
}

func setMasked(ctx context.Context, call *bus.Call, in maskedInput) (maskedInput, error) {
	call.Summarize("%s personal values for a model that is elsewhere",
		map[bool]string{true: "Mask", false: "Do not mask"}[in.Masked])
	call.Changed("assistant", "What a model elsewhere is told of people was changed.")
	return in, stored.Set(ctx, "masked", in.Masked)
}

func testModel(test func(ctx context.Context, endpoint, model string) model.Report) bus.Capability {
	return bus.Define(bus.Capability{Name: "settings.testModel", Title: "Test a model", Category: "settings",
		Group: "assistant",
		Description: "Asks a model's endpoint which models it has and tries a harmless tool call, and says what it can " +
			"do: answer piece by piece, call tools, make several calls at once. Use it before choosing a model. No data of " +
			"the application is sent.",
		SideEffect: bus.Network, Permissions: []string{"settings:write"}, Access: bus.Access{Agent: bus.RuleDeny},
		Resources: []string{"network:read", "secrets:read"},
		Routes:    []string{"settings"}, Timeout: 2 * time.Minute, Idempotent: true,
		Preview: func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
			var in testModelInput
			if err := call.Decode(&in); err != nil {
				return nil, err
			}
			call.Summarize("Ask the model %s at %s about the weather in two cities", in.Model, in.Endpoint)
			return call.Arguments, nil
		},
	}, func(ctx context.Context, _ *bus.Call, in testModelInput) (model.Report, error) {
		return test(ctx, in.Endpoint, in.Model), nil
	})
}
