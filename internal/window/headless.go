//go:build !desktop && !dev

// Package window opens the window. This build has none.
package window

import (
	"context"
	"errors"

	"github.com/deskhand/deskhand/agent/page"
)

// Available reports whether this build can open a window.
const Available = false

// Open returns an error: this build has no window.
func Open(context.Context, string, func(page.Methods) any) error {
	return errors.New("this build is the command line and has no window\n" +
		"Build the one with a window: make build   (then run build/bin/deskhand)\n" +
		"See what this one can do: deskhand --help")
}
