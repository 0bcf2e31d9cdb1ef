package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// TestB13ATerminalNumbersTheChoices: who is there to ask chooses by number; a script reads what it has to name.
//
// holds: B13
func TestB13ATerminalNumbersTheChoices(t *testing.T) {
	for name, tt := range map[string]struct {
		approve, said string
		shows         []string
		ok            bool
	}{
		"chosen":      {"ask", "2\n", []string{"none is the default", "1. $25", "2. $50", "Number"}, true},
		"left":        {"ask", "\n", []string{"1. $25"}, false},
		"no number":   {"ask", "fifty\n", []string{"1. $25"}, false},
		"out of them": {"ask", "9\n", []string{"1. $25"}, false},
		"a script":    {"deny", "2\n", []string{`2. $50 (variantId "var_gift_card_2")`}, false},
	} {
		t.Run(name, func(t *testing.T) {
			var out, shown bytes.Buffer
			term := &terminal{Process: Process{In: strings.NewReader(tt.said), Out: &out, ErrOut: &shown}, ctx: t.Context(),
				flags: &commands{Data: desktest.Copy(t), PINFD: -1}}
			err := invokeCommand{Name: "cart.addItem", Arguments: `{"productId":"prd_gift_card","quantity":1}`,
				Approve: tt.approve}.Run(term)
			if (err == nil) != tt.ok || tt.ok != strings.Contains(out.String(), "var_gift_card_2") {
				t.Errorf("%v, %s", err, out.String())
			}
			for all, i := fmt.Sprint(shown.String(), err), 0; i < len(tt.shows); i++ {
				if !strings.Contains(all, tt.shows[i]) {
					t.Errorf("no %q in %s", tt.shows[i], all)
				}
			}
		})
	}
}
