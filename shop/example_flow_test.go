package shop_test

import (
	"testing"
)

func TestWorkedExampleComesTo4783(t *testing.T) {
	d := openSample(t, "clerk")
	ana := d.ana()
	var found struct {
		Products []struct {
			ID, Name         string
			DefaultVariantID string
		}
	}
	d.must("catalog.search", `{"query":"bags of the Guji"}`, &found)
	if len(found.Products) != 1 || found.Products[0].Name != "Guji Natural" {
		t.Fatalf("the Guji: %+v", found.Products)
	}
	var added struct {
		CartTotal money
		ItemCount int
		Note      string
	}
	d.must("cart.addItem", jsonf(`{"productId":%q,"quantity":2,"customerId":%q}`, found.Products[0].ID, ana), &added)
	if added.CartTotal.Text != "$47.83" || added.ItemCount != 2 {
		t.Fatalf("added: %+v", added)
	}
	contains(t, added.Note, "250 g, Whole bean")
	t.Log(string(d.must("cart.getSummary", `{}`, nil).Data))
}
