package bus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// person answers cards as told.
type person struct{ agrees bool }

func (*person) Authorize(context.Context, *bus.ApprovalRequest) (bus.Decision, error) {
	return bus.Decision{Rule: bus.RuleConfirm}, nil
}

func (p *person) Approve(context.Context, *bus.ApprovalRequest, *bus.Preview) (bus.Decision, error) {
	fmt.Println("  a person is asked")
	if p.agrees {
		return bus.Decision{Allowed: true, Answer: "allow"}, nil
	}
	return bus.Decision{Answer: "deny"}, nil
}

// An invocation that is wrong in every way, mended one thing at a time: each
// refusal shows the next step. Nothing is asked of a person before everything
// cheaper was checked, and nothing runs for good before a person was asked.
func Example_orderOfSteps() {
	o, _, clock := bustest.Options()
	kim, ready := &person{agrees: true}, true
	o.Approver = kim
	b := bus.New(o)
	b.MustRegister(bus.Define(bus.Capability{
		Name: "note.print", Title: "Print", Description: "Prints a note.", SideEffect: bus.Destructive,
		Resources:   []string{"database:write"},
		Permissions: []string{"note:print"},
		Checks: bus.Checks{Preconditions: []bus.Precondition{{Name: "paper", Message: "There is no paper.",
			Check: func(context.Context, *bus.Call) error {
				if !ready {
					return bus.ErrUnmet
				}
				return nil
			}}}},
		Run: bus.Run{RateLimit: &bus.RateLimit{Requests: 1, Period: time.Minute}},
	}, func(_ context.Context, call *bus.Call, _ noteIn) (noteOut, error) {
		fmt.Println("  the handler runs")
		call.Notify("info", "It is printed.")
		return noteOut{ID: "n1"}, nil
	}))
	inv := by("note.print", `{"text":"first"}`)
	inv.Caller = bus.Caller{Type: bus.CallerAgent, Source: "chat"}
	inv.IdempotencyKey = "used"
	b.Invoke(context.Background(), inv)

	fmt.Println("Now everything is wrong.")
	kim.agrees, ready = false, false
	inv.Capability, inv.Arguments, inv.Principal.Scopes = "note.prnt", json.RawMessage(`{"txt":"second"}`), nil
	for _, step := range []struct {
		is   string
		mend func()
	}{
		{"look up", func() { inv.Capability = "note.print" }},
		{"validate", func() { inv.Arguments = json.RawMessage(`{"text":"second"}`) }},
		{"authorise", func() { inv.Principal.Scopes = []string{"note:print"} }},
		{"replay", func() { inv.IdempotencyKey = "fresh" }},
		{"preconditions", func() { ready = true }},
		{"limits", func() { clock.Advance(time.Minute) }},
		{"approval", func() { kim.agrees = true; clock.Advance(time.Minute) }},
	} {
		r := b.Invoke(context.Background(), inv)
		fmt.Printf("%s: %s %s\n", step.is, r.Err.Code, r.Err.Reason)
		step.mend()
	}
	r := b.Invoke(context.Background(), inv)
	fmt.Println("done:", r.Status, r.Events[0].Message)
	// Output:
	//   the handler runs
	//   a person is asked
	//   the handler runs
	// Now everything is wrong.
	// look up: NOT_FOUND capability
	// validate: VALIDATION arguments
	// authorise: FORBIDDEN permission
	// replay: VALIDATION idempotency_mismatch
	// preconditions: PRECONDITION_FAILED precondition
	// limits: TRANSIENT rate_limit
	//   the handler runs
	//   a person is asked
	// approval: FORBIDDEN declined
	//   the handler runs
	//   a person is asked
	//   the handler runs
	// done: success It is printed.
}
