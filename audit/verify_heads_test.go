package audit_test

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
)

// drawer keeps the last head of each stream.
type drawer struct {
	mu    sync.Mutex
	heads map[string]audit.Head
	saves int
	err   error
}

func (d *drawer) Save(h audit.Head) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.heads == nil {
		d.heads = map[string]audit.Head{}
	}
	if d.err == nil {
		d.heads[h.Stream] = h
		d.saves++
	}
	return d.err
}

func (d *drawer) Load() ([]audit.Head, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Collect(maps.Values(d.heads)), d.err
}

func (d *drawer) main() audit.Head {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.heads["main"]
}

func (d *drawer) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.saves
}

func (d *drawer) options() audit.Options {
	o := options()
	o.Heads = d
	return o
}

// grow writes records and closes the log.
func grow(t testing.TB, path string, d *drawer, from, n int) (dsn string) {
	t.Helper()
	l, err := audit.Open(context.Background(), path, d.options())
	must(t, err)
	for i := range n {
		must(t, l.Record(context.Background(), entry(fmt.Sprint("r", from+i))))
	}
	must(t, l.Close())
	return audit.DSN(l)
}

func headVerdict(t testing.TB, path string, d *drawer) audit.Verdict {
	t.Helper()
	l, err := audit.Open(context.Background(), path, d.options())
	must(t, err)
	v, err := l.Verify(context.Background(), nil)
	must(t, err)
	must(t, l.Close())
	return v
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	must(t, err)
	must(t, os.WriteFile(to, data, 0o600))
}

// holds: U4
func TestU4AHeadNotedOutsideShowsWhatTheChainCannot(t *testing.T) {
	// In each case the chain by itself is whole.
	cutOff := []string{`DELETE FROM audit_records WHERE seq > 15`, `DELETE FROM audit_payloads WHERE seq > 15`,
		`UPDATE audit_heads SET (seq, hash) = (15, (SELECT hash FROM audit_records WHERE seq = 15)) WHERE stream = 'main'`}
	for name, tt := range map[string]struct {
		tamper func(t *testing.T, path, older, dsn string)
		bad    int64
		says   string
	}{
		"truncation": {func(t *testing.T, _, _, dsn string) { audit.Tamper(t, dsn, cutOff...) }, 16,
			"last records were removed"},
		"rollback": {func(t *testing.T, path, older, _ string) { copyFile(t, older, path) }, 11, "older copy"},
		"rewrite": {func(t *testing.T, path, _, _ string) {
			must(t, os.Remove(path))
			grow(t, path, &drawer{}, 100, 30)
		}, 20, "rewritten"},
		"rollback and writing on": {func(t *testing.T, path, older, _ string) {
			copyFile(t, older, path)
			grow(t, path, &drawer{}, 100, 30)
		}, 20, "rewritten"},
	} {
		t.Run(name, func(t *testing.T) {
			d, dir := &drawer{}, t.TempDir()
			path, older := filepath.Join(dir, "log.db"), filepath.Join(dir, "older.db")
			grow(t, path, d, 0, 10)
			copyFile(t, path, older)
			dsn := grow(t, path, d, 10, 10)
			if h := d.main(); h.Seq != 20 || len(h.Hash) != 64 || h.Time != epoch.UnixMilli() {
				t.Fatalf("noted: %+v", h)
			}
			if v := headVerdict(t, path, d); !v.OK || v.Noted != 1 {
				t.Fatalf("untouched: %+v", v)
			}
			tt.tamper(t, path, older, dsn)
			for range 2 { // opening, writing and closing does not cover it up
				if v := headVerdict(t, path, d); v.OK || v.FirstBad != tt.bad || !strings.Contains(v.Problem, tt.says) {
					t.Errorf("verdict: %+v", v)
				}
				l, err := audit.Open(context.Background(), path, d.options())
				must(t, err)
				must(t, l.Record(context.Background(), entry("later")))
				must(t, l.Close())
				if h := d.main(); h.Seq != 20 {
					t.Fatalf("the head was noted over: %+v", h)
				}
				if tt.says != "rewritten" {
					break // record 20 exists again soon, and is another one
				}
			}
			l, err := audit.Open(context.Background(), path, d.options())
			must(t, err)
			must(t, l.NoteHeads(context.Background())) // a person accepts the log as it is
			must(t, l.Close())
			if v := headVerdict(t, path, d); !v.OK {
				t.Errorf("accepted: %+v", v)
			}
		})
	}
}

