package peer

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps a Ctrl+C for this process from reaching a child.
func ownGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// endGroup kills a process.
func endGroup(c *exec.Cmd) { _ = c.Process.Kill() } // it may be gone
