package main

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

func TestM1TheShopsManifestFitsThePublishedSchema(t *testing.T) {
	published, err := os.ReadFile("docs/manifest.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if string(published) != string(bus.Manifest{}.JSONSchema()) {
		t.Error("docs/manifest.schema.json is stale: run make gen")
	}
	d := sampleDesk(t)
	for _, view := range []bus.View{{All: true}, {Caller: bus.CallerUI, Principal: d.person}, {Caller: bus.CallerAgent, Principal: d.person, Route: "counter", Budget: 3000}} {
		raw, err := d.bus.AppendManifest(t.Context(), nil, view)
		if err != nil {
			t.Fatal(err)
		}
		var m bus.Manifest
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		whole, err := d.bus.Manifest(t.Context(), view)
		if err != nil {
			t.Fatal(err)
		}
		whole.GeneratedAt = m.GeneratedAt
		if again, _ := json.Marshal(whole); string(again) != string(raw) {
			t.Errorf("%+v: joined and marshalled differ", view)
		}
		if len(m.Capabilities) < 10 {
			t.Errorf("%+v shows %d", view, len(m.Capabilities))
		}
	}
}

// The desk compiles schemas when they are first needed: here all of them are.
func TestC4EverySchemaOfTheShopCompiles(t *testing.T) {
	d := sampleDesk(t)
	at := bus.New(bus.Options{Journal: journal{d.log}, Conditions: shop.Conditions()})
	for _, c := range d.bus.Capabilities() {
		if err := at.Register(*c); err != nil {
			t.Error(err)
		}
	}
}

// sampleDesk opens a copy of the sample shop; it is closed when the test ends.
func sampleDesk(t *testing.T) *desk {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(sampleShop(t))); err != nil {
		t.Fatal(err)
	}
	d, err := openDesk(t.Context(), deskOptions{Folder: folder, Door: "cli"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.close() })
	return d
}
