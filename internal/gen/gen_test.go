package main

import (
	"bytes"
	"context"
	"os"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
)

// TestMain runs the tests in the repository's root.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

var ourManifest = sync.OnceValues(func() (bus.Manifest, error) { return desk.Manifest(context.Background()) })

// isFresh compares a generated file with what would be generated now.
func isFresh(t *testing.T, path string) {
	t.Helper()
	m, err := ourManifest()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outputs {
		if o.path != path {
			continue
		}
		made, err := o.make(m)
		if err != nil {
			t.Fatal(err)
		}
		if kept, err := os.ReadFile(path); err != nil || !bytes.Equal(kept, made) {
			t.Errorf("%s is stale (%v): run make gen", path, err)
		}
		return
	}
	t.Fatalf("%s is not generated", path)
}

// holds: M5
func TestTheClientIsFresh(t *testing.T) { isFresh(t, "frontend/src/door/capabilities.gen.ts") }

// holds: M1
func TestTheSchemasAreFresh(t *testing.T) {
	isFresh(t, "docs/manifest.schema.json")
	isFresh(t, "docs/shop.schema.json")
}

func TestTheReferenceIsFresh(t *testing.T) { isFresh(t, "docs/reference.md") }

// TestEveryPromiseHasATest also fails when a promise has no test, or a test an id that is not promised.
func TestEveryPromiseHasATest(t *testing.T) { isFresh(t, "docs/spec-status.md") }

func TestSpokenWordsAreListed(t *testing.T) { isFresh(t, "frontend/src/language/spoken.gen.ts") }
