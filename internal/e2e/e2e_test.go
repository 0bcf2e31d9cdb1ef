package e2e

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/internal/atomicfile"
	"github.com/deskhand/deskhand/internal/cli"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/rogpeppe/go-internal/testscript"
)

// kills is how often the crash test kills the program; make soak asks for more.
var kills = flag.Int("kills", 50, "how often to kill deskhand bus")

func TestMain(m *testing.M) {
	testscript.Main(inRoot{m}, map[string]func(){
		"deskhand":       func() { os.Exit(execute(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"deskhand-post":  func() { os.Exit(deskWithPost(os.Args[1:])) },
		"deskhand-files": func() { os.Exit(replaceFiles(os.Args[1], os.Stdout)) },
	})
}

// replaceFiles is the program "deskhand-files PATH": it writes one file again and again, longer each time, and says so.
func replaceFiles(path string, out io.Writer) int {
	if err := atomicfile.MkdirAll(filepath.Dir(path)); err != nil {
		return 1
	}
	for n := 1; n <= 40; n++ {
		text := fmt.Sprintf(`{"n":%d,"text":%q}`, n, strings.Repeat("text ", n*n))
		if err := atomicfile.Write(path, []byte(text), 0o600); err != nil {
			return 1
		}
		if _, err := fmt.Fprintln(out, n); err != nil {
			return 1
		}
	}
	return 0
}

// inRoot runs the tests in the repository's root, where documentation and page lie.
type inRoot struct{ *testing.M }

func (m inRoot) Run() int {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	return m.M.Run()
}

// execute runs one command line and returns the exit code.
func execute(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	return cli.Run(ctx, cli.Process{Args: args, In: in, Out: out, ErrOut: errOut})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "internal/e2e/testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("DESKHAND_DATA", e.WorkDir+"/shop")
			e.Setenv("SAMPLE", desktest.Copy(t))
			examples, err := filepath.Abs("docs/examples")
			e.Setenv("EXAMPLES", examples)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"sample": copySample,
			"jq":     compareJSON,
			"allow":  allowCards,
		},
		UpdateScripts: os.Getenv("UPDATE") != "",
	})
}

// copySample is the script command "sample": a fresh sample shop in $DESKHAND_DATA.
func copySample(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: sample")
	}
	ts.Check(os.CopyFS(ts.Getenv("DESKHAND_DATA"), os.DirFS(ts.Getenv("SAMPLE"))))
}

// allowCards is the script command "allow ARGS": deskhand with these arguments, by a program that allows each card with
// the word on it.
func allowCards(ts *testscript.TestScript, neg bool, args []string) {
	command := exec.Command("deskhand", args...)
	command.Dir, command.Env = ts.MkAbs("."), append(os.Environ(), "HOME="+ts.Getenv("HOME"),
		"DESKHAND_DATA="+ts.Getenv("DESKHAND_DATA"))
	out, err := allowing(command)
	_, _ = io.WriteString(ts.Stdout(), out)
	if (err != nil) != neg {
		ts.Fatalf("%v\n%s", err, out)
	}
}

// allowing runs a command and allows what it asks, by the words that are shown. It returns all output.
func allowing(command *exec.Cmd) (string, error) {
	in, err := command.StdinPipe()
	if err != nil {
		return "", err
	}
	p := &allower{in: in}
	command.Stdout, command.Stderr = p, p
	err = command.Run()
	return p.out.String(), err
}

// allower reads the output of a command and answers its questions.
type allower struct {
	in   io.Writer
	out  strings.Builder
	seen int
}

var wordOnCard = regexp.MustCompile(`To allow it, type: ([a-z]+)\s|\[([a-z]{4})/N\]`)

// Write is called by one goroutine: output and error output are one.
func (a *allower) Write(piece []byte) (int, error) {
	a.out.Write(piece)
	for {
		at := wordOnCard.FindStringSubmatchIndex(a.out.String()[a.seen:])
		if at == nil {
			return len(piece), nil
		}
		shown := wordOnCard.FindStringSubmatch(a.out.String()[a.seen:])
		a.seen += at[1]
		if _, err := io.WriteString(a.in, shown[1]+shown[2]+"\n"); err != nil {
			return 0, err
		}
	}
}

// compareJSON is the script command "jq LINE PATH [VALUE]": in the given line
// (from 1) of the last standard output the value at a dotted path is VALUE, or
// with "!" is not there.
func compareJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: jq line path [value]")
	}
	lines := strings.Split(strings.TrimSpace(ts.ReadFile("stdout")), "\n")
	n := 0
	for _, c := range args[0] {
		n = n*10 + int(c-'0')
	}
	if n < 1 || n > len(lines) {
		ts.Fatalf("there are %d lines", len(lines))
	}
	var v any
	if err := json.Unmarshal([]byte(lines[n-1]), &v); err != nil {
		ts.Fatalf("line %d: %v", n, err)
	}
	v = valueAt(v, args[1])
	if neg {
		if v != nil {
			ts.Fatalf("%s is %v", args[1], v)
		}
		return
	}
	got, ok := v.(string)
	if !ok {
		raw, err := json.Marshal(v)
		ts.Check(err)
		got = string(raw)
	}
	if len(args) == 2 {
		if v == nil {
			ts.Fatalf("%s is not there in %s", args[1], lines[n-1])
		}
		return
	}
	if want := strings.Join(args[2:], " "); got != want {
		ts.Fatalf("%s is %s, want %s\n%s", args[1], got, want, lines[n-1])
	}
}
