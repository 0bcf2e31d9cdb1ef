package main

import (
	"context"
	"database/sql"
	"errors"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// Note is one note. What it says is text of unknown origin: x-tainted tells the
// assistant's bridge to ask a person more often once a model has read it.
type Note struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Text string `json:"text,omitempty" jsonschema_extras:"x-tainted=true"`
}

type findIn struct {
	Query string `json:"query,omitempty" jsonschema:"title=Words,maxLength=100"`
}

type findOut struct {
	Notes []Note `json:"notes"`
}

type writeIn struct {
	Title string `json:"title" jsonschema:"title=Title,minLength=1,maxLength=80"`
	Text  string `json:"text,omitempty" jsonschema:"title=Text,maxLength=10000"`
}

type noteIn struct {
	NoteID string `json:"noteId" jsonschema:"title=Note" jsonschema_extras:"x-entity=note"`
}

// Capabilities are all that can be done with notes, by whomever.
func Capabilities() []bus.Capability {
	reads, writes := []string{"database:read"}, []string{"database:read", "database:write"}
	return []bus.Capability{
		bus.Define(bus.Capability{
			Name: "note.find", Title: "Find notes", Type: bus.TypeData,
			Description: "Lists the notes whose title or text has the words, or all. Use it to find the id of a note; it " +
				"changes nothing.",
			SideEffect: bus.Pure, Permissions: []string{"note:read"}, Resources: reads,
			Entities:  []bus.Entity{{Type: "note", Title: "Note", List: "/notes"}},
			Assistant: bus.Assistant{Phrases: []string{"show the notes", "find {query}", "which notes are about {query}"}},
		}, find),
		bus.Define(bus.Capability{
			Name: "note.write", Title: "Write a note",
			Description: "Writes a new note. Use it for something to be kept; it does not change a note that is there.",
			SideEffect:  bus.UIOnly, Permissions: []string{"note:write"}, Resources: writes, Reversible: true,
			Assistant: bus.Assistant{Phrases: []string{"note {title}", "write down {title}", "write a note {title}"}},
		}, write),
		bus.Define(bus.Capability{
			Name: "note.delete", Title: "Delete a note",
			Description: "Deletes one note for good. Use it only when somebody asks for that; to look at it use note.find.",
			SideEffect:  bus.Destructive, Permissions: []string{"note:write"}, Resources: writes,
			Assistant: bus.Assistant{Phrases: []string{"delete {noteId}", "delete the note {noteId}", "throw {noteId} away"}},
		}, remove),
	}
}

func find(ctx context.Context, _ *bus.Call, in findIn) (findOut, error) {
	out := findOut{Notes: []Note{}}
	rows, err := audit.Tx(ctx).
		QueryContext(ctx, `SELECT id, title, text FROM notes
			WHERE instr(lower(title || ' ' || text), lower(?)) > 0 ORDER BY id LIMIT 100`, in.Query)
	if err != nil {
		return out, err
	}
	defer rows.Close()
	for rows.Next() {
		var n Note
		if err := rows.Scan(&n.ID, &n.Name, &n.Text); err != nil {
			return out, err
		}
		out.Notes = append(out.Notes, n)
	}
	return out, rows.Err()
}

func write(ctx context.Context, call *bus.Call, in writeIn) (Note, error) {
	n := Note{ID: call.NewID("note"), Name: in.Title, Text: in.Text}
	call.Summarize("Write %q down", n.Name)
	call.Changed("note", "“"+n.Name+"” was written down", n.ID)
	_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO notes (id, title, text) VALUES (?, ?, ?)`, n.ID, n.Name, n.Text)
	return n, err
}

func remove(ctx context.Context, call *bus.Call, in noteIn) (Note, error) {
	n := Note{ID: in.NoteID}
	err := audit.Tx(ctx).QueryRowContext(ctx, `DELETE FROM notes WHERE id = ? RETURNING title`, n.ID).Scan(&n.Name)
	if errors.Is(err, sql.ErrNoRows) {
		return n, bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no note %q.", n.ID).
			WithHint("Invoke note.find to see them.")
	}
	call.Summarize("Delete %q", n.Name)
	call.Changed("note", "“"+n.Name+"” was deleted", n.ID)
	return n, err
}
