package builtin_test

import (
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/google/go-cmp/cmp"
)

// Provenance is a conversation: its sentences, the expected reply before the last one, and the calls after it.
type Provenance struct {
	said    []string
	asks    string   // part of the answer to the last but one
	choices []string // offered with it
	want    []string // the writes of the last one
}

func choices(u agenttest.Turn) []string {
	var list []string
	for _, x := range u {
		for _, choice := range x.Choices {
			for _, o := range choice.Options {
				list = append(list, o.Title)
			}
		}
	}
	return list
}

// writes lists the calls of a turn that are more than look-ups.
func writes(u agenttest.Turn) []string {
	var list []string
	for _, x := range u {
		if x.Type == agent.UpdateCall && x.SideEffect != "pure" {
			list = append(list, x.Capability+" "+string(x.Arguments))
		}
	}
	return list
}

// holds: A3
func TestA3ATalk(t *testing.T) {
	for name, tt := range map[string]Provenance{
		// The assistant asks about a name that only begins with the words of the person.
		"near, tapped":  {[]string{"open Jon's cart", "Þóra Jónsdóttir"}, "Did you mean Þóra Jónsdóttir?", []string{"Þóra Jónsdóttir"}, []string{`cart.setCustomer {"customerId":"cus_thora"}`}},
		"near, no":      {[]string{"the customer is Al", "no"}, "Did you mean Fatima Al-Sayed?", []string{"Fatima Al-Sayed"}, nil},
		"near, another": {[]string{"the customer is Ann", "Diana"}, "", nil, []string{`cart.setCustomer {"customerId":"cus_diana"}`}},

		// A size that the product does not have, and then the quantity.

		// The assistant keeps the values of earlier sentences and asks for the missing ones.
		"quantity kept":         {[]string{"add four espresso to Ana's cart", "decaf"}, "Which product", []string{"House Espresso", "Decaf Espresso"}, []string{`cart.addItem {"customerId":"cus_ana","productId":"prod_decaf","quantity":4}`}},
		"article kept":          {[]string{"add an espresso to Ana's cart", "decaf"}, "Which product", []string{"House Espresso", "Decaf Espresso"}, []string{`cart.addItem {"customerId":"cus_ana","productId":"prod_decaf","quantity":1}`}},
		"quantity in answer":    {[]string{"add sumatra", "two kenya"}, "There is no product called “sumatra”", nil, []string{`cart.addItem {"productId":"prod_kenya","quantity":2}`}},
		"quantity asked":        {[]string{"add guji to Ana's cart", "3"}, "How many?", []string{"1", "2", "3"}, []string{`cart.addItem {"customerId":"cus_ana","productId":"prod_guji","quantity":3}`}},
		"asked after the name":  {[]string{"add espresso", "House Espresso", "five"}, "How many?", []string{"1", "2", "3"}, []string{`cart.addItem {"productId":"prod_espresso","quantity":5}`}},
		"reason in other words": {[]string{"cancel order A1001", "she moved away"}, "Which reason", []string{"no longer needed", "ordered by mistake", "out of stock", "other"}, []string{`order.cancel {"note":"she moved away","orderId":"ord_1","reason":"other"}`}},
		"the rest is done":      {[]string{"Open Ben's cart. Clear the cart.", "Silva"}, "Which customer", []string{"Ben Okafor", "Ben Silva"}, []string{`cart.setCustomer {"customerId":"cus_ben2"}`, `cart.clear {}`}},
		"and nothing more":      {[]string{"Open Ben's cart. Frobnicate.", "Silva"}, "Which customer", []string{"Ben Okafor", "Ben Silva"}, []string{`cart.setCustomer {"customerId":"cus_ben2"}`}},

		// A sentence that is no answer to the question.
		"a fresh command":    {[]string{"add four espresso", "clear the cart"}, "Which product", []string{"House Espresso", "Decaf Espresso"}, []string{`cart.clear {}`}},
		"a fresh look-up":    {[]string{"add four sumatra", "show the cart"}, "There is no product", nil, nil},
		"an unknown verb":    {[]string{"add four sumatra", "delete the kenya"}, "There is no product", nil, nil},
		"a long story":       {[]string{"add four sumatra", "well you know it is that one kenya thing we had on the shelf last week next to the window with the blue label"}, "There is no product", nil, nil},
		"a second thought":   {[]string{"open Ben's cart", "Silva if she is there"}, "Which customer", []string{"Ben Okafor", "Ben Silva"}, nil},
		"agreeing to no-one": {[]string{"open Ben's cart", "yes"}, "Which customer", []string{"Ben Okafor", "Ben Silva"}, nil},

		// References to an earlier sentence or result.
		"that order":     {[]string{"show order A1002", "cancel that order because ordered by mistake"}, "A1001", nil, []string{`order.cancel {"orderId":"ord_2","reason":"ordered by mistake"}`}},
		"it":             {[]string{"show order A1002", "cancel it because out of stock"}, "A1001", nil, []string{`order.cancel {"orderId":"ord_2","reason":"out of stock"}`}},
		"one was found":  {[]string{"find order A1003", "cancel that order because out of stock"}, "A1003", nil, []string{`order.cancel {"orderId":"ord_3","reason":"out of stock"}`}},
		"several found":  {[]string{"orders of Ana", "cancel that order because out of stock"}, "A1003", nil, nil},
		"the last found": {[]string{"orders of Ana", "cancel the last order because out of stock"}, "A1003", nil, []string{`order.cancel {"orderId":"ord_1","reason":"out of stock"}`}},
		"her last order": {[]string{"find customer Ana", "cancel her last order because out of stock"}, "Ana Ruiz", nil, []string{`order.cancel {"orderId":"ord_1","reason":"out of stock"}`}},
		"her cart":       {[]string{"orders of Diana", "add a kenya to her cart"}, "No orders", nil, []string{`cart.addItem {"customerId":"cus_diana","productId":"prod_kenya","quantity":1}`}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			var before, last agenttest.Turn
			for _, s := range tt.said {
				before, last = last, r.Say(s)
			}
			if !strings.Contains(before.Text(), tt.asks) || !cmp.Equal(choices(before), tt.choices) {
				t.Errorf("before: %q with %q", before.Text(), choices(before))
			}
			if diff := cmp.Diff(tt.want, writes(last)); diff != "" {
				t.Errorf("%s\n%s", diff, last.Text())
			}
			if strings.Contains(last.Text(), "next to the window") {
				t.Errorf("echoed: %s", last.Text())
			}
		})
	}
}

