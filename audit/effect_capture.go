package audit

import (
	"database/sql"
	"fmt"
	"math"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// change is one row change as SQLite reports it, before changes of the same row are joined.
type change struct {
	table  *table
	before []any // nil for an insert
	after  []any // nil for a delete
}

// capture collects the row changes of one run. The pre-update hook fills it
// during a statement of the run's Txn, whose mutex guards it.
type capture struct {
	changes []change
	bulk    *bulk // in place of changes, for an entry that keeps no rows
	own     bool  // the present changes are the journal's rows: no effects
	bridge  bool  // the present changes are a bridge's rows: no effects
	// err is set if a change could not be captured or was not allowed, or the transaction has ended. Then the run
	// executes no more statements and cannot be kept.
	err error
}

// Call mark before a statement, and keep or cut after it. SQLite rolls back a failed statement without calling the
// hook, so cut removes its changes.
func (c *capture) mark() int { return len(c.changes) }

func (c *capture) keep() {
	if c.bulk != nil {
		c.bulk.keep()
	}
}

func (c *capture) cut(mark int) {
	if c.bulk != nil {
		c.bulk.drop()
	}
	c.changes = c.changes[:mark]
}

// watchRollback makes a rollback of conn's transaction fail the current capture.
func watchRollback(conn *sql.Conn, current func() *capture) error {
	return withHooks(conn, func(hooks sqlite.HookRegisterer) {
		hooks.RegisterRollbackHook(func() {
			if c := current(); c != nil {
				c.err = errTransactionLost
			}
		})
	})
}

// captureChanges passes every change on conn to c. With c nil it removes the hook, which would also be called for the
// journal's rows, three for each of a handler's.
func captureChanges(conn *sql.Conn, tables map[string]*table, c *capture) error {
	return withHooks(conn, func(hooks sqlite.HookRegisterer) {
		if c == nil {
			hooks.RegisterPreUpdateHook(nil)
			return
		}
		hooks.RegisterPreUpdateHook(func(d sqlite.SQLitePreUpdateData) { c.take(&d, tables) })
	})
}

func withHooks(conn *sql.Conn, f func(sqlite.HookRegisterer)) error {
	return conn.Raw(func(raw any) error {
		hooks, ok := raw.(sqlite.HookRegisterer)
		if !ok {
			return fmt.Errorf("audit: the driver %T cannot report changes", raw)
		}
		f(hooks)
		return nil
	})
}

// take is the pre-update hook.
func (c *capture) take(d *sqlite.SQLitePreUpdateData, tables map[string]*table) {
	t := tables[d.TableName]
	switch {
	case c.own:
		return
	case c.bridge && (isBridgeTable(d.TableName) || isDerived(d.TableName)):
		return // a full-text index writes a trigger's changes at the beginning of the next statement
	case c.bridge:
		c.err = fmt.Errorf("%w: %s", errProtected, d.TableName)
		return
	case t != nil:
	case isDerived(d.TableName):
		return // by a trigger: a handler's statement is refused before it runs
	case isReserved(d.TableName) && d.TableName != "sqlite_sequence":
		c.err = fmt.Errorf("%w: %s", errProtected, d.TableName)
		return
	default:
		return // the shadow of a virtual table
	}
	ch := change{table: t}
	var err error
	if d.Op != sqlite3.SQLITE_INSERT {
		ch.before, err = t.read(d.Old)
	}
	if d.Op != sqlite3.SQLITE_DELETE && err == nil {
		ch.after, err = t.read(d.New)
	}
	if err != nil {
		c.err = fmt.Errorf("audit: read a change of %s: %w", t.name, err)
		return
	}
	if c.bulk != nil {
		c.bulk.add(ch)
		return
	}
	c.changes = append(c.changes, ch)
}

// read copies one image of a row.
func (t *table) read(image func(...any) error) ([]any, error) {
	row := make([]any, len(t.columns))
	if err := image(row...); err != nil {
		return nil, err
	}
	for i, v := range row {
		switch v := v.(type) {
		case []byte:
			if v == nil {
				row[i] = []byte{} // an empty blob, not NULL
			}
		case float64:
			if math.IsInf(v, 0) {
				row[i] = fmt.Sprint(v) // JSON has no such number
			}
		}
	}
	return row, nil
}
