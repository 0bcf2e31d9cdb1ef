package shop_test

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// keptShop is the file that stores the shop of BenchmarkManyOrders between runs.
var keptShop = flag.String("kept", "", "file of the shop that is asked; made with -customers when it is not there")

// BenchmarkManyOrders measures the operations that people wait for, in a shop with -customers customers, four times as
// many orders and a fifth as many products. It runs every list, search and report through the bus and reports time and
// work.
func BenchmarkManyOrders(b *testing.B) {
	d := manyOrders(b, manyOpened)
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
		{"order.search", "common word of a customer", `"query":"harbour","customerId":"cus_0000042"`, 0},
		{"order.search", "common letters", `"query":"ha"`, 0},
		{"order.search", "rare word", `"query":"lighthouse"`, 0},
		{"order.search", "rare word, page 4", `"query":"lighthouse"`, 3},
		{"order.search", "rare word, pending", `"query":"lighthouse","status":"pending"`, 0},
		{"order.search", "prefix", `"query":"lightho"`, 0},
		{"order.search", "inside of a word", `"query":"ghtho"`, 0},
		{"order.search", "common and rare word", `"query":"product 000017"`, 0},
		{"order.search", "accents", `"query":"Zoë Åkerström"`, 0},
		{"order.search", "absent word", `"query":"zzz"`, 0},
		{"order.search", "absent letters", `"query":"zq"`, 0},
		{"order.search", "by total", `"sort":"highest"`, 0},
		{"order.search", "rare word, by total", `"query":"lighthouse","sort":"highest"`, 0},
		{"order.search", "common word, by total", `"query":"harbour","sort":"lowest"`, 0},
		{"order.search", "oldest", `"sort":"oldest"`, 0},
		{"order.search", "of no total", `"minTotal":{"amount":90000000,"currency":"USD"}`, 0},
		{"order.search", "absent words", `"query":"harbour lighthouse product line"`, 0},
		{"order.search", "misspelt word", `"query":"lighthuose","forgiving":true`, 0},
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
		{"customer.search", "misspelt word", `"query":"akresrtom","forgiving":true`, 0},
		{"customer.search", "newest", `"sort":"newest"`, 0},
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
		{"catalog.search", "misspelt word", `"query":"lighthuose","forgiving":true`, 0},
		{"catalog.search", "cheapest", `"sort":"cheapest"`, 0},
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
			var took, cost []time.Duration
			for b.Loop() {
				began, before := time.Now(), worked()
				d.must(bm.capability, args, nil)
				took, cost = append(took, time.Since(began)), append(cost, worked()-before)
			}
			b.ReportMetric(middle(took), "ms")
			b.ReportMetric(middle(cost), "cpu-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkManySubmitted: an order in that shop, from an empty cart to its number.
func BenchmarkManySubmitted(b *testing.B) {
	d := manyOrders(b, manyOpened)
	var took, cost []time.Duration
	n := 0
	for b.Loop() {
		n++
		customer := fmt.Sprintf("cus_%07d", n%*manyCustomers)
		d.must("cart.addItem", jsonf(`{"customerId":%q,"productId":"prd_%06d","variantId":"var_%06d_0","quantity":1}`,
			customer, n%60, n%60), nil)
		args := jsonf(`{"shippingAddressId":"adr_%s","paymentMethodId":"cash"}`, customer[4:])
		began, before := time.Now(), worked()
		d.must("checkout.submit", args, nil)
		took, cost = append(took, time.Since(began)), append(cost, worked()-before)
	}
	b.ReportMetric(middle(took), "ms")
	b.ReportMetric(middle(cost), "cpu-ms")
}

// BenchmarkManyForked: a draft of that shop, beside a plain copy of the pages that it has.
func BenchmarkManyForked(b *testing.B) {
	d := manyOrders(b, manyOpened)
	dir := b.TempDir()
	var forked, copied, vacuumed []time.Duration
	for b.Loop() {
		fork, plain := filepath.Join(dir, "fork.db"), filepath.Join(dir, "plain.db")
		began := time.Now()
		if err := d.log.Fork(b.Context(), fork, "staff_pins"); err != nil {
			b.Fatal(err)
		}
		forked = append(forked, time.Since(began))
		began = time.Now()
		if err := copyPages(fork, plain); err != nil {
			b.Fatal(err)
		}
		copied = append(copied, time.Since(began))
		began = time.Now()
		if err := vacuum(b, plain, fork+".vacuumed"); err != nil {
			b.Fatal(err)
		}
		vacuumed = append(vacuumed, time.Since(began))
		if err := errors.Join(os.Remove(fork), os.Remove(plain), os.Remove(fork+".vacuumed")); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(middle(forked), "ms")
	b.ReportMetric(middle(forked)/middle(copied), "x-plain-copy")
	b.ReportMetric(middle(forked)/middle(vacuumed), "x-vacuum-into")
	b.ReportMetric(0, "ns/op")
}

// vacuum has SQLite copy a database by its own tables, which it does with less work than statements can.
func vacuum(b *testing.B, from, to string) error {
	db, err := sql.Open("sqlite", from)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(b.Context(), "VACUUM INTO ?", to)
	return errors.Join(err, db.Close())
}

// copyPages copies a file to the disk.
func copyPages(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err == nil {
		_, err = io.Copy(out, in)
		err = errors.Join(err, out.Sync(), out.Close())
	}
	return errors.Join(err, in.Close())
}

// middle is the median, in milliseconds.
func middle(all []time.Duration) float64 {
	slices.Sort(all)
	return float64(all[len(all)/2].Microseconds()) / 1000
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

// TestAShopOfMany makes that shop with two years of orders up to now, for the
// flows, where -kept says; and it is one of which every page can be asked.
func TestAShopOfMany(t *testing.T) {
	d := manyOrders(t, time.Now().AddDate(-2, 0, -2).UnixMilli())
	if n := d.number(`SELECT COUNT(*) FROM orders`); n != int64(4**manyCustomers) {
		t.Errorf("%d orders", n)
	}
	d.derived()
}

// manyOrders is the shop that is asked.
func manyOrders(t testing.TB, opened int64) *desk {
	path := *keptShop
	if path == "" {
		path = filepath.Join(t.TempDir(), "shop.db")
	}
	if _, err := os.Stat(path); err != nil {
		dir := t.TempDir()
		file := filepath.Join(dir, "many.json")
		writeMany(t, file, *manyCustomers, opened)
		d := openMoved(t, dir)
		d.must("shop.setUp", `{"from":"empty"}`, nil)
		d.as("")
		before := worked()
		d.must("shop.import", jsonf(`{"file":%q}`, file), nil)
		t.Logf("the import took %s of processor time", (worked() - before).Round(time.Millisecond))
		if err := d.log.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "shop.db"), path); err != nil {
			t.Fatal(err)
		}
	}
	d := openDesk(t, path)
	d.as("")
	return d
}
