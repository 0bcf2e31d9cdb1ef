package repo

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// testHelp matches packages that only tests of this repository use.
var testHelp = regexp.MustCompile(`(^|/)internal/(.*/)?[a-z]+test/|^docs/examples/postgres/pgtest/`)

// production lists the Go files of the repository that are neither tests nor generated.
func production(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", "*.go").Output()
	if err != nil {
		t.Skipf("not checked: no git checkout (%v)", err)
	}
	var list []string
	for file := range strings.FieldsSeq(string(out)) {
		if _, err := os.Stat(file); err != nil || strings.HasSuffix(file, "_test.go") ||
			strings.HasSuffix(file, ".gen.go") || strings.Contains(file, "testdata/") || testHelp.MatchString(file) {
			continue
		}
		list = append(list, file)
	}
	return list
}

// TestTheTopLevelHoldsWhatIsListed refuses, for example, a program that was built there and committed.
func TestTheTopLevelHoldsWhatIsListed(t *testing.T) {
	listed := strings.Fields(`.ci .github .gitignore CHANGELOG.md CONTRIBUTING.md LICENSE Makefile README.md SECURITY.md
		agent app.go audit build bus docs frontend go.mod go.sum internal main.go shop wails.json`)
	out, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		t.Skipf("not checked: no git checkout (%v)", err)
	}
	for file := range strings.Lines(string(out)) {
		top, _, _ := strings.Cut(strings.TrimSpace(file), "/")
		if !slices.Contains(listed, top) {
			t.Errorf("%s is not among the files and folders of the top level", top)
		}
	}
}

// TestNoFolderIsAHall limits the production files of a folder. The limit is the size of the largest folder and may only
// be lowered: it falls to 30 as rooms are split.
func TestNoFolderIsAHall(t *testing.T) {
	const limit = 63
	files := map[string]int{}
	for _, file := range production(t) {
		files[filepath.Dir(file)]++
	}
	largest := 0
	for folder, n := range files {
		largest = max(largest, n)
		if n > limit {
			t.Errorf("%s has %d Go files, the limit is %d", folder, n, limit)
		}
	}
	if largest < limit {
		t.Errorf("the largest folder has %d Go files: lower the limit from %d to it", largest, limit)
	}
}

// TestPublicPackagesExportFewNames counts the exported package-level names of the packages for other programs. The
// constants of a type of the package count as that type: they are its values, and its documentation lists them.
func TestPublicPackagesExportFewNames(t *testing.T) {
	for _, c := range []struct {
		what    string
		most    int
		folders []string
	}{
		{"bus", 80, []string{"bus"}},
		{"audit with its rooms", 63, []string{"audit", "audit/capabilities", "audit/chain"}},
		{"audit/archive", 13, []string{"audit/archive"}},
		{"agent with its rooms", 78, []string{"agent", "agent/model", "agent/openai", "agent/policy"}},
		{"agent/builtin", 1, []string{"agent/builtin"}},
	} {
		var names []string
		for _, folder := range c.folders {
			for _, name := range exportedNames(t, folder) {
				names = append(names, folder+"."+name)
			}
		}
		if len(names) > c.most {
			t.Errorf("%s exports %d names, of %d: %s", c.what, len(names), c.most, strings.Join(names, " "))
		} else {
			t.Logf("%s exports %d names, of %d", c.what, len(names), c.most)
		}
	}
}

// exportedNames are the exported package-level names of a package, in order.
func exportedNames(t *testing.T, folder string) (names []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatal(folder, err)
	}
	add := func(id *ast.Ident) {
		if id.IsExported() {
			names = append(names, id.Name)
		}
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Recv == nil {
					add(decl.Name)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						add(spec.Name)
					case *ast.ValueSpec:
						if of, is := spec.Type.(*ast.Ident); is && of.IsExported() {
							continue // a value of an exported type
						}
						for _, name := range spec.Names {
							add(name)
						}
					}
				}
			}
		}
	}
	slices.Sort(names)
	return names
}
