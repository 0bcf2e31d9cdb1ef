package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

func ran(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	var out bytes.Buffer
	code = Run(t.Context(), Process{In: strings.NewReader(""), Out: &out, ErrOut: &out,
		Args: append([]string{"--data", t.TempDir()}, args...)})
	return code, out.String()
}

// TestTheHelpOfEachCommandIsForPeople: each has a sentence, and the values of a choice are listed in words.
func TestTheHelpOfEachCommandIsForPeople(t *testing.T) {
	var flags commands
	k, err := kong.New(&flags, kong.Vars{"data": ""}, kong.PostBuild(fillHelp))
	if err != nil {
		t.Fatal(err)
	}
	odd := regexp.MustCompile(`\$\{|,\.|, \.|,[a-z]`)
	_ = kong.Visit(k.Model, func(node kong.Visitable, next kong.Next) error {
		switch n := node.(type) {
		case *kong.Value:
			if n.Help == "" && !strings.HasPrefix(n.Name, "rest") || odd.MatchString(n.Help) {
				t.Errorf("%s: %q", n.Summary(), n.Help)
			}
			if n.Flag != nil && strings.HasSuffix(n.Flag.FormatPlaceHolder(), `""`) {
				t.Errorf("--%s has no placeholder", n.Name)
			}
		case *kong.Node:
			if n.Help == "" && !n.Hidden && n.Parent != nil {
				t.Errorf("%s has no help", n.FullPath())
			}
		}
		return next(nil)
	})
	for enum, want := range map[string]string{"a,b,c": "a, b or c", "a,b,": "a or b", "openai,": "openai", `"x","y",""`: "x or y"} {
		if got := oneOf(enum); got != want {
			t.Errorf("%s: %q", enum, got)
		}
	}
	for line, want := range map[string]string{
		"audit query --caller clock":  "--caller must be ui, agent, test, cli or schedule, not \"clock\"",
		"audit export --format xml":   "--format must be jsonl or csv, not \"xml\"",
		"manifest --tools other":      "--tools must be openai, not \"other\"",
		"mcp install notepad":         "<program> must be claude, vscode, cursor or zed, not \"notepad\"",
		"audit query --status unsure": "--status must be success or error, not \"unsure\"",
	} {
		if code, said := ran(t, strings.Fields(line)...); code != 2 || !strings.Contains(said, want) {
			t.Errorf("%s: %d, %s", line, code, said)
		}
	}
}

// TestARecordIsFoundByEachKindOfCaller that there is.
func TestARecordIsFoundByEachKindOfCaller(t *testing.T) {
	folder := t.TempDir()
	for _, line := range []string{"init --empty", "audit query --caller schedule", "audit query --caller ui"} {
		var out bytes.Buffer
		if code := Run(t.Context(), Process{In: strings.NewReader(""), Out: &out, ErrOut: &out,
			Args: append([]string{"--data", folder}, strings.Fields(line)...)}); code != 0 {
			t.Errorf("%s: %s", line, out.String())
		}
	}
}

func TestAPeerThatCannotBeStartedIsSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "capabilities.yaml")
	text := "version: 1\nagent: agent://inside\ntransports:\n  - kind: memory\ncapabilities:\n" +
		"  - name: look\n    description: Looks.\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, said := ran(t, "peers", "test", file); code != 1 || !strings.Contains(said, "no transport of kind stdio") {
		t.Errorf("%d, %s", code, said)
	}
}

// TestADocumentOfCapabilitiesIsInspected, and its text cannot draw on the terminal.
func TestADocumentOfCapabilitiesIsInspected(t *testing.T) {
	file := filepath.Join(t.TempDir(), "birds.json")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`[{"name": "feed", "version": "1.2.0", "description": "Feed it.", "category": "care"},
	{"name": "a\u001b[31m\nb can be used", "description": "Lies."}]`)
	code, said := ran(t, "peers", "inspect", file)
	for _, line := range []string{"feed 1.2.0 (line 1): can be used\n   line 1: /0/category is ignored\n",
		`a\u001b[31m\u000ab can be used (line 2): cannot be used` + "\n   line 2: the name ",
		"\n1 of 2 capabilities can be used.\n",
		"For peers add write them into a capabilities.yaml. This file is none: "} {
		if code != 0 || !strings.Contains(said, line) || strings.Contains(said, "\x1b") {
			t.Errorf("%d, without %q: %q", code, line, said)
		}
	}
	if code, said := ran(t, "--json", "peers", "inspect", file); code != 0 ||
		!strings.Contains(said, `{"name":"feed","version":"1.2.0","line":1,"usable":true,"mistakes":[],"ignored":[`) {
		t.Errorf("%d, %s", code, said)
	}
	write(`{"name": "feed"}`)
	if code, said := ran(t, "peers", "inspect", file); code != 1 || !strings.Contains(said, "0 of 1") {
		t.Errorf("nothing can be used: %d, %s", code, said)
	}
}

// TestAFileWithoutEndIsNotReadWhole, whichever flag names it.
func TestAFileWithoutEndIsNotReadWhole(t *testing.T) {
	endless := filepath.Join(t.TempDir(), "large.json")
	f, err := os.Create(endless)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(1 << 40); err != nil {
		t.Skip("this file system has no files with holes:", err)
	}
	f.Close()
	for _, args := range [][]string{{"gen", "--manifest", endless, "--ts", t.TempDir()}, {"gen", "--check", endless}} {
		if code, said := ran(t, args...); code != 1 || !strings.Contains(said, "is larger than 32 MB") {
			t.Errorf("%v: %d, %s", args, code, said)
		}
	}
}

