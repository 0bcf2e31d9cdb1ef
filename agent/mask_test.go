package agent_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

type person struct {
	ID    string `json:"id"`
	Name  string `json:"name" jsonschema_extras:"x-personal=true"`
	Email string `json:"email" jsonschema_extras:"x-personal=true"`
}

// chatty streams a fixed text letter by letter, then makes a call.
type chatty struct {
	requests []model.Request
	say      []func(model.Request) model.Reply
}

func (*chatty) Profile() bus.ModelID {
	return bus.ModelID{Endpoint: "https://models.example/v1", Name: "far"}
}

func (c *chatty) Stream(_ context.Context, req model.Request, onDelta func(model.Delta)) (model.Reply, error) {
	c.requests = append(c.requests, req)
	r := c.say[min(len(c.requests), len(c.say))-1](req)
	for _, letter := range r.Text {
		onDelta(model.Delta{Text: string(letter)})
	}
	return r, nil
}

// holds: A17
func TestA17PersonalValuesStayOnTheMachine(t *testing.T) {
	b := openBooth(t, policy.Options{})
	var greeted string
	b.Bus.MustRegister(
		bus.Define(bus.Capability{Name: "person.find", Title: "Find", Description: "Finds.", SideEffect: bus.Pure},
			func(context.Context, *bus.Call, struct{}) (person, error) {
				return person{"p1", "Ana Ruiz", "ana@example.com"}, nil
			}),
		bus.Define(bus.Capability{Name: "person.greet", Title: "Greet", Description: "Greets.", SideEffect: bus.UIOnly,
			Resources: []string{"database:write"}},
			func(_ context.Context, call *bus.Call, in struct {
				Name string `json:"name"`
			}) (struct{}, error) {
				greeted = in.Name
				call.Changed("person", "Greeted "+in.Name)
				return struct{}{}, nil
			}))
	placeholder := func(req model.Request) string {
		var res struct{ Data person }
		for _, m := range req.Messages {
			if m.Role == model.RoleTool {
				_ = json.Unmarshal([]byte(m.Text), &res)
				break
			}
		}
		return res.Data.Name
	}
	m := &chatty{say: []func(model.Request) model.Reply{
		func(model.Request) model.Reply {
			return model.Reply{Calls: []model.Call{use("1", "person_find", `{}`)}}
		},
		func(req model.Request) model.Reply {
			args, _ := json.Marshal(map[string]string{"name": placeholder(req)})
			return model.Reply{Text: "I greet " + placeholder(req) + " now, 5 § 3.",
				Calls: []model.Call{use("2", "person_greet", string(args))}}
		},
		func(req model.Request) model.Reply {
			return model.Reply{Text: "Hello, " + placeholder(req) + "!"}
		},
	}}
	bridge := agent.New(agent.Options{Bus: b.Bus, Policy: b.Policy, Store: b.Store, Model: func() model.Model { return m },
		Mask: model.IsRemote})
	t.Cleanup(bridge.Close)
	var shown, streamed strings.Builder
	say := func(bridge *agent.Bridge, text string) {
		t.Helper()
		err := bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: text, Principal: owner},
			func(u agent.Update) {
				switch u.Type {
				case agent.UpdateDelta:
					streamed.WriteString(u.Text)
				case agent.UpdateMessage:
					shown.WriteString(u.Text)
				}
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	say(bridge, "greet her")
	say(bridge, "write to ana@example.com, Ana Ruiz, but not to Ana Ruizova")
	if greeted != "Ana Ruiz" || !strings.Contains(shown.String(), "I greet Ana Ruiz now, 5 § 3.Hello, Ana Ruiz!") ||
		shown.String() != streamed.String() {
		t.Errorf("greeted %q\nshown %s\nstreamed %s", greeted, shown.String(), streamed.String())
	}
	bridge.Close()
	again := agent.New(agent.Options{Bus: b.Bus, Policy: b.Policy, Store: b.Store, Model: func() model.Model { return m },
		Mask: model.IsRemote})
	t.Cleanup(again.Close)
	say(again, "and Ana Ruiz?")
	for i, req := range m.requests {
		text := told(req)
		for _, msg := range req.Messages {
			text += msg.Context
		}
		if strings.Contains(text, "Ana Ruiz ") || strings.Contains(text, "Ana Ruiz\"") ||
			strings.Contains(text, "Ana Ruiz?") || strings.Contains(text, "ana@example.com") {
			t.Errorf("request %d tells\n%s", i, text)
		}
	}
	if text := told(m.requests[len(m.requests)-1]); !strings.Contains(text, "§ Ruizova") ||
		!strings.Contains(text, `"id":"p1"`) {
		t.Errorf("too much is masked:\n%s", text)
	}
}

// holds: A17
func TestA17ThePersonIsShownWhatLeavesTheMachine(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Bus.MustRegister(bus.Define(bus.Capability{Name: "person.find", Title: "Find", Description: "Finds.",
		SideEffect: bus.Pure}, func(context.Context, *bus.Call, struct{}) ([]person, error) { return nil, nil }))
	bridge := agent.New(agent.Options{Bus: b.Bus, Policy: b.Policy, Model: func() model.Model { return &chatty{} },
		Mask: model.IsRemote, Personal: []string{"cartOwner"}})
	t.Cleanup(bridge.Close)
	if s := bridge.Status(); !s.Remote || !s.Masked || strings.Join(s.Leaves, ",") != "Cart owner,Email,Name" {
		t.Errorf("%+v", s)
	}
	b.Does(nil, "policy.set", `{"rules":[{"capability":"person.find","rule":"forbidden"}]}`)
	if s := bridge.Status(); strings.Join(s.Leaves, ",") != "Cart owner,Name" { // names of the fields that are not masked
		t.Errorf("what it may not read: %+v", s)
	}
	for endpoint, want := range map[string]bool{"built-in": false, "": false, "http://localhost:11434/v1": false,
		"http://127.0.0.1/v1": false, "http://[::1]:1/v1": false, "http://192.168.1.5/v1": true,
		"https://api.example/v1": true} {
		if model.IsRemote(bus.ModelID{Endpoint: endpoint}) != want {
			t.Errorf("%q", endpoint)
		}
	}
}

// holds: A17
func TestA17AnOwnerHasPersonalValuesMasked(t *testing.T) {
	b := openBooth(t, policy.Options{})
	type person struct {
		Name string `json:"name" jsonschema_extras:"x-personal=true"`
	}
	b.Bus.MustRegister(bus.Define(bus.Capability{Name: "person.find", Title: "Find a person", Description: "Finds.",
		SideEffect: bus.Pure},
		func(context.Context, *bus.Call, struct{}) (person, error) { return person{"Ana Ruiz"}, nil }))
	m := &chatty{}
	bridge := agent.New(agent.Options{Bus: b.Bus, Policy: b.Policy, Store: b.Store,
		Model: func() model.Model { return m }})
	t.Cleanup(bridge.Close)
	b.Status = bridge.Status
	ask := func() (told string, s agent.AssistantStatus) {
		t.Helper()
		m.say = append(m.say, func(model.Request) model.Reply {
			return model.Reply{Calls: []model.Call{use("", "person_find", `{}`)}}
		}, func(req model.Request) model.Reply {
			told = req.Messages[len(req.Messages)-1].Text
			return model.Reply{Text: "Found."}
		})
		if err := bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "who?", Principal: owner},
			func(agent.Update) {}); err != nil {
			t.Fatal(err)
		}
		b.Does(&s, "assistant.status", `{}`)
		return told, s
	}
	if told, s := ask(); !strings.Contains(told, "Ana Ruiz") || s.Masked || !s.Remote {
		t.Errorf("before: told %s, %+v", told, s)
	}
	b.Does(nil, "assistant.setMasked", `{"masked":true}`)
	if told, s := ask(); strings.Contains(told, "Ana") || !strings.Contains(told, "§P1§") || !s.Masked {
		t.Errorf("masked: told %s, %+v", told, s)
	}
	b.Does(nil, "assistant.setMasked", `{"masked":false}`)
	if told, s := ask(); !strings.Contains(told, "Ana Ruiz") || s.Masked {
		t.Errorf("after: told %s, %+v", told, s)
	}
	b.Fails(b.Agent("assistant.setMasked", `{"masked":false}`), bus.Forbidden, bus.ReasonAgentForbidden, "")
}
