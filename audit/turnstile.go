package audit

import (
	"context"
	"os"
	"time"
)

// turnstile makes programs that write to one file take turns. Whoever wants the
// write lock waits for it inside the turnstile, so that a busy program that has
// just let go of the lock cannot take it again before one that waits: it has to
// get into the turnstile first. It only orders; SQLite's own lock protects. If it
// cannot be entered, for whatever reason, its user goes ahead without.
type turnstile struct {
	path string
	file *os.File // opened at first use; the writer's goroutine owns it
}

// turnWait bounds how long a program waits in front of the turnstile: one that
// is stopped inside must not stop the others.
const turnWait = 5 * time.Second

func newTurnstile(db string) *turnstile { return &turnstile{path: db + "-turn"} }

// enter waits for its turn. The caller leaves as soon as it holds the write lock.
func (t *turnstile) enter(ctx context.Context) (leave func()) {
	if t.file == nil {
		f, err := os.OpenFile(t.path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return func() {}
		}
		t.file = f
	}
	pause := 50 * time.Microsecond
	for waited := time.Duration(0); ; waited += pause {
		switch ok, err := tryLock(t.file); {
		case err != nil:
			return func() {}
		case ok:
			return func() { unlock(t.file) }
		}
		if ctx.Err() != nil || waited > turnWait {
			return func() {}
		}
		pause = min(2*pause, 2*time.Millisecond)
		time.Sleep(pause)
	}
}

func (t *turnstile) close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}
