package main

import (
	"bytes"
	"cmp"
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

// specification lists the pages of promises, in their order.
var specification = []string{"specification.md", "specification-assistant.md", "specification-log.md",
	"specification-programs.md"}

// promise matches a row of the specification: its id, its words and, if a part is missing, its status.
var promise = regexp.MustCompile(`(?m)^\| ([A-Z][0-9]+) \| .* \| [A-Z ]+ \|(?: ([^|]*) \|)?$`)

var isTest = regexp.MustCompile(`^(Test|Fuzz|Benchmark)`)

// holds matches the line of a test's comment that names the promises it verifies.
var holds = regexp.MustCompile(`(?m)^holds: (.+)$`)

// specStatus writes docs/evidence/spec-status.md: the status of each promise of the specification, and the tests with
// "holds: B4" in their comments. Every promise needs a test. A promise without a status is held.
func specStatus() ([]byte, error) {
	var pages bytes.Buffer
	for _, name := range specification {
		page, err := os.ReadFile("docs/" + name)
		if err != nil {
			return nil, err
		}
		pages.Write(page)
	}
	tests, err := testsByPromise()
	if err != nil {
		return nil, err
	}
	var status bytes.Buffer
	status.WriteString("<!-- Written by make gen; do not edit. -->\n\n# Which tests hold which promise\n\n" +
		"The ids are those of [the specification](../specification.md); a test names them in its comment: " +
		"`// holds: B4`.\n\n" +
		"| id | status | tests |\n|---|---|---|\n")
	var problems []error
	for _, row := range promise.FindAllStringSubmatch(pages.String(), -1) {
		id, is, found := row[1], cmp.Or(row[2], "held"), tests[row[1]]
		if kind, why, _ := strings.Cut(row[2], ": "); row[2] != "" && (kind != "partly" || why == "") {
			problems = append(problems, fmt.Errorf("%s: %q is no status", id, is))
		}
		if len(found) == 0 {
			problems = append(problems, fmt.Errorf("no test says that it holds %s", id))
		}
		fmt.Fprintf(&status, "| %s | %s | %s |\n", id, is, strings.Join(found, "<br>"))
		delete(tests, id)
	}
	for _, id := range slices.Sorted(maps.Keys(tests)) {
		problems = append(problems, fmt.Errorf("the specification has no %s, which is held by %s",
			id, strings.Join(tests[id], ", ")))
	}
	return status.Bytes(), errors.Join(problems...)
}

// testsByPromise returns the tests that verify each promise, as `folder` Name.
func testsByPromise() (map[string][]string, error) {
	found := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "frontend" || d.Name() == "build") {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !isTest.MatchString(f.Name.Name) {
				continue
			}
			for _, line := range holds.FindAllStringSubmatch(f.Doc.Text(), -1) {
				for id := range strings.FieldsSeq(line[1]) {
					found[id] = append(found[id], fmt.Sprintf("`%s` %s", filepath.Dir(path), f.Name.Name))
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
