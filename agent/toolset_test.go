package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

func toolNames(r model.Request) []string {
	var names []string
	for _, tool := range r.Tools {
		names = append(names, tool.Capability)
	}
	return names
}

// holds: M3
func TestM3WhatWasDescribedIsAToolFromTheNextRequestOn(t *testing.T) {
	m := &script{Steps: []step{
		reply("", use("a", "capability_list", `{"query":"theme"}`)),
		reply("", use("b", "capability_describe", `{"name":"theme.set"}`)),
		reply("", use("c", "theme_set", `{"theme":"dark"}`)),
		reply("dark it is"),
	}}
	r := newRoom(t, m, func(o *agent.Options, _ *policy.Options) { o.MaxToolTokens = 600 })
	r.Bus.MustRegister(bus.Capabilities()...)
	r.Say("hm")
	r.Say("thank you")
	first := toolNames(m.Requests[0])
	if len(first) < 5 || slices.Contains(first, "theme.set") || !slices.Contains(first, "capability.describe") {
		t.Fatalf("offered at first: %v", first)
	}
	if d := cmp.Diff(first, toolNames(m.Requests[1])); d != "" {
		t.Errorf("a search changed the tools:\n%s", d)
	}
	for i, req := range m.Requests[2:] {
		got := toolNames(req)
		if got[len(got)-1] != "theme.set" || !slices.Equal(got[:len(got)-1], first[:len(got)-1]) {
			t.Errorf("request %d: %v\nat first %v", i+2, got, first)
		}
	}
	if row := r.Journal.Row("done", "theme.set"); row == nil {
		t.Errorf("the described tool did not run: %v", m.Results(t))
	}
}

// TestM3WhatIsDescribedIsCalledAToolOnlyIfItIsOne: the description of a capability does not ask the model to make a
// call that is forbidden to it.
//
// holds: M3
func TestM3WhatIsDescribedIsCalledAToolOnlyIfItIsOne(t *testing.T) {
	forbidden := capability("vault.open", "Open the vault", bus.UIOnly, object("", ""), agenttest.ShowCart)
	forbidden.Checks.Access.Agent = bus.RuleDeny
	for name, tt := range map[string]struct {
		autonomy policy.Autonomy
		want     string
	}{
		"theme.set":  {"", "It is among your tools from now on."},
		"vault.open": {"", "You may not call it, and it is not among your tools: a person can do it by hand."},
		"order.get":  {policy.LookOnly, "It is among your tools from now on."},
		"theme.show": {policy.LookOnly, "You may not call it, and it is not among your tools: a person can do it by hand."},
	} {
		m := &script{Steps: []step{reply("", use("b", "capability_describe", `{"name":"`+name+`"}`)), reply("I see")}}
		r := newRoom(t, m)
		show := capability("theme.show", "Show", bus.UIOnly, object("", ""), agenttest.ShowCart)
		r.Bus.MustRegister(append(bus.Capabilities(), forbidden, show)...)
		if err := r.Bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "hm", Principal: kim,
			Autonomy: tt.autonomy}, func(agent.Update) {}); err != nil {
			t.Fatal(err)
		}
		data, _ := m.Results(t)[0]["data"].(map[string]any)
		if data["note"] != tt.want {
			t.Errorf("%s: the model is told %v", name, data)
		}
	}
}

