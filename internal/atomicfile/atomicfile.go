// Package atomicfile replaces files atomically and durably: after a power cut each file has either its old or its new
// content, under its name.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// Write replaces the file at path. When it returns nil, content and name are on the disk. When it returns an error, the
// file is unchanged, unless the last step failed, which is the sync of the folder.
func Write(path string, text []byte, mode fs.FileMode) error {
	written, err := New(path, ".*.new", text, mode)
	if err != nil {
		return err
	}
	return Replace(written, path)
}

// New writes a file next to path and returns its name, with a random text for the * of the pattern. The content is on
// the disk; the name is on the disk after [Replace] or [SyncFolder].
func New(path, pattern string, text []byte, mode fs.FileMode) (name string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+pattern)
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// Replace renames a synced file to path. It removes the file if that fails.
func Replace(written, path string) error {
	if err := os.Rename(written, path); err != nil {
		return errors.Join(err, os.Remove(written))
	}
	return SyncFolder(filepath.Dir(path))
}

// SyncFolder flushes the names in a folder to the disk, if the system supports it.
func SyncFolder(path string) error {
	if runtime.GOOS == "windows" { // Windows cannot sync folders, and protects names by its journal
		return nil
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.EBADF) || errors.Is(err, errors.ErrUnsupported) {
		err = nil // this file system cannot sync folders
	}
	return errors.Join(err, d.Close())
}

// MkdirAll creates a folder and its missing parents, accessible only to the owner. Their names are on the disk.
func MkdirAll(path string) error {
	path = filepath.Clean(path)
	var missing []string
	for at := path; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		missing = append(missing, at)
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	for _, one := range missing {
		if err := SyncFolder(filepath.Dir(one)); err != nil {
			return err
		}
	}
	return nil
}
