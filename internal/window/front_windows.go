//go:build desktop || dev

package window

import (
	"context"
	"os"

	"golang.org/x/sys/windows"
)

func watchFront() {}

// isBehind reports whether the window with the keyboard is of another program.
func isBehind(context.Context) bool {
	var process uint32
	_, err := windows.GetWindowThreadProcessId(windows.GetForegroundWindow(), &process)
	return err != nil || int(process) != os.Getpid()
}

// urge does nothing: a notification marks the window.
func urge(bool) {}
