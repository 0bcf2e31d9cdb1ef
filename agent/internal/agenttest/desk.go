// Package agenttest is the application that the tests of agent and its rooms talk to: a
// counter with products, customers, orders and a cart. Only tests import it.
package agenttest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// JSON formats a JSON document.
func JSON(format string, args ...any) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(format, args...))
}

// Object is the schema of an object: the names of required properties, and the properties.
func Object(required, properties string) json.RawMessage {
	if required != "" {
		required = `"` + strings.ReplaceAll(required, " ", `","`) + `"`
	}
	return JSON(`{"type":"object","additionalProperties":false,"required":[%s],"properties":{%s}}`, required, properties)
}

const (
	productID  = `"productId":{"type":"string","x-entity":"product"}`
	customerID = `"customerId":{"type":"string","x-entity":"customer"}`
	orderID    = `"orderId":{"type":"string","x-entity":"order"}`
	query      = `"query":{"type":"string"}`
)

type thing = map[string]any

var products = []thing{
	{"id": "prod_guji", "name": "Guji Natural", "sku": "GUJ", "variants": []thing{
		{"id": "var_250", "sku": "GUJ-250", "label": "250 g", "options": thing{"size": "250g"},
			"price": thing{"amount": 2144, "currency": "USD", "text": "$21.44"}, "stock": 84},
		{"id": "var_1k", "sku": "GUJ-1K", "label": "1 kg", "options": thing{"size": "1kg"},
			"price": thing{"amount": 7490, "currency": "USD", "text": "$74.90"}, "stock": 5}}},
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
	{"id": "ord_1", "number": "A1001", "title": "A1001", "status": "pending", "customer": "Ana Ruiz",
		"customerId": "cus_ana", "placedAt": 1795094640000, "date": "2026-11-19"},
	{"id": "ord_2", "number": "A1002", "title": "A1002", "status": "delivered", "customer": "Ben Silva",
		"customerId": "cus_ben2", "placedAt": 1792329840000, "date": "2026-10-18"},
	{"id": "ord_3", "number": "A1003", "title": "A1003", "status": "delivered", "customer": "Ana Ruiz",
		"customerId": "cus_ana", "placedAt": 1786900000000, "date": "2026-08-16"},
}

var shipping = []thing{{"id": "ship_standard", "name": "Standard"}, {"id": "ship_express", "name": "Express"}}

