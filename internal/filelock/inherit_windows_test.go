package filelock

import (
	"os"
	"testing"
)

// inherit does nothing: a child process gets no copies of files on Windows.
func inherit(*testing.T, *os.File) {}
