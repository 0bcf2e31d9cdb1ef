package builtin_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// holds: A3
func TestA3TheTwoSentences(t *testing.T) {
	r := newRoom(t)
	first := r.Say("add two bags of the Guji to Ana's cart")
	want := []string{`catalog.search {"query":"Guji"}`, `customer.search {"query":"Ana"}`,
		`cart.addItem {"customerId":"cus_ana","productId":"prod_guji","quantity":2}`}
	if diff := cmp.Diff(want, first.Calls()); diff != "" {
		t.Fatalf("calls: %s\n%s", diff, first.Text())
	}
	if len(r.Cards) != 0 {
		t.Error("a look-up or a local change was asked about")
	}
	second := r.Say("submit my order to my home address")
	want = []string{`cart.getSummary {}`, `checkout.submit {"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`}
	if diff := cmp.Diff(want, second.Calls()); diff != "" {
		t.Fatalf("calls: %s\n%s", diff, second.Text())
	}
	if len(r.Cards) != 1 {
		t.Fatalf("%d cards", len(r.Cards))
	}
	for _, part := range []string{"Visa ending 4242 (the default)", "A2001", "Thursday, 12 February 2026", "$47.83"} {
		if !strings.Contains(second.Text(), part) {
			t.Errorf("the report lacks %q: %s", part, second.Text())
		}
	}
}

// holds: A3
func TestA3AsksWhenUnsureAndTakesTheAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		first, question string
		choices         []string
		answer, want    string
	}{
		"namesakes": {"open Ben's cart", "Which customer?", []string{"Ben Okafor", "Ben Silva"}, "Silva", `cart.setCustomer {"customerId":"cus_ben2"}`},
		"position":  {"open Ben's cart", "Which customer", []string{"Ben Okafor", "Ben Silva"}, "the first one", `cart.setCustomer {"customerId":"cus_ben1"}`},
		"number":    {"open Ben's cart", "Which customer", []string{"Ben Okafor", "Ben Silva"}, "2", `cart.setCustomer {"customerId":"cus_ben2"}`},
		"products":  {"add two espresso", "Which product", []string{"House Espresso", "Decaf Espresso"}, "House Espresso", `cart.addItem {"productId":"prod_espresso","quantity":2}`},
		"reason": {"cancel order A1001", "Which reason", []string{"no longer needed", "ordered by mistake", "out of stock", "other"}, "it's out of stock",
			`order.cancel {"orderId":"ord_1","reason":"out of stock"}`},
		"unknown address": {"submit the order to the boat", "no shipping address called “boat”", []string{"123 Main St (Home)", "9 Dock Rd (Work)"}, "work",
			`checkout.submit {"paymentMethodId":"pm_visa","shippingAddressId":"addr_w"}`},
		"unknown customer": {"add a guji to Zoe's cart", "no customer called “Zoe”", nil, "Diana", `cart.addItem {"customerId":"cus_diana","productId":"prod_guji","quantity":1}`},
		"open":             {"remove from cart", "Which product", []string{"Guji Natural", "Kenya AA", "House Espresso", "Decaf Espresso"}, "the Kenya", `cart.removeItem {"productId":"prod_kenya"}`},
		"free text":        {"add a note to order A1002", "What is the text?", nil, "Fragile, please ring", `order.addNote {"orderId":"ord_2","text":"Fragile, please ring"}`},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			if strings.HasPrefix(tt.first, "submit") {
				r.Say("add a guji")
			}
			u := r.Say(tt.first)
			if !strings.Contains(u.Text(), tt.question) || !cmp.Equal(choices(u), tt.choices) {
				t.Fatalf("asked %q with %v", u.Text(), choices(u))
			}
			u = r.Say(tt.answer)
			calls := u.Calls()
			if len(calls) == 0 || calls[len(calls)-1] != tt.want {
				t.Errorf("calls %v, said %s", calls, u.Text())
			}
		})
	}
}

// holds: A3
func TestA3AQuestionCanBeLeft(t *testing.T) {
	r := newRoom(t)
	r.Say("open Ben's cart")
	if u := r.Say("never mind"); len(u.Calls()) != 0 || !strings.Contains(u.Text(), "not done it") {
		t.Errorf("%v %s", u.Calls(), u.Text())
	}
	if u := r.Say("Silva"); len(writes(u)) != 0 {
		t.Errorf("an answer after the question was left: %v", u.Calls())
	}
	r.Say("open Ben's cart")
	if u := r.Say("clear the cart"); !cmp.Equal(u.Calls(), []string{"cart.clear {}"}) {
		t.Errorf("a new command: %v", u.Calls())
	}
}

// holds: A3
func TestA3SeveralCommandsInOneSentence(t *testing.T) {
	r := newRoom(t)
	u := r.Say("add two Guji to Ana's cart and then submit the order to home")
	want := []string{`catalog.search {"query":"Guji"}`, `customer.search {"query":"Ana"}`, `cart.addItem {"customerId":"cus_ana","productId":"prod_guji","quantity":2}`,
		`cart.getSummary {}`, `checkout.submit {"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`}
	if diff := cmp.Diff(want, u.Calls()); diff != "" {
		t.Error(diff)
	}
}

// holds: A3
func TestA3AFailureStopsTheRest(t *testing.T) {
	r := newRoom(t)
	u := r.Say("submit the order to home and clear the cart")
	if got := u.Calls(); len(got) != 2 || !strings.Contains(u.Text(), "The cart is empty. Use “Add to cart”") || !strings.Contains(u.Text(), "Not done: Clear the cart.") {
		t.Errorf("%v: %s", got, u.Text())
	}
}

// holds: A3
func TestA3PronounsMeanWhoWasSpokenOf(t *testing.T) {
	r := newRoom(t)
	r.Say("find customer Diana")
	if u := r.Say("add a kenya to her cart"); u.Calls()[len(u.Calls())-1] != `cart.addItem {"customerId":"cus_diana","productId":"prod_kenya","quantity":1}` {
		t.Errorf("her: %v", u.Calls())
	}
	if u := r.Say("add a kenya to my cart"); u.Calls()[len(u.Calls())-1] != `cart.addItem {"productId":"prod_kenya","quantity":1}` {
		t.Errorf("my: %v", u.Calls())
	}
}

// holds: A3
func TestA3SaysWhatItIs(t *testing.T) {
	r := newRoom(t)
	for _, s := range []string{"what can you do?", "who are you?"} {
		if text := r.Say(s).Text(); !strings.Contains(text, "built-in assistant") {
			t.Errorf("%s: %s", s, text)
		}
	}
	if text := r.Say("how do I submit an order?").Text(); !strings.Contains(text, "submit the order to ‹shipping address›") {
		t.Error(text)
	}
}
