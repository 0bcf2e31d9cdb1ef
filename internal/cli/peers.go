package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus/peer"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/peers"
)

type peersCommand struct {
	List   peersListCommand   `cmd:"" default:"1" help:"List the other programs that work here."`
	Add    peersAddCommand    `cmd:"" help:"Let the program of a capabilities.yaml work here."`
	Remove peersRemoveCommand `cmd:"" help:"Take away what a program offers."`
	Test   peersTestCommand   `cmd:"" help:"Start the program of a capabilities.yaml and see that it answers."`

	Inspect peersInspectCommand `cmd:"" help:"Show which capabilities of a file can be used, and why not the rest."`
}

type peersListCommand struct{}

func (peersListCommand) Run(t *terminal) error {
	return t.with(desk.Options{}, func(d *desk.Desk) error {
		r, err := t.invoke(d, "peer.list", struct{}{}, "peers")
		if err != nil {
			return err
		}
		if t.flags.JSON {
			return t.print(r)
		}
		var all struct{ Peers []peers.Peer }
		if err := r.Decode(&all); err != nil {
			return err
		}
		for _, p := range all.Peers {
			fmt.Fprint(t.Out, p.Name)
			if p.Command != nil {
				fmt.Fprint(t.Out, ", started as ", strings.Join(p.Command, " "))
			}
			if p.Locations != nil {
				fmt.Fprint(t.Out, ", called at ", strings.Join(p.Locations, ", "))
			}
			fmt.Fprint(t.Out, "\n   ", strings.Join(p.Offers, "\n   "), "\n")
			printKey(t.Out, p)
		}
		if len(all.Peers) == 0 {
			fmt.Fprintln(t.Out, "No other program works here.")
		}
		return nil
	})
}

// printKey prints the public key that the programs at a peer's locations need.
func printKey(out io.Writer, p peers.Peer) {
	switch {
	case p.Locations == nil:
	case p.KeyLasts:
		fmt.Fprintf(out, "Its receiver needs the public key of this shop: %s\n", p.PublicKey)
	default:
		fmt.Fprintln(out, "There is no keychain: calls are signed with a key that this run of the program alone has. "+
			"Keep one in DESKHAND_PEER_KEY, as openssl rand -base64 32 writes it.")
	}
}

type peersAddCommand struct {
	File string `arg:"" help:"Its capabilities.yaml." type:"existingfile"`
	Yes  bool   `help:"Add it without asking."`
}

// Run adds the program if the person allows its card.
func (c peersAddCommand) Run(t *terminal) error {
	o, cards := desk.Options{Allow: c.Yes}, &cardReader{t: t, in: newLines(t.In), out: t.ErrOut}
	if !c.Yes {
		o.OnCard = cards.card
	}
	return t.with(o, func(d *desk.Desk) error {
		cards.desk = d
		r, err := t.invoke(d, "peer.add", map[string]string{"file": c.File}, "peers")
		if err != nil {
			return err
		}
		var added peers.Peer
		if err := r.Decode(&added); err != nil {
			return err
		}
		fmt.Fprintln(t.Out, "Added. A window that is open has it when it is opened again.")
		printKey(t.Out, added)
		return nil
	})
}

type peersRemoveCommand struct {
	Name string `arg:"" help:"Its name."`
}

func (c peersRemoveCommand) Run(t *terminal) error {
	return t.with(desk.Options{}, func(d *desk.Desk) error {
		if _, err := t.invoke(d, "peer.remove", map[string]string{"name": c.Name}, "peers"); err != nil {
			return err
		}
		_, err := fmt.Fprintf(t.Out, "%s is removed.\n", c.Name)
		return err
	})
}

type peersTestCommand struct {
	File string `arg:"" help:"Its capabilities.yaml." type:"existingfile"`
}

// Run needs no shop: it reads the file, starts the program and sends it a hello.
func (c peersTestCommand) Run(t *terminal) error {
	text, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer text.Close()
	f, err := peer.Read(text, c.File)
	if err != nil {
		return err
	}
	started := false
	for i, o := range f.Capabilities(nil) {
		fmt.Fprintf(t.Out, "%s: %s\n", o.Name, o.Description)
		if at := f.Offers[i].Location; at != "" {
			fmt.Fprintf(t.Out, "   at %s\n", at)
		} else {
			started = true
		}
	}
	if !started {
		_, err = fmt.Fprintf(t.Out, "%s is not started from here, and no call is made to see whether it answers.\n", f.Agent)
		return err
	}
	command := peers.Command(f)
	if command == nil {
		return fmt.Errorf("%s has no transport of kind %s: only a Go program that contains it can call it. "+
			"To have it started from here, name its command under transports", f.Agent, peer.Stdio)
	}
	ctx, cancel := context.WithTimeout(t.ctx, 15*time.Second)
	defer cancel()
	p := peer.New(f, peer.Child(command))
	defer p.Close()
	if err := p.Reach(ctx); err != nil {
		return fmt.Errorf("%s does not answer: %w", f.Agent, err)
	}
	_, err = fmt.Fprintf(t.Out, "%s answers.\n", f.Agent)
	return err
}

type peersInspectCommand struct {
	File string `arg:"" help:"A file that declares capabilities, YAML or JSON." type:"existingfile"`
}

// Run fails if nothing of the document can be used.
func (c peersInspectCommand) Run(t *terminal) error {
	text, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer text.Close()
	s, err := peer.Examine(text, c.File)
	if err != nil {
		return err
	}
	if t.flags.JSON {
		return t.outcome(s, s.Usable > 0)
	}
	for _, f := range s.Capabilities {
		name, answer := quoted(strings.TrimSpace(f.Name+" "+f.Version)), "can be used"
		if !f.Usable {
			answer = "cannot be used"
		}
		if name == "" {
			name = "a capability without a name"
		}
		fmt.Fprintf(t.Out, "%s (line %d): %s\n", name, f.Line, answer)
		for _, m := range f.Mistakes {
			fmt.Fprintf(t.Out, "   line %d: %s\n", m.Line, quoted(m.Text))
		}
		printIgnored(t.Out, f.Ignored)
	}
	if len(s.Ignored) > 0 {
		fmt.Fprintln(t.Out, "Beside the capabilities")
		printIgnored(t.Out, s.Ignored)
	}
	fmt.Fprintf(t.Out, "%d of %d capabilities can be used.\n", s.Usable, len(s.Capabilities))
	if s.Refusal != "" {
		fmt.Fprintf(t.Out, "For peers add write them into a capabilities.yaml. This file is none: %s\n", quoted(s.Refusal))
	}
	if s.Usable == 0 {
		return errQuiet
	}
	return nil
}

// printIgnored prints the fields without an effect.
func printIgnored(out io.Writer, ignored []peer.Remark) {
	for _, i := range ignored {
		fmt.Fprintf(out, "   line %d: %s is ignored\n", i.Line, quoted(i.Text))
	}
}
