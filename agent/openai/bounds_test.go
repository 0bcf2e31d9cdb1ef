package openai_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
)

// endless is a body that starts with begin and then repeats again for ever. It counts the bytes that were read.
type endless struct {
	begin, again string
	read         int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		at, from := e.read-len(e.begin), e.begin
		if at >= 0 {
			at, from = at%len(e.again), e.again
		} else {
			at += len(e.begin)
		}
		took := copy(p[n:], from[at:])
		n, e.read = n+took, e.read+took
	}
	return n, nil
}

// bounds lists bodies without an end, a part of the error message for each, and the maximum of bytes that are read.
var bounds = map[string]struct {
	body endless
	says string
	most int
}{
	"text": {endless{again: says(strings.Repeat("a ", 512)) + "\n"}, "longer than 1024 KB", 2 << 20},
	"arguments": {endless{begin: calls(`{"index":0,"id":"x","function":{"name":"a_b","arguments":"{\"q\":\""}}`) + "\n",
		again: calls(fmt.Sprintf(`{"index":0,"function":{"arguments":"%s"}}`, strings.Repeat("a", 512))) + "\n"},
		"longer than 1024 KB", 4 << 20},
	"calls": {endless{again: calls(`{"function":{"name":"a_b","arguments":"{}"}}`) + "\n"}, "more than 128 calls",
		1 << 20},
	"the same call": {endless{again: calls(aCall) + "\n"}, "more than 128 calls", 1 << 20},
	"reasoning": {endless{again: `data: {"choices":[{"index":0,"delta":{"reasoning":"` + strings.Repeat("hm ", 20_000) +
		`"}}]}` + "\n\n"}, "larger than 64 MB", 64 << 20},
	"comments": {endless{again: strings.Repeat(": wait\n", 5000)}, "larger than 64 MB", 64 << 20},
	"a line":   {endless{begin: "data: ", again: strings.Repeat("a", 5000)}, "a piece of more than 8 MB", 17 << 20},
	"lines of one event": {endless{begin: "data: {\"choices\":[\n", again: strings.Repeat("data: {},\n", 500)},
		"a piece of more than 8 MB", 64 << 20},
	"a document": {endless{begin: `{"choices":[{"message":{"content":"`, again: strings.Repeat("a", 5000)},
		"a piece of more than 8 MB", 17 << 20},
	"a document in lines": {endless{begin: `{"choices":[`, again: "{},\n"}, "a piece of more than 8 MB", 64 << 20},
	"levels": {endless{begin: "data: " + strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100) + "\n\n",
		again: ": wait\n"}, "more than 80 levels deep", 1 << 20},
}

// holds: A2
func TestA2EveryBoundIsSaidWhenItIsHit(t *testing.T) {
	for name, tt := range bounds {
		t.Run(name, func(t *testing.T) {
			body := tt.body
			got := outcomeOf(t, openai.Options{HTTPClient: &http.Client{Transport: roundTrip(func(req *http.Request) (
				*http.Response, error) {
				return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(&body), Request: req}, nil
			})}})
			if got.Problem != openai.ProblemCut || !strings.Contains(got.Says, tt.says) || len(got.Calls) > 0 {
				t.Errorf("%s: %s (%d calls)", got.Problem, got.Says, len(got.Calls))
			}
			if len(got.Text) > 1<<20+2048 || body.read > tt.most+1<<16 {
				t.Errorf("%d bytes were read, %d kept", body.read, len(got.Text))
			}
		})
	}
}

// A compressed body counts by its uncompressed size.
//
// holds: A2
func TestA2ABombOfGzipIsBounded(t *testing.T) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	line := []byte(strings.Repeat(": wait\n", 10_000))
	for range (80 << 20) / len(line) {
		if _, err := w.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	e := newEndpoint(t, func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Encoding", "gzip")
		_, _ = rw.Write(zipped.Bytes())
	})
	_, _, err := ask(t, e.Model(t))
	if err == nil || !strings.Contains(err.Error(), "larger than 64 MB") || zipped.Len() > 1<<20 {
		t.Errorf("%v of %d bytes", err, zipped.Len())
	}
}

