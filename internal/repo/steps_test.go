package repo

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// script runs a script of build with these variables in its environment, and returns what it wrote and its exit code.
func script(t *testing.T, folder string, environment []string, script string, args ...string) (output string,
	code int) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("not checked: the scripts of build need bash and make")
	}
	path, err := filepath.Abs(filepath.Join("build", script))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), environment...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func TestStepsTellWhatWasNotCheckedFromWhatPassed(t *testing.T) {
	folder := t.TempDir()
	makefile := "SHELL := /bin/bash\ngood:\n\t@true\nbad:\n\t@false\nunreached:\n" +
		"\t@source " + mustAbs(t, "build/offline.sh") + "; not_checked Licences 'no such host'\n"
	if err := os.WriteFile(filepath.Join(folder, "Makefile"), []byte(makefile), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		steps []string
		want  []string
		code  int
	}{
		{[]string{"One", "good"}, []string{"\n1 passed, 0 failed\n"}, 0},
		{[]string{"One", "good", "Two", "unreached", "Three", "good"},
			[]string{"not checked: Licences", "\n2 passed, 0 failed, 1 not checked\n"}, 0},
		{[]string{"One", "unreached", "Two", "bad"},
			[]string{"FAILED, alone: make bad", "\n0 passed, 1 failed, 1 not checked\n"}, 1},
	} {
		out, code := script(t, folder, nil, "steps.sh", c.steps...)
		for _, want := range c.want {
			if code != c.code || !strings.Contains(out, want) {
				t.Errorf("%v: code %d, and %q should be in:\n%s", c.steps, code, want, out)
			}
		}
	}
}

// TestStepsRunBesideEachOther: left ends when right has begun, so both run at once; each is printed whole.
func TestStepsRunBesideEachOther(t *testing.T) {
	folder := t.TempDir()
	makefile := "left:\n\t@echo left begins; for i in $$(seq 300); do [ -e begun ] && break; sleep 0.1; done; " +
		"test -e begun && echo left ends\n" +
		"right:\n\t@touch begun; echo right\nbad:\n\t@echo bad; false\nafter:\n\t@test -e begun\n"
	if err := os.WriteFile(filepath.Join(folder, "Makefile"), []byte(makefile), 0o600); err != nil {
		t.Fatal(err)
	}
	out, code := script(t, folder, nil, "steps.sh", "Left", "&left", "Right", "&right", "Bad", "&bad", "After", "after")
	for _, want := range []string{"left begins\nleft ends\n", "(make right)\nright\n", "FAILED, alone: make bad",
		"\n3 passed, 1 failed\n"} {
		if code != 1 || !strings.Contains(out, want) {
			t.Errorf("code %d, and %q should be in:\n%s", code, want, out)
		}
	}
}

// TestAToolThatCannotBeBuiltIsNotTakenForOffline offers the tool's module by a proxy of files, without its package.
func TestAToolThatCannotBeBuiltIsNotTakenForOffline(t *testing.T) {
	proxy := t.TempDir()
	versions := filepath.Join(proxy, "example.com", "timeout", "@v")
	if err := os.MkdirAll(versions, 0o700); err != nil {
		t.Fatal(err)
	}
	module := "module example.com/timeout\n"
	for name, text := range map[string]string{"list": "v1.0.0\n", "v1.0.0.info": `{"Version":"v1.0.0"}`,
		"v1.0.0.mod": module} {
		if err := os.WriteFile(filepath.Join(versions, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		proxy, want string
		code        int
	}{
		"no proxy there": {"http://127.0.0.1:9", "timeout: not checked: offline (", 0},
		"no module":      {"file://" + proxy, "timeout could not be built", 1},
	} {
		notes := filepath.Join(t.TempDir(), "notes")
		out, code := script(t, "", []string{"GOPROXY=" + c.proxy, "GOFLAGS=-modcacherw", "GONOSUMDB=*", "GONOSUMCHECK=1",
			"GOMODCACHE=" + t.TempDir(), "NOT_CHECKED=" + notes}, "tool.sh", "example.com/timeout@v1.0.0")
		noted, _ := os.ReadFile(notes)
		if code != c.code || !strings.Contains(out, c.want) || (len(noted) > 0) != (code == 0) {
			t.Errorf("%s: code %d, noted %q, %s", name, code, noted, out)
		}
	}
}

func mustAbs(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}
