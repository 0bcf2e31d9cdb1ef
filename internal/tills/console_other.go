//go:build !windows

package tills

import "os/exec"

func hideConsole(*exec.Cmd) {} // there is none
