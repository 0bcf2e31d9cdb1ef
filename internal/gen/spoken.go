package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/sentence"
)

// spokenByPackages lists the words that the packages for other programs show to people in any application. The page kit
// has their translations. The words stay English on the wire and in records; see docs/decisions/021-sentences.md.
func spokenByPackages(m bus.Manifest) ([]byte, error) {
	words, err := spokenWords(only(m, isPackages), isPackage)
	if err != nil {
		return nil, err
	}
	return spokenPage(words), nil
}

// spokenByShop lists the other words that Go shows to people.
func spokenByShop(m bus.Manifest) ([]byte, error) {
	words, err := spokenWords(m, func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	packages, err := spokenWords(only(m, isPackages), isPackage)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(words, func(word string, _ bool) bool { return packages[word] })
	return spokenPage(words), nil
}

// isPackage reports whether a file belongs to a package for other programs.
func isPackage(path string) bool {
	root, _, _ := strings.Cut(path, "/")
	return root == "bus" || root == "audit" || root == "agent"
}

// spokenWords collects the words of a manifest and of the source files that keep accepts.
func spokenWords(m bus.Manifest, keep func(path string) bool) (map[string]bool, error) {
	words := map[string]bool{}
	if err := fromManifest(m, words); err != nil {
		return nil, err
	}
	return words, fromSources(words, keep)
}

func spokenPage(words map[string]bool) []byte {
	var page bytes.Buffer
	page.WriteString("// Written by make gen; do not edit.\n" +
		"// What the application says, for the catalogues of words: nothing imports it.\n" +
		"export const spoken = [\n")
	for _, w := range slices.Sorted(maps.Keys(words)) {
		fmt.Fprintf(&page, "  /*i18n*/ %s,\n", quoteTS(w))
	}
	page.WriteString("];\n")
	return page.Bytes()
}

// quoteTS writes a string like the formatter of the frontend.
func quoteTS(s string) string {
	q := `'`
	if strings.Count(s, `'`) > strings.Count(s, `"`) {
		q = `"`
	}
	return q + strings.NewReplacer(`\`, `\\`, "\n", `\n`, q, `\`+q).Replace(s) + q
}

// fromManifest adds the words of the manifest: titles, descriptions, the fields of arguments, and those of the records
// and amounts in results.
func fromManifest(m bus.Manifest, words map[string]bool) error {
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	var told struct {
		Capabilities []struct {
			Name, Title, Help, Description string
			Input                          any `json:"input_schema"`
			Output                         any `json:"output_schema"`
		}
	}
	if err := json.Unmarshal(raw, &told); err != nil {
		return err
	}
	for _, c := range told.Capabilities {
		gist := cmp.Or(c.Help, strings.TrimSpace(firstSentence.FindString(c.Description)))
		words[sentence.Escape(c.Title)], words[sentence.Escape(gist)] = true, true
		fromSchema(c.Input, words)
		fromRow(member(c.Input, "properties"), words)
		for name, list := range member(c.Output, "properties") {
			if member(member(list, "properties"), "currency") != nil { // an amount
				fromRow(map[string]any{name: list}, words)
			}
			if isOfRecords(m, c.Name+"#/"+name) {
				fromRow(member(member(list, "items"), "properties"), words)
			}
		}
	}
	return nil
}

// member returns an object within a JSON object, or nil if there is none.
func member(of any, name string) map[string]any {
	object, _ := of.(map[string]any)
	inner, _ := object[name].(map[string]any)
	return inner
}

// isOfRecords reports whether a list, capability#/list, contains records.
func isOfRecords(m bus.Manifest, list string) bool {
	return slices.ContainsFunc(m.Entities, func(e bus.Entity) bool { return slices.Contains(e.Sources, list) })
}

// fromRow adds the names of fields in the form of the page. It skips ids and lists.
func fromRow(fields map[string]any, words map[string]bool) {
	for name, field := range fields {
		schema, _ := field.(map[string]any)
		if schema["type"] != "array" && !strings.HasSuffix(strings.ToLower(name), "id") {
			said := strings.ToLower(innerCapital.ReplaceAllString(name, "$1 $2"))
			said = strings.TrimSuffix(beforeDigit.ReplaceAllString(said, "$1 $2"), " minor")
			words[strings.ToUpper(said[:1])+said[1:]] = true
		}
	}
}

// innerCapital and beforeDigit match the beginnings of words within a name.
var (
	innerCapital = regexp.MustCompile(`([a-z0-9])([A-Z])`)
	beforeDigit  = regexp.MustCompile(`([a-z])([0-9])`)
)

// firstSentence matches the part of a description that people see if there is no help. The rest helps a model choose.
var firstSentence = regexp.MustCompile(`^.*?[.!?](?:\s|$)`)

// plainWord matches enum values that are words, not codes.
var plainWord = regexp.MustCompile(`^([a-z]{4,}|[a-z]+( [a-z]+)+)$`)

// fromSchema adds the titles, descriptions and choices of a schema's fields.
func fromSchema(node any, words map[string]bool) {
	switch node := node.(type) {
	case []any:
		for _, n := range node {
			fromSchema(n, words)
		}
	case map[string]any:
		if list, ok := node["enum"].([]any); ok {
			for _, n := range list {
				if word, ok := n.(string); ok && plainWord.MatchString(word) {
					words[word] = true
				}
			}
		}
		for key, n := range node {
			if said, ok := n.(string); ok && (key == "title" || key == "description") {
				words[sentence.Escape(said)] = true
			}
			fromSchema(n, words)
		}
	}
}

// spokenRoots are the folders whose words appear in the window.
var spokenRoots = []string{"bus", "audit", "agent", "shop", "internal/desk", "internal/drafts", "internal/files",
	"internal/fonts", "internal/host", "internal/keychain", "internal/peers", "internal/smtp", "internal/till",
	"internal/tills", "internal/webhook", "internal/window"}

// notSpoken matches folders whose words never appear in the window: test helpers, the sample shop's data, printed
// documents, and code generators.
var notSpoken = regexp.MustCompile(`^(bus/(bustest|codegen)|(agent/|bus/remote/)?internal/(desk/)?[a-z]*test|` +
	`shop/(setup/internal/sample|document/internal/(paper|locale|sheet)|internal/papertest)|.*testdata)(/|$)`)

// phrased matches the files that build sentences from phrases. In other files only whole sentences are collected.
var phrased = regexp.MustCompile(`^(audit/(.*capabilit.*|undo_inverse|replay|copy_replica|copy_restore|verify|` +
	`verify_heads|data_version|store)|` +
	`agent/(budget|error_policy|turn|turn_record|waiting|openai/endpoint_error|internal/schema/violation|` +
	`policy/(card|grant.*|second_approver|taint|constraint|capabilities_.*|policy))|bus/(plan.*|availability)|` +
	`shop/(customer_get|(cart|outside|report|settings|tour)/[a-z_]*|catalog/(draft|edit|product|stock|stored)|` +
	`customer/(create|customer|edit|erase|merge)|` +
	`order/(bill|c.*|exchange|get|items|lines|money|order|p.*|r.*|swap|terms)|` +
	`document/(export|listing|products|rows)|internal/core/(days|files|locale|money|shop|staff)|setup/seed|` +
	`staff/(edit|lock|people|pin)|transfer/[a-z_]*|transfer/internal/shopfile/place)|` +
	`internal/(files|fonts|keychain|smtp|webhook|window)/.*|internal/desk/[a-z]+_[a-z_]+|internal/desk/(boundary|` +
	`session|model|replica))\.go$`)

// conversing matches the files of the built-in assistant's sentences. They stay English, the only language it
// understands.
var conversing = regexp.MustCompile(`^agent/(builtin/(builtin|dialogue|lists|mean|money|pick|resolve|settle|suggest|` +
	`value|which|report|fit|go_on|days|internal/.*)|prompt|history_window|openai/probe|policy/(provenance|` +
	`quantity))\.go$`)

func fromSources(words map[string]bool, keep func(path string) bool) error {
	var files []*ast.File
	var paths []string
	for _, root := range spokenRoots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && notSpoken.MatchString(filepath.ToSlash(path)) {
				return filepath.SkipDir
			}
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			files, paths = append(files, file), append(paths, filepath.ToSlash(path))
			return err
		})
		if err != nil {
			return err
		}
	}
	formats := formatters(files)
	for i, file := range files {
		if !keep(paths[i]) {
			continue
		}
		s := spokenIn{formats: formats, phrases: phrased.MatchString(paths[i]), words: words}
		if conversing.MatchString(paths[i]) {
			s.formats = map[string][]int{"Errorf": formats["Errorf"], "WithHint": formats["WithHint"]}
			s.coded = true
		}
		ast.Inspect(file, s.visit)
	}
	return nil
}

// formatters returns the functions that end in (format string, args ...any), by name, with the positions of the format.
func formatters(files []*ast.File) map[string][]int {
	found := map[string][]int{}
	note := func(name string, kind *ast.FuncType) {
		var names []string
		for _, p := range kind.Params.List {
			for _, n := range p.Names {
				names = append(names, n.Name)
			}
		}
		if n := len(names); n > 1 && names[n-2] == "format" && names[n-1] == "args" && !slices.Contains(found[name], n-2) {
			found[name] = append(found[name], n-2)
		}
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				note(n.Name.Name, n.Type)
			case *ast.AssignStmt:
				name, named := n.Lhs[0].(*ast.Ident)
				if f, ok := n.Rhs[0].(*ast.FuncLit); ok && named {
					note(name.Name, f.Type)
				}
			}
			return true
		})
	}
	return found
}

// spokenIn collects the words of one file.
type spokenIn struct {
	formats map[string][]int
	phrases bool // collect phrases too, not only whole sentences
	coded   bool // collect only coded errors
	words   map[string]bool
}

func (s *spokenIn) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.Field:
		return false
	case *ast.FuncDecl: // the manifest has the descriptions of arguments
		return n.Name.Name != "TagFields"
	case *ast.AssignStmt:
		of, ok := n.Lhs[0].(*ast.SelectorExpr)
		return !ok || of.Sel.Name != "Phrases" && of.Sel.Name != "Description"
	case *ast.KeyValueExpr:
		key, ok := n.Key.(*ast.Ident)
		if ok && slices.Contains([]string{"Title", "Message", "Hint", "verb"}, key.Name) {
			s.add(template(n.Value), true)
		}
		return !ok || key.Name != "Phrases" && key.Name != "Description"
	case *ast.CallExpr:
		return s.call(n)
	case *ast.BinaryExpr:
		if n.Op == token.ADD {
			s.add(template(n), false)
			ast.Inspect(n.X, s.inside)
			ast.Inspect(n.Y, s.inside)
			return false
		}
	case *ast.BasicLit:
		if !strings.HasPrefix(n.Value, "`") {
			s.add(template(n), false)
		}
	}
	return true
}

