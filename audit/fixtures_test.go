package audit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// writeFixture writes testdata/schemaN.sqlite for the newest schema: do it once,
// when a migration was added.
//
//	go test ./audit -run TestWriteFixture -write-fixture
var writeFixture = flag.Bool("write-fixture", false, "write the fixture of the newest schema")

func TestWriteFixture(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fixture.db")
	l := open(t, path, signing(1))
	fill(t, l)
	prove(t, l, "agents", false)
	must(t, l.Close())
	audit.Tamper(t, "file:"+path, "PRAGMA journal_mode = DELETE", "VACUUM")
	if !*writeFixture {
		openFixture(t, path)
		return
	}
	data, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(fixture(audit.SchemaVersion(t)), data, 0o644))
}

func fixture(version int) string {
	return filepath.Join("testdata", fmt.Sprintf("schema%d.sqlite", version))
}

// fill writes records of many kinds: with effects, a key, a failure, a violation,
// an agent's, a read, a step that was never finished, and an erased one.
func fill(t *testing.T, l *audit.Log) {
	t.Helper()
	full := entry("req_full")
	full.Key = &bus.Key{CallerType: bus.CallerUI, Capability: "item.add", Value: "key-1", Arguments: "args-digest"}
	full.Summary = "Four apricots came in"
	must(t, do(t, l, full, `INSERT INTO items (id, name, amount) VALUES ('a', 'Apricot', 4)`,
		`INSERT INTO parts VALUES ('a', 1, NULL, x'00ff')`))
	must(t, l.Record(context.Background(), failed("failed", bus.Conflict, bus.ReasonBusy)))
	wrong := failed("wrong", bus.Validation, bus.ReasonArguments)
	wrong.Kind, wrong.Result.Err.SchemaSide, wrong.Result.Err.Violations = bus.KindSchemaViolation, "request",
		[]bus.Violation{{Path: "/id", Message: "must be a text"}}
	must(t, l.Record(context.Background(), wrong))
	agents := entry("agents")
	agents.Invocation.Caller, agents.Invocation.Principal.ConversationID = bus.Caller{
		Type: bus.CallerAgent, Source: "chat_1", TriggeringMessage: "Two more apricots"}, "chat_1"
	agents.Decision = &bus.Decision{Rule: bus.RuleConfirm, By: "u1", Answer: "allow", Asked: 1200 * time.Millisecond}
	must(t, do(t, l, agents, `UPDATE items SET amount = 6 WHERE id = 'a'`))
	looked := entry("looked")
	looked.Read, looked.SideEffect = true, bus.Pure
	must(t, l.Record(context.Background(), looked))
	must(t, l.Begin(context.Background(), step("mail")))
	gone := entry("gone")
	gone.Invocation.Arguments = json.RawMessage(`{"name":"Zofia Wisniewska"}`)
	must(t, l.Record(context.Background(), gone))
	must(t, l.Do(context.Background(), entry("erase"), func(ctx context.Context, _ bus.Exec) error {
		_, err := l.Erase(ctx, "Wisniewska")
		return err
	}))
}

// openFixture brings a fixture up to date and works with it.
func openFixture(t *testing.T, path string) {
	t.Helper()
	l := open(t, path, options())
	v := check(t, l)
	want := audit.Verdict{Records: 7, Reads: 1, Erased: 1}
	if !v.OK || v.Records != want.Records || v.Reads != want.Reads || v.Erased != want.Erased {
		t.Errorf("verdict: %+v", v)
	}
	stored := lookup(t, l, &bus.Key{CallerType: bus.CallerUI, Capability: "item.add", Value: "key-1"})
	if stored == nil || stored.RequestID != "req_full" {
		t.Errorf("the idempotency result: %+v", stored)
	}
	if page, err := l.Search(context.Background(), audit.Query{Text: "apricot*"}); err != nil || len(page.Records) == 0 {
		t.Errorf("found %+v %v", page, err)
	}
	if s, err := l.Stats(context.Background(), 0, 0); err != nil || len(s.Capabilities) == 0 {
		t.Errorf("statistics: %+v %v", s, err)
	}
	if r := recorded(t, l, "mail"); len(r) != 1 || r[0].Reason != bus.ReasonInterrupted {
		t.Errorf("the step that was never finished: %+v", r)
	}
	b := bus.New(bus.Options{Journal: l})
	b.MustRegister(bus.Capability{Name: "item.add", Title: "Add", Description: "Adds.", SideEffect: bus.UIOnly,
		Resources:  []string{"database:write"},
		Reversible: true, Handler: func(context.Context, *bus.Call) (json.RawMessage, error) { return nil, nil }},
		audit.UndoCapability(l))
	ok(t, undo(b, "undo", "agents"))
	if n := count(t, l, `SELECT amount FROM items`); n != 4 {
		t.Errorf("undone to %d, not 4", n)
	}
	if v := check(t, l); !v.OK || v.Records != want.Records+1 {
		t.Errorf("written to: %+v", v)
	}
}

