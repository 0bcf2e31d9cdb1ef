package builtin_test

import (
	"slices"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/bus"
)

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
	"show order nr. A1002":                                `order.get {"orderId":"ord_2"}`,
	"search for customer diana thanks":                    `customer.search {"query":"diana"}`,
	"open the orders page":                                `navigation.go {"page":"orders"}`,
	"go to audit":                                         `navigation.go {"page":"audit"}`,
	"switch to dark":                                      `theme.set {"theme":"dark"}`,
	"use the light theme":                                 `theme.set {"theme":"light"}`,
	`add the note "ring twice, if at all" to order A1001`: `order.addNote {"orderId":"ord_1","text":"ring twice, if at all"}`,
	"note fragile on order A1002":                         `order.addNote {"orderId":"ord_2","text":"fragile"}`,
	"note on order A1002: ring the bell.":                 `order.addNote {"orderId":"ord_2","text":"ring the bell"}`,
	"note on order A1002: It is broken: knock.":           `order.addNote {"orderId":"ord_2","text":"It is broken: knock."}`,
	`note on order A1002: "Ring twice".`:                  `order.addNote {"orderId":"ord_2","text":"Ring twice"}`,
	"cancel A1001 because it was ordered by mistake":      `order.cancel {"orderId":"ord_1","reason":"ordered by mistake"}`,
	"cancel order A1001 because it's no longer needed":    `order.cancel {"orderId":"ord_1","reason":"no longer needed"}`,
	"cancel order a1001 because ordered by mistake":       `order.cancel {"orderId":"ord_1","reason":"ordered by mistake"}`,
	"add 2 more guji":                                     `cart.addItem {"productId":"prod_guji","quantity":2}`,
	"add another guji":                                    `cart.addItem {"productId":"prod_guji","quantity":1}`,
	"add one more guji to Ana's cart":                     `cart.addItem {"customerId":"cus_ana","productId":"prod_guji","quantity":1}`,
	"add 1 kg of guji":                                    `cart.addItem {"productId":"prod_guji","quantity":1,"variantId":"var_1k"}`,
	"add a kilo of guji":                                  `cart.addItem {"productId":"prod_guji","quantity":1,"variantId":"var_1k"}`,
	"add a kilogram of guji to Ana's cart":                `cart.addItem {"customerId":"cus_ana","productId":"prod_guji","quantity":1,"variantId":"var_1k"}`,
	"add 250 g of guji":                                   `cart.addItem {"productId":"prod_guji","quantity":1,"variantId":"var_250"}`,
	"add 250 grams guji":                                  `cart.addItem {"productId":"prod_guji","quantity":1,"variantId":"var_250"}`,
	"add 1kg guji":                                        `cart.addItem {"productId":"prod_guji","quantity":1,"variantId":"var_1k"}`,
	"add 3 250g packs of guji to the cart":                `cart.addItem {"productId":"prod_guji","quantity":3,"variantId":"var_250"}`,
	"add two packs of kenya":                              `cart.addItem {"productId":"prod_kenya","quantity":2}`,
	"add 4 boxes of decaf to diana's cart":                `cart.addItem {"customerId":"cus_diana","productId":"prod_decaf","quantity":4}`,
	"add two guji to Sayed's cart":                        `cart.addItem {"customerId":"cus_fatima","productId":"prod_guji","quantity":2}`,
	"add two guji to Thora's cart":                        `cart.addItem {"customerId":"cus_thora","productId":"prod_guji","quantity":2}`,
	"add two guji to ana.ruiz@example.com's cart":         `cart.addItem {"customerId":"cus_ana","productId":"prod_guji","quantity":2}`,
	"add 2 GUJ to Ana's cart":                             `cart.addItem {"customerId":"cus_ana","productId":"prod_guji","quantity":2}`,
	"would you add 2 guji to Ana's cart?":                 `cart.addItem {"customerId":"cus_ana","productId":"prod_guji","quantity":2}`,
	"add two Guji and one decaf to Ana's cart":            `cart.addItem {"customerId":"cus_ana","productId":"prod_decaf","quantity":1}`,
	"remove the guji and the kenya from the cart":         `cart.removeItem {"productId":"prod_kenya"}`,
	"remove the guji":                                     `cart.removeItem {"productId":"prod_guji"}`,
	"drop the guji from the cart":                         `cart.removeItem {"productId":"prod_guji"}`,
	"set guji to 3":                                       `cart.setQuantity {"productId":"prod_guji","quantity":3}`,
	"set the Guji to two, please":                         `cart.setQuantity {"productId":"prod_guji","quantity":2}`,
	"update the quantity of kenya to 12":                  `cart.setQuantity {"productId":"prod_kenya","quantity":12}`,
	"the customer is Ana":                                 `cart.setCustomer {"customerId":"cus_ana"}`,
	"the customer is Al-Sayed":                            `cart.setCustomer {"customerId":"cus_fatima"}`,
	"the customer is Þóra":                                `cart.setCustomer {"customerId":"cus_thora"}`,
	"open José's cart":                                    `cart.setCustomer {"customerId":"cus_jose"}`,
	"open Hannah Lindgren's cart":                         `cart.setCustomer {"customerId":"cus_hannah"}`,
	"start an order for Ben Silva":                        `cart.setCustomer {"customerId":"cus_ben2"}`,
	"give a discount of 10 percent":                       `cart.applyDiscount {"percent":10}`,
	"give a discount of ten percent":                      `cart.applyDiscount {"percent":10}`,
	"give a discount of $5":                               `cart.applyDiscount {"amount":{"amount":500,"currency":"USD"}}`,
	"give a discount of 5.50 EUR":                         `cart.applyDiscount {"amount":{"amount":550,"currency":"EUR"}}`,
	"take 10 dollars off":                                 `cart.applyDiscount {"amount":{"amount":1000,"currency":"USD"}}`,
	"take $12.50 off":                                     `cart.applyDiscount {"amount":{"amount":1250,"currency":"USD"}}`,
	"take 500 yen off":                                    `cart.applyDiscount {"amount":{"amount":500,"currency":"JPY"}}`,
	"take 3 euros off, please":                            `cart.applyDiscount {"amount":{"amount":300,"currency":"EUR"}}`,
	"send it by express":                                  `cart.setShipping {"method":"ship_express"}`,
	"make it express":                                     `cart.setShipping {"method":"ship_express"}`,
	"please send it with Standard":                        `cart.setShipping {"method":"ship_standard"}`,
	"make it dark":                                        `theme.set {"theme":"dark"}`,
	"set the theme to dark":                               `theme.set {"theme":"dark"}`,
	"change the theme to light":                           `theme.set {"theme":"light"}`,
	"what's in Diana's cart":                              `cart.getSummary {"customerId":"cus_diana"}`,
	"what is in Ana's cart?":                              `cart.getSummary {"customerId":"cus_ana"}`,
	"view the cart":                                       `cart.getSummary {}`,
	"let me see the cart":                                 `cart.getSummary {}`,
	"do we have guji in stock?":                           `catalog.search {"query":"guji"}`,
	"how many guji do we have?":                           `catalog.search {"query":"guji"}`,
	"look for product Kenya":                              `catalog.search {"query":"Kenya"}`,
	"find customer with email ana.ruiz@example.com":       `customer.search {"email":"ana.ruiz@example.com"}`,
	"change the phone of Diana to +1 555 010 0199":        `customer.update {"customerId":"cus_diana","phone":"+1 555 010 0199"}`,
	"find Diana":                                          `customer.search {"query":"Diana"}`,
	"find orders from Ana":                                `order.search {"customerId":"cus_ana"}`,
	"orders of Ana Ruiz":                                  `order.search {"customerId":"cus_ana"}`,
	"list all orders":                                     `order.search {}`,
	"show orders":                                         `order.search {}`,
	"show delivered orders":                               `order.search {"status":"delivered"}`,
	"show A1002":                                          `order.get {"orderId":"ord_2"}`,
	"show the audit log":                                  `audit.search {}`,
	"open catalog":                                        `navigation.go {"page":"catalog"}`,
	"cancel order A1002 because of out of stock":          `order.cancel {"orderId":"ord_2","reason":"out of stock"}`,
	"Clear the cart. Show the cart.":                      `cart.getSummary {}`,
	"Hello. Clear the cart, please.":                      `cart.clear {}`,
	"Clear the cart! Thanks!":                             `cart.clear {}`,
	"clear the cart; show orders":                         `order.search {}`,
	"Add 2 guji to Ana's cart. Then show the cart.":       `cart.getSummary {}`,
	"Add a decaf to the cart. Frobnicate it. Clear it.":   `cart.addItem {"productId":"prod_decaf","quantity":1}`,
	`add the note "Ring. Then wait." to order A1001`:      `order.addNote {"orderId":"ord_1","text":"Ring. Then wait."}`,
	"show orders and then clear the cart":                 `cart.clear {}`,
	"add to Ana's cart two guji":                          `cart.addItem {"customerId":"cus_ana","productId":"prod_guji","quantity":2}`,
	"to Ana's cart, add two guji":                         `cart.addItem {"customerId":"cus_ana","productId":"prod_guji","quantity":2}`,
	"add 2 guji to anas cart":                             `cart.addItem {"customerId":"cus_ana","productId":"prod_guji","quantity":2}`,
	"add two, no wait, three guji":                        `cart.addItem {"productId":"prod_guji","quantity":3}`,
	"add two guji to Ana's, I mean Diana's cart":          `cart.addItem {"customerId":"cus_diana","productId":"prod_guji","quantity":2}`,
	"add two guji, make that four":                        `cart.addItem {"productId":"prod_guji","quantity":4}`,
	"set Guji's quantity to 5":                            `cart.setQuantity {"productId":"prod_guji","quantity":5}`,
	"cancel order A1001, out of stock":                    `order.cancel {"orderId":"ord_1","reason":"out of stock"}`,
	"A1002":                                               `order.get {"orderId":"ord_2"}`,
}

