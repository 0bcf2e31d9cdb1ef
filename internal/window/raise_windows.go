//go:build desktop || dev

package window

import "context"

// raiseWindow does nothing: a second start shows in a window of its own that one is open.
func raiseWindow(string) bool { return false }

func onRaise(context.Context, func()) {}
