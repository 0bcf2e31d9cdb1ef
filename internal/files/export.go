package files

import (
	"context"
	"errors"
	"os"

	"github.com/deskhand/deskhand/shop"
)

// newFile implements [shop.NewFile]: a file on a disk under the name it will keep.
type newFile struct{ *os.File }

// CreateExport is [shop.Ports].CreateFile: an export goes where a person says, or into the shop's own folder of
// exports.
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

// Keep implements [shop.NewFile].
func (f newFile) Keep() (string, error) {
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// Drop implements [shop.NewFile].
func (f newFile) Drop() error { return errors.Join(f.Close(), os.Remove(f.Name())) }
