package shop_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// takings is a sales report of a range of days.
type takings struct {
	Orders                                                              int64
	GrossSales, Discounts, Returns, NetSales, Shipping, Tax, TotalSales money
}

type salesRow struct {
	Period, Value, From, To, Title string
	takings
}

type salesReport struct {
	From, To, By string
	Totals       takings
	Rows         []salesRow
	Taxes        []struct {
		RatePPM       int64
		Rate          string
		NetSales, Tax money
	}
	Before *struct {
		From, To           string
		Totals, Difference takings
	}
}

func (d *desk) sales(args string) (r salesReport) {
	d.t.Helper()
	d.must("report.sales", args, &r)
	return r
}

// figures are takings as plain numbers, to be compared and added up.
type figures struct{ orders, gross, discounts, returns, net, shipping, tax, total int64 }

func (t takings) figures() figures {
	return figures{t.Orders, t.GrossSales.Amount, t.Discounts.Amount, t.Returns.Amount, t.NetSales.Amount,
		t.Shipping.Amount,
		t.Tax.Amount, t.TotalSales.Amount}
}

func (f figures) plus(g figures) figures {
	return figures{f.orders + g.orders, f.gross + g.gross, f.discounts + g.discounts, f.returns + g.returns, f.net + g.net,
		f.shipping + g.shipping, f.tax + g.tax, f.total + g.total}
}

func (f figures) less(g figures) figures {
	return f.plus(figures{-g.orders, -g.gross, -g.discounts, -g.returns, -g.net, -g.shipping, -g.tax, -g.total})
}

// TestReportsTakeTheDaysThatWereMeant: it is Thursday, 12 March 2026.
func TestReportsTakeTheDaysThatWereMeant(t *testing.T) {
	d := openSample(t, "clerk")
	for args, want := range map[string][2]string{
		`{}`: {"2026-02-11", "2026-03-12"},
		`{"from":"2025-12-24","to":"2026-01-06"}`: {"2025-12-24", "2026-01-06"},
		`{"from":"2026-03-01"}`:                   {"2026-03-01", "2026-03-12"},
		`{"to":"2026-01-30"}`:                     {"2026-01-01", "2026-01-30"},
		`{"period":"today"}`:                      {"2026-03-12", "2026-03-12"},
		`{"period":"yesterday"}`:                  {"2026-03-11", "2026-03-11"},
		`{"period":"week"}`:                       {"2026-03-09", "2026-03-12"},
		`{"period":"last week"}`:                  {"2026-03-02", "2026-03-08"},
		`{"period":"month"}`:                      {"2026-03-01", "2026-03-12"},
		`{"period":"last month"}`:                 {"2026-02-01", "2026-02-28"},
		`{"period":"year"}`:                       {"2026-01-01", "2026-03-12"},
		`{"period":"last year"}`:                  {"2025-01-01", "2025-12-31"},
		`{"period":"march"}`:                      {"2026-03-01", "2026-03-12"},
		`{"period":"april"}`:                      {"2025-04-01", "2025-04-30"},
		`{"period":"february"}`:                   {"2026-02-01", "2026-02-28"},
		`{"since":"september"}`:                   {"2025-09-01", "2026-03-12"},
		`{"since":"last week"}`:                   {"2026-03-02", "2026-03-12"},
		`{"since":"last year","to":"2025-06-30"}`: {"2025-01-01", "2025-06-30"},
	} {
		for _, report := range []string{"report.sales", "report.topProducts"} {
			var r salesReport
			d.must(report, args, &r)
			if got := [2]string{r.From, r.To}; got != want {
				t.Errorf("%s %s is about %v, want %v", report, args, got, want)
			}
		}
	}
	for args, says := range map[string]string{
		`{"from":"2026-03-02","to":"2026-03-01"}`:             "before the first",
		`{"from":"2026-03-02","to":"2026-02-30"}`:             "date",
		`{"since":"september","to":"2025-08-31"}`:             "before the first",
		`{"since":"september","from":"2026-01-01"}`:           "either since or from",
		`{"period":"week","to":"2026-03-01"}`:                 "not both",
		`{"period":"week","since":"september"}`:               "not both",
		`{"from":"2000-01-01","to":"2026-03-01"}`:             "more than 1100",
		`{"from":"0001-01-01","to":"9999-12-31","by":"week"}`: "more than 1100",
	} {
		e := d.refused("report.sales", args, bus.Validation, bus.ReasonArguments)
		contains(t, e.Message, says)
	}
}

func TestSalesRowsAreDaysWeeksAndMonths(t *testing.T) {
	d := openSample(t, "auditor")
	names := func(args string) (all [][3]string) {
		for _, r := range d.sales(args).Rows {
			all = append(all, [3]string{r.Period, r.From, r.To})
		}
		return all
	}
	for args, want := range map[string][][3]string{
		`{"from":"2025-12-31","to":"2026-01-01"}`: {{"2025-12-31", "2025-12-31", "2025-12-31"},
			{"2026-01-01", "2026-01-01", "2026-01-01"}},
		`{"from":"2025-12-27","to":"2026-01-05","by":"week"}`: {{"2025-W52", "2025-12-27", "2025-12-28"},
			{"2026-W01", "2025-12-29", "2026-01-04"},
			{"2026-W02", "2026-01-05", "2026-01-05"}},
		`{"from":"2025-12-30","to":"2026-02-10","by":"month"}`: {{"2025-12", "2025-12-30", "2025-12-31"},
			{"2026-01", "2026-01-01", "2026-01-31"},
			{"2026-02", "2026-02-01", "2026-02-10"}},
	} {
		if diff := cmp.Diff(want, names(args)); diff != "" {
			t.Errorf("%s: %s", args, diff)
		}
	}
	r := d.sales(`{"from":"2031-05-01","to":"2031-05-02"}`)
	for _, row := range r.Rows {
		if row.figures() != (figures{}) || row.TotalSales.Text != "$0.00" {
			t.Errorf("a day on which nothing was sold: %+v", row)
		}
	}
	if len(r.Rows) != 2 || r.Rows[0].Title != "Thursday, 1 May 2031: no orders, $0.00 in total sales" {
		t.Errorf("days on which nothing was sold: %+v", r.Rows)
	}
}

