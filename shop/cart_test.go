package shop_test

import (
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

const (
	gujiBeans  = "var_guji_natural_1" // 250 g, whole bean, the default
	gujiGround = "var_guji_natural_2"
)

func TestAddItemRefuses(t *testing.T) {
	tests := map[string]struct {
		args   string
		code   bus.Code
		reason bus.Reason
		says   string
	}{
		"no quantity": {`{"productId":"prd_guji_natural"}`, bus.Validation, bus.ReasonArguments,
			"quantity"},
		"quantity zero": {`{"productId":"prd_guji_natural","quantity":0}`, bus.Validation,
			bus.ReasonArguments, "quantity"},
		"half a bag": {`{"productId":"prd_guji_natural","quantity":1.5}`, bus.Validation,
			bus.ReasonArguments, "quantity"},
		"a field that is not there": {`{"productId":"prd_guji_natural","quantity":1,"gift":true}`, bus.Validation,
			bus.ReasonArguments, "gift"},
		"unknown product": {`{"productId":"prd_none","quantity":1}`, bus.NotFound, bus.ReasonRecord,
			"prd_none"},
		"unknown variant": {`{"productId":"prd_guji_natural","variantId":"var_none","quantity":1}`,
			bus.NotFound, bus.ReasonRecord, "var_none"},
		"variant of another product": {`{"productId":"prd_guji_natural","variantId":"var_sidama_honey_1","quantity":1}`,
			bus.Validation, bus.ReasonArguments, "not one of"},
		"SKU and another variant": {`{"productId":"NL-GUJ-250-WB","variantId":"var_guji_natural_2","quantity":1}`,
			bus.Validation, bus.ReasonArguments, "not one of"},
		"unknown customer": {`{"productId":"prd_guji_natural","quantity":1,"customerId":"nobody_0000"}`,
			bus.NotFound, bus.ReasonRecord, "nobody_0000"},
		"more than there is": {`{"productId":"prd_guji_natural","quantity":85}`, bus.PreconditionFailed,
			bus.ReasonState, "only 84"},
		"out of stock": {
			`{"productId":"prd_stoneware_mug","variantId":"var_stoneware_mug_4","quantity":1}`, bus.PreconditionFailed,
			bus.ReasonState, "out of stock"},
		"withdrawn": {
			`{"productId":"prd_boquete_geisha","variantId":"var_boquete_geisha_4","quantity":1}`, bus.PreconditionFailed,
			bus.ReasonState, "not for sale"},
		"several variants and no default": {`{"productId":"prd_gift_card","quantity":1}`, bus.PreconditionFailed,
			bus.ReasonState, "none is the default"},
	}
	offered := map[string]bus.Choice{ // holds: B13
		"several variants and no default": {Field: "variantId", Options: []bus.Option{
			{Value: "var_gift_card_1", Title: "$25"}, {Value: "var_gift_card_2", Title: "$50"},
			{Value: "var_gift_card_3", Title: "$100"}}},
		"variant of another product": {Field: "variantId", Options: []bus.Option{
			{Value: gujiBeans, Title: "250 g, Whole bean"}, {Value: gujiGround, Title: "250 g, Ground"},
			{Value: "var_guji_natural_3", Title: "1 kg, Whole bean"}, {Value: "var_guji_natural_4", Title: "1 kg, Ground"}}},
	}
	d := openSample(t, "clerk")
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			e := d.refused("cart.addItem", tc.args, tc.code, tc.reason)
			contains(t, e.Message, tc.says)
			if want, offers := offered[name]; offers && !cmp.Equal(e.Choices, []bus.Choice{want}) {
				t.Errorf("offers %v", e.Choices)
			}
		})
	}
	if n := d.number(`SELECT COUNT(*) FROM carts`); n != 0 {
		t.Errorf("refused calls left %d carts", n)
	}
}

