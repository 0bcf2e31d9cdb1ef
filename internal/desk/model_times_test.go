package desk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// caller is a model that makes its calls, one in each request, and keeps the results.
type caller struct {
	calls   []model.Call
	results []string
}

func (*caller) Profile() bus.ModelID { return bus.ModelID{Endpoint: "test", Name: "caller"} }

func (c *caller) Stream(_ context.Context, r model.Request, _ func(model.Delta)) (model.Reply, error) {
	if last := r.Messages[len(r.Messages)-1]; last.Role == model.RoleTool {
		c.results = append(c.results, last.Text)
	}
	n := len(c.results)
	if n == len(c.calls) {
		return model.Reply{Text: "Done."}, nil
	}
	next := c.calls[n]
	next.ID = fmt.Sprint(n)
	next.Arguments = json.RawMessage(strings.ReplaceAll(string(next.Arguments), "LAST", timeIn(c.results)))
	return model.Reply{Calls: []model.Call{next}}, nil
}

var writtenTime = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d`)

var milliseconds = regexp.MustCompile(`\b1[7-9]\d{11}\b`)

// timeIn is the first time in the last result that has one.
func timeIn(results []string) (found string) {
	for _, r := range results {
		if at := writtenTime.FindString(r); at != "" {
			found = at
		}
	}
	return found
}

// TestAModelReadsAndWritesTimes: a model reads no milliseconds and no hashes, and the time that it writes finds what
// happened since.
//
// holds: A13
func TestAModelReadsAndWritesTimes(t *testing.T) {
	m := &caller{calls: []model.Call{
		{Tool: "order_search", Arguments: json.RawMessage(`{"limit":2}`)},
		{Tool: "audit_search", Arguments: json.RawMessage(`{"limit":2,"until":"2039-12-31"}`)},
		{Tool: "audit_search", Arguments: json.RawMessage(`{"since":"LAST"}`)},
		{Tool: "audit_search", Arguments: json.RawMessage(`{"since":"2039-12-31T08:30:00"}`)},
		{Tool: "audit_search", Arguments: json.RawMessage(`{"since":"last Tuesday"}`)},
	}}
	d := desktest.Sample(t, desk.Options{Model: m})
	if err := d.Bridge.Send(t.Context(), agent.Turn{ConversationID: "c", Text: "hello", Principal: d.Person},
		func(agent.Update) {}); err != nil {
		t.Fatal(err)
	}
	if len(m.results) != len(m.calls) {
		t.Fatalf("%d results: %q", len(m.results), m.results)
	}
	for i, r := range m.results {
		if found := regexp.MustCompile(`"time":1\d{12}|"(hash|prev|seed|approval_id)":"`).FindString(r); found != "" ||
			i == 0 && milliseconds.MatchString(r) {
			t.Errorf("result %d has %s: %s", i, found, r)
		}
	}
	for i, want := range []string{`"placedAt":"`, `"capability":"order.search"`, `"capability":`, `"records":[]`,
		string(bus.Validation)} {
		if !strings.Contains(m.results[i], want) {
			t.Errorf("result %d has no %s: %s", i, want, m.results[i])
		}
	}
}

// TestTimesAreMarked: a model reads a field as a time only where the schema says so.
func TestTimesAreMarked(t *testing.T) {
	d := desktest.Sample(t, desk.Options{})
	times := 0
	var look func(capability, name string, schema any)
	look = func(capability, name string, schema any) {
		switch s := schema.(type) {
		case []any:
			for _, sub := range s {
				look(capability, name, sub)
			}
		case map[string]any:
			said, _ := s["description"].(string)
			named := strings.HasSuffix(name, "At") || strings.HasSuffix(name, "_at") || strings.Contains(said, "since 1970")
			if marked := s["x-time"] == true; marked {
				times++
			} else if s["type"] == "integer" && (named || name == "time") {
				t.Errorf("%s: %s is a time without the keyword x-time", capability, name)
			}
			for key, sub := range s {
				if properties, is := sub.(map[string]any); is && key == "properties" {
					for field, of := range properties {
						look(capability, field, of)
					}
				} else if key != "examples" && key != "default" {
					look(capability, name, sub)
				}
			}
		}
	}
	for _, c := range d.Bus.Capabilities() {
		for _, raw := range []json.RawMessage{c.InputSchema, c.OutputSchema} {
			var schema any
			if raw != nil && json.Unmarshal(raw, &schema) == nil {
				look(c.Name, "", schema)
			}
		}
	}
	if times < 60 {
		t.Errorf("only %d fields are times", times)
	}
}
