package audit

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// users is how many programs have a log open: each holds a shared lock on a file
// beside it for as long, and one that replaces the log by another takes the lock
// for itself. The system frees locks when a process ends, however it ends.
type users struct{ file *os.File }

const (
	// usersWait bounds how long Open waits for a program that replaces the log.
	usersWait = 5 * time.Second
	usersStep = 5 * time.Millisecond
)

// join makes this program a user of the log at path.
func join(ctx context.Context, path string) (*users, error) {
	f, err := os.OpenFile(path+"-users", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	u := &users{f}
	if err := u.share(ctx); err != nil {
		_ = f.Close() // nothing was written to it
		return nil, err
	}
	return u, nil
}

// share takes the lock together with others.
func (u *users) share(ctx context.Context) error {
	for waited := time.Duration(0); ; waited += usersStep {
		switch ok, err := tryShare(u.file); {
		case err != nil:
			return fmt.Errorf("lock %s: %w", u.file.Name(), err)
		case ok:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case waited > usersWait:
			return bus.Errorf(bus.Conflict, bus.ReasonBusy, "Another program is replacing the database by a copy.").WithHint("Try again when it is done.")
		}
		time.Sleep(usersStep)
	}
}

// alone takes the lock for this program only; false when others have it. It is
// called inside a write transaction: two programs never try at once, and where
// the system frees the shared lock first, nobody can replace the log meanwhile.
func (u *users) alone() (bool, error) {
	unlock(u.file)
	ok, err := tryLock(u.file)
	if err != nil || !ok {
		if bad := u.share(context.Background()); err == nil {
			err = bad
		}
	}
	return ok && err == nil, err
}

// together ends alone.
func (u *users) together() error {
	unlock(u.file)
	return u.share(context.Background())
}

func (u *users) leave() error {
	if u == nil {
		return nil
	}
	return u.file.Close()
}
