package audit_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// flicker is a context that has ended at the nth call of Done or Err only. So one query fails, and later ones do not.
type flicker struct {
	context.Context
	left atomic.Int64
}

var closed = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

var never = make(chan struct{})

func (f *flicker) Done() <-chan struct{} {
	if onlyWaits() || f.left.Add(-1) != 0 {
		return never
	}
	if !byProgram() {
		f.left.Add(-1) // the program need not hear of it
	}
	return closed
}

// Err reports the end to the code of this program at the nth call only. A library that runs a query may ask again later
// and gets the same error.
func (f *flicker) Err() error {
	if !byProgram() {
		if f.left.Load() > 0 {
			return nil
		}
		return context.Canceled
	}
	switch f.left.Add(-1) {
	case 0:
		f.left.Add(-1)
	case -1: // Done already reported the end
	default:
		return nil
	}
	return context.Canceled
}

// byProgram reports whether the caller is code of this program, and not a library.
func byProgram() bool {
	var calls [4]uintptr
	frames := runtime.CallersFrames(calls[:runtime.Callers(3, calls[:])])
	caller, _ := frames.Next()
	if strings.HasPrefix(caller.Function, "context.") { // it was given on with a value
		caller, _ = frames.Next()
	}
	return strings.HasPrefix(caller.Function, "github.com/deskhand/")
}

// onlyWaits reports whether the caller is a goroutine that only waits for the end. The moment of its call is random, so
// it must not count.
func onlyWaits() bool {
	var calls [8]uintptr
	return runtime.Callers(0, calls[:]) < 7 // onlyWaits, its two callers, the waiter, and the goroutine's start
}

// atEachLook calls do with a context that fails at the first call of Done or Err, then at the second, and so on, until
// do makes fewer calls.
func atEachLook(t *testing.T, do func(ctx context.Context) error) {
	t.Helper()
	for n := int64(1); n < 5000; n++ {
		f := &flicker{Context: context.Background()}
		f.left.Store(n)
		if err := do(f); err == nil && f.left.Load() > 0 {
			return
		}
	}
	t.Fatal("it never comes to its end")
}

// manyFaced returns a log with every part that a verification reports: noted heads, erasures and removals in both
// streams.
func manyFaced(t *testing.T) (*audit.Log, *drawer) {
	t.Helper()
	d := &drawer{}
	o := d.options()
	o.Segment = 10
	l := open(t, filepath.Join(t.TempDir(), "log.db"), o)
	for i := range 45 {
		for _, read := range []bool{false, true} {
			e := entry(fmt.Sprint("r", i, read))
			e.Started, e.Read = epoch.Add(time.Duration(i)*time.Minute), read
			switch i {
			case 0: // the hour 0
				e.Started = time.UnixMilli(5)
			case 4, 5, 34, 35: // late
				e.Started, e.Invocation.Caller.Type = epoch.Add(-5*time.Hour), bus.CallerAgent
				e.Decision = &bus.Decision{Rule: bus.RuleConfirm, Answer: "allow", Asked: 1200 * time.Millisecond}
			case 30:
				e.Steps = []string{"item.add", "item.pack", "item.add"}
			}
			if i%15 == 14 {
				e.Invocation.Arguments = json.RawMessage(fmt.Sprintf(`{"name":"Zofia%d"}`, i%2))
			}
			must(t, l.Record(t.Context(), e))
		}
	}
	for i := range 2 {
		must(t, l.Do(t.Context(), entry(fmt.Sprint("erase", i)), func(ctx context.Context, _ bus.Exec) error {
			_, err := l.Erase(ctx, fmt.Sprint("Zofia", i))
			return err
		}))
	}
	for _, reads := range []bool{false, true} {
		p := audit.Purge{Before: epoch.Add(time.Hour), Segments: 2, Reads: reads}
		if got := purge(t, l, fmt.Sprint("purge", reads), p); got.Segments != 2 {
			t.Fatalf("%+v", got)
		}
	}
	must(t, l.NoteHeads(t.Context()))
	v := check(t, l)
	want := audit.Verdict{OK: true, Records: 49, Head: v.Head, Reads: 45, ReadsHead: v.ReadsHead, Noted: 2, Erased: 4,
		Erasures: []audit.Erasure{{RequestID: "erase1", Records: 2}, {RequestID: "erase0", Records: 2}},
		Removals: []audit.Removal{{UpTo: 20, Time: epoch.UnixMilli(), RequestID: "purgefalse"},
			{Segment: "reads", UpTo: 20, Time: epoch.UnixMilli(), RequestID: "purgetrue"}}}
	if diff := cmp.Diff(want, v); diff != "" || len(v.Head) != 64 || len(v.ReadsHead) != 64 {
		t.Fatal(diff)
	}
	return l, d
}

