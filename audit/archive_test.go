package audit_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// openArchive opens an archive that is closed when the test ends.
func openArchive(t testing.TB, path string) *audit.Log {
	t.Helper()
	a, err := audit.OpenArchive(context.Background(), path, audit.Options{Clock: func() time.Time { return epoch }})
	must(t, err)
	t.Cleanup(func() { must(t, a.Close()) })
	return a
}

func newArchive(t testing.TB) *audit.Log {
	return openArchive(t, filepath.Join(t.TempDir(), "archive.db"))
}

// chained reads all records of a log, some at a time.
func chained(t testing.TB, l *audit.Log) (all []audit.Chained) {
	t.Helper()
	after := int64(0)
	if removed, err := l.Removal(context.Background()); err != nil {
		t.Fatal(err)
	} else {
		after = removed.UpTo
	}
	for {
		some, err := l.Chained(context.Background(), after, 3, 1<<20)
		must(t, err)
		if len(some) == 0 {
			return all
		}
		all, after = append(all, some...), some[len(some)-1].Seq
	}
}

// copied appends all records of a log to an archive.
func copied(t testing.TB, from, to *audit.Log) {
	t.Helper()
	must(t, to.Append(context.Background(), chained(t, from)))
}

// holds: N7
func TestN7AnArchiveHasTheRecordsOfALogByteForByte(t *testing.T) {
	l, a := newLog(t), newArchive(t)
	must(t, do(t, l, full(), `INSERT INTO counters VALUES (1, 1)`))
	fill(t, l)
	copied(t, l, a)
	copied(t, l, a) // again
	if diff := cmp.Diff(chained(t, l), chained(t, a)); diff != "" {
		t.Errorf("(-log +archive):\n%s", diff)
	}
	want, got := check(t, l), check(t, a)
	want.Reads, want.ReadsHead = 0, ""
	if diff := cmp.Diff(want, got); diff != "" || !got.OK || got.Erased == 0 {
		t.Errorf("verdict %+v (-log +archive):\n%s", got, diff)
	}
	for _, q := range []audit.Query{{}, {Text: "apricots"}, {Subject: "a"}, {Capability: "item.add", Status: "error"}} {
		there, err := l.Search(context.Background(), q)
		must(t, err)
		here, err := a.Search(context.Background(), q)
		must(t, err)
		if diff := cmp.Diff(there, here); diff != "" || len(here.Records) == 0 {
			t.Errorf("%+v (-log +archive):\n%s", q, diff)
		}
	}
}

// mismatched is the error of an archive that refuses records.
func mismatched(t *testing.T, a *audit.Log, records ...audit.Chained) audit.Mismatch {
	t.Helper()
	var bad *audit.Mismatch
	if err := a.Append(context.Background(), records); !errors.As(err, &bad) {
		t.Fatalf("it was taken: %v", err)
	}
	return *bad
}

// holds: N7
func TestN7AnArchiveRefusesWhatDoesNotContinueItsChain(t *testing.T) {
	l, other := newLog(t), newLog(t)
	for n := range 8 {
		must(t, l.Record(context.Background(), entry(fmt.Sprint("r", n))))
		must(t, other.Record(context.Background(), entry(fmt.Sprint("o", n))))
	}
	good, forked := chained(t, l), chained(t, other)
	hashed := func(change func(r *audit.Chained)) audit.Chained { // rewritten with a hash that fits
		r := good[2]
		change(&r)
		sum := r.Header.Hash("main", r.Prev)
		r.Hash = sum[:]
		return r
	}
	for name, tt := range map[string]struct {
		r     audit.Chained
		kind  audit.MismatchKind
		seq   int64
		words string
	}{
		"another person": {func() audit.Chained { r := good[5]; r.Person = "u2"; return r }(), "altered", 6,
			"Record 6 is not as it was written."},
		"another payload": {func() audit.Chained { r := good[5]; r.Body = []byte(`{}`); return r }(), "altered", 6,
			"The payload of record 6 is not as it was written."},
		"one is missing": {good[6], "gap", 7, "The records 6 to 6 are missing before record 7."},
		"of another log": {forked[5], "fork", 6, "Record 6 does not follow the record 5 that the archive has."},
		"rewritten": {hashed(func(r *audit.Chained) { r.Person = "u2" }), "rewritten", 3,
			"Record 3 is another one than the archive has"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newArchive(t)
			bad := mismatched(t, a, append(slices.Clone(good[:5]), tt.r, good[5])...)
			if bad.Kind != tt.kind || bad.Seq != tt.seq || !strings.Contains(bad.Problem, tt.words) {
				t.Errorf("%+v", bad)
			}
			if v := check(t, a); !v.OK || v.Records != 5 {
				t.Errorf("what came before: %+v", v)
			}
			must(t, a.Append(context.Background(), good))
			if v := check(t, a); !v.OK || v.Records != 8 {
				t.Errorf("what came after: %+v", v)
			}
		})
	}
}

