//go:build !windows

package peer

import (
	"os/exec"
	"syscall"
)

// ownGroup has a process and what it starts ended together, and not by a Ctrl+C that is meant for this one.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup ends a process and what it started.
func endGroup(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) } // it may be gone
