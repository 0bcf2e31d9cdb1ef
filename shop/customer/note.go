package customer

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type addNoteIn struct {
	CustomerID string `json:"customerId" jsonschema:"minLength=1,maxLength=100" x:"entity=customer"`
	Text       string `json:"text" jsonschema:"title=Note,minLength=1,maxLength=2000" x:"personal=true"`
}

type addNoteOut struct {
	NoteID string `json:"noteId"`
}

// Note is a note on a customer.
type Note struct {
	ID   string `json:"id"`
	Text string `json:"text" x:"tainted=true"`
	By   string `json:"by"`
	At   int64  `json:"at" x:"time=true"`
}

func addNote(ctx context.Context, call *bus.Call, in addNoteIn) (out addNoteOut, err error) {
	c, err := ByID(ctx, in.CustomerID)
	if err != nil {
		return out, err
	}
	words := text.Block(in.Text, core.MessageLimit)
	if words == "" {
		return out, core.Invalid("/text", "The note is empty.")
	}
	call.Summarize("Add a note to the customer %s: “%s”", c.Name, text.Line(words, 100))
	call.Announce("customer", bus.Textf("%s has a new note.", c.Name), c.ID)
	out.NoteID = call.NewID("note")
	return out, core.Insert(ctx, `customer_notes (id, customer_id, text, person, at)`, out.NoteID, c.ID, words,
		call.Person.ID, call.Now.UnixMilli())
}

// Notes returns the notes on a customer, newest first.
func Notes(ctx context.Context, customerID string) ([]Note, error) {
	return core.List(ctx, func(r core.Row) (n Note, err error) { return n, r.Scan(&n.ID, &n.Text, &n.By, &n.At) },
		`SELECT n.id, n.text, COALESCE(s.name, n.person), n.at FROM customer_notes n LEFT JOIN staff s ON s.id = n.person
			WHERE n.customer_id = ? ORDER BY n.at DESC, n.id LIMIT 50`, customerID)
}
