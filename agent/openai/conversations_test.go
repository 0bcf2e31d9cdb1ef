package openai_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/google/go-cmp/cmp"
)

// exchange is one request of a conversation with the answer of the endpoint and the expected outcome.
type exchange struct {
	sent, kind, body string
	status           int
	want             conversed
}

// conversed is an outcome with its usage: "input+output", "estimated", or "".
type conversed struct {
	outcome
	Usage string `json:"usage"`
}

// conversation reads a file of testdata/conversations: exchanges with lines "sent: …", "want: …" and "HTTP: status
// type", a blank line and the body, parted by a line of =====. sent lists the messages by their roles, calls by their
// number and results by the ids of calls; "again" is the same once more.
func conversation(t *testing.T, file string) (list []exchange) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq(string(raw), "\n=====\n") {
		head, body, _ := strings.Cut(part, "\n\n")
		lines := strings.Split(head, "\n")
		e := exchange{sent: strings.TrimPrefix(lines[0], "sent: "), body: body}
		if err := json.Unmarshal([]byte(strings.TrimPrefix(lines[1], "want: ")), &e.want); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if _, err := fmt.Sscanf(lines[2], "HTTP: %d %s", &e.status, &e.kind); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		list = append(list, e)
	}
	return list
}

// server answers each request with the next exchange, in pieces, and notes the messages of each request.
type server struct {
	list     []exchange
	sent     []string
	parallel []bool // several calls were asked for
}

func (s *server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	var body struct {
		Stream   bool
		Parallel bool `json:"parallel_tool_calls"`
		Tools    []json.RawMessage
		Messages []struct {
			Role       string
			Content    *string
			Thoughts   string            `json:"reasoning_content"`
			ToolCalls  []json.RawMessage `json:"tool_calls"`
			ToolCallID string            `json:"tool_call_id"`
		}
	}
	raw, _ := io.ReadAll(req.Body)
	if req.URL.Path != "/v1/chat/completions" || json.Unmarshal(raw, &body) != nil || !body.Stream ||
		len(body.Tools) != 2 || len(s.sent) == len(s.list) {
		http.NotFound(w, req)
		return
	}
	var said []string
	for _, m := range body.Messages {
		switch {
		case m.Role == "tool":
			said = append(said, "tool "+m.ToolCallID)
		case len(m.ToolCalls) > 0:
			said = append(said, fmt.Sprint(m.Role, " ", len(m.ToolCalls), map[bool]string{true: " thinks"}[m.Thoughts != ""]))
		default:
			said = append(said, m.Role)
		}
	}
	s.parallel = append(s.parallel, body.Parallel)
	e := s.list[len(s.sent)]
	s.sent = append(s.sent, strings.Join(said, ", "))
	w.Header().Set("Content-Type", e.kind)
	w.WriteHeader(e.status)
	for piece := range strings.SplitAfterSeq(e.body, "\n") {
		_, _ = io.WriteString(w, piece)
		w.(http.Flusher).Flush()
	}
}

