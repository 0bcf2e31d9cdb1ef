package audit_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/internal/tiles"
)

// hashes has the hashes of the records that a test has seen. The test computes the tree from them, without the log.
type hashes struct {
	records int64
	stored  []tlog.Hash
}

// follow adds the records that were written since.
func (h *hashes) follow(t testing.TB, l *audit.Log) {
	t.Helper()
	for {
		page, err := l.Chained(t.Context(), h.records, 1000, 1<<30)
		must(t, err)
		if len(page) == 0 {
			return
		}
		for _, r := range page {
			more, err := tlog.StoredHashes(h.records, r.Hash, tlog.HashReaderFunc(h.read))
			must(t, err)
			h.stored = append(h.stored, more...)
			h.records++
		}
	}
}

func (h *hashes) read(indexes []int64) (out []tlog.Hash, _ error) {
	for _, i := range indexes {
		out = append(out, h.stored[i])
	}
	return out, nil
}

// compare compares the root after a record with the log's.
func (h *hashes) compare(t testing.TB, l *audit.Log, seq int64) {
	t.Helper()
	want, err := tlog.TreeHash(seq, tlog.HashReaderFunc(h.read))
	must(t, err)
	if got, after := audit.TreeRoot(t, l, seq); !bytes.Equal(got, want[:]) || after != 0 {
		t.Errorf("the root after record %d of %d differs; the tree begins after %d", seq, h.records, after)
	}
}

// write records n invocations, some of which share a commit.
func write(t testing.TB, l *audit.Log, from, n int) {
	t.Helper()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			if err := l.Record(context.Background(), at(fmt.Sprint("w", from+i), from+i)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// TestTheTreeIsThatOfAllRecordsEverWritten: two programs write commits of any size, with removals, restores of older
// copies and restarts between them. Every earlier root can still be computed.
func TestTheTreeIsThatOfAllRecordsEverWritten(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(3, seed))
		o := options()
		o.Segment = 7
		path := filepath.Join(t.TempDir(), "log.db")
		l, known, removals, copied := open(t, path, o), &hashes{}, 0, int64(0)
		for step := range 40 {
			switch r.IntN(6) {
			case 0:
				other, err := audit.Open(t.Context(), path, o)
				must(t, err)
				write(t, other, int(known.records), 1+r.IntN(30))
				known.follow(t, l)
				must(t, other.Close())
			case 1:
				must(t, l.Close())
				l = open(t, path, o)
			case 2:
				p := audit.Purge{Before: epoch.Add(time.Hour * 24 * 365), Segments: r.IntN(30) + 1}
				purge(t, l, fmt.Sprint("purge", step), p)
				known.follow(t, l)
				removals++
			default:
				write(t, l, int(known.records), 1+r.IntN(150))
				known.follow(t, l)
			}
			if copied == 0 && known.records > 300 {
				_, err := l.Backup(t.Context(), path+"-copy")
				must(t, err)
				copied = known.records
			}
			if v := check(t, l); !v.OK && known.records > 0 {
				t.Fatalf("seed %d, step %d: %+v", seed, step, v)
			}
			for range 3 {
				if known.records > 0 {
					known.compare(t, l, 1+r.Int64N(known.records))
				}
			}
		}
		if known.records < 1000 || removals == 0 || copied == 0 {
			t.Errorf("seed %d tried little: %d records, %d removals", seed, known.records, removals)
		}
		_, err := restore(l, "restore", path+"-copy", path+"-aside")
		must(t, err)
		if v := check(t, l); !v.OK || v.Records != copied+1 {
			t.Fatalf("%+v", v)
		}
		known.compare(t, l, copied)
		write(t, l, 0, 300)
		if v := check(t, l); !v.OK {
			t.Fatalf("%+v", v)
		}
		must(t, l.Close())
	}
}

