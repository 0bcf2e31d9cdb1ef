package shop_test

import (
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// TestAnExportHasWhatTheListHas: with any filter on the page, the file contains the same rows.
func TestAnExportHasWhatTheListHas(t *testing.T) {
	d := openSample(t, "owner")
	order := d.anasOrder("PayPal")
	for _, tc := range []struct{ kind, search, field, column string }{
		{"orders", "order.search", "orders", "Number"},
		{"customers", "customer.search", "customers", "Email"},
		{"products", "catalog.search", "products", "Product"},
	} {
		narrowed := []string{`"query":"ana"`, `"query":"guji natural"`, `"query":"the gujis"`, `"query":"a"`, `"query":"?!"`,
			`"query":"nothing has this"`, jsonf(`"query":%q`, order)}
		if tc.kind == "orders" {
			narrowed = append(narrowed, `"status":"delivered"`, `"status":"pending","query":"ana"`)
		}
		for _, by := range narrowed {
			content, rows, _ := d.document(`{"kind":"` + tc.kind + `","format":"csv",` + by + `}`)
			written := column(t, content, tc.column)
			if int64(len(written)) != rows {
				t.Errorf("%s by %s: %d rows written, %d told", tc.kind, by, len(written), rows)
			}
			if diff := cmp.Diff(d.listed(tc.search, tc.field, by), distinct(written)); diff != "" {
				t.Errorf("%s by %s (-list +file):\n%s", tc.kind, by, diff)
			}
		}
	}
	for _, args := range []string{
		`{"kind":"customers","format":"csv","status":"pending"}`, `{"kind":"sales","format":"csv","query":"ana"}`,
		`{"kind":"products","format":"csv","from":"2026-01-01"}`,
		jsonf(`{"kind":"receipt","format":"csv","orderId":%q,"query":"ana"}`, order),
	} {
		d.refused("document.export", args, bus.Validation, bus.ReasonArguments)
	}
}

// TestTheCatalogIsWrittenByVariant: with current prices; an uncounted variant has no stock.
func TestTheCatalogIsWrittenByVariant(t *testing.T) {
	d := openSample(t, "owner")
	d.must("catalog.createProduct", `{"name":"Zebra Tea","options":["Size"],"variants":[
		{"options":{"Size":"50 g"},"sku":"ZT-50","price":{"amount":450,"currency":"USD"},"stock":3,"backorder":true},
		{"options":{"Size":"1 kg"},"price":{"amount":6000,"currency":"USD"}}]}`, nil)
	content, _, _ := d.document(`{"kind":"products","format":"csv","query":"zebra"}`)
	want := "Zebra Tea,50 g,ZT-50,,,,Goods,4.50,3,yes,yes,USD\nZebra Tea,1 kg,,,,,Goods,60.00,,yes,no,USD\n"
	if _, got, _ := strings.Cut(strings.ReplaceAll(content, "\r\n", "\n"), "\n"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for _, format := range []string{"pdf", "xlsx"} {
		if _, rows, _ := d.document(`{"kind":"products","query":"zebra","format":"` + format + `"}`); rows != 2 {
			t.Errorf("%s: %d rows", format, rows)
		}
	}
}

// listed returns a field of the rows of a list, from all pages.
func (d *desk) listed(capability, field, by string) []string {
	d.t.Helper()
	var all []string
	for cursor := ""; ; {
		var page map[string]any
		d.must(capability, jsonf(`{%s,"limit":7,"cursor":%q}`, by, cursor), &page)
		for _, row := range page[field].([]any) {
			r := row.(map[string]any)
			for _, name := range []string{"email", "name", "id"} {
				if v, ok := r[name].(string); ok && v != "" {
					all = append(all, v)
					break
				}
			}
		}
		next, more := page["nextCursor"].(string)
		if !more {
			return distinct(all)
		}
		cursor = next
	}
}

func distinct(values []string) []string {
	slices.Sort(values)
	return slices.Compact(values)
}

// column are the cells of a column of a CSV file.
func column(t testing.TB, content, title string) (cells []string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(content, "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(rows[0], title)
	for _, row := range rows[1:] {
		cells = append(cells, row[at])
	}
	return cells
}

// TestPickedRowsAreWritten: those that were picked one by one, and no others.
func TestPickedRowsAreWritten(t *testing.T) {
	d := openSample(t, "owner")
	first, second, third := d.anasOrder("PayPal"), d.anasOrder("Visa"), d.anasOrder("PayPal")
	for _, tc := range []struct{ kind, search, field, ids, column string }{
		{"orders", "order.search", "orders", "orderIds", "Number"},
		{"customers", "customer.search", "customers", "customerIds", "Id"},
		{"products", "catalog.search", "products", "productIds", "Product"},
	} {
		var page map[string]json.RawMessage
		d.must(tc.search, `{"limit":3}`, &page)
		var rows []struct{ ID, Name string }
		if err := json.Unmarshal(page[tc.field], &rows); err != nil {
			t.Fatal(err)
		}
		args := jsonf(`{"kind":%q,"format":"csv",%q:[%q,%q]}`, tc.kind, tc.ids, rows[0].ID, rows[2].ID)
		content, _, _ := d.document(args)
		want := []string{rows[0].ID, rows[2].ID}
		if tc.kind == "products" {
			want = []string{rows[0].Name, rows[2].Name}
		}
		slices.Sort(want)
		got := distinct(column(t, content, tc.column))
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-picked +written):\n%s", tc.kind, diff)
		}
	}

	receipts := func(format string) string {
		content, _, _ := d.document(jsonf(`{"kind":"receipt","format":%q,"orderIds":[%q,%q]}`, format, first, third))
		return content
	}
	pages := printed(t, receipts("pdf"))
	if len(pages) != 2 || !strings.HasSuffix(pages[0][0], "Receipt "+first) ||
		!strings.HasSuffix(pages[1][0], "Receipt "+third) {
		t.Errorf("receipts of %s and %s: %q", first, third, pages)
	}
	if got := distinct(column(t, receipts("csv"), "Order")); !slices.Equal(got, []string{first, third}) {
		t.Errorf("receipts as a table: %v, not %s", got, second)
	}
	for _, args := range []string{
		jsonf(`{"kind":"customers","format":"csv","orderIds":[%q]}`, first), `{"kind":"receipt","format":"pdf","orderIds":[]}`,
		jsonf(`{"kind":"receipt","format":"pdf","orderId":%q,"orderIds":[%q]}`, first, second),
	} {
		d.refused("document.export", args, bus.Validation, bus.ReasonArguments)
	}
}
