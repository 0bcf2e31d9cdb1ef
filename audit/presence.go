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
	if p.file == nil {
		f, err := os.CreateTemp(filepath.Dir(p.db), filepath.Base(p.db)+presenceMark+"*")
		if err != nil {
			return "", err
		}
		if ok, err := tryLock(f); err != nil || !ok {
			return "", errors.Join(errors.New("audit: cannot lock "+f.Name()), err, f.Close(), os.Remove(f.Name()))
		}
		p.file = f
	}
	return strings.TrimPrefix(filepath.Base(p.file.Name()), filepath.Base(p.db)+presenceMark), nil
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
	if err = errors.Join(err, f.Close()); err != nil || !free {
		return false, err
	}
	return true, os.Remove(name)
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
