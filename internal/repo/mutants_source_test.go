package repo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A mutant is one change of one place.
type mutant struct{ name string }

// A mutated is a piece of source that one or more mutants replace: write gets it with the mutants inside of it.
type mutated struct {
	from, to int
	write    func(inner string) string
}

// A mutator collects the places of a file.
type mutator struct {
	file, function string
	text           []byte
	fset           *token.FileSet
	info           *types.Info
	pkg            *types.Package
	places         []mutated
	mutants        *[]mutant
	first          int
	seen           map[string]int
}

// mutateFolder returns the files of a package with their mutants, numbered from first+1.
func mutateFolder(t *testing.T, dir string, patterns []string, first int) (map[string]string, []mutant) {
	t.Helper()
	fset, info, files, pkg := checkFolder(t, dir)
	var list []mutant
	texts, seen := map[string]string{}, map[string]int{}
	for _, file := range files {
		name := filepath.ToSlash(fset.Position(file.Pos()).Filename)
		if !slices.ContainsFunc(patterns, func(p string) bool { ok, _ := filepath.Match(p, name); return ok }) ||
			ast.IsGenerated(file) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m := &mutator{file: name, text: text, fset: fset, info: info, pkg: pkg, mutants: &list, first: first,
			seen: seen}
		for _, decl := range file.Decls {
			m.function = "var"
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Body != nil {
					m.function = nameOfFunc(decl)
					m.walk(decl.Body, decl.Type)
				}
			case *ast.GenDecl:
				if decl.Tok == token.VAR {
					m.walk(decl, nil)
				}
			}
		}
		slices.SortStableFunc(m.places, func(a, b mutated) int {
			if a.from != b.from {
				return a.from - b.from
			}
			return b.to - a.to
		})
		texts[name] = m.render(0, len(text), m.places)
	}
	texts[filepath.Join(dir, "mutants.go")] = fmt.Sprintf(mutantsSource, pkg.Name(), first+len(list)+1)
	return texts, list
}

const mutantsSource = `package %s

import (
	"os"
	"strconv"
	"sync/atomic"
)

var (
	mutantActive, _ = strconv.Atoi(os.Getenv("MUTANT"))
	mutantNotes, _  = os.OpenFile(os.Getenv("MUTANTS_REACHED"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	mutantReached   [%d]atomic.Bool
)

func mutantIs(n int) bool {
	if mutantNotes != nil && !mutantReached[n].Swap(true) {
		mutantNotes.WriteString(strconv.Itoa(n) + "\n")
	}
	return mutantActive == n
}

func mutantPlus[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 |
	~float64](n int, v T) T {
	if mutantIs(n) {
		return v + 1
	}
	return v
}
`

// checkFolder parses and type-checks a package.
func checkFolder(t *testing.T, dir string) (*token.FileSet, *types.Info, []*ast.File, *types.Package) {
	t.Helper()
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,GoFiles,DepOnly",
		"./"+dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	exports, fset := map[string]string{}, token.NewFileSet()
	var files []*ast.File
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Export string
			GoFiles            []string
			DepOnly            bool
		}
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		for _, name := range p.GoFiles {
			if p.DepOnly {
				break
			}
			f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	pkg, err := conf.Check(dir, fset, files, info)
	if err != nil {
		t.Fatal(err)
	}
	return fset, info, files, pkg
}

func (m *mutator) offset(p token.Pos) int { return m.fset.Position(p).Offset }

func (m *mutator) source(n ast.Node) string {
	return string(m.text[m.offset(n.Pos()):m.offset(n.End())])
}

// render writes text[from:to] with its places.
func (m *mutator) render(from, to int, places []mutated) string {
	var b strings.Builder
	for len(places) > 0 {
		p, inside := places[0], 1
		for inside < len(places) && places[inside].from < p.to {
			inside++
		}
		b.Write(m.text[from:p.from])
		b.WriteString(p.write(m.render(p.from, p.to, places[1:inside])))
		from, places = p.to, places[inside:]
	}
	b.Write(m.text[from:to])
	return b.String()
}

var spaces = regexp.MustCompile(`\s+`)

// add notes a mutant of a node. Its name has no line: it stays what it is when lines above it change.
func (m *mutator) add(what string, n ast.Node, write func(number int, inner string) string) {
	said := spaces.ReplaceAllString(m.source(n), " ")
	if len(said) > 70 {
		said = strings.ToValidUTF8(said[:70], "") + "…"
	}
	name := fmt.Sprintf("%s %s: %s: %s", m.file, m.function, what, strings.ReplaceAll(said, "`", "'"))
	if m.seen[name]++; m.seen[name] > 1 {
		name += fmt.Sprintf(" (%d)", m.seen[name])
	}
	*m.mutants = append(*m.mutants, mutant{name})
	number := m.first + len(*m.mutants)
	m.places = append(m.places, mutated{m.offset(n.Pos()), m.offset(n.End()),
		func(inner string) string { return write(number, inner) }})
}

// negate turns a condition round.
func (m *mutator) negate(e ast.Expr) {
	if tv := m.info.Types[e]; tv.Type == nil || !types.Identical(types.Default(tv.Type), types.Typ[types.Bool]) {
		return
	}
	m.add("negated", e, func(n int, inner string) string { return fmt.Sprintf("(mutantIs(%d) != (%s))", n, inner) })
}

