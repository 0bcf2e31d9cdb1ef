package bus_test

import (
	"encoding/json"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// TestTheSameMistakesGetTheSameWords: where several things are wrong at once, the order of a map does not decide which
// of them is named.
func TestTheSameMistakesGetTheSameWords(t *testing.T) {
	b, journal, _ := bustest.New(t, doing("a.b", bus.UIOnly, ok))
	b.MustRegister(bus.Capabilities()[3])
	for name, run := range map[string]func() error{
		"requirements that are not registered": func() error {
			one, two, three := doing("a.a", bus.Pure, ok), doing("a.b", bus.Pure, ok), doing("a.c", bus.Pure, ok)
			one.Checks.Requires, two.Checks.Requires, three.Checks.Requires = []string{"x.a"}, []string{"x.b"}, []string{"x.c"}
			return bus.New(bus.Options{Journal: journal}).Register(one, two, three)
		},
		"references to results that are not there": func() error {
			return b.Invoke(t.Context(), bus.Invocation{Capability: "plan.propose", Caller: bus.Caller{Type: bus.CallerTest},
				Arguments: json.RawMessage(`{"steps":[{"capability":"a.b","arguments":{"one":{"$from":"/7/one"},
					"two":{"$from":"/7/two"},"three":{"$from":"/7/three"}}}]}`)}).Err
		},
	} {
		first := run().Error()
		for range 200 {
			if again := run().Error(); again != first {
				t.Errorf("%s: %q, and then %q", name, first, again)
				break
			}
		}
	}
}
