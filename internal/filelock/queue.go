package filelock

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"time"
)

// Queue is a lock that programs hold one at a time and wait for in their order, with a file for each place: the
// holder's is the first. The system frees the place of a program that ends. Its files stay: to remove one would let two
// programs lock two files of one name.
type Queue struct{ path string }

// NewQueue returns the queue of that name at the database at path db.
func NewQueue(db, name string) Queue {
	return Queue{fmt.Sprintf("%s-slot-%x", db, sha256.Sum256([]byte(name)))[:len(db)+14]}
}

// file is the path of a place.
func (q Queue) file(n int) string { return fmt.Sprintf("%s-%d", q.path, n) }

// held reports whether a place is held. It locks the place for shared use meanwhile: two programs that look at the same
// time do not take each other for a holder.
func (q Queue) held(n int) (bool, error) {
	f, err := os.OpenFile(q.file(n), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return false, fmt.Errorf("look at %s: %w", q.file(n), err)
	}
	free, err := TryShared(f)
	return err == nil && !free, errors.Join(err, leave(f))
}

// Full reports whether all places are held, those of depth that wait too.
func (q Queue) Full(depth int) (bool, error) {
	for n := depth; n >= 0; n-- {
		if held, err := q.held(n); err != nil || !held {
			return false, err
		}
	}
	return true, nil
}

// leave gives a place back. It unlocks first: a child process that is being started has a copy of the file until it
// runs its program, and the lock would last as long.
func leave(f *os.File) error {
	if f == nil {
		return nil
	}
	Unlock(f)
	return f.Close()
}

// Enter waits for the first place, behind at most depth others. The returned function gives the place back; it is nil
// when there are more.
func (q Queue) Enter(ctx context.Context, depth int) (give func(), err error) {
	var at *os.File
	pause := 50 * time.Microsecond
	for n := depth; ; {
		next, err := Claim(q.file(n))
		switch {
		case err != nil:
			return nil, errors.Join(err, leave(at))
		case next != nil: // this place is ours now, the one behind it is free
			if err := leave(at); err != nil {
				return nil, errors.Join(err, leave(next))
			}
			if n == 0 {
				return func() { _ = leave(next) }, nil // nothing was written to it
			}
			at, pause = next, 50*time.Microsecond
			n--
			continue
		case at == nil: // the last place may be looked at, or held on its way to one before it
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