// TestALogWithoutATreeGetsItWhenItIsOpened: Open builds the missing tree, and continues where an earlier Open stopped.
func TestALogWithoutATreeGetsItWhenItIsOpened(t *testing.T) {
	path, o := filepath.Join(t.TempDir(), "log.db"), options()
	l := open(t, path, o)
	audit.KeepTree(t, l, false)
	write(t, l, 0, 20_000)
	known := &hashes{}
	known.follow(t, l)
	must(t, l.Close())
	var told []int64
	o.Progress = func(done, total int64) {
		if told = append(told, done); total != 19_968 {
			t.Errorf("%d of %d", done, total)
		}
	}
	for _, left := range []string{"0", "3"} {
		audit.Tamper(t, audit.DSN(l), `DELETE FROM audit_tiles WHERE level = 0 AND tile >= `+left,
			`DELETE FROM audit_tiles WHERE level > 0 AND `+left+` = 0`)
		told = nil
		l = open(t, path, o)
		if v := check(t, l); !v.OK || len(told) != 2 || told[1] != 19_968 {
			t.Fatalf("from %s: %+v %d", left, v, told)
		}
		known.compare(t, l, 20_000)
		known.compare(t, l, 777)
		must(t, l.Close())
	}
	told = nil
	l = open(t, path, o)
	must(t, l.Close())
	if told != nil {
		t.Errorf("done again: %d", told)
	}
}

// stored reads a tile.
func stored(t testing.TB, path string, level, n int) (hashes []byte) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	must(t, err)
	defer db.Close()
	must(t, db.QueryRow("SELECT hashes FROM audit_tiles WHERE level = ? AND tile = ?", level, n).Scan(&hashes))
	return hashes
}

// TestEachTileIsChecked: verify finds a tile of any level that is changed, missing, too short, moved or added.
func TestEachTileIsChecked(t *testing.T) {
	o := options()
	o.Segment = 100
	path := filepath.Join(t.TempDir(), "log.db")
	l := open(t, path, o)
	write(t, l, 0, 1000)
	purge(t, l, "purge", audit.Purge{Before: epoch.Add(time.Hour * 24 * 365), Segments: 4})
	must(t, l.Close())
	file, err := os.ReadFile(path)
	must(t, err)
	turned := `UPDATE audit_tiles SET hashes = unhex(substr(hex(hashes), 1, 2 * %d) || CASE substr(hex(hashes),
		2 * %[1]d + 1, 2) WHEN 'FF' THEN '00' ELSE 'FF' END || substr(hex(hashes), 2 * %[1]d + 3))
		WHERE level = %d AND tile = %d`
	// A tile with another leaf than the record, whose upper levels match the wrong leaf.
	forged, above := slices.Clone(stored(t, path, 0, 2)), stored(t, path, 1, 0)
	forged[8191] ^= 1
	root := tiles.Root(forged)
	whole := fmt.Sprintf(`UPDATE audit_tiles SET hashes = CASE level WHEN 0 THEN x'%x' ELSE x'%x%x' END
		WHERE level = 1 OR tile = 2`, forged, above[:64], root[:])
	for _, statement := range []string{whole,
		fmt.Sprintf(turned, 5, 0, 0), fmt.Sprintf(turned, 8191, 0, 2), fmt.Sprintf(turned, 40, 1, 0),
		fmt.Sprintf(turned, 95, 1, 0),
		`DELETE FROM audit_tiles WHERE tile = 1 AND level = 0`, `DELETE FROM audit_tiles WHERE level = 1`,
		`UPDATE audit_tiles SET hashes = unhex(substr(hex(hashes), 1, 128)) WHERE level = 1`,
		`UPDATE audit_tiles SET hashes = unhex(substr(hex(hashes), 65) || substr(hex(hashes), 1, 64)) WHERE level = 1`,
		`INSERT INTO audit_tiles VALUES (2, 0, zeroblob(32))`, `INSERT INTO audit_tiles VALUES (1, 1, zeroblob(32))`,
		`INSERT INTO audit_tiles VALUES (0, 3, zeroblob(32))`, `INSERT INTO audit_tiles VALUES (-1, 0, x'')`,
		`INSERT INTO audit_tiles VALUES (2, 0, x'')`,
		`UPDATE audit_heads SET tree = 400 WHERE stream = 'main'`, `UPDATE audit_heads SET tree = 1 WHERE stream = 'main'`,
	} {
		path := onDisk(t, file)
		must(t, change(path, []string{statement}))
		l := open(t, path, o)
		if v := check(t, l); v.OK || !strings.Contains(v.Problem, "The tree of the log") {
			t.Errorf("%s: %+v", statement, v)
		}
		must(t, l.Close())
	}
}
