// Deskhand is the order desk of a small shop, as a window and as a command line.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/deskhand/deskhand/agent/page"
	"github.com/deskhand/deskhand/internal/cli"
)

func main() {
	cli.CollectLater()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program immediately
	os.Exit(cli.Run(ctx, cli.Process{Args: os.Args[1:], In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr,
		Bind: func(b page.Methods) any { return &App{b} }}))
}
