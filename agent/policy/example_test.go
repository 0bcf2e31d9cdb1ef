package policy_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// A person sees a change without an undo before it runs.
func Example() {
	var p *policy.Policy
	p = policy.New(policy.Options{OnCard: func(e policy.CardEvent) {
		if e.Type == policy.CardOpened {
			fmt.Printf("%s? Yes.\n", e.Card.Sentence)
			err := p.Decide(policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerAllow, By: "kim"})
			if err != nil {
				fmt.Println(err)
			}
		}
	}})
	options, _, _ := bustest.Options()
	options.Approver = p
	b := bus.New(options)
	b.MustRegister(bus.Capability{
		Name: "notes.clear", Title: "Clear the notes", Description: "Removes all notes for good.",
		SideEffect: bus.Destructive, InputSchema: json.RawMessage(`{"type":"object"}`),
		Handler: func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
			call.Summarize("Remove 2 notes")
			return json.RawMessage(`{"removed":2}`), nil
		},
	})
	r := b.Invoke(context.Background(), bus.Invocation{Capability: "notes.clear", IdempotencyKey: "1",
		Caller: bus.Caller{Type: bus.CallerAgent}, Principal: bus.Principal{ID: "kim"}})
	fmt.Println(r.Status, string(r.Data))
	// Output:
	// Remove 2 notes? Yes.
	// success {"removed":2}
}
