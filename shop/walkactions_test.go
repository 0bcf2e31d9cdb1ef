package shop_test

import (
	"database/sql"
	"fmt"
	"os"
	"testing"

	_ "modernc.org/sqlite" // to set a sample shop up in another way
)

// walkAction is something that may happen at the desk.
type walkAction struct {
	capability string
	weight     int
	arguments  func(w *walk) map[string]any
}

// pick chooses an action by weight.
func (w *walk) pick() walkAction {
	if w.closes && w.r.IntN(20) == 0 {
		return walkClosings[w.r.IntN(len(walkClosings))]
	}
	all := 0
	for _, a := range walkActions {
		all += a.weight
	}
	n := w.r.IntN(all)
	for _, a := range walkActions {
		if n -= a.weight; n < 0 {
			return a
		}
	}
	return walkActions[0]
}

// odd is true now and then: then something senseless is asked for.
func (w *walk) odd() bool { return w.r.IntN(12) == 0 }

// nothing is the id of a nonexistent order.
const nothing = "#W0000000"

// one is the first column of a random row of a query.
func (w *walk) one(query string, args ...any) string {
	rows := w.rows(query, args...)
	if len(rows) == 0 || w.r.IntN(200) == 0 {
		return nothing
	}
	return rows[w.r.IntN(len(rows))].text(0)
}

// Few enough that they meet again: customers, products, variants.
const (
	walkCustomers = `SELECT id FROM customers WHERE erased_at = 0 ORDER BY created_at DESC, id LIMIT 4`
	walkProducts  = `SELECT id FROM products WHERE id IN ('prd_guji_natural', 'prd_stoneware_mug', 'prd_brew_scale', 'prd_sidama_honey') OR id IN (SELECT id FROM products ORDER BY created_at DESC LIMIT 3)`
	walkVariants  = `SELECT id FROM variants WHERE product_id IN (` + walkProducts + `)`
)

// customerOf is the customer of the cart that the person has before them.
func (w *walk) customerOf() string {
	return w.one(`SELECT c.customer_id FROM carts c JOIN current_carts cc ON cc.cart_id = c.id WHERE cc.person = ? AND c.customer_id IS NOT NULL`, w.person.ID)
}

// line is one in the cart that the person has before them.
func (w *walk) line() string {
	return w.one(`SELECT l.variant_id FROM cart_lines l JOIN current_carts cc ON cc.cart_id = l.cart_id WHERE cc.person = ?`, w.person.ID)
}

// onLine identifies a line of the cart by its id, or by its variant.
func (w *walk) onLine(args map[string]any) map[string]any {
	if args["lineId"] = w.line(); w.r.IntN(2) == 0 {
		delete(args, "lineId")
		args["variantId"] = w.one(`SELECT l.sold FROM cart_lines l JOIN current_carts cc ON cc.cart_id = l.cart_id
			WHERE cc.person = ? AND l.sold IS NOT NULL`, w.person.ID)
	}
	return args
}

// kept names a line of an order that the customer has, by its id or by its variant.
func (w *walk) kept(order string, args map[string]any) map[string]any {
	id := w.one(`SELECT id FROM order_lines WHERE order_id = ? AND returned_by = ''`, order)
	if args["lineId"] = id; w.r.IntN(2) == 0 {
		delete(args, "lineId")
		args["variantId"] = w.one(`SELECT variant_id FROM order_lines WHERE order_id = ? AND id = ?`, order, id)
	}
	return args
}

func (w *walk) address(customer string) string {
	if w.odd() {
		return w.one(`SELECT id FROM addresses LIMIT 40`)
	}
	return w.one(`SELECT id FROM addresses WHERE customer_id = ?`, customer)
}

func (w *walk) method(customer string) string {
	if w.odd() {
		return w.one(`SELECT id FROM payment_methods LIMIT 40`)
	}
	return w.one(`SELECT id FROM payment_methods WHERE customer_id = ? UNION ALL VALUES ('cash'), ('transfer')`, customer)
}

