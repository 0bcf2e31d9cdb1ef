package agenttest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
)

// Endpoint is a server on loopback that answers each request with the next script, the last one for ever.
type Endpoint struct {
	*httptest.Server
	mu       sync.Mutex
	Requests []WireRequest
	Headers  []http.Header
	Scripts  []http.HandlerFunc
}

// WireRequest is a request as it arrives.
type WireRequest struct {
	Model    string        `json:"model"`
	Stream   bool          `json:"stream"`
	Parallel *bool         `json:"parallel_tool_calls"`
	Messages []WireMessage `json:"messages"`
	Tools    []struct {
		Type     string
		Function struct {
			Name        string
			Description string
			Parameters  json.RawMessage
		}
	} `json:"tools"`
}

// NewEndpoint starts a server that ends with the test.
func NewEndpoint(t testing.TB, scripts ...http.HandlerFunc) *Endpoint {
	e := &Endpoint{Scripts: scripts}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet || strings.HasPrefix(r.URL.Path, "/api/") { // queries outside the protocol
			http.NotFound(w, r)
			return
		}
		var req WireRequest
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil || r.URL.Path != "/v1/chat/completions" {
			t.Errorf("%s: %v", r.URL.Path, err)
		}
		e.mu.Lock()
		n := min(len(e.Requests), len(e.Scripts)-1)
		e.Requests, e.Headers = append(e.Requests, req), append(e.Headers, r.Header)
		e.mu.Unlock()
		e.Scripts[n](w, r)
	}))
	t.Cleanup(e.Close)
	return e
}

// WireMessage is a message of a request.
type WireMessage struct {
	Role      string `json:"role"`
	Content   string `json:"content"`
	CallID    string `json:"tool_call_id"`
	Thoughts  string `json:"reasoning_content"`
	ToolCalls []struct {
		ID       string `json:"id"`
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

// Answers sends a body as it is.
func Answers(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Stream sends the lines of an event stream.
func Stream(lines ...string) http.HandlerFunc {
	return Answers(200, "text/event-stream", strings.Join(lines, "\n"))
}

// Says is a line with a piece of text.
func Says(text string) string {
	return fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"content":%q}}]}`+"\n", text)
}

// Calls is a line with fragments of tool calls.
func Calls(fragments ...string) string {
	return `data: {"choices":[{"index":0,"delta":{"tool_calls":[` + strings.Join(fragments, ",") + `]}}]}` + "\n"
}

// Ends is the line that gives the reason for the end.
func Ends(reason string) string {
	return `data: {"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}` + "\n"
}

// Done is the last line of a stream.
const Done = "data: [DONE]\n\n"

// Canned Answers every request with the same bytes.
type Canned struct {
	Status int
	Kind   string
	Body   []byte
}

func (c Canned) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: c.Status, Header: http.Header{"Content-Type": {c.Kind}},
		Body: io.NopCloser(bytes.NewReader(c.Body)), Request: req}, nil
}

// RoundTrip is a transport.
type RoundTrip func(*http.Request) (*http.Response, error)

func (f RoundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// Model is a model behind the endpoint.
func (e *Endpoint) Model(t testing.TB, change ...func(*openai.Options)) model.Model {
	t.Helper()
	o := openai.Options{BaseURL: e.URL + "/v1", Model: "test-model", Sleep: func(context.Context, time.Duration) error {
		return nil
	}}
	for _, c := range change {
		c(&o)
	}
	m, err := openai.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Ask makes one request. It returns the reply and the text that the model streamed.
func Ask(t testing.TB, m model.Model) (model.Reply, string, error) {
	t.Helper()
	var shown strings.Builder
	reply, err := m.Stream(t.Context(), model.Request{System: "be good",
		Messages: []model.Message{{Role: model.RoleUser, Text: "go"}},
		Tools:    []model.Tool{{Name: "a_b", Description: "d", Parameters: JSON(`{"type":"object"}`)}}},
		func(d model.Delta) { shown.WriteString(d.Text) })
	return reply, shown.String(), err
}
