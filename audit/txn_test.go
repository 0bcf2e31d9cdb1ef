package audit_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// attempt runs one statement in a transaction and returns its own error.
func attempt(t *testing.T, l *audit.Log, statement string, args ...any) error {
	t.Helper()
	var got error
	e := entry("r")
	must(t, l.Do(context.Background(), e, func(ctx context.Context, _ bus.Exec) error {
		_, got = audit.Tx(ctx).ExecContext(ctx, statement, args...)
		return nil // even a handler that hides the error
	}))
	return got
}

func TestStatementsThatReachBeyondTheDomainAreRefused(t *testing.T) {
	l := newLog(t)
	for _, statement := range []string{
		"BEGIN", "COMMIT", "END", "ROLLBACK", "/* x */ rollback", "-- x\nCOMMIT", "SAVEPOINT a", "RELEASE entry",
		"ROLLBACK TO entry",
		"PRAGMA foreign_keys = OFF", "ATTACH 'x.db' AS x", "DETACH x", "VACUUM", "VACUUM INTO 'x.db'", "REINDEX", "ANALYZE",
		"CREATE TABLE x (id INTEGER PRIMARY KEY)", "CREATE TEMP TABLE x (id)", "DROP TABLE items",
		"ALTER TABLE items ADD COLUMN x",
		"EXPLAIN DELETE FROM items", "", ";", "-- nothing", `"items"`,
		"DELETE FROM audit_records", `DELETE FROM "audit_records"`, "DELETE FROM [Audit_Records]",
		"DELETE FROM `audit_records`",
		"DELETE FROM main.audit_records", "DELETE FROM main.'audit_records'", "UPDATE OR IGNORE audit_heads SET seq = 0",
		"INSERT INTO agent_messages VALUES (1)", "INSERT INTO goose_domain DEFAULT VALUES", "DELETE FROM sqlite_sequence",
		"WITH x AS (SELECT 1) DELETE FROM audit_keys",
		"INSERT INTO items (id, name) SELECT request_id, '' FROM audit_records",
		"INSERT OR ROLLBACK INTO items (id, name) VALUES ('a', 'b')", "UPDATE OR FAIL items SET name = ''",
		"INSERT OR REPLACE INTO items (id, name) VALUES ('a', 'b')", "REPLACE INTO items (id, name) VALUES ('a', 'b')",
		"DELETE FROM items; COMMIT", "SELECT 1; DELETE FROM items", "DELETE FROM items\x00; COMMIT",
	} {
		if err := attempt(t, l, statement); err == nil {
			t.Errorf("allowed: %q", statement)
		}
	}
	if n := count(t, l, `SELECT count(*) FROM items`); n != 0 {
		t.Errorf("items: %d", n)
	}
	if v, err := l.Verify(context.Background(), nil); err != nil || !v.OK {
		t.Errorf("verdict: %+v %v", v, err)
	}
}

func TestOrdinaryStatementsAreAllowed(t *testing.T) {
	l := newLog(t)
	for _, statement := range []string{
		"INSERT INTO items (id, name) VALUES ('a', 'it''s; COMMIT'); -- done",
		"WITH x (id) AS (SELECT 'b') INSERT INTO items (id, name) SELECT id, 'B' FROM x WHERE true ON CONFLICT (id) DO " +
			"UPDATE SET name = 'B'",
		"UPDATE items SET name = replace(name, 'it', 'that')",
		"INSERT OR IGNORE INTO items (id, name) VALUES ('a', 'B')",
		"DELETE FROM items WHERE id IN (SELECT request_id FROM (SELECT 'x' AS request_id))",
		"SELECT count(*) FROM audit_records",
		"VALUES (1)",
		"SELECT [a;b], \"c;d\", `e;f` FROM (SELECT 1 AS [a;b], 2 AS \"c;d\", 3 AS `e;f`) /* ; */",
	} {
		if err := attempt(t, l, statement); err != nil {
			t.Errorf("refused: %v", err)
		}
	}
}

