package shop_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// actionsView is the part of an order with its available actions.
type actionsView struct {
	ID       string
	Status   string
	Total    money
	Requests []struct {
		Kind, Status string
		Lines        []struct{ LineID string }
	}
	Lines []struct {
		LineID, ProductID string
		Quantity          int64
		Returned          bool
		Total             money
	}
	Payments            []struct{ ID, Kind, PaymentMethodID string }
	SavedPaymentMethods []struct{ ID string }
	Alternatives        []struct{ ID, ProductID string }
	Actions             []struct {
		Capability string
		Available  bool
		Reason     string
	}
}

// ways are arguments of an action that the order itself offers: if it can be done, one of them is taken.
func (o *actionsView) ways(capability string) (all []string) {
	add := func(format string, args ...any) {
		all = append(all, jsonf(`{"orderId":%q`, o.ID)+jsonf(format, args...)+`}`)
	}
	switch capability {
	case "order.cancel":
		add(`,"reason":"other"`)
	case "order.addNote":
		add(`,"text":"a note"`)
	case "order.changeAddress":
		add(`,"address":{"line1":"1 Road","city":"Bath","postalCode":"04530","country":"US"}`)
	case "order.changePayment":
		for _, m := range o.SavedPaymentMethods {
			for _, p := range o.Payments {
				add(`,"paymentMethodId":%q,"paymentId":%q`, m.ID, p.ID)
			}
			add(`,"paymentMethodId":%q`, m.ID)
		}
	case "order.changeItems", "order.exchange":
		for _, l := range o.Lines {
			for _, to := range o.Alternatives {
				if !l.Returned && l.ProductID == to.ProductID {
					add(`,"paymentMethodId":"cash","changes":[{"lineId":%q,"newVariantId":%q,"quantity":1}]`, l.LineID, to.ID)
				}
			}
		}
		if capability == "order.changeItems" {
			add(`,"paymentMethodId":"cash","set":[{"lineId":%q,"quantity":%d}]`, o.Lines[0].LineID, o.Lines[0].Quantity+1)
			add(`,"paymentMethodId":"cash","set":[{"lineId":%q,"quantity":%d}]`, o.Lines[0].LineID, o.Lines[0].Quantity-1)
		}
		if all == nil {
			add(`,"paymentMethodId":"cash","changes":[{"lineId":%q,"newVariantId":"none"}]`, o.Lines[0].LineID)
		}
	case "order.return", "order.returnNow":
		for _, l := range o.Lines {
			for _, m := range o.SavedPaymentMethods {
				add(`,"paymentMethodId":%q,"lines":[{"lineId":%q,"quantity":1}]%s`, m.ID, l.LineID,
					map[bool]string{true: `,"restock":true`}[capability == "order.returnNow"])
			}
		}
	case "order.receiveReturn":
		for _, q := range o.Requests {
			for _, l := range q.Lines {
				add(`,"restock":true,"lines":[{"lineId":%q,"quantity":1}]`, l.LineID)
			}
		}
		add(`,"restock":true`)
	case "order.receiveExchange":
		add(`,"restock":true`)
	default:
		add(``)
	}
	return all
}

// agree tries every action on an order as a dry run, and compares the results with order.get.
func (d *desk) agree(id string, tried map[string][2]int) {
	d.t.Helper()
	var o actionsView
	d.must("order.get", jsonf(`{"orderId":%q}`, id), &o)
	for _, a := range o.Actions {
		var taken bool
		var why []string
		for _, args := range o.ways(a.Capability) {
			res := d.bus.Invoke(d.t.Context(), bus.Invocation{Capability: a.Capability, Arguments: json.RawMessage(args),
				Caller: bus.Caller{Type: bus.CallerTest}, Principal: d.person, DryRun: true})
			if taken = res.OK(); taken {
				break
			}
			why = append(why, res.Err.Message)
		}
		n := tried[a.Capability]
		if a.Available {
			n[0]++
		} else {
			n[1]++
		}
		tried[a.Capability] = n
		switch {
		case a.Available != taken:
			d.t.Errorf("%s of %s, %s: order.get says %v %q, and the action %v %q", a.Capability, o.ID, o.Status, a.Available,
				a.Reason, taken, why)
		case !taken && !slices.Contains(why, a.Reason):
			d.t.Errorf("%s of %s, %s: order.get says %q, and the action %q", a.Capability, o.ID, o.Status, a.Reason, why)
		}
	}
}

