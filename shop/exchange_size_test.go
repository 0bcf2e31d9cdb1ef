package shop_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/deskhand/deskhand/shop"
)

// manyCustomers is the size of the shop that is moved; make soak asks for 50 000.
var manyCustomers = flag.Int("customers", 300,
	"customers of the shop that is moved: with a fifth as many products and four times as many orders")

// heapAllowed limits the memory of an import or export, for a shop of any size.
const heapAllowed = 64 << 20

// TestManyAreMovedInBoundedMemory: the shop is exported to and imported from a file on a disk, and the memory in use
// does not grow with it.
func TestManyAreMovedInBoundedMemory(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "many.json")
	writeMany(t, file, *manyCustomers, manyOpened)
	d := openMoved(t, dir)
	d.must("shop.setUp", `{"from":"empty"}`, nil)
	d.as("")
	for i, move := range []struct{ name, args string }{
		{"shop.import", jsonf(`{"file":%q}`, file)}, {"shop.export", `{}`},
	} {
		began := time.Now()
		peak := d.peak(func() { d.must(move.name, move.args, nil) })
		t.Logf("%s of %d customers: %s, heap at most %d MB above what it was%s", move.name, *manyCustomers, time.Since(began).
			Round(time.Millisecond), peak>>20, resident())
		if peak > heapAllowed {
			t.Errorf("%s kept %d MB alive, want at most %d", move.name, peak>>20, heapAllowed>>20)
		}
		if i == 1 && !bytes.Equal(sumOf(t, file), sumOf(t, filepath.Join(dir, "shop-20260312-150405.json"))) {
			t.Error("the export is not the file that was imported")
		}
	}
}

// openMoved is an empty data folder whose files lie on a disk.
func openMoved(t testing.TB, dir string) *desk {
	d := &desk{t: t, clock: now}
	b, log, err := start(filepath.Join(dir, "shop.db"), shop.Ports{
		OpenFile: func(_ context.Context, file string) (io.ReadCloser, string, error) {
			f, err := os.Open(file)
			return f, filepath.Base(file), err
		},
		CreateFile: func(_ context.Context, _, name string) (shop.NewFile, error) {
			f, err := os.Create(filepath.Join(dir, name))
			return onDisk{f}, err
		},
	}, d, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	d.bus, d.log = b, log
	d.as("")
	return d
}

type onDisk struct{ *os.File }

func (f onDisk) Keep() (string, error) { return f.Name(), f.Close() }
func (f onDisk) Drop() error           { return f.Close() }

// peak returns the rise of the live heap during a call in bytes, measured after collections.
func (d *desk) peak(call func()) uint64 {
	runtime.GC()
	before := marked()
	most, last, older := before, before, before
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			runtime.GC()
			now := marked()
			// Allocations during a collection count as alive, many on a busy machine: three times is not chance.
			most, last, older = max(most, min(now, last, older)), now, last
			select {
			case <-tick.C:
			case <-done:
				return
			}
		}
	}()
	call()
	close(done)
	<-ended
	return most - before
}

// marked returns the live heap after the last collection. Unlike the size of the heap, it excludes later garbage.
func marked() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// resident tells the process's largest size where the system says it.
func resident() string {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range bytes.Lines(status) {
		if rest, ok := bytes.CutPrefix(line, []byte("VmHWM:")); ok {
			return ", the process was never larger than " + string(bytes.TrimSpace(rest))
		}
	}
	return ""
}

func sumOf(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		t.Fatal(err)
	}
	return h.Sum(nil)
}

// manyOpened is the opening time of that shop, in milliseconds. Two years of orders follow.
const manyOpened = int64(1_600_000_000_000)

