package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// The tests' application: a desk with things to sell, people and their baskets.

func raw(format string, args ...any) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(format, args...))
}

func object(required, properties string) json.RawMessage {
	if required != "" {
		required = `"` + strings.ReplaceAll(required, " ", `","`) + `"`
	}
	return raw(`{"type":"object","additionalProperties":false,"required":[%s],"properties":{%s}}`, required, properties)
}

const (
	productID  = `"productId":{"type":"string","x-lookup":"catalog.search#/products"}`
	customerID = `"customerId":{"type":"string","x-lookup":"customer.search#/customers"}`
	orderID    = `"orderId":{"type":"string","x-lookup":"order.search#/orders"}`
	query      = `"query":{"type":"string"}`
)

type thing = map[string]any

var products = []thing{
	{"id": "prod_guji", "name": "Guji Natural", "sku": "GUJ", "variants": []thing{
		{"id": "var_250", "sku": "GUJ-250", "label": "250 g", "options": thing{"size": "250g"}, "price": thing{"amount": 2144, "currency": "USD", "text": "$21.44"}, "stock": 84},
		{"id": "var_1k", "sku": "GUJ-1K", "label": "1 kg", "options": thing{"size": "1kg"}, "price": thing{"amount": 7490, "currency": "USD", "text": "$74.90"}, "stock": 5}}},
	{"id": "prod_kenya", "name": "Kenya AA", "sku": "KEN"},
	{"id": "prod_espresso", "name": "House Espresso", "sku": "ESP"},
	{"id": "prod_decaf", "name": "Decaf Espresso", "sku": "DEC"},
}

var customers = []thing{
	{"id": "cus_ana", "name": "Ana Ruiz", "email": "ana.ruiz@example.com"},
	{"id": "cus_diana", "name": "Diana Prince", "email": "diana@example.com"},
	{"id": "cus_ben1", "name": "Ben Okafor", "email": "ben@example.com"},
	{"id": "cus_ben2", "name": "Ben Silva", "email": "silva@example.com"},
	{"id": "cus_jose", "name": "José Núñez", "email": "jose@example.com"},
	{"id": "cus_hannah", "name": "Hannah Lindgren", "email": "hannah.lindgren@example.com"},
	{"id": "cus_thora", "name": "Þóra Jónsdóttir", "email": "thora.jonsdottir@example.com"},
	{"id": "cus_fatima", "name": "Fatima Al-Sayed", "email": "fatima@example.com"},
}

var orders = []thing{
	{"id": "ord_1", "number": "A1001", "title": "A1001", "status": "pending", "customer": "Ana Ruiz", "customerId": "cus_ana", "placedAt": 1795094640000, "date": "2026-11-19"},
	{"id": "ord_2", "number": "A1002", "title": "A1002", "status": "delivered", "customer": "Ben Silva", "customerId": "cus_ben2", "placedAt": 1792329840000, "date": "2026-10-18"},
	{"id": "ord_3", "number": "A1003", "title": "A1003", "status": "delivered", "customer": "Ana Ruiz", "customerId": "cus_ana", "placedAt": 1786900000000, "date": "2026-08-16"},
}

var shipping = []thing{{"id": "ship_standard", "name": "Standard"}, {"id": "ship_express", "name": "Express"}}

var records = []thing{
	{"seq": 7, "time": 1795172605635, "kind": "invocation", "request_id": "req_01a1f8a0-1ec3-7515-b395-e7d8821b1f76", "capability": "cart.clear", "version": "1.0.0",
		"caller": thing{"type": "agent", "person": "mara_lindqvist"}, "status": "success", "summary": "the cart was emptied"},
	{"seq": 8, "time": 1795172605999, "kind": "invocation", "request_id": "req_01a1f8a0-1ec3-7515-b395-e7d8821b1f77", "capability": "cart.getSummary", "version": "1.0.0",
		"caller": thing{"type": "ui", "person": "owner"}, "status": "error"},
}

func withText(list []thing, q string) []thing {
	found := []thing{}
	for _, t := range list {
		text, _ := json.Marshal(t)
		all := true
		for _, w := range strings.Fields(strings.ToLower(q)) {
			all = all && strings.Contains(strings.ToLower(string(text)), w)
		}
		if all {
			found = append(found, t)
		}
	}
	return found
}

func searching(list []thing, key string) bus.Handler {
	return func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
		var in struct{ Query, Email, CustomerID, Status string }
		if err := call.Decode(&in); err != nil {
			return nil, err
		}
		found := withText(list, in.Query+" "+in.Email)
		if in.CustomerID != "" {
			found = slices.DeleteFunc(found, func(t thing) bool { return t["customerId"] != in.CustomerID })
		}
		return json.Marshal(thing{key: found})
	}
}

