package filelock

import (
	"context"
	"os"
	"strings"
	"sync"
	"time"
)

// Fair orders the programs that want the write lock of one database. Each waits for that lock while it holds this one,
// so that a busy program cannot take the write lock again before a program that already waits for it. It only orders.
// The database's own lock protects the data, so a program that cannot take this lock continues without it. One
// goroutine enters a Fair at a time; the other methods are safe for concurrent use.
type Fair struct {
	path string

	mu   sync.Mutex
	file *os.File // guarded by mu; opened at first use
}

// A note begins behind the first byte, which Windows locks.
const (
	noteAt   = 16
	noteSize = 128
)

// fairWait limits the wait, so that a program that is suspended with the lock does not block the others.
const fairWait = 5 * time.Second

// NewFair returns the fair lock of the database at path db.
func NewFair(db string) *Fair { return &Fair{path: db + "-turn"} }

// Enter waits for the lock. The caller leaves as soon as it has the write lock.
func (t *Fair) Enter(ctx context.Context) (leave func()) {
	file, err := t.open()
	if err != nil {
		return func() {}
	}
	pause := 50 * time.Microsecond
	for waited := time.Duration(0); ; waited += pause {
		switch ok, err := TryExclusive(file); {
		case err != nil:
			return func() {}
		case ok:
			return func() { Unlock(file) }
		}
		if ctx.Err() != nil || waited > fairWait {
			return func() {}
		}
		pause = min(2*pause, 2*time.Millisecond)
		time.Sleep(pause)
	}
}

func (t *Fair) open() (_ *os.File, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file == nil {
		t.file, err = os.OpenFile(t.path, os.O_RDWR|os.O_CREATE, 0o600)
	}
	return t.file, err
}

// Note leaves a line for the programs that wait. A program that keeps the write lock for long changes its note from
// time to time, so that they tell it from one that was stopped.
func (t *Fair) Note(line string) {
	if file, err := t.open(); err == nil {
		note := make([]byte, noteSize)
		copy(note, line)
		_, _ = file.WriteAt(note, noteAt) // without it the others wait for less time
	}
}

// Noted returns the last note of any program, "" if there is none.
func (t *Fair) Noted() string {
	file, err := t.open()
	if err != nil {
		return ""
	}
	note := make([]byte, noteSize)
	n, _ := file.ReadAt(note, noteAt) // a short file has no note
	return strings.TrimRight(string(note[:n]), "\x00")
}

// Close closes the lock's file, if it was opened.
func (t *Fair) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}
