//go:build !windows

package window

import "os/exec"

func hideConsole(*exec.Cmd) {} // there is none
