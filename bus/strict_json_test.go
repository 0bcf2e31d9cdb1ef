package bus_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/internal/jsondepth"
)

// holds: B2
func TestB2ArgumentsThatMeanTwoThingsAreRefused(t *testing.T) {
	for name, tc := range map[string]struct{ args, says string }{
		"a key twice":                    {`{"coins":1,"coins":1000}`, "twice"},
		"a key twice, escaped":           {`{"coins":1,"c\u006fins":1000}`, "twice"},
		"a key twice, further in":        {`{"x":[{"a\"b":1,"a\"b":2}]}`, "twice"},
		"no UTF-8":                       {"{\"note\":\"\xff\"}", "UTF-8"},
		"an exponent without end":        {`{"coins":1e999999}`, "beyond"},
		"an exponent beyond the library": {`{"coins":[-1E+1000001]}`, "beyond"},
		"digits without end":             {`{"coins":` + strings.Repeat("9", 65) + `}`, "beyond"},
		"objects without end":            {strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000), "deep"},
		"lists without end":              {`{"a":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`, "deep"},
	} {
		loose := doing("a.loose", bus.Pure, ok) // not even without a schema
		b, j, _ := bustest.New(t, add(), loose)
		for _, c := range []string{"till.add", "a.loose"} {
			r := b.Invoke(t.Context(), call(c, tc.args))
			wantError(t, r, bus.Validation, bus.ReasonArguments)
			if len(r.Err.Violations) != 1 || !strings.Contains(r.Err.Violations[0].Message, tc.says) {
				t.Errorf("%s: %+v, want %q", name, r.Err.Violations, tc.says)
			}
		}
		wantError(t, b.Invoke(t.Context(), call("a.unknown", tc.args)), bus.NotFound, bus.ReasonCapability)
		for _, e := range j.Entries() {
			kept := e.Invocation.Arguments
			if !json.Valid(kept) || !utf8.Valid(kept) || jsondepth.Exceeds(kept, 64) {
				t.Errorf("%s: recorded %.100q", name, kept)
			}
		}
	}
}

// holds: B2
func TestB2ArgumentsThatMeanOneThingAreNot(t *testing.T) {
	b, _, _ := bustest.New(t, doing("a.loose", bus.Pure, ok))
	for _, args := range []string{``, ` `, `{}`, `{"a:b":":","c":{"a:b":[1,{"d":"\\\":"}]},"\"":"\""}`,
		`{"n":-1.5e-300,"m":123456789012345678901234567890}`} {
		wantOK(t, b.Invoke(t.Context(), call("a.loose", args)))
	}
}

// holds: B2
func TestB2AWholeNumberIsAnInteger(t *testing.T) {
	for _, coins := range []string{"2.0", "2e0", "20E-1", "2"} {
		b, j, _ := bustest.New(t, add())
		wantOK(t, b.Invoke(t.Context(), call("till.add", `{"coins":`+coins+`}`)))
		if kept := string(records(t, j, 1).Invocation.Arguments); !strings.Contains(kept, `"coins":2`) {
			t.Errorf("%s: %s", coins, kept)
		}
	}
	b, _, _ := bustest.New(t, add())
	wantError(t, b.Invoke(t.Context(), call("till.add", `{"coins":2.5}`)), bus.Validation, bus.ReasonArguments)
}

// TestB2WhatIsNotUnderstoodIsSaidPlainly: no names of Go, a sentence, and the name that was meant.
// holds: B2
func TestB2WhatIsNotUnderstoodIsSaidPlainly(t *testing.T) {
	b, _, _ := bustest.New(t, add())
	for line, want := range map[string]string{
		`hello`: "it is not JSON",
		`{"capability":"till.add","argument":{}}`:                                 `did you mean "arguments"?`,
		`{"capability":"till.add","arguments":{"coin":1}}`:                        `did you mean "coins"?`,
		`{"capability":"till.add","arguments":{"coins":1,"zebulon":1}}`:           "'zebulon' not allowed",
		`{"capability":"till.add","arguments":{"coins":12345678901234567890123}}`: "coins",
		`{"capability":3}`: `"capability" must not be number`,
	} {
		r := b.InvokeJSON(t.Context(), []byte(line), func(inv *bus.Invocation) {
			inv.Caller.Type, inv.Principal = bus.CallerTest, clerk
		})
		if r.Err == nil {
			t.Fatal(line)
		}
		said := r.Err.Message
		for _, v := range r.Err.Violations {
			said += " " + v.Message
		}
		if !strings.Contains(said, want) || strings.Contains(said, "zebulon' not allowed; did") ||
			strings.Contains(said, "Go ") || strings.Contains(said, "json:") {
			t.Errorf("%s: %s", line, said)
		}
	}
}