// holds: U4
func TestU4ALogThatGoesOnFromTheHeadIsNoAlarm(t *testing.T) {
	d := &drawer{}
	path := filepath.Join(t.TempDir(), "log.db")
	grow(t, path, d, 0, 10)
	grow(t, path, &drawer{}, 10, 10) // the noted head is older than the log
	if v := headVerdict(t, path, d); !v.OK || v.Noted != 1 || d.main().Seq != 10 {
		t.Errorf("verdict: %+v, noted %+v", v, d.main())
	}
}

func TestHeadsAreNotedNowAndThen(t *testing.T) {
	var mu sync.Mutex
	now := epoch
	d := &drawer{}
	o := d.options()
	o.Clock = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	l := open(t, filepath.Join(t.TempDir(), "log.db"), o)
	must(t, l.Record(context.Background(), entry("r1")))
	if h := d.main(); h.Seq != 0 {
		t.Errorf("noted at once: %+v", h)
	}
	mu.Lock()
	now = now.Add(time.Minute)
	mu.Unlock()
	must(t, l.Record(context.Background(), entry("r2")))
	waitFor(t, func() bool { return d.main().Seq == 2 })
	crowd(t, l, 1000, func(i int) { must(t, l.Record(context.Background(), entry(fmt.Sprint("c", i)))) })
	waitFor(t, func() bool { return d.main().Seq >= 1000 })
	d.mu.Lock()
	d.err = errors.New("the keychain is locked")
	d.mu.Unlock()
	if _, err := l.Verify(context.Background(), nil); err == nil {
		t.Error("a verdict without the heads")
	}
}

