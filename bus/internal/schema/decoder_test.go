package schema_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/deskhand/deskhand/bus/internal/schema"
)

// TestEveryTextIsDecodedAsIfItWereTheFirst compares decoders that are kept with
// new ones, over texts of all kinds one after the other.
func TestEveryTextIsDecodedAsIfItWereTheFirst(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var kept schema.Decoders
		texts := rapid.SliceOfN(rapid.OneOf(
			rapid.SampledFrom([]string{`{"a":1}`, ` {"a": [1.50, -0, 12345678901234567890]} `, "{}\n", `[]`, `"x"`, `7`, "7 ",
				` null`, `true`,
				``, ` `, `{`, `{"a":`, `{"a":1}}`, `{} {}`, `7 8`, `nul`, "\"\xff\"", `{"a":"` +
					string(bytes.Repeat([]byte("long "), 5000)) + `"}`}),
			rapid.StringMatching(`[\[\]{}",:0-9a ]{0,12}`)), 1, 12).Draw(r, "texts")
		for _, text := range texts {
			got, gotErr := kept.Decode([]byte(text))
			want, wantErr := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(text)))
			if (gotErr == nil) != (wantErr == nil) || !reflect.DeepEqual(got, want) {
				r.Fatalf("%q: %v %v, want %v %v", text, got, gotErr, want, wantErr)
			}
			if m, ok := got.(map[string]any); ok {
				if _, err := json.Marshal(m); err != nil {
					r.Fatal(err)
				}
			}
		}
	})
}
