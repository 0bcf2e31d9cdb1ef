package audit_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

func key(value string) *bus.Key {
	return &bus.Key{CallerType: bus.CallerUI, Source: "Button", Capability: "item.add", Value: value,
		Arguments: "args-digest"}
}

func lookup(t testing.TB, l *audit.Log, k *bus.Key) *bus.Stored {
	t.Helper()
	s, err := l.Lookup(context.Background(), *k)
	must(t, err)
	return s
}

func TestAKeyIsFoundAfterReopening(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	l, err := audit.Open(context.Background(), path, options())
	must(t, err)
	e := entry("r1")
	e.Key, e.Stored = key("k"), json.RawMessage(`{"pin":"1234"}`)
	e.Result.Facts = map[string]any{"amount": 4783.0}
	must(t, do(t, l, e, `INSERT INTO counters VALUES (1, 1)`))
	must(t, l.Close())

	l = open(t, path, options())
	s := lookup(t, l, key("k"))
	if s == nil || s.RequestID != "r1" || s.Arguments != "args-digest" || s.Unknown ||
		string(s.Result.Data) != `{"pin":"1234"}` || s.Result.Facts["amount"] != 4783.0 {
		t.Fatalf("stored: %+v", s)
	}
	if log := recorded(t, l, "r1"); string(log[0].Data) != `{"ok":true}` {
		t.Errorf("the record has the unredacted output: %s", log[0].Data)
	}
	must(t, l.Do(context.Background(), entry("r2"), func(context.Context, bus.Exec) error { return nil }))
	e = entry("r3")
	e.Key = key("k")
	must(t, l.Do(context.Background(), e, func(_ context.Context, x bus.Exec) error {
		if p := x.Prior(); p == nil || p.RequestID != "r1" {
			t.Errorf("prior: %+v", p)
		}
		e.Result.Replayed = true
		return nil
	}))
}

func TestKeysDoNotMixScopes(t *testing.T) {
	l := newLog(t)
	e := entry("r1")
	e.Key = key("k")
	must(t, l.Record(context.Background(), e))
	for name, change := range map[string]func(*bus.Key){
		"value": func(k *bus.Key) { k.Value = "K" }, "source": func(k *bus.Key) { k.Source = "" },
		"caller":     func(k *bus.Key) { k.CallerType = bus.CallerAgent },
		"capability": func(k *bus.Key) { k.Capability = "item.remove" },
		"shifted":    func(k *bus.Key) { k.Source, k.Capability = "Buttonitem", ".add" },
	} {
		k := key("k")
		change(k)
		if s := lookup(t, l, k); s != nil {
			t.Errorf("other %s: %+v", name, s)
		}
	}
	if s := lookup(t, l, key("k")); s == nil {
		t.Error("its own key is not found")
	}
}

func TestOnlyASuccessThatRanIsStored(t *testing.T) {
	l := newLog(t)
	for name, change := range map[string]func(*bus.Entry){
		"failure": func(e *bus.Entry) { e.Result = failed("r", bus.Conflict, bus.ReasonBusy).Result },
		"replay":  func(e *bus.Entry) { e.Result.Replayed = true },
		"dry run": func(e *bus.Entry) { e.Result.DryRun = true },
	} {
		e := entry("r")
		e.Key = key(name)
		change(e)
		must(t, l.Record(context.Background(), e))
		if s := lookup(t, l, key(name)); s != nil {
			t.Errorf("%s: %+v", name, s)
		}
	}
	e := failed("r", bus.Conflict, bus.ReasonBusy)
	e.Key = key("failing run")
	must(t, l.Do(context.Background(), e, func(context.Context, bus.Exec) error { return e.Result.Err }))
	if s := lookup(t, l, e.Key); s != nil {
		t.Errorf("failing run: %+v", s)
	}
}

func TestAKeyExpires(t *testing.T) {
	now := epoch
	o := options()
	o.Clock = func() time.Time { return now }
	l := open(t, filepath.Join(t.TempDir(), "log.db"), o)
	e := entry("r1")
	e.Key = key("k")
	e.Key.Window = time.Hour
	must(t, l.Record(context.Background(), e))
	now = epoch.Add(time.Hour - time.Millisecond)
	if s := lookup(t, l, e.Key); s == nil {
		t.Error("gone too early")
	}
	now = epoch.Add(time.Hour)
	if s := lookup(t, l, e.Key); s != nil {
		t.Error("still there")
	}
	e = entry("r2")
	e.Key = key("k")
	must(t, do(t, l, e, `INSERT INTO counters VALUES (1, 1)`))
	if s := lookup(t, l, e.Key); s == nil || s.RequestID != "r2" {
		t.Errorf("stored anew: %+v", s)
	}
}

