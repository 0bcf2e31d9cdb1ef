package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/internal/desk"
)

// holdCommand is for internal use: only the window starts it.
type holdCommand struct{}

// Run holds the shop's file until standard input ends. That happens whenever the window's process ends.
func (holdCommand) Run(t *terminal) error {
	ctx, end := context.WithCancel(t.ctx)
	defer end()
	go func() {
		_, _ = io.Copy(io.Discard, t.In) // only its end matters
		end()
	}()
	return audit.Hold(ctx, filepath.Join(t.flags.Data, desk.DatabaseName), func() { fmt.Fprintln(t.Out, "held") })
}
