package window

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"

	"github.com/deskhand/deskhand/internal/atomicfile"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/filelock"
)

// lockName is the file in the data folder that the open window locks. It contains the id of its process.
const lockName = "window.lock"

// instance is the only window on a folder. The desk is opened after the folder was claimed.
type instance struct {
	folder string
	lock   *os.File // nil until claimed
}

// claim locks the folder for this window. It returns [desk.ErrWindowOpen] if another window has it.
func (i *instance) claim() (err error) {
	if i.lock == nil {
		i.lock, err = claimFolder(i.folder)
	}
	return err
}

func (i *instance) open(ctx context.Context, o desk.Options) (*desk.Desk, error) {
	if err := i.claim(); err != nil {
		return nil, err
	}
	return desk.Open(ctx, o)
}

func (i *instance) release() {
	if i.lock != nil {
		_ = i.lock.Close()
	}
}

func claimFolder(folder string) (*os.File, error) {
	if err := atomicfile.MkdirAll(folder); err != nil {
		return nil, fmt.Errorf("the data folder cannot be made: %w", err)
	}
	f, err := filelock.Claim(filepath.Join(folder, lockName))
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, desk.ErrWindowOpen
	}
	pid := strconv.Itoa(os.Getpid()) + "\n"
	if _, err := f.WriteAt([]byte(pid), 0); err == nil {
		if err = f.Truncate(int64(len(pid))); err != nil {
			slog.Error("Could not write the process id of the window.", "cause", err)
		}
	}
	return f, nil
}
