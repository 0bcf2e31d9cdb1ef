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

func TestB2ArgumentsThatMeanOneThingAreNot(t *testing.T) {
	b, _, _ := bustest.New(t, doing("a.loose", bus.Pure, ok))
	for _, args := range []string{``, ` `, `{}`, `{"a:b":":","c":{"a:b":[1,{"d":"\\\":"}]},"\"":"\""}`,
		`{"n":-1.5e-300,"m":123456789012345678901234567890}`} {
		wantOK(t, b.Invoke(t.Context(), call("a.loose", args)))
	}
}
