package agent

import (
	"context"
	_ "embed"
	"encoding/json"
	"time"

	"github.com/deskhand/deskhand/agent/internal/stored"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// AssistantStatus describes the assistant, its model and the data that leaves the machine.
type AssistantStatus struct {
	Enabled   bool   `json:"enabled"`
	Connected bool   `json:"connected" jsonschema_description:"The model answered when it was asked last."`
	Endpoint  string `json:"endpoint,omitempty"`
	Model     string `json:"model,omitempty"`
	LatencyMS int64  `json:"latencyMs" jsonschema_description:"How long its last answer took."`

	Remote bool     `json:"remote" jsonschema_description:"What the model is told leaves the machine."`
	Masked bool     `json:"masked,omitempty"`
	Leaves []string `json:"leaves,omitempty" jsonschema_description:"The personal fields among what may leave it."`

	Rules string `json:"rules,omitempty" jsonschema_description:"The owner's words for every model."`
}

type enabledInput struct {
	Enabled bool `json:"enabled"`
}

type maskedInput struct {
	Masked bool `json:"masked"`
}

type testModelInput struct {
	Endpoint string `json:"endpoint" jsonschema:"minLength=1,maxLength=300"`
	Model    string `json:"model,omitempty" jsonschema:"maxLength=200"`
}

// enabled reports whether the assistant is switched on.
func (s *Store) enabled(ctx context.Context) (bool, error) { return s.read(ctx, stored.Enabled, true) }

// masked reports whether personal values are masked for remote models.
func (s *Store) masked(ctx context.Context) (bool, error) { return s.read(ctx, stored.Masked, false) }

// read reads a switch in a separate snapshot. Without a store it returns on, the default.
func (s *Store) read(ctx context.Context, get func(context.Context, stored.Tables) (bool, error), on bool) (bool,
	error) {
	if s == nil {
		return on, nil
	}
	err := s.db.View(ctx, func(ctx context.Context) (err error) {
		on, err = get(ctx, s.db)
		return err
	})
	return on, err
}

func errSwitchedOff() error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "The assistant is switched off.").
		WithHint("Switch it on with assistant.setEnabled.")
}

// assistantCapabilities returns the capabilities of the assistant: switches, budget, rules, review, turn, form, status
// and models. It omits a capability whose function in o is nil. The store in o is required.
func assistantCapabilities(o CapabilityOptions) []bus.Capability {
	db := o.Store.db
	toggle := bus.Capability{Texts: texts, Type: bus.TypeControl,
		SideEffect:  bus.UIOnly,
		Permissions: []string{"assistant:write"},
		Resources:   []string{"database:write"}, Reversible: true,
		Listing: bus.Listing{Category: "assistant", Group: "assistant", Routes: []string{"settings"}},
		Checks:  bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}},
		Run:     bus.Run{Idempotent: true}}
	enable, mask := toggle, toggle
	enable.Name = "assistant.setEnabled"
	enable.Listing.Current = func(ctx context.Context, _ *bus.Call) (any, error) { return stored.Enabled(ctx, db) }
	mask.Name = "assistant.setMasked"
	mask.Listing.Current = func(ctx context.Context, _ *bus.Call) (any, error) { return stored.Masked(ctx, db) }
	list := []bus.Capability{bus.Define(enable, o.Store.setEnabled), bus.Define(mask, o.Store.setMasked),
		turnCapability(), formCapability(), reviewCapability()}
	list = append(append(list, budgetCapabilities(o, toggle)...), rulesCapability(o.Store, toggle),
		reviewSetting(o.Store, toggle))
	if o.Status != nil {
		status := bus.Capability{Name: "assistant.status", Texts: texts, Type: bus.TypeStatus,
			SideEffect: bus.Pure, Permissions: []string{"assistant:read"},
			Resources: []string{"database:read"}, Provides: []string{"assistant", "settings"}, // with the choice of the model
			Listing: bus.Listing{
				Category:     "assistant",
				Group:        "assistant",
				Passive:      true,
				RefreshEvery: 30 * time.Second,
			},
			Checks: bus.Checks{Access: bus.Access{Agent: bus.RuleAllow}},
			Run:    bus.Run{Idempotent: true}}
		list = append(list, bus.Define(status, func(ctx context.Context, _ *bus.Call, _ struct{}) (AssistantStatus, error) {
			s := o.Status()
			rules, err := o.Store.rules(ctx)
			if err != nil {
				return s, err
			}
			s.Rules = rules.Text
			if s.Enabled, err = stored.Enabled(ctx, db); err != nil || s.Masked || !s.Remote {
				return s, err
			}
			s.Masked, err = stored.Masked(ctx, db)
			return s, err
		}))
	}
	if o.TestModel != nil {
		list = append(list, testModel(o.TestModel))
	}
	if o.LocalModels != nil {
		list = append(list, findLocal(o.LocalModels))
	}
	if log, is := db.(policy.Shared); is && o.Replica != nil {
		list = append(list, tryModel(o, log))
	}
	return list
}

