package audit

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"slices"
)

// guarded is the database behind what t gives out, since a [sql.Row] and a [sql.Stmt] come from nothing else, and the
// context to use it with. Where t cannot be used it is one that says why, until done.
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

// txnConn is the driver of that database: it runs everything in the transaction of the context, with its checks.
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

// txnStmt belongs to the transaction that it was prepared in.
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

// rows runs a statement that returns rows. Those of a change are read at once: only at its end is it known to have
// succeeded, and the next statement may be a change too.
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
	read bool // all are in kept
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
