package bus_test

import (
	"encoding/json"
	"slices"
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
	c.Assistant.Hidden = true
	older := call("a.pin", `{"pin":"1234"}`)
	older.MinVersion = "9"
	for name, inv := range map[string]bus.Invocation{
		"no such capability, no JSON":  call("a.none", `{`),
		"no such capability, no UTF-8": call("a.none", "{\"x\":\"\xff\"}"),
		"no name":                      call("", `{`),
		"a misspelt capability":        call("a.pinn", `{"pin":"1234","of":{"who":"kim","pin":1234}}`),
		"a name in the arguments":      call("", `{"capability":"a.pin","pin":"1234"}`),
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

// TestB12WhatCannotBeReadIsRecordedAsItIs: as a text where it is no JSON, and not at all where there was nothing.
//
// holds: B12
func TestB12WhatCannotBeReadIsRecordedAsItIs(t *testing.T) {
	b, j, _ := bustest.New(t, doing("a.b", bus.UIOnly, ok))
	older := call("a.b", "")
	older.MinVersion = "9"
	for i, tc := range []struct {
		inv  bus.Invocation
		kept string
	}{
		{call("a.b", "x"), `"x"`},
		{older, ""},
		{call("a.none", ""), ""},
	} {
		b.Invoke(t.Context(), tc.inv)
		if e := records(t, j, i+1); string(e.Invocation.Arguments) != tc.kept || len(e.Redacted) > 0 {
			t.Errorf("%q of %s: recorded %q, redacted %v", tc.inv.Arguments, tc.inv.Capability, e.Invocation.Arguments,
				e.Redacted)
		}
	}
}

// TestB12AMisspeltCallKeepsTheNamesOfItsFields, in a plan, too: any value may be a secret.
func TestB12AMisspeltCallKeepsTheNamesOfItsFields(t *testing.T) {
	b, j := planBus(t, &approver{})
	b.Invoke(t.Context(), call("till.raed", `{"pin":"1234","of":{"who":"kim"}}`))
	if got := string(records(t, j, 1).Invocation.Arguments); got != `{"of":"[redacted]","pin":"[redacted]"}` {
		t.Errorf("recorded %s", got)
	}
	args := json.RawMessage(`{"pin":"1234"}`)
	if got := string(b.Redacted("till.raed", args)); got != `{"pin":"[redacted]"}` {
		t.Errorf("shown as %s", got)
	}
	b.Invoke(t.Context(), plan(`{"capability":"till.raed","arguments":{"pin":"1234"}}`))
	if e := records(t, j, 2); strings.Contains(string(e.Invocation.Arguments), "1234") ||
		!slices.Contains(e.Redacted, "/arguments/steps/0/arguments/pin") {
		t.Errorf("recorded %s, redacted %s", e.Invocation.Arguments, e.Redacted)
	}
}
