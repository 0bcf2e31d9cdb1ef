package bus_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// TestB12ArgumentsNobodyReadAreRecordedSafely: what is refused before its
// arguments are looked at leaves a record that can be stored, without secrets.
// holds: B12
func TestB12ArgumentsNobodyReadAreRecordedSafely(t *testing.T) {
	c := doing("a.pin", bus.UIOnly, ok)
	c.InputSchema = json.RawMessage(`{"type":"object","properties":{"pin":{"type":"string","writeOnly":true}}}`)
	c.AgentHidden = true
	older := call("a.pin", `{"pin":"1234"}`)
	older.MinVersion = "9"
	for name, inv := range map[string]bus.Invocation{
		"no such capability, no JSON":  call("a.none", `{`),
		"no such capability, no UTF-8": call("a.none", "{\"x\":\"\xff\"}"),
		"no name":                      call("", `{`),
		"hidden from whom it asks":     byAgent(call("a.pin", `{"pin":"1234"}`)),
		"older than asked for":         older,
		"a caller that is none":        {Capability: "a.pin", Arguments: json.RawMessage(`{"pin":"1234"`)},
		"the application is closing":   call("a.pin", `{"pin":"1234"}`),
	} {
		b, j, _ := bustest.New(t, c)
		if name == "the application is closing" {
			if err := b.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if r := b.Invoke(t.Context(), inv); r.OK() {
			t.Errorf("%s: %s", name, wire(t, r))
		}
		kept := records(t, j, 1).Invocation.Arguments
		if !json.Valid(kept) || !utf8.Valid(kept) || strings.Contains(string(kept), "1234") {
			t.Errorf("%s: recorded %q", name, kept)
		}
	}
}
