package schema

import (
	"encoding/json"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

func TestAboutTellsOfTheFieldsThatAreWrong(t *testing.T) {
	input := json.RawMessage(`{"properties":{"price":{"description":"What it costs.","properties":{
		"amount":{"description":"In minor units."},"currency":{}}},"lines":{"items":{"properties":{
		"price":{"properties":{"amount":{},"currency":{}}}}}}}}`)
	for want, v := range map[string]bus.Violation{
		"price: What it costs. amount: In minor units.": {Path: "/price"},
		"amount: In minor units.":                       {Path: "/price/amount"},
		"price: What it costs.":                         {Params: map[string]any{"properties": []string{"price"}}},
		"":                                              {Path: "/lines/0/price"},
	} {
		if got := About(input, []bus.Violation{v, v}); got != want {
			t.Errorf("%+v: %q, not %q", v, got, want)
		}
	}
	for arguments, want := range map[string]string{
		`{"price":{"amount":49.0}}`:              "/price/amount",
		`{"lines":[{"price":{"amount":4.9e1}}]}`: "/lines/0/price/amount",
		`{"price":{"amount":4900},"amount":1.5}`: "",
		`{"price":`:                              "",
	} {
		if got := DecimalAmount(input, json.RawMessage(arguments)); got != want {
			t.Errorf("%s: %q, not %q", arguments, got, want)
		}
	}
}
