package audit

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"syscall"

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

// explain gives a damaged file, a full disk and a locked file a message of their
// own: the bus knows nothing of them. Other errors stay as they are.
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
		return bus.Errorf(bus.Transient, bus.ReasonJournal, "Another program keeps the file locked: nothing was changed.").
			WithHint("Wait until it is done, or end it, then try again.").WithCause(err)
	}
	return err
}

// damaged is the error of a file that SQLite cannot read any more.
func damaged(path string, o *Options, cause error) error {
	if told := new(bus.Error); errors.As(cause, &told) && told.Reason == bus.ReasonDamaged {
		return told
	}
	return bus.Errorf(bus.Internal, bus.ReasonDamaged, "The file %s is damaged: what is in it cannot be relied on.",
		filepath.Base(path)).WithHint("%s", o.remedy()).WithCause(cause)
}

// remedy says what to do about a damaged file.
func (o *Options) remedy() string {
	if o.Remedy != nil {
		return o.Remedy()
	}
	return "Keep it as it is, and go on with the newest copy that audit.Inspect finds whole."
}

// quickCheck asks SQLite whether the pages of the file hold together, and returns the error of a damaged file. It opens
// a connection of its own: one that has searched a text index before others wrote to it may find the index corrupt.
func (l *Log) quickCheck(ctx context.Context) error {
	db, err := sql.Open("sqlite", l.store.dsn(true))
	if err != nil {
		return err
	}
	defer db.Close()
	var found string
	err = db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found)
	switch {
	case err == nil && found != "ok":
		return damaged(l.store.path, &l.o, errors.New(found))
	case IsDamaged(err):
		return damaged(l.store.path, &l.o, err)
	}
	return err
}
