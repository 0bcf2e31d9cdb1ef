package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/internal/desk"
)

// ledger is the shop according to the log: the first rows, changed by the effects of every record since. A row that
// only the tables have came without a record; a row they lack is a success record without its effect.
type ledger struct {
	keys    map[string][]string // table → columns of its key
	rows    map[string]row      // by table and key
	seq     int64               // the last record taken in
	records map[string][]ended  // by request id, from the first record taken in
	runs    map[string]int      // how often a key had success, other than by replay
}

// row is column → JSON.
type row map[string]string

// ended is the outcome of a request in its record.
type ended struct {
	status string
	key    string // idempotency key
}

// newLedger starts with the present rows.
func newLedger(t testing.TB, d *desk.Desk) *ledger {
	t.Helper()
	l := &ledger{keys: map[string][]string{}, records: map[string][]ended{}, runs: map[string]int{}}
	page, err := d.Log.Tail(t.Context(), 0, 1)
	if err != nil || len(page) != 1 {
		t.Fatalf("%v %v", page, err)
	}
	l.seq = page[0].Seq
	l.look(t, d, func(ctx context.Context, tx *audit.Txn) error {
		rows, err := tx.QueryContext(ctx, `SELECT l.name, x.name FROM pragma_table_list l JOIN pragma_table_xinfo(l.name) x
			WHERE l.schema = 'main' AND l.type = 'table' AND x.pk > 0
				AND l.name NOT GLOB 'audit_*' AND l.name NOT GLOB 'goose_*' AND l.name NOT GLOB 'agent_*' AND l.name NOT GLOB 'derived_*' AND l.name NOT GLOB 'sqlite_*'
			ORDER BY l.name, x.pk`)
		if err != nil {
			return err
		}
		for rows.Next() {
			var table, column string
			if err := rows.Scan(&table, &column); err != nil {
				return err
			}
			l.keys[table] = append(l.keys[table], column)
		}
		return rows.Err()
	})
	l.rows = l.tables(t, d)
	return l
}

func (l *ledger) look(t testing.TB, d *desk.Desk, f func(context.Context, *audit.Txn) error) {
	t.Helper()
	if err := d.Log.View(t.Context(), func(ctx context.Context) error { return f(ctx, audit.Tx(ctx)) }); err != nil {
		t.Fatal(err)
	}
}

// tables are all rows there are.
func (l *ledger) tables(t testing.TB, d *desk.Desk) map[string]row {
	t.Helper()
	all := map[string]row{}
	l.look(t, d, func(ctx context.Context, tx *audit.Txn) error {
		for _, table := range slices.Sorted(maps.Keys(l.keys)) {
			if err := l.table(ctx, tx, table, all); err != nil {
				return err
			}
		}
		return nil
	})
	return all
}

func (l *ledger) table(ctx context.Context, tx *audit.Txn, table string, all map[string]row) error {
	rows, err := tx.QueryContext(ctx, `SELECT * FROM "`+table+`"`)
	if err != nil {
		return err
	}
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		r := row{}
		for i, column := range columns {
			r[column] = asJSON(values[i])
		}
		all[l.identity(table, r)] = r
	}
	return rows.Err()
}

func asJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // SQLite's values and a record's are JSON
	}
	return string(raw)
}

func (l *ledger) identity(table string, r row) string {
	id := table
	for _, column := range l.keys[table] {
		id += " " + r[column]
	}
	return id
}

// read applies the records written since.
func (l *ledger) read(t testing.TB, d *desk.Desk) {
	t.Helper()
	for {
		page, err := d.Log.Tail(t.Context(), l.seq, 500)
		if err != nil {
			t.Fatal(err)
		}
		for i := range page {
			l.take(&page[i])
		}
		if len(page) < 500 {
			return
		}
	}
}

func (l *ledger) take(r *audit.Record) {
	l.seq = r.Seq
	l.records[r.RequestID] = append(l.records[r.RequestID], ended{string(r.Status), r.IdempotencyKey})
	if r.Status != "success" || r.Replayed || r.DryRun {
		return
	}
	if r.IdempotencyKey != "" {
		l.runs[strings.Join([]string{r.Caller.Type, r.Caller.Source, r.Capability, r.IdempotencyKey}, " ")]++
	}
	for _, e := range r.Effects {
		before := row{}
		for column, v := range e.Key {
			before[column] = asJSON(v)
		}
		id := l.identity(e.Table, before)
		now := row{}
		maps.Copy(now, l.rows[id])
		delete(l.rows, id)
		if e.Op == "delete" {
			continue
		}
		for column, v := range e.After {
			now[column] = asJSON(v)
		}
		l.rows[l.identity(e.Table, now)] = now
	}
}

// compare lists the rows that only the tables have, and those they lack; a row with other values is both.
func (l *ledger) compare(t testing.TB, d *desk.Desk) (unrecorded, hollow []string) {
	t.Helper()
	there := l.tables(t, d)
	for id, r := range there {
		if told, ok := l.rows[id]; !ok || !maps.Equal(told, r) {
			unrecorded = append(unrecorded, fmt.Sprintf("%s: %v, by the records %v", id, r, told))
		}
	}
	for id, told := range l.rows {
		if r, ok := there[id]; !ok || !maps.Equal(told, r) {
			hollow = append(hollow, fmt.Sprintf("%s: %v, by the records %v", id, r, told))
		}
	}
	return unrecorded, hollow
}

// miscounted are the variants whose stock is not the sum of its movements.
func (l *ledger) miscounted(t testing.TB, d *desk.Desk) (n int) {
	t.Helper()
	l.look(t, d, func(ctx context.Context, tx *audit.Txn) error {
		return tx.QueryRowContext(ctx, `SELECT count(*) FROM variants v WHERE stock IS NOT NULL
			AND stock <> (SELECT coalesce(sum(delta), 0) FROM stock_movements WHERE variant_id = v.id)`).Scan(&n)
	})
	return n
}

// underWay returns the network steps recorded as begun.
func (l *ledger) underWay(t testing.TB, d *desk.Desk) (n int) {
	t.Helper()
	l.look(t, d, func(ctx context.Context, tx *audit.Txn) error {
		return tx.QueryRowContext(ctx, `SELECT count(*) FROM audit_inflight`).Scan(&n)
	})
	return n
}
