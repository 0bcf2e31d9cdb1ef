package audit

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"
)

// Execute runs statements on the writing connection, past all checks: how a test
// breaks what a handler cannot.
func Execute(t testing.TB, l *Log, statements ...string) {
	t.Helper()
	err := l.writer.bookkeep(func(b *batch) error {
		b.wrote = true
		for _, text := range statements {
			if _, err := b.w.session.exec(text); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// DSN is the data source name of the file behind l.
func DSN(l *Log) string { return l.store.dsn(false) }

// Tamper runs statements on the file at path as another program would.
func Tamper(t testing.TB, dsn string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, text := range statements {
		if _, err := db.ExecContext(context.Background(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// WaitForQueue returns when n calls are waiting for the writer.
func WaitForQueue(l *Log, n int) {
	for len(l.writer.queue) < n {
		time.Sleep(50 * time.Microsecond)
	}
}

// LimitPages makes the disk full, or no longer.
func LimitPages(t testing.TB, l *Log, full bool) {
	t.Helper()
	pages := 1 << 30
	if full {
		pages = 1 // as many as there are now
	}
	err := l.writer.bookkeep(func(b *batch) error {
		var now int
		return b.w.session.conn.QueryRowContext(context.Background(), fmt.Sprintf("PRAGMA max_page_count = %d", pages)).Scan(&now)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Impatient makes the writer give up on the lock at once.
func Impatient(t testing.TB, l *Log) {
	t.Helper()
	if err := l.writer.bookkeep(func(b *batch) error { b.w.patience = time.Millisecond; return nil }); err != nil {
		t.Fatal(err)
	}
}

// Lock takes the write lock as another program would, until unlock.
func Lock(t testing.TB, dsn string) (unlock func()) {
	t.Helper()
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return func() { _ = db.Close() }
}
