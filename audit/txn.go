// The record of a run is written in write_run.go, in the same transaction.

package audit

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/deskhand/deskhand/bus"
)

// Errors of a Txn in the wrong place or at the wrong time.
var (
	errNoJournal = errors.New("audit: there is no transaction in this context: the database is reached only from a " +
		"handler, condition or precondition that the bus runs")
	errEnded = errors.New("audit: this transaction has ended: a handler may not use it after it has returned or " +
		"was given up")
	errReadOnly = errors.New(
		`audit: this handler may only read: a capability that writes says so with "database:write" in its Resources`)
	errNoResource = errors.New(
		`audit: this handler may not read: a capability that reads says so with "database:read" in its Resources`)
	errProtected = errors.New("audit: a statement changed a table that is not the domain's")
	errNUL       = bus.Errorf(bus.Validation, bus.ReasonArguments, "Text may not contain the character U+0000.").
			WithHint("Remove the character and try again.")
	errUTF8 = bus.Errorf(bus.Validation, bus.ReasonArguments, "Text must be UTF-8.").
		WithHint("Convert it and try again; bytes that are no text belong in a blob.")
)

type txnKey struct{}

// Tx returns the transaction that the journal put into the context of a handler, condition, precondition or
// availability check. If there is none, or the handler's resources name no database, it returns a Txn whose every use
// fails, so that callers need not check.
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

// refuseNested prevents a handler from waiting for the writer that runs it.
func refuseNested(ctx context.Context) error {
	if t, ok := ctx.Value(txnKey{}).(*Txn); ok && t.capture != nil && t.live() {
		return errors.New("audit: a handler may not start another transaction")
	}
	return nil
}

// Txn is a handler's view of the database: a transaction if the capability writes, otherwise a read snapshot. It cannot
// end or configure the transaction, which it may share with others. Its errors are SQLite's unless the statement was
// refused. It is safe for concurrent use, one statement at a time, and fails after the end of its run.
type Txn struct {
	checked *statementCache
	// acquire prepares the session at the first use; then it is nil.
	acquire func() (*session, error)
	// capture collects the effects; nil in a read snapshot.
	capture *capture
	// batch and entry are those of the run; nil in a read snapshot.
	batch  *batch
	entry  *bus.Entry
	search *erasureSearch // the terms that the run may erase

	mu            sync.Mutex // held while a statement runs; guards all fields below
	session       *session
	open          []*txnRows    // returned rows that are not closed yet
	prepared      bool          // a statement was given out
	saved         bool          // the savepoint is set
	parent        string        // the parent request, if the caller named none
	ownEffects    []bus.Effect  // effects on the journal's tables
	erased        bool          // its effects must omit the earlier values
	erasedNumbers erasedNumbers // the records whose payloads it erased
	erasedRows    erasedRows    // the rows in those payloads
	next          *replacement  // replaces the file when the run has succeeded
	ended         error         // the reason why it is no longer usable
}

// savepoint is the name of the savepoint around an entry's changes.
const savepoint = "entry"

// ExecContext runs a statement that changes rows of the domain's tables.
func (t *Txn) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	args, err := driverArgs(args)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	st, err := t.begin(ctx, query)
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

// QueryContext runs a statement that returns rows: a query, or a change with RETURNING, which takes effect before the
// method returns. Rows that the caller leaves open are closed at the end of the run.
func (t *Txn) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	ctx, db, done := t.guarded(ctx)
	defer done()
	return db.QueryContext(ctx, query, args...)
}

// QueryRowContext is QueryContext for at most one row. Scan returns its errors.
func (t *Txn) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	ctx, db, done := t.guarded(ctx)
	defer done()
	return db.QueryRowContext(ctx, query, args...)
}

// Records returns the number of the last record of the log. As long as it stays the same, nothing was changed.
func (t *Txn) Records(ctx context.Context) (seq int64, err error) {
	return seq, t.QueryRowContext(ctx, "SELECT COALESCE(MAX(seq), 0) FROM audit_records").Scan(&seq)
}

// PrepareContext checks a statement that runs more than once. It runs like those of the other methods, until the run
// ends.
func (t *Txn) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	ctx, db, done := t.guarded(ctx)
	defer done()
	return db.PrepareContext(ctx, query)
}

// usable returns the reason why t cannot be used now. A statement that writes must not be interrupted, so a deadline or
// a cancellation takes effect here. The caller holds t.mu.
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
func (t *Txn) begin(ctx context.Context, query string) (statement, error) {
	st, err := t.check(ctx, query)
	if err == nil {
		err = t.ready()
	}
	if err == nil && st.writes {
		err = t.save()
	}
	return st, err
}

// check decides whether a statement may run now. The caller holds t.mu.
func (t *Txn) check(ctx context.Context, query string) (statement, error) {
	if err := t.usable(ctx); err != nil {
		return statement{}, err
	}
	st := t.checked.check(query)
	if st.err == nil && st.writes && t.capture == nil {
		return st, errReadOnly
	}
	return st, st.err
}

// ready prepares the session at the first use. The caller holds t.mu.
func (t *Txn) ready() (err error) {
	if t.acquire != nil {
		if t.session, err = t.acquire(); err == nil {
			t.acquire = nil
		}
	}
	return err
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
	return t.save()
}

// ownChange changes the journal's tables on a handler's behalf, behind the handler's savepoint and without effects.
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

// settle drops the changes that a failed statement reported, and fails one that changed a table outside the domain. The
// caller holds t.mu.
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

