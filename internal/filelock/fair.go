package filelock

import (
	"context"
	"os"
	"time"
)

// Fair orders the programs that want the write lock of one database. Each waits for that lock while it holds this one,
// so that a busy program cannot take the write lock again before a program that already waits for it. It only orders.
// The database's own lock protects the data, so a program that cannot take this lock continues without it. Only one
// goroutine may use a Fair at a time.
type Fair struct {
	path string
	file *os.File // opened at first use
}

// fairWait limits the wait, so that a program that is suspended with the lock does not block the others.
const fairWait = 5 * time.Second

// NewFair returns the fair lock of the database at path db.
func NewFair(db string) *Fair { return &Fair{path: db + "-turn"} }

// Enter waits for the lock. The caller leaves as soon as it has the write lock.
func (t *Fair) Enter(ctx context.Context) (leave func()) {
	if t.file == nil {
		f, err := os.OpenFile(t.path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return func() {}
		}
		t.file = f
	}
	pause := 50 * time.Microsecond
	for waited := time.Duration(0); ; waited += pause {
		switch ok, err := TryExclusive(t.file); {
		case err != nil:
			return func() {}
		case ok:
			return func() { Unlock(t.file) }
		}
		if ctx.Err() != nil || waited > fairWait {
			return func() {}
		}
		pause = min(2*pause, 2*time.Millisecond)
		time.Sleep(pause)
	}
}

// Close closes the lock's file, if it was opened.
func (t *Fair) Close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}