func capability(name, title string, effect bus.SideEffect, input json.RawMessage, h bus.Handler, phrases ...string) bus.Capability {
	c := bus.Capability{Name: name, Title: title, Description: title + ". To keep it use cart.getSummary.", SideEffect: effect, InputSchema: input, Handler: h, Phrases: phrases}
	if name == "checkout.submit" {
		c.Facts = []string{"amount"}
	}
	if effect == bus.UIOnly || effect == bus.Destructive {
		c.Resources = []string{"database:write"}
	}
	return c
}

// saying is a handler that writes down that it ran and tells about it.
func saying(summary string) bus.Handler {
	return func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
		if err := bustest.Tables(ctx).Set("done", call.Capability.Name, thing{"arguments": string(call.Arguments)}); err != nil {
			return nil, err
		}
		call.Changed("desk", summary)
		return json.RawMessage(`{}`), nil
	}
}

func basket(ctx context.Context) (owner string, lines int) {
	row := bustest.Tables(ctx).Get("basket", "open")
	if row == nil {
		return "", 0
	}
	return row["owner"].(string), row["lines"].(int)
}

func addItem(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
	var in struct {
		ProductID, VariantID, CustomerID string
		Quantity                         int
	}
	if err := call.Decode(&in); err != nil {
		return nil, err
	}
	owner, lines := basket(ctx)
	if in.CustomerID != "" {
		owner = in.CustomerID
	}
	if err := bustest.Tables(ctx).Set("basket", "open", thing{"owner": owner, "lines": lines + in.Quantity}); err != nil {
		return nil, err
	}
	call.Changed("cart", fmt.Sprintf("%d × %s added", in.Quantity, in.ProductID))
	return raw(`{"itemCount":%d,"cartTotal":{"amount":%d,"currency":"USD","text":"$%d.00"}}`, lines+in.Quantity, 2000*(lines+in.Quantity), 20*(lines+in.Quantity)), nil
}

func summary(ctx context.Context, _ *bus.Call) (json.RawMessage, error) {
	_, lines := basket(ctx)
	return raw(`{"customer":{"id":"cus_ana","name":"Ana Ruiz"},"items":[{"productId":"prod_guji","name":"Guji Natural","quantity":%d}],
		"total":{"amount":4783,"currency":"USD","text":"$47.83"},
		"savedAddresses":[{"id":"addr_h","label":"Home","text":"123 Main St","default":true},{"id":"addr_w","label":"Work","text":"9 Dock Rd"}],
		"savedPaymentMethods":[{"id":"pm_visa","label":"Visa ending 4242","default":true},{"id":"pm_pp","label":"PayPal"}]}`, lines), nil
}

func submit(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
	_, lines := basket(ctx)
	if lines == 0 {
		return nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The cart is empty.").WithHint("Invoke cart.addItem to put something in it.")
	}
	if err := bustest.Tables(ctx).Set("basket", "open", thing{"owner": "", "lines": 0}); err != nil {
		return nil, err
	}
	call.Fact("amount", lines*2000)
	call.Summarize("Submit order for Ana Ruiz: %d items, to 123 Main St (Home), paid by Visa ending 4242", lines)
	call.Changed("order", "Order A2001 placed")
	return raw(`{"orderId":"A2001","estimatedDelivery":"2026-02-12","total":{"amount":4783,"currency":"USD","text":"$47.83"}}`), nil
}

