package faulttest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// mistake is a slip that a test has to find.
type mistake struct {
	What string
	File string
	Old  string // occurs once in the file
	New  string // replaces it; mistaken(#) reports whether this mistake is made
}

const mistaken = `package %s

import (
	"os"
	"strconv"
)

var made, _ = strconv.Atoi(os.Getenv("MISTAKE"))

func mistaken(n int) bool { return n == made }
`

// FindsMistakes compiles the test of the current folder once with a copy of a package that has all mistakes of a list,
// in JSON, and runs it with one of them each time: it must fail with each, and pass with none. seen counts in the
// output of a failed run what it found; it may be nil.
func FindsMistakes(t *testing.T, list, source, name, test string, seen func(output string) int) {
	t.Helper()
	raw, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	var mistakes []mistake
	if err := json.Unmarshal(raw, &mistakes); err != nil {
		t.Fatal(err)
	}
	program := withMistakes(t, mistakes, source, name)
	for i := range len(mistakes) + 1 {
		cmd := exec.Command(program, "-test.run", test, "-test.timeout", "5m")
		cmd.Env = append(os.Environ(), "MISTAKE="+strconv.Itoa(i))
		out, err := cmd.CombinedOutput()
		switch {
		case i == 0 && err != nil:
			t.Fatalf("without a mistake: %v\n%.4000s", err, out)
		case i > 0 && err == nil:
			t.Errorf("%s passes although %s", test, mistakes[i-1].What)
		case i > 0 && seen != nil:
			t.Logf("%s: %d found", mistakes[i-1].What, seen(string(out)))
		}
	}
}

// withMistakes compiles the test of the current folder with mistakes in a package.
func withMistakes(t *testing.T, mistakes []mistake, source, name string) (program string) {
	t.Helper()
	folder, texts := t.TempDir(), map[string]string{"mistaken.go": fmt.Sprintf(mistaken, name)}
	for i, m := range mistakes {
		if texts[m.File] == "" {
			text, err := os.ReadFile(filepath.Join(source, m.File))
			if err != nil {
				t.Fatal(err)
			}
			texts[m.File] = string(text)
		}
		if n := strings.Count(texts[m.File], m.Old); n != 1 {
			t.Fatalf("%s: %q occurs %d times in %s", m.What, m.Old, n, m.File)
		}
		texts[m.File] = strings.Replace(texts[m.File], m.Old, strings.ReplaceAll(m.New, "#", strconv.Itoa(i+1)), 1)
	}
	replace := map[string]string{}
	for file, text := range texts {
		at, err := filepath.Abs(filepath.Join(source, file))
		if err != nil {
			t.Fatal(err)
		}
		replace[at] = filepath.Join(folder, file)
		if err := os.WriteFile(replace[at], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(at, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(folder, "play.test")
	build := exec.Command("go", "test", "-c", "-vet=off", "-overlay", at, "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.4000s", err, out)
	}
	return program
}