// order is an order in one of the states, and its customer.
func (w *walk) order(states string, request string) (id, customer string) {
	where := `status IN (SELECT value FROM json_each(?)) AND COALESCE((SELECT kind FROM order_requests q WHERE q.order_id = o.id AND q.status = 'requested'), '') = ?`
	args := []any{states, request}
	if w.odd() {
		where, args = `1 OR 1`, nil
	}
	rows := w.rows(`SELECT id, customer_id FROM orders o WHERE `+where+` ORDER BY placed_at DESC LIMIT 12`, args...)
	if len(rows) == 0 {
		return nothing, nothing
	}
	row := rows[w.r.IntN(len(rows))]
	return row.text(0), row.text(1)
}

func (w *walk) ofOrder(query, states, request string) map[string]any {
	id, _ := w.order(states, request)
	args := map[string]any{"orderId": id}
	if query != "" {
		args["variantIds"] = []string{w.one(query, id)}
	}
	return args
}

// changes returns random pieces of an order with new variants.
func (w *walk) changes(order string) []map[string]any {
	var all []map[string]any
	for range 1 + w.r.IntN(2) {
		id := w.one(`SELECT id FROM order_lines WHERE order_id = ? AND returned_by = ''`, order)
		from := w.one(`SELECT variant_id FROM order_lines WHERE order_id = ? AND id = ?`, order, id)
		to := w.one(`SELECT id FROM variants WHERE product_id = (SELECT product_id FROM variants WHERE id = ?)`, from)
		if w.odd() {
			to = w.one(walkVariants)
		}
		c := map[string]any{"lineId": id, "newVariantId": to}
		if w.r.IntN(2) == 0 {
			c = map[string]any{"variantId": from, "newVariantId": to}
		}
		if w.r.IntN(2) == 0 {
			c["quantity"] = 1 + w.r.IntN(3)
		}
		all = append(all, c)
	}
	return all
}

func (w *walk) pieces(order string) []map[string]any {
	var all []map[string]any
	for range 1 + w.r.IntN(2) {
		p := w.kept(order, map[string]any{})
		if w.r.IntN(2) == 0 {
			p["quantity"] = 1 + w.r.IntN(3)
		}
		all = append(all, p)
	}
	return all
}

// comesBack are the arguments of a return.
func (w *walk) comesBack() map[string]any {
	id, c := w.order(delivered, "")
	args := map[string]any{"orderId": id, "lines": w.pieces(id),
		"paymentMethodId": w.one(`SELECT method_id FROM payments WHERE order_id = ?`, id)}
	if w.r.IntN(3) == 0 {
		args["paymentMethodId"] = w.method(c)
	}
	return w.unnamed(args)
}

// unnamed leaves to the desk, now and then, who pays a difference or gets it back.
func (w *walk) unnamed(args map[string]any) map[string]any {
	if w.r.IntN(3) == 0 {
		delete(args, "paymentMethodId")
	}
	return args
}

func (w *walk) money(limit int64) map[string]any {
	currency := "USD"
	if w.r.IntN(60) == 0 {
		currency = "EUR"
	}
	return map[string]any{"amount": w.r.Int64N(limit), "currency": currency}
}

func (w *walk) place() map[string]any {
	return map[string]any{"line1": fmt.Sprint(w.r.IntN(99), " Long Rd"), "city": "Bath", "postalCode": "04530",
		"country": "US"}
}

func none(*walk) map[string]any { return map[string]any{} }

const (
	pending   = `["pending"]`
	processed = `["processed"]`
	delivered = `["delivered"]`
)

