package cli

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
)

type demoDraft struct{}

// Run tries changes on a copy of a shop of its own, changes one thing in the shop meanwhile, merges and takes it back.
func (demoDraft) Run(t *terminal) error {
	demo := &drafting{repetition: repetition{terminal: t}}
	d, remove, err := demoDesk(t, demo.answer)
	if err != nil {
		return err
	}
	demo.desk = d
	return errors.Join(demo.run(), d.Close(), remove())
}

// drafting is the demonstration on its way.
type drafting struct{ repetition }

func (r *drafting) run() error {
	in := func(d *desk.Desk, out any, name string, args any) (bus.Result, error) {
		res, err := r.invoke(d, name, args, "demo")
		if err == nil && out != nil {
			err = json.Unmarshal(res.Data, out)
		}
		return res, err
	}
	var made struct {
		DraftID string `json:"draftId"`
	}
	if _, err := in(r.desk, &made, "draft.open", struct{}{}); err != nil {
		return err
	}
	draft, err := desk.Open(r.ctx, desk.Options{Folder: r.desk.DraftFolder(made.DraftID), Door: "cli"})
	if err != nil {
		return err
	}
	defer draft.Close() // its files are gone by then
	var pending struct {
		Orders []struct{ ID, CustomerName string }
	}
	if _, err := in(draft, &pending, "order.search", map[string]any{"status": "pending", "limit": 4}); err != nil {
		return err
	}
	for _, o := range pending.Orders {
		if _, err := in(draft, nil, "order.process", map[string]string{"orderId": o.ID}); err != nil {
			return err
		}
	}
	var tried struct{ Changes []struct{ Summary string } }
	if _, err := in(r.desk, &tried, "draft.get", made); err != nil {
		return err
	}
	fmt.Fprintln(r.Out, "On a copy of the shop, without a card for each:")
	for _, c := range tried.Changes {
		fmt.Fprintln(r.Out, "  -", c.Summary)
	}
	mail, err := draft.Invoke(r.ctx, "email.sendReceipt", map[string]string{"orderId": pending.Orders[0].ID}, "demo")
	if err != nil {
		return err
	}
	if mail.Err != nil {
		fmt.Fprintln(r.Out, "  - a mail:", mail.Err.Message)
	}
	if _, err := in(r.desk, nil, "order.cancel", map[string]string{"orderId": pending.Orders[1].ID,
		"reason": "no longer needed"}); err != nil {
		return err
	}
	fmt.Fprintf(r.Out, "\nMeanwhile in the shop order %s is cancelled.\n\n", pending.Orders[1].ID)
	merged, err := in(r.desk, nil, "draft.merge", made)
	if err != nil {
		return err
	}
	var undo struct{ Rows int }
	if _, err := in(r.desk, &undo, "audit.undo", map[string]string{"requestId": merged.RequestID}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.Out, "\nAllowed: %v steps in one transaction. One Undo: %d rows are as before.\n",
		merged.Facts["steps"], undo.Rows)
	return err
}
