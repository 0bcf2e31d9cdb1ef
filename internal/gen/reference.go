package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
)

const module = "github.com/deskhand/deskhand"

// publicPackages are the packages for other programs.
var publicPackages = []string{"bus", "bus/bustest", "bus/codegen", "audit", "audit/capabilities", "audit/chain",
	"agent", "agent/model", "agent/openai", "agent/policy", "agent/builtin", "agent/page"}

// reference writes docs/reference.md from the manifest and the documentation of the public packages.
func reference(m bus.Manifest) ([]byte, error) {
	var page bytes.Buffer
	page.WriteString("<!-- Written by make gen; do not edit. -->\n\n# Reference\n\n" +
		"Every capability, as the manifest has it, and what the packages for other programs export. " +
		"The whole manifest with all schemas:\n" +
		"`deskhand manifest`; its own schema: [manifest.schema.json](manifest.schema.json). " +
		"A `?` marks an argument that may be left out.\n" +
		"*Asks* says whether a card is shown without any rule of the owner; what it needs are the scopes of the person,\n" +
		"named conditions, and capabilities that must say that all is well. All are there since version " +
		desk.FirstVersion + ",\nunless it says otherwise beside the title.\n" +
		"\n## Capabilities\n")
	domain := ""
	for _, c := range m.Capabilities {
		if d, _, _ := strings.Cut(c.Name, "."); d != domain {
			domain = d
			fmt.Fprintf(&page, "\n### %s\n\n| name | title | class | arguments | needs | an agent |\n"+
				"|---|---|---|---|---|---|\n", domain)
		}
		title, class := inTable(c.Title), string(c.SideEffect)
		if c.Since != desk.FirstVersion {
			title += " (since " + c.Since + ")"
		}
		for _, unit := range slices.Sorted(maps.Keys(c.CostEstimate)) {
			class += ", costs " + c.CostEstimate[unit] + " " + unit
		}
		args, err := arguments(c.InputSchema)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&page, "| `%s` | %s | %s | %s | %s | %s |\n", c.Name, title, class, args,
			cmp.Or(strings.Join(slices.Concat(c.Permissions, c.Requires), ", "), "—"), forAgents(&c))
	}
	page.WriteString("\n## Packages\n")
	for _, folder := range publicPackages {
		if err := exportsOf(&page, folder); err != nil {
			return nil, err
		}
	}
	return page.Bytes(), nil
}

// inTable makes a text fit into a table cell.
func inTable(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "|", "\\|"), "\n", " ")
}

// arguments lists the fields of an input schema, required ones first.
func arguments(schema json.RawMessage) (string, error) {
	if schema == nil {
		return "any", nil
	}
	var s struct {
		Properties map[string]struct {
			Type any    `json:"type"`
			Ref  string `json:"$ref"`
		}
		Required []string
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		return "", err
	}
	list := []string{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if slices.Contains(s.Required, name) {
			list = append(list, "`"+name+"`")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if !slices.Contains(s.Required, name) {
			list = append(list, "`"+name+"`?")
		}
	}
	return cmp.Or(strings.Join(list, ", "), "none"), nil
}

// forAgents returns the rights of an agent without any rule of the owner.
func forAgents(c *bus.ManifestEntry) string {
	access := ""
	if c.Access != nil {
		access = string(c.Access.Agent)
	}
	switch {
	case !c.AgentVisible:
		return "does not see it"
	case access == string(bus.RuleDeny):
		return "may not"
	case access == string(bus.RuleConfirm),
		access == "" && (c.SideEffect == bus.Network || c.SideEffect == bus.Destructive):
		return "asks"
	default:
		return "may"
	}
}

// exportsOf lists the exported names of a package, each with the first sentence of its documentation.
func exportsOf(page *bytes.Buffer, folder string) error {
	files := token.NewFileSet()
	var parsed []*ast.File
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		parsed = append(parsed, file)
	}
	p, err := doc.NewFromFiles(files, parsed, module+"/"+folder)
	if err != nil {
		return err
	}
	var missing []string
	if p.Doc == "" {
		missing = append(missing, folder)
	}
	fmt.Fprintf(page, "\n### %s\n\n%s `go doc %s/%s` has all of it.\n\n| | |\n|---|---|\n",
		folder, p.Synopsis(p.Doc), module, folder)
	row := func(name, text string) {
		sentence := p.Synopsis(text)
		if sentence == "" { // Synopsis mistakes a name such as Authorize for a list of authors
			sentence, _, _ = strings.Cut(strings.Join(strings.Fields(text), " "), ". ")
		}
		if sentence == "" {
			missing = append(missing, folder+"."+name)
		}
		fmt.Fprintf(page, "| `%s` | %s |\n", name, inTable(sentence))
	}
	function := func(f *doc.Func) { row(f.Name+"()", f.Doc) }
	for _, f := range p.Funcs {
		function(f)
	}
	for _, kind := range p.Types {
		row(kind.Name, kind.Doc)
		for _, f := range kind.Funcs {
			function(f)
		}
		for _, m := range kind.Methods {
			if m.Name != "TagFields" {
				row(kind.Name+"."+m.Name+"()", m.Doc)
			}
		}
	}
	if missing != nil {
		return fmt.Errorf("without documentation: %s", strings.Join(missing, ", "))
	}
	return nil
}
