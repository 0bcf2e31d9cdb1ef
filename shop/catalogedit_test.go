package shop_test

import (
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

type productView struct {
	ProductID, ID, Name, TaxClass, DefaultVariantID string
	Archived                                        bool
	Tags, OptionNames                               []string
	Variants                                        []struct {
		ID, SKU, Label string
		Price          money
		Stock          *int64
		Available      bool
		Backorder      bool
		Withdrawn      bool
	}
	PriceChanges   []struct{ Was, Price money }
	StockMovements []struct {
		Delta        int64
		Reason, Note string
	}
}

const newShirt = `{"name":"Roastery Shirt","options":["Size","Colour"],"tags":["Wear","wear"," "],"taxClass":"Goods","variants":[
	{"sku":"SH-M","options":{"Size":"M","Colour":"Red"},"price":{"amount":2500,"currency":"USD"},"stock":3},
	{"sku":"SH-L","options":{"Size":"L","Colour":"Red"},"price":{"amount":2700,"currency":"USD"},"default":true}]}`

func (d *desk) product(id string) (p productView) {
	d.t.Helper()
	d.must("catalog.getProduct", jsonf(`{"productId":%q}`, id), &p)
	return p
}

func TestProductIsAddedChangedAndTakenOffSale(t *testing.T) {
	d := openSample(t, "manager")
	var p productView
	d.must("catalog.createProduct", newShirt, &p)
	if got, want := d.said(), "Add the product Roastery Shirt with 2 variants at $25.00 up to $27.00"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	if len(p.Variants) != 2 || p.DefaultVariantID != p.Variants[1].ID || len(p.Tags) != 1 || p.TaxClass != "standard" ||
		*p.Variants[0].Stock != 3 || p.Variants[1].Stock != nil {
		t.Errorf("product: %+v", p)
	}
	d.must("cart.addItem", jsonf(`{"productId":"SH-M","quantity":2,"customerId":%q}`, d.ana()), nil)
	d.submit("Home", "PayPal")
	d.must("catalog.updateProduct", jsonf(`{"productId":%q,"name":"Roaster's Shirt","options":["Size","Color"],"variants":[
		{"variantId":%q,"price":{"amount":2600,"currency":"USD"},"default":true},{"options":{"Size":"S","Color":"Blue"},"price":{"amount":2400,"currency":"USD"},"stock":5}]}`,
		p.ID, p.Variants[0].ID), nil)
	if got, want := d.said(), "Change the product Roastery Shirt: name Roaster's Shirt, options, M, Red from $25.00 to "+
		"$26.00, new variant S, Blue, default variant"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	p = d.product("SH-M")
	if p.Name != "Roaster's Shirt" || len(p.Variants) != 3 || p.DefaultVariantID != p.Variants[0].ID ||
		p.OptionNames[1] != "Color" || len(p.PriceChanges) != 1 {
		t.Errorf("product: %+v", p)
	}
	var found struct{ Products []struct{ ID string } }
	d.must("catalog.search", `{"query":"roaster blue"}`, &found)
	if len(found.Products) != 1 || found.Products[0].ID != p.ID {
		t.Errorf("found: %+v", found)
	}
	d.must("catalog.archiveProduct", jsonf(`{"productId":%q}`, p.ID), nil)
	if p = d.product(p.ID); !p.Archived || p.Variants[1].Available {
		t.Errorf("archived: %+v", p)
	}
	d.refused("cart.addItem", `{"productId":"SH-M","quantity":1}`, bus.PreconditionFailed, bus.ReasonState)
	d.refused("catalog.archiveProduct", jsonf(`{"productId":%q}`, p.ID), bus.PreconditionFailed, bus.ReasonState)
	d.addsUp()
}

func TestProductsAreRefused(t *testing.T) {
	d := openSample(t, "manager")
	d.must("catalog.createProduct", newShirt, nil)
	id := d.product("SH-M").ID
	one := func(variant string) string {
		return jsonf(`{"name":"X","options":["Size"],"variants":[{"options":{"Size":"M"},"price":{"amount":1,"currency":"USD"}},%s]}`, variant)
	}
	for name, tc := range map[string]struct {
		capability, args string
		code             bus.Code
		says             string
	}{
		"a value is missing": {"catalog.createProduct", one(`{"price":{"amount":1,"currency":"USD"}}`), bus.Validation,
			"Size is missing"},
		"an option nobody named": {"catalog.createProduct",
			one(`{"options":{"Size":"L","Hue":"1"},"price":{"amount":1,"currency":"USD"}}`), bus.Validation, "no option"},
		"two alike": {"catalog.createProduct",
			one(`{"options":{"Size":"M"},"price":{"amount":1,"currency":"USD"}}`), bus.Validation, "the same"},
		"another currency": {"catalog.createProduct",
			one(`{"options":{"Size":"L"},"price":{"amount":1,"currency":"EUR"}}`), bus.Validation, "EUR"},
		"a SKU that is taken": {"catalog.createProduct",
			one(`{"options":{"Size":"L"},"sku":"sh-m","price":{"amount":1,"currency":"USD"}}`), bus.PreconditionFailed,
			"belongs to Roastery Shirt"},
		"an unknown tax class": {"catalog.updateProduct", jsonf(`{"productId":%q,"taxClass":"luxury"}`, id),
			bus.NotFound, "luxury"},
		"nothing to change": {"catalog.updateProduct", jsonf(`{"productId":%q}`, id), bus.PreconditionFailed,
			"Nothing about"},
		"another option count": {"catalog.updateProduct", jsonf(`{"productId":%q,"options":["Size"]}`, id),
			bus.Validation, "2 options"},
		"an unknown variant": {"catalog.updateProduct",
			jsonf(`{"productId":%q,"variants":[{"variantId":"var_none"}]}`, id), bus.NotFound, "var_none"},
		"stock of what is there": {"catalog.updateProduct",
			jsonf(`{"productId":%q,"variants":[{"variantId":%q,"stock":4}]}`, id, d.product("SH-M").Variants[0].ID),
			bus.Validation, "adjustStock"},
		"more gone than there is": {"catalog.adjustStock", `{"productId":"SH-M","delta":-4}`, bus.PreconditionFailed,
			"only 3"},
		"stock that is not counted": {"catalog.adjustStock", `{"productId":"SH-L","delta":1}`, bus.PreconditionFailed,
			"not counted"},
		"no difference": {"catalog.adjustStock", `{"productId":"SH-M","delta":0}`, bus.Validation, "Nothing"},
		"the same price": {"catalog.setPrice", `{"productId":"SH-M","price":{"amount":2500,"currency":"USD"}}`,
			bus.PreconditionFailed, "already"},
		"a price of nothing": {"catalog.setPrice", `{"price":{"amount":2500,"currency":"USD"}}`, bus.Validation, "productId"},
	} {
		t.Run(name, func(t *testing.T) {
			res := d.invoke(tc.capability, tc.args)
			if res.OK() || res.Err.Code != tc.code || !strings.Contains(res.Err.Message, tc.says) || res.Err.Hint == "" {
				t.Errorf("got %+v", res.Err)
			}
		})
	}
	d.as("clerk")
	d.refused("catalog.setPrice", `{"productId":"SH-M","price":{"amount":1,"currency":"USD"}}`, bus.Forbidden,
		bus.ReasonPermission)
	d.refused("catalog.adjustStock", `{"productId":"SH-M","delta":1}`, bus.Forbidden, bus.ReasonPermission)
}

func TestPriceAndStockKeepTheirHistory(t *testing.T) {
	d := openSample(t, "manager")
	var priced struct{ Note string }
	d.must("catalog.setPrice", `{"productId":"prd_guji_natural","price":{"amount":2000,"currency":"USD"}}`, &priced)
	contains(t, priced.Note, "250 g, Whole bean")
	if got, want := d.said(), "Set the price of Guji Natural (250 g, Whole bean) from $21.44 to $20.00"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	d.must("catalog.adjustStock", `{"productId":"prd_guji_natural","delta":-4,"reason":"Torn bags"}`, nil)
	if got, want := d.said(), "Adjust the stock of Guji Natural (250 g, Whole bean) from 84 to 80: Torn bags"; got !=
		want {
		t.Errorf("said %q, want %q", got, want)
	}
	p := d.product("prd_guji_natural")
	if len(p.PriceChanges) != 1 || p.PriceChanges[0].Was.Amount != 2144 || p.StockMovements[0].Note != "Torn bags" ||
		p.StockMovements[0].Delta != -4 {
		t.Errorf("history: %+v %+v", p.PriceChanges, p.StockMovements[0])
	}
	d.addsUp()
}
