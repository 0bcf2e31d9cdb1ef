package agent

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

func TestA7AnIDHasOneName(t *testing.T) {
	sameEveryTime(t, "Old Mill", func() string {
		var x exchange
		x.names, x.values = map[string]string{}, map[string]bool{}
		x.learned(json.RawMessage(`{"a":{"id":"p1","name":"Mill"},"b":{"id":"p1","name":"The Mill"},"c":{"id":"p1","name":"Old Mill"}}`))
		return x.text("p1")
	})
}

func TestA8TheFirstConstraintThatFailsIsNamed(t *testing.T) {
	terms := func(value string) Constraints {
		return Constraints{"amount": json.RawMessage(value), "owner": json.RawMessage(value), "/reason": json.RawMessage(value)}
	}
	sameEveryTime(t, "VALIDATION: Nothing fulfils both constraints on /reason.", func() string {
		_, err := tighten(terms(`"a"`), terms(`"b"`))
		return err.Error()
	})
}

func TestA13APriceInIsAPriceOutToo(t *testing.T) {
	p, err := ParsePrice("2.50", "2.50", "USD")
	if want := (Price{Input: 2_500_000, Output: 2_500_000, Currency: "USD"}); err != nil || p != want {
		t.Errorf("%+v, %v", p, err)
	}
	sameEveryTime(t, `agent: "in" is no price of a million tokens`, func() string {
		_, err := ParsePrice("in", "out", "USD")
		return err.Error()
	})
}
