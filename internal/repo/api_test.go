package repo

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// apiRepository makes a repository with one package of each public room, the scripts of build, and a tool apidiff that
// finds one incompatible change in bus. It returns its folder and its commit.
func apiRepository(t *testing.T) (folder, revision string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("not checked: the scripts of build need bash")
	}
	folder = t.TempDir()
	files := map[string]string{
		"go.mod": "module " + module + "\n\ngo 1.26.0\n", "go.sum": "", "internal/leaf/leaf.go": "package leaf\n",
		"bus/bus.go": "package bus\n", "audit/audit.go": "package audit\n", "agent/agent.go": "package agent\n",
		"build/bin/tools/v1/apidiff": "#!/bin/sh\ncase $1 in -w) touch \"$2\" ;; " +
			"*) case $3 in */bus) echo 'Incompatible changes:'; echo '- Door: removed' ;; esac ;; esac\n",
	}
	for _, name := range []string{"api.sh", "tool.sh", "offline.sh"} {
		text, err := os.ReadFile(filepath.Join("build", name))
		if err != nil {
			t.Fatal(err)
		}
		files["build/"+name] = string(text)
	}
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = folder
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Skipf("not checked: git %v: %v %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "one")
	return folder, git("rev-parse", "HEAD")
}

// TestAnIncompatibleChangeIsTold: one that is not in build/api.txt fails the check, and so does a line of it that is
// not so.
func TestAnIncompatibleChangeIsTold(t *testing.T) {
	folder, revision := apiRepository(t)
	for name, c := range map[string]struct {
		list, want string
		code       int
	}{
		"not told": {"revision " + revision, "not in build/api.txt:\nbus: Door: removed\n", 1},
		"told":     {"# why\nrevision " + revision + "\nbus: Door: removed", "API: 3 packages, 1 incompatible", 0},
		"not so": {"revision " + revision + "\nbus: Door: removed\nbus: Key: removed",
			"not so:\nbus: Key: removed\n", 1},
		"unknown there": {"revision " + strings.Repeat("0", 40), "API: not checked: this clone lacks the revision 00", 0},
	} {
		if err := os.WriteFile(filepath.Join(folder, "build", "api.txt"), []byte(c.list+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		notes := filepath.Join(t.TempDir(), "notes")
		cmd := exec.CommandContext(t.Context(), filepath.Join(folder, "build", "api.sh"), "example.com/apidiff@v1")
		cmd.Env = append(os.Environ(), "NOT_CHECKED="+notes)
		out, _ := cmd.CombinedOutput()
		noted, _ := os.ReadFile(notes)
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.want) ||
			(len(noted) > 0) != strings.Contains(c.want, "not checked") {
			t.Errorf("%s: code %d, noted %q, %s", name, code, noted, out)
		}
	}
}

// TestAPackageThatIsGoneIsTold removes one that the revision has.
func TestAPackageThatIsGoneIsTold(t *testing.T) {
	folder, revision := apiRepository(t)
	list := "revision " + revision + "\nbus: Door: removed\n"
	if err := os.WriteFile(filepath.Join(folder, "build", "api.txt"), []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(folder, "agent"), filepath.Join(folder, "other")); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(folder, "build", "api.sh"), "example.com/apidiff@v1").
		CombinedOutput()
	if err == nil || !strings.Contains(string(out), "\nagent: package removed\n") {
		t.Errorf("%v: %s", err, out)
	}
}
