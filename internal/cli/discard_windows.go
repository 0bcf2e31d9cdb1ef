package cli

import "golang.org/x/sys/windows"

// keepsBegun reports whether a running read keeps the beginning of a discarded line. The console's line editor does.
const keepsBegun = true

// discardInput discards the unread input of a console.
func discardInput(fd uintptr) error { return windows.FlushConsoleInputBuffer(windows.Handle(fd)) }
