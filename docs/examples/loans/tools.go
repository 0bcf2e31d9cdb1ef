package main

import (
	"cmp"
	"context"
	_ "embed"

	"github.com/jackc/pgx/v5"

	"github.com/deskhand/deskhand/bus"
	pgjournal "github.com/deskhand/deskhand/docs/examples/postgres"
)

//go:embed texts.txt
var texts string // titles, descriptions and phrases of the capabilities

type tool struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	LentTo string `json:"lentTo,omitempty"`
}

type toolIn struct {
	ToolID string `json:"toolId" jsonschema:"title=Tool"`
}

// capabilities are all that can be done with tools, by a page or the assistant.
func capabilities() []bus.Capability {
	of := func(name string, class bus.SideEffect) bus.Capability {
		return bus.Capability{Name: name, Texts: texts, SideEffect: class, Reversible: class == bus.UIOnly,
			Permissions: []string{"tool:use"}, Resources: []string{"database:read", "database:write"}}
	}
	read := of("tool.list", bus.Pure)
	read.Resources = []string{"database:read"}
	read.Entities = []bus.Entity{{Type: "tool", Title: "Tool", List: "/tools"}}
	return []bus.Capability{
		bus.Define(read, list),
		bus.Define(of("tool.borrow", bus.UIOnly), change(false, `INSERT INTO loans VALUES (@tool, @person)`)),
		bus.Define(of("tool.return", bus.UIOnly), change(true, `DELETE FROM loans WHERE tool_id = @tool`)),
		bus.Define(of("tool.discard", bus.Destructive), change(false, `DELETE FROM tools WHERE id = @tool`)),
	}
}

func list(ctx context.Context, _ *bus.Call, _ struct{}) (out struct {
	Tools []tool `json:"tools"`
}, err error) {
	out.Tools, err = read(ctx, `ORDER BY name, id`)
	return out, err
}

func read(ctx context.Context, condition string, args ...any) ([]tool, error) {
	found := []tool{}
	err := pgjournal.Tx(ctx).Run(ctx, func(row pgx.CollectableRow) error {
		t, err := pgx.RowToStructByPos[tool](row)
		found = append(found, t)
		return err
	}, `SELECT id, name, coalesce(person, '') FROM tools LEFT JOIN loans ON tool_id = id `+condition, args...)
	return found, err
}

// change handles a capability by an SQL statement about a tool that is lent to the person, or else to nobody.
func change(lent bool, statement string) func(context.Context, *bus.Call, toolIn) (tool, error) {
	return func(ctx context.Context, call *bus.Call, in toolIn) (t tool, err error) {
		found, err := read(ctx, `WHERE id = $1`, in.ToolID)
		if err != nil || len(found) == 0 {
			missing := bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such tool.").WithHint("See the list.")
			return t, cmp.Or(err, error(missing))
		}
		if t = found[0]; lent && t.LentTo != call.Person.ID || !lent && t.LentTo != "" {
			to := cmp.Or(t.LentTo, "nobody")
			return t, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s is lent to %s.", t.Name, to)
		}
		call.Summarize("%s: %s", call.Capability.Title, t.Name)
		call.Changed("tool", call.Capability.Title+": "+t.Name, t.ID)
		err = pgjournal.Tx(ctx).Run(ctx, nil, statement, pgx.NamedArgs{"tool": t.ID, "person": call.Person.ID})
		return tool{ID: t.ID, Name: t.Name}, err
	}
}
