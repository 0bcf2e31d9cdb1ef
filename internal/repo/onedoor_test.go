package repo

import (
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

	"github.com/google/go-cmp/cmp"
)

// TestOneDoorBoundMethods checks that App has these methods and no others, and that the type of the page names the same.
func TestOneDoorBoundMethods(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "app.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.IsExported() {
			names = append(names, f.Name.Name)
		}
	}
	slices.Sort(names)
	want := []string{"Cancel", "Decide", "DropFile", "Invoke", "Manifest", "PickFile", "Send", "Stop"}
	if d := cmp.Diff(want, names); d != "" {
		t.Errorf("app.go (-want +got):\n%s", d)
	}
	if d := cmp.Diff(names, boundInPage(t)); d != "" {
		t.Errorf("the page calls other methods than app.go has (-app.go +page):\n%s", d)
	}
}

// boundInPage lists the methods of the type BoundMethod in the page, sorted.
func boundInPage(t *testing.T) (names []string) {
	t.Helper()
	const path = "frontend/src/bridge/wailsBackend.ts"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	union := regexp.MustCompile(`(?s)\ntype BoundMethod =(.*?);`).FindSubmatch(text)
	if union == nil {
		t.Fatalf("%s does not declare BoundMethod", path)
	}
	for _, name := range regexp.MustCompile(`'(\w+)'`).FindAllSubmatch(union[1], -1) {
		names = append(names, string(name[1]))
	}
	slices.Sort(names)
	return names
}

// TestOneDoorOnlyAuditOpensADatabase looks for sql.Open and drivers' own doors. The example rooms is a program that had a
// database before it had the packages.
func TestOneDoorOnlyAuditOpensADatabase(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{"frontend", "audit", ".git", "build/bench", "docs/examples/rooms"}, path) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "sql" &&
				(strings.HasPrefix(sel.Sel.Name, "Open") || sel.Sel.Name == "Register") {
				t.Errorf("%s: sql.%s outside audit", set.Position(sel.Pos()), sel.Sel.Name)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
