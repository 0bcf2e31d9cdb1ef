//go:build desktop || dev

package window

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"sync"

	"github.com/deskhand/deskhand/internal/desk"
)

// holder lets another process hold the shop's file, from the first file dialog to the end of the window. On Linux the
// dialog belongs to this process and reads the files of its folder, which releases the locks on them: see audit.Hold.
// On other systems the dialog is separate, or locks are not lost in this way.
type holder struct {
	folder string

	mu    sync.Mutex
	input io.Closer // of the process; nil if there is none
}

// hold returns when the file is held.
func (h *holder) hold() error {
	if goruntime.GOOS != "linux" {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, err := os.Stat(filepath.Join(h.folder, desk.DatabaseName)); h.input != nil || errors.Is(err, fs.ErrNotExist) {
		return nil // it is held, or there is no shop so far
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	process := exec.Command(self, "--data", h.folder, "hold")
	input, bad := process.StdinPipe()
	output, err := process.StdoutPipe()
	if err := errors.Join(bad, err, process.Start()); err != nil {
		return err
	}
	if _, err := bufio.NewReader(output).ReadString('\n'); err != nil {
		return errors.Join(fmt.Errorf("the shop's file is not held: %w", err), input.Close(), process.Wait())
	}
	h.input = input
	go func() {
		_ = process.Wait() // afterwards it holds nothing
		h.mu.Lock()
		h.input = nil
		h.mu.Unlock()
	}()
	return nil
}

// release ends the process.
func (h *holder) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.input != nil {
		_ = h.input.Close()
	}
}
