package repo

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// picture is the drawing of the rooms in docs/architecture.md: a Mermaid flow chart whose nodes name folders and whose
// arrows say who uses whom.
type picture struct {
	rooms  map[string]string // the node's name in the chart -> folder; "." is package main
	arrows map[[2]string]bool
}

var (
	node  = regexp.MustCompile(`^\s*(\w+)\["(?:<b>)?([\w./]+)`)
	arrow = regexp.MustCompile(`^\s*([\w &]+?) --> (.+?)\s*$`)
)

// drawn reads the first Mermaid chart of a page.
func drawn(t *testing.T, page string) picture {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, chart, found := strings.Cut(string(text), "```mermaid\n")
	chart, _, closed := strings.Cut(chart, "```")
	if !found || !closed {
		t.Fatalf("%s has no Mermaid chart", page)
	}
	p := picture{rooms: map[string]string{}, arrows: map[[2]string]bool{}}
	for line := range strings.Lines(chart) {
		if m := node.FindStringSubmatch(line); m != nil {
			p.rooms[m[1]] = m[2]
		}
		if m := arrow.FindStringSubmatch(line); m != nil {
			for from := range strings.SplitSeq(m[1], " & ") {
				for to := range strings.SplitSeq(m[2], " & ") {
					p.arrows[[2]string{from, to}] = true
				}
			}
		}
	}
	return p
}

// uses is the import graph between the rooms of a picture: a package belongs to the room with the longest folder that
// it lies in.
func (p picture) uses(t *testing.T) map[string]map[string]bool {
	t.Helper()
	in := func(pkg string) string {
		best, room := -1, ""
		for name, folder := range p.rooms {
			switch {
			case pkg == "" && folder == ".":
				return name
			case pkg != folder && !strings.HasPrefix(pkg, folder+"/"):
			case len(folder) > best:
				best, room = len(folder), name
			}
		}
		return room
	}
	graph := map[string]map[string]bool{}
	for pkg, list := range imports(t) {
		if strings.HasPrefix(pkg, "docs/") || strings.HasPrefix(pkg, "build/") || strings.HasSuffix(pkg, "test") ||
			pkg == "internal/e2e" || pkg == "internal/repo" {
			continue // examples, tools and tests are not rooms of the house
		}
		from := in(pkg)
		if from == "" {
			t.Errorf("package %q lies in no room of the picture", pkg)
			continue
		}
		for _, imported := range list {
			ours, isOurs := strings.CutPrefix(imported, module+"/")
			if !isOurs {
				continue
			}
			if to := in(ours); to != from && !strings.HasSuffix(ours, "test") {
				if graph[from] == nil {
					graph[from] = map[string]bool{}
				}
				graph[from][to] = true
			}
		}
	}
	return graph
}

// reduced leaves out an arrow that a longer way implies.
func reduced(graph map[string]map[string]bool) map[[2]string]bool {
	var reaches func(from, to string, seen map[string]bool) bool
	reaches = func(from, to string, seen map[string]bool) bool {
		if from == to {
			return true
		}
		if seen[from] {
			return false
		}
		seen[from] = true
		for next := range graph[from] {
			if reaches(next, to, seen) {
				return true
			}
		}
		return false
	}
	out := map[[2]string]bool{}
	for from, list := range graph {
		for to := range list {
			direct := true
			for other := range list {
				if other != to && reaches(other, to, map[string]bool{from: true}) {
					direct = false
				}
			}
			if direct {
				out[[2]string{from, to}] = true
			}
		}
	}
	return out
}

// TestThePictureIsTheImportGraph: docs/architecture.md draws each arrow of the code that no longer way implies, and no
// other.
func TestThePictureIsTheImportGraph(t *testing.T) {
	p := drawn(t, filepath.Join("docs", "architecture.md"))
	code := reduced(p.uses(t))
	for a := range code {
		if !p.arrows[a] {
			t.Errorf("docs/architecture.md does not draw %s --> %s (%s uses %s)", a[0], a[1], p.rooms[a[0]], p.rooms[a[1]])
		}
	}
	for a := range p.arrows {
		if !code[a] {
			t.Errorf("docs/architecture.md draws %s --> %s; the code has no such import, or a longer way implies it",
				a[0], a[1])
		}
	}
	for name, folder := range p.rooms {
		if _, err := os.Stat(filepath.Join(folder)); err != nil {
			t.Errorf("docs/architecture.md draws %s: %v", name, err)
		}
	}
}

var place = regexp.MustCompile("`((?:[\\w-]+/)*[\\w.-]+\\.go)`(?: `([A-Z]?[\\w.]+)`)?")

// TestPagesNameFilesAndFunctionsThatAreThere: where a page says `file.go` `Function`, that file declares that
// function.
func TestPagesNameFilesAndFunctionsThatAreThere(t *testing.T) {
	named := 0
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range place.FindAllStringSubmatch(string(text), -1) {
			file := filepath.FromSlash(m[1])
			folder, _, inFolder := strings.Cut(m[1], "/")
			if _, err := os.Stat(folder); inFolder && err != nil || !inFolder && m[2] == "" {
				continue // a module of others, or a file of an example
			}
			named++
			declared, err := declarations(file)
			switch {
			case err != nil:
				t.Errorf("%s names %s: %v", filepath.Base(page), m[1], err)
			case m[2] != "" && !declared[m[2]]:
				t.Errorf("%s says that %s declares %s; it has %v", filepath.Base(page), m[1], m[2],
					slices.Sorted(maps.Keys(declared)))
			}
		}
	}
	if named < 15 {
		t.Errorf("only %d files are named", named)
	}
}

// declarations of a file: functions, Type.Method and types.
func declarations(name string) (map[string]bool, error) {
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				of := d.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				if id, ok := of.(*ast.Ident); ok {
					name = id.Name + "." + name
				}
			}
			out[name] = true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok {
					out[s.Name.Name] = true
				}
			}
		}
	}
	return out, nil
}