// holds: A3
func TestA3TheKindOfThingDecides(t *testing.T) {
	r := newRoom(t)
	r.Say("find customer Ana") // which also finds Diana
	calls := r.Say("show her last order").Calls()
	if len(calls) == 0 || calls[len(calls)-1] != `order.get {"orderId":"ord_1"}` {
		t.Error(calls)
	}
}

// holds: A3
func TestA3WhatMayBeSeveralKindsIsTriedAsEach(t *testing.T) {
	r := newRoom(t)
	for said, want := range map[string]string{"show Ana": `customer.get {"customerId":"cus_ana"}`, "show A1003": `order.get {"orderId":"ord_3"}`} {
		if calls := r.Say(said).Calls(); len(calls) == 0 || calls[len(calls)-1] != want {
			t.Errorf("%s: %v", said, calls)
		}
	}
}

// holds: A3
func TestA3SeveralThingsAreSeveralCalls(t *testing.T) {
	r := newRoom(t)
	want := []string{`cart.addItem {"customerId":"cus_ana","productId":"prod_guji","quantity":2}`, `cart.addItem {"customerId":"cus_ana","productId":"prod_kenya","quantity":3}`,
		`cart.addItem {"customerId":"cus_ana","productId":"prod_decaf","quantity":1}`}
	if diff := cmp.Diff(want, writes(r.Say("add two Guji, 3 Kenya and a decaf to Ana's cart"))); diff != "" {
		t.Error(diff)
	}
}
