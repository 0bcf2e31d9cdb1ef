// Deskhand is the order desk of a small shop: a window, and the same program as a command line.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"github.com/deskhand/deskhand/agent/page"
	"github.com/deskhand/deskhand/internal/cli"
)

func main() {
	collectLater()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(cli.Run(ctx, cli.Process{Args: os.Args[1:], In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr,
		Bind: func(b page.Methods) any { return &App{b} }}))
}

// collectLater has the garbage collector begin when the program uses 64 MB, and go on as usual from then on: a command
// that opens a shop, does one thing and ends needs less, and would collect nine times.
func collectLater() {
	const begins = 64 << 20
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(-1)
	if limit > begins {
		debug.SetMemoryLimit(begins)
	}
	first := &struct{ *int }{} // is gone with the first collection
	runtime.SetFinalizer(first, func(any) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
}