// cancellable returns ctx in a read snapshot. In a transaction no statement is ever interrupted.
func (t *Txn) cancellable(ctx context.Context) context.Context {
	if t.capture == nil {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// setParent sets the parent request.
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
	left := t.prepared || len(t.open) > 0
	for len(t.open) > 0 {
		_ = t.open[0].close() // they only read
	}
	if left && t.session != nil && t.session.guard != nil { // it would keep open statements
		_ = t.session.guard.Close()
		t.session.guard = nil
	}
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
		if err := checkText(v); err != nil {
			return nil, err
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

// checkText refuses text that a record could not contain.
func checkText(v driver.Value) error {
	switch text, ok := v.(string); {
	case ok && strings.IndexByte(text, 0) >= 0:
		return errNUL
	case ok && !utf8.ValidString(text):
		return errUTF8 // a record could not contain it
	}
	return nil
}

// guarded returns the database for the rows and statements that t gives out, because only a database can make a
// [sql.Row] and a [sql.Stmt], and the context to use with it. If t is unusable, the database reports the reason, until
// done.
func (t *Txn) guarded(ctx context.Context) (_ context.Context, db *sql.DB, done func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.usable(ctx) != nil || t.ready() != nil {
		db = sql.OpenDB(txnConn{})
		return withTxn(ctx, t), db, func() { _ = db.Close() } // it holds nothing
	}
	if t.session.guard == nil {
		t.session.guard = sql.OpenDB(txnConn{})
	}
	return withTxn(t.cancellable(ctx), t), t.session.guard, func() {}
}

// txnConn is the driver of that database: it runs all statements in the transaction of the context, with its checks.
type txnConn struct{}

func (txnConn) Connect(context.Context) (driver.Conn, error) { return txnConn{}, nil }
func (txnConn) Driver() driver.Driver                        { return nil }
func (txnConn) Close() error                                 { return nil }
func (txnConn) Begin() (driver.Tx, error)                    { return nil, errors.ErrUnsupported }
func (txnConn) Prepare(string) (driver.Stmt, error)          { return nil, errors.ErrUnsupported }

func (txnConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	return Tx(ctx).rows(ctx, query, args)
}

func (txnConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	t := Tx(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prepared = true
	_, err := t.check(ctx, query)
	if err == nil {
		err = t.ready()
	}
	return &txnStmt{t, query}, err
}

// txnStmt belongs to the transaction that prepared it.
type txnStmt struct {
	t     *Txn
	query string
}

func (s *txnStmt) Close() error                               { return nil }
func (s *txnStmt) NumInput() int                              { return -1 }
func (s *txnStmt) Exec([]driver.Value) (driver.Result, error) { return nil, errors.ErrUnsupported }
func (s *txnStmt) Query([]driver.Value) (driver.Rows, error)  { return nil, errors.ErrUnsupported }

func (s *txnStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.t.rows(ctx, s.query, args)
}

func (s *txnStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	plain := make([]any, len(args))
	for i, arg := range args {
		if plain[i] = arg.Value; arg.Name != "" {
			plain[i] = sql.Named(arg.Name, arg.Value)
		}
	}
	return s.t.ExecContext(ctx, s.query, plain...)
}

// rows runs a statement that returns rows. It reads the rows of a change at once, because the change has succeeded only
// at its end, and the next statement may be a change too.
func (t *Txn) rows(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	for _, arg := range args {
		if err := checkText(arg.Value); err != nil {
			return nil, err
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	st, err := t.begin(ctx, query)
	if err != nil {
		return nil, err
	}
	r := &txnRows{t: t}
	if !st.writes {
		err = r.start(t.cancellable(ctx), query, args)
		return r, err
	}
	mark := t.capture.mark()
	if err = r.start(context.Background(), query, args); err == nil {
		err = r.readAll()
	}
	return r, t.settle(mark, err)
}

// txnRows are rows of a Txn. Its mutex guards them.
type txnRows struct {
	t    *Txn
	rows driver.Rows // nil once closed
	give func()      // returns the statement to the session
	kept [][]driver.Value
	read bool // all rows are in kept
	cols []string
}

// start runs a statement. The caller holds t.mu, as for close and readAll.
func (r *txnRows) start(ctx context.Context, query string, args []driver.NamedValue) error {
	st, give, err := r.t.session.borrow(query)
	if err != nil {
		return err
	}
	if r.rows, err = st.QueryContext(ctx, args); err != nil {
		give()
		return err
	}
	r.give, r.cols = give, r.rows.Columns()
	r.t.open = append(r.t.open, r)
	return nil
}

// readAll reads all rows into memory and closes the statement.
func (r *txnRows) readAll() (err error) {
	for r.read = true; err == nil; {
		row := make([]driver.Value, len(r.cols))
		if err = r.rows.Next(row); err == nil {
			r.kept = append(r.kept, row)
		}
	}
	if bad := r.close(); errors.Is(err, io.EOF) {
		err = bad
	}
	return err
}

func (r *txnRows) close() error {
	if r.rows == nil {
		return nil
	}
	err := r.rows.Close()
	r.rows = nil
	r.give()
	r.t.open = slices.DeleteFunc(r.t.open, func(open *txnRows) bool { return open == r })
	return err
}

// Columns implements [driver.Rows].
func (r *txnRows) Columns() []string { return r.cols }

// Close implements [driver.Rows].
func (r *txnRows) Close() error {
	r.t.mu.Lock()
	defer r.t.mu.Unlock()
	return r.close()
}

// Next implements [driver.Rows].
func (r *txnRows) Next(row []driver.Value) error {
	r.t.mu.Lock()
	defer r.t.mu.Unlock()
	switch {
	case r.t.ended != nil:
		return r.t.ended
	case r.rows != nil:
		return r.rows.Next(row)
	case len(r.kept) == 0:
		return io.EOF
	}
	copy(row, r.kept[0])
	r.kept = r.kept[1:]
	return nil
}
