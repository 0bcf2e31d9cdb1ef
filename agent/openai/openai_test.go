package openai_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/google/go-cmp/cmp"
)

// good lists streams and documents of replies that end properly.
var good = map[string]struct {
	script http.HandlerFunc
	want   model.Reply
}{
	"text":             {stream(says("Hel"), says("lo"), ends("stop"), done), text("Hello")},
	"no [DONE]":        {stream(says("Hello"), ends("stop")), text("Hello")},
	"no finish_reason": {stream(says("Hello"), done), text("Hello")},
	"last line without newline": {answers(200, "text/event-stream",
		says("Hello")+"\n"+strings.TrimSpace(ends("stop"))), text("Hello")},
	"carriage returns": {answers(200, "text/event-stream",
		strings.ReplaceAll(says("Hello")+"\n"+ends("stop")+"\n"+done, "\n", "\r\n")), text("Hello")},
	"no blank lines between": {answers(200, "text/event-stream", says("Hel")+says("lo")+ends("stop")+done),
		text("Hello")},
	"no space after data:": {answers(200, "text/event-stream",
		strings.ReplaceAll(says("Hello")+"\n"+ends("stop")+"\n"+done, "data: ", "data:")), text("Hello")},
	"byte order mark": {answers(200, "text/event-stream",
		"\xef\xbb\xbf"+says("Hello")+"\n"+ends("stop")+"\n"), text("Hello")},
	"wrong content type": {answers(200, "text/plain", says("Hello")+"\n"+ends("stop")+"\n"), text("Hello")},
	"a thousand keep-alive comments": {stream(strings.Repeat(": OPENROUTER PROCESSING\n\n", 1000), says("Hello"),
		strings.Repeat(":\n", 1000), ends("stop"), done), text("Hello")},
	"event names": {stream("event: message", says("Hello"), "id: 7", "retry: 3", ends("stop"), done),
		text("Hello")},
	"null role, content, tool_calls": {
		stream(`data: {"choices":[{"delta":{"role":null,"content":null,"tool_calls":null},"finish_reason":null}]}`+"\n",
			says("Hello"), ends("stop"), done), text("Hello")},
	"empty choices, usage at the end": {stream(says("Hello"), ends("stop"),
		`data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}`+"\n", done), withUsage(text("Hello"), 7, 2)},
	"one JSON document": {answers(200, "application/json",
		`{"choices":[{"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}`), withUsage(text("Hello"), 7, 2)},
	"one JSON document with calls": {answers(200, "application/json",
		`{"choices":[{"message":{"content":null,"tool_calls":[{"id":"x","function":{"name":"a_b","arguments":{"n":1}}},{"id":"y","function":{"name":"a_b","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`), called("x", `{"n":1}`, "y", `{}`)},
	"call in fragments": {stream(calls(`{"index":0,"id":"x","function":{"name":"a_b","arguments":""}}`),
		calls(`{"index":0,"function":{"arguments":"{\"n\""}}`), calls(`{"index":0,"function":{"arguments":": 1}"}}`),
		ends("tool_calls"), done), called("x", `{"n":1}`)},
	"two parallel calls": {
		stream(calls(`{"index":0,"id":"x","function":{"name":"a_b","arguments":"{\"n\":1}"}}`,
			`{"index":1,"id":"y","function":{"name":"a_b","arguments":""}}`),
			calls(`{"index":1,"function":{"arguments":"{\"n\":2}"}}`), ends("tool_calls"), done),
		called("x", `{"n":1}`, "y", `{"n":2}`)},
	"finish_reason stop with calls": {stream(calls(`{"index":0,"id":"x","function":{"name":"a_b","arguments":"{}"}}`),
		ends("stop"), done), called("x", `{}`)},
	"index missing": {stream(calls(`{"id":"x","function":{"name":"a_b","arguments":"{\"n\":1}"}}`),
		calls(`{"id":"y","function":{"name":"a_b","arguments":"{\"n\":"}}`), calls(`{"function":{"arguments":"2}"}}`),
		ends("tool_calls"), done), called("x", `{"n":1}`, "y", `{"n":2}`)},
	"index 0 for all": {
		stream(calls(`{"index":0,"id":"x","function":{"name":"a_b","arguments":"{\"n\":1}"}}`),
			calls(`{"index":0,"id":"y","function":{"name":"a_b","arguments":"{\"n\":2}"}}`), ends("tool_calls"), done),
		called("x", `{"n":1}`, "y", `{"n":2}`)},
	"index a string": {
		stream(calls(`{"index":"0","id":"x","function":{"name":"a_b","arguments":"{}"}}`,
			`{"index":"1","id":"y","function":{"name":"a_b","arguments":"{}"}}`), ends("tool_calls"), done),
		called("x", `{}`, "y", `{}`)},
	"id missing": {stream(calls(`{"index":0,"function":{"name":"a_b","arguments":"{}"}}`),
		ends("tool_calls"), done), called("", `{}`)},
	"id a number": {stream(calls(`{"index":0,"id":17,"function":{"name":"a_b","arguments":"{}"}}`),
		ends("tool_calls"), done), called("17", `{}`)},
	"id new on each fragment": {
		stream(calls(`{"index":0,"id":"x","function":{"name":"a_b","arguments":"{\"n\""}}`),
			calls(`{"index":0,"id":"z","function":{"arguments":":1}"}}`), ends("tool_calls"), done), called("x", `{"n":1}`)},
	"name repeated on each fragment": {
		stream(calls(`{"index":0,"id":"x","function":{"name":"a_b","arguments":"{\"n\""}}`),
			calls(`{"index":0,"id":"x","function":{"name":"a_b","arguments":":1}"}}`), ends("tool_calls"), done),
		called("x", `{"n":1}`)},
	"arguments an object": {
		stream(calls(`{"index":0,"id":"x","function":{"name":"a_b","arguments":{"n":1}}}`), ends("tool_calls"), done),
		called("x", `{"n":1}`)},
	"arguments empty": {stream(calls(`{"index":0,"id":"x","function":{"name":"a_b","arguments":""}}`),
		ends("tool_calls"), done), called("x", `{}`)},
	"arguments null": {stream(calls(`{"index":0,"id":"x","function":{"name":"a_b","arguments":null}}`),
		ends("tool_calls"), done), called("x", `{}`)},
	"arguments a string in a string": {
		stream(calls(`{"index":0,"id":"x","function":{"name":"a_b","arguments":"\"{\\\"n\\\":1}\""}}`), ends("tool_calls"),
			done), called("x", `{"n":1}`)},
	"big numbers kept": {
		stream(calls(`{"index":0,"id":"x","function":{"name":"a_b","arguments":{"n":9007199254740993}}}`), ends("tool_calls"),
			done), called("x", `{"n":9007199254740993}`)},
	"arguments broken": {
		stream(calls(`{"index":0,"id":"x","function":{"name":"a_b","arguments":"{\"n\": oops"}}`), ends("tool_calls"), done),
		broken("x", `{"n": oops`)},
	"arguments a list": {stream(calls(`{"index":0,"id":"x","function":{"name":"a_b","arguments":"[1]"}}`),
		ends("tool_calls"), done), broken("x", `[1]`)},
	"length in the middle of a call": {
		stream(calls(`{"index":0,"id":"x","function":{"name":"a_b","arguments":"{\"n\""}}`), ends("length"), done),
		model.Reply{Finish: model.FinishLength, Dropped: 1}},
	"withheld by a filter": {stream(calls(`{"index":0,"id":"x","function":{"name":"a_b","arguments":"{}"}}`),
		ends("content_filter"), done), model.Reply{Finish: model.FinishFilter, Dropped: 1}},
	"id empty": {stream(calls(`{"index":0,"id":"","function":{"name":"a_b","arguments":"{}"}}`),
		ends("tool_calls"), done), called("", `{}`)},
	"all that was said beside a piece": {
		stream(`data: {"choices":[{"delta":{"content":"Hel"},"message":{"content":"Hel"}}]}`+"\n",
			`data: {"choices":[{"delta":{"content":"lo"},"message":{"content":"Hello"}}]}`+"\n", ends("stop"), done),
		text("Hello")},
	"text that looks like a call": {stream(says(`<tool_call>{"name":"a_b"}</tool_call>`), ends("stop"), done),
		text(`<tool_call>{"name":"a_b"}</tool_call>`)},
	"more than one choice is not used": {
		stream(`data: {"choices":[{"index":0,"delta":{"content":"Hello"}},{"index":1,"delta":{"content":"Bye"}}]}`+"\n",
			ends("stop"), done), text("Hello")},
}