// TestAnOrderSaysWhatItsActionsAccept: over orders to which anything happened, for each role.
func TestAnOrderSaysWhatItsActionsAccept(t *testing.T) {
	tried := map[string][2]int{}
	for seed := range 2 {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWalk(t, uint64(seed)+70)
			for range 300 {
				w.step()
			}
			for _, person := range []int{0, 3} { // a clerk, who has limits, and the owner
				w.person = w.staff[person]
				w.clock = w.clock.Add(time.Hour)
				for _, o := range w.rows(`SELECT id FROM orders ORDER BY placed_at DESC, id LIMIT 25`) {
					w.agree(o.text(0), tried)
				}
				for _, o := range w.rows(`SELECT order_id FROM order_requests ORDER BY requested_at DESC, id LIMIT 20`) {
					w.agree(o.text(0), tried)
				}
			}
		})
	}
	t.Logf("possible and impossible: %v", tried)
}

// TestAnOrderOfNothingIsReturned: of 0.00 nothing was paid, so any method of the shop takes the refund of nothing.
func TestAnOrderOfNothingIsReturned(t *testing.T) {
	d := openSample(t, "manager")
	tried := map[string][2]int{}
	for _, now := range []bool{true, false} {
		d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":2}`, nil)
		d.must("cart.applyDiscount", `{"percent":100}`, nil)
		var sold soldView
		if d.must("checkout.submit", `{}`, &sold); sold.Total.Amount != 0 {
			t.Fatalf("%+v", sold)
		}
		d.agree(sold.OrderID, tried)
		back := jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"paymentMethodId":"cash"`, sold.OrderID,
			d.one(`SELECT variant_id FROM order_lines WHERE order_id = ?`, sold.OrderID))
		if now {
			d.must("order.returnNow", back+`,"restock":true}`, nil)
			d.agree(sold.OrderID, tried)
			d.must("order.returnNow", back+`,"restock":true}`, nil)
		} else {
			d.must("order.return", back+`}`, nil)
			d.agree(sold.OrderID, tried)
			d.must("order.receiveReturn", jsonf(`{"orderId":%q,"restock":true}`, sold.OrderID), nil)
		}
		d.agree(sold.OrderID, tried)
	}
}

// TestWhatCannotBeDoneAnyMoreIsNotOffered: goods that came back, parcels that left, variants that are gone, methods that
// were removed, and amounts over a limit.
func TestWhatCannotBeDoneAnyMoreIsNotOffered(t *testing.T) {
	d := openSample(t, "owner")
	tried := map[string][2]int{}
	says := func(order, capability, reason string) {
		t.Helper()
		d.agree(order, tried)
		var o actionsView
		d.must("order.get", jsonf(`{"orderId":%q}`, order), &o)
		for _, a := range o.Actions {
			if a.Capability == capability && (a.Available != (reason == "") || !strings.Contains(a.Reason, reason)) {
				t.Errorf("%s: %+v, want %q", capability, a, reason)
			}
		}
	}
	sell := func(args string) string {
		t.Helper()
		d.fillAnasCart()
		var sold soldView
		d.must("checkout.submit", args, &sold)
		return sold.OrderID
	}
	guji := d.one(`SELECT id FROM variants WHERE sku = 'NL-GUJ-250-WB'`)

	sent := sell(`{}`)
	d.must("order.process", jsonf(`{"orderId":%q}`, sent), nil)
	d.must("order.fulfil", jsonf(`{"orderId":%q}`, sent), nil)
	says(sent, "order.fulfil", "was shipped")

	taken := sell(`{"fulfilment":"takeAway","paymentMethodId":"card"}`)
	edit(t, d.path, `UPDATE variants SET stock = 0, backorder = 0`)
	says(taken, "order.exchange", "No variant of the items")
	edit(t, d.path, `UPDATE variants SET stock = 100`)
	d.must("order.returnNow", jsonf(`{"orderId":%q,"paymentMethodId":"card","restock":true,"lines":[{"variantId":%q}]}`, taken,
		guji), nil)
	says(taken, "order.return", "came back already")
	says(taken, "order.exchange", "came back already")

	saved := d.one(`SELECT id FROM payment_methods WHERE customer_id = ? AND kind = 'card'`, d.ana())
	removed := sell(jsonf(`{"fulfilment":"takeAway","paymentMethodId":%q}`, saved))
	edit(t, d.path, `DELETE FROM payment_methods WHERE id = '`+saved+`'`)
	says(removed, "order.return", "")

	costly := sell(`{"fulfilment":"takeAway","paymentMethodId":"card"}`)
	edit(t, d.path, `UPDATE shop SET refund_limit = 1`)
	d.as("clerk")
	says(costly, "order.returnNow", "needs a manager")
	d.as("owner")
	d.must("order.return", jsonf(`{"orderId":%q,"paymentMethodId":"card","lines":[{"variantId":%q}]}`, costly, guji), nil)
	says(costly, "order.receiveReturn", "")
	d.as("clerk")
	says(costly, "order.receiveReturn", "needs a manager")
}

// one reads one text from the database.
func (d *desk) one(query string, args ...any) string {
	d.t.Helper()
	all := d.rows(query, args...)
	if len(all) == 0 {
		d.t.Fatalf("nothing is found by %s", query)
	}
	return all[0].text(0)
}
