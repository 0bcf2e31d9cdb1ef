package audit_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
)

// TestAForkHasTheRowsAndNothingElse: a fork has the rows of the domain and the empty tables. No page has data of the
// log or of a bridge.
//
// holds: A22
func TestAForkHasTheRowsAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	l := open(t, filepath.Join(dir, "log.db"), options())
	fill(t, l)
	before, err := l.StateHash(context.Background())
	must(t, err)
	path := filepath.Join(dir, "fork.db")
	must(t, l.Fork(context.Background(), path))
	f := open(t, path, options())
	after, err := f.StateHash(context.Background())
	must(t, err)
	if before != after {
		t.Errorf("the fork's state is %s, not %s", after, before)
	}
	if n := count(t, f, `SELECT count(*) FROM audit_records`); n != 0 {
		t.Errorf("%d records in the fork", n)
	}
	must(t, do(t, f, entry("first"), `INSERT INTO items (id, name, amount) VALUES ('fork', 'Fork', 4)`))
	if n := count(t, l, `SELECT count(*) FROM items WHERE id = 'fork'`); n != 0 {
		t.Error("what the fork does is in the file it is of")
	}
	raw, err := os.ReadFile(path)
	must(t, err)
	for _, word := range []string{"req_full", "Four apricots came in", "chat_1"} {
		if bytes.Contains(raw, []byte(word)) {
			t.Errorf("%q is in the fork", word)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Error(info.Mode(), err)
	}
	must(t, f.Close())

	bare := filepath.Join(dir, "bare.db")
	must(t, l.Fork(context.Background(), bare, "parts"))
	f = open(t, bare, options())
	if n := count(t, f, `SELECT count(*) FROM parts`); n != 0 {
		t.Errorf("%d rows in the table that was to be empty", n)
	}
	if err := l.Fork(context.Background(), bare); err == nil {
		t.Error("a fork replaced a file")
	}
	if _, err := audit.Inspect(context.Background(), bare, options()); err != nil {
		t.Error(err)
	}
}

// TestAForkOfALargeLogIsWhole: the pages of the log are free in the fork, and SQLite uses them again without damage.
//
// holds: A22
func TestAForkOfALargeLogIsWhole(t *testing.T) {
	dir := t.TempDir()
	l := open(t, filepath.Join(dir, "log.db"), options())
	long := strings.Repeat("of the log alone ", 400)
	for n := range 900 {
		e := entry(fmt.Sprint("long-", n))
		e.Summary = long
		must(t, do(t, l, e, fmt.Sprintf(`INSERT INTO items (id, name, amount) VALUES ('i%d', 'Item', %d)`, n, n)))
	}
	before, err := l.StateHash(context.Background())
	must(t, err)
	path := filepath.Join(dir, "fork.db")
	must(t, l.Fork(context.Background(), path))
	if raw, err := os.ReadFile(path); err != nil || bytes.Contains(raw, []byte("of the log alone")) {
		t.Error("the log is in the fork", err)
	}
	f := open(t, path, options())
	if n := count(t, f, `SELECT freelist_count FROM pragma_freelist_count`); n < 1100 {
		t.Errorf("only %d pages are free: the list of them has one page", n)
	}
	for n := range 300 {
		e := entry(fmt.Sprint("there-", n))
		e.Summary = long
		must(t, do(t, f, e, fmt.Sprintf(`DELETE FROM items WHERE id = 'i%d'`, n)))
	}
	must(t, f.Close())
	v, err := audit.Inspect(context.Background(), path, options())
	if err != nil || v.Records != 300 {
		t.Error(v, err)
	}
	if after, err := l.StateHash(context.Background()); err != nil || after != before {
		t.Error("the fork changed what it is of", err)
	}
}
