package repo

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/deskhand/deskhand"

// imports lists, per package of ours, what it imports outside tests.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-tags", "desktop", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`,
		"./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	list := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		list[strings.TrimPrefix(strings.TrimPrefix(fields[0], module), "/")] = fields[1:]
	}
	return list
}

// room is the room that a package lies in: its top-level folder, or its folder in internal; "" is main.
func room(pkg string) string {
	first, rest, _ := strings.Cut(pkg, "/")
	if first != "internal" {
		return first
	}
	second, _, _ := strings.Cut(rest, "/")
	return first + "/" + second
}

// mayImport lists, for each room, the other rooms that it may import.
var mayImport = map[string][]string{
	"bus": {"internal/fieldtag", "internal/jsondepth", "internal/jsonpointer", "internal/sentence", "internal/titles",
		"internal/userinfo", "internal/mailaddress"},
	"audit": {"bus", "internal/atomicfile", "internal/filelock", "internal/filewatch", "internal/histogram",
		"internal/jsondepth", "internal/period", "internal/spreadsheet", "internal/sqllex"},
	"agent": {"bus", "audit", "internal/fieldtag", "internal/jsondepth", "internal/jsonpointer", "internal/period",
		"internal/number", "internal/titles", "internal/userinfo", "internal/currencies"},
	"shop": {"bus", "audit", "internal/jsonpointer", "internal/number", "internal/period", "internal/spreadsheet", "internal/currencies", "internal/mailaddress"},
	"docs": {"bus", "audit", "agent"}, // examples of other applications

	// Leaves: each knows one thing of the outside world.
	"internal/atomicfile":   {},
	"internal/fieldtag":     {},
	"internal/filelock":     {},
	"internal/faulttest":    {},
	"internal/natstest":     {},
	"internal/reckonertest": {},
	"internal/filewatch":    {},
	"internal/histogram":    {},
	"internal/jsondepth":    {},
	"internal/jsonpointer":  {},
	"internal/spreadsheet":  {},
	"internal/sqllex":       {},
	"internal/number":       {},
	"internal/currencies":   {},
	"internal/mailaddress":  {},
	"internal/period":       {},
	"internal/sentence":     {},
	"internal/titles":       {},
	"internal/userinfo":     {},
	"internal/fonts":        {},
	"internal/drafts":       {"bus", "audit", "internal/atomicfile"},
	"internal/peers":        {"bus", "audit", "internal/keychain"},
	"internal/tills":        {"bus", "audit", "internal/filelock", "internal/atomicfile"},
	"internal/smtp":         {"bus", "shop"},
	"internal/webhook":      {"bus", "shop"},
	"internal/files":        {"bus", "audit", "shop", "internal/atomicfile"},
	"internal/keychain":     {"bus", "audit", "shop"},

	"internal/desk": {"bus", "audit", "agent", "shop", "internal/drafts", "internal/filelock", "internal/files",
		"internal/fonts", "internal/keychain", "internal/peers", "internal/smtp", "internal/tills",
		"internal/webhook", "internal/atomicfile"},
	"internal/cases": {"bus", "audit", "agent", "internal/desk"},
	"internal/till":  {"bus", "agent", "internal/keychain", "internal/tills", "internal/atomicfile"},
	"internal/host": {"bus", "agent", "audit", "internal/desk", "internal/keychain", "internal/till",
		"internal/tills"},
	"internal/office": {"bus", "audit", "agent"},
	"internal/window": {"bus", "agent", "frontend", "internal/desk", "internal/filelock", "internal/keychain",
		"internal/office", "internal/till", "internal/tills", "internal/atomicfile"},
	"internal/cli": {"bus", "audit", "agent", "shop", "internal/desk", "internal/jsonpointer", "internal/keychain",
		"internal/cases",
		"internal/host", "internal/mcp", "internal/peers", "internal/till", "internal/tills", "internal/userinfo",
		"internal/window", "internal/atomicfile"},
	"internal/mcp": {"bus", "agent", "internal/jsondepth", "internal/jsonpointer"},
	"internal/gen": {"bus", "audit", "shop", "internal/desk", "internal/office", "internal/sentence"},

	"frontend": {},
	"":         {"agent", "internal/cli", "internal/desk"},
}

// natsbus is the package that carries links over NATS: who does not import it does not pay for it. A till dials with it,
// and a host, of which the program has a build of its own, has the server too.
const natsbus = "bus/remote/natsbus"

// archive publishes logs over NATS and keeps them: in the same build. A window reads what was kept.
const archive = "audit/archive"

