package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

func TestAnAgentCannotClearTheListByItself(t *testing.T) {
	file := filepath.Join(t.TempDir(), "todo.db")
	log, err := audit.Open(t.Context(), file, audit.Options{Migrations: os.DirFS("migrations")})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	b := bus.New(bus.Options{Journal: log})
	b.MustRegister(capabilities()...)
	by := func(caller bus.CallerType, name, arguments string) bus.Result {
		return b.Invoke(t.Context(), bus.Invocation{Capability: name, Arguments: []byte(arguments),
			Caller: bus.Caller{Type: caller}, Principal: you})
	}
	if r := by(bus.CallerAgent, "todo.add", `{"text":"Buy milk"}`); r.Err != nil {
		t.Fatal(r.Err)
	}
	if r := by(bus.CallerAgent, "todo.clear", ``); r.Err == nil || r.Err.Code != bus.Forbidden {
		t.Errorf("an agent cleared the list: %v", r.Err)
	}
	if r := by(bus.CallerCLI, "todo.clear", ``); r.Err != nil {
		t.Errorf("a person cannot: %v", r.Err)
	}
}
