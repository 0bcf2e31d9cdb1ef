package mailaddress_test

import (
	"testing"

	"github.com/deskhand/deskhand/internal/mailaddress"
)

func TestValid(t *testing.T) {
	for _, right := range []string{"info@müller.example", "kim@example.com", "a.b+c@Straße.example", "x@почта.example",
		`"odd one"@example.com`, "kim@[192.0.2.1]", "kim@localhost", "o'neil@example.co"} {
		if !mailaddress.Valid(right) {
			t.Errorf("%s is no address", right)
		}
	}
	for _, wrong := range []string{"", "@", "kim", "kim@", "@example.com", "kim @example.com", "kim@exa mple.com", "a..b@example.com",
		".a@example.com", "a.@example.com", "kim@example..com", "kim@-a.example", "kim@a_b.example", "kim@[nowhere]", "a,b@example.com",
		"kim@example.com>", "jörg@example.com", "kim@example.com\nBcc: x@example.com"} {
		if mailaddress.Valid(wrong) {
			t.Errorf("%q is an address", wrong)
		}
	}
}
