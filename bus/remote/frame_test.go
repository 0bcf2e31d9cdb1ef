package remote

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAPlainFrameIsWhatJSONSays compares what is written and read by hand with encoding/json.
func TestAPlainFrameIsWhatJSONSays(t *testing.T) {
	body, err := json.Marshal(map[string]any{"a": "<é\u2028>", "b": []int{1, 2}, "c": json.RawMessage(`{ "d" : "}" }`)})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []frame{{Type: frameHello, Body: body}, {Type: frameEvent, Body: []byte("null")},
		{Type: frameInvoke, ID: 1, Body: body}, {Type: frameResult, ID: 1<<64 - 1, Body: []byte(`"x"`)},
		{Type: frameProgress, ID: 10, Body: []byte("[]")}} {
		line, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(appendPlain(nil, f.Type, f.ID, f.Body)); got != string(line)+"\n" {
			t.Errorf("%s is written as %s", line, got)
		}
		if got, plain := decodePlain(line); !plain || cmp.Diff(f, got) != "" {
			t.Errorf("%s is read as %+v (%v)", line, got, plain)
		}
	}
	for _, line := range []string{``, `{}`, `{"type":"invoke","id":0,"body":{}}`, `{"type":"invoke","id":01,"body":{}}`,
		`{"type":"invoke","id":-1,"body":{}}`, `{"type":"invoke","id":,"body":{}}`, `{"type":"invoke","body":{}}`,
		`{"type":"event","id":1,"body":{}}`, `{"type":"hello","body":{},"more":true}`, `{"type":"hello","body":}`,
		`{"type":"hello","body":{}`, `{"type":"hello","body":{}}}`, `{"type":"hello","body":{"a":1},"id":2}`,
		`{"type":"cancel","id":1,"body":{}}`, `{"type":"result","id":1,"part":"eyI="}`, `{"type":"invoke","id":1`,
		`{ "type":"hello","body":{}}`, `{"type":"hello","body":{}} `, `{"type":"sing","body":{}}`} {
		if f, plain := decodePlain([]byte(line)); plain {
			t.Errorf("%s is taken for a plain frame: %+v", line, f)
		}
	}
}