// TestSalesCountWhatHappensToAnOrder: two bags of Guji come to $42.88 and $4.95
// for sending them.
func TestSalesCountWhatHappensToAnOrder(t *testing.T) {
	d := openSample(t, "owner")
	before := d.sales(`{"period":"today"}`).Totals.figures()
	since := func(what string, want figures) {
		t.Helper()
		if got := d.sales(`{"period":"today"}`).Totals.figures().less(before); got != want {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	placed := figures{orders: 1, gross: 4288, net: 4288, shipping: 495, total: 4783}
	id := d.anasOrder("Visa ending 4242")
	since("placed", placed)
	d.must("order.changePayment", jsonf(`{"orderId":%q,"paymentMethodId":"cash"}`, id), nil)
	since("paid otherwise", placed)
	d.must("order.cancel", jsonf(`{"orderId":%q,"reason":"other"}`, id), nil)
	since("cancelled", figures{})

	id = d.delivered("Cash")
	d.must("order.return", jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"paymentMethodId":"cash"}`, id,
		gujiBeans), nil)
	since("to come back", placed)
	d.must("order.receiveReturn", jsonf(`{"orderId":%q,"restock":true}`, id), nil)
	since("half of it came back", figures{orders: 1, gross: 4288, returns: 2144, net: 2144, shipping: 495, total: 2639})

	d.must("catalog.setPrice", jsonf(`{"variantId":%q,"price":{"amount":1144,"currency":"USD"}}`, gujiGround), nil)
	d.must("order.exchange", jsonf(
		`{"orderId":%q,"changes":[{"variantId":%q,"newVariantId":%q}],"paymentMethodId":"cash"}`, id, gujiBeans, gujiGround),
		nil)
	d.must("order.receiveExchange", jsonf(`{"orderId":%q,"restock":true}`, id), nil)
	since("the other half was exchanged for something cheaper",
		figures{orders: 1, gross: 3288, returns: 2144, net: 1144, shipping: 495, total: 1639})
}

// TestDaysBeginWhenTheShopsClocksSay: where clocks are changed at midnight, and
// where a day was left out, too.
func TestDaysBeginWhenTheShopsClocksSay(t *testing.T) {
	for zone, moments := range map[string][]string{
		"America/Havana": {"2026-03-08T04:59:59.999Z", "2026-03-08T05:00:00Z", "2026-03-09T03:59:59.999Z",
			"2026-03-09T04:00:00Z"},
		"America/Asuncion": {"2023-03-26T02:59:59.999Z", "2023-03-26T03:00:00Z", "2023-03-26T03:59:59.999Z",
			"2023-03-26T04:00:00Z"},
		"Cuba": {"2026-11-01T03:59:59.999Z", "2026-11-01T04:00:00Z", "2026-11-01T04:59:59Z", "2026-11-01T05:00:00Z",
			"2026-11-02T04:59:59.999Z", "2026-11-02T05:00:00Z"},
		"Asia/Amman": {"2021-03-25T21:59:59.999Z", "2021-03-25T22:00:00Z", "2021-10-28T20:59:59.999Z",
			"2021-10-28T21:00:00Z", "2021-10-28T22:00:00Z", "2021-10-29T21:59:59.999Z", "2021-10-29T22:00:00Z"},
		"Pacific/Apia": {"2011-12-30T09:59:59.999Z", "2011-12-30T10:00:00Z", "2011-12-31T09:59:59.999Z",
			"2011-12-31T10:00:00Z"},
		"Asia/Kolkata": {"2026-01-01T18:29:59.999Z", "2026-01-01T18:30:00Z"},
	} {
		t.Run(zone, func(t *testing.T) {
			place, err := time.LoadLocation(zone)
			if err != nil {
				t.Fatal(err)
			}
			statements := []string{jsonf(`UPDATE shop SET time_zone = '%s'`, zone)}
			want := map[string]int64{}
			var first, last time.Time
			for i, moment := range moments {
				at, err := time.Parse(time.RFC3339Nano, moment)
				if err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					first = at.In(place)
				}
				last = at.In(place)
				want[last.Format(time.DateOnly)]++
				statements = append(statements,
					jsonf(`UPDATE orders SET status = 'pending', placed_at = %d WHERE rowid = (SELECT rowid FROM orders ORDER BY rowid LIMIT 1 OFFSET %d)`, at.UnixMilli(), i))
			}
			path := filepath.Join(t.TempDir(), "shop.db")
			copyFile(t, sampleFile, path)
			edit(t, path, `UPDATE orders SET status = 'cancelled'`)
			edit(t, path, statements...)
			d := openDesk(t, path)
			d.as("clerk")
			got := map[string]int64{}
			for _, row := range d.sales(jsonf(`{"from":%q,"to":%q}`, first.AddDate(0, 0, -2).Format(time.DateOnly),
				last.AddDate(0, 0, 2).Format(time.DateOnly))).Rows {
				if row.Orders > 0 {
					got[row.Period] = row.Orders
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
