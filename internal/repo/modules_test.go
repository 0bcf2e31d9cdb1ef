package repo

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// linkedModules lists the modules that a program with these packages is linked with on Windows, which takes the most;
// ours apart.
func linkedModules(t *testing.T, packages ...string) []string {
	t.Helper()
	list := exec.Command("go", append([]string{"list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}"}, packages...)...)
	list.Env = append(os.Environ(), "GOOS=windows", "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := strings.Fields(string(out))
	slices.Sort(modules)
	return slices.DeleteFunc(slices.Compact(modules), func(path string) bool { return path == module })
}

// TestThePackagesNeedFewModules limits the modules that a program compiles with the public packages. One module holds
// these and the application, so its graph names Wails and ClickHouse. The graph is pruned: packages in modules of their
// own would save no compiled module and no download, and need five tags for each release.
func TestThePackagesNeedFewModules(t *testing.T) {
	var buses, all []string
	for _, folder := range publicPackages(t) {
		if folder == natsbus || folder == archive {
			continue // they have lines of their own
		}
		if all = append(all, "./"+folder); strings.HasPrefix(folder, "bus") {
			buses = append(buses, "./"+folder)
		}
	}
	for _, c := range []struct {
		most     int
		packages []string
	}{
		{0, []string{"./audit/chain"}},
		{6, []string{"./" + natsbus}},
		{29, []string{"./" + archive}},
		{11, append(buses, "./agent/builtin")},
		{27, all},
	} {
		if list := linkedModules(t, c.packages...); len(list) > c.most {
			t.Errorf("%v need %d modules, of %d: %v", c.packages, len(list), c.most, list)
		}
	}
}

// TestN8TheProgramForOneComputerHasNoServer: the server of NATS is in the build with the tag host alone.
//
// holds: N8
func TestN8TheProgramForOneComputerHasNoServer(t *testing.T) {
	const server = "github.com/nats-io/nats-server/v2"
	if slices.Contains(linkedModules(t, "."), server) {
		t.Errorf("the program for one computer has %s", server)
	}
	if !slices.Contains(linkedModules(t, "-tags=host", "."), server) {
		t.Errorf("the program with the tag host has no %s: has it another name?", server)
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
