package cli

import (
	"context"
	"errors"
	"io"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/mcp"
	"github.com/deskhand/deskhand/shop"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

type mcpCommand struct {
	Serve mcpServeCommand `cmd:"" default:"withargs" help:"Serve a client on standard input and output."`
}

type mcpServeCommand struct {
	Client string `help:"Name of the client, such as claude." required:"" placeholder:"NAME"`
}

// Run serves the client until it closes standard input. Cards are answered elsewhere: nothing is asked here.
func (c mcpServeCommand) Run(t *terminal) error {
	var server *mcp.Server
	o := desk.Options{Door: mcp.Door, PIN: t.givenPIN, OnCard: func(e policy.CardEvent) { server.OnCard(e) }}
	return t.with(o, func(d *desk.Desk) error {
		server = mcp.New(mcp.Options{Bus: d.Bus, Bridge: d.Bridge, Client: c.Client, Core: shop.Core(), Version: desk.Version,
			Who: func(ctx context.Context) (bus.Principal, *bus.Error) { return d.SignedIn(ctx), nil }})
		return server.Run(t.ctx, &sdk.IOTransport{Reader: io.NopCloser(t.In), Writer: unclosed{t.Out}})
	})
}

// unclosed is an output that outlives who writes on it.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// givenPIN reads the PIN of --pin-fd and asks nobody: the terminal, if there is one, is the client's.
func (t *terminal) givenPIN(context.Context, string) (string, error) {
	if t.flags.PINFD > 0 {
		return t.readPIN()
	}
	return "", errors.New("the PIN is read from a file descriptor: deskhand --pin-fd 3 mcp … 3<FILE")
}
