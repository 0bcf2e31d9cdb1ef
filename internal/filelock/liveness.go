package filelock

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Liveness shows other programs that this one is running. It holds a lock on a file next to the database. It is safe
// for concurrent use.
type Liveness struct {
	db string

	mu   sync.Mutex
	file *os.File // guarded by mu; made at first use
}

// livenessMark separates the database's name from the id of a program.
const livenessMark = "-alive-"

// NewLiveness returns the liveness of this program at the database at path db.
func NewLiveness(db string) *Liveness { return &Liveness{db: db} }

// ID returns this program's id and creates its file at the first call.
func (p *Liveness) ID() (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.file == nil {
		f, err := os.CreateTemp(filepath.Dir(p.db), filepath.Base(p.db)+livenessMark+"*")
		if err != nil {
			return "", err
		}
		locked, err := TryExclusive(f)
		if err != nil {
			return "", errors.Join(errors.New("cannot lock "+f.Name()), err, f.Close(), os.Remove(f.Name()))
		}
		if locked && isAt(f, f.Name()) {
			p.file = f
		} else { // another program removes it as the file of a dead program
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}
	return strings.TrimPrefix(filepath.Base(p.file.Name()), filepath.Base(p.db)+livenessMark), nil
}

// isAt reports whether the open file still has this name.
func isAt(f *os.File, name string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(name)
	return err == nil && os.SameFile(open, there)
}

// Gone reports whether the program with an id has ended, and removes its file.
func (p *Liveness) Gone(id string) (bool, error) {
	name := p.db + livenessMark + filepath.Base(id)
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	free, err := TryExclusive(f)
	if err != nil || !free {
		return false, errors.Join(err, f.Close())
	}
	// While the lock is held, no program can start to use this name. A system that does not remove an open file does
	// not remove a live program's file either.
	err = os.Remove(name)
	if bad := f.Close(); bad != nil {
		return false, bad
	}
	if err != nil {
		err = os.Remove(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return err == nil, err
}

// CleanUp removes the files of programs that were killed. A file that cannot be removed does no harm.
func (p *Liveness) CleanUp() {
	mark := filepath.Base(p.db) + livenessMark
	files, err := os.ReadDir(filepath.Dir(p.db))
	if err != nil {
		return
	}
	for _, f := range files {
		if id, ok := strings.CutPrefix(f.Name(), mark); ok {
			_, _ = p.Gone(id)
		}
	}
}

// Close removes the file: the program is no longer alive for others.
func (p *Liveness) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file == nil {
		return nil
	}
	err := errors.Join(p.file.Close(), os.Remove(p.file.Name()))
	p.file = nil
	return err
}
