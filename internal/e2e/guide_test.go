package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// guideBlock is a fenced block: a language, for a file its name, and the text.
var guideBlock = regexp.MustCompile("(?ms)^```(\\w+)(?: (\\S+))?\n(.*?)^```$")

// TestTheGuideWorks follows each guide to the packages, as a reader in the folder that has the clone: it runs the first
// block of commands, compares the parts that the page shows with the program's files, and runs the commands. A command
// must print what the guide shows; … stands for anything.
func TestTheGuideWorks(t *testing.T) {
	for page, program := range map[string]string{"make-your-app-agent-ready.md": "todo", "existing-program.md": "rooms"} {
		t.Run(program, func(t *testing.T) {
			guide, err := os.ReadFile(filepath.Join("docs", page))
			if err != nil {
				t.Fatal(err)
			}
			r := newReader(t, program)
			begun, commands, parts := false, 0, 0
			for _, block := range guideBlock.FindAllStringSubmatch(string(guide), -1) {
				switch language, name, text := block[1], block[2], block[3]; {
				case name != "":
					parts++
					if file, err := os.ReadFile(filepath.Join(r.folder, name)); err != nil || !strings.Contains(string(file), text) {
						t.Errorf("%s does not hold this part (%v):\n%s", name, err, text)
					}
				case language == "sh" && !begun:
					begun = true
					r.begin(text)
				case language == "console":
					commands += r.run(text)
				}
			}
			if !begun || commands < 5 || parts < 4 {
				t.Errorf("begun: %v, %d commands and %d parts found: has the guide changed its form?", begun, commands, parts)
			}
		})
	}
}

// reader follows the guide beside the clone.
type reader struct {
	t      *testing.T
	folder string // of the program
}

func newReader(t *testing.T, program string) *reader {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	beside := t.TempDir()
	if err := os.Symlink(here, filepath.Join(beside, "deskhand")); err != nil {
		t.Fatal(err)
	}
	return &reader{t, filepath.Join(beside, program)}
}

// begin runs the commands that make the program's folder. The test has no network, from which go mod tidy reads modules
// that only tests of others need: the sums are those of the clone.
func (r *reader) begin(commands string) {
	r.t.Helper()
	commands = strings.ReplaceAll(commands, "go mod tidy", "cp ../deskhand/go.sum go.sum")
	if out, err := r.shell("set -e\n"+commands, filepath.Dir(r.folder)); err != nil {
		r.t.Fatalf("%s: %v\n%s", commands, err, out)
	}
}

// run runs the commands of a console block, compares what they print, and returns their number.
func (r *reader) run(block string) (commands int) {
	r.t.Helper()
	for _, part := range strings.Split("\n"+block, "\n$ ")[1:] {
		command, want, _ := strings.Cut(part, "\n")
		commands++
		// The output shows whether it failed.
		if got, _ := r.shell(command, r.folder); !fits(got, want) {
			r.t.Errorf("$ %s\nprints\n%s\nand the guide shows\n%s", command, got, want)
		}
	}
	return commands
}

// shell runs commands with the program on the path.
func (r *reader) shell(commands, folder string) (out string, err error) {
	c := exec.Command("sh", "-c", commands)
	c.Dir = folder
	c.Env = append(os.Environ(), "PATH="+r.folder+string(os.PathListSeparator)+os.Getenv("PATH"),
		"CGO_ENABLED=0", "GOFLAGS=-mod=mod -trimpath -tags=netgo,osusergo", "GOPROXY=off")
	raw, err := c.CombinedOutput()
	return string(raw), err
}

// fits compares line by line; … stands for anything within a line.
func fits(got, want string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(want)), "…", ".*")
	return regexp.MustCompile("^" + pattern + "$").MatchString(strings.TrimSpace(got))
}
