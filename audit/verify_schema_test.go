package audit_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// ruledSchema has each kind of object that a schema can have.
const ruledSchema = `-- +goose Up
CREATE TABLE sales (
    id     INTEGER NOT NULL PRIMARY KEY, -- a number; CHECK (nothing)
    what   TEXT    NOT NULL CHECK (length(what) > 0 AND what <> 'CHECK (x)'),
    amount INTEGER NOT NULL CHECK (amount BETWEEN (0) AND 9000),
    UNIQUE (what, amount),
    CHECK (amount > 0 OR what = 'nothing')
) STRICT;
CREATE UNIQUE INDEX sales_once ON sales (what) WHERE amount > 8000;
CREATE INDEX sales_by_amount ON sales (amount);
CREATE TABLE derived_sums (what TEXT NOT NULL PRIMARY KEY, amount INTEGER NOT NULL CHECK (amount >= 0)) STRICT;
CREATE VIRTUAL TABLE derived_words USING fts5 (what, content = '', contentless_delete = 1);
CREATE VIEW derived_large AS SELECT what FROM sales WHERE amount > 5000;
-- +goose StatementBegin
CREATE TRIGGER sold AFTER INSERT ON sales BEGIN
    INSERT INTO derived_sums VALUES (NEW.what, NEW.amount) ON CONFLICT DO UPDATE SET amount = amount + excluded.amount;
    INSERT INTO derived_words (rowid, what) VALUES (NEW.id, NEW.what);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER unsold AFTER DELETE ON sales BEGIN
    UPDATE derived_sums SET amount = amount - OLD.amount WHERE what = OLD.what;
    DELETE FROM derived_words WHERE rowid = OLD.id;
END;
-- +goose StatementEnd`

// ruled are the options of a log with that schema, in two files, and a module.
func ruled() audit.Options {
	o := options()
	o.Migrations = fstest.MapFS{"00001_sales.sql": {Data: []byte(ruledSchema)},
		"00002_more.sql": {Data: []byte("-- +goose Up\nALTER TABLE sales ADD COLUMN note TEXT NOT NULL DEFAULT '';\n" +
			"CREATE TABLE old (id INTEGER PRIMARY KEY, n INTEGER CHECK (n > 0)) STRICT;\nALTER TABLE old RENAME TO things;")}}
	o.Modules = map[string]fs.FS{"extra": domain("-- +goose Up\n" +
		"CREATE TABLE agent_notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL CHECK (text <> '')) STRICT;")}
	o.Check = func(ctx context.Context, found func(string)) error {
		rows, err := audit.Tx(ctx).QueryContext(ctx, `SELECT what, amount FROM derived_sums WHERE amount <> 0
			EXCEPT SELECT what, SUM(amount) FROM sales GROUP BY 1`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var what string
			var n int
			if err := rows.Scan(&what, &n); err != nil {
				return err
			}
			found(fmt.Sprintf("The sum of %s is not %d.", what, n))
		}
		return rows.Err()
	}
	o.Rebuild = []string{`DELETE FROM derived_sums`, `INSERT INTO derived_sums SELECT what, SUM(amount) FROM sales GROUP BY 1`}
	return o
}

func ruledLog(t *testing.T) (*audit.Log, string) {
	path := filepath.Join(t.TempDir(), "log.db")
	l := open(t, path, ruled())
	must(t, do(t, l, entry("sell"), `INSERT INTO sales (id, what, amount) VALUES (1, 'tea', 4), (2, 'tea', 3), (3, 'cup', 9)`))
	must(t, do(t, l, entry("keep"), `INSERT INTO things VALUES (1, 1)`))
	if v := check(t, l); !v.OK {
		t.Fatalf("a log of which nothing was changed: %+v", v)
	}
	return l, path
}

// schemaChange is one way to change a schema, and the name of the object.
type schemaChange struct {
	name       string
	statements []string
}

