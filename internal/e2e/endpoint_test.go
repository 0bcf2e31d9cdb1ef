package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// endpoint is an OpenAI-compatible server that plays a model: it looks two things up at once, acts on the results,
// and reports.
type endpoint struct {
	t *testing.T

	mu       sync.Mutex // guards the rest
	requests []chatRequest
}

type chatRequest struct {
	Model    string
	Stream   bool
	Messages []struct {
		Role, Content string
		ToolCallID    string `json:"tool_call_id"`
		ToolCalls     []struct {
			ID       string
			Function struct{ Name, Arguments string }
		} `json:"tool_calls"`
	}
	Tools []chatTool
}

type chatTool struct {
	Function struct {
		Name, Description string
		Parameters        json.RawMessage
	}
}

// toolResult returns a call's result from the messages of a request.
func (r chatRequest) toolResult(id string) string {
	for _, m := range r.Messages {
		if m.Role == "tool" && m.ToolCallID == id {
			return m.Content
		}
	}
	return ""
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method == http.MethodGet {
		http.NotFound(w, req)
		return
	}
	var r chatRequest
	if err := json.NewDecoder(req.Body).Decode(&r); err != nil {
		e.t.Errorf("request: %v", err)
	}
	if got := req.Header.Get("Authorization"); got != "Bearer canary-key" {
		e.t.Errorf("authorization %q", got)
	}
	e.mu.Lock()
	e.requests = append(e.requests, r)
	n := len(e.requests)
	e.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	switch n {
	case 1:
		e.chunk(w, `{"role":"assistant","content":"Let me "}`, "")
		e.chunk(w, `{"content":"look."}`, "")
		e.chunk(w, `{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"catalog_search","arguments":"{\"query\":"}}]}`, "")
		e.chunk(w, `{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"customer_search","arguments":"{\"query\":\"Ana\"}"}}]}`, "")
		e.chunk(w, `{"tool_calls":[{"index":0,"function":{"arguments":"\"Guji\"}"}}]}`, "tool_calls")
	case 2:
		product, customer := firstID(e.t, r.toolResult("a"), "products"), firstID(e.t, r.toolResult("b"), "customers")
		args, _ := json.Marshal(fmt.Sprintf(`{"productId":%q,"customerId":%q,"quantity":2}`, product, customer))
		e.chunk(w, `{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"cart_addItem","arguments":`+string(args)+`}}]}`, "tool_calls")
	default:
		e.chunk(w, `{"content":"Two bags are in the cart."}`, "stop")
	}
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

func (e *endpoint) chunk(w io.Writer, delta, finish string) {
	reason := "null"
	if finish != "" {
		reason = fmt.Sprintf("%q", finish)
	}
	_, _ = fmt.Fprintf(w, `data: {"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`+"\n\n", delta, reason)
}

// firstID reads data.<list>[0].id of a tool result.
func firstID(t *testing.T, result, list string) string {
	t.Helper()
	var r struct {
		Status string
		Data   map[string]json.RawMessage
	}
	var items []struct{ ID string }
	if err := json.Unmarshal([]byte(result), &r); err != nil || json.Unmarshal(r.Data[list], &items) != nil ||
		len(items) == 0 {
		t.Errorf("no %s in the tool result %q", list, result)
		return ""
	}
	return items[0].ID
}

func TestChatWithAnEndpoint(t *testing.T) {
	e := &endpoint{t: t}
	server := httptest.NewServer(e)
	defer server.Close()
	t.Setenv("DESKHAND_MODEL_KEY", "canary-key")
	folder := desktest.Copy(t)
	var out, errOut bytes.Buffer
	code := execute(t.Context(), []string{"--data", folder, "chat", "--endpoint", server.URL + "/v1", "--model",
		"test-model", "--approve", "deny",
		"add two bags of the Guji to Ana's cart"}, strings.NewReader(""), &out, &errOut)
	if code != 0 || !strings.Contains(out.String(), "Two bags are in the cart.") ||
		!strings.Contains(out.String(), "Let me look.") {
		t.Fatalf("exit %d\n%s\n%s", code, out.String(), errOut.String())
	}
	if len(e.requests) != 3 {
		t.Fatalf("%d requests", len(e.requests))
	}
	first, second := e.requests[0], e.requests[1]
	if !first.Stream || first.Model != "test-model" {
		t.Errorf("stream %v, model %q", first.Stream, first.Model)
	}
	for _, tool := range first.Tools {
		if strings.Contains(tool.Function.Name, ".") || bytes.Contains(tool.Function.Parameters, []byte("x-entity")) {
			t.Errorf("tool %s %s", tool.Function.Name, tool.Function.Parameters)
		}
	}
	last := second.Messages[len(second.Messages)-3:]
	if len(last[0].ToolCalls) != 2 || last[0].ToolCalls[0].Function.Name != "catalog_search" ||
		last[1].ToolCallID != "a" || last[2].ToolCallID != "b" {
		t.Errorf("the second request ends with %+v", last)
	}
	d := desktest.Open(t, desk.Options{Folder: folder})
	page, err := d.Log.Search(t.Context(), audit.Query{CallerType: "agent"})
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Records) != 4 || page.Records[0].Capability != "agent.turn" || // the word of the turn
		page.Records[1].Capability != "cart.addItem" || page.Records[1].Model == nil ||
		page.Records[1].Model.Name != "test-model" {
		t.Errorf("agent's records: %+v", page.Records)
	}
	noKey(t, folder)
}

// noKey looks for the key in every file of the shop.
func noKey(t *testing.T, folder string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		raw, err := os.ReadFile(folder + "/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(raw, []byte("canary-key")) {
			t.Errorf("the key is in %s", f.Name())
		}
	}
}
