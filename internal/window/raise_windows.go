//go:build desktop || dev

package window

import "context"

// raiseWindow does nothing: a second start opens a window that reports the first one.
func raiseWindow(string) bool { return false }

func onRaise(context.Context, func()) {}