// inside only visits the calls inside a concatenation, because its pieces are no words by themselves.
func (s *spokenIn) inside(n ast.Node) bool {
	if c, ok := n.(*ast.CallExpr); ok {
		for _, arg := range c.Args {
			ast.Inspect(arg, s.visit)
		}
		return false
	}
	return true
}

var unsaid = []string{"panic", "Say", "set", "sayings", "MustCompile", "Error", "Warn", "Info", "Debug", "ExecContext",
	"QueryContext", "QueryRowContext", "Exec", "Query", "QueryRow", "exec", "scan", "New", "mentions"}

// call collects the format of a call, and reports whether to visit its arguments too.
func (s *spokenIn) call(n *ast.CallExpr) bool {
	of, name := callee(n)
	if of == "fmt" && name != "Sprintf" || of == "strings" && name != "Join" || slices.Contains(unsaid, name) {
		return false
	}
	if name == "Phrase" {
		if word, ok := constant(n.Args[0]); ok {
			s.words[sentence.Escape(word)] = true
			return false
		}
	}
	at := s.formatOf(of, name, n.Args)
	if at < 0 {
		return true
	}
	ast.Inspect(n.Fun, s.visit) // its receiver may contain words too
	format, _ := constant(n.Args[at])
	words := sentence.Parse(format).Key
	if name == "Textf" && letters.MatchString(gap.ReplaceAllString(words, "")) {
		s.words[words] = true // a part of a sentence may be as short as "{0} to {1}"
	}
	s.add(words, name != "Sprintf")
	for i, arg := range n.Args {
		if i != at {
			ast.Inspect(arg, s.visit)
		}
	}
	return false
}

