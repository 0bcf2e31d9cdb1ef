package shop_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/shop"
)

// besideRow is a row of a report beside its counterpart in another time.
type besideRow struct {
	Period, Value, From, To, Method, VariantID string
	TotalSales, Net, Revenue                   money
	Before, Difference                         *money
}

func (d *desk) besides(capability, args string) map[string]besideRow {
	d.t.Helper()
	var out struct{ Rows []besideRow }
	d.must(capability, args, &out)
	rows := map[string]besideRow{}
	for _, r := range out.Rows {
		rows[r.Value+r.Method+r.VariantID+r.From] = r
	}
	return rows
}

// TestEachRowOfAReportHasItsCounterpart: the same days moved, or the same value in the other days; in a file too.
func TestEachRowOfAReportHasItsCounterpart(t *testing.T) {
	d := openSample(t, "owner")
	const now, other = `"from":"2026-02-01","to":"2026-02-28"`, `"from":"2026-01-04","to":"2026-01-31"`
	compared := 0
	check := func(what string, r besideRow, is int64, was *int64) {
		t.Helper()
		if was == nil {
			if r.Before != nil || r.Difference != nil {
				t.Errorf("%s has a counterpart that is not there: %+v", what, r)
			}
			return
		}
		compared++
		if r.Before == nil || r.Before.Amount != *was || r.Difference.Amount != is-*was {
			t.Errorf("%s: %+v, want %d before", what, r, *was)
		}
	}
	for _, by := range []string{"day", "week", "month"} {
		for _, r := range d.besides("report.sales", `{`+now+`,"by":"`+by+`","compare":"year"}`) {
			from, to := strings.Replace(r.From, "2026", "2025", 1), strings.Replace(r.To, "2026", "2025", 1)
			was := d.sales(jsonf(`{"from":%q,"to":%q,"by":"month"}`, from, to)).Totals.TotalSales.Amount
			check(by+" "+r.From, r, r.TotalSales.Amount, &was)
		}
	}
	for _, by := range []string{"person", "fulfilment", "taxRate"} {
		before := map[string]int64{}
		for _, r := range d.besides("report.sales", `{`+other+`,"by":"`+by+`"}`) {
			before[r.Value] = r.TotalSales.Amount
		}
		for _, r := range d.besides("report.sales", `{`+now+`,"by":"`+by+`","compare":"before"}`) {
			var was *int64
			if n, ok := before[r.Value]; ok {
				was = &n
			}
			check(by+" "+r.Value, r, r.TotalSales.Amount, was)
		}
	}
	paid, sold := d.besides("report.payments", `{`+other+`}`), d.besides("report.topProducts", `{`+other+`,"limit":200}`)
	for key, r := range d.besides("report.payments", `{`+now+`,"compare":"before"}`) {
		var was *int64
		if b, ok := paid[key]; ok {
			was = &b.Net.Amount
		}
		check(key, r, r.Net.Amount, was)
	}
	for key, r := range d.besides("report.topProducts", `{`+now+`,"compare":"before","limit":200}`) {
		if b, ok := sold[key]; ok {
			check(key, r, r.Revenue.Amount, &b.Revenue.Amount)
		}
	}
	if compared < 50 {
		t.Errorf("only %d rows have a counterpart", compared)
	}

	content, _, _ := d.document(`{"kind":"sales","format":"csv",` + now + `,"by":"day","compare":"year"}`)
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(content, "\ufeff"))).ReadAll()
	if err != nil || len(lines) != 29 || !strings.HasSuffix(strings.Join(lines[0], ","), ",Currency,Before,Difference") ||
		lines[1][len(lines[1])-2] == "" {
		t.Errorf("the file begins %q, %v", lines[:2], err)
	}
	plain, _, _ := d.document(`{"kind":"sales","format":"csv",` + now + `,"by":"day"}`)
	if strings.Contains(plain, "Difference") {
		t.Error("a report that is not compared has a difference")
	}
}

// TestRowsOfTheOtherTimeAloneAreThere: people without sales and methods without payments in the current period have
// rows, so that the rows add up to both periods.
func TestRowsOfTheOtherTimeAloneAreThere(t *testing.T) {
	d := openSample(t, "owner")
	const now = `"from":"2026-03-12","to":"2026-03-12","compare":"before"` // of the day before there are sales
	edit(t, d.path, `UPDATE orders SET placed_by = 'gone'
		WHERE date(placed_at / 1000, 'unixepoch', '-5 hours') = '2026-03-11'`)
	edit(t, d.path, shop.RebuildDerived()...)
	d.must("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":1}`, nil)
	d.must("checkout.submit", `{"paymentMethodId":"cash"}`, nil)
	for _, by := range []string{"person", "fulfilment", "taxRate"} {
		report := d.sales(jsonf(`{%s,"by":%q}`, now, by))
		var sum int64
		alone := 0
		for _, r := range d.besides("report.sales", jsonf(`{%s,"by":%q}`, now, by)) {
			if r.Before != nil {
				sum += r.Before.Amount
			}
			if r.TotalSales.Amount == 0 {
				alone++
			}
		}
		before := report.Before.Totals.TotalSales.Amount
		if sum != before || before == 0 || by == "person" && alone == 0 {
			t.Errorf("by %s the rows had %d, of %d; %d of them had it alone", by, sum, before, alone)
		}
	}
	methods := 0
	for _, r := range d.besides("report.payments", `{`+now+`}`) {
		if r.Before != nil && r.Net.Amount == 0 {
			methods++
		}
	}
	if methods == 0 {
		t.Error("no method of the day before alone has a row")
	}
}
