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

// dbtx is the interface that sqlc generates in db.go for its queries.
type dbtx interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
	PrepareContext(context.Context, string) (*sql.Stmt, error)
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

var _ dbtx = (*audit.Txn)(nil)

func TestAPreparedStatementHasTheChecksOfItsTransaction(t *testing.T) {
	l := newLog(t)
	e := entry("r")
	const insert = `INSERT INTO counters (id, n) VALUES (?, ?)`
	var kept *sql.Stmt
	must(t, l.Do(context.Background(), e, func(ctx context.Context, _ bus.Exec) error {
		tx := audit.Tx(ctx)
		for _, text := range []string{"COMMIT", "PRAGMA foreign_keys = OFF", "DELETE FROM audit_records", "SELECT 1; SELECT 2"} {
			if st, err := tx.PrepareContext(ctx, text); err == nil {
				t.Errorf("%q was prepared: %v", text, st)
			}
		}
		st, err := tx.PrepareContext(ctx, insert)
		must(t, err)
		kept = st
		for i := range 3 {
			_, err := st.ExecContext(ctx, i, i)
			must(t, err)
		}
		if _, err := st.ExecContext(ctx, 2, 2); err == nil {
			t.Error("a row was inserted twice")
		}
		if _, err := st.ExecContext(ctx, 3, "a\x00b"); !errors.As(err, new(*bus.Error)) {
			t.Errorf("text with U+0000: %v", err)
		}
		read, err := tx.PrepareContext(ctx, `SELECT n FROM counters WHERE id = ?`)
		must(t, err)
		var n int
		must(t, read.QueryRowContext(ctx, 2).Scan(&n))
		if n != 2 {
			t.Errorf("read %d", n)
		}
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := st.ExecContext(gone, 9, 9); !errors.Is(err, context.Canceled) {
			t.Errorf("under a cancelled context: %v", err)
		}
		return nil
	}))
	if len(e.Effects) != 3 || count(t, l, `SELECT count(*) FROM counters`) != 3 {
		t.Errorf("effects: %+v", e.Effects)
	}
	must(t, l.Do(context.Background(), entry("next"), func(ctx context.Context, _ bus.Exec) error {
		if _, err := kept.ExecContext(ctx, 7, 7); err == nil {
			t.Error("a statement of another run changed something")
		}
		return nil
	}))
	must(t, l.View(context.Background(), func(ctx context.Context) error {
		if _, err := audit.Tx(ctx).PrepareContext(ctx, insert); err == nil || !strings.Contains(err.Error(), "may only read") {
			t.Errorf("prepared to write in a view: %v", err)
		}
		return nil
	}))
	if v := check(t, l); !v.OK {
		t.Errorf("verdict: %+v", v)
	}
}

func TestRowsOfAChangeAreAllReturned(t *testing.T) {
	l := newLog(t)
	must(t, do(t, l, entry("r1"), `INSERT INTO counters (id, n) VALUES (1, 1), (2, 2), (3, 3)`))
	e := entry("r2")
	must(t, l.Do(context.Background(), e, func(ctx context.Context, _ bus.Exec) error {
		rows, err := audit.Tx(ctx).QueryContext(ctx, `UPDATE counters SET n = n + 1 RETURNING id, n`)
		must(t, err)
		_, err = audit.Tx(ctx).ExecContext(ctx, `DELETE FROM counters WHERE id = 1`) // beside the open rows
		must(t, err)
		seen := 0
		for ; rows.Next(); seen++ {
			var id, n int
			must(t, rows.Scan(&id, &n))
			if n != id+1 {
				t.Errorf("row %d: %d", id, n)
			}
		}
		must(t, rows.Err())
		if seen != 3 {
			t.Errorf("%d rows", seen)
		}
		_, err = audit.Tx(ctx).QueryContext(ctx, `UPDATE counters SET n = -1 RETURNING id`)
		if err == nil {
			t.Error("a constraint was broken")
		}
		var no int // a reference is checked when the statement ends, after its rows
		_, err = audit.Tx(ctx).QueryContext(ctx, `INSERT INTO parts (item, no) VALUES ('none', 1) RETURNING no`)
		if err == nil {
			t.Error("a part of no item was added")
		}
		err = audit.Tx(ctx).QueryRowContext(ctx, `INSERT INTO items (id, name) VALUES ('a', ?) RETURNING 1`, "a\x00b").Scan(&no)
		if !errors.As(err, new(*bus.Error)) {
			t.Errorf("text with U+0000: %v", err)
		}
		return nil
	}))
	if len(e.Effects) != 3 {
		t.Errorf("effects: %+v", e.Effects)
	}
}

// TestRowsLeftOpenHoldNothing: handlers that do not close their rows and statements hold no connection.
func TestRowsLeftOpenHoldNothing(t *testing.T) {
	l := newLog(t)
	for range 50 {
		run := func(ctx context.Context) {
			tx := audit.Tx(ctx)
			_ = tx.QueryRowContext(ctx, `SELECT 1`)
			_, err := tx.QueryContext(ctx, `SELECT 1 UNION SELECT 2`)
			must(t, err)
			_, err = tx.PrepareContext(ctx, `SELECT 1`)
			must(t, err)
		}
		must(t, l.View(context.Background(), func(ctx context.Context) error { run(ctx); return nil }))
		must(t, l.Do(context.Background(), entry("r"), func(ctx context.Context, _ bus.Exec) error { run(ctx); return nil }))
	}
	if n := audit.Guarded(t, l); n > 1 {
		t.Errorf("%d connections are held", n)
	}
	must(t, do(t, l, entry("last"), `INSERT INTO counters VALUES (1, 1)`))
	if n := count(t, l, `SELECT count(*) FROM counters`); n != 1 {
		t.Errorf("rows: %d", n)
	}
}
