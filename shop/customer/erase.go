package customer

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// erasedName replaces the name of an erased customer in orders.
const erasedName = "Erased customer"

type eraseIn struct {
	CustomerID string `json:"customerId" jsonschema:"minLength=1,maxLength=100" x:"entity=customer"`
}

type eraseOut struct {
	Orders  int        `json:"orders" doc:"Kept without anything personal."`
	Records int        `json:"records" doc:"Of the audit log whose content was erased."`
	Lapsed  core.Money `json:"lapsed" doc:"What was left on gift cards."`
}

func customerErase(eraseLog EraseRecords) bus.Capability {
	return bus.Define(bus.Capability{
		Name: "customer.erase", Texts: texts, SideEffect: bus.Destructive, Resources: core.Writes,
		Permissions: []string{"customer:write", core.ScopeErase}, Facts: []string{"customerId"},
		Changes: []string{"customer", "order", "cart"},
		Checks: bus.Checks{
			Access: core.AgentAsks,
			Preconditions: []bus.Precondition{{Name: "customer.settled", Message: "Only a customer without unfinished orders " +
				"can be erased.",
				Hint: "order.search finds the orders of a customer.", Check: bus.Check(settledCustomer)}},
		},
		Run: bus.Run{Concurrency: bus.Exclusive, Timeout: 10 * time.Minute},
	}, func(ctx context.Context, call *bus.Call, in eraseIn) (eraseOut, error) {
		if eraseLog == nil {
			return eraseOut{}, core.Unavailable("The log of this program cannot be erased from here.").
				WithHint("Ask for it with customer.erase in the window.")
		}
		return erase(ctx, call, eraseLog, in.CustomerID)
	})
}

func settledCustomer(ctx context.Context, call *bus.Call, in eraseIn) error {
	c, err := ByID(ctx, in.CustomerID)
	if err != nil {
		return err
	}
	order, open, err := core.Find(ctx, core.ScanText, `SELECT id FROM orders o WHERE customer_id = ?
		AND (status IN ('pending', 'processed')
			OR EXISTS (SELECT 1 FROM order_requests q WHERE q.order_id = o.id AND q.status = 'requested')) ORDER BY placed_at
			LIMIT 1`, c.ID)
	if err == nil && open {
		err = core.Refused("Order %s of %s is not finished.", order, c.Name).
			WithHint("Cancel it with order.cancel, or finish it; order.get shows what can be done.")
	}
	return err
}

func erase(ctx context.Context, call *bus.Call, eraseLog EraseRecords, customerID string) (eraseOut, error) {
	var out eraseOut
	s, err := core.LoadShop(ctx)
	if err != nil {
		return out, err
	}
	c, err := ByID(ctx, customerID)
	if err != nil {
		return out, err
	}
	terms, orders, err := mentionsOf(ctx, c)
	if err != nil {
		return out, err
	}
	lapsed, _, err := core.Find(ctx, core.ScanInt, `SELECT COALESCE(SUM(balance), 0) FROM payment_methods
		WHERE customer_id = ?`, c.ID)
	if err != nil {
		return out, err
	}
	if err := forget(ctx, call, c.ID, orders); err != nil {
		return out, err
	}
	if err := errors.Join(core.ForgetViews(ctx, terms), forgetReasons(ctx, terms)); err != nil {
		return out, err
	}
	if out.Records, err = eraseLog(ctx, terms...); err != nil {
		return out, err
	}
	out.Orders, out.Lapsed = len(orders), s.Money(lapsed)
	words := bus.Textf("Erase everything about %s for good; %d orders stay without a name", c.Name, len(orders))
	if lapsed > 0 {
		words = bus.Textf("%s, %s on gift cards lapses", words, s.Money(lapsed))
	}
	call.Fact("customerId", c.ID)
	call.Summarize("%s", words)
	call.Announce("customer", bus.Textf("A customer was erased."))
	call.Announce("order", bus.Textf("A customer was erased."), orders...)
	call.Announce("cart", bus.Textf("A customer was erased."))
	return out, nil
}

