package cli

import (
	"cmp"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/keychain"
	"github.com/deskhand/deskhand/internal/till"
	"github.com/deskhand/deskhand/internal/tills"
)

type joinCommand struct {
	Code string `arg:"" help:"The code that the host shows."`
	Name string `help:"What this till is called; default: the name of this computer." placeholder:"NAME"`
}

// Run turns the data folder into the folder of a till.
func (c joinCommand) Run(t *terminal) error {
	if c.Name == "" {
		c.Name = tills.ComputerName()
	}
	if holds, err := desk.HoldsShop(t.ctx, t.flags.Data); holds || err != nil {
		return cmp.Or(err, error(bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "There is a shop in this folder.").
			WithHint("Join with another folder: deskhand --data FOLDER join CODE")))
	}
	p, err := till.Join(t.ctx, t.flags.Data, c.Code, c.Name, keychain.New(t.flags.Data), func(id string) {
		fmt.Fprintf(t.ErrOut, "The owner lets %q in at the host. Its key, to compare: %s\n", c.Name, id)
	})
	if err != nil {
		return err
	}
	if t.flags.JSON {
		return t.print(p)
	}
	_, err = fmt.Fprintf(t.Out, "Joined. Open the window: %s\n", t.self())
	return err
}