// TestU4AVerificationOfWhichOneQueryFailsIsNoVerdict: if any single query of a verification fails, the result is an
// error or the complete verdict, never an incomplete one.
func TestU4AVerificationOfWhichOneQueryFailsIsNoVerdict(t *testing.T) {
	for name, tt := range map[string]struct {
		spoil string
		noted audit.Head
		says  string
	}{
		"statistics lie": {spoil: `DELETE FROM audit_durations`, says: "figures of the statistics"},
		"another head was noted": {noted: audit.Head{Stream: "reads", Seq: 30, Hash: strings.Repeat("00", 32)},
			says: "Record 30 is not the one that was noted"},
		"a later head was noted": {noted: audit.Head{Stream: "main", Seq: 300, Hash: strings.Repeat("00", 32)},
			says: "it had a record 300"},
		"a payload is gone": {spoil: `DELETE FROM audit_read_payloads WHERE seq = 40`, says: "nobody asked"},
		"an erasure nobody asked for": {spoil: `DELETE FROM audit_payloads WHERE seq = 40;
			INSERT INTO audit_erasures VALUES ('main', 40, 'r1false')`, says: "no request r1false that erased it"},
		"a removal nobody asked for": {spoil: `UPDATE audit_checkpoints SET request_id = 'r1false' WHERE stream = 'main'`,
			says: "no request r1false that removed"},
		"another capability": {spoil: `UPDATE audit_capabilities SET name = 'x' || name`, says: "not as it was written"},
	} {
		t.Run(name, func(t *testing.T) {
			l, d := manyFaced(t)
			if tt.spoil != "" {
				audit.Execute(t, l, strings.Split(tt.spoil, ";")...)
			}
			if tt.noted.Seq != 0 {
				must(t, d.Save(tt.noted))
			}
			head := check(t, l).Head
			whole, err := l.Verify(t.Context(), nil, head)
			must(t, err)
			if whole.OK || !strings.Contains(whole.Problem, tt.says) || whole.Noted != 3 {
				t.Fatalf("%+v", whole)
			}
			atEachLook(t, func(ctx context.Context) error {
				v, err := l.Verify(ctx, nil, head)
				if err == nil {
					if diff := cmp.Diff(whole, v); diff != "" {
						t.Error(diff)
					}
				}
				return err
			})
		})
	}
}

// TestU4OneQueryFailsOfALogThatIsWhole: the log has all records from the first, so a verdict after a failed query must
// not report a removal.
func TestU4OneQueryFailsOfALogThatIsWhole(t *testing.T) {
	l, whole := withHeads(t)
	atEachLook(t, func(ctx context.Context) error {
		v, err := l.Verify(ctx, nil)
		if diff := cmp.Diff(whole, v); err == nil && diff != "" {
			t.Error(diff)
		}
		return err
	})
}

// TestU4NoHeadIsLeftOutThatCouldNotBeRead: NoteHeads returns an error if it cannot read one of the heads.
func TestU4NoHeadIsLeftOutThatCouldNotBeRead(t *testing.T) {
	l, d := manyFaced(t)
	atEachLook(t, func(ctx context.Context) error {
		before := d.count()
		err := l.NoteHeads(ctx)
		if n := d.count() - before; n != 2 && err == nil {
			t.Errorf("%d of 2 heads are noted", n)
		}
		return err
	})
	d.err = errors.New("the keychain is locked")
	if err := l.NoteHeads(t.Context()); !errors.Is(err, d.err) {
		t.Error(err)
	}
	d.err = nil
	must(t, l.Close())
	if err := l.NoteHeads(t.Context()); err == nil {
		t.Error("the heads of a closed log are noted")
	}
}

