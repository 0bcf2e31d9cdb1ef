//go:build desktop || dev || bindings

package main

import "context"

// raiseWindow does nothing: a second start says in a window of its own that there is
// one already.
func raiseWindow(string) bool { return false }

func onRaise(context.Context, func()) {}
