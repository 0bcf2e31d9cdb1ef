package shop_test

import (
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// TestWhatMayBeSoldAheadSaysSo: a variant shows that it may be sold without stock, and "sold out" differs from "not for
// sale".
func TestWhatMayBeSoldAheadSaysSo(t *testing.T) {
	d := openSample(t, "manager")
	d.must("catalog.createProduct",
		`{"name":"Zebra Tea","variants":[{"sku":"ZT","price":{"amount":450,"currency":"USD"},"stock":0}]}`, nil)
	type is struct{ Backorder, Withdrawn, Available bool }
	now := func() is {
		v := d.product("ZT").Variants[0]
		return is{v.Backorder, v.Withdrawn, v.Available}
	}
	change := func(what string) {
		p := d.product("ZT")
		d.must("catalog.updateProduct", jsonf(`{"productId":%q,"variants":[{"variantId":%q,%s}]}`, p.ID, p.Variants[0].ID,
			what), nil)
	}
	want := func(when string, w is) {
		t.Helper()
		if got := now(); got != w {
			t.Errorf("%s: %+v, want %+v", when, got, w)
		}
	}
	want("sold out", is{})
	d.refused("cart.addItem", `{"productId":"ZT","quantity":1}`, bus.PreconditionFailed, bus.ReasonState)
	change(`"backorder":true`)
	want("sold ahead", is{Backorder: true, Available: true})
	d.must("cart.addItem", `{"productId":"ZT","quantity":1}`, nil)
	change(`"available":false`)
	want("withdrawn", is{Backorder: true, Withdrawn: true})
	change(`"backorder":false,"available":true`)
	want("as it was", is{})
	d.must("catalog.archiveProduct", jsonf(`{"productId":%q}`, d.product("ZT").ID), nil)
	want("the product off sale", is{})
}
