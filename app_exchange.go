package main

import (
	"context"
	"errors"
	"os"

	"github.com/deskhand/deskhand/shop"
)

// newFile is shop.NewFile: a file on a disk under the name it will keep.
type newFile struct{ *os.File }

// create is shop.Ports.CreateFile: an export goes where a person says, or into
// the shop's own folder of exports.
func (d *desk) create(_ context.Context, file, name string) (shop.NewFile, error) {
	path, err := copies{files: d.files, folder: d.files.exports}.place(file, name)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, errors.Join(err, os.Remove(path))
	}
	return newFile{f}, nil
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
