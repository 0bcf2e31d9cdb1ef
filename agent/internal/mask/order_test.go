package mask

import (
	"encoding/json"
	"testing"
)

// sameEveryTime fails when one of 200 runs gives something else than what is wanted.
func sameEveryTime(t *testing.T, want string, run func() string) {
	t.Helper()
	for n := range 200 {
		if got := run(); got != want {
			t.Fatalf("run %d: %s\nwant: %s", n, got, want)
		}
	}
}

func TestA17PlaceholdersAreNumberedInOneOrder(t *testing.T) {
	schema := json.RawMessage(
		`{"properties":{"a":{"x-personal":true},"b":{"x-personal":true},"c":{"properties":{"mail":{"x-personal":true}}}}}`)
	sameEveryTime(t, `{"a":"§P1§","b":"§P2§","c":{"mail":"§P3§"},"d":"§P4§","e":"§P5§"}`, func() string {
		v := &Mask{}
		v.Learn(schema, json.RawMessage(`{"a":"Ana","b":"Ruiz","c":{"mail":"ana@example.com"}}`))
		return v.hideJSON(`{"e":"eve@example.com","d":"dan@example.com","c":{"mail":"ana@example.com"},"b":"Ruiz","a":"Ana"}`)
	})
	state := map[string]struct {
		Name string `jsonschema_extras:"x-personal=true"`
	}{"one": {"Ana Ruiz"}, "two": {"Ben Silva"}}
	sameEveryTime(t, "§P1§ §P4§", func() string {
		v := &Mask{}
		v.LearnContext(state)
		return v.hide("Ana Ruiz Ben Silva", false)
	})
}
