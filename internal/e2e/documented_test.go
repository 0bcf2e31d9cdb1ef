package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// ofTheProgram matches calls of the program, but not "../deskhand", a folder.
var ofTheProgram = regexp.MustCompile(`(^|[^.])\./deskhand `)

// link matches a link of the README to a page.
var link = regexp.MustCompile(`\]\((docs/[a-z-]+\.md)\)`)

// readingOrder lists the README and the guides in the order of its links; then the pages it does not link.
func readingOrder(t *testing.T) []string {
	t.Helper()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	order := []string{"README.md"}
	for _, m := range link.FindAllStringSubmatch(string(readme), -1) {
		if page := filepath.FromSlash(m[1]); !slices.Contains(order, page) {
			order = append(order, page)
		}
	}
	for _, page := range append(pages, "CONTRIBUTING.md") {
		if !slices.Contains(order, page) {
			order = append(order, page)
		}
	}
	return order
}

// TestDocumentedCommandsWork runs every deskhand command line that the README and the guides show, as a reader does:
// page after page in one home, which stands for /tmp.
func TestDocumentedCommandsWork(t *testing.T) {
	home := t.TempDir()
	for _, page := range readingOrder(t) {
		t.Run(page, func(t *testing.T) {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			ran := 0
			for _, block := range shellBlock.FindAllStringSubmatch(string(text), -1) {
				for line := range strings.Lines(block[1]) {
					line = strings.TrimSpace(line)
					if !ofTheProgram.MatchString(line) {
						continue
					}
					ran++
					command := exec.Command("sh", "-c", strings.NewReplacer("./deskhand ", "deskhand ", "/tmp/", home+"/").
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
