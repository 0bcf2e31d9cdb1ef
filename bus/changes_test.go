package bus_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

// holds: C18
func TestC18ADomainThatIsNotDeclaredFailsTheCall(t *testing.T) {
	says := func(domain string, declared ...string) bus.Capability {
		c := doing("pad.say", bus.UIOnly, func(_ context.Context, c *bus.Call) (json.RawMessage, error) {
			c.Changed(domain, "it changed")
			return nil, nil
		})
		c.Changes = declared
		return c
	}
	for name, tc := range map[string]struct {
		c    bus.Capability
		want bus.Status
	}{
		"its own, by default":   {says("pad"), bus.StatusSuccess},
		"another, by default":   {says("shelf"), bus.StatusError},
		"declared":              {says("shelf", "pad", "shelf"), bus.StatusSuccess},
		"its own, but left out": {says("pad", "shelf"), bus.StatusError},
		"any":                   {says("shelf", "*"), bus.StatusSuccess},
	} {
		b, _, _ := bustest.New(t, tc.c)
		if r := b.Invoke(t.Context(), call("pad.say", `{}`)); r.Status != tc.want {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// holds: C18
func TestC18TheManifestSaysWhatIsChangedAndProvided(t *testing.T) {
	nothing := func(context.Context, *bus.Call) (json.RawMessage, error) { return nil, nil }
	none := doing("pad.suggest", bus.Pure, nothing)
	none.Provides = []string{}
	lists := doing("pen.list", bus.Pure, nothing)
	lists.Provides, lists.Entities = []string{"pen", "ink"}, []bus.Entity{{Type: "pen", Title: "Pen", List: "/pens"}}
	b, _, _ := bustest.New(t, append(bus.Capabilities(), none, lists, doing("pad.say", bus.UIOnly, nothing),
		doing("pad.show", bus.Pure, nothing))...)
	m, err := b.Manifest(t.Context(), bus.View{All: true})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][2][]string{}
	for _, e := range m.Capabilities {
		got[e.Name] = [2][]string{e.Changes, e.Provides}
	}
	for name, want := range map[string][2][]string{
		"pad.say":      {{"pad"}, nil},
		"pad.show":     {nil, {"pad"}},
		"pad.suggest":  {nil, {}},
		"plan.propose": {{"*"}, nil},
		"entity.names": {nil, {"ink", "pen"}},
	} {
		if diff := cmp.Diff(want, got[name]); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", name, diff)
		}
	}
	wrong := doing("pad.keep", bus.UIOnly, nothing)
	wrong.Provides = []string{"pad"}
	misspelt := doing("pad.write", bus.UIOnly, nothing)
	misspelt.Changes = []string{"a pad"}
	for _, c := range []bus.Capability{wrong, misspelt} {
		if err := b.Register(c); err == nil {
			t.Errorf("%s was registered", c.Name)
		}
	}
}