func TestAddItemTakesProductSKUOrBarcode(t *testing.T) {
	d := openSample(t, "clerk")
	var p struct {
		Variants []struct{ ID, Barcode string }
	}
	d.must("catalog.getProduct", `{"productId":"prd_guji_natural"}`, &p)
	for given, want := range map[string]string{
		"prd_guji_natural":    gujiBeans,
		"NL-GUJ-250-GR":       gujiGround,
		"nl-guj-250-gr":       gujiGround,
		p.Variants[2].Barcode: p.Variants[2].ID,
	} {
		var out struct{ Line struct{ VariantID string } }
		d.must("cart.addItem", jsonf(`{"productId":%q,"quantity":1}`, given), &out)
		if out.Line.VariantID != want {
			t.Errorf("%s gave %s, want %s", given, out.Line.VariantID, want)
		}
	}
}

func TestAddingTwiceAddsUpAndCountsAgainstStock(t *testing.T) {
	d := openSample(t, "clerk")
	d.must("cart.addItem", `{"productId":"prd_guji_natural","quantity":80}`, nil)
	d.must("cart.addItem", `{"productId":"prd_guji_natural","quantity":4}`, nil)
	if c := d.cart(); c.ItemCount != 84 || len(c.Items) != 1 {
		t.Errorf("cart: %+v", c)
	}
	d.refused("cart.addItem", `{"productId":"prd_guji_natural","quantity":1}`, bus.PreconditionFailed, bus.ReasonState)
}

func TestChangingLines(t *testing.T) {
	d := openSample(t, "clerk")
	d.refused("cart.setQuantity", `{"productId":"prd_guji_natural","quantity":1}`, bus.PreconditionFailed,
		bus.ReasonUnavailable)
	d.must("cart.addItem", `{"productId":"prd_guji_natural","quantity":2}`, nil)
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","variantId":%q,"quantity":1}`, gujiGround), nil)

	e := d.refused("cart.setQuantity", `{"productId":"prd_guji_natural","quantity":5}`, bus.PreconditionFailed,
		bus.ReasonState)
	if want := []bus.Choice{{Field: "variantId", Options: []bus.Option{{Value: gujiBeans, Title: "250 g, Whole bean"},
		{Value: gujiGround, Title: "250 g, Ground"}}}}; !cmp.Equal(e.Choices, want) {
		t.Errorf("offers %v", e.Choices)
	}
	d.refused("cart.setQuantity", `{"quantity":5}`, bus.Validation, bus.ReasonArguments)
	d.refused("cart.setQuantity", jsonf(`{"variantId":%q,"quantity":85}`, gujiBeans), bus.PreconditionFailed,
		bus.ReasonState)
	d.refused("cart.removeItem", `{"productId":"prd_sidama_honey"}`, bus.PreconditionFailed, bus.ReasonState)

	var out struct {
		ItemCount int64
		CartTotal money
	}
	d.must("cart.setQuantity", jsonf(`{"variantId":%q,"quantity":5}`, gujiBeans), &out)
	if out.ItemCount != 6 || out.CartTotal.Amount != 6*2144 { // nothing is sent to a walk-in
		t.Errorf("after setQuantity: %+v", out)
	}
	d.must("cart.removeItem", jsonf(`{"variantId":%q,"quantity":2}`, gujiBeans), &out)
	if out.ItemCount != 4 {
		t.Errorf("after two were taken out: %+v", out)
	}
	d.refused("cart.removeItem", jsonf(`{"variantId":%q,"quantity":4}`, gujiBeans), bus.PreconditionFailed, bus.ReasonState)
	d.must("cart.removeItem", `{"productId":"NL-GUJ-250-WB"}`, &out)
	if out.ItemCount != 1 {
		t.Errorf("after removeItem: %+v", out)
	}
	d.must("cart.clear", `{}`, &out)
	if out.ItemCount != 0 || out.CartTotal.Amount != 0 {
		t.Errorf("after clear: %+v", out)
	}
}