func TestExpiredResultsAreDeletedInPassing(t *testing.T) {
	now := epoch
	o := options()
	o.Clock = func() time.Time { return now }
	path := filepath.Join(t.TempDir(), "log.db")
	l := open(t, path, o)
	put := func(value string) {
		e := entry(value)
		e.Key = key(value)
		e.Key.Window = time.Hour
		must(t, l.Record(context.Background(), e))
	}
	put("a")
	put("b")
	now = epoch.Add(2 * time.Hour)
	must(t, l.Close())
	l = open(t, path, o)
	put("c")
	if n := count(t, l, `SELECT count(*) FROM audit_keys`); n != 1 {
		t.Errorf("kept: %d", n)
	}
}

func TestTheSameKeyTwiceInOneBatchRunsOnce(t *testing.T) {
	l := newLog(t)
	replays := make([]bool, 20)
	crowd(t, l, len(replays), func(i int) {
		e := entry("r")
		e.Key = key("k")
		must(t, l.Do(context.Background(), e, func(ctx context.Context, x bus.Exec) error {
			replays[i], e.Result.Replayed = false, false
			if x.Prior() != nil {
				replays[i], e.Result.Replayed = true, true
				return nil
			}
			_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO counters VALUES (1, 1)`)
			return err
		}))
	})
	ran := 0
	for _, replayed := range replays {
		if !replayed {
			ran++
		}
	}
	if ran != 1 {
		t.Errorf("it ran %d times", ran)
	}
}

func TestARunThatIgnoresItsPriorIsRefused(t *testing.T) {
	l := newLog(t)
	for i, looks := range []bool{true, true, false} {
		e := entry("r")
		e.Key = key("k")
		err := l.Do(context.Background(), e, func(ctx context.Context, x bus.Exec) error {
			if looks {
				_ = x.Prior()
			}
			_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO counters (n) VALUES (1)`)
			return err
		})
		var coded *bus.Error
		if refused := errors.As(err, &coded) && coded.Code == bus.Conflict; refused != (i > 0) {
			t.Errorf("run %d: %v", i, err)
		}
	}
	if n := count(t, l, `SELECT count(*) FROM counters`); n != 1 {
		t.Errorf("rows: %d", n)
	}
}

// TestOnlyAKeyThatBeginsWithTheTimeHasAPlace: only a UUID of version 7 sorts by its time. Other keys sort first, so
// that they are never among the newest.
func TestOnlyAKeyThatBeginsWithTheTimeHasAPlace(t *testing.T) {
	l := newLog(t)
	for value, place := range map[string]string{
		"0198c0de-0000-7000-8000-000000000001": "0198C0DE000070008000000000000001",
		"0198c0de-0000-4000-8000-000000000001": strings.Repeat("0", 32),
		"by hand":                              strings.Repeat("0", 32),
	} {
		e := entry("r " + value)
		e.Key = key(value)
		must(t, l.Record(t.Context(), e))
		if n := count(t, l, `SELECT hex(substr(key, 1, 16)) = ? FROM audit_keys WHERE request_id = ?`, place,
			"r "+value); n != 1 {
			t.Errorf("%s has another place", value)
		}
	}
}

// TestARecordWhoseKeyCannotBeStoredIsNotStored: the record also fails if an old key cannot be deleted.
func TestARecordWhoseKeyCannotBeStoredIsNotStored(t *testing.T) {
	for _, at := range []string{"INSERT", "DELETE"} {
		var now atomic.Int64
		path, o := filepath.Join(t.TempDir(), "log.db"), options()
		o.Clock = func() time.Time { return epoch.Add(time.Duration(now.Load())) }
		l, err := audit.Open(t.Context(), path, o)
		must(t, err)
		e := entry("old")
		e.Key = key("old")
		e.Key.Window = time.Hour
		must(t, l.Record(t.Context(), e))
		must(t, l.Close())
		now.Add(int64(2 * time.Hour))
		l = open(t, path, o)
		audit.Execute(t, l, `CREATE TRIGGER broken BEFORE `+at+` ON audit_keys BEGIN SELECT RAISE (ABORT, 'broken'); END`)
		e = entry("new")
		e.Key = key("new")
		if err := l.Record(t.Context(), e); err == nil || !strings.Contains(err.Error(), "broken") {
			t.Errorf("%s: %v", at, err)
		}
		if n := count(t, l, `SELECT count(*) FROM audit_records`); n != 1 {
			t.Errorf("%s: %d records", at, n)
		}
	}
}
