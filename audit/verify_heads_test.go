package audit_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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
		}, 20, "written anew"},
		"rollback and writing on": {func(t *testing.T, path, older, _ string) {
			copyFile(t, older, path)
			grow(t, path, &drawer{}, 100, 30)
		}, 20, "written anew"},
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
				if tt.says != "written anew" {
					break // record 20 exists again soon, and is another one
				}
			}
			l, err := audit.Open(context.Background(), path, d.options())
			must(t, err)
			must(t, l.NoteHeads(context.Background())) // somebody says that it is right so
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
	grow(t, path, &drawer{}, 10, 10) // what is noted is older than the log
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
		audit.Execute(t, l, fmt.Sprintf(`CREATE TABLE whole_%[1]s AS SELECT * FROM %[1]s`, table))
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
	const size = 12_000
	l := newLog(t)
	for i := range size {
		e := entry(fmt.Sprint("r", i))
		e.Read = true // quick to write
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