func TestU4ANotedEndBehindTheRemovedRecordsIsFound(t *testing.T) {
	l, _ := manyFaced(t)
	audit.Execute(t, l, `UPDATE audit_heads SET seq = 10`, `DELETE FROM audit_records`, `DELETE FROM audit_payloads`)
	if v := check(t, l); v.OK || v.FirstBad != 21 || v.Records != 20 ||
		v.Problem != "The log noted 10 records, but 20 were removed from its beginning." {
		t.Errorf("%+v", v)
	}
}

// TestU4APurgeDuringAVerificationIsNoAlarm removes a segment of the reads while a verification runs.
func TestU4APurgeDuringAVerificationIsNoAlarm(t *testing.T) {
	o := options()
	o.Segment = 5
	l := open(t, filepath.Join(t.TempDir(), "log.db"), o)
	read := entry("read")
	read.Read = true
	for range 400 {
		must(t, l.Record(t.Context(), read))
	}
	must(t, l.Record(t.Context(), entry("r")))
	if v := check(t, l); !v.OK || v.Reads != 400 {
		t.Fatalf("%+v", v)
	}
	purged := 0
	atEachLook(t, func(ctx context.Context) error {
		first := true
		v, err := l.Verify(ctx, func(int64, int64) {
			if first {
				first = false
				purged += purge(t, l, "p", audit.Purge{Before: epoch.Add(time.Hour), Segments: 1, Reads: true}).Segments
			}
		})
		if err == nil && (!v.OK || len(v.Removals) != 1 || v.Removals[0].UpTo != int64(5*purged)) {
			t.Errorf("after %d segments: %+v", purged, v)
		}
		return err
	})
	if purged < 40 {
		t.Errorf("%d of 80 segments were removed", purged)
	}
}

// TestU4AColumnThatIsGoneIsNoVerdict: verify returns an error where it cannot read a column.
func TestU4AColumnThatIsGoneIsNoVerdict(t *testing.T) {
	l, _ := manyFaced(t)
	for _, broken := range []string{"audit_heads.hash", "audit_heads.counted", "audit_checkpoints.hash",
		"audit_checkpoints.time", "audit_erasures.seq", "audit_erasures.request_id", "audit_records.detail",
		"audit_reads.detail", "audit_payloads.salt", "audit_capabilities.name", "audit_counts.calls", "audit_late.seq"} {
		table, column, _ := strings.Cut(broken, ".")
		audit.Execute(t, l, "ALTER TABLE "+table+" RENAME COLUMN "+column+" TO x")
		if v, err := l.Verify(t.Context(), nil); err == nil {
			t.Errorf("%s: %+v", broken, v)
		}
		audit.Execute(t, l, "ALTER TABLE "+table+" RENAME COLUMN x TO "+column)
	}
	if v := check(t, l); !v.OK {
		t.Errorf("%+v", v)
	}
}

// TestU4AValueOfAnotherTypeIsNoVerdict: verify returns an error where a table that was created again without types has
// a value of another type.
func TestU4AValueOfAnotherTypeIsNoVerdict(t *testing.T) {
	l, _ := manyFaced(t)
	for table, spoil := range map[string]string{
		"audit_heads":        `INSERT INTO audit_heads (stream, seq, hash, hour, counted) VALUES ('other', NULL, x'', 0, 0)`,
		"audit_counts":       `UPDATE audit_counts SET calls = NULL WHERE rowid = 1`,
		"audit_capabilities": `INSERT INTO audit_capabilities VALUES (99, NULL)`,
		"audit_checkpoints":  `INSERT INTO audit_checkpoints VALUES ('other', 1, x'', NULL, 'purgefalse')`,
		"audit_erasures":     `INSERT INTO audit_erasures VALUES ('main', 'x', 'erase0')`,
	} {
		audit.Execute(t, l, `ALTER TABLE `+table+` RENAME TO whole`, `CREATE TABLE `+table+` AS SELECT * FROM whole`, spoil)
		if v, err := l.Verify(t.Context(), nil); err == nil {
			t.Errorf("%s: %+v", spoil, v)
		}
		audit.Execute(t, l, `DROP TABLE `+table, `ALTER TABLE whole RENAME TO `+table)
	}
	if v := check(t, l); v.FirstBad > 0 || v.Schema != 5 { // SQLite quotes a name that it was given
		t.Errorf("%+v", v)
	}
}

