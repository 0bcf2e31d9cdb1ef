package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

func TestNotesConform(t *testing.T) {
	bustest.ConformEach(t, func(t testing.TB, _ string) bustest.App {
		log, err := audit.Open(context.Background(), filepath.Join(t.TempDir(), "notes.db"),
			audit.Options{Migrations: os.DirFS("migrations")})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { log.Close() })
		b := bus.New(bus.Options{Journal: log})
		b.MustRegister(Capabilities()...)
		written := b.Invoke(context.Background(), bus.Invocation{
			Capability: "note.write", Arguments: json.RawMessage(`{"title":"Keys"}`),
			Caller: bus.Caller{Type: bus.CallerTest}, Principal: you})
		if written.Err != nil {
			t.Fatal(written.Err)
		}
		return bustest.App{Bus: b, Person: you}
	})
}

// TestOneDoor: a note that was written by saying so is found by name, and is
// deleted only when somebody says yes.
func TestOneDoor(t *testing.T) {
	var out bytes.Buffer
	in := strings.NewReader("write down the code of the door\ndelete the code of the door\nn\n/note.find {}\ndelete " +
		"the code of the door\ny\n/note.find {}\n")
	if err := run(t.Context(), filepath.Join(t.TempDir(), "notes.db"), in, &out); err != nil {
		t.Fatal(err)
	}
	asked := strings.Split(out.String(), "? [y/N] ")
	if len(asked) != 3 || !strings.Contains(asked[1], `"name":"code of the door"`) ||
		!strings.Contains(asked[2], `{"notes":[]}`) {
		t.Errorf("said:\n%s", out.String())
	}
}
