//go:build soak

package audit_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEverySystemCallMayFailOnce lets a program that writes a few invocations
// meet an I/O error, a full disk or its death at each single call by which it
// changes files, one run for each. It needs strace and takes minutes: it is
// built with the tag soak.
func TestEverySystemCallMayFailOnce(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Fatal("there is no strace here, so no fault can be injected: install it")
	}
	for _, call := range []string{"pwrite64", "fsync", "fdatasync", "ftruncate", "unlink,unlinkat", "rename,renameat"} {
		for _, fault := range []string{"error=EIO", "error=ENOSPC", "signal=SIGKILL"} {
			t.Run(call+" "+fault, func(t *testing.T) {
				met := 0
				for n, quiet := 1, 0; quiet < 3; n++ {
					if faulty(t, strace, fmt.Sprintf("inject=%s:%s:when=%d", call, fault, n)) {
						met, quiet = met+1, 0
					} else {
						quiet++
					}
				}
				t.Logf("met %d faults", met)
			})
		}
	}
}

// faulty runs one program to its end and checks what it left. It reports whether
// it met the fault.
func faulty(t *testing.T, strace, inject string) bool {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.db")
	trace := filepath.Join(t.TempDir(), "trace")
	self, err := os.Executable()
	must(t, err)
	cmd := exec.Command(strace, "-f", "-q", "-o", trace, "-e", "trace="+injected(inject), "-e", inject, self)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|f|5", childVariable, path))
	out, err := cmd.Output() // a program that gave up or was killed ends with an error
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	acknowledged := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		acknowledged[strings.TrimSpace(line)] = true
	}
	nothingLost(t, path, acknowledged)
	calls, err := os.ReadFile(trace)
	must(t, err)
	return bytes.Contains(calls, []byte("(INJECTED)")) || bytes.Contains(calls, []byte("killed by SIGKILL"))
}

// injected are the calls that an injection names.
func injected(inject string) string {
	calls, _, _ := strings.Cut(strings.TrimPrefix(inject, "inject="), ":")
	return calls
}