// natstest starts servers for the tests of both.
const natstest = "internal/natstest"

var knowsNATS = []string{natsbus, archive, natstest, "internal/till", "internal/host"}

// isForTests reports whether a package, or one around it, is for tests.
func isForTests(pkg string) bool { return strings.Contains(pkg+"/", "test/") }

// holds: A15
func TestWhoMayImportWhom(t *testing.T) {
	for pkg, list := range imports(t) {
		allowed, known := mayImport[room(pkg)]
		if !known && len(list) > 0 {
			t.Errorf("package %q is in no known room", pkg)
		}
		for _, imported := range list {
			ours, isOurs := strings.CutPrefix(imported, module+"/")
			switch {
			case isOurs && room(ours) != room(pkg) && !slices.Contains(allowed, room(ours)):
				t.Errorf("%q must not import %q", pkg, imported)
			case isOurs && isForTests(ours) && !isForTests(pkg):
				t.Errorf("%q imports %q, which is for tests", pkg, imported)
			case strings.Contains(imported, "wailsapp/wails") && pkg != "internal/window" && !strings.HasPrefix(pkg, "build/"):
				t.Errorf("only internal/window may know Wails, not %q", pkg)
			case strings.HasPrefix(imported, "modernc.org/sqlite") && room(pkg) != "audit":
				t.Errorf("only audit may open the database, not %q", pkg)
			case strings.HasPrefix(imported, "github.com/nats-io/") && !slices.Contains(knowsNATS, pkg):
				t.Errorf("only %q may know NATS, not %q", knowsNATS, pkg)
			case strings.HasPrefix(imported, "github.com/nats-io/nats-server/") && pkg != "internal/host" &&
				pkg != natstest:
				t.Errorf("only internal/host may have a NATS server, not %q", pkg)
			case ours == archive && pkg != "internal/office":
				t.Errorf("%q imports %s, which only a build of its own may", pkg, archive)
			case ours == natsbus && !slices.Contains(knowsNATS, pkg):
				t.Errorf("%q imports %s, which only %q may", pkg, natsbus, knowsNATS)
			}
		}
	}
}

// TestTheRootHoldsTwoGoFiles: a command line or a window starts, and the methods the page can call.
func TestTheRootHoldsTwoGoFiles(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || !slices.Equal(files, []string{"app.go", "main.go"}) {
		t.Errorf("%v %v", files, err)
	}
}

// holds: C14
func TestHandlersReachNothingOutside(t *testing.T) {
	for pkg, list := range imports(t) {
		if room(pkg) != "shop" {
			continue
		}
		for _, imported := range list {
			if imported == "os" || imported == "net" || strings.HasPrefix(imported, "net/") ||
				strings.HasPrefix(imported, "os/") || imported == "math/rand" {
				t.Errorf("%q imports %q: handlers get the outside world as ports", pkg, imported)
			}
		}
	}
}

// holds: A15
func TestBusDependsOnNoDatabaseNoWindowNoModel(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./bus").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		dep := strings.TrimSpace(line)
		for _, bad := range []string{"database/sql", "sqlite", "wails", "openai", "net/http"} {
			if dep == bad || (bad != "database/sql" && strings.Contains(dep, bad)) {
				t.Errorf("bus depends on %s", dep)
			}
		}
	}
}

// TestNothingReadsTheClockBehindOurBack keeps time, ids and randomness injected:
// the calls below may only be defaults (in an "if … == nil") or in main.
func TestNothingReadsTheClockBehindOurBack(t *testing.T) {
	for _, dir := range []string{"bus", "audit", "agent", "shop"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				sel, ok := call.Fun.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "time" && (sel.Sel.Name == "Now" || sel.Sel.Name == "Since") {
					t.Errorf("%s calls time.%s", set.Position(call.Pos()), sel.Sel.Name)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestFilesAreReplacedInOnePlace: a file that is renamed or written without a sync may be empty, or have no name,
// after a power cut.
func TestFilesAreReplacedInOnePlace(t *testing.T) {
	out, err := exec.Command("git", "grep", "-nE", `os\.(Rename|WriteFile)\(`, "--", "*.go", ":!*_test.go", ":!docs",
		":!build", ":!internal/gen", ":!internal/atomicfile", ":!internal/faulttest", ":!internal/cli/gen.go").
		Output() // those write code, or are for tests
	if len(out) > 0 {
		t.Errorf("use internal/atomicfile:\n%s", out)
	} else if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Error(err)
	}
}
