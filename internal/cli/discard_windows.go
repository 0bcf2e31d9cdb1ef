package cli

import "golang.org/x/sys/windows"

// keepsBegun reports whether a read under way keeps the begin of a line that was discarded: the console's line editor
// does.
const keepsBegun = true

// discardInput discards the unread input of a console.
func discardInput(fd uintptr) error { return windows.FlushConsoleInputBuffer(windows.Handle(fd)) }
