package audit

import (
	"context"
	"fmt"
	"os"
	"time"

	"database/sql"
	"errors"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/filelock"
	"net/url"
)

// openLock prevents a restore while other programs have the log open. Each program holds a shared lock on a file next
// to the log; a program that restores a copy takes the exclusive lock.
type openLock struct{ file *os.File }

const (
	// openWait limits the wait of Open for a program that replaces the log.
	openWait = 5 * time.Second
	openStep = 5 * time.Millisecond
)

// takeOpenLock takes the shared lock of the log at path.
func takeOpenLock(ctx context.Context, path string) (*openLock, error) {
	f, err := os.OpenFile(path+"-users", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	u := &openLock{f}
	if err := u.share(ctx); err != nil {
		_ = f.Close() // it has no contents to lose
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

// exclusive takes the exclusive lock; it returns false if another program has the log open. Call it inside a write
// transaction: then two programs never try at once, and no other program replaces the log on systems that release the
// shared lock first.
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

// downgrade returns from the exclusive to the shared lock.
func (u *openLock) downgrade() error {
	filelock.Unlock(u.file)
	return u.share(context.Background())
}

func (u *openLock) close() error {
	if u == nil {
		return nil
	}
	return u.file.Close()
}

// Hold keeps the database at path open until ctx ends, from a separate program, and calls held when it is open. It is
// for a program that cannot prevent others from opening its files. On Unix, opening and closing a database file without
// SQLite releases all locks that the program has on it, https://sqlite.org/howtocorrupt.html section 2.2. The next
// program that closes the database then believes that it is the last one, and removes the log of written pages. This
// cannot happen while another program holds the database.
func Hold(ctx context.Context, path string, held func()) (err error) {
	q := url.Values{"mode": {"rw"}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds())}}
	db, err := sql.Open("sqlite", fileURL(path, q))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("audit: hold %s: %w", path, err)
	}
	defer conn.Close()
	var tables int
	if err := conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&tables); err != nil {
		return fmt.Errorf("audit: hold %s: %w", path, err)
	}
	held()
	<-ctx.Done()
	return nil
}
