package cli

import "golang.org/x/sys/windows"

// inherited reports whether the descriptor is a handle of a file, a pipe or a terminal.
func inherited(descriptor int) bool {
	kind, err := windows.GetFileType(windows.Handle(descriptor))
	return err == nil && kind != windows.FILE_TYPE_UNKNOWN
}