// TestA2WholeConversationsWithEveryFamily holds a conversation with a server on loopback that answers as a family of
// endpoints does: a call in pieces, its result, parallel calls, a reply in one document, a request that is too long, a
// model that is not there.
//
// holds: A2
func TestA2WholeConversationsWithEveryFamily(t *testing.T) {
	files, err := filepath.Glob("testdata/conversations/*.txt")
	if err != nil || len(files) < 6 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		for _, one := range []bool{false, true} { // OneCall and Thinks, as a test of the model sets them
			t.Run(fmt.Sprint(strings.TrimSuffix(filepath.Base(file), ".txt"), " one call ", one), func(t *testing.T) {
				s := &server{list: conversation(t, file)}
				loopback := httptest.NewServer(s)
				defer loopback.Close()
				m := must[model.Model](t)(openai.New(openai.Options{BaseURL: loopback.URL + "/v1", Model: "m", Retries: -1, OneCall: one, Thinks: one}))
				req := model.Request{Tools: []model.Tool{{Name: "find", Parameters: raw(`{"type":"object"}`)},
					{Name: "add", Parameters: raw(`{"type":"object"}`)}}}
				for i, e := range s.list {
					if last := len(req.Messages) - 1; last < 0 || req.Messages[last].Role == model.RoleAssistant {
						req.Messages = append(req.Messages, model.Message{Role: model.RoleUser, Text: "Go on."})
					}
					got, reply := converse(t, m, req)
					if said := e.want.Says; said != "" && strings.Contains(got.Says, said) {
						got.Says = said
					}
					if diff := cmp.Diff(e.want, got, cmp.AllowUnexported(conversed{})); diff != "" {
						t.Errorf("%d: %s", i, diff)
					}
					if e.sent != "again" && e.sent != s.sent[i] {
						t.Errorf("%d: sent %q, not %q", i, s.sent[i], e.sent)
					}
					if s.parallel[i] == one {
						t.Errorf("%d: parallel_tool_calls %v", i, s.parallel[i])
					}
					if e.want.Problem == "" {
						req.Messages = append(req.Messages, model.Message{Role: model.RoleAssistant, Text: reply.Text,
							Calls: reply.Calls, Thoughts: reply.Thoughts})
					}
					for _, c := range reply.Calls {
						req.Messages = append(req.Messages, model.Message{Role: model.RoleTool, CallID: c.ID, Text: `{"status":"success"}`})
					}
				}
			})
		}
	}
}

func converse(t *testing.T, m model.Model, req model.Request) (got conversed, reply model.Reply) {
	t.Helper()
	reply, err := m.Stream(t.Context(), req, func(model.Delta) {})
	got.Text, got.Finish = reply.Text, reply.Finish
	for _, c := range reply.Calls {
		got.Calls = append(got.Calls, strings.Join([]string{c.ID, c.Tool, string(c.Arguments)}, " "))
	}
	switch u := reply.Usage; {
	case u.Estimated:
		got.Usage = "estimated"
	case u.Input > 0:
		got.Usage = fmt.Sprintf("%d+%d", u.Input, u.Output)
	}
	var e *openai.Error
	if errors.As(err, &e) {
		got.Problem, got.Says = e.Problem, e.Error()
	} else if err != nil {
		t.Error(err)
	}
	return got, reply
}

// TestA2ThoughtsGoBackWhereAnEndpointDemandsThem: some endpoints refuse earlier calls without their reasoning. A
// conversation that another model began has none. After the first refusal every request has the field.
//
// holds: A2
func TestA2ThoughtsGoBackWhereAnEndpointDemandsThem(t *testing.T) {
	e := agenttest.NewEndpoint(t, agenttest.Answers(400, "application/json", `{"error":{"message":"The `+
		"`reasoning_content`"+` in the thinking mode must be passed back to the API.","type":"invalid_request_error"}}`),
		agenttest.Stream(agenttest.Says("Well."), agenttest.Ends("stop")),
		agenttest.Stream(agenttest.Says("Well."), agenttest.Ends("stop")))
	m := e.Model(t)
	req := model.Request{Messages: []model.Message{{Role: model.RoleUser, Text: "find it"},
		{Role: model.RoleAssistant, Calls: []model.Call{{ID: "1", Tool: "find", Arguments: raw(`{}`)}}},
		{Role: model.RoleTool, CallID: "1", Text: "{}"}, {Role: model.RoleAssistant, Text: "There."},
		{Role: model.RoleUser, Text: "and?"},
		{Role: model.RoleAssistant, Thoughts: "Once more.", Calls: []model.Call{{ID: "2", Tool: "find", Arguments: raw(`{}`)}}},
		{Role: model.RoleTool, CallID: "2", Text: "{}"}}}
	for range 2 { // it is learnt once
		if reply, err := m.Stream(t.Context(), req, func(model.Delta) {}); err != nil || reply.Text != "Well." {
			t.Fatal(reply, err)
		}
	}
	var sent []string
	for _, r := range e.Requests {
		said := ""
		for _, msg := range r.Messages {
			said += msg.Thoughts + "|"
		}
		sent = append(sent, said)
	}
	if diff := cmp.Diff([]string{"|||||||", "| ||||Once more.||", "| ||||Once more.||"}, sent); diff != "" {
		t.Error(diff)
	}
}
