package audit_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deskhand/deskhand/audit"
)

func TestOpenRefusesTablesWhoseChangesItCannotSee(t *testing.T) {
	const base = "CREATE TABLE base (id INTEGER PRIMARY KEY) STRICT;"
	for name, tt := range map[string]struct{ ddl, says string }{
		"no key":            {"CREATE TABLE bad (n INTEGER) STRICT;", "bad has no primary key"},
		"virtual column":    {"CREATE TABLE bad (id INTEGER PRIMARY KEY, twice INTEGER AS (id * 2)) STRICT;", "virtual generated column twice"},
		"trigger":           {base + "\n-- +goose StatementBegin\nCREATE TRIGGER bad AFTER INSERT ON base BEGIN DELETE FROM base; END;\n-- +goose StatementEnd\n", "trigger bad"},
		"deferred key":      {base + "CREATE TABLE bad (id INTEGER PRIMARY KEY, b INTEGER REFERENCES base (id) DEFERRABLE INITIALLY DEFERRED);", "deferred foreign key"},
		"conflict rollback": {"CREATE TABLE bad (id INTEGER PRIMARY KEY ON CONFLICT ROLLBACK);", "ON CONFLICT ROLLBACK"},
		"conflict replace":  {"CREATE TABLE bad (id INTEGER PRIMARY KEY, n UNIQUE ON CONFLICT /* ! */ REPLACE);", "ON CONFLICT REPLACE"},
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
CREATE TABLE fine (id INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER, twice INTEGER AS (n * 2) STORED, note TEXT DEFAULT 'on conflict rollback') STRICT;
CREATE VIEW seen AS SELECT n FROM fine;
CREATE VIRTUAL TABLE words USING fts5 (text);`)
	l := open(t, filepath.Join(t.TempDir(), "log.db"), o)
	e := entry("r")
	must(t, do(t, l, e, `INSERT INTO fine (n) VALUES (4)`))
	if got := lines(e.Effects); len(got) != 1 || got[0] != "insert fine{id:1} - > {id:1,n:4,note:on conflict rollback,twice:8}" {
		t.Errorf("effects: %v", got)
	}
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
