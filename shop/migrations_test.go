package shop_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/shop"
)

// TestAShopOfTheFirstVersionKeepsItsPictures: the second version asks for the end of each, and adds one that was lost.
func TestAShopOfTheFirstVersionKeepsItsPictures(t *testing.T) {
	first, err := fs.ReadFile(shop.Migrations(), "00001_shop.sql")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "shop.db")
	open := func(migrations fs.FS) *audit.Log {
		t.Helper()
		log, err := audit.Open(t.Context(), path, audit.Options{Migrations: migrations})
		if err != nil {
			t.Fatal(err)
		}
		return log
	}
	if err := open(fstest.MapFS{"00001_shop.sql": {Data: first}}).Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := db.ExecContext(t.Context(), query, args...); err != nil {
			t.Fatal(err)
		}
	}
	whole := append(bytes.Repeat([]byte{7}, 9000), 0xff, 0xd9)
	cut, small, cutSmall := whole[:5000], whole[8000:], whole[8000:8500]
	exec(`INSERT INTO tax_classes (id, name, rate_ppm) VALUES ('tax', 'Tax', 0)`)
	for _, id := range []string{"whole", "cut"} {
		exec(`INSERT INTO products (id, handle, name, tax_class, published, name_fold, search_fold, created_at)
			VALUES (?1, ?1, ?1, 'tax', 1, ?1, ?1, 0)`, id)
	}
	exec(`INSERT INTO product_pictures VALUES ('whole', 'v1', ?, ?), ('cut', 'v2', ?, ?)`, whole, small, cut, cutSmall)
	exec(`INSERT INTO shop_logo VALUES ('logo', 'v3', ?)`, whole)

	log := open(shop.Migrations())
	defer log.Close()
	for query, want := range map[string][]byte{
		`SELECT jpeg FROM product_pictures WHERE product_id = 'whole' AND version = 'v1'`: whole,
		`SELECT small FROM product_pictures WHERE product_id = 'whole'`:                   small,
		`SELECT jpeg FROM product_pictures WHERE product_id = 'cut' AND version = 'v2'`:   append(bytes.Clone(cut), 0xff, 0xd9),
		`SELECT small FROM product_pictures WHERE product_id = 'cut'`:                     append(bytes.Clone(cutSmall), 0xff, 0xd9),
		`SELECT jpeg FROM shop_logo WHERE version = 'v3'`:                                 whole,
	} {
		var got []byte
		if err := db.QueryRowContext(t.Context(), query).Scan(&got); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v; want %d", query, len(got), err, len(want))
		}
	}
	if report, err := log.Verify(t.Context(), nil); err != nil || report.Schema > 0 || !strings.Contains(report.Problem, "no record") {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestAnOlderShopKnowsTheTaxOfItsDiscounts: the third version works it out from rate and tax, and reports add up discounts
// without it.
func TestAnOlderShopKnowsTheTaxOfItsDiscounts(t *testing.T) {
	older := fstest.MapFS{}
	for _, name := range []string{"00001_shop.sql", "00002_whole_pictures.sql"} {
		data, err := fs.ReadFile(shop.Migrations(), name)
		if err != nil {
			t.Fatal(err)
		}
		older[name] = &fstest.MapFile{Data: data}
	}
	path := filepath.Join(t.TempDir(), "shop.db")
	log, err := audit.Open(t.Context(), path, audit.Options{Migrations: older})
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	const order = `INSERT INTO orders (id, status, fulfilment, placed_at, placed_by, subtotal, discount, shipping, tax, total,
		tax_included, shipping_method, estimated_delivery, address_id, address_label, line1, line2, city, region, postal_code,
		country, name_fold, search_fold) VALUES ('%s', '%s', 'takeAway', 1773300000000, 'owner', %d, %d, 0, %d, %d, %d, '',
		'2026-03-12', '', '', '', '', '', '', '', '', ' ', ' ')`
	const line = `INSERT INTO order_lines (order_id, line, product_id, variant_id, sku, name, label, quantity, price, discount,
		tax, total, rate_ppm) VALUES ('%s', %d, 'p', 'v%[2]d', '', 'Thing', '', 1, %[3]d, %[4]d, %[5]d, %[3]d, %[6]d)`
	edit(t, path,
		fmt.Sprintf(order, "#W0000001", "delivered", 3200, 1600, 165, 1600, 1), // 12.00 with 20 % and 20.00 with 7 %, half off
		fmt.Sprintf(line, "#W0000001", 1, 1200, 600, 100, 200_000),
		fmt.Sprintf(line, "#W0000001", 2, 2000, 1000, 65, 70_000),
		fmt.Sprintf(order, "#W0000002", "cancelled", 1200, 600, 100, 600, 1),
		fmt.Sprintf(line, "#W0000002", 1, 1200, 600, 100, 200_000),
		fmt.Sprintf(order, "#W0000003", "delivered", 1200, 600, 120, 720, 0),
		fmt.Sprintf(line, "#W0000003", 1, 1200, 600, 120, 200_000),
		fmt.Sprintf(order, "#W0000004", "delivered", 1200, 0, 200, 1200, 1),
		fmt.Sprintf(line, "#W0000004", 1, 1200, 0, 200, 200_000))
	d := openDesk(t, path)
	d.derived()
	for query, want := range map[string]int64{
		`SELECT discount_tax FROM order_lines WHERE order_id = '#W0000001' AND line = 1`: 100,
		`SELECT discount_tax FROM order_lines WHERE order_id = '#W0000001' AND line = 2`: 66,
		`SELECT discount_tax FROM orders WHERE id = '#W0000001'`:                         166,
		`SELECT discount_tax FROM orders WHERE id = '#W0000003'`:                         0,
		`SELECT discount_tax FROM orders WHERE id = '#W0000004'`:                         0,
		`SELECT SUM(discount) FROM derived_hours`:                                        1600 - 166 + 600,
		`SELECT SUM(discount) FROM derived_groups WHERE dimension = 'taxRate'`:           1600 - 166 + 600,
	} {
		if got := d.number(query); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
}
