package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"

	"github.com/deskhand/deskhand/internal/filelock"
)

// windowLock is the file in the data folder that the window there has for itself;
// it says which process that is.
const windowLock = "window.lock"

// claimWindow takes a folder's only place for a window, and fails with
// errOpenAlready when there is one.
func claimWindow(folder string) (*os.File, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("the data folder cannot be made: %w", err)
	}
	f, err := filelock.Claim(filepath.Join(folder, windowLock))
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, errOpenAlready
	}
	note := strconv.Itoa(os.Getpid()) + "\n"
	if _, err := f.WriteAt([]byte(note), 0); err == nil {
		err = f.Truncate(int64(len(note)))
		if err != nil {
			slog.Error("which process the window is was not noted", "cause", err)
		}
	}
	return f, nil
}