// The bus limits the depth of arguments. A call with deeper ones is marked as broken, and its arguments are never sent
// back.
//
// holds: A2
func TestA2ArgumentsNestedTooDeeplyAreBroken(t *testing.T) {
	for levels, broken := range map[int]bool{64: false, 65: true, 9000: true} {
		deep := strings.Repeat(`{"a":`, levels-1) + "{}" + strings.Repeat("}", levels-1)
		quoted, err := json.Marshal(deep)
		if err != nil {
			t.Fatal(err)
		}
		e := newEndpoint(t, stream(calls(fmt.Sprintf(`{"id":"x","function":{"name":"a_b","arguments":%s}}`, quoted)),
			ends("stop"), done))
		reply, _, err := ask(t, e.Model(t))
		if err != nil || len(reply.Calls) != 1 || (reply.Calls[0].Broken != "") != broken {
			t.Errorf("%d levels: %v, %d calls", levels, err, len(reply.Calls))
		}
	}
}

// Status 422 means the same as 400. Some endpoints name the unknown fields, and others do not.
//
// holds: A2
func TestA2WhatIsRefusedWith422IsLeftOutToo(t *testing.T) {
	for name, refusal := range map[string]string{
		"named": `{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`,
		"bare":  `{"object":"error","message":"Extra inputs are not permitted"}`,
	} {
		e := newEndpoint(t, answers(422, "application/json", refusal), stream(says("Hello"), ends("stop"), done))
		reply, _, err := ask(t, e.Model(t))
		if err != nil || reply.Text != "Hello" || e.Requests[0].Parallel == nil || e.Requests[1].Parallel != nil {
			t.Errorf("%s: %q %v", name, reply.Text, err)
		}
	}
}

// holds: A2
func TestA2AQuotaIsNotWaitedFor(t *testing.T) {
	e := newEndpoint(t, answers(429, "application/json", `{"error":{"message":"out of it","code":"insufficient_quota"}}`))
	if _, _, err := ask(t, e.Model(t)); err == nil || len(e.Requests) != 1 {
		t.Errorf("%v after %d requests", err, len(e.Requests))
	}
}

// An address may have a query, which Azure's older form needs, and may be copied with the path of the call.
// holds: A2
func TestA2AnAddressWithAQueryIsAskedWhereItShould(t *testing.T) {
	for address, want := range map[string]string{
		"https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21": "https://x.openai.azure.com/openai/" +
			"deployments/d/chat/completions?api-version=2024-10-21",
		"https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21": "https://x.openai." +
			"azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
		"https://models.example/v1/": "https://models.example/v1/chat/completions",
	} {
		var asked *http.Request
		m := must[model.Model](t)(openai.New(openai.Options{BaseURL: address, Model: "m",
			Key: func() (string, error) { return theKey, nil },
			HTTPClient: &http.Client{Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
				asked = req
				return canned{Status: 200, Body: []byte(says("Hello") + "\n" + done)}.RoundTrip(req)
			})}}))
		if _, _, err := ask(t, m); err != nil || asked.URL.String() != want {
			t.Errorf("%s: asked %s, %v", address, asked.URL, err)
		}
		if strings.Contains(address, "api-version") != (asked.Header.Get("Api-Key") == theKey) ||
			strings.Contains(m.Profile().Endpoint, "?") {
			t.Errorf("%s: %v, shown as %s", address, asked.Header, m.Profile().Endpoint)
		}
	}
}

// Strict endpoints refuse a conversation in which person and assistant do not take turns.
// holds: A2
func TestA2RolesTakeTurns(t *testing.T) {
	e := newEndpoint(t, stream(says("Hello"), ends("stop"), done))
	_, err := e.Model(t).Stream(t.Context(), model.Request{System: "be good", Messages: []model.Message{
		{Role: model.RoleUser, Text: "one"}, {Role: model.RoleUser, Text: "two"},
		{Role: model.RoleAssistant, Text: "three"}, {Role: model.RoleAssistant, Text: "four", Calls: []model.Call{
			{ID: "a", Tool: "a_b", Arguments: raw("{}")}, {ID: "b", Tool: "a_b", Arguments: raw("{}")}}},
		{Role: model.RoleTool, CallID: "a", Text: "5"}, {Role: model.RoleTool, CallID: "b", Text: "6"},
		{Role: model.RoleAssistant, Text: "seven"}}}, func(model.Delta) {})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range e.Requests[0].Messages {
		got = append(got, strings.TrimSpace(fmt.Sprint(m.Role, " ", m.Content, " ", len(m.ToolCalls))))
	}
	want := "system be good 0|user one\n\ntwo 0|assistant three\n\nfour 2|tool 5 0|tool 6 0|assistant seven 0"
	if strings.Join(got, "|") != want {
		t.Errorf("%q", strings.Join(got, "|"))
	}
}
