package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// TestA7AnAnswerHoldsForExactlyWhatWasShown: for every capability an agent is
// asked about, an answer to one card is no answer to a call that differs in a
// single field, be it changed, added or taken away.
// holds: A7
func TestA7AnAnswerHoldsForExactlyWhatWasShown(t *testing.T) {
	d := desktest.Sample(t, desk.Options{})
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	capabilities, calls := 0, 0
	for _, c := range d.Bus.Capabilities() {
		if c.Checks.Access.Agent == bus.RuleDeny || c.Checks.Access.Agent == bus.RuleAllow {
			continue
		}
		capabilities++
		var base any
		if err := json.Unmarshal(c.InputSchema, &base); err != nil {
			t.Fatal(err)
		}
		shown := sampleValue(base)
		seen := map[string]string{}
		for _, args := range append([]any{shown}, differing(shown)...) {
			raw, err := json.Marshal(args)
			if err != nil {
				t.Fatal(err)
			}
			calls++
			// The same moment and the same randomness: the id hangs on what is shown alone.
			id := ask(t, at, c, raw, seen)
			if other, taken := seen[id]; taken {
				t.Errorf("%s: one id for %s and %s", c.Name, raw, other)
			}
			seen[id] = string(raw)
		}
	}
	if capabilities < 10 || calls < 10*capabilities {
		t.Errorf("only %d calls of %d capabilities", calls, capabilities)
	}
}

// ask opens a card, tries every id of earlier ones on it, and returns its own.
func ask(t *testing.T, at time.Time, c *bus.Capability, args json.RawMessage, earlier map[string]string) (id string) {
	t.Helper()
	var p *policy.Policy
	p = policy.New(policy.Options{Rand: bytes.NewReader(make([]byte, 16)), Clock: func() time.Time { return at },
		OnCard: func(e policy.CardEvent) {
			if e.Type != policy.CardOpened {
				return
			}
			id = e.Card.ApprovalID
			for old := range earlier {
				if old != id && p.Decide(policy.Answer{ApprovalID: old, Answer: bus.AnswerAllow, By: e.Card.Person}) == nil {
					t.Errorf("%s: the answer to %s was taken for %s", c.Name, earlier[old], args)
				}
			}
			if err := p.Decide(policy.Answer{ApprovalID: id, Answer: bus.AnswerDeny, By: e.Card.Person}); err != nil {
				t.Error(err)
			}
		}})
	req := &bus.ApprovalRequest{Capability: c, Invocation: bus.Invocation{Capability: c.Name, Arguments: args,
		Caller: bus.Caller{Type: bus.CallerAgent}}}
	if d, err := p.Approve(context.Background(), req, &bus.Preview{Digest: "the same"}); err != nil || d.Allowed {
		t.Errorf("%s: %+v %v", c.Name, d, err)
	}
	return id
}

// sampleValue makes a value with everything that a schema knows of.
func sampleValue(schema any) any {
	s, _ := schema.(map[string]any)
	if list, ok := s["enum"].([]any); ok {
		return list[0]
	}
	switch s["type"] {
	case "object":
		out := map[string]any{}
		properties, _ := s["properties"].(map[string]any)
		for name, sub := range properties {
			out[name] = sampleValue(sub)
		}
		if len(properties) == 0 {
			out["key"] = "value"
		}
		return out
	case "array":
		return []any{sampleValue(s["items"]), sampleValue(s["items"])}
	case "integer", "number":
		return 7.0
	case "boolean":
		return true
	}
	return "text"
}

// differing lists the values that differ from v in one place.
func differing(v any) []any {
	switch t := v.(type) {
	case map[string]any:
		var all []any
		for _, name := range slices.Sorted(maps.Keys(t)) {
			for _, sub := range differing(t[name]) {
				other := maps.Clone(t)
				other[name] = sub
				all = append(all, other)
			}
			without := maps.Clone(t)
			delete(without, name)
			all = append(all, without)
		}
		more := maps.Clone(t)
		more["one_more"] = true
		return append(all, more)
	case []any:
		all := []any{t[:len(t)-1], append(slices.Clone(t), t[0])}
		for i := range t {
			for _, sub := range differing(t[i]) {
				other := slices.Clone(t)
				other[i] = sub
				all = append(all, other)
			}
		}
		return all
	case float64:
		return []any{t + 1, -t, t / 2, fmt.Sprint(t), nil}
	case bool:
		return []any{!t, nil}
	case string:
		return []any{t + " ", t + "x", "", nil}
	}
	return []any{"something"}
}
