package desk_test

import (
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// TestA9AGrantIsReadByPeople: names for ids, money for minor units, the shop's time.
// holds: A9
func TestA9AGrantIsReadByPeople(t *testing.T) {
	d := desktest.WithoutKeychain(t, nil)
	var list struct{ Grants []struct{ Text string } }
	desktest.Must(t, d, bus.CallerTest, "grant.create",
		`{"grantee":{"endpoint":"e","model":"m"},"capability":"order.cancel",
		"constraints":{"amount":{"max":5000},"customerId":"cus_201100"},"limits":{"uses":3},"until":4102444800000}`, nil)
	desktest.Must(t, d, bus.CallerTest, "grant.list", `{}`, &list)
	if got := list.Grants[0].Text; got !=
		"Cancel an order: up to $50.00 each time, only for Ana Ruiz, 3 times, until Thursday, 31 December 2099, 19:00" {
		t.Error(got)
	}
}
