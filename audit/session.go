package audit

import (
	"context"
	"database/sql"
)

// session is one connection with its prepared statements. It is used by one
// goroutine at a time.
type session struct {
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
}

func newSession(conn *sql.Conn) *session {
	return &session{conn: conn, stmts: map[string]*sql.Stmt{}}
}

// prepare returns the prepared statement for text. A statement is shared by all
// its users: its rows must be read and closed before it is used again.
func (s *session) prepare(text string) (*sql.Stmt, error) {
	if st, ok := s.stmts[text]; ok {
		return st, nil
	}
	if len(s.stmts) >= maxStatements {
		s.forget()
	}
	// Preparing does not wait, and an interrupt would hit the transaction.
	st, err := s.conn.PrepareContext(context.Background(), text)
	if err != nil {
		return nil, err
	}
	s.stmts[text] = st
	return st, nil
}

// exec runs a statement that cannot be cancelled: cancelling one ends the whole
// transaction, with the rows of everybody who shares it.
func (s *session) exec(text string, args ...any) (sql.Result, error) {
	st, err := s.prepare(text)
	if err != nil {
		return nil, err
	}
	return st.ExecContext(context.Background(), args...)
}

// scan reads the one row of a query into dest; sql.ErrNoRows if there is none.
func (s *session) scan(text string, args []any, dest ...any) error {
	st, err := s.prepare(text)
	if err != nil {
		return err
	}
	return st.QueryRowContext(context.Background(), args...).Scan(dest...)
}

func (s *session) forget() {
	for text, st := range s.stmts {
		_ = st.Close() // nothing can be lost: it holds no rows
		delete(s.stmts, text)
	}
}

func (s *session) close() error {
	s.forget()
	return s.conn.Close()
}