func TestCartBelongsToThePersonAndTheCustomer(t *testing.T) {
	d := openSample(t, "june_park")
	ana, diana := d.ana(), d.customer("Diana Prewitt")
	d.fillAnasCart()
	d.must("cart.setCustomer", jsonf(`{"customerId":%q}`, diana), nil)
	if c := d.cart(); c.Customer.ID != diana || c.ItemCount != 0 {
		t.Fatalf("Diana's cart: %+v", c)
	}
	d.must("cart.setCustomer", jsonf(`{"customerId":%q}`, ana), nil)
	if c := d.cart(); c.Customer.ID != ana || c.ItemCount != 2 {
		t.Fatalf("Ana's cart did not stay open: %+v", c)
	}

	d.as("idris_bello")
	if c := d.cart(); c.Customer != nil {
		t.Errorf("another person sees a current cart: %+v", c)
	}
	d.must("cart.setCustomer", jsonf(`{"customerId":%q}`, ana), nil)
	if c := d.cart(); c.ItemCount != 2 {
		t.Errorf("the customer has a second open cart: %+v", c)
	}
	if n := d.number(`SELECT COUNT(*) FROM carts WHERE status = 'open' AND customer_id = ?`, ana); n != 1 {
		t.Errorf("%d open carts for one customer", n)
	}
}

func TestCartWithoutCustomerIsAdopted(t *testing.T) {
	d := openSample(t, "clerk")
	ana := d.fillAnasCart()
	d.must("cart.setCustomer", jsonf(`{"customerId":%q}`, d.customer("Noah Whitfield")), nil)

	// A walk-in's cart.
	d.as("june_park")
	d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":1}`, nil)
	d.must("cart.addItem", `{"productId":"NL-SID-250-WB","quantity":1}`, nil)
	if c := d.cart(); len(c.Problems) != 0 {
		t.Errorf("a walk-in's cart: %v", c.Problems)
	}
	d.must("cart.setCustomer", jsonf(`{"customerId":%q}`, ana), nil)
	c := d.cart()
	if c.Customer.ID != ana || c.ItemCount != 4 || len(c.Items) != 2 {
		t.Errorf("merged cart: %+v", c)
	}
	if n := d.number(`SELECT COUNT(*) FROM carts WHERE customer_id IS NULL`); n != 0 {
		t.Errorf("%d nameless carts are left", n)
	}
}

func TestNamelessCartIsHeldWhenAnotherIsFilled(t *testing.T) {
	d := openSample(t, "clerk")
	d.must("cart.addItem", `{"productId":"NL-SID-250-WB","quantity":3}`, nil)
	d.fillAnasCart()
	if c := d.cart(); c.ItemCount != 2 {
		t.Errorf("Ana's cart has %d items, want her own 2", c.ItemCount)
	}
	var held struct {
		Carts []struct {
			ID, Label string
			ItemCount int64
		}
	}
	d.must("cart.listHeld", `{}`, &held)
	if len(held.Carts) != 1 || held.Carts[0].Label != "Walk-in" || held.Carts[0].ItemCount != 3 {
		t.Errorf("held: %+v", held)
	}
}

func TestHoldAndResume(t *testing.T) {
	d := openSample(t, "clerk")
	d.refused("cart.hold", `{}`, bus.PreconditionFailed, bus.ReasonUnavailable)
	d.refused("cart.resume", `{"heldId":"cart_none"}`, bus.PreconditionFailed, bus.ReasonUnavailable)
	d.fillAnasCart()
	var held struct{ HeldID, Label string }
	d.must("cart.hold", `{}`, &held)
	if held.Label != "Ana Ruiz" {
		t.Errorf("label %q", held.Label)
	}
	if c := d.cart(); c.Customer != nil {
		t.Errorf("a held cart is current: %+v", c)
	}
	d.refused("cart.resume", `{"heldId":"cart_none"}`, bus.NotFound, bus.ReasonRecord)

	d.must("cart.addItem", jsonf(`{"productId":"NL-SID-250-WB","quantity":1,"customerId":%q}`, d.ana()), nil)
	e := d.refused("cart.resume", jsonf(`{"heldId":%q}`, held.HeldID), bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, "another open cart")
	d.must("cart.clear", `{}`, nil)
	d.must("cart.resume", jsonf(`{"heldId":%q}`, held.HeldID), nil)
	if c := d.cart(); c.ItemCount != 2 || c.Customer.Name != "Ana Ruiz" {
		t.Errorf("resumed: %+v", c)
	}
}

