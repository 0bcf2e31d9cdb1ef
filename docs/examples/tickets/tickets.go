package main

import (
	"context"
	"database/sql"
	"errors"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

type ticket struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Queue    string `json:"queue"`
	Assignee string `json:"assignee,omitempty"`
	State    string `json:"state"`
}

type openIn struct {
	Title string `json:"title" jsonschema:"title=What is wrong,minLength=1,maxLength=200"`
	Queue string `json:"queue,omitempty" jsonschema:"enum=hardware,enum=software,enum=accounts,default=hardware"`
}

type ticketIn struct {
	TicketID string `json:"ticketId" jsonschema:"title=Ticket"`
}

// capabilities are all that can be done with tickets, by whomever.
func capabilities() []bus.Capability {
	of := func(name string, class bus.SideEffect, resources ...string) bus.Capability {
		return bus.Capability{Name: name, Texts: texts, SideEffect: class, Reversible: class == bus.UIOnly,
			Permissions: []string{"ticket:use"}, Resources: resources}
	}
	writes := []string{"database:read", "database:write"}
	id := func(_ *bus.Call, in ticketIn) []any { return []any{in.TicketID} }
	read := of("ticket.list", bus.Pure, "database:read")
	read.Entities = []bus.Entity{{Type: "ticket", Title: "Ticket", List: "/tickets", Display: "{title}"}}
	return []bus.Capability{
		bus.Define(read, list),
		bus.Define(of("ticket.open", bus.UIOnly, writes...), change(`INSERT INTO tickets VALUES (?, ?, ?, '', 'open')`,
			func(c *bus.Call, in openIn) []any { return []any{c.NewID("ticket"), in.Title, in.Queue} })),
		bus.Define(of("ticket.take", bus.UIOnly, writes...), change(`UPDATE tickets SET assignee = ?2 WHERE id = ?1`,
			func(c *bus.Call, in ticketIn) []any { return []any{in.TicketID, c.Person.Name} })),
		bus.Define(of("ticket.close", bus.UIOnly, writes...), change(`UPDATE tickets SET state = 'closed' WHERE id = ?`, id)),
		bus.Define(of("ticket.delete", bus.Destructive, writes...), change(`DELETE FROM tickets WHERE id = ?`, id)),
	}
}

func list(ctx context.Context, _ *bus.Call, _ struct{}) (out struct {
	Tickets []ticket `json:"tickets"`
}, err error) {
	out.Tickets = []ticket{}
	rows, err := audit.Tx(ctx).QueryContext(ctx, `SELECT * FROM tickets ORDER BY state DESC, id`)
	if err != nil {
		return out, err
	}
	defer rows.Close()
	for rows.Next() && err == nil {
		var t ticket
		err = rows.Scan(&t.ID, &t.Title, &t.Queue, &t.Assignee, &t.State)
		out.Tickets = append(out.Tickets, t)
	}
	return out, errors.Join(err, rows.Err())
}

// change handles a capability by an SQL statement that changes one ticket.
func change[In any](query string, of func(*bus.Call, In) []any) func(context.Context, *bus.Call, In) (ticket, error) {
	return func(ctx context.Context, call *bus.Call, in In) (t ticket, err error) {
		row := audit.Tx(ctx).QueryRowContext(ctx, query+` RETURNING *`, of(call, in)...)
		if err = row.Scan(&t.ID, &t.Title, &t.Queue, &t.Assignee, &t.State); errors.Is(err, sql.ErrNoRows) {
			return t, bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such ticket.").WithHint("See the list.")
		}
		call.Summarize("%s: %s", call.Capability.Title, t.Title)
		call.Changed("ticket", call.Capability.Title+": "+t.Title, t.ID)
		return t, err
	}
}