// TestU9APurgeThatCannotReadWhereTheLogBeginsIsRefused: a purge must not start at record 1 because it cannot read the
// checkpoint.
func TestU9APurgeThatCannotReadWhereTheLogBeginsIsRefused(t *testing.T) {
	l, _ := aged(t, &drawer{}, 15)
	audit.Execute(t, l, `DROP TABLE audit_checkpoints`,
		`CREATE TABLE audit_checkpoints (stream TEXT PRIMARY KEY, seq, hash, time, request_id)`,
		`INSERT INTO audit_checkpoints VALUES ('main', NULL, x'', 0, '')`)
	e := entry("purge")
	var err error
	must(t, l.Do(t.Context(), e, func(ctx context.Context, _ bus.Exec) error {
		if _, err = l.Purge(ctx, audit.Purge{Before: epoch.Add(time.Hour)}); err != nil {
			e.Result = failed("purge", bus.Internal, bus.ReasonUncoded).Result
		}
		return err
	}))
	if n := count(t, l, `SELECT min(seq) FROM audit_records`); err == nil || n != 1 {
		t.Errorf("%v, the first record is %d", err, n)
	}
}

// TestU4APageThatOnlySQLiteReadsIsFoundDamaged: the chain does not cover the rows of the application, so SQLite's own
// check must find the damage.
func TestU4APageThatOnlySQLiteReadsIsFoundDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	l := open(t, path, options())
	must(t, do(t, l, entry("r"), `INSERT INTO items (id, name) VALUES ('a', 'A')`))
	page := count(t, l, `SELECT rootpage FROM sqlite_schema WHERE name = 'items'`)
	must(t, l.Close())
	audit.Tamper(t, audit.DSN(l), `PRAGMA wal_checkpoint(TRUNCATE)`)
	file, err := os.ReadFile(path)
	must(t, err)
	size := int(binary.BigEndian.Uint16(file[16:])) // of a page
	copy(file[(page-1)*size:], bytes.Repeat([]byte{0xff}, size))
	must(t, os.WriteFile(path, file, 0o600))
	l = open(t, path, options())
	v := check(t, l)
	if v.OK || v.Records != 1 || !strings.Contains(v.Problem, "damaged") || v.Remedy == "" {
		t.Errorf("%+v", v)
	}
	audit.Execute(t, l, `UPDATE audit_records SET person = 'u2'`)
	v = check(t, l)
	if !strings.HasSuffix(v.Problem, "Record 1 is not as it was written.") || !strings.Contains(v.Problem, "damaged") {
		t.Errorf("%+v", v)
	}
}

// TestU4APayloadThatIsNoTextIsFoundDamaged: SQLite does not notice the lost last page of a long value, so verify
// reports damage for a payload that is no JSON. A payload with another valid text is reported as changed.
func TestU4APayloadThatIsNoTextIsFoundDamaged(t *testing.T) {
	l := newLog(t)
	must(t, do(t, l, entry("r"), `INSERT INTO items (id, name) VALUES ('a', 'A')`))
	const problem = "The payload of record 1 is not as it was written."
	audit.Execute(t, l, `UPDATE audit_payloads SET body = CAST('{"a":1}' AS BLOB)`)
	if v := check(t, l); v.OK || v.Problem != problem || v.Remedy != "" {
		t.Errorf("%+v", v)
	}
	audit.Execute(t, l, `UPDATE audit_payloads SET body = x'7b22610000'`)
	if v := check(t, l); v.OK || !strings.HasSuffix(v.Problem, "damaged: what is in it cannot be relied on. "+problem) ||
		v.Remedy == "" {
		t.Errorf("%+v", v)
	}
}