// holds: N7
func TestN7ErasureReachesAnArchive(t *testing.T) {
	b, l, _ := newClients(t)
	a := newArchive(t)
	save(t, b, "r1", clientInput{ID: "c_1", Name: "Zofia", Mail: "zofia.w@example.org"})
	save(t, b, "r2", clientInput{ID: "c_2", Name: "Other", Mail: "other@example.org"})
	copied(t, l, a)
	if page, err := a.Search(context.Background(), audit.Query{Text: "zofia"}); err != nil || len(page.Records) != 1 {
		t.Fatalf("before: %+v %v", page, err)
	}
	ok(t, call(b, "erase 1", "client.erase", `{"id":"c_1"}`))
	later := newArchive(t)
	copied(t, l, a)
	copied(t, l, later)
	for name, a := range map[string]*audit.Log{"had it": a, "never had it": later} {
		if diff := cmp.Diff(chained(t, l), chained(t, a)); diff != "" {
			t.Errorf("%s (-log +archive):\n%s", name, diff)
		}
		want, got := check(t, l), check(t, a)
		want.Reads, want.ReadsHead = 0, ""
		if diff := cmp.Diff(want, got); diff != "" || got.Erased == 0 {
			t.Errorf("%s: verdict (-log +archive):\n%s", name, diff)
		}
		waitFor(t, func() bool {
			page, err := a.Search(context.Background(), audit.Query{Text: "zofia"})
			return err == nil && len(page.Records) == 0
		})
	}
	// The archive reports a missing payload that no request erased.
	gone := newArchive(t)
	records := chained(t, l)
	records[1].Salt, records[1].Body = nil, nil
	must(t, gone.Append(context.Background(), records))
	if v := check(t, gone); v.OK || v.FirstBad != 2 {
		t.Errorf("verdict: %+v", v)
	}
}

func TestOnlyAnArchiveTakesRecordsAndNothingElse(t *testing.T) {
	l := newLog(t)
	must(t, do(t, l, entry("r"), `INSERT INTO counters VALUES (1, 1)`))
	if err := l.Append(context.Background(), chained(t, l)); err == nil || l.Archive() {
		t.Error("a program's log was appended to")
	}
	path := filepath.Join(t.TempDir(), "log.db")
	must(t, open(t, path, options()).Close())
	bare := open(t, filepath.Join(t.TempDir(), "bare.db"), audit.Options{})
	must(t, bare.Record(context.Background(), entry("r")))
	for name, path := range map[string]string{"in use": audit.Path(l), "with tables": path, "without": audit.Path(bare)} {
		if _, err := audit.OpenArchive(context.Background(), path, audit.Options{}); err == nil ||
			!strings.Contains(err.Error(), "is the log of a program, not an archive") {
			t.Errorf("%s: opened as an archive: %v", name, err)
		}
	}
	path = filepath.Join(t.TempDir(), "archive.db")
	a := openArchive(t, path)
	copied(t, l, a)
	must(t, a.Close())
	a = open(t, path, audit.Options{Clock: func() time.Time { return epoch }}) // as any log
	if !a.Archive() {
		t.Error("it is no archive any more")
	}
	step := entry("mail")
	for name, err := range map[string]error{
		"do":     a.Do(context.Background(), entry("do"), func(context.Context, bus.Exec) error { return nil }),
		"try":    a.DryRun(context.Background(), entry("try"), func(context.Context, bus.Exec) error { return nil }),
		"record": a.Record(context.Background(), entry("record")),
		"begin":  a.Begin(context.Background(), step),
		"finish": a.Finish(context.Background(), step),
	} {
		if coded(err) != bus.PreconditionFailed {
			t.Errorf("%s: %v", name, err)
		}
	}
	looked := entry("looked")
	looked.Read, looked.SideEffect = true, bus.Pure
	must(t, a.Record(context.Background(), looked))
	if v := check(t, a); !v.OK || v.Records != 1 || v.Reads != 1 {
		t.Errorf("verdict: %+v", v)
	}
	// The file is no copy of a database.
	backup := filepath.Join(t.TempDir(), "copy.db")
	_, err := a.Backup(context.Background(), backup)
	must(t, err)
	if _, err := restore(l, "restore", backup, filepath.Join(t.TempDir(), "aside.db")); err == nil ||
		!strings.Contains(err.Error(), "copy.db is an archive of a log") {
		t.Errorf("restored: %v", err)
	}
}

