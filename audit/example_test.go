package audit_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"testing/fstest"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// A capability writes through the transaction of its invocation; the effect and
// its record are one commit.
func Example() {
	dir, err := os.MkdirTemp("", "audit-example-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	journal, err := audit.Open(ctx, filepath.Join(dir, "notes.db"), audit.Options{Migrations: fstest.MapFS{
		"00001_notes.sql": {Data: []byte("-- +goose Up\nCREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL) " +
			"STRICT;")},
	}})
	if err != nil {
		log.Fatal(err)
	}
	defer journal.Close()

	type input struct {
		Text string `json:"text"`
	}
	type output struct {
		ID string `json:"id"`
	}
	b := bus.New(bus.Options{Journal: journal})
	b.MustRegister(bus.Define(bus.Capability{
		Name: "note.add", Title: "Add a note", Description: "Adds a note.", SideEffect: bus.UIOnly,
		Resources: []string{"database:write"},
	}, func(ctx context.Context, call *bus.Call, in input) (output, error) {
		id := call.NewID("note")
		_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO notes (id, text) VALUES (?, ?)`, id, in.Text)
		return output{ID: id}, err
	}))

	b.Invoke(ctx, bus.Invocation{Capability: "note.add", Arguments: []byte(`{"text":"Buy tea"}`),
		Caller: bus.Caller{Type: bus.CallerUI}, Principal: bus.Principal{ID: "ann"}})

	page, err := journal.Search(ctx, audit.Query{Text: "tea"})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range page.Records {
		fmt.Println(r.Caller.Person, r.Capability, r.Status, r.Effects[0].Op, r.Effects[0].Table)
	}
	verdict, err := journal.Verify(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(verdict.OK, verdict.Records)
	// Output:
	// ann note.add success insert notes
	// true 1
}
