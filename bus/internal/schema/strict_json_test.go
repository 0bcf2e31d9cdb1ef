package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/deskhand/deskhand/bus/internal/schema"
)

// TestB2AnAmbiguousTextIsOneWithAKeyTwiceOrALongNumber compares Ambiguity, which
// counts colons, with a reader of tokens.
// holds: B2
func TestB2AnAmbiguousTextIsOneWithAKeyTwiceOrALongNumber(t *testing.T) {
	names := rapid.SampledFrom([]string{`a`, `b`, `a:b`, `\"`, `\\`, `\u0061`, ``, "\xff"})
	scalars := rapid.SampledFrom([]string{`null`, `true`, `0`, `-1.5e300`, `1e99999`, `1E-00001`, strings.Repeat("9", 64),
		strings.Repeat("9", 65), `"x:y"`, `"\"{:"`, "\"\xe2\x82\""})
	var text func(r *rapid.T, depth int) string
	text = func(r *rapid.T, depth int) string {
		kind := rapid.IntRange(0, 3).Draw(r, "kind")
		if depth == 0 || kind == 0 {
			return scalars.Draw(r, "scalar")
		}
		var parts []string
		for range rapid.IntRange(0, 3).Draw(r, "parts") {
			part := text(r, depth-1)
			if kind > 1 {
				part = fmt.Sprintf(`"%s" : %s`, names.Draw(r, "name"), part)
			}
			parts = append(parts, part)
		}
		if kind == 1 {
			return "[" + strings.Join(parts, ",") + "]"
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	rapid.Check(t, func(r *rapid.T) {
		raw := []byte(text(r, 4))
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			r.Fatalf("%q: %v", raw, err)
		}
		if got, want := schema.Ambiguity(raw, value), !utf8.Valid(raw) || unclear(raw); (got != "") != want {
			r.Fatalf("%q: %q, want a reason: %t", raw, got, want)
		}
	})
}

// unclear reports whether an object in a JSON text has one key twice, or a number
// is too long to calculate with.
func unclear(body []byte) bool {
	type level struct {
		keys map[string]bool // nil in an array
		key  bool            // a key comes next
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var stack []level
	for {
		token, err := d.Token()
		if err != nil {
			return false // the end, or no JSON: others say so
		}
		if n, ok := token.(json.Number); ok {
			_, exponent, _ := strings.Cut(strings.ToLower(n.String()), "e")
			if len(n) > 64 || len(exponent) > 4 {
				return true
			}
		}
		delim, _ := token.(json.Delim)
		if n := len(stack); n > 0 && stack[n-1].keys != nil && delim != '}' && delim != ']' {
			top := &stack[n-1]
			if top.key {
				name, _ := token.(string)
				if top.keys[name] {
					return true
				}
				top.keys[name] = true
			}
			top.key = !top.key
		}
		switch delim {
		case '{':
			stack = append(stack, level{map[string]bool{}, true})
		case '[':
			stack = append(stack, level{})
		case '}', ']':
			stack = stack[:len(stack)-1]
		}
	}
}
