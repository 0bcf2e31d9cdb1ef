// Command transcripts plays the transcripts in its folder testdata with a program that speaks the wire shape of the bus
// on standard input and output, and prints the answers that differ:
//
//	go run ./bus/bustest/transcripts -core -- node bus.js
//
// Without a program it plays them with package bus, but for those of hashes.
package main

import (
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus/bustest/transcript"
)

//go:embed testdata/*.jsonl
var embedded embed.FS

func main() {
	core := flag.Bool("core", false, "only those marked core")
	only := flag.String("run", "", "only those whose file and name match this pattern")
	list := flag.Bool("list", false, "count them by file instead")
	flag.Parse()
	if err := run(*core, *only, *list, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(core bool, only string, list bool, program []string) error {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	files, err := fs.Sub(embedded, "testdata")
	if err != nil {
		return err
	}
	cases, err := transcript.Read(files)
	if err != nil {
		return err
	}
	cases = slices.DeleteFunc(cases, func(c transcript.Case) bool {
		hash := len(program) == 0 && !list && strings.Contains(c.File, "hash") // package chain plays them
		return hash || core && !c.Core || !pattern.MatchString(c.File+" "+c.Name)
	})
	if list {
		count(cases)
		return nil
	}
	to, from, end, err := start(program)
	if err != nil {
		return err
	}
	failed := 0
	p := transcript.NewPlayer(to, from)
	for i := range cases {
		differs, err := p.Play(&cases[i])
		if err != nil {
			return errors.Join(fmt.Errorf("%s: %s: %w", cases[i].File, cases[i].Name, err), end())
		}
		if differs != "" {
			failed++
			fmt.Printf("FAIL %s: %s\n", cases[i].Name, differs)
		}
	}
	if err := end(); err != nil {
		return err
	}
	fmt.Printf("%d transcripts, %d failed\n", len(cases), failed)
	if failed > 0 {
		return errors.New("the program answers otherwise")
	}
	return nil
}

// start starts a program; end closes its input and waits.
func start(program []string) (to io.Writer, from io.Reader, end func() error, err error) {
	if len(program) == 0 {
		in, to := io.Pipe()
		from, out := io.Pipe()
		go func() { _ = out.CloseWithError(transcript.Serve(in, out, nil)) }()
		return to, from, to.Close, nil
	}
	cmd := exec.Command(program[0], program[1:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, nil, err
	}
	return in, out, func() error { return errors.Join(in.Close(), cmd.Wait()) }, cmd.Start()
}

func count(cases []transcript.Case) {
	all, core := map[string]int{}, map[string]int{}
	for _, c := range cases {
		all[c.File]++
		if c.Core {
			core[c.File]++
		}
	}
	for _, file := range slices.Sorted(maps.Keys(all)) {
		fmt.Printf("%-30s %4d, core %4d\n", file, all[file], core[file])
	}
}
