package audit_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// pad is a bus with one capability that writes a text of some length.
func pad(t *testing.T, l *audit.Log) *bus.Bus {
	t.Helper()
	b := bus.New(bus.Options{Journal: l, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	type in struct {
		Length int `json:"length"`
	}
	b.MustRegister(bus.Define(bus.Capability{Name: "note.add", Title: "Add a note",
		Description: "Adds a note of some length. Not for others.",
		SideEffect:  bus.UIOnly, Resources: []string{"database:write"}},
		func(ctx context.Context, call *bus.Call, in in) (struct{}, error) {
			_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO items (id, name) VALUES (?, ?)`, call.NewID("note"),
				strings.Repeat("x", in.Length))
			return struct{}{}, err
		}))
	return b
}

func TestAFullDiskIsSaidAndPasses(t *testing.T) {
	for name, args := range map[string]string{"in the handler": `{"length":4000000}`, "at the record": `{"length":1}`} {
		t.Run(name, func(t *testing.T) {
			l := newLog(t)
			b := pad(t, l)
			add := func() bus.Result {
				return b.Invoke(t.Context(), bus.Invocation{Capability: "note.add", Arguments: []byte(args),
					Caller: bus.Caller{Type: bus.CallerTest}})
			}
			audit.LimitPages(t, l, true)
			r := add()
			for n := 0; r.OK() && n < 1000; n++ { // until the free pages are used up
				r = add()
			}
			if r.OK() || r.Err.Code != bus.Transient || r.Err.Reason != bus.ReasonJournal ||
				r.Err.Message != "The disk is full: nothing was changed." || !r.Err.Retryable() {
				t.Fatalf("answered %+v", r.Err)
			}
			audit.LimitPages(t, l, false)
			if r := add(); !r.OK() {
				t.Errorf("with room again: %+v", r.Err)
			}
		})
	}
}

func TestALockedFileIsSaidAndPasses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	l := open(t, path, options())
	b := pad(t, l)
	audit.Impatient(t, l)
	unlock := audit.Lock(t, path)
	add := bus.Invocation{Capability: "note.add", Arguments: []byte(`{"length":1}`),
		Caller: bus.Caller{Type: bus.CallerTest}}
	r := b.Invoke(t.Context(), add)
	if r.OK() || r.Err.Code != bus.Transient || r.Err.Message !=
		"Another program keeps the file locked: nothing was changed." {
		t.Errorf("answered %+v", r.Err)
	}
	unlock()
	if r := b.Invoke(t.Context(), add); !r.OK() {
		t.Errorf("when it is free: %+v", r.Err)
	}
	if n := count(t, l, `SELECT count(*) FROM items`); n != 1 {
		t.Errorf("%d notes", n)
	}
}

func TestWhatIsWrongWithAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	must(t, os.WriteFile(path, []byte(strings.Repeat("this is no database ", 500)), 0o600))
	_, err := audit.Open(t.Context(), path, options())
	if !audit.IsDamaged(err) || audit.IsFull(err) || audit.IsLocked(err) || audit.IsReadOnly(err) {
		t.Errorf("%v", err)
	}
	if audit.IsDamaged(errors.New("something else")) {
		t.Error("anything is damage")
	}
}

// TestAConstraintThatDoesNotHoldIsFound: a CHECK of a table finds damage that SQLite's own checks miss, such as the
// lost last page of a long value.
func TestAConstraintThatDoesNotHoldIsFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	o := options()
	o.Migrations = domain("-- +goose Up\nCREATE TABLE pictures (jpeg BLOB PRIMARY KEY CHECK (substr(jpeg, -2) = x'ffd9')) STRICT;")
	l := open(t, path, o)
	must(t, do(t, l, entry("r"), `INSERT INTO pictures VALUES (x'ffd9')`))
	if v, err := l.Verify(t.Context(), nil); err != nil || !v.OK {
		t.Fatalf("%+v, %v", v, err)
	}
	audit.Tamper(t, audit.DSN(l), `PRAGMA ignore_check_constraints = 1`, `INSERT INTO pictures VALUES (x'ffd800')`)
	v, err := l.Verify(t.Context(), nil)
	if err != nil || v.OK || !strings.Contains(v.Problem, "log.db is damaged") {
		t.Errorf("%+v, %v", v, err)
	}
	must(t, l.Close())
	if _, err := audit.Inspect(t.Context(), path, options()); err == nil || !strings.Contains(err.Error(),
		"CHECK constraint failed in pictures") {
		t.Errorf("%v", err)
	}
}