// TestALogOfEverySchemaIsBroughtUpToDate opens and restores a file of every schema version, the newest included,
// because its files must stay readable.
func TestALogOfEverySchemaIsBroughtUpToDate(t *testing.T) {
	for version := 1; version <= audit.SchemaVersion(t); version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "log.db")
			copyFile(t, fixture(version), path)
			openFixture(t, path)
			l := open(t, filepath.Join(dir, "other.db"), options())
			must(t, do(t, l, entry("r"), `INSERT INTO counters VALUES (1, 1)`))
			_, err := restore(l, "restore", fixture(version), filepath.Join(dir, "aside.db"))
			must(t, err)
			if v := check(t, l); !v.OK || count(t, l, `SELECT count(*) FROM items`) != 1 || len(recorded(t, l, "restore")) != 1 {
				t.Errorf("restored: %+v", v)
			}
		})
	}
}

// TestAFileOfAnotherProgramGetsNoTables: Open refuses a database with tables of another program before it creates its
// own.
func TestAFileOfAnotherProgramGetsNoTables(t *testing.T) {
	dsn := "file:" + filepath.Join(t.TempDir(), "log.db")
	audit.Tamper(t, dsn, `CREATE TABLE stamps (id INTEGER, country TEXT)`, `INSERT INTO stamps VALUES (1, 'Sweden')`)
	_, err := audit.Open(context.Background(), strings.TrimPrefix(dsn, "file:"), options())
	if err == nil || !strings.Contains(err.Error(), "is the database of another program: it was left as it is") {
		t.Errorf("error: %v", err)
	}
	audit.Tamper(t, dsn, `INSERT INTO stamps (id) SELECT CASE count(*) WHEN 1 THEN 2 ELSE json('not alone') END
		FROM sqlite_schema`)
}

// TestAProgramGivesItsFileToTheLog: with Adopt the log is added to a database with rows, whose next changes it records.
func TestAProgramGivesItsFileToTheLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stamps.db")
	audit.Tamper(t, "file:"+path, `CREATE TABLE stamps (id INTEGER PRIMARY KEY, country TEXT) STRICT`,
		`INSERT INTO stamps VALUES (1, 'Sweden')`)
	o := options()
	o.Migrations, o.Adopt = nil, true
	l := open(t, path, o)
	must(t, do(t, l, entry("r"), `UPDATE stamps SET country = 'Norway'`))
	if found := recorded(t, l, "r"); len(found) != 1 || found[0].Effects[0].Before["country"] != "Sweden" {
		t.Errorf("recorded: %+v", found)
	}
	must(t, l.Close())
	o.Adopt = false
	open(t, path, o) // it has a log now
}

func TestAFileOfANewerProgramIsLeftAsItIs(t *testing.T) {
	for _, versions := range []string{"audit_schema", "goose_domain"} {
		path := filepath.Join(t.TempDir(), "log.db")
		l := open(t, path, options())
		must(t, do(t, l, entry("r"), `INSERT INTO counters VALUES (1, 1)`))
		must(t, l.Close())
		audit.Tamper(t, "file:"+path, `INSERT INTO `+versions+` (version_id, is_applied) VALUES (999, 1)`)
		before, err := os.ReadFile(path)
		must(t, err)
		_, err = audit.Open(context.Background(), path, options())
		if err == nil || !strings.Contains(err.Error(),
			"was written by a newer version of this program (its data is version 999 of "+versions) ||
			!strings.Contains(err.Error(), "install the newer program") {
			t.Errorf("error: %v", err)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: it was changed: %v", versions, err)
		}
	}
}
