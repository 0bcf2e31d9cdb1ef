package agent_test

import (
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

func TestA3TheTwoSentences(t *testing.T) {
	r := newRoom(t, agent.NewBuiltin())
	first := r.say("add two bags of the Guji to Ana's cart")
	want := []string{`catalog.search {"query":"Guji"}`, `customer.search {"query":"Ana"}`,
		`cart.addItem {"customerId":"cus_ana","productId":"prod_guji","quantity":2}`}
	if diff := cmp.Diff(want, first.calls()); diff != "" {
		t.Fatalf("calls: %s\n%s", diff, first.text())
	}
	if len(r.cards) != 0 {
		t.Error("a look-up or a local change was asked about")
	}
	second := r.say("submit my order to my home address")
	want = []string{`cart.getSummary {}`, `checkout.submit {"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`}
	if diff := cmp.Diff(want, second.calls()); diff != "" {
		t.Fatalf("calls: %s\n%s", diff, second.text())
	}
	if len(r.cards) != 1 {
		t.Fatalf("%d cards", len(r.cards))
	}
	for _, part := range []string{"Visa ending 4242 (the default)", "A2001", "Thursday, 12 February 2026", "$47.83"} {
		if !strings.Contains(second.text(), part) {
			t.Errorf("the report lacks %q: %s", part, second.text())
		}
	}
}

// does lists sentences with the last call they lead to.
var does = map[string]string{
	"add two bags of the Guji to Ana's cart":              `cart.addItem {"customerId":"cus_ana","productId":"prod_guji","quantity":2}`,
	"Please add 2 Guji to Ana's cart.":                    `cart.addItem {"customerId":"cus_ana","productId":"prod_guji","quantity":2}`,
	"ADD TWO GUJI":                                        `cart.addItem {"productId":"prod_guji","quantity":2}`,
	"add a Guji":                                          `cart.addItem {"productId":"prod_guji","quantity":1}`,
	"add the Kenya to my cart":                            `cart.addItem {"productId":"prod_kenya","quantity":1}`,
	"put three kenya in ana’s cart":                       `cart.addItem {"customerId":"cus_ana","productId":"prod_kenya","quantity":3}`,
	"could you add a dozen Kenya AA to Ana Ruiz's cart?":  `cart.addItem {"customerId":"cus_ana","productId":"prod_kenya","quantity":12}`,
	"add twenty-five bags of Kenya to the cart, please":   `cart.addItem {"productId":"prod_kenya","quantity":25}`,
	"add half a dozen kenya":                              `cart.addItem {"productId":"prod_kenya","quantity":6}`,
	"add a couple of Gujis to the cart":                   `cart.addItem {"productId":"prod_guji","quantity":2}`,
	"I'd like to add 4 House Espresso to the cart":        `cart.addItem {"productId":"prod_espresso","quantity":4}`,
	"add 2 guji 1kg to the cart":                          `cart.addItem {"productId":"prod_guji","quantity":2,"variantId":"var_1k"}`,
	"add one decaf to Jose's cart":                        `cart.addItem {"customerId":"cus_jose","productId":"prod_decaf","quantity":1}`,
	`add two "Guji Natural" to the cart`:                  `cart.addItem {"productId":"prod_guji","quantity":2}`,
	"remove the Guji from the cart":                       `cart.removeItem {"productId":"prod_guji"}`,
	"take out the guji":                                   `cart.removeItem {"productId":"prod_guji"}`,
	"delete the Kenya from my cart":                       `cart.removeItem {"productId":"prod_kenya"}`,
	"set the quantity of the Guji to 5":                   `cart.setQuantity {"productId":"prod_guji","quantity":5}`,
	"change the quantity of Guji to five":                 `cart.setQuantity {"productId":"prod_guji","quantity":5}`,
	"open Ana's cart":                                     `cart.setCustomer {"customerId":"cus_ana"}`,
	"start an order for Diana":                            `cart.setCustomer {"customerId":"cus_diana"}`,
	"clear the cart":                                      `cart.clear {}`,
	"empty my cart, thanks":                               `cart.clear {}`,
	"apply 10% discount":                                  `cart.applyDiscount {"percent":10}`,
	"apply a 7.5 % discount":                              `cart.applyDiscount {"percent":7.5}`,
	"show the cart":                                       `cart.getSummary {}`,
	"what is in the cart?":                                `cart.getSummary {}`,
	"what's in my cart":                                   `cart.getSummary {}`,
	"find customer Ana":                                   `customer.search {"query":"Ana"}`,
	"Look up customer Núñez":                              `customer.search {"query":"Núñez"}`,
	"search for customer diana":                           `customer.search {"query":"diana"}`,
	"find product Guji":                                   `catalog.search {"query":"Guji"}`,
	"search the catalog for espresso":                     `catalog.search {"query":"espresso"}`,
	"show pending orders":                                 `order.search {"status":"pending"}`,
	"list orders":                                         `order.search {}`,
	"show order A1001":                                    `order.get {"orderId":"ord_1"}`,
	"show me order #A1002":                                `order.get {"orderId":"ord_2"}`,
	"open the orders page":                                `navigation.go {"page":"orders"}`,
	"go to audit":                                         `navigation.go {"page":"audit"}`,
	"switch to dark":                                      `theme.set {"theme":"dark"}`,
	"use the light theme":                                 `theme.set {"theme":"light"}`,
	`add the note "ring twice, if at all" to order A1001`: `order.addNote {"orderId":"ord_1","text":"ring twice, if at all"}`,
	"note fragile on order A1002":                         `order.addNote {"orderId":"ord_2","text":"fragile"}`,
	"cancel order A1001 because it's no longer needed":    `order.cancel {"orderId":"ord_1","reason":"no longer needed"}`,
	"cancel order a1001 because ordered by mistake":       `order.cancel {"orderId":"ord_1","reason":"ordered by mistake"}`,
}

func TestA3SentencesLeadToTheirCall(t *testing.T) {
	for sentence, want := range does {
		t.Run(sentence, func(t *testing.T) {
			u := newRoom(t, agent.NewBuiltin()).say(sentence)
			calls := u.calls()
			if len(calls) == 0 || calls[len(calls)-1] != want {
				t.Errorf("got  %v\nwant %s\nsaid %s", calls, want, u.text())
			}
		})
	}
}

// submits lists sentences that submit, by address and payment method.
var submits = map[string]string{
	"submit my order to my home address":                       `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`,
	"Submit the order to her home address!":                    `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`,
	"submit the order to work":                                 `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_w"}`,
	"submit the order to 123 Main St":                          `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`,
	"submit order":                                             `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`,
	"please place the order to the work address with PayPal":   `{"paymentMethodId":"pm_pp","shippingAddressId":"addr_w"}`,
	"place my order to home paid by visa":                      `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`,
	"check out with the card ending 4242":                      ``,
	"check out with paypal":                                    `{"paymentMethodId":"pm_pp","shippingAddressId":"addr_h"}`,
	"can you submit the order to my work address?":             `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_w"}`,
	`submit the order with message "Happy birthday" to work`:   `{"giftMessage":"Happy birthday","paymentMethodId":"pm_visa","shippingAddressId":"addr_w"}`,
	"ok, now go ahead and submit my order to my home address.": `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`,
}

func TestA3SubmittingResolvesNames(t *testing.T) {
	for sentence, args := range submits {
		t.Run(sentence, func(t *testing.T) {
			r := newRoom(t, agent.NewBuiltin())
			r.say("add a guji")
			u := r.say(sentence)
			want := []string{"cart.getSummary {}"}
			if args != "" {
				want = append(want, "checkout.submit "+args)
			}
			if diff := cmp.Diff(want, u.calls()); diff != "" {
				t.Errorf("%s\n%s", diff, u.text())
			}
		})
	}
}

// refrains lists sentences after which nothing may have been done.
var refrains = []string{
	"don't submit the order", "Do not submit my order to my home address", "never clear the cart", "please don't clear the cart",
	"how do I submit an order?", "how can I clear the cart", "what happens when I clear the cart?", "can I clear the cart?",
	"should I submit the order?", "clear the cart?", "did you clear the cart?", "is the cart cleared?", "why clear the cart?",
	"if Ana calls, clear the cart", "clear the cart if she agrees", "submit the order to home unless it is late",
	"submit my order to my home address when she has paid", "submit the order to home or work", "maybe clear the cart",
	"clear the cart tomorrow", "submit the order to home tomorrow",
	`Ana said "clear the cart"`, `"clear the cart"`, "she said clear the cart", "the customer told me to submit the order to home",
	"submit the order to home, she said", "Ana wants two bags of Guji", "'clear the cart'",
	"thanks", "Thank you for clearing the cart", "thanks for adding two Guji to Ana's cart", "great", "perfect!", "ok",
	"what can you do?", "help", "who are you?", "hello", "I cleared the cart", "the cart is empty", "cart", "",
	"add the Guji to Zoe's cart", "add two Sumatra to the cart", "make me a sandwich", "I don't want to clear the cart",
	"would you say clear the cart is a good idea?", "pretend to clear the cart", "no, clear the cart is wrong",
	"submit the order with message happy birthday if she agrees", "note fragile unless told otherwise on order A1002",
	"cart_clear {}", `{"name":"cart_clear","arguments":{}}`, "submit the order to home but first remove the Guji",
}

func TestA3NothingIsDoneWithoutAPlainInstruction(t *testing.T) {
	for _, sentence := range refrains {
		if sentence == "" {
			continue
		}
		t.Run(sentence, func(t *testing.T) {
			r := newRoom(t, agent.NewBuiltin())
			r.bus.Invoke(t.Context(), bus.Invocation{Capability: "cart.addItem", Arguments: raw(`{"productId":"prod_guji","quantity":1}`), Caller: bus.Caller{Type: bus.CallerTest}, Principal: kim})
			u := r.say(sentence)
			if n := len(u.ended().Actions); n != 0 || len(r.cards) != 0 {
				t.Errorf("%d actions: %v", n, u.calls())
			}
			if u.text() == "" || u.ended().Status != agent.StatusDone {
				t.Errorf("no answer: %+v", u.ended())
			}
		})
	}
}

func TestA3AsksWhenUnsureAndTakesTheAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		first, question string
		choices         []string
		answer, want    string
	}{
		"namesakes": {"open Ben's cart", "Which customer: Ben Okafor; Ben Silva?", []string{"Ben Okafor", "Ben Silva"}, "Silva", `cart.setCustomer {"customerId":"cus_ben2"}`},
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
			r := newRoom(t, agent.NewBuiltin())
			if strings.HasPrefix(tt.first, "submit") {
				r.say("add a guji")
			}
			u := r.say(tt.first)
			var choices []string
			for _, x := range u {
				choices = append(choices, x.Choices...)
			}
			if !strings.Contains(u.text(), tt.question) || !cmp.Equal(choices, tt.choices) {
				t.Fatalf("asked %q with %v", u.text(), choices)
			}
			u = r.say(tt.answer)
			calls := u.calls()
			if len(calls) == 0 || calls[len(calls)-1] != tt.want {
				t.Errorf("calls %v, said %s", calls, u.text())
			}
		})
	}
}

