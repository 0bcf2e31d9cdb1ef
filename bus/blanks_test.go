package bus_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// routine is a capability that stands for a plan with blanks.
func routine(steps string) bus.Capability {
	return bus.PlanOf(bus.Capability{Name: "till.routine", Title: "Run it", Description: "Runs it.",
		SideEffect: bus.Destructive, Resources: []string{"database:write"}},
		func(_ context.Context, call *bus.Call, in struct {
			Values json.RawMessage `json:"values,omitempty" jsonschema:"type=object"`
		}) (json.RawMessage, error) {
			call.Summarize("Twice")
			return call.Fill(json.RawMessage(steps), in.Values, "/values")
		})
}

// holds: A23 A12
func TestA23APlanWithBlanksIsAPlan(t *testing.T) {
	a := &approver{rule: bus.RuleConfirm, say: yes}
	b, j := planBus(t, a, routine(`[{"capability":"till.add","arguments":{"coins":{"$blank":"coins","title":"How many"}}},
		{"capability":"till.read"},{"capability":"till.add","minVersion":"1.0.0","arguments":{"coins":{"$from":"/1/total"},"times":{"$blank":"times"}}}]`))
	inv := plan("")
	inv.Capability, inv.Arguments = "till.routine", json.RawMessage(`{"values":{"coins":7}}`)
	r := b.Invoke(t.Context(), inv)
	wantOK(t, r)
	if len(a.asked) != 1 || a.asked[0].Summary !=
		"Twice: 1. Add 7 coins, 7 in all; 2. Read the till; 3. Add 7 coins, 14 in all" || j.Row("till", "main")["total"] != 14 {
		t.Fatalf("%+v", a.asked)
	}
	e := records(t, j, 1)
	const steps = `{"steps":[{"arguments":{"coins":7},"capability":"till.add"},{"arguments":{},"capability":"till.read"},` +
		`{"arguments":{"coins":{"$from":"/1/total"},"times":1},"capability":"till.add"}]}`
	if e.Invocation.Capability != "plan.propose" || string(e.Invocation.Arguments) != steps {
		t.Errorf("recorded as %s %s", e.Invocation.Capability, e.Invocation.Arguments)
	}
	if c, _ := b.Lookup("till.routine"); !c.IsPlan() || !c.IsComposite() {
		t.Error("it is no plan")
	}
}

// TestA23BlanksAreFilledOnce: a value that looks like a blank or a reference is not filled in again.
// holds: A23
func TestA23BlanksAreFilledOnce(t *testing.T) {
	for values, want := range map[string]string{
		`{"coins":0}`:                    "/values/coins",
		`{"coins":{"$from":"/0/total"}}`: "/values/coins",
		`{"coins":{"$blank":"coins"}}`:   "/values/coins",
		`{"coins":1,"times":null}`:       "/values/times",
		`{"coins":1,"more":1}`:           "/values",
		`{}`:                             "/values",
	} {
		b, j := planBus(t, &approver{rule: bus.RuleConfirm, say: yes},
			routine(`[{"capability":"till.add","arguments":{"coins":{"$blank":"coins"},"times":{"$blank":"times"}}}]`))
		inv := plan("")
		inv.Capability, inv.Arguments = "till.routine", json.RawMessage(`{"values":`+values+`}`)
		r := b.Invoke(t.Context(), inv)
		wantError(t, r, bus.Validation, bus.ReasonArguments)
		if len(r.Err.Violations) == 0 || r.Err.Violations[0].Path != want ||
			records(t, j, 1).Invocation.Capability != "till.routine" {
			t.Errorf("%s: %+v", values, r.Err)
		}
	}
}

// holds: A23
func TestA23StepsThatCannotBeKeptAreNamed(t *testing.T) {
	for steps, want := range map[string]string{
		`{}`:                         "The steps do not fit",
		`[{"capability":"till.no"}]`: "Step 1 (till.no)",
		`[{"capability":"till.read"},{"capability":"till.add","minVersion":"2.0.0","arguments":{"coins":1}}]`: "Step 2 (till.add)",
		`[{"capability":"till.add","arguments":{"coins":{"$blank":""}}}]`:                                     "At /coins is no blank",
		`[{"capability":"till.add","arguments":{"coin":{"$blank":"coins"}}}]`:                                 "nothing at /coin",
		`[{"capability":"till.add","arguments":{"coins":{"$blank":"coins"},"times":"a"}}]`:                    "/times",
	} {
		b, j := planBus(t, &approver{rule: bus.RuleConfirm, say: yes}, routine(steps))
		r := b.Invoke(t.Context(), call("till.routine", `{"values":{"coins":1}}`))
		if r.OK() || !strings.Contains(r.Err.Message, want) {
			t.Errorf("%s: %+v", steps, r.Err)
		}
		records(t, j, 1)
	}
}