var walkActions = []walkAction{
	{"cart.setCustomer", 6, func(w *walk) map[string]any {
		if w.r.IntN(4) == 0 {
			return map[string]any{"walkIn": true}
		}
		return map[string]any{"customerId": w.one(walkCustomers)}
	}},
	{"cart.addItem", 24, func(w *walk) map[string]any {
		v := w.one(walkVariants)
		args := map[string]any{"productId": w.one(`SELECT product_id FROM variants WHERE id = ?`, v), "variantId": v,
			"quantity": 1 + w.r.IntN(4)}
		if w.customerOf() == nothing && w.r.IntN(2) == 0 || w.r.IntN(4) == 0 {
			args["customerId"] = w.one(walkCustomers)
		}
		return args
	}},
	{"cart.setQuantity", 3, func(w *walk) map[string]any {
		return w.onLine(map[string]any{"quantity": 1 + w.r.IntN(6)})
	}},
	{"cart.removeItem", 1, func(w *walk) map[string]any {
		return w.onLine(map[string]any{})
	}},
	{"cart.addOpenItem", 5, func(w *walk) map[string]any {
		args := map[string]any{"title": "Gift wrap", "unitPrice": w.money(700), "quantity": 1 + w.r.IntN(3)}
		if w.r.IntN(2) == 0 {
			args["taxClassId"] = w.one(`SELECT id FROM tax_classes`)
		}
		return args
	}},
	{"cart.setLinePrice", 5, func(w *walk) map[string]any {
		return w.onLine(map[string]any{"price": w.money(3000), "reason": "Agreed"})
	}},
	{"cart.applyDiscount", 4, func(w *walk) map[string]any {
		if w.r.IntN(2) == 0 {
			return map[string]any{"amount": w.money(900), "reason": "Dented"}
		}
		return map[string]any{"percent": 1 + w.r.IntN(30)}
	}},
	{"cart.removeDiscount", 2, none},
	{"cart.setLineDiscount", 4, func(w *walk) map[string]any {
		switch w.r.IntN(3) {
		case 0:
			return w.onLine(map[string]any{"none": true})
		case 1:
			return w.onLine(map[string]any{"amount": w.money(300), "reason": "Dented"})
		}
		return w.onLine(map[string]any{"percent": 1 + w.r.IntN(12)})
	}},
	{"cart.setNote", 1, func(w *walk) map[string]any {
		return w.onLine(map[string]any{"text": "Grind it"})
	}},
	{"cart.fromOrder", 2, func(w *walk) map[string]any {
		id, _ := w.order(delivered, "")
		return map[string]any{"orderId": id}
	}},
	{"cart.setShipping", 3, func(w *walk) map[string]any {
		if w.r.IntN(2) == 0 {
			return map[string]any{"fulfilment": []string{"takeAway", "pickUp", "deliver"}[w.r.IntN(3)]}
		}
		return map[string]any{"method": []string{"standard", "express", "pickup"}[w.r.IntN(3)]}
	}},
	{"cart.clear", 1, none},
	{"cart.hold", 1, none},
	{"cart.resume", 2, func(w *walk) map[string]any {
		return map[string]any{"heldId": w.one(`SELECT id FROM carts WHERE status = 'held'`)}
	}},
	{"checkout.submit", 30, func(w *walk) map[string]any {
		c := w.customerOf()
		if w.line() != nothing && (c == nothing || w.r.IntN(4) == 0) {
			return map[string]any{"fulfilment": []string{"takeAway", "pickUp"}[w.r.IntN(2)],
				"paymentMethodId": []string{"cash", "card", "transfer", "other"}[w.r.IntN(4)]}
		}
		if w.line() == nothing && !w.odd() {
			c = nothing
		}
		if w.r.IntN(3) == 0 {
			return map[string]any{"shippingAddressId": w.address(c), "payments": []map[string]any{
				{"paymentMethodId": w.method(c), "amount": w.money(1500)}, {"paymentMethodId": w.method(c)}}}
		}
		args := map[string]any{"shippingAddressId": w.address(c), "paymentMethodId": w.method(c)}
		if args["paymentMethodId"] == "cash" && w.r.IntN(2) == 0 {
			args["tendered"] = w.money(60_000)
		}
		return args
	}},
	{"order.cancel", 4, func(w *walk) map[string]any {
		id, c := w.order(pending, "")
		args := map[string]any{"orderId": id, "reason": "other", "note": "Called"}
		if w.r.IntN(3) == 0 {
			args["paymentMethodId"] = w.method(c)
		}
		return args
	}},
	{"order.addNote", 1, func(w *walk) map[string]any {
		id, _ := w.order(pending, "")
		return map[string]any{"orderId": id, "text": "Ring twice"}
	}},
	{"order.changeAddress", 5, func(w *walk) map[string]any {
		id, c := w.order(pending, "")
		if w.r.IntN(3) == 0 {
			return map[string]any{"orderId": id, "address": w.place()}
		}
		return map[string]any{"orderId": id, "addressId": w.address(c)}
	}},
	{"order.changePayment", 8, func(w *walk) map[string]any {
		id, c := w.order(pending, "")
		args := map[string]any{"orderId": id, "paymentMethodId": w.method(c)}
		if w.r.IntN(2) == 0 {
			args["paymentId"] = w.one(`SELECT id FROM payments WHERE order_id = ?`, id)
		}
		return args
	}},
	{"order.changeItems", 16, func(w *walk) map[string]any {
		id, c := w.order(pending, "")
		args := map[string]any{"orderId": id, "paymentMethodId": w.method(c)}
		what := w.r.IntN(8)
		if what < 3 || what == 7 {
			args["changes"] = w.changes(id)
		}
		if what > 2 && what < 6 || what == 7 {
			args["add"] = []map[string]any{{"variantId": w.one(walkVariants), "quantity": 1 + w.r.IntN(3)}}
		}
		if what > 4 {
			args["set"] = []map[string]any{w.kept(id, map[string]any{"quantity": w.r.IntN(5)})}
		}
		return w.unnamed(args)
	}},
	{"order.process", 10, func(w *walk) map[string]any { return w.ofOrder("", pending, "") }},
	{"order.fulfil", 6, func(w *walk) map[string]any {
		if w.r.IntN(2) == 0 {
			return w.ofOrder("", processed, "")
		}
		args := w.ofOrder("", processed, "")
		args["lineIds"] = []string{w.one(`SELECT id FROM order_lines WHERE order_id = ?`, args["orderId"])}
		return args
	}},
	{"order.deliver", 14, func(w *walk) map[string]any { return w.ofOrder("", processed, "") }},
	{"order.return", 12, func(w *walk) map[string]any {
		return w.comesBack()
	}},
	{"order.returnNow", 8, func(w *walk) map[string]any {
		args := w.comesBack()
		args["reason"], args["restock"] = "faulty", w.r.IntN(2) == 0
		return args
	}},
	{"order.receiveReturn", 10, func(w *walk) map[string]any {
		id, _ := w.order(delivered, "return")
		args := map[string]any{"orderId": id, "restock": w.r.IntN(2) == 0}
		if w.r.IntN(3) == 0 {
			field := []string{"line_id", "variant_id"}[w.r.IntN(2)]
			args["lines"] = []map[string]any{{map[string]string{"line_id": "lineId", "variant_id": "variantId"}[field]: w.one(
				`SELECT `+field+` FROM order_request_lines l JOIN order_requests q ON q.id = l.request_id WHERE q.order_id = ?`, id),
				"quantity": 1}}
		}
		return args
	}},
	{"order.exchange", 16, func(w *walk) map[string]any {
		id, c := w.order(delivered, "")
		return w.unnamed(map[string]any{"orderId": id, "changes": w.changes(id), "paymentMethodId": w.method(c)})
	}},
	{"order.receiveExchange", 12, func(w *walk) map[string]any {
		id, _ := w.order(delivered, "exchange")
		return map[string]any{"orderId": id, "restock": w.r.IntN(2) == 0}
	}},
	{"customer.create", 1, func(w *walk) map[string]any {
		return map[string]any{"name": fmt.Sprint("Kim Example ", w.r.IntN(1000)), "address": w.place()}
	}},
	{"customer.update", 1, func(w *walk) map[string]any {
		return map[string]any{"customerId": w.one(walkCustomers), "phone": fmt.Sprint(5550000 + w.r.IntN(9999))}
	}},
	{"customer.addAddress", 2, func(w *walk) map[string]any {
		return map[string]any{"customerId": w.one(walkCustomers), "address": w.place(), "default": w.r.IntN(2) == 0}
	}},
	{"customer.setAddress", 2, func(w *walk) map[string]any {
		c := w.one(walkCustomers)
		args := map[string]any{"customerId": c, "address": w.place(), "default": w.r.IntN(2) == 0}
		if w.r.IntN(2) == 0 {
			args["addressId"] = w.address(c)
		}
		return args
	}},
	{"customer.removeAddress", 1, func(w *walk) map[string]any {
		c := w.one(walkCustomers)
		return map[string]any{"customerId": c, "addressId": w.address(c)}
	}},
	{"customer.addPaymentMethod", 4, func(w *walk) map[string]any {
		args := map[string]any{"customerId": w.one(walkCustomers), "kind": "giftCard",
			"balance": map[string]any{"amount": w.r.Int64N(40_000), "currency": "USD"}}
		if w.r.IntN(4) == 0 {
			args["kind"] = "onAccount"
			delete(args, "balance")
		}
		return args
	}},
	{"customer.removePaymentMethod", 2, func(w *walk) map[string]any {
		c := w.one(walkCustomers)
		return map[string]any{"customerId": c, "paymentMethodId": w.method(c)}
	}},
	{"customer.merge", 1, func(w *walk) map[string]any {
		return map[string]any{"keep": w.one(walkCustomers), "remove": w.one(walkCustomers)}
	}},
	{"customer.erase", 1, func(w *walk) map[string]any {
		return map[string]any{"customerId": w.one(`SELECT id FROM customers WHERE erased_at = 0 ORDER BY id`)}
	}},
	{"catalog.createProduct", 1, func(w *walk) map[string]any {
		variants := []map[string]any{}
		for _, size := range []string{"S", "M", "L"} {
			v := map[string]any{"options": map[string]string{"Size": size},
				"price": map[string]any{"amount": w.r.Int64N(9000), "currency": "USD"}, "backorder": w.r.IntN(4) == 0}
			if w.r.IntN(4) > 0 {
				v["stock"] = w.r.IntN(30)
			}
			variants = append(variants, v)
		}
		return map[string]any{"name": fmt.Sprint("Shirt ", w.r.IntN(1000)), "options": []string{"Size"}, "variants": variants}
	}},
	{"catalog.updateProduct", 2, func(w *walk) map[string]any {
		v := w.one(walkVariants)
		return map[string]any{"productId": w.one(`SELECT product_id FROM variants WHERE id = ?`, v),
			"taxClass": []string{"standard", "food", "none"}[w.r.IntN(3)],
			"variants": []map[string]any{{"variantId": v, "price": w.money(9000), "available": w.r.IntN(6) > 0}}}
	}},
	{"catalog.archiveProduct", 1, func(w *walk) map[string]any {
		return map[string]any{"productId": w.one(`SELECT id FROM products ORDER BY created_at DESC, id LIMIT 20`)}
	}},
	{"catalog.setPrice", 3, func(w *walk) map[string]any {
		return map[string]any{"variantId": w.one(walkVariants), "price": w.money(9000)}
	}},
	{"catalog.adjustStock", 4, func(w *walk) map[string]any {
		return map[string]any{"variantId": w.one(walkVariants), "delta": w.r.IntN(60) - 20}
	}},
	{"catalog.receiveStock", 3, func(w *walk) map[string]any {
		line := func() map[string]any {
			return map[string]any{"variantId": w.one(walkVariants), "quantity": 1 + w.r.IntN(30), "cost": w.money(5000)}
		}
		return map[string]any{"lines": []any{line(), line()}, "reference": "4711"}
	}},
	{"catalog.setReorder", 2, func(w *walk) map[string]any {
		return map[string]any{"variantId": w.one(walkVariants), "level": w.r.IntN(20)}
	}},
	{"audit.undo", 10, func(w *walk) map[string]any {
		if len(w.undo) == 0 {
			return map[string]any{"requestId": nothing}
		}
		return map[string]any{"requestId": w.undo[max(0, len(w.undo)-1-w.r.IntN(15))]}
	}},
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// edit changes the file of a closed shop directly.
func edit(t testing.TB, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path+"?_pragma=busy_timeout(10000)")
	for _, statement := range statements {
		if err == nil {
			_, err = db.Exec(statement)
		}
	}
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// walkClosings happen at the end of a day.
var walkClosings = []walkAction{
	{"cash.move", 1, func(w *walk) map[string]any {
		amount := w.money(9_000)
		if w.r.IntN(2) == 0 {
			amount["amount"] = -amount["amount"].(int64)
		}
		return map[string]any{"amount": amount, "reason": "Change"}
	}},
	{"day.close", 1, func(w *walk) map[string]any {
		return map[string]any{"counted": w.money(90_000), "note": "As counted"}
	}},
}
