//go:build unix

package filelock

import (
	"os"
	"syscall"
	"testing"
)

// inherit keeps a copy of an open file, as a child process does, until the test ends.
func inherit(t *testing.T, f *os.File) {
	t.Helper()
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(fd) })
}
