package audit_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deskhand/deskhand/audit"
)

const derivedBase = "CREATE TABLE derived_sums (n INTEGER) STRICT;"

func trigger(body string) string {
	return "\n-- +goose StatementBegin\nCREATE TRIGGER bad AFTER INSERT ON base BEGIN " + body +
		" END;\n-- +goose StatementEnd\n"
}

func TestOpenRefusesTablesWhoseChangesItCannotSee(t *testing.T) {
	const base = "CREATE TABLE base (id INTEGER PRIMARY KEY) STRICT;"
	for name, tt := range map[string]struct{ ddl, says string }{
		"no key": {"CREATE TABLE bad (n INTEGER) STRICT;", "bad has no primary key"},
		"virtual column": {"CREATE TABLE bad (id INTEGER PRIMARY KEY, twice INTEGER AS (id * 2)) STRICT;",
			"virtual generated column twice"},
		"trigger": {base + "\n-- +goose StatementBegin\nCREATE TRIGGER bad AFTER INSERT ON base BEGIN DELETE " +
			"FROM base; END;\n-- +goose StatementEnd\n", "trigger bad"},
		"trigger, second": {base + derivedBase + trigger("UPDATE derived_sums SET n = n + 1; UPDATE base SET id = 3;"),
			"trigger bad"},
		"trigger, select":   {base + derivedBase + trigger("SELECT n FROM derived_sums;"), "trigger bad"},
		"trigger, rollback": {base + derivedBase + trigger("SELECT RAISE(ROLLBACK, 'no');"), "trigger bad"},
		"trigger, fail":     {base + derivedBase + trigger("SELECT RAISE(FAIL, 'no');"), "trigger bad"},
		"trigger, or":       {base + derivedBase + trigger("INSERT OR REPLACE INTO derived_sums VALUES (1);"), "trigger bad"},
		"deferred key": {base + "CREATE TABLE bad (id INTEGER PRIMARY KEY, b INTEGER REFERENCES base (id) DEFERRABLE " +
			"INITIALLY DEFERRED);", "deferred foreign key"},
		"conflict rollback": {"CREATE TABLE bad (id INTEGER PRIMARY KEY ON CONFLICT ROLLBACK);", "ON CONFLICT ROLLBACK"},
		"conflict replace": {"CREATE TABLE bad (id INTEGER PRIMARY KEY, n UNIQUE ON CONFLICT /* ! */ REPLACE);",
			"ON CONFLICT REPLACE"},
	} {
		t.Run(name, func(t *testing.T) {
			o := options()
			o.Migrations = domain("-- +goose Up\n" + tt.ddl)
			l, err := audit.Open(context.Background(), filepath.Join(t.TempDir(), "log.db"), o)
			if err == nil {
				_ = l.Close()
			}
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error: %v", err)
			}
		})
	}
}

func TestOpenAcceptsStoredColumnsViewsAndSearchTables(t *testing.T) {
	o := options()
	o.Migrations = domain(`-- +goose Up
CREATE TABLE fine (id INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER, twice INTEGER AS (n * 2) STORED,
		note TEXT DEFAULT 'on conflict rollback') STRICT;
CREATE VIEW seen AS SELECT n FROM fine;
CREATE VIRTUAL TABLE words USING fts5 (text);`)
	l := open(t, filepath.Join(t.TempDir(), "log.db"), o)
	e := entry("r")
	must(t, do(t, l, e, `INSERT INTO fine (n) VALUES (4)`))
	if got := lines(e.Effects); len(got) != 1 ||
		got[0] != "insert fine{id:1} - > {id:1,n:4,note:on conflict rollback,twice:8}" {
		t.Errorf("effects: %v", got)
	}
}

// TestATriggerMayRefuseAChange: a trigger protects a table of rows that are never deleted.
func TestATriggerMayRefuseAChange(t *testing.T) {
	o := options()
	o.Migrations = domain(`-- +goose Up
CREATE TABLE pages (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
-- +goose StatementBegin
CREATE TRIGGER stays BEFORE DELETE ON pages BEGIN
    SELECT RAISE (ABORT, 'a page stays');
END;
-- +goose StatementEnd`)
	l := open(t, filepath.Join(t.TempDir(), "log.db"), o)
	must(t, do(t, l, entry("written"), `INSERT INTO pages VALUES (1, 'one'), (2, 'two')`))
	e := entry("torn out")
	must(t, do(t, l, e, `INSERT INTO pages VALUES (3, 'three')`, `DELETE FROM pages WHERE id = 1`))
	if e.Result.OK() {
		t.Error("done")
	}
	var n int
	if err := l.View(t.Context(), func(ctx context.Context) error {
		return audit.Tx(ctx).QueryRowContext(ctx, `SELECT count(*) FROM pages`).Scan(&n)
	}); err != nil || n != 2 {
		t.Errorf("%d pages, %v; want 2", n, err)
	}
}

