package e2e

import (
	"cmp"
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/shop"
)

// holds: M1
func TestM1TheShopsManifestFitsThePublishedSchema(t *testing.T) {
	published, err := os.ReadFile("docs/manifest.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if string(published) != string(bus.Manifest{}.JSONSchema()) {
		t.Error("docs/manifest.schema.json is stale: run make gen")
	}
	d := desktest.Sample(t, desk.Options{Door: "cli"})
	for _, view := range []bus.View{{All: true}, {Caller: bus.CallerUI, Principal: d.Person},
		{Caller: bus.CallerAgent, Principal: d.Person, Route: "counter", Budget: 3000}} {
		raw, err := d.Bus.AppendManifest(t.Context(), nil, view)
		if err != nil {
			t.Fatal(err)
		}
		var m bus.Manifest
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		whole, err := d.Bus.Manifest(t.Context(), view)
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

// The desk compiles schemas when they are first needed: here all of them are, and its hints lead somewhere.
// holds: C4 C7 C15
func TestC4EverySchemaOfTheShopCompiles(t *testing.T) {
	d := desktest.Sample(t, desk.Options{Door: "cli"})
	at := bus.New(bus.Options{Journal: desk.Journal{Log: d.Log}, Conditions: shop.Conditions()})
	for _, c := range d.Bus.Capabilities() {
		if err := at.Register(*c); err != nil {
			t.Error(err)
		}
	}
	if err := at.Check(); err != nil {
		t.Error(err)
	}
}

// TestPeopleReadShortWordsWithoutNames: what stands under a title names no capability, and fits the palette.
func TestPeopleReadShortWordsWithoutNames(t *testing.T) {
	d := desktest.Sample(t, desk.Options{Door: "cli"})
	m, err := d.Bus.Manifest(t.Context(), bus.View{All: true})
	if err != nil {
		t.Fatal(err)
	}
	first := regexp.MustCompile(`^.*?[.!?](?:\s|$)`)
	for _, c := range m.Capabilities {
		help := cmp.Or(c.Help, first.FindString(c.Description))
		if len(help) > 130 || d.Bus.ForPeople(&bus.Error{Message: help}).Message != help {
			t.Errorf("%s: %q: write a line beginning with ? in its texts", c.Name, help)
		}
	}
}
