//go:build !windows

package peer

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a process and its children into a process group, so that they end together and a Ctrl+C for this
// process does not reach them.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup kills a process and its children.
func endGroup(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) } // it may be gone
