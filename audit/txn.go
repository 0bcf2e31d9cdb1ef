package audit

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/deskhand/deskhand/bus"
)

// Errors of a Txn that is used where it cannot be.
var (
	errNoJournal = errors.New("audit: there is no transaction in this context: the database is reached only from a " +
		"handler, condition or precondition that the bus runs")
	errEnded = errors.New("audit: this transaction has ended: a handler may not use it after it has returned or " +
		"was given up")
	errReadOnly = errors.New(
		`audit: this handler may only read: a capability that writes says so with "database:write" in its Resources`)
	errNoResource = errors.New(
		`audit: this handler may not read: a capability that reads says so with "database:read" in its Resources`)
	errQuery = errors.New("audit: Query only reads: run a statement that writes with Exec, or with QueryRow for " +
		"one row of RETURNING")
	errProtected = errors.New("audit: a statement changed a table that is not the domain's")
	errUnread    = errors.New("audit: the row was not scanned before the next statement")
	errNUL       = bus.Errorf(bus.Validation, bus.ReasonArguments, "Text may not contain the character U+0000.").
			WithHint("Remove the character and try again.")
	errUTF8 = bus.Errorf(bus.Validation, bus.ReasonArguments, "Text must be UTF-8.").
		WithHint("Convert it and try again; bytes that are no text belong in a blob.")
)

type txnKey struct{}

// Tx returns the transaction that the journal put into the context of a handler, condition, precondition or
// availability check. Without one it returns a Txn whose every use fails, so that callers need not check; so it does to
// a handler whose resources name no database.
func Tx(ctx context.Context) *Txn {
	switch t, ok := ctx.Value(txnKey{}).(*Txn); {
	case !ok:
		return &Txn{ended: errNoJournal}
	case bus.NoDatabase(ctx):
		return &Txn{ended: errNoResource}
	default:
		return t
	}
}

func withTxn(ctx context.Context, t *Txn) context.Context { return context.WithValue(ctx, txnKey{}, t) }

// refuseNested keeps a handler from waiting for the writer that runs it.
func refuseNested(ctx context.Context) error {
	if t, ok := ctx.Value(txnKey{}).(*Txn); ok && t.capture != nil && t.live() {
		return errors.New("audit: a handler may not start another transaction")
	}
	return nil
}

// Txn is a handler's view of the database: a transaction when the capability writes, else a read snapshot. It cannot
// end or configure the transaction, which it may share with others. Errors are SQLite's own unless the statement was
// refused. It is safe for concurrent use, one statement at a time, and fails once its run is over.
type Txn struct {
	checked *statementCache
	// acquire makes the session ready at the first use; nil once it has.
	acquire func() (*session, error)
	// capture collects the effects; nil in a read snapshot.
	capture *capture
	// batch and entry are what it is part of; nil in a read snapshot.
	batch  *batch
	entry  *bus.Entry
	search *erasureSearch // the terms that it may erase

	mu            sync.Mutex // held while a statement runs; guards everything below
	session       *session
	open          []*sql.Rows   // given out by Query; closed at the end
	pending       *Row          // given out by QueryRow and not scanned yet
	saved         bool          // the savepoint is set
	parent        string        // the request this one is about, where its caller names none
	ownEffects    []bus.Effect  // what it did to the journal's own tables
	erased        bool          // its effects must not say what was there
	erasedNumbers erasedNumbers // whose payloads it erased
	next          *replacement  // takes the place of everything when the run has succeeded
	ended         error         // why it cannot be used any more
}

// savepoint is the name of the savepoint around an entry's changes.
const savepoint = "entry"

// Exec runs a statement that changes rows of the domain's tables.
func (t *Txn) Exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	st, args, err := t.begin(ctx, query, args)
	if err != nil {
		return nil, err
	}
	if !st.writes {
		return t.session.exec(query, args...)
	}
	mark := t.capture.mark()
	res, err := t.session.exec(query, args...)
	if err = t.settle(mark, err); err != nil {
		return nil, err
	}
	return res, nil
}

// Query runs a statement that reads. Rows that the caller leaves open are closed when the run ends.
func (t *Txn) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	st, args, err := t.begin(ctx, query, args)
	if err != nil {
		return nil, err
	}
	if st.writes {
		return nil, errQuery
	}
	// Not the session's prepared statement: rows may still be open when the same query is run again.
	rows, err := t.session.conn.QueryContext(t.cancellable(ctx), query, args...)
	if err != nil {
		return nil, err
	}
	if len(t.open) == cap(t.open) { // a long run asks often
		t.open = slices.DeleteFunc(t.open, closed)
	}
	t.open = append(t.open, rows)
	return rows, nil
}

func closed(rows *sql.Rows) bool {
	_, err := rows.Columns()
	return err != nil
}

// QueryRow runs a statement that returns at most one row: a query, or a change with RETURNING. Scan returns its errors.
func (t *Txn) QueryRow(ctx context.Context, query string, args ...any) *Row {
	t.mu.Lock()
	defer t.mu.Unlock()
	st, args, err := t.begin(ctx, query, args)
	if err != nil {
		return &Row{err: err}
	}
	stmt, err := t.session.prepare(query)
	if err != nil {
		return &Row{err: err}
	}
	r := &Row{t: t}
	if st.writes {
		r.mark, r.writes = t.capture.mark(), true
	}
	r.rows, err = stmt.QueryContext(t.cancellable(ctx), args...)
	if err != nil {
		if st.writes {
			err = t.settle(r.mark, err)
		}
		return &Row{err: err}
	}
	t.pending = r
	return r
}

