package agent_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// holds: A3
func TestA3WhatIsWrongIsSaidWithLabels(t *testing.T) {
	m := &script{Steps: []step{reply("", use("a", "cart_addItem", `{"productId":"p","quantity":"many","colour":1}`),
		use("b", "cart_addItem", `{"productId":"p"}`), use("c", "theme_set", `{"theme":"blue"}`)), reply("")}}
	got := newRoom(t, m).Say("go").Text()
	for _, part := range []string{"Colour does not belong there.", "Quantity must be a whole number",
		"Quantity is missing", "Theme must be one of light, dark, system"} {
		if !strings.Contains(got, part) {
			t.Errorf("lacks %q: %s", part, got)
		}
	}
}

// holds: A7
func TestA7AModelIsToldThatNobodyAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &script{Steps: []step{reply("", use("", "cart_addItem", `{"productId":"p","quantity":1}`)),
			reply("", use("a", "checkout_submit", `{"shippingAddressId":"addr_h","paymentMethodId":"pm_visa"}`)), reply("ok")}}
		r := newRoom(t, m)
		r.Answer = func(policy.Card) *policy.Answer { return nil }
		r.Say("go")
		if res := m.Results(t)[1]; res["note"] != "Nobody answered in time." || res["code"] != string(bus.Forbidden) {
			t.Error(res)
		}
	})
}
