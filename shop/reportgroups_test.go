package shop_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

type paymentsReport struct {
	From, To string
	Totals   struct {
		Payments, Refunds   int64
		Paid, Refunded, Net money
	}
	Rows []struct {
		Method              string
		Payments, Refunds   int64
		Paid, Refunded, Net money
	}
}

type returnsReport struct {
	Totals struct {
		Returns, Pieces int64
		Value, Tax      money
	}
	Rows []struct {
		Reason          string
		Share           int64
		Returns, Pieces int64
		Value, Tax      money
	}
}

type dayReport struct {
	Day     string
	Sales   takings
	Waiting []struct {
		Status string
		Orders int64
		Oldest *struct {
			OrderID string
			Since   int64
		}
	}
	Returns      int64
	ReturnOrders []struct {
		OrderID, Kind, Reason string
		Since                 int64
	}
	LowStock int64
}

// cameBack sells two pieces for cash, and one of them comes back broken.
func (d *desk) cameBack() (orderID string) {
	d.t.Helper()
	id := d.delivered("Cash")
	d.must("order.return", jsonf(
		`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"paymentMethodId":"cash","reason":"faulty"}`, id, gujiBeans),
		nil)
	d.must("order.receiveReturn", jsonf(`{"orderId":%q,"restock":true}`, id), nil)
	return id
}

// TestPaymentsAndReturnsOfADayAreGrouped: two bags of Guji come to $47.83 with sending, one to $21.44.
func TestPaymentsAndReturnsOfADayAreGrouped(t *testing.T) {
	d := openSample(t, "owner")
	cash := func() [4]int64 {
		var r paymentsReport
		d.must("report.payments", `{"period":"today"}`, &r)
		for _, row := range r.Rows {
			if row.Method == "cash" {
				return [4]int64{row.Payments, row.Paid.Amount, row.Refunds, row.Refunded.Amount}
			}
		}
		return [4]int64{}
	}
	before := cash()
	d.cameBack()
	after := cash()
	for i := range after {
		after[i] -= before[i]
	}
	if want := [4]int64{1, 4783, 1, 2144}; after != want {
		t.Errorf("cash: %v, want %v", after, want)
	}
	var returns returnsReport
	d.must("report.returns", `{"period":"today"}`, &returns)
	if len(returns.Rows) != 1 || returns.Rows[0].Reason != "faulty" || returns.Totals.Value.Amount != 2144 ||
		returns.Totals.Pieces != 1 || returns.Totals.Returns != 1 || returns.Rows[0].Share != 1000 {
		t.Errorf("returns: %+v", returns)
	}
	paid := d.number(`SELECT SUM(CASE kind WHEN 'payment' THEN amount ELSE -amount END) FROM payments`)
	var all paymentsReport
	d.must("report.payments", `{"from":"2000-01-01","to":"2030-12-31"}`, &all)
	if all.Totals.Net.Amount != paid || all.Totals.Paid.Amount-all.Totals.Refunded.Amount != paid {
		t.Errorf("net payments of everything are %d, want %d", all.Totals.Net.Amount, paid)
	}
}

// TestEveryRoleReadsToday: it is the page that the window opens with.
func TestEveryRoleReadsToday(t *testing.T) {
	d := openSample(t, "owner")
	for _, role := range []string{"manager", "clerk", "auditor"} {
		d.as(role)
		d.must("report.today", `{}`, nil)
	}
}

// TestTodaySaysWhatWaits: sales, progress, requests for returns and their receipt change the report.
func TestTodaySaysWhatWaits(t *testing.T) {
	d := openSample(t, "clerk")
	today := func() (r dayReport) {
		d.must("report.today", `{}`, &r)
		return r
	}
	counts := func(r dayReport) [4]int64 {
		return [4]int64{r.Sales.Orders, r.Waiting[0].Orders, r.Waiting[1].Orders, r.Returns}
	}
	was := counts(today())
	since := func(what string, want [4]int64) {
		t.Helper()
		is := counts(today())
		for i := range is {
			is[i] -= was[i]
		}
		if diff := cmp.Diff(want, is); diff != "" {
			t.Errorf("%s: sold, pending, processed, to receive: %s", what, diff)
		}
	}
	id := d.anasOrder("Cash")
	since("sold", [4]int64{1, 1, 0, 0})
	d.must("order.process", jsonf(`{"orderId":%q}`, id), nil)
	since("processed", [4]int64{1, 0, 1, 0})
	d.must("order.deliver", jsonf(`{"orderId":%q}`, id), nil)
	d.must("order.return", jsonf(
		`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"paymentMethodId":"cash","reason":"faulty"}`, id, gujiBeans),
		nil)
	since("asked back", [4]int64{1, 0, 0, 1})
	r := today()
	if last := r.ReturnOrders[len(r.ReturnOrders)-1]; last.OrderID != id || last.Reason != "faulty" || r.Day != "2026-03-12" {
		t.Errorf("to receive: %+v", r.ReturnOrders)
	}
	if r.LowStock != int64(len(d.low(5, 100))) {
		t.Errorf("%d variants run low, report.lowStock lists %d", r.LowStock, len(d.low(5, 100)))
	}
	oldest := d.rows(`SELECT id, placed_at FROM orders WHERE status = 'pending' ORDER BY placed_at LIMIT 1`)[0]
	if r.Waiting[0].Oldest == nil || r.Waiting[0].Oldest.Since != oldest.number(1) {
		t.Errorf("the oldest that is pending: %+v, want %s", r.Waiting[0].Oldest, oldest.text(0))
	}
	d.must("order.receiveReturn", jsonf(`{"orderId":%q,"restock":true}`, id), nil)
	since("received", [4]int64{1, 0, 0, 0})
}
