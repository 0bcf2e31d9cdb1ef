package files

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/deskhand/deskhand/internal/atomicfile"
	"github.com/deskhand/deskhand/shop"
)

// newFile implements [shop.NewFile]: a file on a disk with its final name.
type newFile struct{ *os.File }

// CreateExport is [shop.Ports].CreateFile. An export goes to the path chosen by the user, or into the shop's own folder
// of exports.
func (f *Tokens) CreateExport(_ context.Context, file, name string) (shop.NewFile, error) {
	path, err := f.place(f.exports, file, name)
	if err != nil {
		return nil, err
	}
	w, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, errors.Join(err, os.Remove(path))
	}
	return newFile{w}, nil
}

// Close closes a complete file. When it returns nil, content and name are on the disk. When it returns an error, there
// is no file.
func (f newFile) Close() error {
	err := errors.Join(f.Sync(), f.File.Close())
	if err == nil {
		err = atomicfile.SyncFolder(filepath.Dir(f.Name()))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Keep implements [shop.NewFile].
func (f newFile) Keep() (string, error) { return f.Name(), f.Close() }

// Drop implements [shop.NewFile].
func (f newFile) Drop() error { return errors.Join(f.File.Close(), os.Remove(f.Name())) }

// Discard removes an incomplete file.
func (f newFile) Discard() error { return f.Drop() }