// taps are the actions that a turn ends with to tap, as calls are written.
func taps(u agenttest.Turn) (list []string) {
	for _, tap := range u.Ended().Suggestions {
		list = append(list, tap.Capability+" "+string(tap.Arguments))
	}
	return list
}

// TestA3SentencesLeadToTheirCall: each sentence leads to its call at once, or to at most three suggestions with that
// call. No other change is made.
//
// holds: A3
func TestA3SentencesLeadToTheirCall(t *testing.T) {
	atOnce := 0
	for sentence, want := range does {
		t.Run(sentence, func(t *testing.T) {
			u := newRoom(t).Say(sentence)
			calls := u.Calls()
			switch {
			case len(calls) > 0 && calls[len(calls)-1] == want:
				atOnce++
			case len(writes(u)) > 0 || !slices.Contains(taps(u), want):
				t.Errorf("got  %v\ntaps %v\nwant %s\nsaid %s", calls, taps(u), want, u.Text())
			}
		})
	}
	if t.Logf("%d of %d at once", atOnce, len(does)); 10*atOnce < 8*len(does) {
		t.Error("too few at once")
	}
}

// submits lists sentences that submit, by address and payment method.
var submits = map[string]string{
	"submit my order to my home address":                     `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`,
	"Submit the order to her home address!":                  `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`,
	"submit the order to work":                               `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_w"}`,
	"submit the order to 123 Main St":                        `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`,
	"submit order":                                           `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`,
	"please place the order to the work address with PayPal": `{"paymentMethodId":"pm_pp","shippingAddressId":"addr_w"}`,
	"place my order to home paid by visa":                    `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`,
	"check out with the card ending 4242":                    ``,
	"check out with paypal":                                  `{"paymentMethodId":"pm_pp","shippingAddressId":"addr_h"}`,
	"can you submit the order to my work address?":           `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_w"}`,
	`submit the order with message "Happy birthday" to work`: `{"giftMessage":"Happy birthday","paymentMethodId":"pm_visa","shippingAddressId":"addr_w"}`,
	"submit it": `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`,
	"submit the order, send it to the work address":            `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_w"}`,
	"send it to the work address, paid by paypal":              `{"paymentMethodId":"pm_pp","shippingAddressId":"addr_w"}`,
	"submit the order, paid in PayPal":                         `{"paymentMethodId":"pm_pp","shippingAddressId":"addr_h"}`,
	"submit the order to 123 Main St. with PayPal":             `{"paymentMethodId":"pm_pp","shippingAddressId":"addr_h"}`,
	"submit the order to 9 Dock Rd":                            `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_w"}`,
	"ok, now go ahead and submit my order to my home address.": `{"paymentMethodId":"pm_visa","shippingAddressId":"addr_h"}`,
}

