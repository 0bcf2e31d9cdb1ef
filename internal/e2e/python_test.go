package e2e

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/google/go-cmp/cmp"
)

var withMypy = flag.String("mypy", "", "the command mypy, to check the documented Python with")

var pythonBlock = regexp.MustCompile("(?s)```python\n(.*?)```")

// holds: M5
func TestM5ADocumentedPythonProgramWorksAtARealShop(t *testing.T) {
	page, err := os.ReadFile("docs/clients.md")
	if err != nil {
		t.Fatal(err)
	}
	program := pythonBlock.FindSubmatch(page)
	if program == nil {
		t.Fatal("docs/clients.md shows no program")
	}
	shop, folder := desktest.Copy(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "prices.py"), program[1], 0o644); err != nil {
		t.Fatal(err)
	}
	command(t, "gen", "--py", folder)
	if *withMypy != "" {
		c := exec.Command(*withMypy, "--strict", "capabilities_gen.py", "prices.py")
		c.Dir = folder
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	c := exec.Command("python3", "-W", "error", "prices.py", shop)
	c.Dir = folder
	var errors bytes.Buffer
	c.Stderr = &errors
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errors)
	}
	want := "NL-KIR-250-WB $21.90 -> $22.40\nNL-KIR-250-GR $21.90 -> $22.40\nNL-KIR-1K-WB $76.50 -> $77.00\n" +
		"NL-KIR-1K-GR $76.50 -> $77.00\nNOT_FOUND record Look it up with catalog.search.\n" +
		"productId is one of Espresso Cleaning Tablets, Espresso Cup Pair ...\n"
	if d := cmp.Diff(want, string(out)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
