package audit_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/audit"
)

func TestABackupTakenWhileEverythingGoesOnCanBeRestored(t *testing.T) {
	dir := t.TempDir()
	l := open(t, filepath.Join(dir, "log.db"), options())
	var all sync.WaitGroup
	stop := make(chan struct{})
	for w := range 4 {
		all.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				e := entry(fmt.Sprint("w", w, "-", n))
				err := do(t, l, e, fmt.Sprintf(`INSERT INTO counters VALUES (%d, 1)`, w*1_000_000+n))
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	path := filepath.Join(dir, "backup.db")
	must(t, os.WriteFile(path, []byte("an older one"), 0o644))
	var before, after int
	for range 3 {
		waitFor(t, func() bool { return count(t, l, `SELECT count(*) FROM audit_records`) > after+20 })
		before = count(t, l, `SELECT count(*) FROM audit_records`)
		written, err := l.Backup(context.Background(), path)
		must(t, err)
		after = count(t, l, `SELECT count(*) FROM audit_records`)
		v, err := audit.Inspect(context.Background(), path, options())
		must(t, err)
		if !v.OK || v.Records < int64(before) || v.Records > int64(after) || v.Records != written.Records ||
			v.Head != written.Head {
			t.Errorf("between %d and %d: %+v, said %+v", before, after, v, written)
		}
	}
	close(stop)
	all.Wait()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode: %v %v", info.Mode(), err)
	}
	restored := open(t, path, options())
	if rows, records := count(t, restored, `SELECT count(*) FROM counters`),
		count(t, restored, `SELECT count(*) FROM audit_records`); rows != records {
		t.Errorf("%d effects and %d records", rows, records)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*backup*"))
	must(t, err)
	for _, name := range left {
		if base := filepath.Base(name); !strings.HasPrefix(base, "backup.db") || strings.Contains(base, "backup.db-") &&
			!strings.Contains("backup.db-wal backup.db-shm backup.db-turn backup.db-users", base) {
			t.Errorf("left over: %s", base)
		}
	}
}

func TestABackupThatFailsLeavesTheOlderOne(t *testing.T) {
	l := newLog(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	path := filepath.Join(t.TempDir(), "backup.db")
	must(t, os.WriteFile(path, []byte("an older one"), 0o600))
	if _, err := l.Backup(ctx, path); err == nil {
		t.Error("it was cancelled")
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "an older one" {
		t.Errorf("%q %v", data, err)
	}
	if left, err := filepath.Glob(filepath.Dir(path) + "/*"); err != nil || len(left) != 1 {
		t.Errorf("left over: %v %v", left, err)
	}
	if _, err := l.Backup(context.Background(), filepath.Join(t.TempDir(), "none", "backup.db")); err == nil {
		t.Error("there is no such folder")
	}
}

func TestInspectFindsWhatCannotBeRestored(t *testing.T) {
	path, dsn := written(t, false)
	whole, err := os.ReadFile(path)
	must(t, err)
	inspect := func(o audit.Options) (audit.Verdict, error) { return audit.Inspect(context.Background(), path, o) }
	if v, err := inspect(options()); err != nil || !v.OK {
		t.Fatalf("untouched: %+v %v", v, err)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, whole) {
		t.Error("it was changed by looking")
	}
	audit.Tamper(t, dsn, `UPDATE audit_records SET person = 'u2' WHERE seq = 7`)
	if v, err := inspect(options()); err != nil || v.OK || v.FirstBad != 7 {
		t.Errorf("tampered: %+v %v", v, err)
	}
	must(t, os.WriteFile(path, whole, 0o600))
	audit.Tamper(t, dsn, `PRAGMA foreign_keys = OFF`, `INSERT INTO parts (item, no) VALUES ('nobody', 1)`)
	if _, err := inspect(options()); err == nil || !strings.Contains(err.Error(), "refer to rows") {
		t.Errorf("loose rows: %v", err)
	}
	must(t, os.WriteFile(path, whole[:len(whole)-8192], 0o600))
	if v, err := inspect(options()); err == nil && v.OK {
		t.Errorf("cut off: %+v", v)
	}
	must(t, os.WriteFile(path, whole, 0o600))
	audit.Tamper(t, dsn, `INSERT INTO audit_schema (version_id, is_applied) VALUES (99, 1)`)
	if _, err := inspect(options()); err == nil || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("newer: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); err != nil || left != nil {
		t.Errorf("left over: %v %v", left, err)
	}
	must(t, os.WriteFile(path, whole, 0o600))
	d := &drawer{}
	must(t, d.Save(audit.Head{Stream: "main", Seq: 60, Hash: strings.Repeat("00", 32)}))
	o := options()
	o.Heads = d
	if v, err := inspect(o); err != nil || v.OK || v.FirstBad != 51 || d.main().Seq != 60 {
		t.Errorf("an older copy: %+v %v, noted %+v", v, err, d.main())
	}
}
