package repo

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// The mutation run changes one place of a package at a time and runs the tests that reach it. All mutants of a target
// are compiled into one test program; the variable MUTANT chooses the one that is active.
var (
	mutate  = flag.String("mutants", "", "run the mutants whose target matches this pattern")
	mutants = flag.String("mutant", "", "of these run those whose name matches this pattern")
	share   = flag.Float64("share", 1, "run this share of the mutants, those of authorise, approve and verify all")
	seed    = flag.String("seed", "1", "chooses which mutants are in the share")
	every   = flag.Bool("every", false, "print each mutant")
	workers = flag.Int("workers", 2, "so many mutants run at once")
)

// A mutationTarget names files that are mutated, and the packages whose tests run.
type mutationTarget struct {
	folder string
	also   []string // packages with further tests
	files  []string // patterns
}

var mutationTargets = []mutationTarget{
	{"bus", nil, []string{"bus/*.go"}},
	{"agent/policy", []string{"agent"}, []string{"agent/policy/*.go"}},
	{"audit", nil, []string{"audit/verify*.go", "audit/write_keys.go", "audit/write_row.go",
		"audit/write_head_cache.go",
		"audit/chain/*.go"}},
	{"internal/keychain", nil, []string{"internal/keychain/*.go"}},
}

// mustDie matches the mutants of which none may live.
var mustDie = regexp.MustCompile(`^(bus/(step_authorize|step_approve|preview|second_approver)\.go |audit/verify|` +
	`agent/policy/\S+ \S*\.(Authorize|SecondApprovers|Approve|ApproveByPIN|admit|given|isRecordedIn|answerable|answer|covers|decide): )`)

// survivors lists the mutants that live, and why: a heading is a reason, each name below it a line of its own.
const survivors = "docs/evidence/mutants.md"

// TestMutantsDie fails for a mutant that lives and is not listed.
func TestMutantsDie(t *testing.T) {
	if *mutate == "" {
		t.Skip("a mutation run takes an hour: make mutants")
	}
	listed, err := os.ReadFile(survivors)
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range mutationTargets {
		if regexp.MustCompile(*mutate).MatchString(target.folder) {
			s := newMutationSuite(t, target)
			s.findReach()
			s.runAll(string(listed))
		}
	}
}

type mutationSuite struct {
	*testing.T
	target   mutationTarget
	programs map[string]testProgram // by folder
	mutants  []mutant
	took     map[mutationTest]time.Duration
	reach    map[int][]mutationTest // tests that reach a mutant, the fastest first
}

type testProgram struct {
	path  string
	flags []string
}

type mutationTest struct{ folder, name string }

