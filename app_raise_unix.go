//go:build unix && (desktop || dev || bindings)

package main

import (
	"bytes"
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
)

// raiseSignal asks the process of a window to bring it to the front: a signal needs
// no ear. WebKit keeps SIGUSR1 for itself.
const raiseSignal = syscall.SIGUSR2

// raiseWindow brings the window that is open at a folder to the front; false when it
// could not be told.
func raiseWindow(folder string) bool {
	pid := windowOf(folder)
	return pid > 0 && syscall.Kill(pid, raiseSignal) == nil
}

// onRaise calls raise whenever another start asks for the window, until ctx ends. It
// has to stand before the process is noted as the window's.
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

// windowOf is the process that has the window of a folder; 0 when that is not known.
func windowOf(folder string) int {
	raw, err := os.ReadFile(filepath.Join(folder, windowLock))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(string(bytes.TrimSpace(raw)))
	if err != nil || pid == os.Getpid() {
		return 0
	}
	return pid
}
