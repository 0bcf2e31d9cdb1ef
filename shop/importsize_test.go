package shop_test

import (
	"bufio"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// csvMegabytes is the size of the export that is imported; make soak asks for 33.
var csvMegabytes = flag.Int("csv", 6, "megabytes of the product export that is imported")

// TestAProductExportIsImportedInBoundedMemory: the plan stays in memory until it is written, because reading must not
// block other writers. The size of the file limits it.
func TestAProductExportIsImportedInBoundedMemory(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "products.csv")
	// What other tests of the package left behind is collected meanwhile: 30 MB alone, up to 37 after them.
	allowed := uint64(24<<20 + *csvMegabytes<<20*3)
	products := writeProducts(t, file, *csvMegabytes<<20)
	d := openMoved(t, dir)
	d.must("shop.setUp", `{"from":"empty"}`, nil)
	d.as("")
	for _, args := range []string{`{"file":%q,"kind":"products","dryRun":true}`, `{"file":%q,"kind":"products","currency":"USD"}`,
		`{"file":%q,"kind":"products","currency":"USD"}`} {
		began := time.Now()
		var out imported
		peak := d.peak(func() { d.must("shop.importCSV", jsonf(args, file), &out) })
		t.Logf("%d MB: %s, heap at most %d MB above what it was%s", *csvMegabytes,
			time.Since(began).Round(time.Millisecond), peak>>20, resident())
		if peak > allowed {
			t.Errorf("%d MB were kept alive, want at most %d", peak>>20, allowed>>20)
		}
		if out.ProductsCreated+out.ProductsUnchanged != products || out.Rows != 4*products {
			t.Errorf("imported: %+v", out)
		}
	}
}

// writeProducts writes an export of at least so many bytes: products of three variants and a row of an image.
func writeProducts(t *testing.T, path string, size int) (products int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	buffer := bufio.NewWriter(f)
	w := csv.NewWriter(buffer)
	at, record := map[string]int{}, make([]string, len(header))
	for i, column := range header {
		at[column] = i
	}
	write := func(cells ...string) {
		clear(record)
		for i := 0; i < len(cells); i += 2 {
			record[at[cells[i]]] = cells[i+1]
		}
		for _, cell := range record {
			size -= len(cell) + 1
		}
		if err := w.Write(record); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Write(header); err != nil {
		t.Fatal(err)
	}
	body := "<p>" + strings.Repeat("Useful in every kitchen, and easy to clean. ", 4) + "</p>"
	for ; size > 0; products++ {
		handle := fmt.Sprintf("product-%06d", products)
		for v, value := range []string{"Small", "Medium", "Large"} {
			cells := []string{"Handle", handle, "Option1 Value", value, "Variant SKU",
				fmt.Sprintf("SKU-%06d-%d", products, v), "Variant Inventory Tracker", "shopify", "Variant Inventory Qty", "5",
				"Variant Inventory Policy", "deny", "Variant Price", "12.50"}
			if v == 0 {
				cells = append(cells, "Title", fmt.Sprintf("Product %06d of the harbour line", products), "Body (HTML)", body,
					"Vendor", "Many", "Type", "Things", "Tags", "things, kitchen", "Published", "true", "Option1 Name", "Size",
					"Status", "active")
			}
			write(cells...)
		}
		write("Handle", handle, "Image Src", fmt.Sprintf("https://cdn.example.com/files/%06d.jpg?v=1", products))
	}
	w.Flush()
	if err := buffer.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return products
}
