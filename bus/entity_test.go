package bus_test

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

type penIn struct {
	PenID string `json:"penId" x:"entity=pen"`
}

type inkIn struct {
	PenID string `json:"penId" x:"entity=pen"`
	InkID string `json:"inkId" x:"entity=ink"`
}

type penOut struct {
	ID    string   `json:"id"`
	Brand string   `json:"brand"`
	Name  string   `json:"name"`
	Inks  []record `json:"inks"`
}

type record struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// pens is an application with two kinds of records; who may read them holds desk:read.
func pens() []bus.Capability {
	define := func(name string, effect bus.SideEffect) bus.Capability {
		return bus.Capability{Name: name, Title: name, Description: name, SideEffect: effect,
			Permissions: []string{"desk:read"}}
	}
	list, get, drawer := define("pen.list", bus.Pure), define("pen.get", bus.Pure), define("drawer.open", bus.Pure)
	list.Entities = []bus.Entity{{Type: "pen", Title: "Pen", List: "/pens", Get: "pen.get", Display: "{brand} {name}",
		Link: "pens/{id}"}}
	get.Entities = []bus.Entity{{Type: "ink", Title: "Ink", List: "/inks", Resolve: func(_ context.Context, _ *bus.Call,
		ids []string) (map[string]string, error) {
		known := map[string]string{"i1": "Black"}
		maps.DeleteFunc(known, func(id, _ string) bool { return !strings.Contains(strings.Join(ids, " "), id) })
		return known, nil
	}}}
	drawer.Entities = []bus.Entity{{Type: "ink", List: "/inks"}, {Type: "nib", Title: "Nib", List: "/nibs"}}
	return []bus.Capability{
		bus.Define(list, func(context.Context, *bus.Call, struct{}) (out struct {
			Pens []record `json:"pens"`
		}, err error) {
			out.Pens = []record{{"p1", "No. 5"}}
			return out, nil
		}),
		bus.Define(get, func(_ context.Context, _ *bus.Call, in penIn) (penOut, error) {
			if in.PenID != "p1" {
				return penOut{}, bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such pen.")
			}
			return penOut{"p1", "Goose", "No. 5", []record{{"i1", "Black"}}}, nil
		}),
		bus.Define(drawer, func(_ context.Context, _ *bus.Call, in struct {
			Most int `json:"most,omitempty" jsonschema:"default=2"`
		}) (out struct {
			Inks []record `json:"inks"`
			Nibs []record `json:"nibs"`
		}, err error) {
			out.Nibs = []record{{"n1", "Fine"}, {"n2", "Broad"}}[:in.Most]
			return out, nil
		}),
		bus.Define(define("pen.fill", bus.UIOnly), func(context.Context, *bus.Call, inkIn) (struct{}, error) {
			return struct{}{}, nil
		}),
		bus.Define(define("ink.buy", bus.UIOnly), func(context.Context, *bus.Call, struct {
			InkID string `json:"inkId" x:"entity=ink"`
		}) (struct{}, error) {
			return struct{}{}, nil
		}),
	}
}

// holds: C17
func TestC17AnIDIsFoundInTheListThatTheCallLeadsTo(t *testing.T) {
	b, _, _ := bustest.New(t, pens()...)
	if err := b.Check(); err != nil {
		t.Fatal(err)
	}
	for capability, want := range map[string]map[string]string{
		"pen.fill": {"pen": "pen.list#/pens", "ink": "pen.get#/inks"}, // it says which pen
		"ink.buy":  {"ink": "drawer.open#/inks"},
		"pen.list": nil,
	} {
		if d := cmp.Diff(want, b.Sources(capability)); d != "" {
			t.Errorf("%s (-want +got):\n%s", capability, d)
		}
	}
	m := mustManifest(t, b, bus.View{Principal: bus.Principal{ID: "p", Scopes: []string{"desk:read"}}})
	raw, _ := json.Marshal(m.Entities)
	const want = `[{"type":"ink","title":"Ink","display":"{name}","sources":["drawer.open#/inks","pen.get#/inks"]},` +
		`{"type":"nib","title":"Nib","display":"{name}","sources":["drawer.open#/nibs"]},` +
		`{"type":"pen","title":"Pen","get":"pen.get","display":"{brand} {name}","link":"pens/{id}",` +
		`"sources":["pen.list#/pens"]}]`
	if d := cmp.Diff(want, string(raw)); d != "" {
		t.Error(d)
	}
	if m := mustManifest(t, b, bus.View{Principal: bus.Principal{ID: "p"}}); len(m.Entities) > 0 {
		t.Errorf("somebody without rights is told of %v", m.Entities)
	}
}

