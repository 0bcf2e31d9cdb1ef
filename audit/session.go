package audit

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"modernc.org/sqlite"
)

// session is one connection with its prepared statements. One goroutine uses it at a time.
type session struct {
	conn  *sql.Conn
	bare  map[string]bareStmt
	guard *sql.DB             // backs the statements of a Txn; nil until needed
	args  []driver.NamedValue // of the running statement
	fault func(string) error  // set by tests: the error of a statement
}

// bareStmt is a prepared statement without database/sql, whose bookkeeping costs as much as a small statement.
type bareStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

func newSession(conn *sql.Conn) *session {
	return &session{conn: conn, bare: map[string]bareStmt{}}
}

// borrow takes a prepared statement out of the cache until its return, because its rows may be open while the same text
// runs again.
func (s *session) borrow(text string) (st bareStmt, give func(), err error) {
	bad := s.conn.Raw(func(raw any) error {
		st, err = s.prepareBare(raw, text)
		return nil
	})
	if err = errors.Join(bad, err); err != nil {
		return nil, nil, err
	}
	delete(s.bare, text)
	return st, func() {
		if _, again := s.bare[text]; again || len(s.bare) >= maxStatements {
			_ = st.Close()
		} else {
			s.bare[text] = st
		}
	}, nil
}

// exec runs a statement that cannot be cancelled: a cancellation would end the whole transaction, with the rows of all
// entries that share it.
func (s *session) exec(text string, args ...any) (sql.Result, error) {
	var res driver.Result
	err := s.run(text, args, func(st bareStmt) (err error) {
		res, err = st.ExecContext(context.Background(), s.args)
		return err
	})
	return res, err
}

// scan reads the only row of a query into dest, which are *int64, *string and *[]byte; sql.ErrNoRows if there is none.
func (s *session) scan(text string, args []any, dest ...any) error {
	return s.run(text, args, func(st bareStmt) error {
		rows, err := st.QueryContext(context.Background(), s.args)
		if err != nil {
			return err
		}
		row := make([]driver.Value, len(dest))
		err = rows.Next(row)
		if err == nil {
			err = assign(dest, row)
		} else if errors.Is(err, io.EOF) {
			err = sql.ErrNoRows
		}
		if bad := rows.Close(); err == nil {
			err = bad
		}
		return err
	})
}

// assign does the same as [sql.Rows.Scan], for the types that scan supports.
func assign(dest []any, row []driver.Value) error {
	for i, v := range row {
		ok := true
		switch d := dest[i].(type) {
		case *int64:
			*d, ok = v.(int64)
		case *string:
			*d, ok = v.(string)
		case *[]byte:
			*d, ok = v.([]byte)
			ok = ok || v == nil
		default:
			ok = false
		}
		if !ok {
			return fmt.Errorf("audit: column %d holds %T, which does not fit %T", i, v, dest[i])
		}
	}
	return nil
}

// run calls f with a prepared statement and its arguments in s.args.
func (s *session) run(text string, args []any, f func(bareStmt) error) error {
	if s.fault != nil {
		if err := s.fault(text); err != nil {
			return err
		}
	}
	s.args = s.args[:0]
	for i, arg := range args {
		v, err := named(i, arg)
		if err != nil {
			return err
		}
		s.args = append(s.args, v)
	}
	var failed error
	err := s.conn.Raw(func(raw any) error { // an error of f does not concern the connection
		st, err := s.prepareBare(raw, text)
		if err == nil {
			err = f(st)
		}
		failed = err
		return nil
	})
	clear(s.args) // so that they keep no memory alive
	if err != nil {
		return err
	}
	return failed
}

// dataVersion returns a number that changes with every commit to the file, by any program. Inside a transaction it is
// the number of the visible state.
func (s *session) dataVersion() (version uint32, err error) {
	bad := s.conn.Raw(func(raw any) error {
		file, ok := raw.(sqlite.FileControl)
		if !ok {
			err = fmt.Errorf("audit: the driver %T does not tell the version of the file", raw)
			return nil
		}
		version, err = file.FileControlDataVersion("main")
		return nil
	})
	return version, errors.Join(bad, err)
}

// prepareBare returns a cached statement, or prepares it. A full cache is emptied first.
func (s *session) prepareBare(raw any, text string) (bareStmt, error) {
	if st, ok := s.bare[text]; ok {
		return st, nil
	}
	if len(s.bare) >= maxStatements {
		closeAll(s.bare)
	}
	db, ok := raw.(driver.ConnPrepareContext)
	if !ok {
		return nil, fmt.Errorf("audit: the driver %T cannot prepare statements", raw)
	}
	prepared, err := db.PrepareContext(context.Background(), text)
	if err != nil {
		return nil, err
	}
	st, ok := prepared.(bareStmt)
	if !ok {
		return nil, errors.Join(fmt.Errorf("audit: the driver's statement %T cannot be run", prepared), prepared.Close())
	}
	s.bare[text] = st
	return st, nil
}

// named returns an argument in the driver's form.
func named(i int, arg any) (v driver.NamedValue, err error) {
	v.Ordinal = i + 1
	if n, ok := arg.(sql.NamedArg); ok {
		v.Name, arg = n.Name, n.Value
	}
	switch arg.(type) {
	case nil, int64, string, []byte, float64:
		v.Value = arg
		return v, nil
	}
	if v.Value, err = driver.DefaultParameterConverter.ConvertValue(arg); err != nil {
		err = fmt.Errorf("audit: argument %d: %w", v.Ordinal, err)
	}
	return v, err
}

// forget closes all statements, none of which has open rows.
func (s *session) forget() {
	if s.guard != nil {
		_ = s.guard.Close()
		s.guard = nil // the session may continue
	}
	_ = s.conn.Raw(func(any) error { // fails only on a closed connection
		closeAll(s.bare)
		return nil
	})
}

func closeAll[S io.Closer](statements map[string]S) {
	for _, st := range statements {
		_ = st.Close()
	}
	clear(statements)
}

func (s *session) close() error {
	s.forget()
	return s.conn.Close()
}
