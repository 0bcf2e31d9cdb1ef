package repo

import (
	"bytes"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pages are all pages of the repository that people read.
func pages(t *testing.T) []string {
	t.Helper()
	list := []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"}
	for name := range pagesOfDocs(t) {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// pagesOfDocs are the pages below docs with their text, those of the examples apart.
func pagesOfDocs(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir("docs", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path == filepath.Join("docs", "examples"):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".md"):
			text, err := os.ReadFile(path)
			found[path] = string(text)
			return err
		}
		return nil
	})
	if err != nil || len(found) < 40 {
		t.Fatalf("%d pages: %v", len(found), err)
	}
	return found
}

// generated reports whether a program writes the whole page.
func generated(text string) bool { return strings.HasPrefix(text, "<!-- Written by ") }

// TestPagesAreShort limits a page, a decision to one screen, and the pages of docs together, without generated ones. A
// longer page is paid for by a shorter one.
func TestPagesAreShort(t *testing.T) {
	const page, decision, all, readme = 9_000, 3_000, 160_000, 120
	sum := 0
	for _, name := range pages(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if generated(string(text)) || name == filepath.FromSlash("docs/evidence/mutants.md") {
			continue // of the mutants a tool writes the names
		}
		most := page
		if filepath.Base(filepath.Dir(name)) == "decisions" {
			most = decision
		}
		if len(text) > most {
			t.Errorf("%s has %d bytes, of %d", name, len(text), most)
		}
		if strings.HasPrefix(name, "docs") {
			sum += len(text)
		}
	}
	if sum > all {
		t.Errorf("docs has %d bytes of text, of %d", sum, all)
	}
	t.Logf("docs has %d bytes of text, of %d", sum, all)
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n > readme {
		t.Errorf("README.md has %d lines, of %d", n, readme)
	}
}

// TestMeasuredFiguresSayWhereTheyAreFrom: a section that tells what was measured names the page or the command that has
// the figures, or the page does at its head. Limits are no measurements. The README has no figures at all.
func TestMeasuredFiguresSayWhereTheyAreFrom(t *testing.T) {
	limit := regexp.MustCompile(`\d+ ms or less|(?:at most|within|under) \d+ ms`)
	figure := regexp.MustCompile(`\b[Mm]easured\b|\d ?(?:ms|µs|ns)\b`)
	source := regexp.MustCompile("performance\\.md|measurements\\.md|reliability\\.md|`make\\s|`go\\s+(?:test|list)\\s|`build/")
	part := regexp.MustCompile(`(?m)^#+ `)
	figures := 0
	for name, text := range pagesOfDocs(t) {
		if generated(text) {
			continue
		}
		text = limit.ReplaceAllString(fences.ReplaceAllString(text, ""), "")
		heads := part.FindAllStringIndex(text, -1)
		for i, h := range heads {
			end := len(text)
			if i+1 < len(heads) {
				end = heads[i+1][0]
			}
			switch section := text[h[0]:end]; {
			case !figure.MatchString(section):
			case source.MatchString(section) || source.MatchString(text[:heads[min(1, len(heads)-1)][0]]):
				figures++
			default:
				t.Errorf("%s tells what was measured (%q), and not where it is from", name, figure.FindString(section))
			}
		}
	}
	if figures < 3 {
		t.Errorf("only %d sections with figures", figures)
	}
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range regexp.MustCompile(`\d ?(?:ms|µs|ns|s|KB|MB|GB|%|×)(?:\s|[.,)])`).FindAll(text, -1) {
		t.Errorf("README.md has a figure, %q: docs/performance.md has those", f)
	}
}