// holds: C17
func TestC17NamesAreResolvedAsTheViewer(t *testing.T) {
	b, j, _ := bustest.New(t, pens()...)
	b.MustRegister(bus.Capabilities()[:3]...)
	reader := bus.Principal{ID: "p", Scopes: []string{"desk:read"}}
	for _, tc := range []struct {
		who    bus.Principal
		entity string
		ids    []string
		want   map[string]string
	}{
		{reader, "pen", []string{"p1", "p2"}, map[string]string{"p1": "Goose No. 5"}},
		{reader, "ink", []string{"i1", "i2"}, map[string]string{"i1": "Black"}},
		{reader, "nib", []string{"n2", "n3"}, map[string]string{"n2": "Broad"}},
		{bus.Principal{ID: "q"}, "nib", []string{"n2"}, nil},
		{bus.Principal{ID: "q"}, "pen", []string{"p1"}, nil},
		{bus.Principal{ID: "q"}, "ink", []string{"i1"}, nil},
		{reader, "desk", []string{"d1"}, nil},
	} {
		got, err := b.Names(t.Context(), tc.who, tc.entity, tc.ids...)
		if d := cmp.Diff(tc.want, got); err != nil || d != "" {
			t.Errorf("%s of %s: %v %s", tc.entity, tc.who.ID, err, d)
		}
	}
	if len(j.Entries()) > 0 {
		t.Error("a name leaves a record")
	}
	inv := call("entity.names", `{"records":[{"entity":"pen","id":"p1"},{"entity":"pen","id":"x"},{"entity":"ink","id":"i1"}]}`)
	inv.Principal = reader
	out, err := bus.Invoke[json.RawMessage](t.Context(), b, inv, nil)
	const want = `{"records":[{"entity":"ink","id":"i1","name":"Black"},{"entity":"pen","id":"p1","name":"Goose No. 5"}]}`
	if err != nil || string(out) != want {
		t.Errorf("%s, %v", out, err)
	}
}

// holds: C17
func TestC17WhoMayNotReadARecordReadsItsID(t *testing.T) {
	caps := pens()
	for i := range caps {
		switch caps[i].Name {
		case "pen.get":
			caps[i].Checks.Limit = bus.Check(func(_ context.Context, call *bus.Call, in penIn) error {
				if call.Person.ID != "p" {
					return bus.Errorf(bus.Forbidden, bus.ReasonLimit, "That pen is not yours.")
				}
				return nil
			})
		case "drawer.open":
			caps[i].Checks.Available = func(_ context.Context, call *bus.Call) error {
				if call.Person.ID != "p" {
					return bus.ErrUnmet
				}
				return nil
			}
		}
	}
	b, _, _ := bustest.New(t, caps...)
	for _, tc := range []struct{ person, entity, id, want string }{
		{"p", "pen", "p1", "Goose No. 5"}, {"q", "pen", "p1", ""}, {"p", "nib", "n2", "Broad"}, {"q", "nib", "n2", ""},
	} {
		names, err := b.Names(t.Context(), bus.Principal{ID: tc.person, Scopes: []string{"desk:read"}}, tc.entity, tc.id)
		if err != nil || names[tc.id] != tc.want {
			t.Errorf("%s of %s for %s: %v, %v", tc.entity, tc.id, tc.person, names, err)
		}
	}
}

// holds: C17
func TestC17WhatIsWrongWithAnEntityIsRefused(t *testing.T) {
	broken := func(change func(c []bus.Capability)) error {
		caps := pens()
		change(caps)
		o, _, _ := bustest.Options()
		b := bus.New(o)
		if err := b.Register(caps...); err != nil {
			return err
		}
		return b.Check()
	}
	for want, change := range map[string]func(c []bus.Capability){
		`is not a word`:                         func(c []bus.Capability) { c[0].Entities[0].Type = "a pen" },
		`the output has no list "/quills"`:      func(c []bus.Capability) { c[0].Entities[0].List = "/quills" },
		`without a title it has nothing but`:    func(c []bus.Capability) { c[0].Entities[0].Title = "" },
		`has a title in drawer.open too`:        func(c []bus.Capability) { c[2].Entities[0].Title = "Ink" },
		`no capability gives it a title`:        func(c []bus.Capability) { c[1].Entities = nil },
		`lists records of x-entity "pen"`:       func(c []bus.Capability) { c[0].Entities = nil },
		`"pen.list" is no pure capability that`: func(c []bus.Capability) { c[0].Entities[0].Get = "pen.list" },
		`"pen.gone" is no pure capability that`: func(c []bus.Capability) { c[0].Entities[0].Get = "pen.gone" },
		`have no field {colour} to display`:     func(c []bus.Capability) { c[2].Entities[1].Display = "{colour}" },
		`"pen.get" has no field {colour} to`:    func(c []bus.Capability) { c[0].Entities[0].Display = "{colour} {name}" },
		`only a pure capability lists records`: func(c []bus.Capability) {
			c[4].Entities = []bus.Entity{{Type: "ink", List: "/inks"}}
		},
	} {
		if err := broken(change); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