func TestTextThatARecordCannotSayIsRefused(t *testing.T) {
	l := newLog(t)
	type word string
	for name, arg := range map[string]any{
		"string": "a\x00b", "kind of string": word("a\x00b"), "valuer": sql.NullString{String: "a\x00b", Valid: true},
		"named":     sql.Named("n", "a\x00b"),
		"not UTF-8": "a\xffb",
	} {
		err := attempt(t, l, "INSERT INTO items (id, name) VALUES ('a', :n)", arg)
		var coded *bus.Error
		if !errors.As(err, &coded) || coded.Code != bus.Validation {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, attempt(t, l, "INSERT INTO parts (item, no, raw) SELECT id, 1, ? FROM items", []byte("a\x00b\xff")))
}

func TestAProtectedTableCannotBeReachedThroughAView(t *testing.T) {
	// The text names no protected table; the pre-update hook sees it anyway.
	l := newLog(t)
	audit.Execute(t, l, `CREATE VIEW innocent AS SELECT seq FROM audit_heads`,
		`CREATE TRIGGER innocent_delete INSTEAD OF DELETE ON innocent BEGIN UPDATE audit_heads SET seq = 99; END`)
	err := l.Do(context.Background(), entry("r"), func(ctx context.Context, _ bus.Exec) error {
		_, _ = audit.Tx(ctx).ExecContext(ctx, `DELETE FROM innocent`)
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "not the domain's") {
		t.Errorf("answer: %v", err)
	}
	if v, err := l.Verify(context.Background(), nil); err != nil || v.FirstBad > 0 || v.Schema != 2 {
		t.Errorf("verdict: %+v %v", v, err)
	}
}

func TestATransactionIsOverWhenItsRunIs(t *testing.T) {
	l := newLog(t)
	ctx := context.Background()
	var kept *audit.Txn
	var rows *sql.Rows
	var row *sql.Row
	must(t, l.Do(ctx, entry("r"), func(ctx context.Context, _ bus.Exec) (err error) {
		kept = audit.Tx(ctx)
		rows, err = kept.QueryContext(ctx, `SELECT 1 UNION SELECT 2`)
		must(t, err)
		row = kept.QueryRowContext(ctx, `SELECT 1`)
		return nil
	}))
	if _, err := kept.ExecContext(ctx, `INSERT INTO items (id, name) VALUES ('a', 'A')`); err == nil {
		t.Error("Exec worked")
	}
	if _, err := kept.QueryContext(ctx, `SELECT 1`); err == nil {
		t.Error("Query worked")
	}
	var n int
	if err := kept.QueryRowContext(ctx, `SELECT 1`).Scan(&n); err == nil {
		t.Error("QueryRow worked")
	}
	for what, err := range map[string]error{"Scan": row.Scan(&n), "Next": next(rows)} {
		if err == nil || !strings.Contains(err.Error(), "has ended") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func next(rows *sql.Rows) error {
	rows.Next()
	return rows.Err()
}

func TestWithoutAJournalEveryUseSaysSo(t *testing.T) {
	ctx := context.Background()
	var n int
	_, exec := audit.Tx(ctx).ExecContext(ctx, `DELETE FROM items`)
	_, query := audit.Tx(ctx).QueryContext(ctx, `SELECT 1`)
	for _, err := range []error{exec, query, audit.Tx(ctx).QueryRowContext(ctx, `SELECT 1`).Scan(&n)} {
		if err == nil || !strings.Contains(err.Error(), "no transaction in this context") {
			t.Errorf("error: %v", err)
		}
	}
}

func TestAViewReadsOneSnapshotAndCannotWrite(t *testing.T) {
	l := newLog(t)
	must(t, l.View(context.Background(), func(ctx context.Context) error {
		var before, after int
		must(t, audit.Tx(ctx).QueryRowContext(ctx, `SELECT count(*) FROM items`).Scan(&before))
		must(t, do(t, l, entry("r1"), `INSERT INTO items (id, name) VALUES ('a', 'A')`))
		must(t, audit.Tx(ctx).QueryRowContext(ctx, `SELECT count(*) FROM items`).Scan(&after))
		if before != after {
			t.Errorf("the snapshot moved: %d, %d", before, after)
		}
		if _, err := audit.Tx(ctx).ExecContext(ctx, `DELETE FROM items`); err == nil ||
			!strings.Contains(err.Error(), "may only read") {
			t.Errorf("write: %v", err)
		}
		return nil
	}))
	if n := count(t, l, `SELECT count(*) FROM items`); n != 1 {
		t.Errorf("items: %d", n)
	}
}

func TestACancelledViewHurtsNoOtherReader(t *testing.T) {
	l := newLog(t)
	for range 20 {
		ctx, cancel := context.WithCancel(context.Background())
		_ = l.View(ctx, func(ctx context.Context) error {
			rows, err := audit.Tx(ctx).
				QueryContext(ctx, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n`)
			must(t, err)
			rows.Next()
			cancel()
			for rows.Next() {
			}
			return rows.Err()
		})
		if n := count(t, l, `SELECT 7`); n != 7 {
			t.Fatalf("read %d", n)
		}
	}
}

func TestQueryRowReturnsWhatAChangeReturned(t *testing.T) {
	l := newLog(t)
	e := entry("r")
	must(t, l.Do(context.Background(), e, func(ctx context.Context, _ bus.Exec) error {
		var id string
		must(t, audit.Tx(ctx).QueryRowContext(ctx, `INSERT INTO items (id, name) VALUES ('a', 'A') RETURNING id`).Scan(&id))
		if id != "a" {
			t.Errorf("id %q", id)
		}
		var none string
		if err := audit.Tx(ctx).QueryRowContext(ctx, `UPDATE items SET name = 'B' WHERE id = 'x' RETURNING id`).
			Scan(&none); !errors.Is(err, sql.ErrNoRows) {
			t.Errorf("no row: %v", err)
		}
		return nil
	}))
	if len(e.Effects) != 1 {
		t.Errorf("effects: %+v", e.Effects)
	}
}

func TestTheSameQueryMayRunWhileItsRowsAreOpen(t *testing.T) {
	l := newLog(t)
	must(t, do(t, l, entry("r1"), `INSERT INTO counters (id, n) VALUES (1, 2), (2, 3), (3, 0)`))
	must(t, l.Do(context.Background(), entry("r2"), func(ctx context.Context, _ bus.Exec) error {
		const next = `SELECT n FROM counters WHERE id = ?`
		var seen []int
		var walk func(id int)
		walk = func(id int) {
			rows, err := audit.Tx(ctx).QueryContext(ctx, next, id)
			must(t, err)
			for rows.Next() {
				var n int
				must(t, rows.Scan(&n))
				seen = append(seen, n)
				walk(n)
				_, err := audit.Tx(ctx).ExecContext(ctx, `UPDATE counters SET n = n WHERE id = ?`, id)
				must(t, err)
			}
			must(t, rows.Err())
		}
		walk(1)
		if len(seen) != 3 {
			t.Errorf("seen: %v", seen)
		}
		return nil
	}))
}

func TestAHandlerCannotStartAnotherTransaction(t *testing.T) {
	l := newLog(t)
	must(t, l.Do(context.Background(), entry("r"), func(ctx context.Context, _ bus.Exec) error {
		if err := l.Do(ctx, entry("r2"), func(context.Context, bus.Exec) error { return nil }); err == nil {
			t.Error("nested Do worked")
		}
		return l.View(ctx, func(ctx context.Context) error {
			_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO items (id, name) VALUES ('a', 'A')`) // still the same transaction
			return err
		})
	}))
	if n := count(t, l, `SELECT count(*) FROM items`); n != 1 {
		t.Errorf("items: %d", n)
	}
}
