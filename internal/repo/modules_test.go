package repo

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// linkedModules lists the modules that a program with these packages is linked with, ours apart.
func linkedModules(t *testing.T, packages ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}"},
		packages...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Fields(string(out))
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(path string) bool { return path == module })
}

// TestThePackagesNeedFewModules limits what a program has to download for the public packages: docs/decisions/016.
func TestThePackagesNeedFewModules(t *testing.T) {
	for _, c := range []struct {
		most     int
		packages []string
	}{
		{0, []string{"./audit/chain"}},
		{9, []string{"./bus/...", "./agent/builtin"}},
		{22, []string{"./bus/...", "./audit/...", "./agent/..."}},
	} {
		if list := linkedModules(t, c.packages...); len(list) > c.most {
			t.Errorf("%v need %d modules, of %d: %v", c.packages, len(list), c.most, list)
		}
	}
}

// TestNoModuleIsAReleaseCandidate reads go.mod, indirect requirements included.
func TestNoModuleIsAReleaseCandidate(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range regexp.MustCompile(`(?m)^\t\S+ v\S+-(?:rc|alpha|beta|pre)\S*`).FindAllString(string(mod), -1) {
		t.Errorf("go.mod requires %s", strings.TrimSpace(v))
	}
}
