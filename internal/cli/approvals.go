package cli

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/internal/desk"
)

type approvalsCommand struct{}

// Run shows the cards of other programs on the shop as they come and reads the answers, until the input ends.
func (approvalsCommand) Run(t *terminal) error {
	ctx, cancel := context.WithCancel(t.ctx)
	defer cancel()
	here := *t
	here.ctx = ctx
	cards := &cardReader{t: &here, in: newLines(t.In), out: t.Out, ended: cancel}
	show := func(e policy.CardEvent) {
		if e.Card.For(cards.desk.Person.ID) {
			cards.card(e)
		}
	}
	return t.with(desk.Options{OnCard: show}, func(d *desk.Desk) error {
		cards.desk = d
		if !t.flags.JSON {
			fmt.Fprintf(t.ErrOut, "Cards for %s are asked here as they come; end with Ctrl+C.\n", quoted(d.Person.Name))
		}
		d.WatchCards()
		<-ctx.Done()
		return nil
	})
}