// holds: N7
func TestN7WhatIsNotPublishedIsNotPurged(t *testing.T) {
	o := options()
	o.Segment = 10
	path := filepath.Join(t.TempDir(), "log.db")
	l := open(t, path, o)
	publisher := open(t, path, o) // of another program
	for n := range 25 {
		must(t, l.Record(context.Background(), entry(fmt.Sprint("r", n))))
	}
	remove := func(request string) (done audit.Purged, err error) {
		var refused error
		err = l.Do(context.Background(), entry(request), func(ctx context.Context, _ bus.Exec) error {
			done, refused = l.Purge(ctx, audit.Purge{Before: epoch.Add(time.Hour)})
			return refused
		})
		return done, errors.Join(refused, err)
	}
	all := chained(t, l)
	head := func(n int) audit.Head { return audit.Head{Seq: all[n-1].Seq, Hash: fmt.Sprintf("%x", all[n-1].Hash)} }
	for name, h := range map[string]audit.Head{"unknown": {}, "too early": head(19),
		"of another log": {Seq: 25, Hash: head(24).Hash}} {
		must(t, publisher.NotePublished(h))
		if done, err := remove(name); coded(err) != bus.PreconditionFailed || done.Records != 0 {
			t.Errorf("%s: %+v %v", name, done, err)
		}
	}
	must(t, os.WriteFile(path+"-published", []byte("{"), 0o600))
	if _, err := remove("not whole"); coded(err) != bus.PreconditionFailed {
		t.Error(err)
	}
	must(t, publisher.NotePublished(head(20)))
	if done, err := remove("published"); err != nil || done.UpTo != 20 {
		t.Errorf("%+v %v", done, err)
	}
	// An archive that starts now has only the records of the log.
	a := newArchive(t)
	removed, err := l.Removal(context.Background())
	must(t, err)
	must(t, a.AppendAfter(context.Background(), removed, chained(t, l)))
	if diff := cmp.Diff(chained(t, l), chained(t, a)); diff != "" {
		t.Errorf("(-log +archive):\n%s", diff)
	}
	if v := check(t, a); !v.OK || len(v.Removals) != 1 || v.Removals[0] != removed {
		t.Errorf("verdict: %+v", v)
	}
	if bad := mismatched(t, a, all[19]); bad.Kind != audit.MismatchRewritten {
		t.Errorf("a record before it: %+v", bad)
	}
}

// holds: N7
func TestN7ARestoreNamesBothHeads(t *testing.T) {
	l, dir, at := backedUp(t, options())
	was, err := l.LastHead(context.Background())
	must(t, err)
	_, err = restore(l, "restore", filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside.db"))
	must(t, err)
	var found int
	for _, r := range chained(t, l) {
		before, after, is := r.Restored()
		if !is {
			continue
		}
		found++
		if r.RequestID != "restore" || before.Seq != was.Seq || before.Hash != was.Hash || after.Seq != at.Records ||
			after.Hash != at.Head {
			t.Errorf("record %d: %+v %+v", r.Seq, before, after)
		}
		if hash, err := l.HashOf(context.Background(), after.Seq); err != nil || fmt.Sprintf("%x", hash) != after.Hash {
			t.Errorf("%x %v", hash, err)
		}
	}
	if found != 1 {
		t.Errorf("%d records say so", found)
	}
	if hash, err := l.HashOf(context.Background(), 1000); hash != nil || err != nil {
		t.Errorf("a record that is not there: %x %v", hash, err)
	}
}