// schemaChanges are the ways to change each object of a schema, read from the file.
func schemaChanges(t testing.TB, path string) (all []schemaChange) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	must(t, err)
	defer db.Close()
	rows, err := db.Query(`SELECT type, name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name`)
	must(t, err)
	defer rows.Close()
	add := func(name string, statements ...string) { all = append(all, schemaChange{name, statements}) }
	for rows.Next() {
		var kind, name, text string
		must(t, rows.Scan(&kind, &name, &text))
		edit := func(after string) {
			add(name, "PRAGMA writable_schema = ON", fmt.Sprintf("UPDATE sqlite_schema SET sql = %s WHERE type = '%s' AND name = '%s'",
				literal(after), kind, name))
		}
		switch {
		case strings.HasPrefix(name, "sqlite_"):
		case kind == "table" && strings.HasPrefix(text, "CREATE VIRTUAL"), strings.Contains(text, " TABLE '"): // a shadow
		case kind == "table":
			for from := 0; ; {
				at, end := nextCheck(text, from)
				if at < 0 {
					break
				}
				edit(text[:at] + text[end:])
				from = end
			}
			add(name, fmt.Sprintf("ALTER TABLE %s ADD COLUMN more TEXT", name))
			if weaker := strings.Replace(text, " NOT NULL", "", 1); weaker != text {
				edit(weaker)
			}
		default:
			add(name, fmt.Sprintf("DROP %s %s", kind, name))
			edit(strings.Replace(text, " ON ", "  /* */ ON ", 1) + " ")
			all = all[:len(all)-1] // white space and comments are no change
			if kind == "trigger" {
				edit(strings.Replace(text, "BEGIN", "WHEN 0 BEGIN", 1))
			}
		}
	}
	add("more", "CREATE TABLE more (id INTEGER PRIMARY KEY)")
	add("peek", "CREATE VIEW peek AS SELECT 1")
	add("once", "CREATE UNIQUE INDEX once ON audit_records (hash)")
	return all
}

// nextCheck finds a constraint of a table outside of its comments and strings.
func nextCheck(text string, from int) (at, end int) {
	for i := from; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], "--"):
			i += strings.IndexByte(text[i:]+"\n", '\n')
		case text[i] == '\'':
			i += 1 + strings.IndexByte(text[i+1:], '\'')
		case strings.HasPrefix(text[i:], "CHECK ("):
			depth := 0
			for end = i + len("CHECK "); end < len(text); end++ {
				if text[end] == '(' {
					depth++
				} else if text[end] == ')' {
					if depth--; depth == 0 {
						at = i
						if before := strings.TrimRight(text[:i], " \n"); strings.HasSuffix(before, ",") { // of the table
							at = len(before) - 1
						}
						return at, end + 1
					}
				}
			}
		}
	}
	return -1, 0
}

// TestU4EachChangeOfTheSchemaIsFound changes each trigger, index, view, CHECK and table as the file has them.
// holds: U4
func TestU4EachChangeOfTheSchemaIsFound(t *testing.T) {
	l, path := ruledLog(t)
	must(t, l.Close())
	file, err := os.ReadFile(path)
	must(t, err)
	changes, checks := schemaChanges(t, path), 0
	for _, c := range changes {
		if strings.HasPrefix(c.statements[0], "PRAGMA") {
			checks++
		}
		path := onDisk(t, file)
		must(t, change(path, c.statements))
		l, err := audit.Open(context.Background(), path, ruled())
		if err != nil {
			continue // a table without a key, a trigger that writes elsewhere
		}
		v, err := l.Verify(context.Background(), nil)
		if err != nil || v.OK || !strings.Contains(v.Problem, c.name) || v.Remedy == "" {
			t.Errorf("%s: %+v %v", c.statements, v, err)
		}
		must(t, l.Close())
	}
	if len(changes) < 80 || checks < 20 {
		t.Errorf("%d changes, %d of them of a text, are too few to tell", len(changes), checks)
	}
}

// TestU4TheVersionsOfTheSchemaAreCompared with the migrations: a row that is gone or was added hides a migration.
// holds: U4
func TestU4TheVersionsOfTheSchemaAreCompared(t *testing.T) {
	l, path := ruledLog(t)
	must(t, l.Close())
	file, err := os.ReadFile(path)
	must(t, err)
	for _, statement := range []string{`DELETE FROM goose_domain WHERE version_id = 1`,
		`INSERT INTO goose_domain (version_id, is_applied) VALUES (1, 1)`,
		`DELETE FROM goose_module_extra WHERE version_id = 0`, `UPDATE audit_schema SET is_applied = 0 WHERE version_id = 0`} {
		path := onDisk(t, file)
		must(t, change(path, []string{statement}))
		l, err := audit.Open(context.Background(), path, ruled())
		if err != nil {
			continue // a migration is run again
		}
		if v := check(t, l); v.OK || !strings.Contains(v.Problem, strings.Fields(statement)[2]) && !strings.Contains(v.Problem,
			strings.Fields(statement)[1]) {
			t.Errorf("%s: %+v", statement, v)
		}
		must(t, l.Close())
	}
}