// holds: A3
func TestA3SubmittingResolvesNames(t *testing.T) {
	for sentence, args := range submits {
		t.Run(sentence, func(t *testing.T) {
			r := newRoom(t)
			r.Say("add a guji")
			u := r.Say(sentence)
			got := append(writes(u), taps(u)...)
			if want := "checkout.submit " + args; args == "" && len(writes(u)) > 0 || args != "" && !slices.Contains(got, want) {
				t.Errorf("got %v, want %s\n%s", got, want, u.Text())
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
	// names that only come near
	"add guji to Anna's cart", "add 2 guji to Anna's cart", "open Jon's cart", "the customer is Ann", "the customer is Al", "add one gu", "add two gjui",
	"open Lin's cart", "open Dina's cart", "add three espresso",
	// Sizes that the product does not have, and quantities that are not in the sentence.
	"add 2 kg of guji", "add 500g of guji", "add 12 oz guji", "add 3 pounds of guji", "add 2 liters of kenya", "add 1 lb kenya", "add half a kilo of guji",
	"add guji", "add guji to Ana's cart", "add the guji to the pile", "remove 2 guji", "remove two kenya from the cart",
	"submit Diana's order to home", "submit Diana's order", "the cart is empty now", "cleared the cart", "add the two",
	// Requests that no capability covers.
	"delete customer Ana", "delete Ana", "erase the log", "export the orders", "import products", "reorder guji", "reorder her last order",
	"remove customer Ana", "print the cart", "pay with paypal", "paid in cash", "set theme to blue", "set the theme to blue", "set the currency to EUR",
	"give a discount of 5", "give a discount of $5.5", "open the door", "make it so", "take 5 off", "order guji",
	// questions
	"who bought guji last week?", "where is my parcel?", "how many carts are there?", "who is Ana", "when does the shop open", "what is the total?",
	// Sentences that take another one back.
	"Clear the cart. Wait, no.", "Submit the order to home. Only if she agrees.", "Clear the cart. Don't.", "Ana called. Clear the cart.",
	"Submit it. Actually, wait.", "Clear the cart. If she comes.",
	"cart_clear {}", `{"name":"cart_clear","arguments":{}}`, "submit the order to home but first remove the Guji",
}

// holds: A3
func TestA3NothingIsDoneWithoutAPlainInstruction(t *testing.T) {
	for _, sentence := range refrains {
		if sentence == "" {
			continue
		}
		t.Run(sentence, func(t *testing.T) {
			r := newRoom(t)
			r.Bus.Invoke(t.Context(), bus.Invocation{Capability: "cart.addItem", Arguments: agenttest.JSON(`{"productId":"prod_guji","quantity":1}`), Caller: bus.Caller{Type: bus.CallerTest}, Principal: agenttest.Kim})
			u := r.Say(sentence)
			if n := len(u.Ended().Actions); n != 0 || len(r.Cards) != 0 {
				t.Errorf("%d actions: %v", n, u.Calls())
			}
			if u.Text() == "" || u.Ended().Status != agent.StatusDone {
				t.Errorf("no answer: %+v", u.Ended())
			}
		})
	}
}
