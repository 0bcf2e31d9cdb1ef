package shop_test

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/shop"
	"github.com/google/go-cmp/cmp"
)

// downgrade makes a shop one of an earlier program: what later migrations added
// is taken away, and what they know is forgotten.
func downgrade(t *testing.T, path string, version int) {
	t.Helper()
	names, err := fs.Glob(shop.Migrations(), "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Backward(names[version:]) {
		migration, err := fs.ReadFile(shop.Migrations(), name)
		if err != nil {
			t.Fatal(err)
		}
		_, down, found := strings.Cut(string(migration), "-- +goose Down")
		if !found {
			t.Fatalf("%s has no way back", name)
		}
		edit(t, path, down)
	}
	edit(t, path, fmt.Sprintf(`DELETE FROM goose_domain WHERE version_id > %d`, version))
}

// content is every table of the domain in a file: the columns it has, and a hash
// of its rows by them. With like, only those tables and columns are looked at.
func content(t *testing.T, path string, like map[string]tableContent) map[string]tableContent {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	list := func(query string, args ...any) (all []string) {
		rows, err := db.Query(query, args...)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var one string
			if err := rows.Scan(&one); err != nil {
				t.Fatal(err)
			}
			all = append(all, one)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		return all
	}
	found := map[string]tableContent{}
	for _, name := range list(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`) {
		own, _, _ := strings.Cut(name, "_")
		if slices.Contains([]string{"audit", "agent", "goose", "sqlite", "derived"}, own) {
			continue
		}
		columns := list(`SELECT name FROM pragma_table_info(?) ORDER BY name`, name)
		if like != nil {
			if columns = like[name].columns; columns == nil {
				continue
			}
		}
		quoted := "quote(" + strings.Join(columns, ") || ',' || quote(") + ")"
		rows := list(fmt.Sprintf(`SELECT %s FROM %q ORDER BY 1`, quoted, name))
		found[name] = tableContent{columns, len(rows), fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(rows, "\n"))))}
	}
	return found
}

type tableContent struct {
	columns []string
	rows    int
	hash    string
}

// TestAShopOfEveryEarlierProgramKeepsItsData: whichever program made a shop, this
// one opens it with every row it had, its log verifies, and work goes on in it.
func TestAShopOfEveryEarlierProgramKeepsItsData(t *testing.T) {
	names, err := fs.Glob(shop.Migrations(), "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for version := 1; version < len(names); version++ {
		t.Run(names[version-1], func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "shop.db")
			copyFile(t, sampleFile, path)
			downgrade(t, path, version)
			before := content(t, path, nil)
			if before["orders"].rows < 100 || before["customers"].rows < 20 {
				t.Fatalf("there is little to keep: %v", before)
			}
			d := openDesk(t, path)
			if diff := cmp.Diff(before, content(t, path, before), cmp.AllowUnexported(tableContent{})); diff != "" {
				t.Errorf("after it was brought up to date: %s", diff)
			}
			d.derived()
			if v, err := d.log.Verify(t.Context(), nil); err != nil || !v.OK || v.Records == 0 {
				t.Errorf("the log: %+v, %v", v, err)
			}
			d.as("owner")
			d.fillAnasCart()
			d.submit("Home", "Visa ending 4242")
			d.addsUp()
			d.derived()
		})
	}
}
