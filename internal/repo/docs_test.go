package repo

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pages are all pages of the repository that people read.
func pages(t *testing.T) []string {
	t.Helper()
	list := []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"}
	for _, folder := range []string{"docs/*.md", "docs/decisions/*.md"} {
		found, err := filepath.Glob(folder)
		if err != nil || len(found) == 0 {
			t.Fatal(folder, err)
		}
		list = append(list, found...)
	}
	return list
}

var (
	pageLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	fences   = regexp.MustCompile("(?ms)^```.*?^```$")
	heading  = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	notSlug  = regexp.MustCompile(`[^\pL\pN _-]`)
)

// anchors are the places of a page that a link may name, as the forges make them
// of its headings.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for _, h := range heading.FindAllStringSubmatch(fences.ReplaceAllString(text, ""), -1) {
		found[strings.ReplaceAll(notSlug.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-")] = true
	}
	return found
}

// TestLinksLeadSomewhere checks the links of every page: files exist, and so do
// the headings that are named; addresses elsewhere are encrypted and not asked.
func TestLinksLeadSomewhere(t *testing.T) {
	links := 0
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range pageLink.FindAllStringSubmatch(fences.ReplaceAllString(string(text), ""), -1) {
			links++
			if strings.Contains(link[1], "://") {
				if !strings.HasPrefix(link[1], "https://") {
					t.Errorf("%s links to %s, which is not encrypted", page, link[1])
				}
				continue
			}
			file, anchor, _ := strings.Cut(link[1], "#")
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", page, link[1], err)
				continue
			}
			if anchor == "" {
				continue
			}
			if there, err := os.ReadFile(target); err != nil || !anchors(string(there))[anchor] {
				t.Errorf("%s links to %s: no such heading (%v)", page, link[1], err)
			}
		}
	}
	if links < 50 {
		t.Errorf("only %d links found: have the pages changed their form?", links)
	}
}

// TestEveryThreatNamesTestsThatExist holds the pages on security to the tests: each threat names at least one, or a
// script, and each of them is there.
func TestEveryThreatNamesTestsThatExist(t *testing.T) {
	var page []byte
	for _, name := range []string{"security.md", "security-assistant.md", "security-machines.md"} {
		text, err := os.ReadFile(filepath.Join("docs", name))
		if err != nil {
			t.Fatal(err)
		}
		page = append(page, text...)
	}
	threat := regexp.MustCompile(`(?m)^\| [^|]+ \| [^|]+ \| ([^|]+) \|$`)
	test := regexp.MustCompile("`([^`]+)` ((?:Test|Fuzz)\\w+)")
	threats := 0
	for _, row := range threat.FindAllStringSubmatch(string(page), -1) {
		if row[1] == "tests" {
			continue
		}
		threats++
		named := test.FindAllStringSubmatch(row[1], -1)
		if len(named) == 0 && !strings.Contains(row[1], "](") {
			t.Errorf("no test is named for: %s", row[0])
		}
		for _, n := range named {
			if !hasTest(t, n[1], n[2]) {
				t.Errorf("%s has no %s: %s", n[1], n[2], row[0])
			}
		}
	}
	if threats < 60 {
		t.Errorf("only %d threats found: have the pages changed their form?", threats)
	}
}

func hasTest(t *testing.T, folder, name string) bool {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}

// TestPicturesAreShownAndSmall checks that each picture of the documentation is
// on some page, and that none takes long to load.
func TestPicturesAreShownAndSmall(t *testing.T) {
	const most = 300 << 10
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, page := range append(pages, "README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	pictures, err := filepath.Glob("docs/images/*")
	if err != nil || len(pictures) < 4 {
		t.Fatalf("%d pictures: %v", len(pictures), err)
	}
	for _, picture := range pictures {
		info, err := os.Stat(picture)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > most {
			t.Errorf("%s has %d KB, of %d", picture, info.Size()>>10, most>>10)
		}
		if !strings.Contains(all.String(), "images/"+filepath.Base(picture)+")") {
			t.Errorf("%s is on no page", picture)
		}
	}
}

// TestPagesAskForTheGoOfTheModule compares the version that the pages tell to install with go.mod's, which is the first
// release of that version: a library that names a patch release forces it on the programs that use it.
func TestPagesAskForTheGoOfTheModule(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	want, first := strings.CutSuffix(regexp.MustCompile(`(?m)^go (\S+)$`).FindStringSubmatch(string(mod))[1], ".0")
	if !first {
		t.Errorf("go.mod asks for the patch release %s", want)
	}
	told := 0
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, said := range regexp.MustCompile(`\bGo (1\.\d+(?:\.\d+)?)\b`).FindAllStringSubmatch(string(text), -1) {
			if told++; said[1] != want {
				t.Errorf("%s says Go %s, and go.mod %s", page, said[1], want)
			}
		}
	}
	if told < 2 {
		t.Errorf("only %d pages say a version", told)
	}
}

// TestThePackagesPageNamesEveryKeyword compares docs/packages.md with the keywords and formats that package schema lets
// pass, and with the x- keywords that the packages read. Those have one word: others are the applications' own.
func TestThePackagesPageNamesEveryKeyword(t *testing.T) {
	page, err := os.ReadFile("docs/packages.md")
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := os.ReadFile("bus/internal/schema/keywords.go")
	if err != nil {
		t.Fatal(err)
	}
	keywords, rows := map[string]string{}, 0
	for _, k := range regexp.MustCompile(`"([$a-zA-Z-]+)": true`).FindAllStringSubmatch(string(allowed), -1) {
		keywords[k[1]] = "bus/internal/schema/keywords.go"
	}
	read := regexp.MustCompile("[\"`](x-[a-z-]+)[\"`]")
	for _, file := range production(t) {
		if room, _, _ := strings.Cut(file, "/"); room != "bus" && room != "audit" && room != "agent" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range read.FindAllStringSubmatch(string(text), -1) {
			keywords[k[1]] = file
		}
	}
	for keyword, file := range keywords {
		switch {
		case strings.HasPrefix(keyword, "x-"):
			rows++
			if !strings.Contains(string(page), "\n| `"+keyword+"` |") {
				t.Errorf("docs/packages.md has no row for %s, which %s reads", keyword, file)
			}
			if strings.Count(keyword, "-") > 1 {
				t.Errorf("%s: %s has more than one word", file, keyword)
			}
		case !strings.Contains(string(page), "`"+keyword+"`"):
			t.Errorf("docs/packages.md does not name %s of %s", keyword, file)
		}
	}
	if len(keywords) < 45 || rows < 4 {
		t.Errorf("only %d keywords, %d with a row", len(keywords), rows)
	}
}