// holds: M2
func TestM2ToolsKeepTheirOrderWhileTheWorldChanges(t *testing.T) {
	m := &script{Steps: []step{reply("", use("a", "cart_addItem", `{"productId":"guji","quantity":1}`)), reply("done")}}
	r := newRoom(t, m)
	r.Say("add one")
	before := toolNames(m.Last())
	late := capability("aaa.first", "First by name", bus.Pure, object("", ""), nil)
	late.Handler = agenttest.ShowCart
	r.Bus.MustRegister(late)
	r.Say("and now?")
	if d := cmp.Diff(append(before, "aaa.first"), toolNames(m.Last())); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestM2WithinATurnToolsAreOnlyAppended: a description or a call never changes the tools that the model already has, so
// that the endpoint can reuse the beginning of the prompt. For a tool with a short description the result has the full
// one.
//
// holds: M2
func TestM2WithinATurnToolsAreOnlyAppended(t *testing.T) {
	for _, size := range []int{0, 6000, 9000} {
		m := &script{Steps: []step{
			reply("", use("a", "capability_list", `{"query":"thing"}`)),
			reply("", use("b", "capability_describe", `{"name":"aa40.thing"}`), use("c", "capability_describe", `{"name":"aa41.thing"}`)),
			reply("", use("d", "aa42_thing", `{}`), use("e", "capability_describe", `{"name":"order.search"}`)),
			reply("", use("g", "capability_describe", `{"name":"aa43.thing"}`), use("h", "capability_describe", `{"name":"aa44.thing"}`),
				use("i", "capability_describe", `{"name":"aa45.thing"}`)),
			reply("", use("f", "aa40_thing", `{}`)), reply("done")}}
		r := newRoom(t, small{m, size}, func(o *agent.Options, _ *policy.Options) { o.MaxToolTokens = 1100 })
		r.Bus.MustRegister(bus.Capabilities()...)
		r.Bus.MustRegister(filler(60)...)
		r.Say("hm")
		for i, req := range m.Requests[1:] {
			before := m.Requests[i].Tools
			if d := cmp.Diff(before, req.Tools[:min(len(before), len(req.Tools))]); d != "" {
				t.Errorf("with %d, request %d changed what was told:\n%s", size, i+1, d)
			}
		}
		last := toolNames(m.Last())
		for _, name := range []string{"aa40.thing", "aa41.thing", "order.search"} {
			if !slices.Contains(last, name) {
				t.Errorf("with %d, %s is no tool: %v", size, name, last)
			}
		}
		for _, told := range m.Results(t) {
			data, _ := told["data"].(thing)
			if data["name"] == "order.search" && data["parameters"] == nil {
				t.Errorf("with %d, a tool in few words is described as %v", size, data)
			}
		}
	}
}

// TestM2TheCoreIsWhatPeopleHaveWordsFor: an application that lists no core gets the capabilities with the most examples.
func TestM2TheCoreIsWhatPeopleHaveWordsFor(t *testing.T) {
	for _, usual := range [][]string{nil, {"aa7.thing"}} {
		m := &script{Steps: []step{reply("hm")}}
		r := newRoom(t, m, func(o *agent.Options, _ *policy.Options) {
			o.Core = func(context.Context) []string { return usual }
		})
		r.Bus.MustRegister(bus.Capabilities()...)
		said := filler(60)
		said[50].Assistant.Phrases = slices.Repeat([]string{"hoist the crane", "lift the crane"}, 50)
		r.Bus.MustRegister(said...)
		r.Say("hm")
		first := "aa50.thing"
		if len(usual) > 0 {
			first = usual[0]
		}
		want := []string{"", "capability.list", "capability.describe", first}
		if got := toolNames(m.Last()); !slices.Equal(got[:len(want)], want) || len(usual) > 0 && len(got) != len(want) {
			t.Errorf("usual %v: %v", usual, got)
		}
	}
}

// TestM2AConversationChangesItsToolsThreeTimes: the third change adds the tool that calls all others by name, and then
// the tools stay. A call by name has the card, the record and the mended slips of the capability that it names, and the
// model gets it back in the form in which it made it.
//
// holds: M2 M3
func TestM2AConversationChangesItsToolsThreeTimes(t *testing.T) {
	var steps []step
	for i := range 10 {
		steps = append(steps, reply("", use("", "capability_describe", fmt.Sprintf(`{"name":"aa%d.thing"}`, 40+i))), reply("I see."))
	}
	m := &script{Steps: append(steps,
		reply("", use("a", "capability_call", `{"name":"aa9.thing","arguments":{"one":"x"}}`),
			use("b", "capability_call", `{"name":"theme_set","arguments":"{\"theme\":\"Dark\"}"}`),
			use("c", "capability_call", `{"name":"capability_call","arguments":{}}`),
			use("d", "capability_call", `{"arguments":{}}`)), reply("Done."), reply("Bye."))}
	r := newRoom(t, small{m, 6000}, func(o *agent.Options, _ *policy.Options) { o.MaxToolTokens = 1100 })
	r.Bus.MustRegister(bus.Capabilities()...)
	r.Bus.MustRegister(filler(60)...)
	for i := range 10 {
		r.Say(fmt.Sprintf("tell me of thing %d", 20+i))
	}
	r.Say("do them")
	done := m.Results(t)
	r.Say("and thing 55?")
	changes := 0
	for i, req := range m.Requests[1:] {
		if !cmp.Equal(m.Requests[i].Tools, req.Tools) {
			changes++
		}
	}
	tools := toolNames(m.Last())
	if changes > 3 || tools[len(tools)-1] != "capability.call" {
		t.Errorf("%d changes, then %v", changes, tools)
	}
	for i, want := range []string{"success", "success", "error", "error"} {
		if done[len(done)-4+i]["status"] != want {
			t.Errorf("call %d: %v", i, done[len(done)-4+i])
		}
	}
	if row := r.Journal.Row("done", "theme.set"); row == nil || row["arguments"] != `{"theme":"dark"}` {
		t.Errorf("no record of the call by name: %v", row)
	}
	for _, msg := range m.Last().Messages {
		for _, c := range msg.Calls {
			if c.Tool != "capability_call" && !slices.Contains(tools, strings.ReplaceAll(c.Tool, "_", ".")) {
				t.Errorf("the model is sent back a call of %s, which it is not given", c.Tool)
			}
		}
	}
	if said := m.Last().Messages[len(m.Last().Messages)-1].Context; !strings.Contains(said, "by capability_call: aa55_thing") {
		t.Errorf("the model is not told what the sentence may be about: %s", said)
	}
}

// TestA13WhatWasDoneInTurnsThatAreLeftOutIsTold: the note about left-out turns lists their changes in the words of the
// results. It has no results of look-ups.
//
// holds: A13
func TestA13WhatWasDoneInTurnsThatAreLeftOutIsTold(t *testing.T) {
	m := &script{Steps: []step{reply("", use("a", "cart_addItem", `{"productId":"guji","quantity":1}`)), reply("Added.")}}
	for range 12 {
		m.Steps = append(m.Steps, reply("", use("", "aa1_thing", `{}`)), reply(strings.Repeat("long ", 40)))
	}
	r := newRoom(t, small{m, 3000})
	r.Bus.MustRegister(filler(12)...)
	r.Say("add one")
	told := ""
	for range 12 {
		if r.Say("look at the first"); len(m.Last().Messages) > 0 {
			told = m.Last().Messages[0].Context
		}
	}
	if !strings.Contains(told, "earlier turns; done in them:\n- 1 × guji added\n") || strings.Contains(told, "row_1") {
		t.Errorf("told %q", told)
	}
}
