//go:build unix && (desktop || dev)

package window

import (
	"bytes"
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
)

// raiseSignal asks the process of a window to bring it to the front, without a socket. WebKit uses SIGUSR1 itself.
const raiseSignal = syscall.SIGUSR2

// raiseWindow brings the open window of a folder to the front. It returns false if it cannot signal the process.
func raiseWindow(folder string) bool {
	pid := processOf(folder)
	return pid > 0 && syscall.Kill(pid, raiseSignal) == nil
}

// onRaise calls raise whenever another start asks for the window, until ctx ends.
func onRaise(ctx context.Context, raise func()) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, raiseSignal)
	go func() {
		defer signal.Stop(asked)
		for {
			select {
			case <-ctx.Done():
				return
			case <-asked:
				raise()
			}
		}
	}()
}

// processOf returns the process of the window of a folder, or 0 if unknown.
func processOf(folder string) int {
	raw, err := os.ReadFile(filepath.Join(folder, lockName))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(string(bytes.TrimSpace(raw)))
	if err != nil || pid == os.Getpid() {
		return 0
	}
	return pid
}