// formatOf returns the position of the format among the arguments, or -1 if there is none.
func (s *spokenIn) formatOf(of, name string, args []ast.Expr) int {
	places := s.formats[name]
	if of == "fmt" {
		places = []int{0}
	}
	found := -1
	for _, at := range places {
		if at >= len(args) {
			continue
		}
		if text, ok := constant(args[at]); ok && (at > found || strings.Contains(text, "%")) {
			found = at
		}
	}
	return found
}

var (
	whole     = regexp.MustCompile(`(?s)^(\p{Lu}|[{"“])[^=|]*\s.*[.?!]$`)
	statement = regexp.MustCompile(`\b(SELECT|WHERE|FROM|BY|INSERT|UPDATE|DELETE|PRAGMA|JOIN|CREATE|IMMEDIATE|` +
		`SAVEPOINT|RELEASE|ROLLBACK|VACUUM|MATCH)\b|` +
		`[=(] ?\?|instr\(|^[a-z]+\.[a-z_]+ (=|IN)|busy_timeout|` + // SQL
		`^(audit|bus|agent|shop): |^/|[|]|<|^\[|` + // errors for the log, pointers, patterns, pages
		`^(agent|cart|assistant) \w+ \w+ |^arial|^Lineitem|^\{0\} catalog |^rewind|^(grant|capability|class|` +
		`model\.key) \{|got (number|string), want`) // names in a row
	gap     = regexp.MustCompile(`\{[^}]*\}`)
	letters = regexp.MustCompile(`\p{L}`)
)

// add stores a template that consists of words for people: a phrase of four letters or more.
func (s *spokenIn) add(template string, surely bool) {
	template = strings.TrimSpace(template)
	found := letters.FindAllString(gap.ReplaceAllString(template, ""), -1)
	switch {
	case len(found) < 4, strings.Contains(template, "2006"), template == "2 January",
		statement.MatchString(template), s.coded && !surely:
	case !strings.Contains(template, " ") && !surely:
	// A name may contain such a short word.
	case len(found) < 6 && strings.HasPrefix(template, "{0}") && !strings.HasPrefix(template, "{0}'s "):
	case surely, s.phrases, whole.MatchString(template):
		s.words[template] = true
	}
}