// TestACommandThatIsPrintedCanBePasted, whatever the folder is called.
func TestACommandThatIsPrintedCanBePasted(t *testing.T) {
	for folder, want := range map[string]string{"/tmp/shop": "deskhand --data /tmp/shop",
		"/tmp/our shop": "deskhand --data '/tmp/our shop'", "/tmp/it's": `deskhand --data '/tmp/it'\''s'`,
		"": "deskhand --data ''"} {
		if got := (&terminal{flags: &commands{Data: folder}}).self(); got != want {
			t.Errorf("%s: %s", folder, got)
		}
	}
}

// TestAHintRunsOnTheSameShop, whichever room the text comes from; other words stay.
func TestAHintRunsOnTheSameShop(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "our shop")
	at := "deskhand --data '" + folder + "' "
	for _, line := range []struct{ args, want string }{
		{"chat hello", at + "init --sample"},
		{"doctor --offline", at + "init --sample"},
		{"init --empty", at + "chat"},
		{"mcp --client probe", at + "mcp enrol probe"},
		{"audit keep req_1 -o x", at + "audit tail lists"},
		{"gen --ts x --peer birds", at + "peers lists"},
		{"invoke todo.add {}", "Did you mean"},
		{"invoke cart.addItem {}", at + "invoke cart.addItem --help"},
		{"mcp enrol probe", at + "mcp --client probe"},
		{"mcp enrol probe --days 2", at + "mcp end probe"},
		{"pair", "go build -tags host -o deskhand-host . "},
	} {
		var out bytes.Buffer
		Run(t.Context(), Process{In: strings.NewReader(""), Out: &out, ErrOut: &out,
			Args: append([]string{"--data", folder}, strings.Fields(line.args)...)})
		if !strings.Contains(out.String(), line.want) {
			t.Errorf("%s: no %q in %s", line.args, line.want, &out)
		}
	}
	term := &terminal{flags: &commands{Data: "/s"}, names: []string{"tills", "audit"}}
	for text, want := range map[string]string{
		"deskhand-host tills add x":    "deskhand-host --data /s tills add x",
		`"deskhand audit" tells`:       `"deskhand --data /s audit" tells`,
		"deskhand auditor":             "deskhand auditor",
		"a deskhand of the shop":       "a deskhand of the shop",
		"deskhand --data /t audit key": "deskhand --data /t audit key",
	} {
		if got := term.hint(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// TestEachCapabilityHasAForm: its fields, which of them are required, and an example that fits its schema.
func TestEachCapabilityHasAForm(t *testing.T) {
	d := desktest.Sample(t, desk.Options{})
	m, err := d.Bus.Manifest(t.Context(), bus.View{All: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range m.Capabilities {
		var s fieldSchema
		if err := json.Unmarshal(e.InputSchema, &s); err != nil {
			t.Fatal(e.Name, err)
		}
		for _, v := range d.Bus.Violations(e.Name, s.example("")) {
			if v.Keyword != "pattern" {
				t.Errorf("%s %s: %+v", e.Name, s.example(""), v)
			}
		}
	}
	for line, want := range map[string][]string{
		"invoke cart.addItem --help": {"cart.addItem: Add to the cart\n", "\n  productId: text (id of a product), required\n",
			"\n  quantity: whole number from 1 to 9999, required\n", "\n  variantId: text (id of a variant)\n",
			` invoke cart.addItem '{"productId":"<productId>","quantity":1}'` + "\n"},
		"invoke -h policy.set": {"\n  rules: list of object, required\n", "\n      class: pure, ui-only, network or destructive\n",
			"\n      rule: allowed, confirmation_required or forbidden, required\n", `'{"rules":[{"rule":"allowed"}]}'`},
		"invoke settings.get --help":      {"\nExample:\n  deskhand --data ", " invoke settings.get\n"},
		"--json invoke cart.clear --help": {`{"name":"cart.clear",`},
		"invoke --help":                   {"Usage: deskhand invoke <name>"},
		"chat --help cart.addItem":        {"Usage: deskhand chat"},
	} {
		code, said := ran(t, strings.Fields(line)...)
		for _, part := range want {
			if code != 0 || !strings.Contains(said, part) {
				t.Errorf("%s: %d, no %q in %s", line, code, part, said)
			}
		}
	}
	if code, said := ran(t, "invoke", "cart.adItem", "--help"); code != 1 || !strings.Contains(said, "did you mean cart.addItem") {
		t.Errorf("%d: %s", code, said)
	}
}

// TestARefusalSaysEachFactOnce, whether the arguments have one fault or several.
func TestARefusalSaysEachFactOnce(t *testing.T) {
	folder := desktest.Copy(t)
	for args, facts := range map[string][]string{
		`{"productId":"x"}`:                           {"missing property 'quantity'"},
		`{"productId":1,"quantity":0,"colour":"red"}`: {"'colour' not allowed", "/productId: got number", "/quantity: minimum"},
		`nonsense`: {"not JSON"},
		`{"productId":"x","quantity":"2","variantId":3}`: {"/quantity: got string", "/variantId: got number"},
	} {
		var out bytes.Buffer
		code := Run(t.Context(), Process{In: strings.NewReader(""), Out: &out, ErrOut: &out,
			Args: []string{"--data", folder, "invoke", "cart.addItem", args}})
		for _, fact := range facts {
			if code != 1 || strings.Count(out.String(), fact) != 1 {
				t.Errorf("%s: %q is there %d times: %s", args, fact, strings.Count(out.String(), fact), &out)
			}
		}
	}
}
