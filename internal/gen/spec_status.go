package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// specStatus writes docs/spec-status.md: the tests of each promise of docs/specification.md, which carry its id in
// their names (TestB4SameKeyRunsOnce tests B4). A promise without a test is an error, and so is an id without a
// promise.
func specStatus() ([]byte, error) {
	page, err := os.ReadFile("docs/specification.md")
	if err != nil {
		return nil, err
	}
	tests, err := testsByPromise()
	if err != nil {
		return nil, err
	}
	var status bytes.Buffer
	status.WriteString("<!-- Written by make gen; do not edit. -->\n\n# Which tests hold which promise\n\n" +
		"The ids are those of [the specification](specification.md).\n\n| id | promise | tests |\n|---|---|---|\n")
	var problems []error
	promise := regexp.MustCompile(`(?m)^\| ([A-Z][0-9]+) \| (.*) \|$`)
	for _, row := range promise.FindAllStringSubmatch(string(page), -1) {
		id, words := row[1], row[2]
		if len(tests[id]) == 0 {
			problems = append(problems, fmt.Errorf("no test is named after %s: %s", id, words))
		}
		fmt.Fprintf(&status, "| %s | %s | %s |\n", id, words, strings.Join(tests[id], "<br>"))
		delete(tests, id)
	}
	for _, id := range slices.Sorted(maps.Keys(tests)) {
		problems = append(problems, fmt.Errorf("docs/specification.md has no %s, which is tested by %s",
			id, strings.Join(tests[id], ", ")))
	}
	return status.Bytes(), errors.Join(problems...)
}

// testsByPromise returns the tests whose names begin with an id, by id, as `folder` Name.
func testsByPromise() (map[string][]string, error) {
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
	for _, names := range found {
		slices.Sort(names)
	}
	return found, err
}
