package e2e

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// listener is a model that only says that it heard, and keeps what it was asked.
type listener struct{ requests []model.Request }

func (*listener) Profile() bus.ModelID {
	return bus.ModelID{Endpoint: "http://localhost/v1", Name: "listener"}
}

func (l *listener) Stream(_ context.Context, req model.Request, _ func(model.Delta)) (model.Reply, error) {
	l.requests = append(l.requests, req)
	return model.Reply{Text: "I heard you.", Finish: model.FinishStop}, nil
}

// TestM2NoToolOfTheShopFallsOutUnseen: with room enough a model is given everything that an agent of the owner may
// call, so that a new capability beyond the budget is noticed here and not by somebody who misses it.
//
// holds: M2
func TestM2NoToolOfTheShopFallsOutUnseen(t *testing.T) {
	l := &listener{}
	d := desktest.Sample(t, desk.Options{Model: l})
	err := d.Bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "hello", Principal: d.Person},
		func(agent.Update) {})
	if err != nil || len(l.requests) != 1 {
		t.Fatalf("%d requests, %v", len(l.requests), err)
	}
	given := map[string]bool{}
	for _, tool := range l.requests[0].Tools {
		given[tool.Capability] = true
	}
	for _, c := range d.Bus.Capabilities() {
		access := c.Checks.Access.Agent
		if c.Assistant.Hidden || c.Listing.Passive || access == bus.RuleDeny || c.Name == "form.fill" { // no window is here that shows forms
			continue
		}
		if !given[c.Name] {
			t.Errorf("%s is no tool: raise Options.MaxToolTokens of the bridge, or leave it out on purpose", c.Name)
		}
	}
}

// TestM4NoToolOfTheShopHasABoundThatAGrammarRefuses: llama.cpp refuses every request with a length above 2000.
//
// holds: M4
func TestM4NoToolOfTheShopHasABoundThatAGrammarRefuses(t *testing.T) {
	d := desktest.Sample(t, desk.Options{})
	m, err := d.Bus.Manifest(t.Context(), bus.View{Caller: bus.CallerAgent, Principal: d.Person})
	if err != nil {
		t.Fatal(err)
	}
	tools, err := m.Tools()
	if err != nil || len(tools) < 50 {
		t.Fatalf("%d tools, %v", len(tools), err)
	}
	bounds := strings.Fields("minLength maxLength minItems maxItems uniqueItems minProperties maxProperties pattern")
	for _, tool := range tools {
		var schema any
		if err := json.Unmarshal(tool.Parameters, &schema); err != nil {
			t.Fatal(err)
		}
		for keyword := range keywordsOf(schema) {
			if slices.Contains(bounds, keyword) {
				t.Errorf("%s is sent with %s", tool.Name, keyword)
			}
		}
	}
}

// keywordsOf are the keywords of a schema and of those in it, without the names of properties.
func keywordsOf(v any) map[string]bool {
	found := map[string]bool{}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			maps.Copy(found, keywordsOf(item))
		}
	case map[string]any:
		for k, sub := range v {
			found[k] = true
			if properties, is := sub.(map[string]any); is && k == "properties" {
				for _, property := range properties {
					maps.Copy(found, keywordsOf(property))
				}
				continue
			}
			maps.Copy(found, keywordsOf(sub))
		}
	}
	return found
}
