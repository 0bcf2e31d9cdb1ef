package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/shop"
)

// TestMain runs the tests in the repository's root.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

var ourManifest = sync.OnceValues(func() (bus.Manifest, error) { return manifest(context.Background()) })

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
func TestTheClientIsFresh(t *testing.T) {
	isFresh(t, "frontend/src/bridge/capabilities.gen.ts")
	isFresh(t, "frontend/src/shop/capabilities.gen.ts")
}

// holds: M1
func TestTheSchemasAreFresh(t *testing.T) {
	isFresh(t, "docs/manifest.schema.json")
}

// TestTheGeneratedSchemasAreThoseOfTheTypes: a desk serves the generated ones, which are stale after a type or a text was
// changed without make gen. Another version of Go may compress them into other bytes, so their lines are compared.
func TestTheGeneratedSchemasAreThoseOfTheTypes(t *testing.T) {
	m, err := ourManifest()
	if err != nil {
		t.Fatal(err)
	}
	made, err := schemas(m)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(schemasFile)
	if err != nil {
		t.Fatal(err)
	}
	want, have := lines(t, made), lines(t, kept)
	if len(want) < 300 || len(want) != len(have) {
		t.Fatalf("%s has %d schemas, not %d: run make gen", schemasFile, len(have), len(want))
	}
	for i, w := range want {
		if have[i] != w {
			t.Errorf("%s is stale: run make gen\nhas  %.200s\nwant %.200s", schemasFile, have[i], w)
		}
	}
}

// TestTheProgramCarriesTheMigrationsOfTheFolder, each as it is there and no others. Another version of Go may compress
// them into other bytes.
func TestTheProgramCarriesTheMigrationsOfTheFolder(t *testing.T) {
	packed, folder := shop.Migrations(), os.DirFS("shop/migrations")
	names, err1 := fs.Glob(folder, "*")
	carried, err2 := fs.Glob(packed, "*")
	if err := errors.Join(err1, err2); err != nil || !slices.Equal(names, carried) || len(names) < 12 {
		t.Fatalf("%s has %v, not %v (%v): run make gen", migrationsFile, carried, names, err)
	}
	for _, name := range names {
		want, err1 := fs.ReadFile(folder, name)
		have, err2 := fs.ReadFile(packed, name)
		if err := errors.Join(err1, err2); err != nil || !bytes.Equal(want, have) {
			t.Errorf("%s of %s is stale (%v): run make gen", name, migrationsFile, err)
		}
	}
}

// lines decompresses a file and splits it.
func lines(t *testing.T, compressed []byte) []string {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}

// TestC1EveryCapabilitySaysSinceWhen: until the first version is released, what is new belongs on its list; from then
// on it says the version that it appears in.
//
// holds: C1
func TestC1EveryCapabilitySaysSinceWhen(t *testing.T) {
	m, err := ourManifest()
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile("internal/gen/testdata/first_version.txt")
	if err != nil {
		t.Fatal(err)
	}
	first := strings.Fields(string(list))
	for _, c := range m.Capabilities {
		if slices.Contains(first, c.Name) != (c.Since == desk.FirstVersion) {
			t.Errorf("%s says that it is there since %q, and the list of the first version says otherwise", c.Name, c.Since)
		}
	}
	later := bus.ManifestEntry{Name: "a.b", Title: "A", Since: "0.2.0", SideEffect: bus.Network,
		CostEstimate: map[string]string{"mail": "1"}, Requires: []string{"a.c"}}
	page, err := reference(bus.Manifest{Capabilities: []bus.ManifestEntry{later}})
	if want := "| `a.b` | A (since 0.2.0) | network, costs 1 mail | any | a.c |"; err != nil ||
		!strings.Contains(string(page), want) {
		t.Errorf("%v, not %s", err, want)
	}
}

func TestTheReferenceIsFresh(t *testing.T) { isFresh(t, "docs/reference.md") }

// TestEveryPromiseHasATest also fails when a promise has no test, or a test an id that is not promised.
func TestEveryPromiseHasATest(t *testing.T) { isFresh(t, "docs/evidence/spec-status.md") }

// TestThePackagesPageHasEveryKeywordInUse compares docs/packages.md with the x- keywords of the manifest.
func TestThePackagesPageHasEveryKeywordInUse(t *testing.T) {
	m, err := ourManifest()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("docs/packages.md")
	if err != nil {
		t.Fatal(err)
	}
	keyword, used := regexp.MustCompile(`"(x-[a-z]+)":`), 0
	for _, e := range m.Capabilities {
		for _, k := range keyword.FindAllStringSubmatch(string(e.InputSchema)+string(e.OutputSchema), -1) {
			if used++; !bytes.Contains(page, []byte("| `"+k[1]+"` |")) {
				t.Errorf("%s uses %s, which is not on the page", e.Name, k[1])
			}
		}
	}
	if used < 20 {
		t.Errorf("only %d keywords in use", used)
	}
}

// TestPagesNameCapabilitiesThatAreThere: what stands in a page as `domain.verb`, of a domain of the manifest, is one of
// its capabilities. Files, a named condition and a tool of MCP look alike.
func TestPagesNameCapabilitiesThatAreThere(t *testing.T) {
	m, err := ourManifest()
	if err != nil {
		t.Fatal(err)
	}
	domains, names := map[string]bool{}, map[string]bool{"shop.db": true, "host.key": true, "audit.key": true,
		"theme.ts":       true,
		"checkout.ready": true, "approval.wait": true}
	for _, e := range m.Capabilities {
		domain, _, _ := strings.Cut(e.Name, ".")
		domains[domain], names[e.Name] = true, true
	}
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	told := regexp.MustCompile("(?:`| invoke )(([a-z]+)\\.[a-z][A-Za-z]*)[` {]")
	for _, page := range append(pages, "README.md", "CHANGELOG.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range told.FindAllStringSubmatch(string(text), -1) {
			if !domains[m[2]] {
				continue
			}
			if named++; !names[m[1]] {
				t.Errorf("%s names %s, which is no capability", page, m[1])
			}
		}
	}
	if named < 200 {
		t.Errorf("only %d names of capabilities", named)
	}
}

func TestSpokenWordsAreListed(t *testing.T) {
	isFresh(t, "frontend/src/language/spoken.gen.ts")
	isFresh(t, "frontend/src/shop/spoken.gen.ts")
}

// TestSomethingChangesEachDomainThatAnswersAreMadeOf finds misspelt domains: nothing would make such an answer stale.
// One that a capability has by default may change outside of calls only.
// holds: C18
func TestSomethingChangesEachDomainThatAnswersAreMadeOf(t *testing.T) {
	m, err := ourManifest()
	if err != nil {
		t.Fatal(err)
	}
	var changed []string
	for _, e := range m.Capabilities {
		changed = append(changed, e.Changes...)
	}
	for _, e := range m.Capabilities {
		for _, domain := range e.Provides {
			if !slices.Contains(changed, domain) && !strings.HasPrefix(e.Name, domain+".") {
				t.Errorf("%s is made of %q, which nothing changes", e.Name, domain)
			}
		}
	}
}