func text(s string) model.Reply { return model.Reply{Text: s, Finish: model.FinishStop} }

func withUsage(r model.Reply, in, out int) model.Reply {
	r.Usage = model.Usage{Input: in, Output: out}
	return r
}

func called(idsAndArguments ...string) model.Reply {
	r := model.Reply{Finish: model.FinishCalls}
	for i := 0; i < len(idsAndArguments); i += 2 {
		r.Calls = append(r.Calls, model.Call{ID: idsAndArguments[i], Tool: "a_b", Arguments: raw("%s", idsAndArguments[i+1])})
	}
	return r
}

func broken(id, what string) model.Reply {
	return model.Reply{Finish: model.FinishCalls, Calls: []model.Call{
		{ID: id, Tool: "a_b", Arguments: raw("{}"), Broken: what}}}
}

// holds: A2
func TestA2EveryProperReplyIsRead(t *testing.T) {
	for name, tt := range good {
		t.Run(name, func(t *testing.T) {
			reply, shown, err := ask(t, newEndpoint(t, tt.script).Model(t))
			if err != nil {
				t.Fatal(err)
			}
			if reply.Usage.Estimated {
				reply.Usage = model.Usage{} // TestA13WhatTheEndpointDoesNotCountIsEstimated is about these
			}
			if diff := cmp.Diff(tt.want, reply); diff != "" {
				t.Error(diff)
			}
			if shown != tt.want.Text {
				t.Errorf("shown %q", shown)
			}
		})
	}
}

