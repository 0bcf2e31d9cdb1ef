// Package files gives capabilities access to files by token: files that the user picked, dropped, or typed as a path.
package files

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
	"github.com/deskhand/deskhand/internal/atomicfile"
)

// Tokens maps tokens to picked and dropped files. Neither the page nor a model can name a path. On the command line,
// where the user types the arguments, a path may replace a token.
type Tokens struct {
	paths   bool   // a file argument may be a path
	exports string // folder that exports are written into

	mu     sync.Mutex // guards the fields below
	tokens map[string]string
	drops  []drop // oldest first
}

// New returns an empty set of tokens. Exports go into a folder of the shop. With paths, a file argument may be a path.
func New(shop string, paths bool) *Tokens {
	return &Tokens{paths: paths, exports: filepath.Join(shop, "exports"), tokens: map[string]string{}}
}

func newToken() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails: crypto/rand aborts the program instead
	return "file_" + hex.EncodeToString(b)
}

// Add returns a token for a picked path. It is valid until the program ends.
func (f *Tokens) Add(path string) string {
	token := newToken()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tokens[token] = path
	return token
}

// Create implements [capabilities.Files]. An export never replaces another one.
func (f *Tokens) Create(_ context.Context, name string) (io.WriteCloser, string, error) {
	w, path, err := createIn(f.exports, name)
	if err != nil {
		return nil, "", err
	}
	return newFile{w}, path, nil
}

// createIn creates a new file in a folder, and the folder if it is missing. If the name is taken it uses another one.
func createIn(folder, name string) (*os.File, string, error) {
	if err := atomicfile.MkdirAll(folder); err != nil {
		return nil, "", NotWritable(folder, err)
	}
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
			return nil, "", NotWritable(folder, err)
		}
		return w, path, nil
	}
}

// NotWritable explains that a file could not be created in a folder.
func NotWritable(folder string, err error) error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Nothing can be written into %s.", folder).WithCause(err).
		WithHint("Check that the disk is not full and that you may write there.")
}

// chosen returns the path of a picked file's token.
func (f *Tokens) chosen(file string) (string, error) {
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

// regular refuses a pipe or a device, because opening one may block indefinitely.
func regular(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s is not a regular file.", filepath.Base(path)).
			WithHint("Choose a file on a disk.")
	}
	return nil
}

// Open implements [shop.Ports].OpenFile.
func (f *Tokens) Open(_ context.Context, file string) (io.ReadCloser, string, error) {
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