// Row is the result of QueryRow.
type Row struct {
	t      *Txn
	rows   *sql.Rows
	writes bool
	mark   int
	err    error
}

// Scan copies the row's columns into dest; sql.ErrNoRows when there is no row.
func (r *Row) Scan(dest ...any) error {
	if r.t == nil {
		return r.err
	}
	r.t.mu.Lock()
	defer r.t.mu.Unlock()
	if r.err != nil {
		return r.err
	}
	if r.t.ended != nil {
		return r.t.ended
	}
	err := sql.ErrNoRows
	if r.rows.Next() {
		err = r.rows.Scan(dest...)
	}
	if bad := r.finish(); bad != nil {
		err = bad
	}
	r.err = errors.New("audit: the row was already scanned")
	return err
}

// finish runs the statement to its end, where an immediate foreign key may
// still fail it, and frees it for its next user. The caller holds t.mu.
func (r *Row) finish() error {
	for r.rows.Next() {
	}
	err := r.rows.Err()
	if bad := r.rows.Close(); err == nil {
		err = bad
	}
	r.t.pending = nil
	if r.writes {
		err = r.t.settle(r.mark, err)
	}
	return err
}

// usable returns why t cannot be used now. A statement that writes must not be interrupted, so this is where a deadline
// or a cancellation takes effect. The caller holds t.mu.
func (t *Txn) usable(ctx context.Context) error {
	switch {
	case t.ended != nil:
		return t.ended
	case t.capture != nil && t.capture.err != nil:
		return t.capture.err
	}
	return ctx.Err()
}

// begin prepares the run of a statement. The caller holds t.mu.
func (t *Txn) begin(ctx context.Context, query string, args []any) (statement, []any, error) {
	if err := t.usable(ctx); err != nil {
		return statement{}, nil, err
	}
	st := t.checked.check(query)
	if st.err != nil {
		return st, nil, st.err
	}
	if st.writes && t.capture == nil {
		return st, nil, errReadOnly
	}
	args, err := driverArgs(args)
	if err != nil {
		return st, nil, err
	}
	if t.acquire != nil {
		if t.session, err = t.acquire(); err != nil {
			return st, nil, err
		}
		t.acquire = nil
	}
	t.unread()
	if st.writes {
		err = t.save()
	}
	return st, args, err
}

// unread ends a row that was never scanned.
func (t *Txn) unread() {
	if r := t.pending; r != nil {
		if r.err = r.finish(); r.err == nil {
			r.err = errUnread
		}
	}
}

// save sets the savepoint before the first change.
func (t *Txn) save() error {
	if t.saved {
		return nil
	}
	if _, err := t.session.exec("SAVEPOINT " + savepoint); err != nil {
		return err
	}
	t.saved = true
	return captureChanges(t.session.conn, t.batch.w.l.store.tables, t.capture)
}

// beginOwn prepares a change that the journal makes itself. The caller holds t.mu.
func (t *Txn) beginOwn(ctx context.Context) error {
	err := t.usable(ctx)
	if err == nil && t.capture == nil {
		err = errReadOnly
	}
	if err != nil {
		return err
	}
	t.unread()
	return t.save()
}

// ownChange changes the journal's own tables on a handler's behalf, behind the handler's savepoint and without effects.
// After an error the run cannot be kept.
func (t *Txn) ownChange(ctx context.Context, change func(*batch) error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.beginOwn(ctx); err != nil {
		return err
	}
	t.capture.own = true
	err := change(t.batch)
	t.capture.own = false
	if err != nil && t.capture.err == nil {
		t.capture.err = err
	}
	return err
}

// settle drops what a failed statement reported, and fails one that changed
// another table than the domain's. The caller holds t.mu.
func (t *Txn) settle(mark int, err error) error {
	if t.capture.err != nil {
		err = errors.Join(t.capture.err, err)
	}
	if err != nil {
		t.capture.cut(mark)
		return t.batch.w.l.explain(err)
	}
	t.capture.keep()
	return nil
}

// cancellable is ctx in a read snapshot. In a transaction no statement is ever interrupted.
func (t *Txn) cancellable(ctx context.Context) context.Context {
	if t.capture == nil {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// setParent names the request that this one is about.
func (t *Txn) setParent(request string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.parent = request
}

func (t *Txn) live() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended == nil
}

// end makes every later use fail and closes open rows. When it returns, no statement is running.
func (t *Txn) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended != nil {
		return
	}
	t.ended = errEnded
	if t.pending != nil {
		_ = t.pending.finish() // it was never scanned: its error is lost
	}
	for _, rows := range t.open {
		_ = rows.Close() // they only read
	}
	t.open = nil
}

// driverArgs converts arguments to the driver's types and checks each text.
func driverArgs(args []any) ([]any, error) {
	out := args
	for i, arg := range args {
		named, isNamed := arg.(sql.NamedArg)
		if isNamed {
			arg = named.Value
		}
		v, err := driver.DefaultParameterConverter.ConvertValue(arg)
		if err != nil {
			return nil, fmt.Errorf("audit: argument %d: %w", i+1, err)
		}
		if text, ok := v.(string); ok {
			if strings.IndexByte(text, 0) >= 0 {
				return nil, errNUL
			}
			if !utf8.ValidString(text) {
				return nil, errUTF8 // a record could not say what it was
			}
		}
		if _, isValuer := arg.(driver.Valuer); !isValuer {
			continue // the driver converts it the same way
		}
		if &out[0] == &args[0] {
			out = append([]any(nil), args...)
		}
		if out[i] = v; isNamed {
			out[i] = sql.Named(named.Name, v)
		}
	}
	return out, nil
}
