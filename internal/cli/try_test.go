package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTryTellsItsOutcomeByTheExitCode: 0 all are right, 1 one is not, 2 there is none or one cannot be read.
func TestTryTellsItsOutcomeByTheExitCode(t *testing.T) {
	kept := filepath.Join("..", "cases", "testdata", "cases", "discount.json")
	right, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	try := func(args ...string) (code int, said string) {
		var out bytes.Buffer
		code = Run(t.Context(), Process{Args: append([]string{"try"}, args...), In: strings.NewReader(""), Out: &out, ErrOut: &out})
		return code, out.String()
	}
	folder := t.TempDir()
	write := func(name string, content []byte) {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i, tt := range []struct {
		name    string
		content []byte
		code    int
		want    string
	}{
		{"notes.txt", []byte("no case"), 2, "audit keep"},
		{"a.json", right, 0, "1 of 1 right"},
		{"b.json", bytes.Replace(right, []byte("five percent"), []byte("six percent"), 1), 1, "wrong"},
		{"c.json", []byte("{}"), 2, "c.json"},
	} {
		write(tt.name, tt.content)
		if code, out := try(folder); code != tt.code || !strings.Contains(out, tt.want) {
			t.Errorf("%d: the code is %d, out is %s", i, code, out)
		}
	}
	if code, out := try(kept, "--model", "m"); code != 2 {
		t.Errorf("a model without an endpoint: %d, %s", code, out)
	}
}
