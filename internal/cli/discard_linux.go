package cli

import "golang.org/x/sys/unix"

// keepsBegun reports whether a running read keeps the beginning of a discarded line.
const keepsBegun = false

// discardInput discards the unread input of a terminal.
func discardInput(fd uintptr) error { return unix.IoctlSetInt(int(fd), unix.TCFLSH, unix.TCIFLUSH) }
