package audit

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"syscall"
	"unicode/utf8"

	"github.com/deskhand/deskhand/bus"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// IsFull reports whether the disk is full.
func IsFull(err error) bool {
	return isCode(err, sqlite3.SQLITE_FULL) || errors.Is(err, syscall.ENOSPC)
}

// IsLocked reports whether another program kept the file locked for too long.
func IsLocked(err error) bool { return isCode(err, sqlite3.SQLITE_BUSY) }

// IsReadOnly reports whether the file or its folder cannot be written.
func IsReadOnly(err error) bool {
	return isCode(err, sqlite3.SQLITE_READONLY) || isCode(err, sqlite3.SQLITE_PERM) || errors.Is(err, syscall.EROFS)
}

// IsDamaged reports whether the file is no database, or a damaged one.
func IsDamaged(err error) bool {
	var told *bus.Error
	return isCode(err, sqlite3.SQLITE_NOTADB) || isCode(err, sqlite3.SQLITE_CORRUPT) ||
		errors.As(err, &told) && told.Reason == bus.ReasonDamaged
}

func isCode(err error, primary int) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == primary
}

// explain turns the errors of a damaged file, a full disk and a locked file into bus errors, because the bus does not
// know those of SQLite. It returns other errors unchanged.
func (l *Log) explain(err error) error {
	switch {
	case IsDamaged(err):
		return damaged(l.store.path, &l.o, err)
	case err == nil || errors.As(err, new(*bus.Error)):
		return err
	case IsFull(err):
		return bus.Errorf(bus.Transient, bus.ReasonJournal, "The disk is full: nothing was changed.").
			WithHint("Make room on it, then try again.").WithCause(err)
	case IsLocked(err):
		if locked := (*lockedError)(nil); errors.As(err, &locked) && locked.running != "" {
			return errBusyWith(locked.running, bus.ReasonJournal)
		}
		return bus.Errorf(bus.Transient, bus.ReasonJournal, "Another program keeps the file locked: nothing was changed.").
			WithHint("Wait until it is done, or end it, then try again.").WithCause(err)
	}
	return err
}

// errBusyWith returns the error for work that waited for the handler of a capability, in this program or another.
func errBusyWith(capability string, reason bus.Reason) error {
	return bus.Errorf(bus.Transient, reason, "The database is busy with %s: nothing was changed.", capability).
		WithHint("Try again when it is done.")
}

// damaged returns the error for a file that SQLite can no longer read.
func damaged(path string, o *Options, cause error) error {
	if told := new(bus.Error); errors.As(cause, &told) && told.Reason == bus.ReasonDamaged {
		return told
	}
	return bus.Errorf(bus.Internal, bus.ReasonDamaged, "The file %s is damaged: what is in it cannot be relied on.",
		filepath.Base(path)).WithHint("%s", o.remedy()).WithCause(cause)
}

// remedy returns the advice for a damaged file.
func (o *Options) remedy() string {
	if o.Remedy != nil {
		return o.Remedy()
	}
	return "Keep it as it is, and go on with the newest copy that audit.Inspect finds whole."
}

// quickCheck and fullCheck are SQLite's checks of a file: the first checks the pages, the second also compares indexes
// with their tables, which takes longer.
const (
	quickCheck = "PRAGMA quick_check(1)"
	fullCheck  = "PRAGMA integrity_check(1)"
)

// sound checks the file with SQLite, and returns the error for a damaged one.
func (s *store) sound(ctx context.Context, check string, o *Options) error {
	found, err := s.check(ctx, check)
	switch {
	case err == nil && found != "ok":
		return damaged(s.path, o, errors.New(found))
	case IsDamaged(err):
		return damaged(s.path, o, err)
	}
	return err
}

// check returns SQLite's findings: "ok", or the first fault. It opens a separate connection, because one that has
// searched a text index before others wrote to it may report a corrupt index. SQLite drops the CHECK constraints of a
// read-only file, so the connection can write, and query_only prevents writes.
func (s *store) check(ctx context.Context, check string) (found string, err error) {
	db, err := sql.Open("sqlite", s.dsn("rw")+"&_pragma=query_only(ON)")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.QueryRowContext(ctx, check).Scan(&found)
	return found, err
}

// notOpened returns the error for a file that could not be opened because of err. A damaged file can fail with any
// error, such as a missing table. So SQLite checks the file, unless err concerns its surroundings: a full disk, a lock,
// permissions.
func notOpened(ctx context.Context, path string, o *Options, err error) error {
	switch {
	case IsDamaged(err):
		return damaged(path, o, err)
	case IsFull(err), IsLocked(err), IsReadOnly(err), ctx.Err() != nil:
		return err
	}
	whole, bad := filepath.Abs(path)
	if bad != nil {
		return err
	}
	if found := (&store{path: whole}).sound(ctx, fullCheck, o); IsDamaged(found) {
		return damaged(path, o, found)
	}
	return err
}

// payloadReadable returns the error for a damaged file if the payload of a record has bytes that no text has: SQLite
// does not detect the loss of the last page of a long value.
func (l *Log) payloadReadable(ctx context.Context, s *stream, seq int64) error {
	var body []byte
	err := l.readers.db.QueryRowContext(ctx, "SELECT body FROM "+s.payloads+" WHERE seq = ? AND body IS NOT NULL", seq).
		Scan(&body)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err == nil && (bytes.IndexByte(body, 0) >= 0 || !utf8.Valid(body)):
		return damaged(l.store.path, &l.o, fmt.Errorf("the payload of record %d is no text", seq))
	}
	return err
}
