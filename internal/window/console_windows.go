package window

import (
	"os/exec"
	"syscall"
)

// hideConsole opens no console window for a program that a window starts.
func hideConsole(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{HideWindow: true} }