const aCall = `{"index":0,"id":"x","function":{"name":"a_b","arguments":"{}"}}`

// bad lists answers that are no complete reply.
var bad = map[string]struct {
	script    http.HandlerFunc
	problem   openai.Problem
	SplitName string
}{
	"cut after a whole call": {stream(calls(aCall)), openai.ProblemCut, "cut off"},
	"cut in the middle of a line": {answers(200, "text/event-stream", calls(aCall)+"\ndata: {\"choices\":[{\"del"),
		openai.ProblemCut, "cut off"},
	"cut in a character": {answers(200, "text/event-stream",
		"data: {\"choices\":[{\"delta\":{\"content\":\"caf\xc3"), openai.ProblemCut, "cut off"},
	"empty": {answers(200, "text/event-stream", ""), openai.ProblemCut, "cut off"},
	"error event": {stream(calls(aCall), "event: error", `data: {"message":"out of memory"}`, "", done),
		openai.ProblemEndpoint, "out of memory"},
	"error event without spaces": {stream(calls(aCall), "event:error", `data:"out of memory"`, "", done),
		openai.ProblemEndpoint, "out of memory"},
	"error in the stream": {stream(calls(aCall), `data: {"error":{"message":"overloaded","code":503}}`, "", done),
		openai.ProblemEndpoint, "overloaded"},
	"error as a string": {stream(`data: {"error":"overloaded"}`, ""), openai.ProblemEndpoint, "overloaded"},
	"error with spaces": {stream(`data:   { "error" : { "message" : "overloaded" } }`, ""), openai.ProblemEndpoint,
		"overloaded"},
	"error without data:": {stream(says("x"), `{"error":{"message":"overloaded"}}`), openai.ProblemEndpoint,
		"overloaded"},
	"200 with a JSON error": {answers(200, "application/json", `{"error":{"message":"overloaded"}}`),
		openai.ProblemEndpoint, "overloaded"},
	"200 with other JSON": {answers(200, "application/json", `{"status":"ok"}`), openai.ProblemNotAModel,
		"not a model's reply"},
	"200 with a web page": {answers(200, "text/html", `<!doctype html><title>Welcome</title>`), openai.ProblemNotAModel,
		"/v1"},
	"a page called a stream": {answers(200, "text/event-stream", `<html>`), openai.ProblemNotAModel, "/v1"},
	"key refused": {answers(401, "application/json", `{"error":{"message":"bad key"}}`), openai.ProblemKey,
		"key was refused"},
	"no credit": {answers(402, "application/json", `{"error":{"message":"insufficient"}}`), openai.ProblemKey,
		"credit"},
	"no such model": {answers(404, "application/json", `{"error":{"message":"model 'x' not found"}}`),
		openai.ProblemModel, "test-model"},
	"no such page": {answers(404, "text/html", `<h1>404</h1>`), openai.ProblemNotAModel, "/v1"},
	"no tools": {answers(400, "application/json",
		`{"error":{"message":"registry.example/gemma does not support tools"}}`), openai.ProblemTools,
		"does not support tools"},
	"no tools, elsewhere": {answers(404, "application/json",
		`{"error":{"message":"No endpoints found that support tool use."}}`), openai.ProblemTools, "does not support tools"},
	"too long": {answers(400, "application/json",
		`{"error":{"message":"This model's maximum context length is 4096 tokens"}}`), openai.ProblemTooLong, "new one"},
	"refused":      {answers(400, "application/json", `{"error":"bad schema"}`), openai.ProblemRefused, "bad schema"},
	"server error": {answers(500, "text/plain", "boom"), openai.ProblemEndpoint, "boom"},
	"gateway":      {answers(502, "text/html", "<h1>Bad gateway</h1>"), openai.ProblemEndpoint, "502"},
	"busy": {answers(429, "application/json", `{"error":{"message":"slow down"}}`), openai.ProblemBusy,
		"slow down"},
	"redirect": {func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://elsewhere.invalid/v1", http.StatusTemporaryRedirect)
	}, openai.ProblemNotAModel, "sends elsewhere"},
	"pieces with all that was said, cut": {
		stream(`data: {"choices":[{"delta":{"tool_calls":[`+aCall+`]},"message":{"content":"Hello"}}]}`, ""),
		openai.ProblemCut, "cut off"},
	"messages for pieces, cut": {stream(`data: {"choices":[{"message":{"tool_calls":[`+aCall+`]}}]}`, ""),
		openai.ProblemCut, "cut off"},
	"ended in error": {stream(calls(aCall), ends("error"), done), openai.ProblemCut, "cut off"},
	"ended unknown":  {stream(calls(aCall), ends("abort"), done), openai.ProblemCut, "cut off"},
	"reset":          {reset, openai.ProblemCut, "cut off"},
}

