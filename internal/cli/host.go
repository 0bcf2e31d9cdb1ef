//go:build host

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/host"
	"github.com/deskhand/deskhand/internal/keychain"
	"github.com/deskhand/deskhand/internal/tills"
)

// hostCommands holds the commands of the build that serves tills.
type hostCommands struct {
	Host  hostCommand  `cmd:"" help:"Serve the shop to tills: windows on other computers."`
	Pair  pairCommand  `cmd:"" help:"Make a code for a till, and let it in."`
	Tills tillsCommand `cmd:"" help:"The windows on other computers that work here."`

	Archive archiveCommand `cmd:"" help:"Keep the audit logs of many shops."`
}

type hostCommand struct {
	Listen string `help:"${hostListen}" default:"127.0.0.1:4222" placeholder:"ADDR"`

	NATS   string  `help:"${hostNATS}" name:"nats" placeholder:"ADDR"`
	NATSAt servers `embed:"" prefix:"nats-"`

	Attached bool `hidden:"" help:"End when standard input ends: the window starts it so."`

	Publish string  `help:"Publish the audit log to an archive, by the NATS servers there." placeholder:"URL"`
	Shop    string  `help:"Name of the shop in the archive." placeholder:"NAME"`
	At      cluster `embed:"" prefix:"publish-"`
}

// Run serves until it is interrupted, or standard input ends if a window started it. With --json it prints one line.
func (c hostCommand) Run(t *terminal) error {
	o := desk.Options{Heads: keychain.Heads(t.flags.Data)}
	publish, err := c.publisher(t)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(t.ctx)
	defer cancel()
	if c.Attached {
		go func() {
			_, _ = io.Copy(io.Discard, t.In) // only its end matters
			cancel()
		}()
	}
	h, err := host.Open(ctx, host.Options{Folder: t.flags.Data, Listen: c.Listen, NATS: c.NATS,
		Connect: c.NATSAt.options(), Secrets: keychain.New(t.flags.Data), Desk: o})
	if err != nil && t.flags.JSON {
		return errors.Join(t.print(tills.NotStarted(err)), err)
	}
	if err != nil {
		return err
	}
	defer h.Close()
	end := publish(ctx, h.Log())
	defer end()
	if t.flags.JSON {
		if err := t.print(tills.Started{Address: h.Address()}); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(t.Out, "Tills are served at %s. To let one in: %s pair\nEnd with Ctrl+C.\n",
			h.Address(), t.command("deskhand-host"))
	}
	<-ctx.Done()
	return nil
}

type pairCommand struct{}

// Run prints a code, and asks about each till that uses it, until the code expires. With --json it only prints the
// code: deskhand-host tills add lets the till in.
func (pairCommand) Run(t *terminal) error {
	return t.with(desk.Options{}, func(d *desk.Desk) error {
		r, err := t.invoke(d, "till.pair", struct{}{}, "pair")
		if err != nil {
			return err
		}
		var made struct {
			Code  string
			Until int64
		}
		if err := r.Decode(&made); err != nil {
			return err
		}
		if t.flags.JSON {
			return t.print(map[string]string{"code": made.Code})
		}
		fmt.Fprintf(t.Out, "On the other computer, within ten minutes, in the window at Join a shop:\n\n   %s\n\n"+
			"In a terminal: deskhand join %s\n\n", made.Code, made.Code)
		ctx, cancel := context.WithDeadline(t.ctx, time.UnixMilli(made.Until))
		defer cancel()
		ended := false
		asks := &cardReader{t: t, in: newLines(t.In), out: t.Out, ended: func() { ended = true }}
		for {
			all, err := tillsOf(t, d)
			if err != nil {
				return err
			}
			for _, one := range all {
				if !one.Asks {
					continue
				}
				fmt.Fprintf(t.Out, "%s asks to work here. Its key: %s\n", one.Name, one.ID)
				does, said := "till.remove", "was not let in"
				switch {
				case asks.agrees(ctx, "Is that what the other computer shows?"):
					does, said = "till.add", "is let in"
				case ended || ctx.Err() != nil: // it was not refused
					return fmt.Errorf("no answer came; let it in with: deskhand-host tills add %s", one.ID)
				}
				if _, err := t.invoke(d, does, map[string]string{"till": one.ID}, "pair"); err != nil {
					return err
				}
				_, err = fmt.Fprintf(t.Out, "%s %s.\n", one.Name, said)
				return err
			}
			select {
			case <-time.After(200 * time.Millisecond):
			case <-ctx.Done():
				return errors.New("no till came with the code; make a new one: deskhand-host pair")
			}
		}
	})
}

type tillsCommand struct {
	List   tillsListCommand   `cmd:"" default:"1" help:"List them."`
	Add    tillsAddCommand    `cmd:"" help:"Let one in that asks."`
	Remove tillsRemoveCommand `cmd:"" help:"Remove one: it is refused at once."`
}

type tillsListCommand struct{}

func (tillsListCommand) Run(t *terminal) error {
	return t.with(desk.Options{}, func(d *desk.Desk) error {
		all, err := tillsOf(t, d)
		if err != nil {
			return err
		}
		if t.flags.JSON {
			return t.print(map[string]any{"tills": all})
		}
		for _, one := range all {
			state := "works here"
			if one.Asks {
				state = "asks to work here"
			}
			fmt.Fprintf(t.Out, "%s %s, key %s\n", one.Name, state, one.ID)
		}
		if len(all) == 0 {
			fmt.Fprintln(t.Out, "There are no tills.")
		}
		return nil
	})
}

type tillsAddCommand struct {
	Till string `arg:"" help:"Its name, or its key."`
}

func (c tillsAddCommand) Run(t *terminal) error {
	return changeTill(t, "till.add", c.Till, "is let in")
}

type tillsRemoveCommand struct {
	Till string `arg:"" help:"Its name, or its key."`
}

func (c tillsRemoveCommand) Run(t *terminal) error {
	return changeTill(t, "till.remove", c.Till, "is removed")
}

func changeTill(t *terminal, capability, named, said string) error {
	return t.with(desk.Options{}, func(d *desk.Desk) error {
		all, err := tillsOf(t, d)
		if err != nil {
			return err
		}
		for _, one := range all {
			if one.Name != named && one.ID != named {
				continue
			}
			if _, err := t.invoke(d, capability, map[string]string{"till": one.ID}, "tills"); err != nil {
				return err
			}
			_, err := fmt.Fprintf(t.Out, "%s %s.\n", one.Name, said)
			return err
		}
		return fmt.Errorf("there is no till %q\nList them: deskhand-host tills", named)
	})
}

func tillsOf(t *terminal, d *desk.Desk) ([]tills.Till, error) {
	r, err := t.invoke(d, "till.list", struct{}{}, "tills")
	if err != nil {
		return nil, err
	}
	var out struct{ Tills []tills.Till }
	return out.Tills, r.Decode(&out)
}