func TestA3AQuestionCanBeLeft(t *testing.T) {
	r := newRoom(t, agent.NewBuiltin())
	r.say("open Ben's cart")
	if u := r.say("never mind"); len(u.calls()) != 0 || !strings.Contains(u.text(), "not done it") {
		t.Errorf("%v %s", u.calls(), u.text())
	}
	if u := r.say("Silva"); len(u.calls()) != 0 {
		t.Errorf("an answer after the question was left: %v", u.calls())
	}
	r.say("open Ben's cart")
	if u := r.say("clear the cart"); !cmp.Equal(u.calls(), []string{"cart.clear {}"}) {
		t.Errorf("a new command: %v", u.calls())
	}
}

func TestA3SeveralCommandsInOneSentence(t *testing.T) {
	r := newRoom(t, agent.NewBuiltin())
	u := r.say("add two Guji to Ana's cart and then submit the order to home")
	want := []string{`catalog.search {"query":"Guji"}`, `customer.search {"query":"Ana"}`, `cart.addItem {"customerId":"cus_ana","productId":"prod_guji","quantity":2}`,
		`cart.getSummary {}`, `checkout.submit {"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`}
	if diff := cmp.Diff(want, u.calls()); diff != "" {
		t.Error(diff)
	}
}

func TestA3AFailureStopsTheRest(t *testing.T) {
	r := newRoom(t, agent.NewBuiltin())
	u := r.say("submit the order to home and clear the cart")
	if got := u.calls(); len(got) != 2 || !strings.Contains(u.text(), "The cart is empty. Use “Add to cart”") || !strings.Contains(u.text(), "Not done: Clear the cart.") {
		t.Errorf("%v: %s", got, u.text())
	}
}

func TestA3PronounsMeanWhoWasSpokenOf(t *testing.T) {
	r := newRoom(t, agent.NewBuiltin())
	r.say("find customer Diana")
	if u := r.say("add a kenya to her cart"); u.calls()[len(u.calls())-1] != `cart.addItem {"customerId":"cus_diana","productId":"prod_kenya","quantity":1}` {
		t.Errorf("her: %v", u.calls())
	}
	if u := r.say("add a kenya to my cart"); u.calls()[len(u.calls())-1] != `cart.addItem {"productId":"prod_kenya","quantity":1}` {
		t.Errorf("my: %v", u.calls())
	}
}

func TestA3SaysWhatItIs(t *testing.T) {
	r := newRoom(t, agent.NewBuiltin())
	for _, s := range []string{"what can you do?", "who are you?", "make me a sandwich"} {
		if text := r.say(s).text(); !strings.Contains(text, "built-in assistant") {
			t.Errorf("%s: %s", s, text)
		}
	}
	if text := r.say("how do I submit an order?").text(); !strings.Contains(text, "submit the order to ‹shipping address›") {
		t.Error(text)
	}
}
