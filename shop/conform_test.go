package shop_test

import (
	"context"
	"encoding/json"
	"flag"
	"github.com/deskhand/deskhand/shop/transfer"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus/bustest"
)

// bodies is the number of invalid argument bodies for each capability; make soak uses more.
var bodies = flag.Int("bodies", 200, "invalid argument bodies per capability")

// TestEveryCapabilityConforms holds each capability of the shop to the rules of
// the bus, on the real journal.
func TestEveryCapabilityConforms(t *testing.T) {
	bustest.ConformEach(t, func(t testing.TB, capability string) bustest.App {
		d := openSample(t, "owner")
		switch capability {
		case "shop.setUp":
			d = openEmpty(t)
		case "shop.import":
			d = openNew(t)
		}
		_ = d.bus.Options().NewRequestID() // the sample's own record has the first one
		return bustest.App{
			Bus: d.bus, Person: d.person, Bodies: *bodies,
			Digest: func() (string, error) { return d.log.StateHash(context.Background()) },
			Records: func(requestID string) (int, error) {
				page, err := d.log.Search(context.Background(), audit.Query{RequestID: requestID, Reads: true})
				return len(page.Records), err
			},
			Arguments: d.arguments,
		}
	})
}

// arguments brings the shop into a state where a capability succeeds and returns its arguments, or nil if the schema is
// enough.
func (d *desk) arguments(name string) json.RawMessage {
	filled := func(args string) string {
		d.fillAnasCart()
		return args
	}
	with := map[string]func() string{
		"cart.addOpenItem": func() string { return `{"title":"Gift wrap","unitPrice":{"amount":300,"currency":"USD"}}` },
		"cart.setLinePrice": func() string {
			return filled(`{"productId":"prd_guji_natural","price":{"amount":2100,"currency":"USD"}}`)
		},
		"cart.setLineDiscount": func() string { return filled(`{"productId":"prd_guji_natural","percent":5}`) },
		"cart.setNote":         func() string { return filled(`{"text":"Back at four"}`) },
		"cart.fromOrder": func() string {
			d.fillAnasCart()
			return jsonf(`{"orderId":%q}`, d.submit("Home", "PayPal").OrderID)
		},
		"cart.setCustomer":   func() string { return jsonf(`{"customerId":%q}`, d.ana()) },
		"cart.setQuantity":   func() string { return filled(`{"productId":"prd_guji_natural","quantity":1}`) },
		"cart.removeItem":    func() string { return filled(`{"productId":"prd_guji_natural"}`) },
		"cart.applyDiscount": func() string { return filled(`{"percent":10}`) },
		"cart.setShipping":   func() string { return filled(`{"method":"express"}`) },
		"cart.clear":         func() string { return filled(`{}`) },
		"cart.hold":          func() string { return filled(`{}`) },
		"cart.removeDiscount": func() string {
			d.fillAnasCart()
			d.must("cart.applyDiscount", `{"percent":10}`, nil)
			return `{}`
		},
		"cart.resume": func() string {
			d.fillAnasCart()
			var held struct{ HeldID string }
			d.must("cart.hold", `{}`, &held)
			return jsonf(`{"heldId":%q}`, held.HeldID)
		},
		"checkout.submit": func() string {
			d.fillAnasCart()
			c := d.cart()
			return jsonf(`{"shippingAddressId":%q,"paymentMethodId":%q}`, c.address("Home"), c.method("PayPal"))
		},
		"order.cancel": func() string {
			d.fillAnasCart()
			return jsonf(`{"orderId":%q,"reason":"other"}`, d.submit("Home", "PayPal").OrderID)
		},
		"cash.move": func() string { return `{"amount":{"amount":-2000,"currency":"USD"},"reason":"Bank"}` },
		"day.close": func() string {
			d.must("cash.move", `{"amount":{"amount":10000,"currency":"USD"},"reason":"Change"}`, nil)
			return `{"counted":{"amount":9950,"currency":"USD"}}`
		},
		"customer.addPaymentMethod": func() string {
			return jsonf(`{"customerId":%q,"kind":"card","brand":"Visa","lastFour":"0001"}`, d.ana())
		},
		"settings.set": func() string { return `{"section":"shop","values":{"name":"New Leaf"}}` },
		"document.export": func() string {
			return jsonf(`{"kind":"receipt","format":"pdf","orderId":%q}`,
				d.anasOrder("PayPal"))
		},
		"email.sendReceipt": func() string {
			d.must("settings.set", withMail, nil)
			return jsonf(`{"orderId":%q}`, d.anasOrder("PayPal"))
		},
		"settings.testMail": func() string {
			d.must("settings.set", withMail, nil)
			return `{}`
		},
		"webhook.trigger": func() string {
			d.must("settings.set", withHook, nil)
			return `{"hook":"stock"}`
		},
		"staff.save": func() string {
			d.must("staff.setPin", `{"staffId":"mara_lindqvist","pin":"8021"}`, nil)
			return `{"name":"x","role":"clerk"}`
		},
		"staff.remove": func() string { return `{"staffId":"june_park"}` },
		"staff.setPin": func() string { return `{"staffId":"june_park","pin":"8020"}` },
		"session.signIn": func() string {
			d.must("staff.setPin", `{"staffId":"june_park","pin":"8020"}`, nil)
			return `{"staffId":"june_park","pin":"8020"}`
		},
		"session.lock": func() string {
			d.must("staff.setPin", `{"staffId":"mara_lindqvist","pin":"8021"}`, nil)
			return `{}`
		},
		"session.vouch": func() string {
			d.must("staff.setPin", `{"staffId":"june_park","pin":"8020"}`, nil)
			return `{"staffId":"june_park","pin":"8020","approval":"apr_1"}`
		},
		"tour.mark": func() string {
			d.must("tour.start", `{"tour":"desk"}`, nil)
			return `{"tour":"desk","step":"customer","as":"done"}`
		},
		"view.save": func() string { return `{"list":"order.search","name":"Late orders","values":{"query":"guji"}}` },
		"view.remove": func() string {
			d.saveView("order.search", "Late orders", "guji")
			_, ids := d.views()
			return jsonf(`{"viewId":%q}`, ids["Late orders"])
		},
		"shop.import": func() string {
			d.files["shop"] = tiny
			return `{"file":"shop"}`
		},
		"shop.importCSV": func() string {
			e := newExport()
			e.row("Handle=tea", "Title=New Tea", "Option1 Name=Title", "Option1 Value=Default Title", "Variant Price=4.50",
				"Status=active")
			d.files["export"] = e.String()
			return `{"file":"export","kind":"products","currency":"USD"}`
		},
	}[name]
	if with == nil {
		with = d.lifeArguments(name)
	}
	if with == nil {
		return nil
	}
	return json.RawMessage(with())
}