var swapped = map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ,
	token.GEQ: token.GTR, token.LAND: token.LOR, token.LOR: token.LAND}

// walk collects the places of a function's body or of variables.
func (m *mutator) walk(root ast.Node, in *ast.FuncType) {
	negated, constant := map[ast.Expr]bool{}, map[ast.Expr]bool{}
	negate := func(e ast.Expr) {
		if e != nil && !negated[e] {
			negated[e] = true
			m.negate(e)
		}
	}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			m.walk(n.Body, n.Type)
			return false
		case *ast.IfStmt:
			negate(n.Cond)
		case *ast.ForStmt:
			negate(n.Cond)
		case *ast.SwitchStmt:
			m.cases(n, negate)
		case *ast.BlockStmt:
			m.statements(n.List)
		case *ast.CaseClause:
			m.statements(n.Body)
		case *ast.CommClause:
			m.statements(n.Body)
		case *ast.ReturnStmt:
			if len(n.Results) > 0 {
				negate(n.Results[len(n.Results)-1])
				m.returned(n, in)
			}
		case *ast.BinaryExpr:
			m.binary(n, negate)
			constant[n.Y] = constant[n.Y] || n.Op == token.SHL || n.Op == token.SHR
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "make" { // its sizes are no promise
				return false
			}
		case *ast.GenDecl:
			return n.Tok != token.CONST
		case *ast.ArrayType:
			return false
		case *ast.KeyValueExpr: // a key may have to be constant
			constant[n.Key] = true
		case *ast.SelectorExpr: // numbers of other packages stay
			constant[n.Sel] = true
		case *ast.BasicLit:
			if !constant[n] {
				m.constant(n)
			}
		case *ast.Ident:
			if _, ok := m.info.Uses[n].(*types.Const); ok && !constant[n] {
				m.constant(n)
			}
		}
		return true
	})
}

func (m *mutator) cases(s *ast.SwitchStmt, negate func(ast.Expr)) {
	if s.Tag != nil {
		return
	}
	for _, c := range s.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			negate(e)
		}
	}
}

func (m *mutator) binary(n *ast.BinaryExpr, negate func(ast.Expr)) {
	if n.Op == token.EQL || n.Op == token.NEQ {
		negate(n)
	}
	to, ok := swapped[n.Op]
	if tv := m.info.Types[n]; !ok || tv.Value != nil {
		return
	}
	other := m.source(n.X) + " " + to.String() + " " + m.source(n.Y)
	m.add("with "+to.String(), n, func(number int, inner string) string {
		return fmt.Sprintf("(mutantIs(%d) && (%s) || mutantActive != %d && (%s))", number, other, number, inner)
	})
}

// harmless matches calls that only guard, release or log.
var harmless = regexp.MustCompile(`^(defer )?([\w.]*\b(Lock|RLock|Unlock|RUnlock|Close|Stop|Done)|cancel|panic)\(|` +
	`^([\w.]*Logger|slog)\.`)

// statements drops each statement that may be missing.
func (m *mutator) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt, *ast.SendStmt, *ast.IncDecStmt, *ast.DeferStmt, *ast.GoStmt:
			if harmless.MatchString(m.source(s)) {
				continue
			}
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE || strings.HasPrefix(m.source(s), "_ ") {
				continue
			}
		case *ast.BranchStmt:
			if s.Tok == token.GOTO || s.Tok == token.FALLTHROUGH {
				continue
			}
		default:
			continue
		}
		m.add("without", s,
			func(n int, inner string) string { return fmt.Sprintf("if !mutantIs(%d) { %s }", n, inner) })
	}
}

// returned replaces an error by nil.
func (m *mutator) returned(n *ast.ReturnStmt, in *ast.FuncType) {
	last := n.Results[len(n.Results)-1]
	of := m.info.Types[last].Type
	if in == nil || in.Results.NumFields() != len(n.Results) || of == nil ||
		!types.Implements(of, types.Universe.Lookup("error").Type().Underlying().(*types.Interface)) {
		return
	}
	var others string
	for _, e := range n.Results[:len(n.Results)-1] {
		others += m.source(e) + ", "
	}
	run := "_ = " + m.source(last)
	m.add("error as nil", n, func(number int, inner string) string {
		return fmt.Sprintf("if mutantIs(%d) { %s; return %snil }; %s", number, run, others, inner)
	})
}

// constant adds one to a whole number.
func (m *mutator) constant(e ast.Expr) {
	tv := m.info.Types[e]
	if tv.Value == nil || tv.Value.Kind() != constant.Int && tv.Value.Kind() != constant.Float {
		return
	}
	b, ok := tv.Type.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsNumeric == 0 || b.Info()&types.IsUntyped != 0 {
		return
	}
	visible, scope := true, m.pkg.Scope().Innermost(e.Pos())
	of := types.TypeString(tv.Type, func(p *types.Package) string {
		if p == m.pkg {
			return ""
		}
		_, found := scope.LookupParent(p.Name(), e.Pos())
		_, visible = found.(*types.PkgName)
		return p.Name()
	})
	if named, ok := tv.Type.(*types.Named); ok && named.Obj().Pkg() == m.pkg {
		_, obj := scope.LookupParent(of, e.Pos())
		visible = obj == named.Obj()
	}
	if !visible {
		return
	}
	m.add("plus 1", e,
		func(n int, inner string) string { return fmt.Sprintf("mutantPlus[%s](%d, %s)", of, n, inner) })
}
