//go:build !desktop && !dev && !bindings

package main

import (
	"context"
	"errors"
)

// hasWindow says that this build is the command line alone.
const hasWindow = false

func openWindow(context.Context, string) error {
	return errors.New("this build is the command line and has no window\n" +
		"Build the one with a window: make build   (then run build/bin/deskhand)\n" +
		"See what this one can do: deskhand --help")
}
