// Gen writes every generated file again, in the repository's root: go run ./internal/gen
//
// The tests of this package compare them. Kept elsewhere are the licences (build/licences.mjs) and the client of
// bus/codegen's own test (go test ./bus/codegen -update).
package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/codegen"
	"github.com/deskhand/deskhand/internal/desk"
)

// output is a generated file.
type output struct {
	path string
	make func(bus.Manifest) ([]byte, error)
}

var outputs = []output{
	{"frontend/src/door/capabilities.gen.ts", codegen.TypeScript},
	{"frontend/src/language/spoken.gen.ts", spoken},
	{"docs/manifest.schema.json", func(m bus.Manifest) ([]byte, error) { return m.JSONSchema(), nil }},
	{"docs/shop.schema.json", func(bus.Manifest) ([]byte, error) { return found("shop", "shop.schema.json") }},
	{"docs/reference.md", reference},
	{"docs/spec-status.md", func(bus.Manifest) ([]byte, error) { return specStatus() }},
}

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write() error {
	m, err := desk.Manifest(context.Background())
	if err != nil {
		return err
	}
	for _, o := range outputs {
		made, err := o.make(m)
		if err != nil {
			return fmt.Errorf("%s: %w", o.path, err)
		}
		if kept, err := os.ReadFile(o.path); err == nil && bytes.Equal(kept, made) {
			continue
		}
		if err := os.WriteFile(o.path, made, 0o644); err != nil {
			return err
		}
		fmt.Println("wrote", o.path)
	}
	return nil
}

// found reads the file of a name below a folder.
func found(folder, name string) (text []byte, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == name {
			text, err = os.ReadFile(path)
		}
		return err
	})
	return text, err
}
