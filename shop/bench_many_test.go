package shop_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// keptShop is where the shop of BenchmarkManyOrders stays for the next time.
var keptShop = flag.String("kept", "", "file of the shop that is asked; made with -customers when it is not there")

// BenchmarkManyOrders: what people wait for in a shop of so many customers as
// -customers says, with four times as many orders and a fifth as many products,
// through the bus: every list, search and report, as time and as work.
func BenchmarkManyOrders(b *testing.B) {
	d := manyOrders(b)
	const month, year = `"from":"2021-03-01","to":"2021-03-31"`, `"from":"2021-01-01","to":"2021-12-31"`
	for _, bm := range []struct {
		capability, name, args string
		page                   int // 0 is the first
	}{
		{"order.search", "all", ``, 0},
		{"order.search", "all, page 40", `"limit":50`, 39},
		{"order.search", "pending", `"status":"pending"`, 0},
		{"order.search", "delivered, page 40", `"status":"delivered"`, 39},
		{"order.search", "of a month", month, 0},
		{"order.search", "of a customer", `"customerId":"cus_0000042"`, 0},
		{"order.search", "number", `"query":"#W0000417"`, 0},
		{"order.search", "part of a number", `"query":"0417"`, 0},
		{"order.search", "common word", `"query":"harbour"`, 0},
		{"order.search", "common word, page 40", `"query":"harbour"`, 39},
		{"order.search", "common word of a month", `"query":"harbour",` + month, 0},
		{"order.search", "rare word", `"query":"lighthouse"`, 0},
		{"order.search", "rare word, page 4", `"query":"lighthouse"`, 3},
		{"order.search", "rare word, pending", `"query":"lighthouse","status":"pending"`, 0},
		{"order.search", "prefix", `"query":"lightho"`, 0},
		{"order.search", "inside of a word", `"query":"ghtho"`, 0},
		{"order.search", "common and rare word", `"query":"product 000017"`, 0},
		{"order.search", "accents", `"query":"Zoë Åkerström"`, 0},
		{"order.search", "absent word", `"query":"zzz"`, 0},
		{"order.search", "absent letters", `"query":"zq"`, 0},
		{"order.search", "absent words", `"query":"harbour lighthouse product line"`, 0},
		{"order.get", "one", `"orderId":"#W0000417"`, 0},
		{"customer.search", "all", ``, 0},
		{"customer.search", "all, page 40", `"limit":50`, 39},
		{"customer.search", "name", `"query":"customer 0000043"`, 0},
		{"customer.search", "common word", `"query":"customer"`, 0},
		{"customer.search", "common word, page 40", `"query":"customer"`, 39},
		{"customer.search", "common prefix", `"query":"custo"`, 0},
		{"customer.search", "common word of the rest", `"query":"example"`, 0},
		{"customer.search", "accents", `"query":"Zoë Åkerström"`, 0},
		{"customer.search", "prefix", `"query":"aker"`, 0},
		{"customer.search", "absent word", `"query":"zzz"`, 0},
		{"customer.search", "email", `"email":"c42@example.com"`, 0},
		{"customer.search", "part of an email", `"query":"c4242"`, 0},
		{"customer.search", "phone", `"phone":"000000042"`, 0},
		{"customer.search", "postal code", `"postalCode":"00042"`, 0},
		{"customer.get", "one", `"customerId":"cus_0000042"`, 0},
		{"catalog.search", "all", ``, 0},
		{"catalog.search", "all, page 40", `"limit":50`, 39},
		{"catalog.search", "SKU", `"query":"SKU-000018-M"`, 0},
		{"catalog.search", "common word", `"query":"harbour"`, 0},
		{"catalog.search", "rare word", `"query":"lighthouse"`, 0},
		{"catalog.search", "prefix", `"query":"lightho"`, 0},
		{"catalog.search", "absent word", `"query":"zzz"`, 0},
		{"catalog.search", "in stock", `"inStock":true`, 0},
		{"catalog.search", "tag", `"tag":"things"`, 0},
		{"search.query", "common word", `"query":"harbour"`, 0},
		{"search.query", "common word, page 4", `"query":"harbour"`, 3},
		{"search.query", "rare word", `"query":"lighthouse"`, 0},
		{"search.query", "prefix", `"query":"lightho"`, 0},
		{"search.query", "accents", `"query":"Zoë Åkerström"`, 0},
		{"search.query", "number", `"query":"#W0000417"`, 0},
		{"search.query", "absent word", `"query":"zzz"`, 0},
		{"report.sales", "day", `"from":"2021-03-01","to":"2021-03-01"`, 0},
		{"report.sales", "month", month, 0},
		{"report.sales", "year of days", year, 0},
		{"report.sales", "year of months", year + `,"by":"month"`, 0},
		{"report.topProducts", "day", `"from":"2021-03-01","to":"2021-03-01"`, 0},
		{"report.topProducts", "month", month, 0},
		{"report.topProducts", "year", year, 0},
		{"report.lowStock", "few", ``, 0},
		{"report.lowStock", "none", `"threshold":1`, 0},
	} {
		b.Run(bm.capability+"/"+bm.name, func(b *testing.B) {
			args := d.pageOf(bm.capability, bm.args, bm.page)
			began := worked()
			for b.Loop() {
				d.must(bm.capability, args, nil)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms")
			b.ReportMetric(float64((worked()-began).Microseconds())/1000/float64(b.N), "cpu-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// pageOf are the arguments for a page of a list, told from 0.
func (d *desk) pageOf(capability, args string, page int) string {
	all := "{" + args + "}"
	for range page {
		var last struct{ NextCursor string }
		d.must(capability, all, &last)
		if last.NextCursor == "" {
			break // a small shop
		}
		all = fmt.Sprintf(`{%s,"cursor":%q}`, args, last.NextCursor)
	}
	return all
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
	began := worked()
	d.must("shop.import", jsonf(`{"file":%q}`, file), nil)
	b.Logf("the import took %s of processor time", (worked() - began).Round(time.Millisecond))
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
