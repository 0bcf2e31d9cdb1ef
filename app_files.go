package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/deskhand/deskhand/bus"
)

// files turns what a person picked into tokens. Neither the page nor a model can
// name a path; on the command line, where a person types it, a path may serve.
type files struct {
	paths bool // a file argument of a cli caller may be a path

	mu     sync.Mutex // guards tokens
	tokens map[string]string
}

// add makes a token for a picked path; it holds until the program ends.
func (f *files) add(path string) string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails: crypto/rand aborts the program instead
	token := "file_" + hex.EncodeToString(b)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tokens == nil {
		f.tokens = map[string]string{}
	}
	f.tokens[token] = path
	return token
}

// open is shop.Ports.OpenFile.
func (f *files) open(_ context.Context, file string) (io.ReadCloser, string, error) {
	f.mu.Lock()
	path, ok := f.tokens[file]
	f.mu.Unlock()
	if !ok && f.paths {
		path, ok = file, true
	}
	if !ok {
		return nil, "", bus.Errorf(bus.Validation, bus.ReasonArguments, "The file was not chosen by a person.").
			WithHint("Choose it with the file picker.")
	}
	// A pipe or a device may keep whoever opens it waiting for ever.
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, "", bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s is not a regular file.", filepath.Base(path)).
			WithHint("Choose a file on a disk.")
	}
	r, err := os.Open(path)
	if err != nil {
		return nil, "", bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s cannot be read.", filepath.Base(path)).
			WithCause(fmt.Errorf("open an import file: %w", err)).
			WithHint("Check that the file exists and that you may read it.")
	}
	return r, filepath.Base(path), nil
}
