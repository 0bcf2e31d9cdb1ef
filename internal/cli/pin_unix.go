//go:build !windows

package cli

import "golang.org/x/sys/unix"

// inherited reports whether another program opened the descriptor for this one. Files that Go opens have the flag.
func inherited(descriptor int) bool {
	flags, err := unix.FcntlInt(uintptr(descriptor), unix.F_GETFD, 0)
	return err == nil && flags&unix.FD_CLOEXEC == 0
}
