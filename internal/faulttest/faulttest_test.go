//go:build linux && amd64

package faulttest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/deskhand/deskhand/internal/faulttest"
)

// childVariable makes the test binary a program that writes ten lines, each from
// a thread of its own, and stops at the first error.
const childVariable = "FAULTTEST_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		os.Exit(child(path))
	}
	os.Exit(m.Run())
}

func child(path string) (code int) {
	f, err := os.Create(path)
	if err != nil {
		return 3
	}
	var turns sync.WaitGroup
	for range 10 {
		turns.Go(func() {
			runtime.LockOSThread()
			if _, err := f.WriteString("line\n"); err != nil {
				code = 4
			}
		})
		turns.Wait()
	}
	if code == 0 && f.Sync() != nil {
		code = 5
	}
	return code
}

func run(t *testing.T, f faulttest.Fault) (faulttest.Report, int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "lines")
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childVariable+"="+path)
	p, err := faulttest.Start(cmd, f)
	if err != nil {
		t.Fatal(err)
	}
	report := p.Wait()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return report, strings.Count(string(text), "line\n")
}

func TestFaultIsMetByTheOneCallItNames(t *testing.T) {
	for _, c := range []struct {
		outcome string
		fault   faulttest.Fault
		met     bool
		lines   int
		ends    string
	}{
		{"nothing", faulttest.Fault{Calls: faulttest.Writes}, false, 10, ""},
		{"an error at the fourth write", faulttest.Fault{Calls: faulttest.Writes, Nth: 4, Err: syscall.EIO}, true,
			9, "exit status 4"},
		{"death before the fourth write", faulttest.Fault{Calls: faulttest.Writes, Nth: 4}, true, 3, "killed by killed"},
		{"a full disk at the sync", faulttest.Fault{Calls: faulttest.Syncs, Nth: 1, Err: syscall.ENOSPC}, true, 10,
			"exit status 5"},
		{"a sync that is not made", faulttest.Fault{Calls: faulttest.Syncs, Nth: 2}, false, 10, ""},
	} {
		report, lines := run(t, c.fault)
		ends := ""
		if report.Err != nil {
			ends = report.Err.Error()
		}
		if report.Met != c.met || lines != c.lines || ends != c.ends || c.met && report.Where != "lines" {
			t.Errorf("%s: %+v with %d lines", c.outcome, report, lines)
		}
	}
}
