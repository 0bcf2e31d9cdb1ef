package builtin_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// One phrase with a slot is enough for the assistant to understand a tool.
func Example() {
	reply, err := builtin.New(nil, nil, nil).Stream(context.Background(), model.Request{
		Messages: []model.Message{{Role: model.RoleUser, Text: "Please switch the lamp off."}},
		Tools: []model.Tool{{Name: "lamp_set", Capability: "lamp.set", Title: "Switch the lamp", SideEffect: bus.UIOnly,
			Phrases: []string{"switch the lamp {state}"},
			Input:   json.RawMessage(`{"type":"object","properties":{"state":{"type":"string","enum":["on","off"]}}}`)}},
	}, func(model.Delta) {})
	fmt.Println(reply.Calls[0].Tool, string(reply.Calls[0].Arguments), err)
	// Output: lamp_set {"state":"off"} <nil>
}