func desk() []bus.Capability {
	addresses := `"shippingAddressId":{"type":"string","x-lookup":"cart.getSummary#/savedAddresses"}`
	method := `"method":{"type":"string","x-lookup":"shipping.list#/shipping"}`
	amount := `"amount":{"type":"object","properties":{"amount":{"type":"integer"},"currency":{"type":"string"}},"required":["amount","currency"]}`
	payments := `"paymentMethodId":{"type":"string","x-lookup":"cart.getSummary#/savedPaymentMethods"}`
	quantity := `"quantity":{"type":"integer","minimum":1}`
	return []bus.Capability{
		capability("catalog.search", "Search the catalog", bus.Pure, object("", query), searching(products, "products"), "find product {query}", "search the catalog for {query}",
			"do we have {query} in stock", "how many {query} do we have"),
		capability("customer.update", "Change a customer", bus.UIOnly, object("customerId", `"customerId":{"type":"string","x-lookup":"customer.search#/customers"},"phone":{"type":"string"}`), saying("changed"),
			"change the phone of {customerId} to {phone}"),
		capability("customer.search", "Find customers", bus.Pure, object("", query+`,"email":{"type":"string"},"phone":{"type":"string"}`), searching(customers, "customers"), "find customer {query}", "find {query}",
			"find customer with email {email}"),
		capability("cart.getSummary", "Show the cart", bus.Pure, object("", customerID), summary, "show the cart", "what's in the cart", "what is in {customerId}'s cart"),
		capability("cart.addItem", "Add to cart", bus.UIOnly, object("productId quantity", productID+`,"variantId":{"type":"string"},`+quantity+","+customerID),
			addItem, "add {quantity} {productId} to {customerId}'s cart", "add {quantity} {productId} to the cart"),
		capability("cart.removeItem", "Remove from cart", bus.UIOnly, object("productId", productID), saying("removed"), "remove {productId} from the cart", "remove {productId}"),
		capability("cart.setQuantity", "Set quantity", bus.UIOnly, object("productId quantity", productID+","+quantity), saying("quantity set"), "set the quantity of {productId} to {quantity}", "set {productId} to {quantity}"),
		capability("cart.setCustomer", "Choose the customer", bus.UIOnly, object("customerId", customerID), saying("customer chosen"), "open {customerId}'s cart", "start an order for {customerId}",
			"the customer is {customerId}"),
		capability("cart.clear", "Clear the cart", bus.UIOnly, object("", ""), saying("cart cleared"), "clear the cart", "empty the cart"),
		capability("cart.applyDiscount", "Apply a discount", bus.UIOnly, object("", `"percent":{"type":"number","minimum":0,"maximum":100},`+amount), saying("discount applied"), "give a discount of {percent} percent",
			"apply {percent}% discount", "give a discount of {amount}", "take {amount} off"),
		capability("shipping.list", "Show the ways of shipping", bus.Pure, object("", ""), searching(shipping, "shipping"), "show the ways of shipping"),
		capability("cart.setShipping", "Choose the shipping", bus.UIOnly, object("method", method), saying("shipping chosen"), "send it by {method}", "make it {method}"),
		capability("audit.search", "Search the audit log", bus.Pure, object("", query), searching(records, "records"), "show the audit log"),
		capability("checkout.submit", "Submit order", bus.Destructive, object("shippingAddressId paymentMethodId", addresses+","+payments+`,"giftMessage":{"type":"string"}`),
			submit, "submit the order to {shippingAddressId}", "place the order to {shippingAddressId} paid by {paymentMethodId}", "check out with {paymentMethodId}", "submit the order with message {giftMessage}",
			"send it to the {shippingAddressId} address, paid by {paymentMethodId}", "submit the order, paid in {paymentMethodId}", "submit it"),
		capability("order.search", "Find orders", bus.Pure, object("", query+","+customerID+`,"status":{"type":"string","enum":["pending","processed","delivered","cancelled"]}`), searching(orders, "orders"), "find order {query}", "show {status} orders",
			"find orders from {customerId}", "orders of {customerId}"),
		capability("customer.get", "Show a customer", bus.Pure, object("customerId", customerID), func(context.Context, *bus.Call) (json.RawMessage, error) {
			return json.Marshal(customers[0])
		}, "show {customerId}", "show customer {customerId}"),
		capability("order.get", "Show an order", bus.Pure, object("orderId", orderID), func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
			return json.Marshal(orders[0])
		}, "show order {orderId}", "show {orderId}"),
		capability("order.cancel", "Cancel an order", bus.Destructive, object("orderId reason", orderID+`,"reason":{"type":"string","enum":["no longer needed","ordered by mistake","out of stock","other"]},"note":{"type":"string"}`),
			saying("order cancelled"), "cancel order {orderId}", "cancel order {orderId} because {reason}", "cancel {orderId}"),
		capability("order.addNote", "Add a note", bus.UIOnly, object("orderId text", orderID+`,"text":{"type":"string"}`), saying("note added"), "add the note {text} to order {orderId}", "note {text} on order {orderId}"),
		capability("navigation.go", "Open a page", bus.UIOnly, object("page", `"page":{"type":"string","enum":["counter","orders","customers","catalog","audit"]}`), saying("page opened"), "open {page}", "go to the {page} page"),
		capability("theme.set", "Change the theme", bus.UIOnly, object("theme", `"theme":{"type":"string","enum":["light","dark","system"]}`), saying("theme changed"), "switch to {theme}", "use the {theme} theme", "set the theme to {theme}", "make it {theme}"),
	}
}

var kim = bus.Principal{Person: "p1", Name: "Kim", Scopes: []string{"*"}, Door: "test"}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
