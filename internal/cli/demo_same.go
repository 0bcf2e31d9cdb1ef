package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
)

type demoSame struct{}

// aBusyDay is when the demonstration takes place: the sample's orders that wait depend on the day of the week, and on
// the seed.
var aBusyDay = time.Date(2026, time.November, 25, 14, 30, 0, 0, time.UTC)

// Run packs one order on a shop of its own, does the same with others and takes it back.
func (demoSame) Run(t *terminal) (err error) {
	demo := &repetition{terminal: t}
	d, remove, err := demoDesk(t, demo.answer)
	if err != nil {
		return err
	}
	demo.desk = d
	return errors.Join(demo.run(), d.Close(), remove())
}

// demoDesk opens a desk on a sample shop of one day and one seed, in a folder that remove removes.
func demoDesk(t *terminal, onCard func(policy.CardEvent)) (d *desk.Desk, remove func() error, err error) {
	folder, err := os.MkdirTemp("", "deskhand-demo-")
	if err != nil {
		return nil, nil, err
	}
	remove = func() error { return os.RemoveAll(folder) }
	start := time.Now()
	clock := func() time.Time { return aBusyDay.Add(time.Since(start)) }
	if d, err = desk.Open(t.ctx, desk.Options{Folder: folder, Create: true, Door: "cli", OnCard: onCard, Clock: clock,
		Seed: func() []byte { return []byte("the same shop every time") }}); err == nil {
		_, err = t.invoke(d, "shop.setUp", map[string]string{"from": "sample"}, "demo")
	}
	if err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	return d, remove, nil
}

// repetition is the demonstration on its way.
type repetition struct {
	*terminal
	desk *desk.Desk
}

// answer shows the card and allows it.
func (r *repetition) answer(e policy.CardEvent) {
	if e.Type != policy.CardOpened {
		return
	}
	fmt.Fprintf(r.Out, "One card: %s\n", e.Card.Sentence)
	for i, s := range e.Card.Steps {
		fmt.Fprintf(r.Out, "  %2d. %s\n", i+1, s)
	}
	for _, l := range e.Card.Left {
		fmt.Fprintf(r.Out, "  left out: %s: %s\n", l.Name, l.Why)
	}
	r.allow(e)
}

// allow answers a card.
func (r *repetition) allow(e policy.CardEvent) {
	if err := r.desk.Policy.Decide(policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerAllow,
		Who: r.desk.Person}); err != nil {
		fmt.Fprintln(r.ErrOut, err)
	}
}

func (r *repetition) run() error {
	do := func(name string, args any) (bus.Result, error) { return r.invoke(r.desk, name, args, "demo") }
	found, err := do("order.search", map[string]any{"status": "pending", "limit": 11})
	if err != nil {
		return err
	}
	var pending struct{ Orders []struct{ ID string } }
	if err := json.Unmarshal(found.Data, &pending); err != nil || len(pending.Orders) < 3 {
		return errors.Join(err, errors.New("too few orders are pending"))
	}
	first, last := pending.Orders[0].ID, pending.Orders[len(pending.Orders)-1].ID
	for _, call := range []struct {
		name string
		args map[string]string
	}{
		{"order.process", map[string]string{"orderId": last}}, // which does not fit any more
		{"order.process", map[string]string{"orderId": first}},
		{"order.addNote", map[string]string{"orderId": first, "text": "Packed for Friday."}},
	} {
		if _, err := do(call.name, call.args); err != nil {
			return err
		}
	}
	fmt.Fprintf(r.Out, "By hand: order %s is packed and has a note. The same for %d others:\n\n", first,
		len(pending.Orders)-1)
	var subjects []map[string]string
	for _, o := range pending.Orders[1:] {
		subjects = append(subjects, map[string]string{"type": "order", "id": o.ID})
	}
	done, err := do("plan.repeat", map[string]any{"subjects": subjects})
	if err != nil {
		return err
	}
	undone, err := do("audit.undo", map[string]string{"requestId": done.RequestID})
	if err != nil {
		return err
	}
	var undo struct{ Rows int }
	_ = json.Unmarshal(undone.Data, &undo) // it succeeded
	_, err = fmt.Fprintf(r.Out, "\nAllowed: %v steps in one transaction. One Undo: %d rows are as before.\n",
		done.Facts["steps"], undo.Rows)
	return err
}
