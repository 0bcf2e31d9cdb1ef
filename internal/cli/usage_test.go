package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
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
		"/tmp/our shop": "deskhand --data '/tmp/our shop'", "/tmp/it's": `deskhand --data '/tmp/it'\''s'`} {
		if got := (&terminal{flags: &commands{Data: folder}}).self(); got != want {
			t.Errorf("%s: %s", folder, got)
		}
	}
}
