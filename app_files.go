package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/bus"
)

// files turns what a person picked or dropped into tokens. Neither the page nor a model can
// name a path; on the command line, where a person types it, a path may serve.
type files struct {
	paths   bool   // a file argument of a cli caller may be a path
	exports string // folder that exports are written into

	mu     sync.Mutex // guards what follows
	tokens map[string]string
	drops  []drop // the oldest first
}

// newFileToken makes what a file is named by.
func newFileToken() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails: crypto/rand aborts the program instead
	return "file_" + hex.EncodeToString(b)
}

// add makes a token for a picked path; it holds until the program ends.
func (f *files) add(path string) string {
	token := newFileToken()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tokens == nil {
		f.tokens = map[string]string{}
	}
	f.tokens[token] = path
	return token
}

// Create is capabilities.Files: exports go into a folder of the shop and never replace
// one another.
func (f *files) Create(_ context.Context, name string) (io.WriteCloser, string, error) {
	if err := os.MkdirAll(f.exports, 0o700); err != nil {
		return nil, "", notWritable(f.exports, err)
	}
	return createIn(f.exports, name)
}

// createIn makes a new file in a folder, under another name if one is taken.
func createIn(folder, name string) (*os.File, string, error) {
	ext := filepath.Ext(name)
	base := strings.TrimSuffix(filepath.Base(name), ext)
	for n := 1; ; n++ {
		path := filepath.Join(folder, base+ext)
		if n > 1 {
			path = filepath.Join(folder, fmt.Sprintf("%s (%d)%s", base, n, ext))
		}
		w, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, "", notWritable(folder, err)
		}
		return w, path, nil
	}
}

func notWritable(folder string, err error) error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Nothing can be written into %s.", folder).WithCause(err).
		WithHint("Check that the disk is not full and that you may write there.")
}

// chosen is the path of what a file argument names.
func (f *files) chosen(file string) (string, error) {
	f.mu.Lock()
	path, ok := f.tokens[file]
	f.mu.Unlock()
	if !ok && f.paths {
		path, ok = file, true
	}
	if !ok {
		return "", bus.Errorf(bus.Validation, bus.ReasonArguments, "The file was not chosen by a person.").
			WithHint("Choose it with the file picker.")
	}
	return path, nil
}

// regular refuses a pipe or a device, which may keep whoever opens it waiting for
// ever.
func regular(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s is not a regular file.", filepath.Base(path)).
			WithHint("Choose a file on a disk.")
	}
	return nil
}

// open is shop.Ports.OpenFile.
func (f *files) open(_ context.Context, file string) (io.ReadCloser, string, error) {
	if content, name := f.dropped(file); content != nil {
		return content, name, nil
	}
	path, err := f.chosen(file)
	if err != nil {
		return nil, "", err
	}
	if err := regular(path); err != nil {
		return nil, "", err
	}
	r, err := os.Open(path)
	if err != nil {
		return nil, "", bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s cannot be read.", filepath.Base(path)).
			WithCause(fmt.Errorf("open an import file: %w", err)).
			WithHint("Check that the file exists and that you may read it.")
	}
	return r, filepath.Base(path), nil
}
