package agent

import (
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

// holds: A13
func TestA13APriceInIsAPriceOutToo(t *testing.T) {
	var p Price
	err := p.Parse("2.50", "2.50", "USD")
	if want := (Price{Input: 2_500_000, Output: 2_500_000, Currency: "USD"}); err != nil || p != want {
		t.Errorf("%+v, %v", p, err)
	}
	sameEveryTime(t, `agent: "in" is no price of a million tokens`, func() string {
		return p.Parse("in", "out", "USD").Error()
	})
}
