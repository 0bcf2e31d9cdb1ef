//go:build linux

package faulttest_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/internal/faulttest"
)

// TestACutKeepsWhatWasSyncedBefore writes a file, syncs it in part, and gives it another name, as strace shows it: one
// call begins before another ends.
func TestACutKeepsWhatWasSyncedBefore(t *testing.T) {
	root := t.TempDir()
	x := func(text string) string { // as strace -xx
		var b strings.Builder
		for _, c := range []byte(text) {
			fmt.Fprintf(&b, `\x%02x`, c)
		}
		return b.String()
	}
	file, folder := x(filepath.Join(root, "new")), x(root)
	lines := []string{
		`7 openat(AT_FDCWD<` + folder + `>, "` + file + `", O_RDWR|O_CREAT, 0600) = 3<` + file + `>`,
		`7 write(3<` + file + `>, "` + x("first ") + `", 6) = 6`,
		`7 fsync(3<` + file + `> <unfinished ...>`,
		`8 pwrite64(3<` + file + `>, "` + x("second") + `", 6, 6) = 6`,
		`7 <... fsync resumed>) = 0`,
		`7 rename("` + file + `", "` + x(filepath.Join(root, "kept")) + `") = 0`,
		`7 fsync(4<` + folder + `>) = 0`,
		`7 write(1<` + x("pipe:[1]") + `>, "` + x("done") + `", 4) = 4`,
		`7 unlink("` + x(filepath.Join(root, "kept")) + `") = 0`,
	}
	trace := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(trace, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	events, err := faulttest.ReadTrace(trace, root)
	if err != nil {
		t.Fatal(err)
	}
	want := []map[faulttest.Mode]string{ // after each event
		{faulttest.Nothing: "", faulttest.Names: "new=", faulttest.All: "new="},
		{faulttest.Nothing: "", faulttest.Names: "new=", faulttest.All: "new=first "},
		{faulttest.All: "new=first second"},
		{faulttest.Nothing: "", faulttest.Names: "new=first ", faulttest.Holes: "|new=first |new=first \x00\x00\x00\x00\x00\x00"},
		{faulttest.Nothing: "", faulttest.Names: "kept=first ", faulttest.All: "kept=first second"},
		{faulttest.Nothing: "kept=first ", faulttest.All: "kept=first second"},
		{faulttest.Nothing: "kept=first "},
		{faulttest.Nothing: "kept=first ", faulttest.Names: "", faulttest.All: ""},
	}
	if len(events) != len(want) {
		t.Fatalf("%d events: %+v", len(events), events)
	}
	d, err := faulttest.NewDisk(root)
	if err != nil {
		t.Fatal(err)
	}
	for i := range events {
		d.Step(&events[i])
		for mode, state := range want[i] {
			got := ""
			s := d.Cut(mode, rand.New(rand.NewPCG(1, 2)))
			for _, path := range slices.Sorted(maps.Keys(s)) {
				if path != "." {
					got += path + "=" + string(s[path])
				}
			}
			if mode == faulttest.Holes { // whether the name is there is chance
				if !slices.Contains(strings.Split(state, "|"), got) {
					t.Errorf("after event %d, %s: %q", i, mode, got)
				}
			} else if got != state {
				t.Errorf("after event %d, %s: %q, want %q", i, mode, got, state)
			}
		}
	}
	if all := d.Differences(); len(all) > 0 {
		t.Error(all)
	}
}
