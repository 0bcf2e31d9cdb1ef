package policy

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/bus"
)

// TestA9ThePrintedExampleOfAGrant reads the example of a grant as its paper prints it, and similar ones.
//
// holds: A9
func TestA9ThePrintedExampleOfAGrant(t *testing.T) {
	for name, c := range map[string]struct{ given, want string }{
		"as it is printed":   {`{"to":{"const":"acc_456"},"amount":{"maximum":1000},"currency":{"const":"USD"}}`, `{"to":"acc_456","amount":{"max":1000},"currency":"USD"}`},
		"with both bounds":   {`{"amount":{"minimum":1,"maximum":1000}}`, `{"amount":{"min":1,"max":1000}}`},
		"beside our words":   {`{"amount":{"min":1,"maximum":1000}}`, `{"amount":{"min":1,"max":1000}}`},
		"in our words":       {`{"amount":{"min":1},"to":"acc_456"}`, `{"amount":{"min":1},"to":"acc_456"}`},
		"an amount of money": {`{"amount":{"amount":1000,"currency":"USD"}}`, `{"amount":{"amount":1000,"currency":"USD"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			var got Constraints
			var want, is any
			if err := json.Unmarshal([]byte(c.given), &got); err != nil {
				t.Fatal(err)
			}
			kept, err := json.Marshal(got)
			if err != nil || json.Unmarshal(kept, &is) != nil || json.Unmarshal([]byte(c.want), &want) != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, is); d != "" {
				t.Error(d)
			}
			if _, err := got.read(); err != nil {
				t.Error(err)
			}
		})
	}
	for _, refused := range []string{`{"amount":{"maximum":1000,"max":2000}}`, `{"to":{"const":"a","in":["b"]}}`,
		`{"amount":{"exclusiveMaximum":1000}}`, `{"amount":{"Maximum":1000}}`} {
		var got Constraints
		if err := json.Unmarshal([]byte(refused), &got); err != nil {
			t.Fatal(err)
		}
		_, err := got.read()
		if e, is := err.(*bus.Error); !is || e.Reason != bus.ReasonUnknownOperator {
			t.Errorf("%s was read with %v", refused, err)
		}
	}
}
