package agent_test

import (
	"slices"
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
	r := newRoom(t, m, func(o *agent.Options, _ *policy.Options) { o.MaxToolTokens = 330 })
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
