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

// place locks a place; nil when another holds it.
func (q Queue) place(n int) (*os.File, error) { return Claim(fmt.Sprintf("%s-%d", q.path, n)) }

// Full reports whether all places are held, those of depth that wait too.
func (q Queue) Full(depth int) (bool, error) {
	for n := depth; n >= 0; n-- {
		f, err := q.place(n)
		if err != nil || f != nil {
			return false, errors.Join(err, closed(f))
		}
	}
	return true, nil
}

func closed(f *os.File) error {
	if f == nil {
		return nil
	}
	return f.Close()
}

// Enter waits for the first place, behind at most depth others; nil when there are more.
// The file's end gives the place back.
func (q Queue) Enter(ctx context.Context, depth int) (*os.File, error) {
	var at *os.File
	pause := 50 * time.Microsecond
	for n := depth; ; {
		next, err := q.place(n)
		switch {
		case err != nil:
			return nil, errors.Join(err, closed(at))
		case next != nil: // this place is ours now, the one behind it is free
			if err := closed(at); err != nil {
				return nil, errors.Join(err, next.Close())
			}
			if n == 0 {
				return next, nil
			}
			at, pause = next, 50*time.Microsecond
			n--
			continue
		case at == nil: // the last place may be held on its way to one before it
			if full, err := q.Full(depth); full || err != nil {
				return nil, err
			}
		}
		select {
		case <-time.After(pause):
			pause = min(2*pause, 20*time.Millisecond)
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), closed(at))
		}
	}
}
