package shop_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// coded creates a product with one variant that has codes, and returns the ids of both.
func (d *desk) coded(name, sku, barcode string) (product, variant string) {
	d.t.Helper()
	var p struct {
		ID       string
		Variants []struct{ ID string }
	}
	d.must("catalog.createProduct", jsonf(`{"name":%q,"variants":[{"sku":%q,"barcode":%q,`+
		`"price":{"amount":1200,"currency":"USD"}}]}`, name, sku, barcode), &p)
	return p.ID, p.Variants[0].ID
}

// upc is a GTIN in the forms in which it is printed, typed and scanned.
var upc = []string{"036000291452", "0036000291452", "00036000291452", "0 36000 29145 2", " 036000291452\r\n",
	"(01)00036000291452", "(01)00036000291452(17)261231(10)LOT7", "]C10100036000291452\x1d10LOT7",
	"]C110LOT7\x1d0100036000291452", "\x1d0100036000291452", "010003600029145217261231",
	"https://id.gs1.org/01/00036000291452?17=261231", "HTTPS://EXAMPLE.COM/shelf/01/036000291452/10/LOT7"}

// TestEachFormOfACodeMeansTheProduct: at each door, whichever form is stored.
func TestEachFormOfACodeMeansTheProduct(t *testing.T) {
	for _, stored := range []string{"036000291452", "0036000291452", "00036000291452", "0 36000 29145 2",
		"(01)00036000291452(10)LOT1", "https://id.gs1.org/01/00036000291452"} {
		t.Run(stored, func(t *testing.T) {
			d := openSample(t, "owner")
			product, variant := d.coded("Tissues", "Tis 100", stored)
			for i, given := range append(upc, "TIS 100", "tis100", " tis 100 ", variant) {
				quoted, _ := json.Marshal(given)
				var found struct {
					Products []struct{ ID, MatchedVariantID string }
				}
				d.must("catalog.search", fmt.Sprintf(`{"query":%s}`, quoted), &found)
				if len(found.Products) != 1 || found.Products[0].ID != product || found.Products[0].MatchedVariantID != variant {
					t.Errorf("catalog.search finds %+v for %q", found, given)
				}
				var one struct{ ID, MatchedVariantID string }
				d.must("catalog.getProduct", fmt.Sprintf(`{"productId":%s}`, quoted), &one)
				var hits struct{ Hits []struct{ Kind, ID string } }
				d.must("search.query", fmt.Sprintf(`{"query":%s}`, quoted), &hits)
				if len(hits.Hits) == 0 || hits.Hits[0].ID != product {
					t.Errorf("search.all finds %+v for %q", hits, given)
				}
				var added struct{ Line struct{ VariantID string } }
				d.must("cart.addItem", fmt.Sprintf(`{"productId":%s,"quantity":2}`, quoted), &added)
				d.must("cart.setQuantity", fmt.Sprintf(`{"productId":%s,"quantity":3}`, quoted), nil)
				d.must("cart.removeItem", fmt.Sprintf(`{"productId":%s}`, quoted), nil)
				d.must("catalog.setPrice", fmt.Sprintf(`{"variantId":%s,"price":{"amount":%d,"currency":"USD"}}`, quoted,
					1300+i), nil)
				if one.ID != product || one.MatchedVariantID != variant || added.Line.VariantID != variant {
					t.Errorf("%q means %+v and %+v", given, one, added)
				}
			}
			for _, other := range []string{"36000291452", "136000291452", "0360002914520", "tis101", "(10)036000291452"} {
				d.refused("cart.addItem", jsonf(`{"productId":%q,"quantity":1}`, other), bus.NotFound, bus.ReasonRecord)
			}
		})
	}
}

// TestWhatIsOffSaleHidesNothing: a product that went on sale with the code of an archived one is found by it.
func TestWhatIsOffSaleHidesNothing(t *testing.T) {
	d := openSample(t, "owner")
	old, oldVariant := d.coded("A tea of last year", "TEA-1", "4006381333931")
	d.must("catalog.archiveProduct", jsonf(`{"productId":%q}`, old), nil)
	var one struct{ ID, MatchedVariantID string }
	d.must("catalog.getProduct", `{"productId":"4006381333931"}`, &one)
	if one.ID != old || one.MatchedVariantID != oldVariant {
		t.Errorf("alone it is %+v", one)
	}
	product, variant := d.coded("Tea", "TEA-2", "04006381333931")
	d.must("catalog.getProduct", `{"productId":"4006381333931"}`, &one)
	var found struct {
		Products []struct{ ID, MatchedVariantID string }
	}
	d.must("catalog.search", `{"query":"4006381333931"}`, &found)
	matched := map[string]string{}
	for _, p := range found.Products {
		matched[p.ID] = p.MatchedVariantID
	}
	var added struct{ Line struct{ VariantID string } }
	d.must("cart.addItem", `{"productId":"4006381333931","quantity":1}`, &added)
	if one.ID != product || matched[product] != variant || matched[old] != "" || added.Line.VariantID != variant {
		t.Errorf("getProduct %+v, search %+v, addItem %+v", one, found, added)
	}
}

// TestACodeOfSeveralIsRefusedWithChoices: only the person knows which one is meant.
// holds: B13
func TestACodeOfSeveralIsRefusedWithChoices(t *testing.T) {
	d := openSample(t, "owner")
	_, green := d.coded("Green tea", "GT", "036000291452")
	black, blackVariant := d.coded("Black tea", "BT", "0036000291452")
	_, mug := d.coded("Mug", "00036000291452", "")
	for name, args := range map[string]string{"cart.addItem": `{"productId":"036000291452","quantity":1}`,
		"catalog.setPrice": `{"variantId":"036000291452","price":{"amount":1,"currency":"USD"}}`} {
		e := d.refused(name, args, bus.PreconditionFailed, bus.ReasonState)
		if len(e.Choices) != 1 || e.Choices[0].Field != "variantId" || len(e.Choices[0].Options) != 3 ||
			e.Choices[0].Options[0] != (bus.Option{Value: blackVariant, Title: "Black tea · BT"}) ||
			e.Choices[0].Options[1].Value != green || e.Choices[0].Options[2].Value != mug {
			t.Errorf("%s offers %+v", name, e.Choices)
		}
	}
	e := d.refused("catalog.getProduct", `{"productId":"036000291452"}`, bus.PreconditionFailed, bus.ReasonState)
	if len(e.Choices) != 1 || e.Choices[0].Field != "productId" || e.Choices[0].Options[0].Value != black {
		t.Errorf("%+v", e.Choices)
	}
	var added struct{ Line struct{ VariantID string } }
	d.must("cart.addItem", jsonf(`{"productId":"036000291452","variantId":%q,"quantity":1}`, blackVariant), &added)
	var found struct {
		Products []struct{ MatchedVariantID string }
	}
	d.must("catalog.search", `{"query":"036000291452"}`, &found)
	if added.Line.VariantID != blackVariant || len(found.Products) != 3 || found.Products[0].MatchedVariantID != "" {
		t.Errorf("%+v %+v", added, found)
	}
	d.must("cart.setQuantity", `{"productId":"036000291452","quantity":4}`, nil) // one of them is in the cart
}
