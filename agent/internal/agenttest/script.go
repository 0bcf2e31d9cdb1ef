package agenttest

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// Script is a model that returns fixed replies in order, and repeats the last one.
type Script struct {
	mu       sync.Mutex
	Steps    []Step
	Requests []model.Request
}

// Step answers one request.
type Step func(model.Request) (model.Reply, error)

func (s *Script) Profile() bus.ModelID { return bus.ModelID{Endpoint: "test", Name: "script"} }

func (s *Script) Stream(_ context.Context, req model.Request, onDelta func(model.Delta)) (model.Reply, error) {
	s.mu.Lock()
	n := min(len(s.Requests), len(s.Steps)-1)
	s.Requests = append(s.Requests, req)
	s.mu.Unlock()
	reply, err := s.Steps[n](req)
	if reply.Text != "" {
		onDelta(model.Delta{Text: reply.Text})
	}
	return reply, err
}

// Last is the latest request.
func (s *Script) Last() model.Request { return s.Requests[len(s.Requests)-1] }

// Reply is a Step that says a text and makes calls.
func Reply(text string, calls ...model.Call) Step {
	return func(model.Request) (model.Reply, error) {
		return model.Reply{Text: text, Calls: append([]model.Call(nil), calls...)}, nil
	}
}

// Use is a call of a tool.
func Use(id, tool, args string) model.Call {
	return model.Call{ID: id, Tool: tool, Arguments: JSON("%s", args)}
}

// Results reads the tool messages a model was given last.
func (s *Script) Results(t *testing.T) []map[string]any {
	t.Helper()
	var list []map[string]any
	for _, m := range s.Last().Messages {
		if m.Role == model.RoleTool {
			var res map[string]any
			if err := json.Unmarshal([]byte(m.Text), &res); err != nil {
				t.Fatal(err)
			}
			res["call_id"] = m.CallID
			list = append(list, res)
		}
	}
	return list
}
