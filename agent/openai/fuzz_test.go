package openai_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
)

// FuzzA2AnyBytesMakeNoCallThatIsNotWhole: for arbitrary bytes the decoder does not panic, and it returns no call from a
// reply that did not end properly.
//
// holds: A2
func FuzzA2AnyBytesMakeNoCallThatIsNotWhole(f *testing.F) {
	for _, r := range fixtures(f) {
		f.Add(r.status == http.StatusOK, r.kind, []byte(r.body))
	}
	add := func(h http.HandlerFunc) {
		w := httptest.NewRecorder()
		func() {
			defer func() { _ = recover() }() // one of them breaks the connection by a panic
			h(w, httptest.NewRequest(http.MethodPost, "/", nil))
		}()
		f.Add(w.Code == http.StatusOK, w.Header().Get("Content-Type"), w.Body.Bytes())
	}
	for _, tt := range good {
		add(tt.script)
	}
	for _, tt := range bad {
		add(tt.script)
	}
	f.Fuzz(func(t *testing.T, ok bool, kind string, body []byte) {
		c := canned{Status: http.StatusOK, Kind: kind, Body: body}
		if !ok {
			c.Status = http.StatusBadRequest
		}
		m, err := openai.New(openai.Options{BaseURL: "http://localhost/v1", Model: "m",
			HTTPClient: &http.Client{Transport: c}, Retries: -1,
			Sleep: func(context.Context, time.Duration) error { return nil }})
		if err != nil {
			t.Fatal(err)
		}
		var shown strings.Builder
		reply, err := m.Stream(t.Context(), model.Request{Messages: []model.Message{{Role: model.RoleUser, Text: "go"}}},
			func(d model.Delta) { shown.WriteString(d.Text) })
		_, answer, thought := strings.Cut(shown.String(), "</think>")
		if shown.String() != reply.Text && !(thought && strings.TrimLeft(answer, " \t\r\n") == reply.Text) {
			t.Errorf("shown %q, kept %q", shown.String(), reply.Text)
		}
		if err != nil && len(reply.Calls) > 0 {
			t.Errorf("calls of a reply that failed: %+v", reply.Calls)
		}
		document := json.Valid(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))) // that could be read to its end
		if len(reply.Calls) > 0 && !document && !bytes.Contains(body, []byte("[DONE]")) &&
			!bytes.Contains(body, []byte("finish_reason")) && !bytes.Contains(body, []byte(`\u`)) {
			t.Errorf("calls of a reply that did not end: %q", body)
		}
		for _, call := range reply.Calls {
			var object map[string]json.RawMessage
			if json.Unmarshal(call.Arguments, &object) != nil {
				t.Errorf("arguments %q are no object", call.Arguments)
			}
		}
	})
}