// reset breaks the connection in the middle of a call.
func reset(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, calls(aCall)+"\n")
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// holds: A2
func TestA2NothingRunsFromABrokenReply(t *testing.T) {
	for name, tt := range bad {
		t.Run(name, func(t *testing.T) {
			reply, _, err := ask(t, newEndpoint(t, tt.script).Model(t))
			var e *openai.Error
			if !errors.As(err, &e) {
				t.Fatalf("%v", err)
			}
			if e.Problem != tt.problem || !strings.Contains(e.Error(), tt.SplitName) {
				t.Errorf("%s: %s", e.Problem, e)
			}
			if len(reply.Calls) != 0 {
				t.Errorf("calls %+v", reply.Calls)
			}
		})
	}
}

// holds: A2
func TestA2NobodyThere(t *testing.T) {
	e := newEndpoint(t, stream(done))
	m := e.Model(t)
	e.Close()
	_, _, err := ask(t, m)
	if err == nil || !strings.Contains(err.Error(), "Nothing answers at http://127.0.0.1") {
		t.Errorf("%v", err)
	}
}

// holds: A2
func TestA2BusyEndpointsAreAskedAgain(t *testing.T) {
	var waits []time.Duration
	busy := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "3")
		answers(429, "application/json", `{"error":"slow down"}`)(w, r)
	}
	e := newEndpoint(t, busy, answers(503, "text/plain", ""), stream(says("Hello"), ends("stop"), done))
	reply, _, err := ask(t, e.Model(t, func(o *openai.Options) {
		o.Sleep = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
	}))
	if err != nil || reply.Text != "Hello" || len(waits) != 2 || waits[0] != 3*time.Second {
		t.Errorf("%q, %v, waited %v", reply.Text, err, waits)
	}
}

// holds: A2
func TestA2ALongRetryAfterIsToldInsteadOfWaitedFor(t *testing.T) {
	e := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "90")
		answers(429, "application/json", `{}`)(w, r)
	})
	_, _, err := ask(t, e.Model(t))
	if err == nil || !strings.Contains(err.Error(), "90 seconds") || len(e.Requests) != 1 {
		t.Errorf("%v after %d requests", err, len(e.Requests))
	}
}

// holds: A2
func TestA2TheKeyIsReadForEachRequest(t *testing.T) {
	keys := []string{"one", "two"}
	e := newEndpoint(t, stream(says("x"), ends("stop"), done))
	m := e.Model(t, func(o *openai.Options) {
		o.Key = func() (string, error) {
			k := keys[0]
			keys = keys[1:]
			return k, nil
		}
	})
	for range 2 {
		if _, _, err := ask(t, m); err != nil {
			t.Fatal(err)
		}
	}
	if e.Headers[0].Get("Authorization") != "Bearer one" || e.Headers[1].Get("Authorization") != "Bearer two" {
		t.Error("wrong key sent")
	}
}

