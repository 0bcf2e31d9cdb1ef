package audit

import (
	"errors"
	"syscall"

	"github.com/deskhand/deskhand/bus"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// IsFull tells whether there was no room on the disk.
func IsFull(err error) bool {
	return isCode(err, sqlite3.SQLITE_FULL) || errors.Is(err, syscall.ENOSPC)
}

// IsLocked tells whether another program kept the file for longer than is waited.
func IsLocked(err error) bool { return isBusy(err) }

// IsReadOnly tells whether the file or its folder cannot be written.
func IsReadOnly(err error) bool {
	return isCode(err, sqlite3.SQLITE_READONLY) || isCode(err, sqlite3.SQLITE_PERM) || errors.Is(err, syscall.EROFS)
}

// IsDamaged tells whether the file is no database, or one that cannot be read any more.
func IsDamaged(err error) bool {
	return isCode(err, sqlite3.SQLITE_NOTADB) || isCode(err, sqlite3.SQLITE_CORRUPT)
}

func isCode(err error, primary int) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == primary
}

// explain gives words to what a full disk or another program does to a commit: it
// passes, and nothing was stored. Any other error stays as it is.
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