// mentionsOf returns the texts that identify a customer in the log, and the numbers of the customer's orders, which are
// part of them. It includes the name only if no other customer has it.
func mentionsOf(ctx context.Context, c Customer) (terms, orders []string, err error) {
	if orders, err = core.List(ctx, core.ScanText, `SELECT id FROM orders WHERE customer_id = ?
		ORDER BY placed_at, id`, c.ID); err != nil {
		return nil, nil, err
	}
	more, err := core.List(ctx, core.ScanText, `SELECT id FROM addresses WHERE customer_id = ?1 UNION ALL SELECT id
		FROM payment_methods WHERE customer_id = ?1
		UNION ALL SELECT id FROM carts WHERE customer_id = ?1 UNION ALL SELECT id FROM customer_notes
		WHERE customer_id = ?1`, c.ID)
	if err != nil {
		return nil, nil, err
	}
	merged, err := core.List(ctx, Scan, `SELECT id, name, email, phone FROM merged_customers WHERE customer_id = ?`, c.ID)
	if err != nil {
		return nil, nil, err
	}
	terms = append(orders[:len(orders):len(orders)], more...)
	for _, known := range append([]Customer{c}, merged...) {
		shared, err := core.Exists(ctx, `SELECT 1 FROM customers WHERE name_fold = ? AND id <> ?`, text.Fold(known.Name),
			c.ID)
		if err != nil {
			return nil, nil, err
		}
		terms = append(terms, known.ID)
		for _, own := range []string{known.Email, known.Phone} {
			if len(own) > 3 {
				terms = append(terms, own)
			}
		}
		if len(known.Name) > 3 && !shared {
			terms = append(terms, known.Name, strings.TrimSpace(text.Fold(known.Name)))
		}
	}
	return terms, orders, nil
}

// forgetReasons removes the texts about a customer from cash moves and closings. The amounts stay.
func forgetReasons(ctx context.Context, terms []string) error {
	type written struct {
		row  int64
		text string
	}
	for table, column := range map[string]string{"cash_moves": "reason", "closings": "note"} {
		all, err := core.List(ctx, func(r core.Row) (w written, err error) { return w, r.Scan(&w.row, &w.text) },
			`SELECT rowid, `+column+` FROM `+table+` WHERE `+column+` <> ''`)
		for _, w := range all {
			if kept := text.Fold(w.text); err == nil && slices.ContainsFunc(terms, func(t string) bool {
				return strings.Contains(kept, text.Fold(t))
			}) {
				err = core.Exec(ctx, `UPDATE `+table+` SET `+column+` = 'Erased' WHERE rowid = ?`, w.row)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// forget removes a customer from the tables. The orders then belong to a nameless customer whose id reveals nothing.
func forget(ctx context.Context, call *bus.Call, customerID string, orders []string) error {
	if len(orders) > 0 {
		nobody := call.NewID("erased")
		if err := core.Exec(ctx, `INSERT INTO customers (id, name, name_fold, search_fold, created_at, erased_at)
			VALUES (?, ?, ?, ?, ?5, ?5)`,
			nobody, erasedName, text.Fold(erasedName), text.Fold(erasedName), call.Now.UnixMilli()); err != nil {
			return err
		}
		if err := core.Exec(ctx, `UPDATE orders SET customer_id = ?, gift_message = '', discount_reason = '', address_id = '',
			address_label = '', line1 = '', line2 = '', city = '', region = '',
			postal_code = '', revision = ? WHERE customer_id = ?`, nobody, call.NewID("rev"), customerID); err != nil {
			return err
		}
	}
	some := core.JSONList(orders)
	for _, stmt := range []string{
		`DELETE FROM order_notes WHERE order_id IN (SELECT value FROM json_each(?))`,
		`DELETE FROM order_changes WHERE order_id IN (SELECT value FROM json_each(?))`,
		`UPDATE fulfilments SET tracking_id = '' WHERE tracking_id <> '' AND order_id IN (SELECT value FROM json_each(?))`,
		`UPDATE order_requests SET method_id = 'erased', method_label = 'Erased' WHERE order_id IN (SELECT value
			FROM json_each(?))`,
		`UPDATE payments SET method_id = 'erased', label = 'Erased',
			method = CASE label WHEN 'Cash' THEN 'cash' WHEN 'PayPal' THEN 'paypal' WHEN 'Gift card' THEN 'giftCard'
				WHEN 'On account' THEN 'onAccount' ELSE 'card' END
			WHERE method_id <> 'erased' AND method_id NOT IN ` + UnsavedIDs + `
			AND order_id IN (SELECT value FROM json_each(?))`,
		`UPDATE receipt_payments SET method_id = 'erased', label = 'Erased' WHERE method_id NOT IN ` + UnsavedIDs + `
			AND number IN (SELECT number FROM receipts WHERE order_id IN (SELECT value FROM json_each(?)))`,
	} {
		if err := core.Exec(ctx, stmt, some); err != nil {
			return err
		}
	}
	for _, id := range orders {
		if err := core.RefoldOrder(ctx, id); err != nil {
			return err
		}
	}
	return core.Exec(ctx, `DELETE FROM customers WHERE id = ?`, customerID)
}