// holds: A2
func TestA2StoppedRequestsEndAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
		stream(says("Hel"))(w, r)
		w.(http.Flusher).Flush()
		cancel()
		<-r.Context().Done()
	})
	reply, err := e.Model(t).Stream(ctx, model.Request{Messages: []model.Message{{Role: model.RoleUser, Text: "go"}}},
		func(model.Delta) {})
	if !errors.Is(err, context.Canceled) || len(reply.Calls) != 0 {
		t.Errorf("%+v %v", reply, err)
	}
}

// holds: A2
func TestA2OptionsAreChecked(t *testing.T) {
	for name, o := range map[string]openai.Options{
		"no address":      {Model: "m"},
		"no scheme":       {BaseURL: "localhost:11434/v1", Model: "m"},
		"another scheme":  {BaseURL: "ftp://localhost/v1", Model: "m"},
		"no model":        {BaseURL: "http://localhost:11434/v1"},
		"address is text": {BaseURL: "my model", Model: "m"},
	} {
		if _, err := openai.New(o); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// holds: A2
func TestA2TheProfileHidesCredentials(t *testing.T) {
	m := must[model.Model](t)(openai.New(openai.Options{BaseURL: "https://user:secret@models.example/v1?key=secret",
		Model: "m"}))
	if p := m.Profile(); p.Endpoint != "https://models.example/v1" || p.Name != "m" {
		t.Errorf("%+v", p)
	}
}

// holds: A4
func TestA4AConversationOverAnEndpoint(t *testing.T) {
	e := newEndpoint(t,
		stream(says("Let me look."),
			calls(`{"index":0,"id":"c1","function":{"name":"catalog_search","arguments":"{\"query\":\"Guji\"}"}}`,
				`{"index":1,"id":"c2","function":{"name":"customer_search","arguments":"{\"query\":\"Ana\"}"}}`),
			ends("tool_calls"), done),
		stream(calls(`{"index":0,"id":"c3","function":{"name":"cart_addItem","arguments":"{\"productId\":\"prod_guji\",\"quantity\":2,\"customerId\":\"cus_ana\"}"}}`), ends("tool_calls"), done),
		stream(says("Two Guji "), says("are in Ana's cart."), ends("stop"), done))
	r := newRoom(t, e.Model(t))
	u := r.Say("add two bags of the Guji to Ana's cart")
	want := []string{`catalog.search {"query":"Guji"}`, `customer.search {"query":"Ana"}`,
		`cart.addItem {"productId":"prod_guji","quantity":2,"customerId":"cus_ana"}`}
	if diff := cmp.Diff(want, u.Calls()); diff != "" {
		t.Error(diff)
	}
	if u.Text() != "Let me look.\nTwo Guji are in Ana's cart." || u.Ended().Status != agent.StatusDone {
		t.Errorf("%q %+v", u.Text(), u.Ended())
	}
	last := e.Requests[2].Messages
	if roles := roles(last); !cmp.Equal(roles, []string{"system", "user", "assistant", "tool", "tool", "assistant",
		"tool"}) {
		t.Fatal(roles)
	}
	if last[3].CallID != "c1" || !strings.Contains(last[3].Content, "prod_guji") || last[4].CallID != "c2" ||
		!strings.Contains(last[4].Content, "cus_ana") {
		t.Errorf("results are not matched: %+v", last[3:5])
	}
	if last[5].ToolCalls[0].Function.Name != "cart_addItem" {
		t.Errorf("%+v", last[5])
	}
	for _, tool := range e.Requests[0].Tools {
		if strings.Contains(tool.Function.Name, ".") || strings.Contains(string(tool.Function.Parameters), "x-entity") ||
			tool.Type != "function" {
			t.Errorf("tool %+v", tool)
		}
	}
	entries := r.Journal.Entries()
	if m := entries[2].Invocation.Principal.Model; m == nil || m.Name != "test-model" ||
		m.PromptVersion == "" {
		t.Errorf("model in the record: %+v", m)
	}
}

func roles(messages []wireMessage) []string {
	var list []string
	for _, m := range messages {
		list = append(list, m.Role)
	}
	return list
}