// TestU4AFileThatCannotBeOpenedIsAskedWhetherItIsDamaged: a damaged page looks like a missing table of versions.
func TestU4AFileThatCannotBeOpenedIsAskedWhetherItIsDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	l := open(t, path, options())
	page := count(t, l, `SELECT rootpage FROM sqlite_schema WHERE name = 'goose_domain'`)
	must(t, l.Close())
	audit.Tamper(t, audit.DSN(l), `PRAGMA wal_checkpoint(TRUNCATE)`)
	file, err := os.ReadFile(path)
	must(t, err)
	size := int(binary.BigEndian.Uint16(file[16:])) // of a page
	clear(file[(page-1)*size : page*size])
	must(t, os.WriteFile(path, file, 0o600))
	if _, err = audit.Open(t.Context(), path, options()); !audit.IsDamaged(err) {
		t.Errorf("%v", err)
	}
}

func TestU4TheFirstOfEqualProblemsIsTold(t *testing.T) {
	l, _ := manyFaced(t)
	first, second := strings.Repeat("01", 32), strings.Repeat("02", 32)
	v, err := l.Verify(t.Context(), nil, first, second)
	must(t, err)
	if v.OK || v.FirstBad != 50 || !strings.Contains(v.Problem, first) ||
		!strings.Contains(v.Problem, "it was removed with an old segment") {
		t.Errorf("%+v", v)
	}
}

func TestU4AHeadOfTheReadsIsToldWhenThereIsOne(t *testing.T) {
	l := newLog(t)
	if v := check(t, l); v.OK || v.ReadsHead != "" || v.Head != strings.Repeat("0", 64) {
		t.Errorf("%+v", v)
	}
	read := entry("read")
	read.Read = true
	must(t, l.Record(t.Context(), read))
	if v := check(t, l); !v.OK || len(v.ReadsHead) != 64 || v.Reads != 1 {
		t.Errorf("%+v", v)
	}
}

// TestU4ARemovalIsOneThatItsRecordNames: the record of a removal must have its stream, its kind, the last removed
// record and the hash of that record.
func TestU4ARemovalIsOneThatItsRecordNames(t *testing.T) {
	named := func(seq, hash string) map[string]any { return map[string]any{"up_to": json.Number(seq), "hash": hash} }
	for name, forge := range map[string]func(hash string) []bus.Effect{
		"": func(hash string) []bus.Effect {
			return []bus.Effect{{Table: "counters", Op: "insert", After: map[string]any{"id": 1}},
				{Table: "audit_records", Op: "bulk", After: named("20", hash)}}
		},
		"none": func(string) []bus.Effect { return nil },
		"of the other stream": func(hash string) []bus.Effect {
			return []bus.Effect{{Table: "audit_reads", Op: "bulk", After: named("20", hash)}}
		},
		"that is no removal": func(hash string) []bus.Effect {
			return []bus.Effect{{Table: "audit_records", Op: "insert", After: named("20", hash)}}
		},
		"with another hash": func(string) []bus.Effect {
			return []bus.Effect{{Table: "audit_records", Op: "bulk", After: named("20", strings.Repeat("00", 32))}}
		},
		"up to another record": func(hash string) []bus.Effect {
			return []bus.Effect{{Table: "audit_records", Op: "bulk", After: named("19", hash)}}
		},
	} {
		l, _ := aged(t, &drawer{}, 25)
		var hash []byte
		must(t, l.View(t.Context(), func(ctx context.Context) error {
			return audit.Tx(ctx).QueryRowContext(ctx, `SELECT hash FROM audit_records WHERE seq = 20`).Scan(&hash)
		}))
		e := entry("forged")
		e.Effects = forge(hex.EncodeToString(hash))
		must(t, l.Record(t.Context(), e))
		_, err := l.Stats(t.Context(), 0, 0) // only counted records can be removed
		must(t, err)
		audit.Execute(t, l,
			`INSERT INTO audit_checkpoints SELECT 'main', 20, hash, 0, 'forged' FROM audit_records WHERE seq = 20`,
			`DELETE FROM audit_records WHERE seq <= 20`, `DELETE FROM audit_payloads WHERE seq <= 20`,
			`UPDATE audit_heads SET tree = 20 WHERE stream = 'main'`) // as after a program that kept no tree
		v := check(t, l)
		if v.OK != (name == "") || name != "" && (v.FirstBad != 21 || !strings.Contains(v.Problem, "request forged")) {
			t.Errorf("an effect %s: %+v", name, v)
		}
	}
}

