//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package cli

import "golang.org/x/sys/unix"

// keepsBegun reports whether a running read keeps the beginning of a discarded line.
const keepsBegun = false

// discardInput discards the unread input of a terminal.
func discardInput(fd uintptr) error {
	return unix.IoctlSetPointerInt(int(fd), unix.TIOCFLUSH, unix.TCIFLUSH)
}
