// Gen writes every generated file in the repository's root: go run ./internal/gen
//
// The tests of this package compare them. Other programs generate the licences (build/licences.mjs) and the client in
// the test of bus/codegen (go test ./bus/codegen -update).
package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/codegen"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/office"
)

// output is a generated file.
type output struct {
	path string
	make func(bus.Manifest) ([]byte, error)
}

var outputs = []output{
	{"frontend/src/bridge/capabilities.gen.ts", clientOfPackages},
	{"frontend/src/shop/capabilities.gen.ts", clientOf(func(name string) bool { return !isPackages(name) })},
	{"frontend/src/shop/rows.gen.ts", rowsOfShop},
	{"frontend/src/language/spoken.gen.ts", spokenByPackages},
	{"frontend/src/shop/spoken.gen.ts", spokenByShop},
	{schemasFile, schemas},
	{germanFile + ".gz", func(bus.Manifest) ([]byte, error) { return compressedFile(germanFile) }},
	{migrationsFile, func(bus.Manifest) ([]byte, error) { return packed("shop/migrations/*.sql") }},
	{"agent/builtin/words.zip", func(bus.Manifest) ([]byte, error) { return packed("agent/builtin/words/*.txt") }},
	{"docs/manifest.schema.json", func(m bus.Manifest) ([]byte, error) { return m.JSONSchema(), nil }},
	{"shop/transfer/internal/shopfile/shop.schema.json.gz",
		func(bus.Manifest) ([]byte, error) { return compressedFile("docs/shop.schema.json") }},
	{"docs/reference.md", reference},
	{"docs/evidence/spec-status.md", func(bus.Manifest) ([]byte, error) { return specStatus() }},
}

// packages lists the categories of the capabilities that the packages register in any application.
var packages = []string{"agent", "approval", "assistant", "audit", "capability", "conversation", "data", "entity",
	"grant", "plan", "policy", "routine"}

// isPackages reports whether a capability belongs to the packages.
func isPackages(name string) bool {
	category, _, _ := strings.Cut(name, ".")
	return slices.Contains(packages, category)
}

// clientOf returns a function that writes the client of the capabilities that keep accepts. The client of the packages
// belongs to the page kit, that of the others to the application.
func clientOf(keep func(name string) bool) func(bus.Manifest) ([]byte, error) {
	return func(m bus.Manifest) ([]byte, error) { return codegen.TypeScript(only(m, keep)) }
}

// clientOfPackages omits the application's domains, which the manifest contains because names belong to its records.
func clientOfPackages(m bus.Manifest) ([]byte, error) {
	m = only(m, isPackages)
	for i, e := range m.Capabilities {
		m.Capabilities[i].Provides = slices.DeleteFunc(slices.Clone(e.Provides), func(domain string) bool {
			return !isPackages(domain)
		})
	}
	return codegen.TypeScript(m)
}

// only returns the manifest with the capabilities that keep accepts.
func only(m bus.Manifest, keep func(name string) bool) bus.Manifest {
	m.Capabilities = slices.DeleteFunc(slices.Clone(m.Capabilities),
		func(e bus.ManifestEntry) bool { return !keep(e.Name) })
	return m
}

const schemasFile = "internal/desk/schemas.gz"

// schemas writes a line for each inferred schema, compressed.
func schemas(m bus.Manifest) ([]byte, error) {
	var text bytes.Buffer
	for _, e := range m.Capabilities {
		if e.InputSchema != nil {
			fmt.Fprintf(&text, "%s input %s\n", e.Name, e.InputSchema)
		}
		if e.OutputSchema != nil {
			fmt.Fprintf(&text, "%s output %s\n", e.Name, e.OutputSchema)
		}
	}
	return compressed(text.Bytes())
}

// compressed compresses a file for embedding.
func compressed(text []byte) ([]byte, error) {
	var file bytes.Buffer
	w, err := gzip.NewWriterLevel(&file, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(text)
	err = errors.Join(err, w.Close())
	return file.Bytes(), err
}

// germanFile has the German phrases of the shop.
const germanFile = "shop/phrases.de.txt"

// compressedFile reads and compresses a file.
func compressedFile(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return compressed(text)
}

const migrationsFile = "shop/migrations.zip"

// packed packs the files that a pattern matches.
func packed(pattern string) ([]byte, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		w, err := z.Create(filepath.Base(file))
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(text); err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return packed.Bytes(), err
}

// manifest lists the capabilities of any window of the program: on a shop, and on an archive.
func manifest(ctx context.Context) (bus.Manifest, error) {
	m, err := desk.InferredManifest(ctx)
	if err != nil {
		return m, err
	}
	away, err := office.Manifest(ctx)
	m.Capabilities = append(m.Capabilities, away.Capabilities...)
	slices.SortFunc(m.Capabilities, func(a, b bus.ManifestEntry) int { return strings.Compare(a.Name, b.Name) })
	return m, err
}

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write() error {
	m, err := manifest(context.Background())
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
