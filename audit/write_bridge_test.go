package audit_test

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

const noteSchema = `-- +goose Up
CREATE TABLE agent_notes (id INTEGER PRIMARY KEY, item TEXT) STRICT;
`

func noteLog(t *testing.T) *audit.Log {
	o := options()
	o.Modules = map[string]fs.FS{"agent": domain(noteSchema)}
	return open(t, filepath.Join(t.TempDir(), "log.db"), o)
}

func inflightRow(ctx context.Context, query string, args ...any) error {
	_, err := audit.Tx(ctx).ExecBridge(ctx, query, args...)
	return err
}

func TestANoteIsPartOfTheTransactionAndNoEffect(t *testing.T) {
	l := noteLog(t)
	e := entry("r1")
	must(t, l.Do(context.Background(), e, func(ctx context.Context, _ bus.Exec) error {
		if _, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO items (id, name) VALUES ('a', 'A')`); err != nil {
			return err
		}
		return inflightRow(ctx, `INSERT INTO agent_notes (item) VALUES (?)`, "a")
	}))
	if len(e.Effects) != 1 || e.Effects[0].Table != "items" || count(t, l, `SELECT count(*) FROM agent_notes`) != 1 {
		t.Errorf("%+v", e.Effects)
	}
	before := stateHash(t, l)
	failing := failed("r2", bus.Conflict, bus.ReasonBusy)
	must(t, l.Do(context.Background(), failing, func(ctx context.Context, _ bus.Exec) error {
		if err := inflightRow(ctx, `DELETE FROM agent_notes`); err != nil {
			t.Error(err)
		}
		return failing.Result.Err
	}))
	must(t, l.UpdateBridge(context.Background(), func(ctx context.Context) error {
		return inflightRow(ctx, `INSERT INTO agent_notes (item) VALUES ('b')`)
	}))
	if n := count(t, l, `SELECT count(*) FROM agent_notes`); n != 2 || stateHash(t, l) != before {
		t.Errorf("%d notes", n)
	}
	if n := count(t, l, `SELECT count(*) FROM audit_records`); n != 2 {
		t.Errorf("%d records", n)
	}
}

func TestANoteChangesABridgesTablesOnly(t *testing.T) {
	l := noteLog(t)
	must(t, do(t, l, entry("r1"), `INSERT INTO items (id, name) VALUES ('a', 'A')`))
	for _, statement := range []string{"DELETE FROM items", "UPDATE items SET name = ''",
		"INSERT INTO audit_keys DEFAULT VALUES", "DROP TABLE agent_notes",
		"DELETE FROM agent_notes; DELETE FROM items", "INSERT OR REPLACE INTO agent_notes VALUES (1, '')",
		`DELETE FROM "items"`, "COMMIT", "", "UPDATE"} {
		if err := l.UpdateBridge(context.Background(), func(ctx context.Context) error {
			return inflightRow(ctx, statement)
		}); err == nil {
			t.Errorf("allowed: %q", statement)
		}
	}
	err := l.UpdateBridge(context.Background(), func(ctx context.Context) error {
		_, err := audit.Tx(ctx).ExecContext(ctx, `DELETE FROM items`)
		return err
	})
	if err == nil || count(t, l, `SELECT count(*) FROM items`) != 1 {
		t.Errorf("the domain was changed without a record: %v", err)
	}
	if err := l.View(context.Background(), func(ctx context.Context) error {
		return inflightRow(ctx, `DELETE FROM agent_notes`)
	}); err == nil {
		t.Error("a view wrote")
	}
}

func TestANoteThatFailsLeavesNothing(t *testing.T) {
	l := noteLog(t)
	broken := errors.New("broken")
	err := l.UpdateBridge(context.Background(), func(ctx context.Context) error {
		if err := inflightRow(ctx, `INSERT INTO agent_notes (item) VALUES ('a')`); err != nil {
			t.Error(err)
		}
		return broken
	})
	if !errors.Is(err, broken) || count(t, l, `SELECT count(*) FROM agent_notes`) != 0 {
		t.Errorf("%v", err)
	}
}

// TestALogIsADatabaseOfTheBridge: a change of the bridge's own tables is no effect, and a change of another table is
// one.
func TestALogIsADatabaseOfTheBridge(t *testing.T) {
	l := noteLog(t)
	e := entry("r")
	stop := errors.New("enough")
	must(t, l.Do(t.Context(), e, func(ctx context.Context, _ bus.Exec) error {
		err := l.Exec(ctx, `INSERT INTO items (id, name) VALUES ($1, $2), ($2, $1)`, "a", "b")
		must(t, errors.Join(err, l.Exec(ctx, `INSERT INTO agent_notes (item) VALUES ($1)`, "a")))
		var names []string
		read := func(scan func(...any) error) error {
			var name string
			err := scan(&name)
			names = append(names, name)
			return err
		}
		must(t, l.Query(ctx, read, `SELECT name FROM items UNION ALL SELECT item FROM agent_notes ORDER BY 1`))
		if strings.Join(names, "") != "aab" {
			t.Errorf("read %v", names)
		}
		if err := l.Query(ctx, func(func(...any) error) error { return stop }, `SELECT 1`); !errors.Is(err, stop) {
			t.Error(err)
		}
		return nil
	}))
	if len(e.Effects) != 2 || e.Effects[0].Table != "items" {
		t.Errorf("%+v", e.Effects)
	}
	if err := l.Exec(t.Context(), `INSERT INTO agent_notes (item) VALUES ('c')`); err == nil {
		t.Error("it runs without a transaction")
	}
}
