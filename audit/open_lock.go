package audit

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/filelock"
)

// openLock keeps the log from being replaced while other programs have it open. Each holds a shared lock on a file
// beside the log; a program that restores a copy takes the exclusive one.
type openLock struct{ file *os.File }

const (
	// openWait bounds how long Open waits for a program that replaces the log.
	openWait = 5 * time.Second
	openStep = 5 * time.Millisecond
)

// takeOpenLock shares the lock of the log at path.
func takeOpenLock(ctx context.Context, path string) (*openLock, error) {
	f, err := os.OpenFile(path+"-users", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	u := &openLock{f}
	if err := u.share(ctx); err != nil {
		_ = f.Close() // nothing was written to it
		return nil, err
	}
	return u, nil
}

// share takes the shared lock.
func (u *openLock) share(ctx context.Context) error {
	for waited := time.Duration(0); ; waited += openStep {
		switch ok, err := filelock.TryShared(u.file); {
		case err != nil:
			return fmt.Errorf("lock %s: %w", u.file.Name(), err)
		case ok:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case waited > openWait:
			return bus.Errorf(bus.Conflict, bus.ReasonBusy, "Another program is replacing the database by a copy.").
				WithHint("Try again when it is done.")
		}
		time.Sleep(openStep)
	}
}

// exclusive takes the exclusive lock; false when another program has the log open.
// Call it inside a write transaction: then two programs never try at once, and no
// other program replaces the log where the system frees the shared lock first.
func (u *openLock) exclusive() (bool, error) {
	filelock.Unlock(u.file)
	ok, err := filelock.TryExclusive(u.file)
	if err != nil || !ok {
		if bad := u.share(context.Background()); err == nil {
			err = bad
		}
	}
	return ok && err == nil, err
}

// shareAgain ends exclusive.
func (u *openLock) shareAgain() error {
	filelock.Unlock(u.file)
	return u.share(context.Background())
}

func (u *openLock) close() error {
	if u == nil {
		return nil
	}
	return u.file.Close()
}
