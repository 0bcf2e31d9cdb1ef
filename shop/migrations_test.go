package shop_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"io/fs"
	"maps"
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
	path := olderShop(t, 2)
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

// olderShop is the file of a shop that only the first migrations were applied to.
func olderShop(t *testing.T, migrations int) string {
	t.Helper()
	names, err := fs.Glob(shop.Migrations(), "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	older := fstest.MapFS{}
	for _, name := range names[:migrations] {
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
	return path
}

// TestAnOlderShopKeepsWhatWasPaidByItsMethods: the sixth version has a row for transfers, and those there are stay.
func TestAnOlderShopKeepsWhatWasPaidByItsMethods(t *testing.T) {
	path := olderShop(t, 5)
	edit(t, path, `INSERT INTO orders (id, status, fulfilment, placed_at, placed_by, subtotal, discount, shipping, tax, total,
			tax_included, shipping_method, estimated_delivery, address_id, address_label, line1, line2, city, region, postal_code,
			country, name_fold, search_fold) VALUES ('#W0000001', 'delivered', 'takeAway', 1773300000000, 'owner', 600, 0, 0, 0,
			600, 0, '', '2026-03-12', '', '', '', '', '', '', '', '', ' ', ' ')`,
		`INSERT INTO payments (id, order_id, kind, method_id, label, amount, at) VALUES
			('p1', '#W0000001', 'payment', 'cash', 'Cash', 300, 1773300000000),
			('p2', '#W0000001', 'payment', 'pm1', 'Visa ending 4242', 200, 1773300000000),
			('p3', '#W0000001', 'payment', 'other', 'Other', 100, 1773300000000)`)
	d := openDesk(t, path)
	edit(t, path, `INSERT INTO payments (id, order_id, kind, method_id, label, amount, at) VALUES
		('p4', '#W0000001', 'payment', 'transfer', 'Bank transfer', 50, 1773300000000)`)
	d.derived()
	want := map[string]int64{"cash": 300, "card": 200, "other": 100, "transfer": 50}
	if got := d.sums(`SELECT method, SUM(paid) FROM derived_payments GROUP BY 1`); !maps.Equal(got, want) {
		t.Errorf("paid %v, want %v", got, want)
	}
}

// TestAnOlderShopHasShippingWithoutTax: the ninth version changes no total, and knows the smallest coin of the country.
func TestAnOlderShopHasShippingWithoutTax(t *testing.T) {
	path := olderShop(t, 7)
	edit(t, path, `INSERT INTO shop (id, name, currency, time_zone, prices_include_tax, discount_limit, refund_limit, set_up_at,
			country) VALUES ('shop', 'Old', 'CHF', 'Europe/Zurich', 1, 10, 100, 1, 'CH')`,
		`INSERT INTO shipping_methods (id, name, price, days, position) VALUES ('post', 'Post', 500, 2, 0)`,
		`INSERT INTO customers (id, name, name_fold, search_fold, created_at) VALUES ('c', 'C', ' c ', ' c ', 1)`,
		`INSERT INTO orders (id, customer_id, status, placed_at, placed_by, subtotal, discount, shipping, tax, total,
			tax_included, shipping_method, estimated_delivery, address_id, address_label, line1, line2, city, region, postal_code,
			country, name_fold, search_fold) VALUES ('#W0000001', 'c', 'pending', 1773300000000, 'owner', 1081, 0, 500, 81,
			1581, 1, 'Post', '2026-03-12', '', '', '', '', '', '', '', '', ' ', ' ')`,
		`INSERT INTO order_lines (order_id, line, product_id, variant_id, sku, name, label, quantity, price, discount, tax,
			total, rate_ppm) VALUES ('#W0000001', 1, 'p', 'v', '', 'Thing', '', 1, 1081, 0, 81, 1081, 81000)`,
		`INSERT INTO payments (id, order_id, kind, method_id, label, amount, at) VALUES
			('p1', '#W0000001', 'payment', 'cash', 'Cash', 1581, 1773300000000)`)
	d := openDesk(t, path)
	d.derived()
	for query, want := range map[string]int64{
		`SELECT COUNT(*) FROM shipping_methods WHERE tax_class = 'none'`:                         1,
		`SELECT total FROM orders WHERE shipping_tax = 0`:                                        1581,
		`SELECT amount FROM payments WHERE rounding = 0`:                                         1581,
		`SELECT cash_step FROM shop`:                                                             5,
		`SELECT total FROM derived_groups WHERE dimension = 'taxRate' AND value = '81000'`:       1081,
		`SELECT shipping FROM derived_groups WHERE dimension = 'taxRate' AND value = 'shipping'`: 500,
	} {
		if got := d.number(query); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
}

// TestAnOlderShopHasAnEmptyBook: the seventh version stores receipts from then on, and no statement can change one.
func TestAnOlderShopHasAnEmptyBook(t *testing.T) {
	path := olderShop(t, 6)
	edit(t, path, `INSERT INTO orders (id, status, fulfilment, placed_at, placed_by, subtotal, discount, shipping, tax, total,
			tax_included, shipping_method, estimated_delivery, address_id, address_label, line1, line2, city, region, postal_code,
			country, name_fold, search_fold) VALUES ('#W0000001', 'delivered', 'takeAway', 1773300000000, 'owner', 600, 0, 0, 0,
			600, 0, '', '2026-03-12', '', '', '', '', '', '', '', '', ' ', ' ')`)
	d := openDesk(t, path)
	d.derived()
	if n := d.number(`SELECT COUNT(*) FROM receipts`); n != 0 {
		t.Errorf("%d receipts of orders from before", n)
	}
	edit(t, path, `INSERT INTO receipts VALUES ('2026-000001', 2026, 1, 0, '#W0000002', '', 'Main', 'owner', 1, 1, 5, 0, 0, 5, 0, 'sale')`,
		`INSERT INTO receipt_lines VALUES ('2026-000001', 1, 'l', 'v', '', 'Mug', '', 1, 5, 0, 5, 0, 0, 0)`,
		`INSERT INTO receipt_rates VALUES ('2026-000001', 0, 5, 0)`,
		`INSERT INTO receipt_payments VALUES ('2026-000001', 1, 'pm1', 'card', 'Visa ending 4242', 5, 0)`,
		`UPDATE receipt_payments SET label = 'Erased', method_id = 'erased'`)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, change := range []string{`UPDATE receipts SET total = 4`, `UPDATE receipt_lines SET tax = 1`,
		`UPDATE receipt_rates SET net = 4`,
		`UPDATE receipt_payments SET amount = 4`, `UPDATE receipt_payments SET kind = 'cash'`,
		`UPDATE receipt_payments SET label = 'Cash'`} {
		if _, err := db.ExecContext(t.Context(), change); err == nil || !strings.Contains(err.Error(), "a receipt is not") {
			t.Errorf("%s: %v", change, err)
		}
	}
}
