package bus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/bus"
)

// The manifest tells a palette, a model or a generator what can be done now, and
// of what cannot, why.
func ExampleBus_Manifest() {
	tear := addNote()
	tear.Name, tear.Title = "note.tear", "Tear out a page"
	tear.Checks.Available = func(context.Context, *bus.Call) error {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "The pad is empty.")
	}
	b, _ := newBus(addNote(), tear)
	m, err := b.Manifest(context.Background(), bus.View{Caller: bus.CallerUI, Principal: bus.Principal{ID: "kim"}})
	if err != nil {
		fmt.Println(err)
	}
	for _, e := range m.Capabilities {
		fmt.Printf("%s %s available=%v %q\n", e.Name, e.SideEffect, e.Available, e.UnavailableReason)
	}
	// Output:
	// note.add ui-only available=true ""
	// note.tear ui-only available=false "The pad is empty."
}

// The manifest of another application is read as it is.
func ExampleManifest_UnmarshalJSON() {
	var m bus.Manifest
	err := m.UnmarshalJSON([]byte(
		`{"schema_version":"0.2.0","application":{"name":"pad","version":"1"},"generated_at":"2026-03-02T09:00:00Z",
		"capabilities":[{"name":"note.add","description":"Adds a note.","side_effect":"harmless","available":true}]}`))
	fmt.Println(err)
	// Output:
	// VALIDATION: That is not a manifest: /capabilities/0/side_effect: value must be one of 'pure', 'ui-only', 'network', 'destructive'.
}

// Tools are what a model is given; their names lead back to capabilities.
func ExampleManifest_Tools() {
	b, _ := newBus(addNote())
	m, err := b.Manifest(context.Background(), bus.View{Caller: bus.CallerAgent})
	if err != nil {
		fmt.Println(err)
	}
	tools, err := m.Tools()
	for _, tool := range tools {
		fmt.Println(tool.Name, "is", tool.Capability, err)
		fmt.Println(string(tool.Parameters))
	}
	// Output:
	// note_add is note.add <nil>
	// {"additionalProperties":false,"properties":{"text":{"description":"What to remember.","type":"string"}},"required":["text"],"type":"object"}
}

// With discovery, a model finds what the tools it was given leave out.
func ExampleCapabilities() {
	b, _ := newBus(addNote())
	b.MustRegister(bus.Capabilities()...)
	inv := by("capability.list", `{"query":"remember something on the pad"}`)
	inv.Caller.Type = bus.CallerAgent
	var found struct {
		Capabilities []struct {
			Name   string `json:"name"`
			Status string `json:"grant_status"`
		} `json:"capabilities"`
	}
	if err := json.Unmarshal(b.Invoke(context.Background(), inv).Data, &found); err != nil {
		fmt.Println(err)
	}
	fmt.Println(found.Capabilities)
	// Output:
	// [{note.add granted}]
}

// NextActions needs no model: what usually followed comes first.
func ExampleBus_NextActions() {
	file := addNote()
	file.Name, file.Title = "note.file", "File the note"
	b, _ := newBus(addNote(), file)
	recent := []bus.Invocation{{Capability: "note.add"}, {Capability: "note.file"}, {Capability: "note.add"}}
	next, err := b.NextActions(context.Background(),
		bus.View{Caller: bus.CallerUI, Principal: bus.Principal{ID: "kim"}}, recent)
	var titles []string
	for _, e := range next {
		titles = append(titles, e.Title)
	}
	fmt.Println(strings.Join(titles, ", "), err)
	// Output:
	// File the note, Add a note <nil>
}
