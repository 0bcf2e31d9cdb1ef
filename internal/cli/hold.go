package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/internal/desk"
)

// holdCommand is what the window starts: nobody else calls it.
type holdCommand struct{}

// Run holds the shop's file until standard input ends, which it does with the window however that ends.
func (holdCommand) Run(t *terminal) error {
	ctx, end := context.WithCancel(t.ctx)
	defer end()
	go func() {
		_, _ = io.Copy(io.Discard, t.In) // its end is all that counts
		end()
	}()
	return audit.Hold(ctx, filepath.Join(t.flags.Data, desk.DatabaseName), func() { fmt.Fprintln(t.Out, "held") })
}