// pretended stands for copies of a shop without writing them. The tests of package files cover real copies.
type pretended struct{}

func (pretended) Backup(_ context.Context, _, name string) (audit.Copy, string, error) {
	return audit.Copy{Records: 1}, name, nil
}

func (pretended) List(context.Context) (string, []transfer.ListedCopy, error) {
	return "backups", nil, nil
}

func (pretended) Remove(context.Context, string) error { return nil }

func (pretended) Restore(_ context.Context, _, _ string, progress func(done, total int64)) (audit.Restored, string,
	error) {
	progress(1, 2)
	return audit.Restored{Reerase: []string{}}, "a copy", nil
}

// lifeArguments returns arguments for later changes of orders, customers and products.
func (d *desk) lifeArguments(name string) func() string {
	on := func(order func() string, rest string) func() string {
		return func() string { return jsonf(`{"orderId":%q%s}`, order(), rest) }
	}
	pending := func() string { return d.anasOrder("PayPal") }
	processed := func() string {
		id := d.anasOrder("PayPal")
		d.must("order.process", jsonf(`{"orderId":%q}`, id), nil)
		return id
	}
	delivered := func() string { return d.delivered("Cash") }
	change := jsonf(`,"changes":[{"variantId":%q,"newVariantId":%q}],"paymentMethodId":"cash"`, gujiBeans, gujiGround)
	back := jsonf(`,"lines":[{"variantId":%q}],"paymentMethodId":"cash"`, gujiBeans)
	asked := func(capability, rest string) func() string {
		return func() string {
			id := delivered()
			d.must(capability, jsonf(`{"orderId":%q%s}`, id, rest), nil)
			return id
		}
	}
	is := func(args string) func() string { return func() string { return args } }
	return map[string]func() string{
		"order.changeAddress": on(pending,
			`,"address":{"line1":"9 New Rd","city":"Bath","postalCode":"04530","country":"US"}`),
		"order.changePayment":   on(pending, `,"paymentMethodId":"cash"`),
		"order.changeItems":     on(pending, change),
		"order.process":         on(pending, ""),
		"order.fulfil":          on(processed, ""),
		"order.deliver":         on(processed, ""),
		"order.return":          on(delivered, back),
		"order.returnNow":       on(delivered, back+`,"reason":"faulty","restock":true`),
		"order.receiveReturn":   on(asked("order.return", back), `,"restock":true`),
		"order.exchange":        on(delivered, change),
		"order.receiveExchange": on(asked("order.exchange", change), `,"restock":true`),
		"customer.update":       func() string { return jsonf(`{"customerId":%q,"name":"Ana Bloom"}`, d.ana()) },
		"customer.removePaymentMethod": func() string {
			return jsonf(`{"customerId":%q,"paymentMethodId":%q}`, d.ana(), d.giftCard(0))
		},
		"customer.merge": func() string {
			return jsonf(`{"keep":%q,"remove":%q}`, d.ana(), d.customer("Diana Prewitt"))
		},
		"customer.erase": func() string {
			var made struct{ CustomerID string }
			d.must("customer.create", `{"name":"Kim Example"}`, &made)
			return jsonf(`{"customerId":%q}`, made.CustomerID)
		},
		"catalog.createProduct": is(newShirt),
		"catalog.updateProduct": is(`{"productId":"prd_guji_natural","tags":["coffee"]}`),
		"catalog.setPrice":      is(`{"productId":"prd_guji_natural","price":{"amount":2000,"currency":"USD"}}`),
		"catalog.adjustStock":   is(`{"productId":"prd_guji_natural","delta":1}`),
		"catalog.receiveStock":  is(`{"lines":[{"variantId":"NL-GUJ-250-WB","quantity":3}],"reference":"4711"}`),
		"catalog.getPicture": func() string {
			d.files["picture"] = tinyPicture
			d.must("catalog.setPicture", `{"productId":"prd_guji_natural","file":"picture"}`, nil)
			return `{"productId":"prd_guji_natural"}`
		},
		"settings.setLogo": func() string {
			d.files["picture"] = tinyPicture
			return `{"file":"picture"}`
		},
		"receipt.getLogo": func() string {
			d.files["picture"] = tinyPicture
			d.must("settings.setLogo", `{"file":"picture"}`, nil)
			return `{}`
		},
		"catalog.setPicture": func() string {
			d.files["picture"] = tinyPicture
			return `{"productId":"prd_guji_natural","file":"picture"}`
		},
		"catalog.setReorder": is(`{"productId":"prd_guji_natural","level":9}`),
	}[name]
}
