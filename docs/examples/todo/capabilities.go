package main

import (
	"context"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

type item struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Done bool   `json:"done"`
}

type listOut struct {
	Todos []item `json:"todos"`
}

type addIn struct {
	Text string `json:"text" jsonschema:"title=What to do,minLength=1,maxLength=200"`
}

type doneIn struct {
	// Where the assistant finds the id of "the milk".
	TodoID string `json:"todoId" jsonschema:"title=To-do" x:"entity=todo"`
}

type clearOut struct {
	Removed int64 `json:"removed"`
}

var (
	reads  = []string{"database:read"}
	writes = []string{"database:read", "database:write"}
)

func capabilities() []bus.Capability {
	return []bus.Capability{
		bus.Define(bus.Capability{
			Name: "todo.list", Title: "Show the list", Type: bus.TypeData,
			Description: "Lists every to-do, done or not. Use it to find the id of one; it changes nothing.",
			SideEffect:  bus.Pure, Permissions: []string{"todo:read"}, Resources: reads,
			Entities:  []bus.Entity{{Type: "todo", Title: "To-do", List: "/todos"}},
			Assistant: bus.Assistant{Phrases: []string{"show the list", "what is there to do"}},
		}, list),
		bus.Define(bus.Capability{
			Name: "todo.add", Title: "Add a to-do",
			Description: "Adds a to-do to the end of the list. Use it for one thing at a time; it reminds nobody.",
			SideEffect:  bus.UIOnly, Permissions: []string{"todo:write"}, Resources: writes, Reversible: true,
			Assistant: bus.Assistant{Phrases: []string{"add {text}", "remember to {text}"}},
		}, add),
		bus.Define(bus.Capability{
			Name: "todo.done", Title: "Tick off a to-do",
			Description: "Marks a to-do as done. Use it when somebody says so; it does not remove it.",
			SideEffect:  bus.UIOnly, Permissions: []string{"todo:write"}, Resources: writes, Reversible: true,
			Assistant: bus.Assistant{Phrases: []string{"tick off {todoId}", "check off {todoId}"}},
		}, done),
		bus.Define(bus.Capability{
			Name: "todo.clear", Title: "Clear the list",
			Description: "Removes every to-do. Use it only when all of them are to go; it cannot be taken back.",
			SideEffect:  bus.Destructive, Permissions: []string{"todo:write"}, Resources: writes,
			Checks:    bus.Checks{Available: notEmpty},
			Assistant: bus.Assistant{Phrases: []string{"clear the list"}},
		}, clearAll),
	}
}

func list(ctx context.Context, _ *bus.Call, _ struct{}) (listOut, error) {
	out := listOut{Todos: []item{}}
	rows, err := audit.Tx(ctx).QueryContext(ctx, `SELECT id, text, done FROM todos ORDER BY CAST(id AS INTEGER)`)
	if err != nil {
		return out, err
	}
	defer rows.Close()
	for rows.Next() {
		var i item
		if err := rows.Scan(&i.ID, &i.Name, &i.Done); err != nil {
			return out, err
		}
		out.Todos = append(out.Todos, i)
	}
	return out, rows.Err()
}

func count(ctx context.Context) (n int, err error) {
	err = audit.Tx(ctx).QueryRowContext(ctx, `SELECT count(*) FROM todos`).Scan(&n)
	return n, err
}

func add(ctx context.Context, call *bus.Call, in addIn) (item, error) {
	i := item{Name: in.Text}
	next := `SELECT coalesce(max(CAST(id AS INTEGER)), 0) + 1 FROM todos`
	err := audit.Tx(ctx).QueryRowContext(ctx, next).Scan(&i.ID)
	if err != nil {
		return i, err
	}
	call.Summarize("Add %q", in.Text)
	call.Changed("todo", "“"+in.Text+"” was added", i.ID)
	_, err = audit.Tx(ctx).ExecContext(ctx, `INSERT INTO todos (id, text) VALUES (?, ?)`, i.ID, in.Text)
	return i, err
}

func done(ctx context.Context, call *bus.Call, in doneIn) (item, error) {
	i := item{ID: in.TodoID, Done: true}
	res, err := audit.Tx(ctx).ExecContext(ctx, `UPDATE todos SET done = 1 WHERE id = ?`, in.TodoID)
	if err != nil {
		return i, err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return i, bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no to-do %q.", in.TodoID).
			WithHint("Invoke todo.list to see them.")
	}
	err = audit.Tx(ctx).QueryRowContext(ctx, `SELECT text FROM todos WHERE id = ?`, in.TodoID).Scan(&i.Name)
	if err != nil {
		return i, err
	}
	call.Summarize("Tick off %q", i.Name)
	call.Changed("todo", "“"+i.Name+"” is done", i.ID)
	return i, nil
}

func notEmpty(ctx context.Context, _ *bus.Call) error {
	n, err := count(ctx)
	if err == nil && n == 0 {
		err = bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "The list is empty.")
	}
	return err
}

func clearAll(ctx context.Context, call *bus.Call, _ struct{}) (clearOut, error) {
	res, err := audit.Tx(ctx).ExecContext(ctx, `DELETE FROM todos`)
	if err != nil {
		return clearOut{}, err
	}
	n, err := res.RowsAffected()
	call.Summarize("Remove all %d to-dos", n)
	call.Changed("todo", "the list was cleared")
	return clearOut{n}, err
}
