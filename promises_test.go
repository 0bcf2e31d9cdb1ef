package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryPromiseOfTheBusHasATest: C1 to C16 are what a definition carries, B1
// to B12 the steps of an invocation, M1 to M7 manifest and discovery, E1 to E5
// events. Each has a test named after it; those of a conversation are agent's.
func TestEveryPromiseOfTheBusHasATest(t *testing.T) {
	tested := map[string]map[string]bool{"bus": {}, "agent": {}}
	name := regexp.MustCompile(`^Test([CBME][0-9]+)[A-Z]`)
	for room, found := range tested {
		err := filepath.WalkDir(room, func(path string, d fs.DirEntry, err error) error {
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
						found[id[1]] = true
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for letter, last := range map[string]int{"C": 16, "B": 12, "M": 7, "E": 5} {
		for n := range last {
			id, room := fmt.Sprint(letter, n+1), "bus"
			if id == "E3" || id == "E4" {
				room = "agent"
			}
			if !tested[room][id] {
				t.Errorf("no test of %s is named after %s", room, id)
			}
		}
	}
}