// TestU9ARemovalOfReadsMayBeRemovedWithItsRecord: a removal of reads needs its record as long as no record of the main
// stream was removed.
func TestU9ARemovalOfReadsMayBeRemovedWithItsRecord(t *testing.T) {
	l, _ := aged(t, &drawer{}, 15)
	purge(t, l, "reads", audit.Purge{Before: epoch.Add(time.Hour), Reads: true})
	for i := range 10 {
		must(t, l.Record(t.Context(), entry(fmt.Sprint("more", i))))
	}
	if got := purge(t, l, "main", audit.Purge{Before: epoch.Add(time.Hour)}); got.UpTo != 20 {
		t.Fatalf("%+v", got)
	}
	if v := check(t, l); !v.OK || len(v.Removals) != 2 {
		t.Errorf("%+v", v)
	}
	l, _ = aged(t, &drawer{}, 15)
	purge(t, l, "reads", audit.Purge{Before: epoch.Add(time.Hour), Reads: true})
	audit.Execute(t, l, `UPDATE audit_checkpoints SET request_id = 'nobody'`)
	if v := check(t, l); v.OK || v.FirstBad != 11 || v.Segment != "reads" {
		t.Errorf("%+v", v)
	}
}

// atLook is a context that calls do at the nth call of Done.
type atLook struct {
	context.Context
	left atomic.Int64
	do   func()
}

func (a *atLook) Done() <-chan struct{} {
	if !onlyWaits() && a.left.Add(-1) == 0 {
		a.do()
	}
	return never
}

// TestU4WritingDuringAVerificationIsNoAlarm writes records at every possible moment of a verification.
func TestU4WritingDuringAVerificationIsNoAlarm(t *testing.T) {
	l, _ := manyFaced(t)
	for n := int64(1); ; n += 2 {
		a := &atLook{Context: t.Context(), do: func() {
			read := entry("beside")
			read.Read = true
			_, _ = l.Record(context.Background(), read), l.Record(context.Background(), entry("beside"))
		}}
		a.left.Store(n)
		if v, err := l.Verify(a, nil); err != nil || !v.OK || len(v.Removals) != 2 || v.Erased != 4 {
			t.Fatalf("at look %d: %+v %v", n, v, err)
		}
		if a.left.Load() > 0 {
			break
		}
	}
	if v := check(t, l); v.Records < 60 {
		t.Errorf("%+v", v)
	}
}

// TestU7ARecordOfAnotherShapeIsCountedForWhatItSays: another program may have written a record with other fields in its
// detail.
func TestU7ARecordOfAnotherShapeIsCountedForWhatItSays(t *testing.T) {
	for detail, wrong := range map[string]int{
		`{"duration_ms":3}`:       0,
		`{"duration_ms":3,"a":1}`: 0,
		`{}`:                      6, // a duration of 0, which differs from the counted one
		`{"duration_ms":3000}`:    6,
		`{"duration_ms":1.5}`:     3, // it is no count
		`{"duration_ms":3`:        3,
		// A plan that is replayed as a dry run takes no time, and counts its step for a day, an hour and in all.
		`{"steps":["item.add"],"decision":{},"duration_ms":3,"replayed":true,"dry_run":true}`: 6,
	} {
		l := newLog(t)
		must(t, l.Record(t.Context(), entry("r1")))
		_, err := l.Stats(t.Context(), 0, 0) // it is counted
		must(t, err)
		audit.Execute(t, l, `UPDATE audit_records SET detail = '`+detail+`'`)
		hash := fmt.Sprintf(" SET hash = x'%x'", hashOf(t, l, 1))
		audit.Execute(t, l, `UPDATE audit_records`+hash, `UPDATE audit_heads`+hash+` WHERE stream = 'main'`)
		if v := check(t, l); v.FirstBad != 0 || v.Rollups != wrong || v.OK != (wrong == 0) {
			t.Errorf("%s: %+v", detail, v)
		}
	}
}
