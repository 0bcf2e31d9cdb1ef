package desk_test

import (
	"context"
	"slices"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// shown is a model that only remembers the tools it was shown.
type shown struct{ tools []string }

func (*shown) Profile() bus.ModelID { return bus.ModelID{Endpoint: "test", Name: "shown"} }

func (s *shown) Stream(_ context.Context, r model.Request, _ func(model.Delta)) (model.Reply, error) {
	s.tools = nil
	for _, tool := range r.Tools {
		s.tools = append(s.tools, tool.Name)
	}
	return model.Reply{Text: "I see."}, nil
}

// holds: M2
func TestM2ToolsFollowThePageOfTheWindow(t *testing.T) {
	for name, tt := range map[string]struct {
		door, page string
		search     bool
	}{
		"on the counter": {desk.DoorWindow, "counter", false},
		"on its page":    {desk.DoorWindow, "audit", true},
		"in a terminal":  {"cli", "counter", true},
	} {
		t.Run(name, func(t *testing.T) {
			m := &shown{}
			d := desktest.Sample(t, desk.Options{Door: tt.door, Model: m})
			d.ShowPage(tt.page)
			if err := d.Bridge.Send(t.Context(), agent.Turn{ConversationID: "c", Text: "hello", Principal: d.Person},
				func(agent.Update) {}); err != nil {
				t.Fatal(err)
			}
			if slices.Contains(m.tools, "audit_search") != tt.search || !slices.Contains(m.tools, "navigation_go") {
				t.Errorf("tools: %v", m.tools)
			}
		})
	}
}
