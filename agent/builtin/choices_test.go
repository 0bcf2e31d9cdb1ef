package builtin_test

import (
	"context"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// TestB13TheBuiltInAsksWhatARefusalHasChoicesFor: and calls with the value of the option that is chosen.
//
// holds: B13
func TestB13TheBuiltInAsksWhatARefusalHasChoicesFor(t *testing.T) {
	for name, answer := range map[string]string{
		"tapped": "Green leaves", "in other words": "the green one", "by number": "1"} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			r.Bus.MustRegister(bus.Define(bus.Capability{Name: "tea.brew", Title: "Brew tea", Description: "Brews.",
				SideEffect: bus.UIOnly, Assistant: bus.Assistant{Phrases: []string{"brew some tea"}}},
				func(_ context.Context, _ *bus.Call, in struct {
					Sort string `json:"sort,omitempty"`
				}) (struct{}, error) {
					if in.Sort == "" {
						return struct{}{}, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "There are several teas.").
							WithChoice("sort", bus.Option{Value: "tea_1", Title: "Green leaves"},
								bus.Option{Value: "tea_2", Title: "Black leaves"})
					}
					return struct{}{}, nil
				}))
			asked := r.Say("brew some tea")
			if got := choices(asked); !cmp.Equal(got, []string{"Green leaves", "Black leaves"}) {
				t.Fatalf("%s, with %q", asked.Text(), got)
			}
			if got := writes(r.Say(answer)); !cmp.Equal(got, []string{`tea.brew {"sort":"tea_1"}`}) {
				t.Errorf("called %q", got)
			}
		})
	}
}
