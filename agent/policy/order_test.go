package policy

import (
	"encoding/json"
	"testing"
)

// sameEveryTime fails when one of 200 runs returns another result than want.
func sameEveryTime(t *testing.T, want string, run func() string) {
	t.Helper()
	for n := range 200 {
		if got := run(); got != want {
			t.Fatalf("run %d: %s\nwant: %s", n, got, want)
		}
	}
}

// holds: A7
func TestA7AnIDHasOneName(t *testing.T) {
	sameEveryTime(t, "Old Mill", func() string {
		var x Provenance
		x.Learned(json.RawMessage(
			`{"a":{"id":"p1","name":"Mill"},"b":{"id":"p1","name":"The Mill"},"c":{"id":"p1","name":"Old Mill"}}`))
		return x.text("p1")
	})
}

// holds: A9
func TestA8TheFirstConstraintThatFailsIsNamed(t *testing.T) {
	terms := func(value string) Constraints {
		return Constraints{"amount": json.RawMessage(value), "owner": json.RawMessage(value),
			"/reason": json.RawMessage(value)}
	}
	sameEveryTime(t, "VALIDATION: Nothing fulfils both constraints on /reason.", func() string {
		_, err := tighten(terms(`"a"`), terms(`"b"`))
		return err.Error()
	})
}
