package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/codegen"
)

var update = flag.Bool("update", false, "write the types of the page again")

func newBus(t testing.TB) *bus.Bus {
	log, err := audit.Open(context.Background(), filepath.Join(t.TempDir(), "tickets.db"),
		audit.Options{Migrations: files})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	b := bus.New(bus.Options{Journal: log, Name: "tickets", Version: "1.0.0"})
	b.MustRegister(capabilities()...)
	return b
}

func TestTicketsConform(t *testing.T) {
	bustest.ConformEach(t, func(t testing.TB, _ string) bustest.App { return bustest.App{Bus: newBus(t), Person: you} })
}

func TestTheTypesOfThePageAreFresh(t *testing.T) {
	const path = "frontend/src/capabilities.gen.ts"
	m, err := newBus(t).Manifest(t.Context(), bus.View{Caller: bus.CallerUI, Principal: you})
	if err != nil {
		t.Fatal(err)
	}
	made, err := codegen.TypeScript(m)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		err = os.WriteFile(path, made, 0o644)
	}
	if kept, _ := os.ReadFile(path); err != nil || !bytes.Equal(kept, made) {
		t.Errorf("%s is stale (%v): go test . -update", path, err)
	}
}
