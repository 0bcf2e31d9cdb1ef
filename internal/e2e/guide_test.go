package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const module = "github.com/deskhand/deskhand"

// guideBlock is a fenced block: a language, for a file its name, and the text.
var guideBlock = regexp.MustCompile("(?ms)^```(\\w+)(?: (\\S+))?\n(.*?)^```$")

// TestTheGuideWorks follows each guide to the packages: it copies the program of the guide, compares the parts that the
// page shows with its files, and runs the commands. A command must print what the guide shows; … stands for anything.
func TestTheGuideWorks(t *testing.T) {
	for page, program := range map[string]string{"make-your-app-agent-ready.md": "todo", "existing-program.md": "rooms"} {
		t.Run(program, func(t *testing.T) {
			guide, err := os.ReadFile(filepath.Join("docs", page))
			if err != nil {
				t.Fatal(err)
			}
			r := newReader(t, program)
			parts := 0
			for _, block := range guideBlock.FindAllStringSubmatch(string(guide), -1) {
				switch language, name, text := block[1], block[2], block[3]; {
				case name != "":
					parts++
					if file, err := os.ReadFile(filepath.Join(r.folder, name)); err != nil || !strings.Contains(string(file), text) {
						t.Errorf("%s does not hold this part (%v):\n%s", name, err, text)
					}
				case language == "console":
					r.run(text)
				}
			}
			if r.commands < 5 || parts < 4 {
				t.Errorf("only %d commands and %d parts found: has the guide changed its form?", r.commands, parts)
			}
		})
	}
}

// reader follows the guide in a folder of its own.
type reader struct {
	t        *testing.T
	program  string
	folder   string
	built    bool
	commands int
}

func newReader(t *testing.T, program string) *reader {
	t.Helper()
	r := &reader{t: t, program: program, folder: t.TempDir()}
	if err := os.CopyFS(r.folder, os.DirFS(filepath.Join("docs/examples", program))); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "go.mod" { // a module of its own, with what ours needs
			text = []byte(strings.Replace(string(text), "module "+module, "module "+program, 1) +
				"\nrequire " + module + " v0.0.0\nreplace " + module + " => " + here + "\n")
		}
		r.write(name, string(text))
	}
	return r
}

func (r *reader) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// run runs the commands of a console block and compares what they print.
func (r *reader) run(block string) {
	r.t.Helper()
	if !r.built {
		r.shell("go build -mod=mod -o bin/" + r.program + " .")
		r.built = true
	}
	for _, part := range strings.Split("\n"+block, "\n$ ")[1:] {
		command, want, _ := strings.Cut(part, "\n")
		r.commands++
		if got := r.shell(command); !fits(got, want) {
			r.t.Errorf("$ %s\nprints\n%s\nand the guide shows\n%s", command, got, want)
		}
	}
}

// shell runs one command with the program on the path. Its output shows whether it failed.
func (r *reader) shell(command string) string {
	r.t.Helper()
	c := exec.Command("sh", "-c", command)
	c.Dir = r.folder
	c.Env = append(os.Environ(), "PATH="+filepath.Join(r.folder, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"),
		"CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := c.CombinedOutput()
	if strings.HasPrefix(command, "go build") && err != nil {
		r.t.Fatalf("%s: %v\n%s", command, err, out)
	}
	return string(out)
}

// fits compares line by line; … stands for anything within a line.
func fits(got, want string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(want)), "…", ".*")
	return regexp.MustCompile("^" + pattern + "$").MatchString(strings.TrimSpace(got))
}
