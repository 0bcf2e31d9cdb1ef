package shop_test

import (
	"bytes"
	"database/sql"
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