type findLocalOutput struct {
	Endpoints []model.LocalEndpoint `json:"endpoints"`
}

func findLocal(find func(context.Context) []model.LocalEndpoint) bus.Capability {
	return bus.Define(bus.Capability{Name: "assistant.findLocal", Texts: texts, Type: bus.TypeData,
		SideEffect: bus.Pure, Permissions: []string{"settings:write"},
		Resources: []string{"network:read"},
		Listing:   bus.Listing{Category: "assistant", Group: "assistant", Routes: []string{"settings"}},
		Checks:    bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}},
		Run:       bus.Run{Idempotent: true, Timeout: 10 * time.Second},
	}, func(ctx context.Context, _ *bus.Call, _ struct{}) (findLocalOutput, error) {
		return findLocalOutput{Endpoints: find(ctx)}, nil
	})
}

func (s *Store) setEnabled(ctx context.Context, call *bus.Call, in enabledInput) (enabledInput, error) {
	state := bus.Textf("off")
	if in.Enabled {
		state = bus.Textf("on")
	}
	call.Summarize("Switch the assistant %s", state)
	call.Announce("assistant", bus.Textf("The assistant is switched %s.", state))
	return in, stored.Set(ctx, s.db, "enabled", in.Enabled)
}

func (s *Store) setMasked(ctx context.Context, call *bus.Call, in maskedInput) (maskedInput, error) {
	call.Summarize("Do not mask personal values for a model that is elsewhere")
	if in.Masked {
		call.Summarize("Mask personal values for a model that is elsewhere")
	}
	call.Announce("assistant", bus.Textf("The masking of personal values was changed."))
	return in, stored.Set(ctx, s.db, "masked", in.Masked)
}

func testModel(test func(ctx context.Context, endpoint, model string) model.Report) bus.Capability {
	return bus.Define(bus.Capability{Name: "settings.testModel", Texts: texts,
		SideEffect: bus.Network, Permissions: []string{"settings:write"},
		Resources: []string{"network:read", "secrets:read"},
		Listing:   bus.Listing{Category: "settings", Group: "assistant", Routes: []string{"settings"}},
		Checks:    bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}},
		Run: bus.Run{
			CostEstimate: map[string]string{"model_request": "1"},
			Timeout:      2 * time.Minute,
			Idempotent:   true,
			Preview: func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
				var in testModelInput
				if err := call.Decode(&in); err != nil {
					return nil, err
				}
				call.Summarize("Ask the model %s at %s about the weather in two cities", in.Model, in.Endpoint)
				return call.Arguments, nil
			},
		},
	}, func(ctx context.Context, _ *bus.Call, in testModelInput) (model.Report, error) {
		return test(ctx, in.Endpoint, in.Model), nil
	})
}
