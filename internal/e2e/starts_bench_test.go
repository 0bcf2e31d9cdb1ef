package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkStarts starts the command line beside a program that does nothing and links the packages of others that the
// command line links: what it takes to load and initialise them. In each round each is started once. "help/empty" and
// "opens/empty" are ratios of medians, the others milliseconds; "opens" is a command that reads one page of a shop.
// "opens/empty-cpu" is the ratio of the processor time, which other programs on the machine lengthen less.
func BenchmarkStarts(b *testing.B) {
	const round = 15
	folder := b.TempDir()
	build := func(name string, args ...string) string {
		b.Helper()
		program := filepath.Join(folder, name)
		c := exec.Command("go", slices.Concat([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", program}, args)...)
		c.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := c.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		return program
	}
	whole := build("whole", ".")
	empty := build("empty", linksTheSame(b, folder)...)
	shop := filepath.Join(folder, "shop")
	if out, err := exec.Command(whole, "--data", shop, "init", "--sample").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	programs := []struct {
		name string
		args []string
	}{
		{"empty", []string{empty}},
		{"help", []string{whole, "--help"}},
		{"opens", []string{whole, "--data", shop, "invoke", "catalog.search"}},
	}
	took := map[string][]time.Duration{}
	for b.Loop() {
		for range round {
			for _, p := range programs {
				began, c := time.Now(), exec.Command(p.args[0], p.args[1:]...)
				if out, err := c.CombinedOutput(); err != nil {
					b.Fatalf("%s: %v: %s", p.name, err, out)
				}
				took[p.name] = append(took[p.name], time.Since(began))
				cpu := p.name + "-cpu"
				took[cpu] = append(took[cpu], c.ProcessState.UserTime()+c.ProcessState.SystemTime())
			}
		}
	}
	median := func(name string) float64 {
		all := slices.Sorted(slices.Values(took[name]))
		return all[len(all)/2].Seconds() * 1000
	}
	for _, p := range programs {
		b.ReportMetric(median(p.name), p.name+"-ms")
	}
	b.ReportMetric(median("help")/median("empty"), "help/empty")
	b.ReportMetric(median("opens")/median("empty"), "opens/empty")
	b.ReportMetric(median("opens-cpu")/median("empty-cpu"), "opens/empty-cpu")
}

// linksTheSame writes a program that imports what the command line does of other modules, and returns how it is built.
func linksTheSame(b *testing.B, folder string) []string {
	b.Helper()
	list := exec.Command("go", "list", "-deps", "-f", `{{with .Module}}{{if not .Main}}{{$.ImportPath}}{{end}}{{end}}`, ".")
	out, err := list.Output()
	if err != nil {
		b.Fatal(err)
	}
	source := &strings.Builder{}
	source.WriteString("package main\n\nimport (\n")
	for _, path := range strings.Fields(string(out)) {
		if !strings.Contains(path, "/internal/") && !strings.HasSuffix(path, "/internal") {
			fmt.Fprintf(source, "\t_ %q\n", path)
		}
	}
	source.WriteString(")\n\nfunc main() {}\n")
	file, overlay := filepath.Join(folder, "main.go"), filepath.Join(folder, "overlay.json")
	at, err := filepath.Abs(filepath.Join("build", "testdata", "empty", "main.go"))
	if err != nil {
		b.Fatal(err)
	}
	raw, err := json.Marshal(map[string]any{"Replace": map[string]string{at: file}})
	if err != nil {
		b.Fatal(err)
	}
	for name, content := range map[string][]byte{file: []byte(source.String()), overlay: raw} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return []string{"-overlay", overlay, "./build/testdata/empty"}
}
