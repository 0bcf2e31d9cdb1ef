package desk_test

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestM6TheWindowIsToldWhatComesNext: by what was done last, and by what it made
// possible; never what only looks, or gets about in the window.
// holds: M6
func TestM6TheWindowIsToldWhatComesNext(t *testing.T) {
	a := newTestApp(t)
	next := func() []string {
		t.Helper()
		var out struct {
			Next []string `json:"next_actions"`
		}
		if err := json.Unmarshal([]byte(a.Manifest(`{"next":true}`)), &out); err != nil || len(out.Next) == 0 {
			t.Fatalf("%v, %v", out.Next, err)
		}
		return out.Next
	}
	do := func(capability, args string) {
		t.Helper()
		var r struct{ Status string }
		if err := json.Unmarshal([]byte(a.Invoke(`{"capability":"`+capability+`","arguments":`+args+`}`)), &r); err != nil ||
			r.Status != "success" {
			t.Fatalf("%s: %s, %v", capability, r.Status, err)
		}
	}
	if got := next(); slices.Contains(got, "cart.setQuantity") {
		t.Errorf("without a cart: %q", got)
	}
	do("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":1}`)
	do("navigation.go", `{"page":"orders"}`)
	do("catalog.search", `{}`)
	got := next()
	if !slices.Contains(got[:6], "cart.setQuantity") {
		t.Errorf("after something was put into the cart: %q", got)
	}
	for _, name := range []string{"catalog.search", "cart.getSummary", "navigation.go", "theme.toggle",
		"checkout.submit"} {
		if slices.Contains(got, name) {
			t.Errorf("%s is among %q", name, got)
		}
	}
}