func waitFor(t testing.TB, ready func() bool) {
	t.Helper()
	for range 5000 {
		if ready() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("it does not come")
}

// TestU4EverySingleChangeIsFound makes each change at each of 1 000 records in a
// soak, and at some of them otherwise.
// holds: U4
func TestU4EverySingleChangeIsFound(t *testing.T) {
	const size = 1000
	l := newLog(t)
	crowd(t, l, size-1, func(i int) { must(t, l.Record(context.Background(), entry(fmt.Sprint("r", i)))) })
	tables := []string{"audit_records", "audit_payloads"}
	var restore []string
	for _, table := range tables {
		audit.Execute(t, l, fmt.Sprintf(`CREATE TEMP TABLE whole_%[1]s AS SELECT * FROM %[1]s`, table))
		restore = append(restore, fmt.Sprintf(`DELETE FROM %[1]s`, table),
			fmt.Sprintf(`INSERT INTO %[1]s SELECT * FROM whole_%[1]s`, table))
	}
	changes := map[string]string{
		"edit":         `UPDATE audit_records SET person = 'u2' WHERE seq = %d`,
		"payload edit": `UPDATE audit_payloads SET body = CAST(body || ' ' AS BLOB) WHERE seq = %d`,
		"deletion": `DELETE FROM audit_records WHERE seq = %[1]d; DELETE FROM audit_payloads WHERE seq = %[1]d;
			UPDATE audit_records SET seq = seq - 1 WHERE seq > %[1]d; UPDATE audit_payloads SET seq = seq - 1 WHERE seq > %[1]d`,
		"insertion": `UPDATE audit_records SET seq = -seq - 1 WHERE seq >= %[1]d;
				UPDATE audit_records SET seq = -seq WHERE seq < 0;
			UPDATE audit_payloads SET seq = -seq - 1 WHERE seq >= %[1]d; UPDATE audit_payloads SET seq = -seq WHERE seq < 0;
			INSERT INTO audit_records SELECT %[1]d, time, kind, 'forged', trace_id, parent_request_id,
					conversation_id, caller_type, person,
			capability, side_effect, status, code, detail, payload_digest, prev, hash FROM audit_records WHERE seq = %[1]d + 1`,
		"swap": `UPDATE audit_records SET seq = -seq WHERE seq IN (%[1]d, %[1]d %% 1000 + 1);
			UPDATE audit_records SET seq = %[1]d + %[1]d %% 1000 + 1 + seq WHERE seq < 0;
			UPDATE audit_payloads SET seq = -seq WHERE seq IN (%[1]d, %[1]d %% 1000 + 1);
			UPDATE audit_payloads SET seq = %[1]d + %[1]d %% 1000 + 1 + seq WHERE seq < 0`,
	}
	at := rand.New(rand.NewPCG(7, 8)).Perm(size)[:min(size, soak(6, size))]
	at = append(at, 0, size-1)
	for name, change := range changes {
		for _, i := range at {
			seq := i + 1
			audit.Execute(t, l, slices.Concat(restore, strings.Split(fmt.Sprintf(change, seq), ";"))...)
			want := int64(seq)
			if name == "swap" && seq == size {
				want = 1 // the last with the first
			}
			if v, err := l.Verify(context.Background(), nil); err != nil || v.OK || v.FirstBad != want {
				t.Errorf("%s at %d: %+v %v", name, seq, v, err)
			}
		}
	}
	audit.Execute(t, l, restore...)
	if v, err := l.Verify(context.Background(), nil); err != nil || !v.OK || v.Records != size {
		t.Errorf("restored: %+v %v", v, err)
	}
}

// TestU4TheFirstOfManyBadRecordsIsNamed in a log of several parts that are checked
// beside each other.
// holds: U4
func TestU4TheFirstOfManyBadRecordsIsNamed(t *testing.T) {
	const size = 10_000 // the last part begins beside the first, and may end after it
	o := options()
	o.Segment = 4900
	l := open(t, filepath.Join(t.TempDir(), "log.db"), o)
	for i := range size {
		e := entry(fmt.Sprint("r", i))
		e.Started, e.Read = epoch.Add(time.Duration(i)*4*time.Second), true // reads are quick to write
		must(t, l.Record(context.Background(), e))
	}
	var seen []int64
	v, err := l.Verify(context.Background(), func(done, total int64) {
		if seen = append(seen, done); total != size {
			t.Errorf("of %d", total)
		}
	})
	if must(t, err); !v.OK || v.Reads != size || !slices.IsSorted(seen) || seen[len(seen)-1] != size {
		t.Errorf("verdict: %+v, progress %v", v, seen)
	}
	r := rand.New(rand.NewPCG(9, 10))
	first := int64(size)
	for range 6 {
		seq := 1 + r.Int64N(first)
		first = min(first, seq)
		audit.Execute(t, l, fmt.Sprintf(`UPDATE audit_reads SET person = 'u2' WHERE seq = %d`, seq))
		for range 2 {
			if v, err := l.Verify(context.Background(), nil); err != nil || v.FirstBad != first || v.Segment != "reads" ||
				v.Reads != first-1 {
				t.Errorf("%d: %+v %v", first, v, err)
			}
		}
	}
	audit.Execute(t, l, `DELETE FROM audit_read_payloads WHERE seq = 1`,
		`INSERT INTO audit_erasures VALUES ('reads', 1, 'nobody')`)
	if v, err := l.Verify(context.Background(), nil); err != nil || v.OK || v.FirstBad != 1 {
		t.Errorf("%+v %v", v, err)
	}
	audit.Execute(t, l, `UPDATE audit_reads SET person = 'u1'`)
	purge(t, l, "purge", audit.Purge{Before: epoch.Add(100 * time.Hour), Segments: 1, Reads: true})
	for range 3 { // the second of two parts has 100 records, and ends first
		if v := check(t, l); !v.OK || v.Reads != size {
			t.Errorf("%+v", v)
		}
	}
}

// TestU4VerifyTakesTheHeadOfAnExport looks for the head of a longer log in an older copy of it.
// holds: U4
func TestU4VerifyTakesTheHeadOfAnExport(t *testing.T) {
	l := newLog(t)
	must(t, l.Record(t.Context(), entry("r1")))
	older := filepath.Join(t.TempDir(), "older.db")
	copied, err := l.Backup(t.Context(), older)
	must(t, err)
	must(t, l.Record(t.Context(), entry("r2")))
	trailer, err := l.Export(t.Context(), io.Discard, audit.Query{}, audit.FormatJSONL, nil)
	must(t, err)
	v, err := l.Verify(t.Context(), nil, copied.Head, trailer.Head)
	must(t, err)
	if !v.OK || v.Noted != 2 {
		t.Errorf("%+v", v)
	}
	before := open(t, older, options())
	v, err = before.Verify(t.Context(), nil, copied.Head, trailer.Head)
	must(t, err)
	if v.OK || v.Noted != 1 || !strings.Contains(v.Problem, trailer.Head) {
		t.Errorf("%+v", v)
	}
	if _, err := l.Verify(t.Context(), nil, "abc"); err == nil {
		t.Error("abc is a head")
	}
}

var _ audit.Heads = (*drawer)(nil)

// ordered is a drawer that returns unsaved, possibly wrong heads before the saved ones.
type ordered struct {
	drawer
	first []audit.Head
	full  error // instead of being kept
}

func (o *ordered) Save(h audit.Head) error {
	if o.full != nil {
		return o.full
	}
	return o.drawer.Save(h)
}

func (o *ordered) Load() ([]audit.Head, error) {
	more, err := o.drawer.Load()
	return append(slices.Clone(o.first), more...), err
}

// TestU4AHeadIsAsOldAsTheLogOrNoAlarm: the noted head may be one of an empty log, of the last removed record, or of the
// first one.
func TestU4AHeadIsAsOldAsTheLogOrNoAlarm(t *testing.T) {
	d := &ordered{}
	o := options()
	o.Heads, o.Segment = d, 10
	l := open(t, filepath.Join(t.TempDir(), "log.db"), o)
	for i := range 15 {
		must(t, l.Record(t.Context(), entry(fmt.Sprint("r", i))))
	}
	hashes := map[int64]string{}
	for _, seq := range []int64{1, 10, 11} {
		var hash []byte
		must(t, l.View(t.Context(), func(ctx context.Context) error {
			return audit.Tx(ctx).QueryRowContext(ctx, `SELECT hash FROM audit_records WHERE seq = ?`, seq).Scan(&hash)
		}))
		hashes[seq] = hex.EncodeToString(hash)
	}
	verify := func(seq int64, hash string, fine bool) {
		t.Helper()
		d.first = []audit.Head{{Stream: "main", Seq: seq, Hash: hash, Time: 1}}
		if v := check(t, l); v.OK != fine || v.Noted != 1 || !fine && v.FirstBad != seq {
			t.Errorf("at %d: %+v", seq, v)
		}
	}
	verify(0, "", true)
	verify(0, strings.Repeat("00", 32), true)
	verify(1, hashes[1], true)
	verify(1, hashes[10], false)
	verify(1, "no hash", false)
	purge(t, l, "purge", audit.Purge{Before: epoch.Add(time.Hour)})
	verify(10, hashes[10], true)
	verify(10, hashes[11], false)
	verify(9, hashes[11], true)
	d.first = nil
}

// TestAHeadIsNotedAfterAThousandRecords: the log notes a head a thousand records after it was opened, or after a
// minute. It notes none without a new record.
func TestAHeadIsNotedAfterAThousandRecords(t *testing.T) {
	var mu sync.Mutex
	now, d, path := epoch, &drawer{}, filepath.Join(t.TempDir(), "log.db")
	o := d.options()
	o.Clock = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	noted := func(saves int, seq int64) {
		t.Helper()
		waitFor(t, func() bool { return d.main().Seq >= seq })
		time.Sleep(10 * time.Millisecond) // time for a head that must not be noted
		if h, n := d.main(), d.count(); h.Seq != seq || n != saves {
			t.Errorf("noted %d times, at last %+v", n, h)
		}
	}
	l, err := audit.Open(t.Context(), path, o)
	must(t, err)
	must(t, l.Record(t.Context(), entry("first")))
	crowd(t, l, 989, func(i int) { must(t, l.Record(t.Context(), entry(fmt.Sprint("c", i)))) })
	for range 8 {
		must(t, l.Record(t.Context(), entry("more")))
	}
	noted(0, 0)
	must(t, l.Record(t.Context(), entry("the 1000th")))
	noted(1, 1000)
	must(t, l.Close())
	noted(1, 1000)
	l, err = audit.Open(t.Context(), path, o)
	must(t, err)
	must(t, l.Record(t.Context(), entry("the first of the second day")))
	noted(1, 1000)
	mu.Lock()
	now = now.Add(time.Minute)
	mu.Unlock()
	must(t, l.Record(t.Context(), entry("after a minute")))
	noted(2, 1002)
	must(t, l.Record(t.Context(), entry("at once")))
	noted(2, 1002)
	must(t, l.Close())
	noted(3, 1003)
}

// TestU4TheHeadOfARestoredLogIsNoted: it replaces the head of the log before the restore, which the restored log does
// not have.
func TestU4TheHeadOfARestoredLogIsNoted(t *testing.T) {
	d := &drawer{}
	l, dir, _ := backedUp(t, d.options())
	must(t, l.NoteHeads(t.Context()))
	if h := d.main(); h.Seq != 8 {
		t.Fatalf("%+v", h)
	}
	_, err := restore(l, "restore", filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside.db"))
	must(t, err)
	waitFor(t, func() bool { return d.main().Seq == 6 })
	if v := check(t, l); !v.OK || v.Records != 6 || v.Noted == 0 {
		t.Errorf("%+v", v)
	}
}

// slow is a keychain whose Save waits for the test.
type slow struct {
	drawer
	saving, free chan struct{}
}

func (s *slow) Save(h audit.Head) error {
	s.saving <- struct{}{}
	<-s.free
	return s.drawer.Save(h)
}

// TestALogIsClosedWhenItsHeadsAreNoted: Close waits until a running Save ends.
func TestALogIsClosedWhenItsHeadsAreNoted(t *testing.T) {
	s := &slow{saving: make(chan struct{}), free: make(chan struct{})}
	var minutes atomic.Int64
	o := options()
	o.Heads, o.Clock = s, func() time.Time { return epoch.Add(time.Duration(minutes.Load()) * time.Minute) }
	l, err := audit.Open(t.Context(), filepath.Join(t.TempDir(), "log.db"), o)
	must(t, err)
	minutes.Add(1)
	must(t, l.Record(t.Context(), entry("r1")))
	<-s.saving
	ended := make(chan error)
	go func() { ended <- l.Close() }()
	select {
	case <-ended:
		t.Error("closed while a head is stored")
	case <-time.After(30 * time.Millisecond):
		close(s.free)
		must(t, <-ended)
	}
	if h := s.main(); h.Seq != 1 {
		t.Errorf("%+v", h)
	}
}

// TestWhyAHeadIsNotNotedIsLogged: the log has the reason, another head in its place or a failed Save. The head of the
// other stream is noted.
func TestWhyAHeadIsNotNotedIsLogged(t *testing.T) {
	for name, tt := range map[string]struct {
		heads *ordered
		main  int64
		says  []string
	}{
		"all is well": {&ordered{}, 1, nil},
		"another head of the reads": {&ordered{first: []audit.Head{{Stream: "reads", Seq: 1, Hash: "00"}}}, 1,
			[]string{"stream=reads", "rewritten"}},
		"a later head of the reads": {&ordered{first: []audit.Head{{Stream: "reads", Seq: 100, Hash: "00"}}}, 1,
			[]string{"stream=reads", "older copy"}},
		"a locked keychain": {&ordered{drawer: drawer{err: errors.New("it is locked")}}, 0,
			[]string{"stream=main", "stream=reads", "it is locked"}},
		"a full keychain": {&ordered{full: errors.New("it is full")}, 0,
			[]string{"stream=main", "stream=reads", "it is full"}},
	} {
		var said strings.Builder
		o := options()
		o.Heads, o.Logger = tt.heads, slog.New(slog.NewTextHandler(&said, nil))
		l, err := audit.Open(t.Context(), filepath.Join(t.TempDir(), "log.db"), o)
		must(t, err)
		read := entry("read")
		read.Read = true
		must(t, l.Record(t.Context(), read))
		must(t, l.Record(t.Context(), entry("r")))
		must(t, l.Close())
		if (said.Len() > 0) != (tt.says != nil) || tt.heads.main().Seq != tt.main {
			t.Errorf("%s: %s %+v", name, said.String(), tt.heads.main())
		}
		for _, says := range tt.says {
			if !strings.Contains(said.String(), says) {
				t.Errorf("%s: %s", name, said.String())
			}
		}
	}
}
