package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/mcp"
)

type mcpCommand struct {
	Serve   mcpServeCommand   `cmd:"" default:"withargs" help:"Serve a client on standard input and output."`
	Enrol   mcpEnrolCommand   `cmd:"" help:"Let the assistant of another program work here for you."`
	Clients mcpClientsCommand `cmd:"" help:"List the programs whose assistant may work here."`
	Install mcpInstallCommand `cmd:"" help:"Write how it is started into a program's configuration."`
	End     mcpEndCommand     `cmd:"" help:"End that the assistant of a program may work here."`
}

type mcpServeCommand struct {
	Client string        `help:"Name of the client, such as claude." required:"" placeholder:"NAME"`
	Wait   time.Duration `help:"After how long a call is answered with waiting." default:"45s"`
}

// Run serves the client until it closes standard input. Cards are answered in another program.
func (c mcpServeCommand) Run(t *terminal) error {
	var server *mcp.Server
	o := desk.Options{Door: mcp.Door, OnCard: func(e policy.CardEvent) { server.OnCard(e) }}
	return t.with(o, func(d *desk.Desk) error {
		if _, err := d.Client(t.ctx, c.Client); err != nil {
			return err
		}
		server = mcp.New(mcp.Options{Bus: d.Bus, Bridge: d.Bridge, Client: c.Client, Version: desk.Version,
			Wait: c.Wait, Who: func(ctx context.Context) (bus.Principal, error) { return d.Client(ctx, c.Client) }})
		return server.Run(t.ctx, mcp.Lines(t.In, t.Out))
	})
}

type mcpEnrolCommand struct {
	Name   string   `arg:"" help:"Name of the program, such as claude."`
	Scopes []string `help:"What it may do at most, such as order:read; default: what you may." placeholder:"SCOPE"`
	Days   int      `help:"How long." default:"90"`
}

func (c mcpEnrolCommand) Run(t *terminal) error {
	args := map[string]any{"name": c.Name, "days": c.Days}
	if c.Scopes != nil {
		args["scopes"] = c.Scopes
	}
	return t.forClient("assistant.enrolClient", args, fmt.Sprintf(
		"%s may work here for %d days. It is started with: %s mcp --client %s", c.Name, c.Days, t.self(), c.Name))
}

type mcpEndCommand struct {
	Name string `arg:"" help:"Name of the program."`
}

func (c mcpEndCommand) Run(t *terminal) error {
	return t.forClient("assistant.endClient", map[string]any{"name": c.Name}, c.Name+" may not work here any more.")
}

type mcpClientsCommand struct{}

func (mcpClientsCommand) Run(t *terminal) error {
	return t.with(desk.Options{}, func(d *desk.Desk) error {
		r, err := t.invoke(d, "assistant.clients", struct{}{}, "mcp")
		if err != nil {
			return err
		}
		if t.flags.JSON {
			return t.print(r.Data)
		}
		var out struct {
			Clients []struct {
				Name, Person string
				Scopes       []string
				Until        int64
			}
		}
		if err := json.Unmarshal(r.Data, &out); err != nil {
			return err
		}
		w := tabwriter.NewWriter(t.Out, 0, 4, 2, ' ', 0)
		fmt.Fprintln(w, "CLIENT\tWORKS FOR\tUNTIL\tRIGHTS")
		for _, c := range out.Clients {
			rights := "all of the person's"
			if len(c.Scopes) > 0 {
				rights = strings.Join(c.Scopes, ", ")
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", c.Name, c.Person, clock(c.Until), rights)
		}
		return w.Flush()
	})
}

// forClient runs a capability about a client, and prints the outcome.
func (t *terminal) forClient(capability string, args map[string]any, said string) error {
	return t.with(desk.Options{}, func(d *desk.Desk) error {
		r, err := t.invoke(d, capability, args, "mcp")
		if err != nil {
			return err
		}
		if t.flags.JSON {
			return t.print(r)
		}
		_, err = fmt.Fprintln(t.Out, said)
		return err
	})
}
