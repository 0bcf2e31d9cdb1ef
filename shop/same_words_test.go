package shop_test

import (
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// TestTheSameMistakesGetTheSameWords: with several mistakes at once, the error does not depend on the order of a map.
func TestTheSameMistakesGetTheSameWords(t *testing.T) {
	d := openSample(t, "owner")
	for _, call := range []struct{ name, arguments string }{
		{"catalog.createProduct",
			`{"name":"Cup","options":["Size"],"variants":[{"sku":"C-1","price":{"amount":1,"currency":"USD"},
			"options":{"Colour":"Red","Shape":"Round","Weight":"100 g"}}]}`},
		{"settings.set", `{"section":"mail","values":{"colour":1,"shape":2,"weight":3}}`},
	} {
		first := d.refused(call.name, call.arguments, bus.Validation, bus.ReasonArguments).Message
		for range 50 {
			if again := d.refused(call.name, call.arguments, bus.Validation, bus.ReasonArguments).Message; again != first {
				t.Errorf("%s: %q, and then %q", call.name, first, again)
				break
			}
		}
	}
}
