package e2e

import (
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/internal/desk"
)

// TestA3TheWorkedExampleActsOnEveryPage: what is open changes nothing of what a plain sentence does.
//
// holds: A3
func TestA3TheWorkedExampleActsOnEveryPage(t *testing.T) {
	examples := []string{
		"Add two bags of the Guji to Ana's cart and submit the order to her home address.",
		"Add two Guji to Ana's cart and submit the order to her home address.",
		"Leg zwei Packungen Guji in Anas Warenkorb und schick die Bestellung an ihre Adresse zu Hause."}
	want := heard{want: []wanted{
		{kind: "call", name: "cart.addItem", args: map[string]string{"productId": "guji", "quantity": "2", "customerId": "ana_ruiz"}},
		{kind: "card", name: "checkout.submit", args: map[string]string{"shippingAddressId": "home"}}}}
	for name, pages := range map[string][]agent.PageContext{
		"nothing":         nil,
		"today":           {{Step: "today"}},
		"counter":         {{Step: "counter"}},
		"counter, a form": {{Step: "counter"}, {Step: "checkout.submit", IDs: []string{"cart_1"}}},
		"orders":          {{Step: "orders"}, {Step: "orders", IDs: []string{"#W1000"}}},
		"an order":        {{Step: "orders", IDs: []string{"#W1000"}}},
		"catalog":         {{Step: "catalog"}, {Step: "catalog", IDs: []string{"prd_guji_natural"}}},
		"a product":       {{Step: "catalog", IDs: []string{"prd_stoneware_mug"}}},
		"customers":       {{Step: "customers"}, {Step: "customers", IDs: []string{"cus_201100"}}},
		"a customer":      {{Step: "customers", IDs: []string{"cus_201100"}}},
		"reports":         {{Step: "reports/sales"}},
		"settings":        {{Step: "settings/assistant"}},
		"audit":           {{Step: "audit"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, said := range examples {
				r := newTalkRoom(t, phraseShop, desk.DoorWindow)
				r.pages = pages
				of := r.say(t, []string{said}, false)
				if why := judge(want, of.calls, of.text); why != "" {
					t.Errorf("%s\n%s\n%v\n%s\n%v", said, why, of.calls, of.text, of.taps)
				}
			}
		})
	}
}