// TestU4WhatIsNoPartOfASchemaIsNoChange: comments, white space, SQLite's own tables, and a different number of
// migrations are no change of a schema.
//
// holds: U4
func TestU4WhatIsNoPartOfASchemaIsNoChange(t *testing.T) {
	first := ruled()
	first.Migrations = fstest.MapFS{"00001_sales.sql": {Data: []byte(strings.NewReplacer("-- a number; CHECK (nothing)",
		"-- another word,\n  -- and one more", "what   TEXT", "what TEXT").Replace(ruledSchema))}}
	path := filepath.Join(t.TempDir(), "log.db")
	l, err := audit.Open(context.Background(), path, first)
	must(t, err)
	must(t, do(t, l, entry("sell"), `INSERT INTO sales (id, what, amount) VALUES (1, 'tea', 4)`))
	must(t, l.Close())
	must(t, change(path, []string{"ANALYZE", "VACUUM", "REINDEX"}))
	l = open(t, path, ruled())
	if v := check(t, l); !v.OK {
		t.Errorf("%+v", v)
	}
}

// TestU4AFileWithoutARecordIsNotWhole, however it came to be.
// holds: U4
func TestU4AFileWithoutARecordIsNotWhole(t *testing.T) {
	for name, file := range map[string]*string{"no file": nil, "no bytes": new(string)} {
		path := filepath.Join(t.TempDir(), "log.db")
		if file != nil {
			must(t, os.WriteFile(path, []byte(*file), 0o600))
		}
		l := open(t, path, ruled())
		if v := check(t, l); v.OK || v.Problem == "" || v.Remedy == "" {
			t.Errorf("%s: %+v", name, v)
		}
		must(t, l.Record(context.Background(), entry("first")))
		if v := check(t, l); !v.OK {
			t.Errorf("%s, and a record: %+v", name, v)
		}
	}
}

// TestRebuildMakesTheSchemaAndTheDerivedTablesAgain: a rebuild restores triggers, indexes, views and derived sums, and
// verify then finds no problem.
func TestRebuildMakesTheSchemaAndTheDerivedTablesAgain(t *testing.T) {
	l, path := ruledLog(t)
	must(t, change(path, []string{`DROP TRIGGER sold`, `DROP INDEX sales_once`, `DROP VIEW derived_large`,
		`DROP INDEX audit_records_request`, `CREATE VIEW peek AS SELECT 1`, `CREATE UNIQUE INDEX once ON sales (amount)`,
		`UPDATE derived_sums SET amount = 1 WHERE what = 'tea'`}))
	if v := check(t, l); v.OK || !strings.Contains(v.Problem, ", +3.") {
		t.Errorf("%+v", v)
	}
	state := func() audit.StateVerdict {
		t.Helper()
		v, err := l.VerifyState(context.Background(), nil)
		must(t, err)
		return v
	}
	if v := state(); v.OK || len(v.Unexplained) != 1 || v.Remedy == "" {
		t.Errorf("%+v", v)
	}
	rebuilt := func(id string) (n int, failed *bus.Error) {
		t.Helper()
		e := entry(id)
		must(t, l.Do(context.Background(), e, func(ctx context.Context, _ bus.Exec) (err error) {
			if n, err = l.RebuildRollups(ctx, nil); err != nil && !errors.As(err, &failed) {
				t.Error(err)
			}
			if err != nil {
				e.Result = bus.Result{Status: bus.StatusError, Err: failed}
			}
			return err
		}))
		return n, failed
	}
	if n, failed := rebuilt("rebuild"); n != 7 || failed != nil {
		t.Errorf("%d were made again, %v", n, failed)
	}
	if v := check(t, l); !v.OK {
		t.Errorf("%+v", v)
	}
	if v := state(); !v.OK {
		t.Errorf("%+v", v)
	}
	must(t, do(t, l, entry("sell more"), `INSERT INTO sales (id, what, amount) VALUES (4, 'tea', 5)`))
	if v := state(); !v.OK {
		t.Errorf("the triggers: %+v", v)
	}
	must(t, change(path, []string{`ALTER TABLE things ADD COLUMN more TEXT`}))
	if _, failed := rebuilt("a table"); failed == nil || failed.Code != bus.PreconditionFailed ||
		!strings.Contains(failed.Message, "things") {
		t.Errorf("a table cannot be made again: %v", failed)
	}
}
