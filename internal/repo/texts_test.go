package repo

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTextsDescribeWhatIsThere looks for the capability or the struct type of each section of the text files beside
// the capabilities: bus.Define notices a section that is missing, and not one too many.
func TestTextsDescribeWhatIsThere(t *testing.T) {
	out, err := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", "*/texts.txt").Output()
	if err != nil {
		t.Skipf("not checked: no git checkout (%v)", err)
	}
	files := strings.Fields(string(out))
	if len(files) < 10 {
		t.Fatalf("only %q", files)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var source strings.Builder
		sources, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.go"))
		for _, name := range sources {
			code, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			source.Write(code)
		}
		seen := map[string]bool{}
		for line := range strings.Lines(string(text)) {
			heading, title, is := strings.Cut(strings.TrimSpace(line), ":")
			if line[0] == '\t' || heading == "" {
				continue
			}
			want := `"` + heading + `"`
			if title == "" {
				want = "type " + heading + " struct {"
			}
			if !is || seen[heading] || !strings.Contains(source.String(), want) {
				t.Errorf("%s: %q describes nothing in this folder, or for the second time", file, heading)
			}
			seen[heading] = true
		}
	}
}

// ofAShop matches the words of an order desk. Order as in "in order" is none of them.
var ofAShop = regexp.MustCompile(`(?i)\b(shop|customer|cart|checkout|product|sku|variant|clerk|refund|staff)(s|Id)?\b|` +
	`\b(orderId|orders|(an|whole|open|pending|your) order)\b`)

// TestThePackagesSpeakOfNoShop reads the comments, strings and texts of the packages that are for any application, and
// their examples. The words that the built-in assistant knows as English are no texts.
func TestThePackagesSpeakOfNoShop(t *testing.T) {
	files, err := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", "bus", "audit", "agent").
		Output()
	if err != nil {
		t.Skipf("not checked: no git checkout (%v)", err)
	}
	apart := regexp.MustCompile(`/testdata/|internal/agenttest/|internal/lexicon/`)
	seen := 0
	for file := range strings.FieldsSeq(string(files)) {
		if apart.MatchString(file) || strings.HasSuffix(file, "_test.go") && !strings.HasSuffix(file, "example_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		seen++
		for at, line := range strings.Split(string(text), "\n") {
			if word := ofAShop.FindString(line); word != "" {
				t.Errorf("%s:%d speaks of %q: %s", file, at+1, word, strings.TrimSpace(line))
			}
		}
	}
	if seen < 250 {
		t.Errorf("only %d files", seen)
	}
}
