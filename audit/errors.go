package audit

import (
	"errors"
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
	return isCode(err, sqlite3.SQLITE_NOTADB) || isCode(err, sqlite3.SQLITE_CORRUPT)
}

func isCode(err error, primary int) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == primary
}

// explain gives a full disk and a locked file a message of their own: they
// pass, and nothing was stored. Other errors stay as they are.
func explain(err error) error {
	switch {
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
