package agent_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// A lamp that can be switched by saying so.
func Example() {
	policy := policy.New(policy.Options{})
	options, _, _ := bustest.Options()
	options.Approver = policy
	b := bus.New(options)
	b.MustRegister(bus.Capability{
		Name: "lamp.set", Title: "Switch the lamp", Description: "Switches the lamp on or off.", SideEffect: bus.UIOnly,
		InputSchema: json.RawMessage(
			`{"type":"object","required":["state"],"properties":{"state":{"type":"string","enum":["on","off"]}}}`),
		Handler: func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
			call.Changed("lamp", "The lamp is switched")
			return call.Arguments, nil
		},
		Assistant: bus.Assistant{Phrases: []string{"switch the lamp {state}"}},
	})
	bridge := agent.New(agent.Options{Bus: b, Policy: policy,
		Model: func() model.Model { return builtin.New(nil, nil, nil) }})
	defer bridge.Close()
	turn := agent.Turn{ConversationID: "chat", Text: "Please switch the lamp off.",
		Principal: bus.Principal{ID: "kim"}}
	err := bridge.Send(context.Background(), turn, func(u agent.Update) {
		switch u.Type {
		case agent.UpdateCall:
			fmt.Println(u.Capability, string(u.Arguments))
		case agent.UpdateMessage:
			fmt.Println(u.Text)
		}
	})
	fmt.Println(err)
	// Output:
	// lamp.set {"state":"off"}
	// The lamp is switched. State: off.
	// <nil>
}