func TestHeldCartsArePaged(t *testing.T) {
	d := openSample(t, "clerk")
	for range 5 {
		d.must("cart.addItem", `{"productId":"NL-SID-250-WB","quantity":1}`, nil)
		d.must("cart.hold", `{"label":"same"}`, nil)
	}
	seen, cursor := map[string]bool{}, ""
	for page := 0; ; page++ {
		var out struct {
			Carts      []struct{ ID string }
			NextCursor string
			HasMore    bool
		}
		d.must("cart.listHeld", jsonf(`{"limit":2,"cursor":%q}`, cursor), &out)
		for _, c := range out.Carts {
			if seen[c.ID] {
				t.Fatalf("%s came twice", c.ID)
			}
			seen[c.ID] = true
		}
		if cursor = out.NextCursor; !out.HasMore {
			break
		}
	}
	if len(seen) != 5 {
		t.Errorf("the pages have %d of 5 carts", len(seen))
	}
}

func TestDiscounts(t *testing.T) {
	d := openSample(t, "clerk")
	d.refused("cart.applyDiscount", `{"percent":5}`, bus.PreconditionFailed, bus.ReasonUnavailable)
	d.fillAnasCart() // $42.88
	for name, tc := range map[string]struct {
		args   string
		code   bus.Code
		reason bus.Reason
	}{
		"neither": {`{}`, bus.Validation, bus.ReasonArguments},
		"both": {`{"percent":5,"amount":{"amount":100,"currency":"USD"}}`, bus.Validation,
			bus.ReasonArguments},
		"another currency":     {`{"amount":{"amount":100,"currency":"EUR"}}`, bus.Validation, bus.ReasonArguments},
		"over a clerk's limit": {`{"percent":11}`, bus.Forbidden, bus.ReasonLimit},
		"amount over it":       {`{"amount":{"amount":429,"currency":"USD"}}`, bus.Forbidden, bus.ReasonLimit},
	} {
		t.Run(name, func(t *testing.T) { d.refused("cart.applyDiscount", tc.args, tc.code, tc.reason) })
	}
	d.must("cart.applyDiscount", `{"amount":{"amount":428,"currency":"USD"},"reason":"Dented tin"}`, nil)
	if c := d.cart(); c.Discount.Amount != 428 || c.Total.Amount != 4783-428 {
		t.Errorf("amount off: %+v", c)
	}
	d.must("cart.applyDiscount", `{"percent":10}`, nil)
	if c := d.cart(); c.Discount.Amount != 429 || len(c.Problems) != 0 { // 428.8, half up, and still ten percent
		t.Errorf("percent off: %+v %v", c.Discount, c.Problems)
	}
	d.must("cart.removeDiscount", `{}`, nil)
	d.refused("cart.removeDiscount", `{}`, bus.PreconditionFailed, bus.ReasonUnavailable)

	// The limit holds at the checkout too: taking items out must not widen it.
	d.must("cart.applyDiscount", `{"amount":{"amount":428,"currency":"USD"}}`, nil)
	d.must("cart.setQuantity", `{"productId":"prd_guji_natural","quantity":1}`, nil)
	contains(t, d.cart().Problems[0], "manager")
	c := d.cart()
	d.refused("checkout.submit", jsonf(`{"shippingAddressId":%q,"paymentMethodId":"cash"}`, c.address("Home")),
		bus.PreconditionFailed, bus.ReasonUnavailable)

	d.as("manager")
	d.must("cart.setCustomer", jsonf(`{"customerId":%q}`, d.ana()), nil)
	d.must("cart.applyDiscount", `{"percent":40}`, nil)
	d.refused("cart.applyDiscount", `{"amount":{"amount":9999,"currency":"USD"}}`, bus.PreconditionFailed, bus.ReasonState)
	if c := d.cart(); len(c.Problems) != 0 || c.Discount.Amount != 858 {
		t.Errorf("a manager's discount: %+v %v", c.Discount, c.Problems)
	}
}

