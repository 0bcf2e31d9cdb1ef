package openai_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/deskhand/deskhand/bus"
)

// served is a server that answers these paths, and 404 elsewhere.
func served(t *testing.T, answers map[string]string) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, known := answers[r.URL.Path]
		if !known {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return server
}

// TestA2AnEndpointIsAskedHowMuchItsModelReads reads the context size from each kind of endpoint.
//
// holds: A2
func TestA2AnEndpointIsAskedHowMuchItsModelReads(t *testing.T) {
	for name, tc := range map[string]struct {
		answers map[string]string
		want    int
	}{
		"llama.cpp": {map[string]string{"/props": `{"default_generation_settings":{"id":0,"n_ctx":8192},"total_slots":1}`},
			8192},
		"Ollama, loaded": {map[string]string{
			"/api/ps": `{"models":[{"name":"m:8b","model":"m:8b","size_vram":1,"context_length":32768}]}`}, 32768},
		"Ollama, with a parameter": {map[string]string{"/api/ps": `{"models":[]}`,
			"/api/show": `{"parameters":"stop \"<|end|>\"\nnum_ctx    16384\ntemperature 0.7"}`}, 16384},
		"Ollama, as it comes": {map[string]string{"/api/ps": `{"models":[]}`, "/api/show": `{"parameters":""}`}, 4096},
		"LM Studio, loaded": {map[string]string{"/api/v0/models": `{"data":[{"id":"other","loaded_context_length":1024},
			{"id":"m:8b","state":"loaded","max_context_length":131072,"loaded_context_length":12000}]}`}, 12000},
		"LM Studio, not loaded": {map[string]string{"/api/v0/models": `{"data":[{"id":"m:8b","state":"not-loaded",
			"max_context_length":131072}]}`}, 4096},
		"vLLM": {map[string]string{"/v1/models": `{"data":[{"id":"m:8b","max_model_len":40960}]}`}, 40960},
		"OpenRouter": {map[string]string{"/v1/models": `{"data":[{"id":"m:8b","context_length":128000},
			{"id":"x","context_length":5000}]}`}, 128000},
		"Mistral":            {map[string]string{"/v1/models": `{"data":[{"id":"m:8b","max_context_length":131072}]}`}, 131072},
		"one that says none": {map[string]string{"/v1/models": `{"data":[{"id":"m:8b"}]}`}, 0},
		"nonsense":           {map[string]string{"/props": `{"default_generation_settings":{"n_ctx":7}}`}, 0},
		"nothing":            {nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := openai.New(openai.Options{BaseURL: served(t, tc.answers).URL + "/v1", Model: "m:8b"})
			if err != nil {
				t.Fatal(err)
			}
			if got := m.(interface{ ContextSize(context.Context) int }).ContextSize(t.Context()); got != tc.want {
				t.Errorf("it reads %d, want %d", got, tc.want)
			}
		})
	}
	set, err := openai.New(openai.Options{BaseURL: "http://127.0.0.1:1/v1", Model: "m", Context: 9000})
	if got := set.(interface{ ContextSize(context.Context) int }).ContextSize(t.Context()); err != nil || got != 9000 {
		t.Errorf("what is set is not taken: %d", got)
	}
}

// TestA2AModelThatRefusesALongRequestIsAskedWithLess: where the refusal has the context size, the bridge sends a
// shorter request. Otherwise the turn ends with an error that explains the limit.
//
// holds: A2 A13
func TestA2AModelThatRefusesALongRequestIsAskedWithLess(t *testing.T) {
	for name, tc := range map[string]struct {
		refusal string
		asks    int
	}{
		"llama.cpp": {`{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it",` +
			`"type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}`, 2},
		"vLLM": {`{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested ` +
			`9000 tokens in the messages.","type":"BadRequestError","code":400}`, 2},
		"one that does not say": {`{"error":{"message":"prompt is too long"}}`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEndpoint(t, answers(400, "application/json", tc.refusal), stream(says("Hello."), ends("stop"), done))
			u := newRoom(t, e.Model(t)).Say(strings.Repeat("hello ", 30))
			if len(e.Requests) != tc.asks {
				t.Fatalf("%d requests: %+v", len(e.Requests), u.Ended())
			}
			size := func(i int) int { raw, _ := json.Marshal(e.Requests[i]); return len(raw) }
			if tc.asks == 2 && (u.Text() != "Hello." || size(1) >= size(0)) {
				t.Errorf("%q; %d bytes, then %d", u.Text(), size(0), size(1))
			}
			if tc.asks == 1 && !strings.Contains(u.Ended().Error, "more room") {
				t.Errorf("%+v", u.Ended())
			}
		})
	}
}