// TestTheTroublePageQuotesMessagesOfThePrograms looks for each message of docs/trouble.md in the sources of the programs
// and of the set-up. What stands for names and numbers there, …, is any text here.
func TestTheTroublePageQuotesMessagesOfThePrograms(t *testing.T) {
	page, err := os.ReadFile("docs/trouble.md")
	if err != nil {
		t.Fatal(err)
	}
	var sources strings.Builder
	scripts, err := filepath.Glob("build/*.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(production(t), scripts...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources.Write(text)
	}
	joined := regexp.MustCompile(`"\s*\+\s*"`).ReplaceAllString(sources.String(), "")
	messages := 0
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]+`) \\|").FindAllStringSubmatch(string(page), -1) {
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			messages++
			for part := range strings.SplitSeq(m[1], "…") {
				if part = strings.TrimSpace(part); len(part) > 3 && !strings.Contains(joined, part) {
					t.Errorf("no program says %q, of which docs/trouble.md tells", part)
				}
			}
		}
	}
	if messages < 30 {
		t.Errorf("only %d messages found: has the page changed its form?", messages)
	}
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
				if u, err := url.Parse(link[1]); err != nil || u.Scheme != "https" || !strings.Contains(u.Host, ".") {
					t.Errorf("%s links to %s, which is no encrypted address (%v)", page, link[1], err)
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

// TestEveryThreatNamesWhatHoldsIt: each threat of the pages on security names a promise that tests hold, a test, or a
// script, and each of them is there.
func TestEveryThreatNamesWhatHoldsIt(t *testing.T) {
	var page []byte
	for _, name := range []string{"security.md", "security-assistant.md", "security-machines.md"} {
		text, err := os.ReadFile(filepath.Join("docs", name))
		if err != nil {
			t.Fatal(err)
		}
		page = append(page, text...)
	}
	status, err := os.ReadFile("docs/evidence/spec-status.md")
	if err != nil {
		t.Fatal(err)
	}
	threat := regexp.MustCompile(`(?m)^\| [^|]+ \| [^|]+ \| ([^|]+) \|$`)
	promise := regexp.MustCompile(`^[A-Z]\d+$`)
	declared := declaredTests(t)
	threats := 0
	for _, row := range threat.FindAllStringSubmatch(string(page), -1) {
		if row[1] == "held by" {
			continue
		}
		threats++
		for holder := range strings.SplitSeq(row[1], ", ") {
			held := declared[holder] || strings.Contains(holder, "](")
			if promise.MatchString(holder) {
				held = regexp.MustCompile(`(?m)^\| ` + holder + ` \| (?:held|partly).* Test`).Match(status)
			}
			if !held {
				t.Errorf("%q is no promise, test or link: %s", holder, row[0])
			}
		}
	}
	if threats < 50 {
		t.Errorf("only %d threats found: have the pages changed their form?", threats)
	}
}

// declaredTests are the names of all tests in Go.
func declaredTests(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return filepath.SkipDir
		case strings.HasSuffix(path, "_test.go"):
			text, err := os.ReadFile(path)
			for _, m := range declared.FindAllSubmatch(text, -1) {
				found[string(m[1])] = true
			}
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestPicturesAreShownTakenAndSmall: each picture of the documentation is on some page, is taken by make screenshots,
// and does not take long to load. That a picture of a page is there, TestLinksLeadSomewhere checks.
func TestPicturesAreShownTakenAndSmall(t *testing.T) {
	var all, flows strings.Builder
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	specs, err := filepath.Glob("frontend/e2e/*.spec.ts")
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range specs {
		if text, err := os.ReadFile(spec); err != nil {
			t.Fatal(err)
		} else if bytes.Contains(text, []byte("tag: '@screenshot'")) {
			flows.Write(text)
		}
	}
	pictures, err := filepath.Glob("docs/images/*")
	if err != nil || len(pictures) < 10 {
		t.Fatalf("%d pictures: %v", len(pictures), err)
	}
	for _, picture := range pictures {
		info, err := os.Stat(picture)
		if err != nil {
			t.Fatal(err)
		}
		name, kind, most := filepath.Base(picture), filepath.Ext(picture), int64(300<<10)
		if kind == ".webp" { // a film
			most = 2 << 20
		}
		if info.Size() > most {
			t.Errorf("%s has %d KB, of %d", picture, info.Size()>>10, most>>10)
		}
		if !strings.Contains(all.String(), "images/"+name+")") {
			t.Errorf("%s is on no page", picture)
		}
		stem := regexp.QuoteMeta(strings.TrimSuffix(name, kind))
		taken := regexp.MustCompile(`(?:take|picture)\(desk, '` + stem + `'\)|docs/images/` + regexp.QuoteMeta(name) + `'`)
		if kind == ".webp" {
			taken = regexp.MustCompile(`film\.write\('` + stem + `'\)`)
		}
		if !taken.MatchString(flows.String()) {
			t.Errorf("%s is taken by no flow that is tagged @screenshot", picture)
		}
	}
}

