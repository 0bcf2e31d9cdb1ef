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
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// TestTheReferenceIsFresh writes docs/reference.md from the manifest and from the
// packages' own documentation, with -update, and holds it to them.
func TestTheReferenceIsFresh(t *testing.T) {
	var page bytes.Buffer
	page.WriteString("<!-- Written by make gen; do not edit. -->\n\n# Reference\n\n" +
		"Every capability, as the manifest has it, and what the packages for other programs export. The whole manifest with all schemas:\n" +
		"`deskhand manifest`; its own schema: [manifest.schema.json](manifest.schema.json). A `?` marks an argument that may be left out.\n" +
		"*Asks* says whether a card is shown without any rule of the owner; what it needs are the scopes of the person.\n\n## Capabilities\n")
	m, err := freshSample(t, deskOptions{}).bus.Manifest(t.Context(), bus.View{All: true})
	if err != nil {
		t.Fatal(err)
	}
	domain := ""
	for _, c := range m.Capabilities {
		if d, _, _ := strings.Cut(c.Name, "."); d != domain {
			domain = d
			fmt.Fprintf(&page, "\n### %s\n\n| name | title | class | arguments | needs | an agent |\n|---|---|---|---|---|---|\n", domain)
		}
		fmt.Fprintf(&page, "| `%s` | %s | %s | %s | %s | %s |\n", c.Name, inTable(c.Title), c.SideEffect, arguments(t, c.InputSchema),
			cmp.Or(strings.Join(c.Permissions, ", "), "—"), forAgents(&c))
	}
	page.WriteString("\n## Packages\n")
	for _, folder := range []string{"bus", "bus/bustest", "bus/codegen", "audit", "agent", "agent/model", "agent/policy", "agent/openai", "agent/builtin"} {
		exportsOf(t, &page, folder)
	}
	const file = "docs/reference.md"
	if *update {
		if err := os.WriteFile(file, page.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(file); err != nil || !bytes.Equal(kept, page.Bytes()) {
		t.Errorf("%s is stale (%v): run make gen", file, err)
	}
}

// inTable is text that may stand in a table.
func inTable(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "|", "\\|"), "\n", " ")
}

// arguments names the fields of an input schema, those that are needed first.
func arguments(t *testing.T, schema json.RawMessage) string {
	if schema == nil {
		return "any"
	}
	var s struct {
		Properties map[string]struct {
			Type any    `json:"type"`
			Ref  string `json:"$ref"`
		}
		Required []string
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatal(err)
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
	return cmp.Or(strings.Join(list, ", "), "none")
}

// forAgents says what an agent may do with it where no rule of the owner speaks.
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
	case access == string(bus.RuleConfirm), access == "" && (c.SideEffect == bus.Network || c.SideEffect == bus.Destructive):
		return "asks"
	default:
		return "may"
	}
}

// exportsOf lists what a package exports, each with the first sentence about it.
func exportsOf(t *testing.T, page *bytes.Buffer, folder string) {
	files := token.NewFileSet()
	var parsed []*ast.File
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	p, err := doc.NewFromFiles(files, parsed, module+"/"+folder)
	if err != nil {
		t.Fatal(err)
	}
	if p.Doc == "" {
		t.Errorf("%s has no documentation", folder)
	}
	fmt.Fprintf(page, "\n### %s\n\n%s `go doc %s/%s` has all of it.\n\n| | |\n|---|---|\n", folder, p.Synopsis(p.Doc), module, folder)
	row := func(name, text string) {
		sentence := p.Synopsis(text)
		if sentence == "" { // which takes a name such as Authorize for a list of authors
			sentence, _, _ = strings.Cut(strings.Join(strings.Fields(text), " "), ". ")
		}
		if sentence == "" {
			t.Errorf("%s.%s has no documentation", folder, name)
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
			if m.Name != "DescribeFields" && m.Name != "TagFields" {
				row(kind.Name+"."+m.Name+"()", m.Doc)
			}
		}
	}
}