var records = []thing{
	{"seq": 7, "time": 1795172605635, "kind": "invocation", "request_id": "req_01a1f8a0-1ec3-7515-b395-e7d8821b1f76",
		"capability": "cart.clear", "version": "1.0.0",
		"caller": thing{"type": "agent", "person": "mara_lindqvist"}, "status": "success", "summary": "the cart was emptied"},
	{"seq": 8, "time": 1795172605999, "kind": "invocation", "request_id": "req_01a1f8a0-1ec3-7515-b395-e7d8821b1f77",
		"capability": "cart.getSummary", "version": "1.0.0",
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

// Searching returns a handler that lists the records with all words of the query.
func Searching(list []thing, key string) handler {
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

// Capability returns a capability with the given fields and defaults for the others.
func Capability(name, title string, effect bus.SideEffect, input json.RawMessage, h handler,
	phrases ...string) bus.Capability {
	c := bus.Capability{Name: name, Title: title, Description: title + ". To keep it use cart.getSummary.",
		SideEffect: effect, InputSchema: input, Handler: h,
		Assistant: bus.Assistant{Phrases: phrases}}
	if name == "checkout.submit" {
		c.Facts, c.Changes = []string{"amount"}, []string{"order"}
	}
	if effect == bus.UIOnly || effect == bus.Destructive {
		c.Resources = []string{"database:write"}
	}
	return c
}

// Saying is a handler that writes down that it ran and tells about it.
func Saying(summary string) handler {
	return func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
		row := thing{"arguments": string(call.Arguments)}
		if err := bustest.Tables(ctx).Set("done", call.Capability.Name, row); err != nil {
			return nil, err
		}
		call.Changed(call.Capability.Changes[0], summary)
		return json.RawMessage(`{}`), nil
	}
}

func cart(ctx context.Context) (owner string, lines int) {
	row := bustest.Tables(ctx).Get("cart", "open")
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
	owner, lines := cart(ctx)
	if in.CustomerID != "" {
		owner = in.CustomerID
	}
	if err := bustest.Tables(ctx).Set("cart", "open", thing{"owner": owner, "lines": lines + in.Quantity}); err != nil {
		return nil, err
	}
	call.Changed("cart", fmt.Sprintf("%d × %s added", in.Quantity, in.ProductID))
	return JSON(`{"itemCount":%d,"cartTotal":{"amount":%d,"currency":"USD","text":"$%d.00"}}`, lines+in.Quantity,
		2000*(lines+in.Quantity), 20*(lines+in.Quantity)), nil
}

// ShowCart is the handler of cart.getSummary.
func ShowCart(ctx context.Context, _ *bus.Call) (json.RawMessage, error) {
	_, lines := cart(ctx)
	return JSON(`{"customer":{"id":"cus_ana","name":"Ana Ruiz"},
		"items":[{"productId":"prod_guji","name":"Guji Natural","label":"250 g","quantity":%d,"ratePpm":55000}],
		"total":{"amount":4783,"currency":"USD","text":"$47.83"},
		"savedAddresses":[{"id":"addr_h","label":"Home","text":"123 Main St","default":true},
			{"id":"addr_w","label":"Work","text":"9 Dock Rd"}],
		"savedPaymentMethods":[{"id":"pm_visa","label":"Visa ending 4242","default":true},{"id":"pm_pp","label":"PayPal"}]}`,
		lines), nil
}

func submit(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
	_, lines := cart(ctx)
	if lines == 0 {
		return nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The cart is empty.").
			WithHint("Invoke cart.addItem to put something in it.")
	}
	if err := bustest.Tables(ctx).Set("cart", "open", thing{"owner": "", "lines": 0}); err != nil {
		return nil, err
	}
	call.Fact("amount", lines*2000)
	call.Summarize("Submit order for Ana Ruiz: %d items, to 123 Main St (Home), paid by Visa ending 4242", lines)
	call.Changed("order", "Order A2001 placed")
	return JSON(`{"orderId":"A2001","estimatedDelivery":"2026-02-12",
		"total":{"amount":4783,"currency":"USD","text":"$47.83"}}`), nil
}

// Capabilities are those of the application.
func Capabilities() []bus.Capability {
	addresses := `"shippingAddressId":{"type":"string","x-entity":"address"}`
	method := `"method":{"type":"string","x-entity":"shippingMethod"}`
	amount := `"amount":{"type":"object","properties":{"amount":{"type":"integer"},"currency":{"type":"string"}},
		"required":["amount","currency"]}`
	payments := `"paymentMethodId":{"type":"string","x-entity":"paymentMethod"}`
	quantity := `"quantity":{"type":"integer","minimum":1}`
	return listing([]bus.Capability{
		Capability("catalog.search", "Search the catalog", bus.Pure, Object("", query), Searching(products, "products"),
			"find product {query}", "search the catalog for {query}",
			"do we have {query} in stock", "how many {query} do we have"),
		Capability("customer.update", "Change a customer", bus.UIOnly,
			Object("customerId", customerID+`,"phone":{"type":"string"}`), Saying("changed"),
			"change the phone of {customerId} to {phone}"),
		Capability("customer.search", "Find customers", bus.Pure,
			Object("", query+`,"email":{"type":"string"},"phone":{"type":"string"}`), Searching(customers, "customers"),
			"find customer {query}", "find {query}",
			"find customer with email {email}"),
		Capability("cart.getSummary", "Show the cart", bus.Pure, Object("", customerID), ShowCart, "show the cart",
			"what's in the cart", "what is in {customerId}'s cart"),
		Capability("cart.addItem", "Add to cart", bus.UIOnly,
			Object("productId quantity", productID+`,"variantId":{"type":"string"},`+quantity+","+customerID),
			addItem, "add {quantity} {productId} to {customerId}'s cart", "add {quantity} {productId} to the cart"),
		Capability("cart.removeItem", "Remove from cart", bus.UIOnly, Object("productId", productID), Saying("removed"),
			"remove {productId} from the cart", "remove {productId}"),
		Capability("cart.setQuantity", "Set quantity", bus.UIOnly, Object("productId quantity", productID+","+quantity),
			Saying("quantity set"), "set the quantity of {productId} to {quantity}", "set {productId} to {quantity}"),
		Capability("cart.setCustomer", "Choose the customer", bus.UIOnly, Object("customerId", customerID),
			Saying("customer chosen"), "open {customerId}'s cart", "start an order for {customerId}",
			"the customer is {customerId}"),
		Capability("cart.clear", "Clear the cart", bus.UIOnly, Object("", ""), Saying("cart cleared"), "clear the cart",
			"empty the cart"),
		Capability("cart.applyDiscount", "Apply a discount", bus.UIOnly,
			Object("", `"percent":{"type":"number","minimum":0,"maximum":100},`+amount), Saying("discount applied"),
			"give a discount of {percent} percent",
			"apply {percent}% discount", "give a discount of {amount}", "take {amount} off"),
		Capability("shipping.list", "Show the ways of shipping", bus.Pure, Object("", ""), Searching(shipping, "shipping"),
			"show the ways of shipping"),
		Capability("cart.setShipping", "Choose the shipping", bus.UIOnly, Object("method", method), Saying("shipping chosen"),
			"send it by {method}", "make it {method}"),
		Capability("audit.search", "Search the audit log", bus.Pure, Object("", query), Searching(records, "records"),
			"show the audit log"),
		Capability("checkout.submit", "Submit order", bus.Destructive,
			Object("shippingAddressId paymentMethodId", addresses+","+payments+`,"giftMessage":{"type":"string"}`),
			submit, "submit the order to {shippingAddressId}",
			"place the order to {shippingAddressId} paid by {paymentMethodId}", "check out with {paymentMethodId}",
			"submit the order with message {giftMessage}",
			"send it to the {shippingAddressId} address, paid by {paymentMethodId}",
			"submit the order, paid in {paymentMethodId}", "submit it"),
		Capability("order.search", "Find orders", bus.Pure,
			Object("", query+","+customerID+
				`,"status":{"type":"string","enum":["pending","processed","delivered","cancelled"]}`),
			Searching(orders, "orders"), "find order {query}", "show {status} orders",
			"find orders from {customerId}", "orders of {customerId}"),
		Capability("customer.get", "Show a customer", bus.Pure, Object("customerId", customerID),
			func(context.Context, *bus.Call) (json.RawMessage, error) {
				return json.Marshal(customers[0])
			}, "show {customerId}", "show customer {customerId}"),
		Capability("order.get", "Show an order", bus.Pure, Object("orderId", orderID),
			func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
				return json.Marshal(orders[0])
			}, "show order {orderId}", "show {orderId}"),
		Capability("order.cancel", "Cancel an order", bus.Destructive,
			Object("orderId reason", orderID+`,"reason":{"type":"string",
				"enum":["no longer needed","ordered by mistake","out of stock","other"]},"note":{"type":"string"}`),
			Saying("order cancelled"), "cancel order {orderId}", "cancel order {orderId} because {reason}", "cancel {orderId}"),
		Capability("order.addNote", "Add a note", bus.UIOnly,
			Object("orderId text", orderID+`,"text":{"type":"string","maxLength":2000}`),
			Saying("note added"), "add the note {text} to order {orderId}", "note {text} on order {orderId}",
			"note on order {orderId} {text}"),
		Capability("navigation.go", "Open a page", bus.UIOnly,
			Object("page", `"page":{"type":"string","enum":["counter","orders","customers","catalog","audit"]}`),
			Saying("page opened"), "open {page}", "go to the {page} page"),
		Capability("theme.set", "Change the theme", bus.UIOnly,
			Object("theme", `"theme":{"type":"string","enum":["light","dark","system"]}`), Saying("theme changed"),
			"switch to {theme}", "use the {theme} theme", "set the theme to {theme}", "make it {theme}"),
	})
}

// listing adds which records the capabilities list.
func listing(caps []bus.Capability) []bus.Capability {
	for i := range caps {
		caps[i].Entities = map[string][]bus.Entity{
			"catalog.search":  {{Type: "product", Title: "Product", List: "/products"}},
			"customer.search": {{Type: "customer", Title: "Customer", List: "/customers", Get: "customer.get"}},
			"order.search":    {{Type: "order", Title: "Order", List: "/orders", Get: "order.get", Display: "{title}"}},
			"shipping.list":   {{Type: "shippingMethod", Title: "Shipping method", List: "/shipping"}},
			"cart.getSummary": {{Type: "address", Title: "Address", List: "/savedAddresses"},
				{Type: "paymentMethod", Title: "Payment method", List: "/savedPaymentMethods"}},
		}[caps[i].Name]
	}
	return caps
}

// Kim is the person in the tests, who may do everything.
var Kim = bus.Principal{ID: "p1", Name: "Kim", Scopes: []string{"*"}, Door: "test"}

// Vocabulary is the application's, for builtin.New.
func Vocabulary() (words map[string][]string, people, codes []string) {
	return map[string][]string{"cart": {"basket"}, "customer": {"client"}}, []string{"customer"}, []string{"sku"}
}

// handler is the type of [bus.Capability.Handler].
type handler = func(ctx context.Context, call *bus.Call) (json.RawMessage, error)