// TestPagesNameCommandsThatAreThere: a page that tells to run deskhand WORD names a command of internal/cli, also one
// of a build with a tag. Those behind ./ are run by internal/e2e.
func TestPagesNameCommandsThatAreThere(t *testing.T) {
	sources, err := filepath.Glob("internal/cli/*.go")
	if err != nil {
		t.Fatal(err)
	}
	commands := map[string]bool{}
	declared := regexp.MustCompile("(?m)^\\t(\\w+) +\\w+ +`cmd:\"\"")
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range declared.FindAllSubmatch(text, -1) {
			commands[strings.ToLower(string(m[1]))] = true
		}
	}
	named := 0
	told := regexp.MustCompile("(?:^|[`\\s/])deskhand(?:-host)?" +
		"((?: --(?:data|as|pin-fd|folder) \\S+| --json)*) ([a-z][a-z-]*)")
	code := regexp.MustCompile("(?ms)^```(?:sh|text|console|json)?\n.*?^```$|`deskhand[^`]+`|^    deskhand.*$")
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range code.FindAllString(string(text), -1) {
			for _, m := range told.FindAllStringSubmatch(block, -1) {
				if named++; !commands[m[2]] {
					t.Errorf("%s names deskhand %s, which is no command", page, m[2])
				}
			}
		}
	}
	if len(commands) < 40 || named < 90 {
		t.Errorf("%d commands, named %d times: have they changed their form?", len(commands), named)
	}
}

// TestOneVersionEverywhere compares the version of the program with that of its packages and of the changelog.
func TestOneVersionEverywhere(t *testing.T) {
	said := map[string]string{
		"internal/desk/desk.go":     `(?m)^const Version = "(.+)"$`,
		"wails.json":                `"productVersion": "(.+)"`,
		"frontend/package.json":     `(?m)^  "version": "(.+)"`,
		"frontend/kit/package.json": `(?m)^  "version": "(.+)"`,
		"CHANGELOG.md":              `(?m)^## (\d\S+)`,
	}
	versions := map[string][]string{}
	for file, pattern := range said {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		version := "none"
		if m := regexp.MustCompile(pattern).FindSubmatch(text); m != nil {
			version = string(m[1])
		}
		versions[version] = append(versions[version], file)
	}
	if len(versions) != 1 {
		t.Errorf("the files say different versions: %v", versions)
	}
}

// TestActionsArePinned: a tag of an action can be moved, the hash of a commit cannot.
func TestActionsArePinned(t *testing.T) {
	files, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d workflows: %v", len(files), err)
	}
	uses := regexp.MustCompile(`(?m)\buses: (\S+)(.*)$`)
	pinned := regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40}$`)
	seen := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range uses.FindAllStringSubmatch(string(text), -1) {
			if seen++; strings.HasPrefix(m[1], "./") {
				if _, err := os.Stat(m[1]); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			} else if !pinned.MatchString(m[1]) || !strings.HasPrefix(m[2], " # v") {
				t.Errorf("%s: %s%s: name the commit, and the version in a comment", file, m[1], m[2])
			}
		}
	}
	if seen < 10 {
		t.Errorf("%d actions: has the form of the workflows changed?", seen)
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
