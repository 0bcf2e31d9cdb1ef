package audit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// presence is how other programs see that this one is still running: a file
// beside the database that it holds a lock on. The system frees the lock when
// the process ends, however it ends.
type presence struct {
	db string

	mu   sync.Mutex
	file *os.File // guarded by mu; made at first use
}

// presenceMark stands between the database's name and the id of a program.
const presenceMark = "-alive-"

// id returns this program's id, making its file first.
func (p *presence) id() (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.file == nil {
		f, err := os.CreateTemp(filepath.Dir(p.db), filepath.Base(p.db)+presenceMark+"*")
		if err != nil {
			return "", err
		}
		locked, err := tryLock(f)
		if err != nil {
			return "", errors.Join(errors.New("audit: cannot lock "+f.Name()), err, f.Close(), os.Remove(f.Name()))
		}
		if locked && isAt(f, f.Name()) {
			p.file = f
		} else { // another program was clearing up and took it for one of a program that is gone
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}
	return strings.TrimPrefix(filepath.Base(p.file.Name()), filepath.Base(p.db)+presenceMark), nil
}

// isAt says that the open file has this name still.
func isAt(f *os.File, name string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(name)
	return err == nil && os.SameFile(open, there)
}

// gone reports whether the program with an id has ended, and clears up after it.
func (p *presence) gone(id string) (bool, error) {
	name := p.db + presenceMark + filepath.Base(id)
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	free, err := tryLock(f)
	if err != nil || !free {
		return false, errors.Join(err, f.Close())
	}
	// While the lock is held nobody can begin to live under this name. Where a file
	// in use cannot be removed, neither can one that a program lives under.
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

// clearUp removes the files of programs that were killed. What cannot be removed
// does no harm.
func (p *presence) clearUp() {
	mark := filepath.Base(p.db) + presenceMark
	files, err := os.ReadDir(filepath.Dir(p.db))
	if err != nil {
		return
	}
	for _, f := range files {
		if id, ok := strings.CutPrefix(f.Name(), mark); ok {
			_, _ = p.gone(id)
		}
	}
}

func (p *presence) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file == nil {
		return nil
	}
	err := errors.Join(p.file.Close(), os.Remove(p.file.Name()))
	p.file = nil
	return err
}