// TestATestMeasuresWhatTheModelReads: where the endpoint does not report its context size, the test of a model finds it
// by the counted tokens of a long prompt, or by refusals.
func TestATestMeasuresWhatTheModelReads(t *testing.T) {
	counting := func(tokens string) http.HandlerFunc {
		return stream(calls(`{"index":0,"id":"x","function":{"name":"weather_now","arguments":"{}"}}`), ends("tool_calls"),
			`data: {"choices":[],"usage":{"prompt_tokens":`+tokens+`,"completion_tokens":9}}`+"\n", done)
	}
	refusing := answers(400, "application/json", `{"error":{"message":"prompt is too long"}}`)
	prompt := func(_ context.Context, size int) model.Request {
		if size == 0 {
			size = 40_000
		}
		return model.Request{System: strings.Repeat("word ", size/2)}
	}
	for name, tc := range map[string]struct {
		scripts []http.HandlerFunc
		context int
		problem string
	}{
		"it reads all of it":     {[]http.HandlerFunc{counting("24000")}, 0, ""},
		"it cuts without a word": {[]http.HandlerFunc{counting("8150")}, 8192, ""},
		"it refuses":             {[]http.HandlerFunc{refusing, refusing, counting("9000")}, 16384, ""},
		"it reads too little":    {[]http.HandlerFunc{counting("2040")}, 2048, "8192"},
	} {
		t.Run(name, func(t *testing.T) {
			e := agenttest.NewEndpoint(t, tc.scripts...)
			got := openai.Probe(t.Context(), openai.Options{BaseURL: e.URL + "/v1", Model: "test-model"}, prompt, nil)
			if !got.Works || got.Context != tc.context || !strings.Contains(got.Problem, tc.problem) ||
				(tc.problem == "") != (got.Problem == "") {
				t.Errorf("%+v", got)
			}
		})
	}
	e := agenttest.NewEndpoint(t, counting("1"))
	if got := openai.Probe(t.Context(), openai.Options{BaseURL: e.URL + "/v1"}, prompt, nil); got.Works ||
		len(e.Requests) != 0 || !strings.Contains(got.Problem, "lists models") {
		t.Errorf("without a name: %+v", got)
	}
}

// TestModelsOnThisComputerAreLookedForOnceAndWithoutAKey: Local makes one GET request per endpoint, without a key and
// on this computer only.
func TestModelsOnThisComputerAreLookedForOnceAndWithoutAKey(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Header.Get("Authorization") != "" || r.Method != http.MethodGet {
			t.Errorf("%s with %v", r.Method, r.Header)
		}
		_, _ = w.Write([]byte(`{"data":[{"id":"qwen3:8b"},{"id":"text-embedding-3"}]}`))
	}))
	t.Cleanup(server.Close)
	found := openai.Local(t.Context(), []model.LocalEndpoint{{Name: "here", Endpoint: server.URL + "/v1"},
		{Name: "closed", Endpoint: "http://127.0.0.1:1/v1"}, {Name: "elsewhere", Endpoint: "http://192.0.2.1/v1"}})
	if len(found) != 1 || len(found[0].Models) != 1 || found[0].Models[0] != "qwen3:8b" || asked.Load() != 1 {
		t.Errorf("%+v after %d requests", found, asked.Load())
	}
	for _, usual := range openai.Usual {
		if model.IsRemote(bus.ModelID{Endpoint: usual.Endpoint}) {
			t.Errorf("%s is not this computer", usual.Endpoint)
		}
	}
}
