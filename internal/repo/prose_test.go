package repo

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const proseLimits = "build/prose/limits.txt"

// proseSums adds up the limits of a version of proseLimits. The rooms of Go code share one sum, because a package may
// move from one to another.
func proseSums(text string) map[string]int {
	sums := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^(\w+) (\d+)$`).FindAllStringSubmatch(text, -1) {
		room, limit := m[1], m[2]
		if room != "page" && room != "docs" && room != "messages" {
			room = "Go"
		}
		n, _ := strconv.Atoi(limit)
		sums[room] += n
	}
	return sums
}

// raised lists the rooms with a higher sum than before.
func raised(before, now map[string]int) (rooms []string) {
	for _, room := range slices.Sorted(maps.Keys(now)) {
		if now[room] > before[room] {
			rooms = append(rooms, room)
		}
	}
	return rooms
}

// TestProseLimitsOnlyFall compares each version of the limits with the version before it, as far as this clone has
// them. A commit that changes the rules may raise limits.
func TestProseLimitsOnlyFall(t *testing.T) {
	git := func(args ...string) (string, error) {
		out, err := exec.Command("git", args...).Output()
		return string(out), err
	}
	history, err := git("log", "--first-parent", "--format=%H", "-n", "50", "--", proseLimits)
	if err != nil {
		t.Skipf("not checked: no git checkout (%v)", err)
	}
	text, err := os.ReadFile(proseLimits)
	if err != nil {
		t.Fatal(err)
	}
	newer, sums := "", proseSums(string(text)) // "" is the work tree
	if len(sums) != 4 {
		t.Fatalf("%s has the sums %v", proseLimits, sums)
	}
	for older := range strings.FieldsSeq(history) {
		text, err := git("show", older+":"+proseLimits)
		if err != nil {
			break
		}
		before := proseSums(text)
		diff := []string{"diff", "--quiet", older, newer, "--", "build/prose/styles", "build/prose.mjs"}
		diff = slices.DeleteFunc(diff, func(arg string) bool { return arg == "" })
		if _, err := git(diff...); err == nil {
			if rooms := raised(before, sums); len(rooms) > 0 {
				t.Errorf("%s %s: limits of %v were raised from %v to %v", proseLimits, newer, rooms, before, sums)
			}
		}
		newer, sums = older, before
	}
}

func TestRaisedProseLimitsAreFound(t *testing.T) {
	before := proseSums("# comment\nagent 5\n\nbus 4\n\ndocs 3\n")
	for text, want := range map[string][]string{
		"agent 3\n\nbus 6\n\ndocs 3\n": nil, // a package moved
		"agent 5\n\nbus 5\n\ndocs 3\n": {"Go"},
		"agent 4\n\nbus 4\n\ndocs 4\n": {"docs"},
	} {
		if got := raised(before, proseSums(text)); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestProseHoldsEachRoomToItsLimit runs the step in a repository of one file, with a program that prints three hits in
// place of Vale.
func TestProseHoldsEachRoomToItsLimit(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("not checked: build/prose.mjs needs Node.js")
	}
	folder := t.TempDir()
	step, err := os.ReadFile("build/prose.mjs")
	if err != nil {
		t.Fatal(err)
	}
	hit := `{"Line":3,"Check":"House.Words","Message":"Use again."}`
	limits := filepath.Join(folder, proseLimits)
	for name, text := range map[string]string{
		"build/prose.mjs": string(step),
		"build/tool.sh":   "#!/bin/sh\necho '{\"bus/bus.go\":[" + hit + "," + hit + "," + hit + "]}'\n",
		"bus/bus.go":      "package bus\n\n// Again starts anew.\n",
		proseLimits:       "",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "-C", folder, "init", "-q").CombinedOutput(); err != nil {
		t.Skipf("not checked: git: %v %s", err, out)
	}
	for _, c := range []struct {
		limits, option, want string
		code                 int
		left                 string
	}{
		{"bus 2\n", "", "bus has 1 hits more than its limit.\nIn the lines that this branch changes:\n" +
			"  bus/bus.go:3 Words: Use again.\n", 1, "bus 2\n"},
		{"bus 3\n", "", "bus           3      3", 0, "bus 3\n"},
		{"bus 4\n", "", "bus: fewer hits than the limit. Lower it: make lower-prose", 1, "bus 4\n"},
		{"# Limits\n\nbus 4\n", "--lower", "", 0, "# Limits\n\nbus 3\n"},
		{"<<<<<<< a\nbus 3\n=======\nbus 5\n>>>>>>> b\n", "--lower", "", 0, "\nbus 3\n"},
		{"bus 2\n", "--lower", "bus has 1 hits more", 1, "\nbus 2\n"},
	} {
		if err := os.WriteFile(limits, []byte(c.limits), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "node", filepath.Join(folder, "build", "prose.mjs"), "vale@v1", c.option)
		out, _ := cmd.CombinedOutput()
		left, _ := os.ReadFile(limits)
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.want) ||
			string(left) != c.left {
			t.Errorf("%q %s: code %d, left %q, %q should be in:\n%s", c.limits, c.option, code, left, c.want, out)
		}
	}
}
