package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

// copies is shop.Copies: the shop's copies lie in a folder of its own, or
// wherever a person says.
type copies struct {
	log    *audit.Log
	files  *files
	folder string
}

var _ shop.Copies = copies{}

// Backup implements [shop.Copies].
func (c copies) Backup(ctx context.Context, file, name string) (audit.Copy, string, error) {
	path, err := c.place(file, name)
	if err != nil {
		return audit.Copy{}, "", err
	}
	copied, err := c.log.Backup(ctx, path)
	if err != nil {
		if ctx.Err() == nil {
			err = notWritable(filepath.Dir(path), err)
		}
		return audit.Copy{}, "", errors.Join(err, os.Remove(path))
	}
	return copied, path, nil
}

// place makes the empty file that a copy will replace: nobody else can take its
// name.
func (c copies) place(file, name string) (string, error) {
	folder := c.folder
	if file == "" {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return "", notWritable(folder, err)
		}
	} else {
		path, err := c.files.chosen(file)
		if err != nil {
			return "", err
		}
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			return path, claim(path)
		}
		folder = path
	}
	f, path, err := createIn(folder, name)
	if err != nil {
		return "", err
	}
	return path, f.Close()
}

// claim makes a new file.
func claim(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "There is a file %s already; it was left alone.", filepath.Base(path)).
			WithHint("Name another file, or a folder.")
	case err != nil:
		return notWritable(filepath.Dir(path), err)
	}
	return f.Close()
}

// Restore implements [shop.Copies].
func (c copies) Restore(ctx context.Context, file, aside string, progress func(done, total int64)) (audit.Restored, string, error) {
	path, err := c.find(file)
	if err != nil {
		return audit.Restored{}, "", err
	}
	if err := regular(path); err != nil {
		return audit.Restored{}, "", err
	}
	if err := os.MkdirAll(c.folder, 0o700); err != nil {
		return audit.Restored{}, "", notWritable(c.folder, err)
	}
	r, err := c.log.Restore(ctx, path, filepath.Join(c.folder, aside), progress)
	return r, filepath.Base(path), err
}

// find is the path of a copy: one of the shop's own by its name, or what a person
// chose.
func (c copies) find(file string) (string, error) {
	entries, err := os.ReadDir(c.folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	var own []string // oldest first: a name begins with its time
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".db") {
			if e.Name() == file {
				return filepath.Join(c.folder, file), nil
			}
			if strings.HasPrefix(e.Name(), shop.CopyPrefix) {
				own = append(own, e.Name())
			}
		}
	}
	if file == "" && len(own) > 0 {
		return filepath.Join(c.folder, own[len(own)-1]), nil
	}
	if file == "" {
		return "", bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no copy of the shop in %s.", c.folder).
			WithHint("shop.backup writes one; or choose a file.")
	}
	path, err := c.files.chosen(file)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err != nil {
		return "", bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no file %s.", filepath.Base(path)).WithCause(err).
			WithHint("The shop's own copies are: %s.", strings.Join(own, ", "))
	}
	return path, nil
}