// newMutationSuite compiles the test program of a target with its mutants.
func newMutationSuite(t *testing.T, target mutationTarget) *mutationSuite {
	s := &mutationSuite{T: t, target: target, programs: map[string]testProgram{},
		took: map[mutationTest]time.Duration{}, reach: map[int][]mutationTest{}}
	folder, replace := t.TempDir(), map[string]string{}
	for _, dir := range slices.Compact(slices.Sorted(func(yield func(string) bool) {
		for _, f := range target.files {
			if !yield(filepath.Dir(f)) {
				return
			}
		}
	})) {
		texts, list := mutateFolder(t, dir, target.files, len(s.mutants))
		s.mutants = append(s.mutants, list...)
		for name, text := range texts {
			file, err := filepath.Abs(name)
			if err != nil {
				t.Fatal(err)
			}
			replace[file] = filepath.Join(folder, strconv.Itoa(len(replace))+".go")
			if err := os.WriteFile(replace[file], []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(at, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	for i, dir := range append([]string{target.folder}, target.also...) {
		p := testProgram{path: filepath.Join(folder, "tests"+strconv.Itoa(i))}
		build := exec.Command("go", "test", "-c", "-vet=off", "-overlay", at, "-o", p.path, "./"+dir)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%.4000s", err, out)
		}
		if exec.Command(p.path, "-rapid.nofailfile", "-test.list", "^$").Run() == nil {
			p.flags = []string{"-rapid.nofailfile"}
		}
		s.programs[dir] = p
	}
	return s
}

// run runs tests of one folder with one mutant active, none with 0: whether they pass. No mutant may use up the memory.
func (s *mutationSuite) run(mutant int, within time.Duration, folder string, tests []string, env ...string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), within+5*time.Second)
	defer cancel()
	p := s.programs[folder]
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -v 8000000; exec "$0" "$@"`, p.path,
		"-test.short",
		"-test.failfast", "-test.timeout", within.String(), "-test.run", "^(" + strings.Join(tests, "|") + ")$"},
		p.flags...)...)
	cmd.Dir, cmd.Env = folder, append(append(os.Environ(), "MUTANT="+strconv.Itoa(mutant)), env...)
	cmd.WaitDelay = time.Second
	return cmd.Run() == nil
}

// findReach runs each test alone and notes the mutants it reaches.
func (s *mutationSuite) findReach() {
	var all []mutationTest
	for folder, p := range s.programs {
		list := exec.Command(p.path, "-test.list", "^(Test|Example)")
		list.Dir = folder
		out, err := list.Output()
		if err != nil {
			s.Fatal(err)
		}
		for name := range strings.FieldsSeq(string(out)) {
			all = append(all, mutationTest{folder, name})
		}
	}
	var mu sync.Mutex
	each(all, func(test mutationTest) {
		notes := filepath.Join(s.TempDir(), "reached")
		begun := time.Now()
		ok := s.run(0, 10*time.Minute, test.folder, []string{test.name}, "MUTANTS_REACHED="+notes)
		took := time.Since(begun)
		text, _ := os.ReadFile(notes)
		mu.Lock()
		defer mu.Unlock()
		if !ok {
			s.Logf("%s fails without a mutant: left out", test.name)
			return
		}
		s.took[test] = took
		reached := strings.Fields(string(text))
		slices.Sort(reached)
		for _, n := range slices.Compact(reached) {
			if i, err := strconv.Atoi(n); err == nil {
				s.reach[i] = append(s.reach[i], test)
			}
		}
	})
	for _, tests := range s.reach {
		slices.SortFunc(tests, func(a, b mutationTest) int { return cmp.Compare(s.took[a], s.took[b]) })
	}
}

// each does work for each of a list, a few at a time.
func each[T any](list []T, work func(T)) {
	var wg sync.WaitGroup
	next := make(chan T)
	for range *workers {
		wg.Go(func() {
			for x := range next {
				work(x)
			}
		})
	}
	for _, x := range list {
		next <- x
	}
	close(next)
	wg.Wait()
}

func (s *mutationSuite) unreached() (n int) {
	for i := range s.mutants {
		if len(s.reach[i+1]) == 0 {
			n++
		}
	}
	return n
}

// runAll runs the chosen mutants. Each that lives has to be listed.
func (s *mutationSuite) runAll(listed string) {
	var list []int
	for i, m := range s.mutants {
		h := fnv.New32a()
		fmt.Fprint(h, *seed, m.name)
		if len(s.reach[i+1]) > 0 && regexp.MustCompile(*mutants).MatchString(m.name) &&
			(mustDie.MatchString(m.name) || float64(h.Sum32()%1000) < *share*1000) {
			list = append(list, i+1)
		}
	}
	var mu sync.Mutex
	live, must, mustLive := 0, 0, 0
	each(list, func(n int) {
		begun, lives := time.Now(), s.lives(n)
		mu.Lock()
		defer mu.Unlock()
		name := s.mutants[n-1].name
		if *every {
			fmt.Println(map[bool]string{true: "lives", false: "dies"}[lives], name, time.Since(begun))
		}
		if mustDie.MatchString(name) {
			must++
		}
		if !lives {
			return
		}
		live++
		if mustDie.MatchString(name) {
			mustLive++
		}
		if !strings.Contains(listed, "\n- `"+name+"`\n") {
			s.Errorf("lives, and is not listed: %s (%d tests reach it)", name, len(s.reach[n]))
		}
	})
	s.Logf("%s: %d of %d mutants live, %d of the %d of authorise, approve and verify; no test reaches %d of all %d",
		s.target.folder, live, len(list), mustLive, must, s.unreached(), len(s.mutants))
}

// lives runs the fast tests first, then the others. A mutant that hangs is dead.
func (s *mutationSuite) lives(n int) bool {
	var sum time.Duration
	tests := s.reach[n]
	fast := 0
	for fast < len(tests) && (fast == 0 || sum < time.Second) {
		sum += s.took[tests[fast]]
		fast++
	}
	for _, part := range [][]mutationTest{tests[:fast], tests[fast:]} {
		within, names := map[string]time.Duration{}, map[string][]string{}
		for _, test := range part {
			within[test.folder] += 5 * s.took[test]
			names[test.folder] = append(names[test.folder], test.name)
		}
		for folder, list := range names {
			if !s.run(n, 20*time.Second+within[folder], folder, list) {
				return false
			}
		}
	}
	return true
}

// nameOfFunc is a function with its receiver's type.
func nameOfFunc(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if index, ok := of.(*ast.IndexExpr); ok {
		of = index.X
	}
	return fmt.Sprint(of) + "." + f.Name.Name
}
