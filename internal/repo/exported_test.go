package repo

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// publicPackages are the folders of the packages that other programs may import.
func publicPackages(t *testing.T) (folders []string) {
	t.Helper()
	out, err := exec.Command("go", "list", "./bus/...", "./audit/...", "./agent/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		if folder := strings.TrimPrefix(path, module+"/"); !strings.Contains(folder+"/", "/internal/") {
			folders = append(folders, folder)
		}
	}
	if len(folders) < 11 {
		t.Fatalf("only %q", folders)
	}
	return folders
}

// TestExportedNamesHaveAComment reads the public packages: each package, and each exported function, type, constant,
// variable and method of an exported type. The comment of a group serves all that stand in it.
func TestExportedNamesHaveAComment(t *testing.T) {
	for _, folder := range publicPackages(t) {
		paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		set, described := token.NewFileSet(), false
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			described = described || file.Doc != nil
			for _, decl := range file.Decls {
				for _, name := range uncommented(decl) {
					t.Errorf("%s: %s.%s has no comment", set.Position(name.Pos()), file.Name, name)
				}
			}
		}
		if !described {
			t.Errorf("package %s has no comment", folder)
		}
	}
}

// uncommented lists the exported names that a declaration makes and no comment is about.
func uncommented(decl ast.Decl) (names []*ast.Ident) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Doc == nil && decl.Name.IsExported() && (decl.Recv == nil || receiver(decl.Recv.List[0].Type).IsExported()) {
			names = append(names, decl.Name)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if decl.Doc == nil && spec.Doc == nil && spec.Name.IsExported() {
					names = append(names, spec.Name)
				}
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if decl.Doc == nil && spec.Doc == nil && spec.Comment == nil && name.IsExported() {
						names = append(names, name)
					}
				}
			}
		}
	}
	return names
}

// receiver is the name of a method's type, of *T and T[P] too.
func receiver(expr ast.Expr) *ast.Ident {
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e
		default:
			return ast.NewIdent("_")
		}
	}
}
