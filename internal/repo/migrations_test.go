package repo

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestMigrationsAreFrozen: files of shops that people have were made by these migrations, and goose runs none twice. A
// change of the tables is a new file.
func TestMigrationsAreFrozen(t *testing.T) {
	const list = "internal/repo/testdata/migrations.txt"
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard",
		"audit/migrations", "agent/migrations", "shop/migrations", "internal/*/migrations/*").Output()
	if err != nil {
		t.Skipf("not checked: no git checkout (%v)", err)
	}
	found := map[string]string{}
	for file := range strings.FieldsSeq(string(out)) {
		if content, err := os.ReadFile(file); err == nil {
			found[file] = fmt.Sprintf("%x", sha256.Sum256(content))
		}
	}
	for line := range strings.Lines(string(text)) {
		hash, file, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if found[file] != hash {
			t.Errorf("%s: migrations are frozen: leave it as it was, and add a new one", file)
		}
		delete(found, file)
	}
	for file, hash := range found {
		t.Errorf("%s is new: add the line %q to %s", file, hash+"  "+file, list)
	}
}
