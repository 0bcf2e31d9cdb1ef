package agent_test

import (
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/google/go-cmp/cmp"
)

// holds: A16
func TestA16SuggestionsAreButtonsAndDoNothing(t *testing.T) {
	m := &script{Steps: []step{reply("", use("a", "catalog_search", `{"query":"Guji"}`)),
		reply("", use("b", "suggest_next_steps",
			`{"suggestions":[{"tool":"cart_addItem","arguments":{"quantity":2,"productId":"prod_guji"}},{"tool":"cart_clear"}]}`)), reply("Anything else?")}}
	r := newRoom(t, m)
	u := r.Say("what is there?")
	want := []agent.Suggestion{
		{Capability: "cart.addItem", Title: "Add to cart", Text: "Add to cart: Product Guji Natural, Quantity 2",
			Arguments: raw(`{"productId":"prod_guji","quantity":2}`), ParentRequestID: "turn_1"},
		{Capability: "cart.clear", Title: "Clear the cart", Text: "Clear the cart", Arguments: raw(`{}`),
			ParentRequestID: "turn_1"},
	}
	if d := cmp.Diff(want, u.Ended().Suggestions); d != "" {
		t.Error(d)
	}
	if n := len(r.Journal.Entries()); n != 1 || len(u.Calls()) != 1 {
		t.Errorf("%d records, calls %v", n, u.Calls())
	}
}

// holds: A16
func TestA16WhatCannotBeTappedIsRefused(t *testing.T) {
	for name, args := range map[string]string{
		"none":               `{"suggestions":[]}`,
		"too many":           `{"suggestions":[{"tool":"cart_clear"},{"tool":"cart_clear"},{"tool":"cart_clear"},{"tool":"cart_clear"},{"tool":"cart_clear"}]}`,
		"no tool":            `{"suggestions":[{"tool":"order_rush"}]}`,
		"itself":             `{"suggestions":[{"tool":"suggest_next_steps"}]}`,
		"without arguments":  `{"suggestions":[{"tool":"cart_addItem"}]}`,
		"unknown arguments":  `{"suggestions":[{"tool":"cart_clear","arguments":{"really":true}}]}`,
		"arguments a list":   `{"suggestions":[{"tool":"cart_clear","arguments":[]}]}`,
		"something else":     `{"buttons":1}`,
		"one good, one not":  `{"suggestions":[{"tool":"cart_clear"},{"tool":"order_rush"}]}`,
		"suggestions a text": `{"suggestions":"cart_clear"}`,
	} {
		t.Run(name, func(t *testing.T) {
			m := &script{Steps: []step{reply("", use("b", "suggest_next_steps", args)), reply("hm")}}
			u := newRoom(t, m).Say("go")
			if u.Ended().Suggestions != nil || m.Results(t)[0]["status"] != "error" {
				t.Errorf("%+v %v", u.Ended(), m.Results(t))
			}
		})
	}
}
