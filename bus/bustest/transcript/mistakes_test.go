package transcript

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// mistake is one that somebody who writes a bus could make.
type mistake struct {
	What string
	File string // of package bus
	Old  string // stands there once
	New  string // in its place, with mistaken(#)
}

const mistaken = `package bus

import (
	"os"
	"strconv"
)

var made, _ = strconv.Atoi(os.Getenv("MISTAKE"))

func mistaken(n int) bool { return n == made }
`

// TestSeededMistakesAreFound compiles a copy of package bus with all mistakes of the list, of which each run makes one:
// the transcripts must fail with each, and pass with none.
func TestSeededMistakesAreFound(t *testing.T) {
	raw, err := os.ReadFile("testdata/mistakes.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []mistake
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	folder, replace, texts := t.TempDir(), map[string]string{}, map[string]string{"mistaken.go": mistaken}
	for i, m := range list {
		if texts[m.File] == "" {
			text, err := os.ReadFile(filepath.Join("../..", m.File))
			if err != nil {
				t.Fatal(err)
			}
			texts[m.File] = string(text)
		}
		if n := strings.Count(texts[m.File], m.Old); n != 1 {
			t.Fatalf("%s: %q stands %d times in %s", m.What, m.Old, n, m.File)
		}
		texts[m.File] = strings.Replace(texts[m.File], m.Old, strings.ReplaceAll(m.New, "#", strconv.Itoa(i+1)), 1)
	}
	for name, text := range texts {
		at, err := filepath.Abs(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		replace[at] = filepath.Join(folder, name)
		if err := os.WriteFile(replace[at], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	at, program := filepath.Join(folder, "overlay.json"), filepath.Join(folder, "play.test")
	if err := os.WriteFile(at, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "test", "-c", "-vet=off", "-overlay", at, "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.4000s", err, out)
	}
	for i := range len(list) + 1 {
		cmd := exec.Command(program, "-test.run", "TestTheBusAnswersAsInTheTranscripts", "-test.timeout", "5m")
		cmd.Env = append(os.Environ(), "MISTAKE="+strconv.Itoa(i))
		out, err := cmd.CombinedOutput()
		switch {
		case i == 0 && err != nil:
			t.Fatalf("without a mistake: %v\n%.4000s", err, out)
		case i > 0 && err == nil:
			t.Errorf("the transcripts pass although %s", list[i-1].What)
		case i > 0:
			t.Logf("%s: %d transcripts fail", list[i-1].What, strings.Count(string(out), ".jsonl:"))
		}
	}
}