// writeMany writes a shop of so many customers as an export has it.
func writeMany(t testing.TB, path string, customers int, opened int64) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	products, orders, day := customers/5, 4*customers, int64(86_400_000)
	usd := func(amount int) string { return fmt.Sprintf(`{"amount":%d,"currency":"USD"}`, amount) }
	list := func(name string, n int, item func(i int)) {
		fmt.Fprintf(w, ",\n%q: [", name)
		for i := range n {
			if i > 0 {
				w.WriteByte(',')
			}
			w.WriteByte('\n')
			item(i)
		}
		w.WriteString("\n]")
	}
	fmt.Fprintf(w, "{\n\"format\": \"deskhand.shop\",\n\"version\": 1,\n\"shop\": "+
		"{\"name\":\"Many\",\"currency\":\"USD\",\"timeZone\":\"UTC\",\"pricesIncludeTax\":false,\"discountLimit\":10,\"refundLimit\":%s}", usd(25000))
	list("taxClasses", 1, func(int) { fmt.Fprint(w, `{"id":"none","name":"Not taxed","ratePpm":0}`) })
	list("shippingMethods", 1, func(int) {
		fmt.Fprintf(w, `{"id":"standard","name":"Standard","price":%s,"days":3}`,
			usd(495))
	})
	// One product in a thousand is of another line, one customer in five hundred has
	// a name with accents: words that few rows have.
	line := func(p int) string {
		if p%1000 == 17 {
			return "lighthouse"
		}
		return "harbour"
	}
	person := func(c int) string {
		if c%500 == 42 {
			return "Zoë Åkerström"
		}
		return "Customer"
	}
	list("products", products, func(i int) {
		fmt.Fprintf(w, `{"id":"prd_%06d","handle":"product-%06d","name":"Product %06d of the %s line","description":"Useful in every kitchen, and easy to clean.","vendor":"Many","kind":"Things","options":["Size"],"taxClass":"none","published":true,"tags":["things"],"createdAt":%d,"variants":[`, i, i, i, line(i), opened)
		for v, size := range []string{"S", "M", "L"} {
			sold := 0
			if v < 2 { // every order has a piece of S and of M
				sold = orders / products
			}
			if v > 0 {
				w.WriteByte(',')
			}
			fmt.Fprintf(w, `{"id":"var_%06d_%d","sku":"SKU-%06d-%s","options":[%q],"price":%s,"stock":%d,"available":true,"movements":[{"id":"mov_%06d_%d","delta":%d,"reason":"opening","by":"owner","at":%d}]}`,
				i, v, i, size, size, usd(1000+v), 5, i, v, 5+sold, opened)
		}
		w.WriteString("]}")
	})
	address := func(i int) string {
		return fmt.Sprintf(`"label":"Home","line1":"%d Harbour Street","city":"Lisbon","postalCode":"%05d","country":"Portugal"`, i, i%99999)
	}
	list("customers", customers, func(i int) {
		fmt.Fprintf(w, `{"id":"cus_%07d","name":"%s %07d","email":"c%d@example.com","phone":"+351 %09d","createdAt":%d,"addresses":[{"id":"adr_%07d",%s,"default":true,"createdAt":%d}],"paymentMethods":[{"id":"pm_%07d_a","kind":"card","brand":"Visa","lastFour":"%04d","default":true,"createdAt":%d},{"id":"pm_%07d_b","kind":"giftCard","balance":%s,"createdAt":%d}]}`,
			i, person(i), i, i, i, opened, i, address(i), opened, i, i%10000, opened, i, usd(5000), opened)
	})
	apart := 2 * 365 * day / int64(orders) // over two years
	list("orders", orders, func(i int) {
		at, c, p := opened+day+int64(i)*apart, i%customers, i%products
		status, sent := `"delivered"`, fmt.Sprintf(`,"processedAt":%d,"deliveredAt":%d`, at+day, at+2*day)
		parcel := fmt.Sprintf(`,"fulfilments":[{"id":"ful_%07d","trackingId":"1Z%07d","at":%d}]`, i, i, at+day)
		if i%100 == 99 {
			status, sent, parcel = `"pending"`, "", ""
		}
		fmt.Fprintf(w, `{"id":"#W%07d","customerId":"cus_%07d","status":%s,"placedAt":%d,"placedBy":"owner"%s,"taxIncluded":false,"shipping":%s,"total":%s,"shippingMethod":"Standard","estimatedDelivery":"2020-10-01","address":{"id":"adr_%07d",%s},"lines":[`,
			i, c, status, at, sent, usd(495), usd(495+1000+1001), c, address(c))
		for v, size := range []string{"S", "M"} {
			if v > 0 {
				w.WriteByte(',')
			}
			fmt.Fprintf(w, `{"productId":"prd_%06d","variantId":"var_%06d_%d","sku":"SKU-%06d-%s","name":"Product %06d of the %s line","label":%q,"quantity":1,"price":%s}`, p, p, v, p, size, p, line(p), size, usd(1000+v))
		}
		fmt.Fprintf(w, `],"payments":[{"id":"pay_%07d","kind":"payment","methodId":"pm_%07d_a","label":"Visa ending %04d","amount":%s,"at":%d}]%s,"movements":[`,
			i, c, c%10000, usd(495+1000+1001), at, parcel)
		for v := range 2 {
			if v > 0 {
				w.WriteByte(',')
			}
			fmt.Fprintf(w, `{"id":"mov_%07d_%d","variantId":"var_%06d_%d","delta":-1,"reason":"sale","by":"owner","at":%d}`, i,
				v, p, v, at)
		}
		w.WriteString("]}")
	})
	w.WriteString("\n}\n")
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
