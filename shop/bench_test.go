package shop_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkSearchAmongTenThousand: a search and a page of the catalog, through
// the bus, in a shop of ten thousand products.
func BenchmarkSearchAmongTenThousand(b *testing.B) {
	d := openSample(b, "owner")
	e := newExport()
	for i := range 10_000 {
		e.row(fmt.Sprintf("Handle=p-%05d", i), fmt.Sprintf("Title=Article %05d of the %s line", i,
			[]string{"harbour", "forest", "mountain"}[i%3]), "Published=true",
			fmt.Sprintf("Variant SKU=SKU-%05d", i), "Variant Price=10.00", "Variant Inventory Tracker=shopify",
			"Variant Inventory Qty=5", "Status=active")
	}
	d.files["all"] = e.String()
	d.must("shop.importCSV", `{"file":"all","kind":"products","currency":"USD"}`, nil)
	for _, bm := range []struct{ name, args string }{
		{"word", `{"query":"harbour line"}`}, {"SKU", `{"query":"SKU-04711"}`}, {"prefix", `{"query":"arti"}`},
		{"nothing", `{"query":"zzz"}`}, {"page", `{}`},
	} {
		b.Run(bm.name, func(b *testing.B) {
			for b.Loop() {
				d.must("catalog.search", bm.args, nil)
			}
		})
	}
}

// BenchmarkReports: in a shop of two hundred thousand orders over three years,
// through the bus.
func BenchmarkReports(b *testing.B) {
	path := filepath.Join(b.TempDir(), "shop.db")
	d := openSample(b, "owner")
	if err := d.log.Close(); err != nil {
		b.Fatal(err)
	}
	if err := os.Rename(d.path, path); err != nil {
		b.Fatal(err)
	}
	edit(b, path, `CREATE TABLE copies AS SELECT value AS n FROM json_each('[' || trim(replace(hex(zeroblob(600)), '00', ',1'), ',') || ']')`)
	edit(b, path, `UPDATE copies SET n = rowid`,
		`CREATE TABLE pages AS SELECT o.id AS old, printf('#W%08d', (o.rowid * 1000 + n) * 48271 % 99999989) AS id, n FROM orders o, copies`,
		`INSERT INTO orders SELECT p.id, customer_id, status, placed_at - p.n % 3 * 31536000000 - p.n * 60000, placed_by, processed_at, delivered_at, cancelled_at, cancelled_by, cancel_reason,
			subtotal, discount, shipping, tax, total, tax_included, discount_reason, shipping_method, estimated_delivery, gift_message, address_id, address_label, line1, line2, city, region,
			postal_code, country, name_fold, search_fold, revision, items_changed_at, fulfilment FROM orders o JOIN pages p ON p.old = o.id`,
		`INSERT INTO order_lines SELECT p.id, line, product_id, variant_id, sku, name, label, quantity, price, discount, tax, total, returned_by, rate_ppm, discount_reason, note, discount_tax FROM order_lines l JOIN pages p ON p.old = l.order_id`,
		`DROP TABLE copies`, `DROP TABLE pages`)
	d = openDesk(b, path)
	d.as("owner")
	b.Logf("%d orders, %d lines", d.number(`SELECT COUNT(*) FROM orders`), d.number(`SELECT COUNT(*) FROM order_lines`))
	for _, bm := range []struct{ name, capability, args string }{
		{"a month of days", "report.sales", `{"period":"last month"}`},
		{"three years of days", "report.sales", `{"from":"2023-03-13","to":"2026-03-12"}`},
		{"three years of months", "report.sales", `{"from":"2023-03-13","to":"2026-03-12","by":"month"}`},
		{"a month by person", "report.sales", `{"period":"last month","by":"person"}`},
		{"three years by tax rate", "report.sales", `{"from":"2023-03-13","to":"2026-03-12","by":"taxRate"}`},
		{"best of a month", "report.topProducts", `{"period":"last month"}`},
		{"best of a year", "report.topProducts", `{"period":"last year"}`},
		{"best of three years", "report.topProducts", `{"from":"2023-03-13","to":"2026-03-12"}`},
		{"low stock", "report.lowStock", `{}`},
	} {
		b.Run(bm.name, func(b *testing.B) {
			for b.Loop() {
				d.must(bm.capability, bm.args, nil)
			}
		})
	}
}
