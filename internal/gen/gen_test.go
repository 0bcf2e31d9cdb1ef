package main

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
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
	isFresh(t, "frontend/src/door/capabilities.gen.ts")
	isFresh(t, "frontend/src/shop/capabilities.gen.ts")
}

// holds: M1
func TestTheSchemasAreFresh(t *testing.T) {
	isFresh(t, "docs/manifest.schema.json")
	isFresh(t, "docs/shop.schema.json")
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
func TestEveryPromiseHasATest(t *testing.T) { isFresh(t, "docs/spec-status.md") }

// TestThePackagesPageIsWhole holds docs/packages.md to the manifest: each keyword in use, and the packages' own
// capabilities with their scopes.
func TestThePackagesPageIsWhole(t *testing.T) {
	m, err := ourManifest()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile("docs/packages.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	domains, told := map[string]bool{}, map[string]string{}
	row := regexp.MustCompile("(?m)^\\| `(\\w+\\.\\w+)` \\| (.*) \\| (.*) \\|$")
	for _, r := range row.FindAllStringSubmatch(page, -1) {
		domain, _, _ := strings.Cut(r[1], ".")
		domains[domain], told[r[1]] = true, r[2]+", "+r[3]
	}
	keyword := regexp.MustCompile(`"(x-[a-z]+)":`)
	agents := map[bus.Rule]string{bus.RuleAllow: "yes", bus.RuleConfirm: "asks", bus.RuleDeny: "people only", "": "by class"}
	for _, e := range m.Capabilities {
		for _, k := range keyword.FindAllStringSubmatch(string(e.InputSchema)+string(e.OutputSchema), -1) {
			if !strings.Contains(page, "| `"+k[1]+"` |") {
				t.Errorf("%s uses %s, which is not on the page", e.Name, k[1])
			}
		}
		if domain, _, _ := strings.Cut(e.Name, "."); domains[domain] {
			want, access := "none", bus.Access{}
			if len(e.Permissions) > 0 {
				want = "`" + strings.Join(e.Permissions, "` `") + "`"
			}
			if e.Access != nil {
				access = *e.Access
			}
			if want += ", " + agents[access.Agent]; told[e.Name] != want {
				t.Errorf("%s: the page says %q, the manifest %q", e.Name, told[e.Name], want)
			}
			delete(told, e.Name)
		}
	}
	for name := range told {
		t.Errorf("%s is on the page and in no manifest", name)
	}
}

func TestSpokenWordsAreListed(t *testing.T) {
	isFresh(t, "frontend/src/language/spoken.gen.ts")
	isFresh(t, "frontend/src/shop/spoken.gen.ts")
}
