package desk_test

import (
	"encoding/json"
	"slices"
	"testing"
)

// nextOf are the names of the likely next actions.
func nextOf(t *testing.T, a *testApp) []string {
	t.Helper()
	var out struct {
		Next []string `json:"next_actions"`
	}
	if err := json.Unmarshal([]byte(a.Manifest(`{"next":true}`)), &out); err != nil || len(out.Next) == 0 {
		t.Fatalf("%v, %v", out.Next, err)
	}
	return out.Next
}

// do invokes a capability that succeeds.
func do(t *testing.T, a *testApp, capability, args string) {
	t.Helper()
	var r struct{ Status string }
	if err := json.Unmarshal([]byte(a.Invoke(`{"capability":"`+capability+`","arguments":`+args+`}`)), &r); err != nil ||
		r.Status != "success" {
		t.Fatalf("%s: %s, %v", capability, r.Status, err)
	}
}

// TestM6TheWindowIsToldWhatComesNext: by what was done last, and by what it made
// possible; never what only looks, or gets about in the window.
// holds: M6
func TestM6TheWindowIsToldWhatComesNext(t *testing.T) {
	a := newTestApp(t)
	if got := nextOf(t, a); slices.Contains(got, "cart.setQuantity") {
		t.Errorf("without a cart: %q", got)
	}
	do(t, a, "cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":1}`)
	do(t, a, "navigation.go", `{"page":"orders"}`)
	do(t, a, "catalog.search", `{}`)
	got := nextOf(t, a)
	if !slices.Contains(got[:12], "cart.setQuantity") {
		t.Errorf("after something was put into the cart: %q", got)
	}
	if got[0] != "checkout.submit" {
		t.Errorf("a walk-in's cart can be sold, and first is %q", got[0])
	}
	for _, name := range []string{"catalog.search", "cart.getSummary", "navigation.go", "theme.toggle"} {
		if slices.Contains(got, name) {
			t.Errorf("%s is among %q", name, got)
		}
	}
}

// TestM6AnAdditionToTheCartLeadsToItsEnd is the example of the paper: finishing a cart addition surfaces "Checkout" and
// "Save for Later".
//
// holds: M6
func TestM6AnAdditionToTheCartLeadsToItsEnd(t *testing.T) {
	a := newTestApp(t)
	do(t, a, "cart.setCustomer", `{"customerId":"cus_201100"}`)
	do(t, a, "cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":1}`)
	if got := nextOf(t, a)[:3]; got[0] != "checkout.submit" || !slices.Contains(got, "cart.hold") {
		t.Errorf("first of all: %q", got)
	}
}

// TestM6ASaleLeadsToItsReceiptAndItsParcel, and never to the upkeep of the log.
//
// holds: M6
func TestM6ASaleLeadsToItsReceiptAndItsParcel(t *testing.T) {
	a := newTestApp(t)
	do(t, a, "cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":1}`)
	do(t, a, "checkout.submit", `{"paymentMethodId":"cash"}`)
	got := nextOf(t, a)
	if want := []string{"order.process", "document.export", "cart.addItem"}; !slices.Equal(got[:3], want) {
		t.Errorf("after a sale: %q, want %q first", got, want) // mail is not set up
	}
	if slices.Contains(got, "audit.rebuildRollups") {
		t.Errorf("upkeep is among %q", got)
	}
}
