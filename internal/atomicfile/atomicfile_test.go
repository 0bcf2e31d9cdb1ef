package atomicfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWriteReplacesAFileAndLeavesNoOther(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b c")
	if err := MkdirAll(folder); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "one.json")
	for _, text := range []string{"first", "2"} {
		if err := Write(path, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&^0o640 != 0 && os.PathSeparator == '/' {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestWhatCannotBeReplacedStays(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a folder")
	if err := os.MkdirAll(filepath.Join(path, "within"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("x"), 0o600); err == nil || !strings.Contains(err.Error(), "a folder") {
		t.Error(err)
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
	if err := Write(filepath.Join(folder, "none", "x"), nil, 0o600); err == nil {
		t.Error("a file was written into a folder that is not there")
	}
}
