package filelock

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"time"
)

// Queue is a lock that programs hold one at a time and wait for in order, with a file for each place. The holder has
// the first place. The system frees the place of a program that ends. The files stay, because removing one would let
// two programs lock two files of the same name.
type Queue struct{ path string }

// NewQueue returns the queue of that name at the database at path db.
func NewQueue(db, name string) Queue {
	return Queue{fmt.Sprintf("%s-slot-%x", db, sha256.Sum256([]byte(name)))[:len(db)+14]}
}

// file returns the path of a place.
func (q Queue) file(n int) string { return fmt.Sprintf("%s-%d", q.path, n) }

// held reports whether a place is held. It locks the place in shared mode during the check, so that two concurrent
// checks do not mistake each other for a holder.
func (q Queue) held(n int) (bool, error) {
	f, err := os.OpenFile(q.file(n), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return false, fmt.Errorf("look at %s: %w", q.file(n), err)
	}
	free, err := TryShared(f)
	return err == nil && !free, errors.Join(err, leave(f))
}

// Full reports whether all places are held, including depth waiting ones.
func (q Queue) Full(depth int) (bool, error) {
	for n := depth; n >= 0; n-- {
		if held, err := q.held(n); err != nil || !held {
			return false, err
		}
	}
	return true, nil
}

// leave frees a place. It unlocks explicitly, because a child process that is being started has a copy of the file
// until it runs its program, and would keep the lock.
func leave(f *os.File) error {
	if f == nil {
		return nil
	}
	Unlock(f)
	return f.Close()
}

// Enter waits for the first place, behind at most depth others. The returned function frees the place. It is nil if
// more programs wait.
func (q Queue) Enter(ctx context.Context, depth int) (give func(), err error) {
	var at *os.File
	pause := 50 * time.Microsecond
	for n := depth; ; {
		next, err := Claim(q.file(n))
		switch {
		case err != nil:
			return nil, errors.Join(err, leave(at))
		case next != nil: // this place is held now, the next one is free
			if err := leave(at); err != nil {
				return nil, errors.Join(err, leave(next))
			}
			if n == 0 {
				return func() { _ = leave(next) }, nil // nothing was written to it
			}
			at, pause = next, 50*time.Microsecond
			n--
			continue
		case at == nil: // another program checks the last place, or moves on from it
			if full, err := q.Full(depth); full || err != nil {
				return nil, err
			}
		}
		select {
		case <-time.After(pause):
			pause = min(2*pause, 20*time.Millisecond)
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), leave(at))
		}
	}
}
