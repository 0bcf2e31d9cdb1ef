package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// ofTheProgram matches calls of the program, but not "../deskhand", a folder.
var ofTheProgram = regexp.MustCompile(`(^|[^.])\./deskhand `)

// TestDocumentedCommandsWork runs every deskhand command line that the README
// and the guides show, in their order, in a folder of its own.
func TestDocumentedCommandsWork(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append([]string{"README.md"}, pages...) {
		t.Run(page, func(t *testing.T) {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			shop := filepath.Join(t.TempDir(), "shop")
			ran := 0
			for _, block := range shellBlock.FindAllStringSubmatch(string(text), -1) {
				for line := range strings.Lines(block[1]) {
					line = strings.TrimSpace(line)
					if !ofTheProgram.MatchString(line) {
						continue
					}
					ran++
					command := exec.Command("sh", "-c", strings.NewReplacer("./deskhand ", "deskhand ", "/tmp/shop", shop).
						Replace(line))
					run := allowing
					if !strings.Contains(line, "--approve ask") {
						run = withoutInput
					}
					if out, err := run(command); err != nil {
						t.Fatalf("%s\n%v\n%s", line, err, out)
					}
				}
			}
			if page == "README.md" && ran < 5 {
				t.Errorf("only %d commands found: has the README changed its form?", ran)
			}
		})
	}
}

// withoutInput runs a command that asks for nothing.
func withoutInput(command *exec.Cmd) (string, error) {
	out, err := command.CombinedOutput()
	return string(out), err
}