func TestTheLastItemTakesTheDiscountWithIt(t *testing.T) {
	d := openSample(t, "clerk")
	d.fillAnasCart()
	d.must("cart.applyDiscount", `{"percent":10}`, nil)
	d.must("cart.removeItem", `{"productId":"prd_guji_natural"}`, nil)
	d.fillAnasCart()
	if c := d.cart(); c.Discount.Amount != 0 || c.Total.Amount != 4783 {
		t.Errorf("the next item is discounted: %+v", c)
	}
}

func TestShippingMethods(t *testing.T) {
	d := openSample(t, "clerk")
	d.refused("cart.setShipping", `{"method":"express"}`, bus.PreconditionFailed, bus.ReasonState)
	d.fillAnasCart()
	e := d.refused("cart.setShipping", `{"method":"by pigeon"}`, bus.NotFound, bus.ReasonRecord)
	contains(t, e.Hint, "settings.get")
	for method, want := range map[string]int64{"express": 1495, "Pickup at the roastery": 0, "standard": 495} {
		d.must("cart.setShipping", jsonf(`{"method":%q}`, method), nil)
		if c := d.cart(); c.Shipping.Amount != want || c.Total.Amount != 4288+want {
			t.Errorf("%s: shipping %v, total %v", method, c.Shipping, c.Total)
		}
	}
}

func TestTaxIsAddedOnGoodsAndNotOnCoffee(t *testing.T) {
	d := openSample(t, "clerk")
	d.must("cart.addItem", `{"productId":"prd_guji_natural","quantity":1}`, nil)
	d.must("cart.addItem", `{"productId":"prd_brew_scale","quantity":1}`, nil)
	d.must("cart.setShipping", `{"method":"standard"}`, nil)
	c := d.cart()
	if diff := cmp.Diff([]int64{2144 + 5400, 297, 2144 + 5400 + 297 + 495},
		[]int64{c.Subtotal.Amount, c.Tax.Amount, c.Total.Amount}); diff != "" {
		t.Error(diff)
	}
}

func TestValidateSaysWhatIsMissing(t *testing.T) {
	d := openSample(t, "clerk")
	check := func(want ...string) {
		t.Helper()
		var out struct {
			OK       bool
			Problems []string
		}
		d.must("cart.validate", `{}`, &out)
		if diff := cmp.Diff(append([]string{}, want...), out.Problems); diff != "" || out.OK != (len(want) == 0) {
			t.Errorf("ok %v: %s", out.OK, diff)
		}
	}
	check("There is no open cart.")
	var made struct{ CustomerID string }
	d.must("customer.create", `{"name":"New Person"}`, &made)
	d.must("cart.setCustomer", jsonf(`{"customerId":%q}`, made.CustomerID), nil)
	check("New Person has no saved address.", "The cart is empty.")
	d.must("cart.addItem", `{"productId":"prd_guji_natural","quantity":84}`, nil)
	check("New Person has no saved address.")
	d.must("customer.addAddress",
		jsonf(`{"customerId":%q,"address":{"line1":"1 Road","city":"Bath","postalCode":"04530","country":"US"}}`,
			made.CustomerID), nil)
	check()
	// Another person sells the last pieces in the meantime.
	d.as("june_park")
	d.fillAnasCart()
	d.submit("Home", "PayPal")
	d.as("clerk")
	check("There are only 82 of Guji Natural (250 g, Whole bean) in stock.")
}
