package shop_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// pastDay is the numbers of a day in the reports of takings, without names, which may change.
func (d *desk) pastDay(date string) map[string]any {
	d.t.Helper()
	all := map[string]any{}
	for report, more := range map[string][]string{"report.sales": {"", `,"by":"person"`, `,"by":"fulfilment"`,
		`,"by":"taxRate"`},
		"report.payments": {""}, "report.topProducts": {`,"limit":200`}, "report.returns": {""}} {
		for _, more := range more {
			var out any
			d.must(report, fmt.Sprintf(`{"from":%q,"to":%[1]q%s}`, date, more), &out)
			all[report+more] = withoutNames(out)
		}
	}
	return all
}

func withoutNames(v any) any {
	switch v := v.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, value := range v {
			switch name {
			case "title", "period", "name", "label", "sku", "productId", "text":
			default:
				kept[name] = withoutNames(value)
			}
		}
		return kept
	case []any:
		kept := make([]any, len(v))
		for i := range v {
			kept[i] = withoutNames(v[i])
		}
		return kept
	}
	return v
}

// TestReportsOfPastDaysStay: later changes of an order do not affect the reports of earlier days.
func TestReportsOfPastDaysStay(t *testing.T) {
	for seed := range uint64(2) { // the second one has its tax in the prices
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWalk(t, seed)
			edit(t, w.path, `UPDATE tax_classes SET rate_ppm = 26000 WHERE id = 'food'`,
				`UPDATE shipping_methods SET tax_class = CASE position WHEN 0 THEN '' WHEN 1 THEN 'standard' ELSE 'none' END`)
			were := map[string]map[string]any{}
			for range 6 {
				for range soak(60, 600) {
					w.step()
				}
				date := w.clock.Format(time.DateOnly)
				w.clock = w.clock.Truncate(24 * time.Hour).Add(32 * time.Hour)
				w.as("owner")
				were[date] = w.pastDay(date)
			}
			for date, was := range were {
				if diff := cmp.Diff(was, w.pastDay(date)); diff != "" {
					t.Errorf("%s is another day now: %.3000s", date, diff)
				}
			}
			t.Log(w.done)
		})
	}
}

// TestAChangeCountsOnItsOwnDay: an order of yesterday that is changed, cancelled, or whose customer is erased.
func TestAChangeCountsOnItsOwnDay(t *testing.T) {
	for _, included := range []bool{false, true} {
		for name, capability := range map[string]string{
			"cancelled": `order.cancel {"orderId":%q,"reason":"other"}`,
			"changed":   `order.changeItems {"orderId":%q,"set":[{"lineId":%q,"quantity":3}],"add":[{"variantId":%q,"quantity":1}]}`,
			"paid":      `order.changePayment {"orderId":%q,"paymentMethodId":"card"}`,
			"erased":    `customer.erase {"customerId":%q}`,
		} {
			t.Run(fmt.Sprint(name, " ", included), func(t *testing.T) {
				d := taxShop(t, included)
				d.sendsFor("")
				address := d.sendsAMugAndCoffee(included)
				pay := d.one(`SELECT id FROM payment_methods WHERE kind = 'paypal' AND customer_id = ?`, d.ana())
				var sold soldView
				d.must("checkout.submit", jsonf(`{"shippingAddressId":%q,"paymentMethodId":%q}`, address, pay), &sold)
				yesterday := d.clock.Format(time.DateOnly)
				was := d.pastDay(yesterday)
				d.clock = d.clock.Add(24 * time.Hour)
				d.as("owner")
				line := d.one(`SELECT id FROM order_lines WHERE order_id = ? AND line = 1`, sold.OrderID)
				about := []any{sold.OrderID, line, gujiGround}
				if name == "erased" {
					about[0] = d.ana()
					edit(t, d.path, `UPDATE orders SET status = 'delivered'`)
				}
				action, args, _ := strings.Cut(capability, " ")
				d.must(action, jsonf(args, about[:strings.Count(args, "%q")]...), nil)
				if diff := cmp.Diff(was, d.pastDay(yesterday)); diff != "" {
					t.Errorf("yesterday: %s", diff)
				}
				d.identity(t)
				for _, by := range []string{"person", "fulfilment", "taxRate"} {
					var sum figures
					today := d.sales(jsonf(`{"period":"today","by":%q}`, by))
					for _, row := range today.Rows {
						sum = sum.plus(row.figures())
					}
					if by == "taxRate" {
						sum.orders = today.Totals.Orders
					}
					if sum != today.Totals.figures() {
						t.Errorf("today by %s: %+v, want %+v", by, sum, today.Totals.figures())
					}
				}
				d.derived()
			})
		}
	}
}
