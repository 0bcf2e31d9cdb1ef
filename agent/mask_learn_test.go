package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// present is the state that an application gives with a turn.
type present struct {
	Cart struct {
		Customer   string `json:"customer" x:"personal=true"`
		CustomerID string `json:"customerId"`
	} `json:"cart"`
}

type foundPerson struct {
	Person person `json:"person"`
	Note   string `json:"note"`
}

// Masked returns a bridge to a remote model. The model finds a person, greets them by the id in the result, and then
// replies. greeted is the id that reached the handler.
func (b *booth) Masked() (bridge *agent.Bridge, m *chatty, greeted *string) {
	greeted = new(string)
	b.Bus.MustRegister(
		bus.Define(bus.Capability{Name: "person.find", Title: "Find", Description: "Finds.", SideEffect: bus.Pure},
			func(context.Context, *bus.Call, struct{}) (foundPerson, error) {
				return foundPerson{person{"ana_ruiz_2011", "Ana Ruiz", "ana@example.com"},
					"ANA RUIZ (ana_ruiz_2011) will pay, says Ana; the bill to kim@home.example"}, nil
			}),
		bus.Define(bus.Capability{Name: "person.greet", Title: "Greet", Description: "Greets.", SideEffect: bus.UIOnly,
			Resources: []string{"database:write"}},
			func(_ context.Context, call *bus.Call, in struct {
				ID string `json:"id"`
			}) (struct{}, error) {
				*greeted = in.ID
				call.Changed("person", "Greeted Zoe Quist", "zoe_quist_7")
				return struct{}{}, nil
			}))
	last := func(req model.Request) string { return req.Messages[len(req.Messages)-1].Text }
	m = &chatty{say: []func(model.Request) model.Reply{
		func(model.Request) model.Reply {
			return model.Reply{Calls: []model.Call{use("1", "person_find", `{}`)}}
		},
		func(req model.Request) model.Reply {
			_, rest, _ := strings.Cut(last(req), `"id":"`)
			id, _, _ := strings.Cut(rest, `"`)
			return model.Reply{Calls: []model.Call{use("2", "person_greet", string(raw(`{"id":%q}`, id)))}}
		},
		func(model.Request) model.Reply { return model.Reply{Text: "Done."} },
	}}
	bridge = agent.New(agent.Options{Bus: b.Bus, Policy: b.Policy, Store: b.Store, Model: func() model.Model { return m },
		Mask: model.IsRemote, NameFields: []string{"customer"},
		Context: func(context.Context, bus.Principal) (any, error) {
			var p present
			p.Cart.Customer, p.Cart.CustomerID = "Ola Berg", "ola_berg_3"
			return struct{ Shop any }{p}, nil
		}})
	b.T.Cleanup(bridge.Close)
	return bridge, m, greeted
}

// everything returns all text that a model was sent.
func everything(m *chatty) string {
	var all strings.Builder
	for _, req := range m.requests {
		all.WriteString(told(req))
		for _, msg := range req.Messages {
			all.WriteString(msg.Context)
		}
	}
	return all.String()
}

// holds: A17
func TestA17WhatIsKnownOfAPersonIsMaskedWhereverItStands(t *testing.T) {
	b := openBooth(t, policy.Options{})
	bridge, m, greeted := b.Masked()
	b.Says(bridge, "chat_1", "find her; write to Pat.Doe@example.org or +1 (555) 010-2345 by 2026-11-20")
	b.Says(bridge, "chat_1", "tell ana ruiz that ANA will be asked, and ana too")
	if *greeted != "ana_ruiz_2011" {
		t.Errorf("greeted %q", *greeted)
	}
	all := everything(m)
	for _, secret := range []string{"ana", "Ana", "ANA", "Ruiz", "ruiz", "RUIZ", "kim@home", "Pat.Doe", "(555)", "Ola",
		"ola_berg"} {
		if at := strings.Index(all, secret); at >= 0 {
			t.Errorf("%q is told: …%s…", secret, all[max(0, at-40):min(len(all), at+40)])
		}
	}
	for _, plain := range []string{"2026-11-20", "will pay, says", "the bill to", "will be asked"} {
		if !strings.Contains(all, plain) {
			t.Errorf("%q is not told", plain)
		}
	}
}

// TestA17TheOpenRecordIsMasked: the id of an open record may contain a name, so it is masked before any look-up.
func TestA17TheOpenRecordIsMasked(t *testing.T) {
	b := openBooth(t, policy.Options{})
	bridge, m, _ := b.Masked()
	if err := bridge.Send(t.Context(), agent.Turn{ConversationID: "c", Text: "hello", Principal: owner,
		Pages: []agent.PageContext{{Step: "customers", IDs: []string{"lu_oneill_7"}}}}, nil); err != nil {
		t.Fatal(err)
	}
	if told := everything(m); strings.Contains(told, "oneill") || !strings.Contains(told, `{"step":"customers","ids":["`) {
		t.Errorf("told %s", told)
	}
}

// The event of another person names a customer who was not looked up in this conversation.
// holds: A17
func TestA17EventsTellAModelElsewhereOfNobody(t *testing.T) {
	b := openBooth(t, policy.Options{})
	bridge, m, _ := b.Masked()
	m.say = m.say[2:] // it only talks
	b.Says(bridge, "chat_2", "hello")
	b.Does(nil, "person.greet", `{"id":"zoe_quist_7"}`)
	b.Says(bridge, "chat_2", "and now?")
	if all := everything(m); strings.Contains(all, "Zoe") || strings.Contains(all, "zoe") ||
		!strings.Contains(all, "person changed") {
		t.Errorf("told %s", all)
	}
}

// holds: A17 C17
func TestC17AChosenRecordIsMaskedAndKeepsItsID(t *testing.T) {
	b := openBooth(t, policy.Options{})
	bridge, m, greeted := b.Masked()
	m.say = []func(model.Request) model.Reply{
		func(req model.Request) model.Reply {
			_, rest, _ := strings.Cut(req.Messages[0].Text, "](person:")
			id, _, _ := strings.Cut(rest, ")")
			return model.Reply{Calls: []model.Call{use("1", "person_greet", string(raw(`{"id":%q}`, id)))}}
		},
		func(model.Request) model.Reply { return model.Reply{Text: "Done."} },
	}
	b.Says(bridge, "chat_1", "greet @[Lu Quill](person:lu_quill_7)")
	if *greeted != "lu_quill_7" {
		t.Errorf("greeted %q", *greeted)
	}
	if told := everything(m); strings.Contains(told, "quill") || strings.Contains(told, "Quill") {
		t.Errorf("told %s", told)
	}
	var list struct{ Conversations []struct{ Title string } }
	b.Does(&list, "conversation.list", `{}`)
	if len(list.Conversations) != 1 || list.Conversations[0].Title != "greet Lu Quill" {
		t.Errorf("%+v", list)
	}
}
