package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/spec-status.md again")

// TestEveryPromiseHasATest holds docs/specification.md to the tests: each of its
// ids has a test named after it (TestB4SameKeyRunsOnce tests B4), no test carries
// an id that is not promised, and docs/spec-status.md lists them as they are.
func TestEveryPromiseHasATest(t *testing.T) {
	page, err := os.ReadFile("docs/specification.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := testsByPromise(t)
	var status bytes.Buffer
	status.WriteString("<!-- Written by go test -run EveryPromise . -update; do not edit. -->\n\n# Which tests hold which promise\n\n" +
		"The ids are those of [the specification](specification.md).\n\n| id | promise | tests |\n|---|---|---|\n")
	promise := regexp.MustCompile(`(?m)^\| ([A-Z][0-9]+) \| (.*) \|$`)
	for _, row := range promise.FindAllStringSubmatch(string(page), -1) {
		id, words := row[1], row[2]
		if len(tests[id]) == 0 {
			t.Errorf("no test is named after %s: %s", id, words)
		}
		fmt.Fprintf(&status, "| %s | %s | %s |\n", id, words, strings.Join(tests[id], "<br>"))
		delete(tests, id)
	}
	for id, names := range tests {
		t.Errorf("docs/specification.md has no %s, which is tested by %s", id, strings.Join(names, ", "))
	}
	const file = "docs/spec-status.md"
	if *update {
		if err := os.WriteFile(file, status.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(file); err != nil || !bytes.Equal(kept, status.Bytes()) {
		t.Errorf("%s is stale (%v): run go test -run EveryPromise . -update", file, err)
	}
}

// testsByPromise finds the tests whose names begin with an id, as `package` Name.
func testsByPromise(t *testing.T) map[string][]string {
	found := map[string][]string{}
	name := regexp.MustCompile(`^(?:Test|Fuzz|Benchmark)([CBMEAU][0-9]+)[A-Z]`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "frontend" || d.Name() == "build") {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
				if id := name.FindStringSubmatch(f.Name.Name); id != nil {
					found[id[1]] = append(found[id[1]], fmt.Sprintf("`%s` %s", filepath.Dir(path), f.Name.Name))
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, names := range found {
		slices.Sort(names)
	}
	return found
}
