package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/rogpeppe/go-internal/testscript"
)

// kills is how often the crash test kills the program; make soak asks for more.
var kills = flag.Int("kills", 50, "how often to kill deskhand bus")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"deskhand":      func() { os.Exit(execute(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"deskhand-post": func() { os.Exit(deskWithPost(os.Args[1:])) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "build/testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("DESKHAND_DATA", e.WorkDir+"/shop")
			e.Setenv("SAMPLE", sampleShop(t))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"sample": copySample,
			"jq":     compareJSON,
		},
		UpdateScripts: os.Getenv("UPDATE") != "",
	})
}

// sampleShop makes the sample shop once; scripts copy it.
var sampleOnce = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "deskhand-sample-")
	if err != nil {
		return "", err
	}
	var errs bytes.Buffer
	if code := execute(context.Background(), []string{"--data", dir, "init", "--sample"}, nil, &bytes.Buffer{}, &errs); code != 0 {
		return "", &testError{errs.String()}
	}
	return dir, nil
})

type testError struct{ text string }

func (e *testError) Error() string { return e.text }

func sampleShop(t testing.TB) string {
	t.Helper()
	dir, err := sampleOnce()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// copySample is the script command "sample": a fresh sample shop in $DESKHAND_DATA.
func copySample(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: sample")
	}
	ts.Check(os.CopyFS(ts.Getenv("DESKHAND_DATA"), os.DirFS(ts.Getenv("SAMPLE"))))
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

// testDesk opens a desk on a folder for a test.
func testDesk(t testing.TB, o deskOptions) *desk {
	t.Helper()
	if o.Door == "" {
		o.Door = "test"
	}
	d, err := openDesk(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// freshSample is a desk on a fresh copy of the sample shop.
func freshSample(t testing.TB, o deskOptions) *desk {
	t.Helper()
	o.Folder = t.TempDir()
	if err := os.CopyFS(o.Folder, os.DirFS(sampleShop(t))); err != nil {
		t.Fatal(err)
	}
	return testDesk(t, o)
}

// must invokes a capability as caller kind and decodes its data into out.
func (d *desk) must(t testing.TB, kind bus.CallerType, name, args string, out any) bus.Result {
	t.Helper()
	r := d.bus.Invoke(context.Background(), bus.Invocation{Capability: name, Arguments: json.RawMessage(args), Principal: d.person, Caller: bus.Caller{Type: kind, Source: "test"}})
	if !r.OK() {
		t.Fatalf("%s %s: %v %s", name, args, r.Err, r.Err.Hint)
	}
	if out != nil {
		if err := json.Unmarshal(r.Data, out); err != nil {
			t.Fatal(err)
		}
	}
	return r
}
