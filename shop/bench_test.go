package shop_test

import (
	"flag"
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
		e.row(fmt.Sprintf("Handle=p-%05d", i), fmt.Sprintf("Title=Article %05d of the %s line", i, []string{"harbour", "forest", "mountain"}[i%3]), "Published=true",
			fmt.Sprintf("Variant SKU=SKU-%05d", i), "Variant Price=10.00", "Variant Inventory Tracker=shopify", "Variant Inventory Qty=5", "Status=active")
	}
	d.files["all"] = e.String()
	d.must("shop.importCSV", `{"file":"all","kind":"products"}`, nil)
	for _, bm := range []struct{ name, args string }{
		{"word", `{"query":"harbour line"}`}, {"SKU", `{"query":"SKU-04711"}`}, {"prefix", `{"query":"arti"}`}, {"nothing", `{"query":"zzz"}`}, {"page", `{}`},
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
			postal_code, country, name_fold, search_fold, revision, items_changed_at FROM orders o JOIN pages p ON p.old = o.id`,
		`INSERT INTO order_lines SELECT p.id, line, product_id, variant_id, sku, name, label, quantity, price, discount, tax, total, returned_by FROM order_lines l JOIN pages p ON p.old = l.order_id`,
		`DROP TABLE copies`, `DROP TABLE pages`)
	d = openDesk(b, path)
	d.as("owner")
	b.Logf("%d orders, %d lines", d.number(`SELECT COUNT(*) FROM orders`), d.number(`SELECT COUNT(*) FROM order_lines`))
	for _, bm := range []struct{ name, capability, args string }{
		{"a month of days", "report.sales", `{"period":"last month"}`},
		{"three years of days", "report.sales", `{"from":"2023-03-13","to":"2026-03-12"}`},
		{"three years of months", "report.sales", `{"from":"2023-03-13","to":"2026-03-12","by":"month"}`},
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

// keptShop is where the shop of BenchmarkManyOrders stays for the next time.
var keptShop = flag.String("kept", "", "file of the shop that is asked; made with -customers when it is not there")

// BenchmarkManyOrders: what people wait for in a shop of so many customers as
// -customers says, with four times as many orders and a fifth as many products,
// through the bus.
func BenchmarkManyOrders(b *testing.B) {
	d := manyOrders(b)
	next := func(capability, args string) string {
		var page struct{ NextCursor string }
		d.must(capability, "{"+args+"}", &page)
		return fmt.Sprintf(`{%s,"cursor":%q}`, args, page.NextCursor)
	}
	for _, bm := range []struct{ name, capability, args string }{
		{"orders", "order.search", `{}`},
		{"orders, next page", "order.search", next("order.search", `"limit":50`)},
		{"orders, pending", "order.search", `{"status":"pending"}`},
		{"orders, delivered", "order.search", `{"status":"delivered"}`},
		{"orders of a month", "order.search", `{"from":"2021-03-01","to":"2021-03-31"}`},
		{"orders of a customer", "order.search", `{"customerId":"cus_0000042"}`},
		{"orders by number", "order.search", `{"query":"#W0000417"}`},
		{"orders by product", "order.search", `{"query":"product 000017"}`},
		{"orders by a common word", "order.search", `{"query":"harbour"}`},
		{"orders by a common word, next page", "order.search", next("order.search", `"query":"harbour"`)},
		{"orders by a word of none", "order.search", `{"query":"zzz"}`},
		{"customers", "customer.search", `{}`},
		{"customers, next page", "customer.search", next("customer.search", `"limit":50`)},
		{"customers by name", "customer.search", `{"query":"customer 0000042"}`},
		{"customers by a common word", "customer.search", `{"query":"customer"}`},
		{"customers by email", "customer.search", `{"email":"c42@example.com"}`},
		{"customers by phone", "customer.search", `{"phone":"000000042"}`},
		{"customers by a word of none", "customer.search", `{"query":"zzz"}`},
		{"catalog", "catalog.search", `{}`},
		{"catalog by SKU", "catalog.search", `{"query":"SKU-000017-M"}`},
		{"catalog by a common word", "catalog.search", `{"query":"harbour"}`},
		{"everything by a common word", "search.query", `{"query":"harbour"}`},
		{"everything by number", "search.query", `{"query":"#W0000417"}`},
		{"everything by a word of none", "search.query", `{"query":"zzz"}`},
		{"an order", "order.get", `{"orderId":"#W0000417"}`},
		{"a customer", "customer.get", `{"customerId":"cus_0000042"}`},
		{"sales of a month", "report.sales", `{"from":"2021-03-01","to":"2021-03-31"}`},
		{"sales of a year", "report.sales", `{"from":"2021-01-01","to":"2021-12-31"}`},
		{"best of a month", "report.topProducts", `{"from":"2021-03-01","to":"2021-03-31"}`},
		{"best of a year", "report.topProducts", `{"from":"2021-01-01","to":"2021-12-31"}`},
		{"low stock", "report.lowStock", `{}`},
	} {
		b.Run(bm.name, func(b *testing.B) {
			for b.Loop() {
				d.must(bm.capability, bm.args, nil)
			}
		})
	}
}

// manyOrders is the shop that is asked.
func manyOrders(b *testing.B) *desk {
	path := *keptShop
	if path == "" {
		path = filepath.Join(b.TempDir(), "shop.db")
	}
	if _, err := os.Stat(path); err == nil {
		d := openDesk(b, path)
		d.as("")
		return d
	}
	dir := b.TempDir()
	file := filepath.Join(dir, "many.json")
	writeMany(b, file, *manyCustomers)
	d := openMoved(b, dir)
	d.must("shop.setUp", `{"from":"empty"}`, nil)
	d.as("")
	d.must("shop.import", jsonf(`{"file":%q}`, file), nil)
	if err := d.log.Close(); err != nil {
		b.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "shop.db"), path); err != nil {
		b.Fatal(err)
	}
	d = openDesk(b, path)
	d.as("")
	return d
}