// TestDerivedTablesFollowAndAreNoEffects: triggers keep derived tables up to date, and their rows are no effects. A
// failed call leaves them unchanged, and a handler cannot write to them.
func TestDerivedTablesFollowAndAreNoEffects(t *testing.T) {
	o := options()
	o.Migrations = domain(`-- +goose Up
CREATE TABLE sales (id INTEGER NOT NULL PRIMARY KEY, what TEXT NOT NULL, amount INTEGER NOT NULL) STRICT;
CREATE TABLE derived_sums (what TEXT NOT NULL PRIMARY KEY, amount INTEGER NOT NULL) STRICT;
CREATE VIRTUAL TABLE derived_words USING fts5 (what, content = '', contentless_delete = 1);
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
-- +goose StatementEnd`)
	l := open(t, filepath.Join(t.TempDir(), "log.db"), o)
	sum := func(want string) {
		t.Helper()
		var got string
		err := l.View(t.Context(), func(ctx context.Context) error {
			return audit.Tx(ctx).QueryRowContext(ctx,
				`SELECT what || ' ' || amount || ' ' || (SELECT count(*) FROM derived_words
						WHERE derived_words MATCH 'tea') FROM derived_sums`).Scan(&got)
		})
		if must(t, err); got != want {
			t.Errorf("derived: %q, want %q", got, want)
		}
	}
	e := entry("r")
	must(t, do(t, l, e, `INSERT INTO sales VALUES (1, 'tea', 4), (2, 'tea', 3)`))
	if got := lines(e.Effects); len(got) != 2 || !strings.HasPrefix(got[0], "insert sales") ||
		!strings.HasPrefix(got[1], "insert sales") {
		t.Errorf("effects: %v", got)
	}
	sum("tea 7 2")
	before := stateHash(t, l)
	refused := func(statements ...string) {
		t.Helper()
		e := entry(statements[0])
		must(t, do(t, l, e, statements...))
		if e.Result.OK() {
			t.Errorf("done: %s", statements)
		}
	}
	refused(`INSERT INTO sales VALUES (3, 'tea', 1)`, `INSERT INTO sales VALUES (3, 'tea', 2)`)
	sum("tea 7 2")
	must(t, do(t, l, entry("d"), `DELETE FROM sales WHERE id = 2`))
	sum("tea 4 1")
	must(t, do(t, l, entry("b"), `INSERT INTO sales VALUES (2, 'tea', 3)`))
	sum("tea 7 2")
	if after := stateHash(t, l); after != before {
		t.Errorf("the state was %s and is %s", before, after)
	}
	for _, by := range []string{`UPDATE derived_sums SET amount = 9`, `DELETE FROM "derived_words"`,
		`INSERT INTO Derived_Words_data VALUES (9, x'00')`} {
		refused(by)
	}
	sum("tea 7 2")
}

func TestAFileOfANewerProgramIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	o := options()
	newer := fstest.MapFS{
		"00001_domain.sql": {Data: []byte(schema)},
		"00002_more.sql":   {Data: []byte("-- +goose Up\nCREATE TABLE more (id INTEGER PRIMARY KEY);")},
	}
	o.Migrations = newer
	must(t, open(t, path, o).Close())
	if l, err := audit.Open(context.Background(), path, options()); err == nil {
		_ = l.Close()
		t.Error("an older program opened it")
	} else if !strings.Contains(err.Error(), "newer version") {
		t.Errorf("error: %v", err)
	}
	must(t, open(t, path, o).Close())
	audit.Tamper(t, "file:"+path, `INSERT INTO audit_schema (version_id, is_applied) VALUES (999, 1)`)
	if l, err := audit.Open(context.Background(), path, o); err == nil {
		_ = l.Close()
		t.Error("an older journal opened it")
	} else if !strings.Contains(err.Error(), "newer version") {
		t.Errorf("error: %v", err)
	}
}

func TestAnOlderFileIsBroughtUpToDate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "with space & ?#%41.db")
	l := open(t, path, options())
	must(t, do(t, l, entry("r"), `INSERT INTO counters VALUES (1, 1)`))
	must(t, l.Close())
	o := options()
	o.Migrations = fstest.MapFS{
		"00001_domain.sql": {Data: []byte(schema)},
		"00002_more.sql":   {Data: []byte("-- +goose Up\nALTER TABLE counters ADD COLUMN note TEXT;")},
	}
	l = open(t, path, o)
	e := entry("r2")
	must(t, do(t, l, e, `UPDATE counters SET note = 'x'`))
	if got := lines(e.Effects); len(got) != 1 || got[0] != "update counters{id:1} {note:-} > {note:x}" {
		t.Errorf("effects: %v", got)
	}
}

func TestAJournalWithoutADomainWorks(t *testing.T) {
	l := open(t, filepath.Join(t.TempDir(), "log.db"), audit.Options{})
	must(t, l.Record(context.Background(), entry("r")))
	if n := len(recorded(t, l, "r")); n != 1 {
		t.Errorf("records: %d", n)
	}
}

func TestAFolderThatIsNotThereIsSaid(t *testing.T) {
	if _, err := audit.Open(context.Background(), filepath.Join(t.TempDir(), "none", "log.db"), options()); err == nil {
		t.Error("it opened")
	}
}
