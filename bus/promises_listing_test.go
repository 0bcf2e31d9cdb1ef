package bus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/internal/spelling"
	"github.com/google/go-cmp/cmp"
)

// holds: M2
func TestM2ABudgetCountsFourBytesAsAToken(t *testing.T) {
	var caps []bus.Capability
	for _, name := range []string{"a.page", "z.kept", "z.other"} {
		c := doing(name, bus.Pure, ok)
		c.Description, c.InputSchema = strings.Repeat("x", 80), json.RawMessage(`{"type":"object"}`)
		caps = append(caps, c)
	}
	caps[0].Listing.Routes = []string{"/p"}
	caps[0].Description, caps[1].Description = strings.Repeat("x", 4000), strings.Repeat("x", 6000)
	b, _, _ := bustest.New(t, caps...)
	b.MustRegister(bus.Capabilities()[:3]...)
	cost := func(names ...string) (sum int) {
		all := mustManifest(t, b, bus.View{All: true})
		for _, e := range all.Capabilities {
			if !slices.Contains(names, e.Name) {
				continue
			}
			tools, err := bus.Manifest{Capabilities: []bus.ManifestEntry{e}}.Tools()
			if err != nil || len(tools) != 1 {
				t.Fatal(err, tools)
			}
			sum += (len(tools[0].Name)+len(tools[0].Description)+len(tools[0].Parameters))/4 + 16
		}
		return sum
	}
	for name, tc := range map[string]struct {
		budget     int
		keep, want []string
	}{
		"just enough for one":           {cost("z.other"), nil, []string{"z.other"}},
		"one token less":                {cost("z.other") - 1, nil, []string{}},
		"what is kept before discovery": {cost("z.kept"), []string{"z.kept"}, []string{"z.kept"}},
		"discovery before the page": {cost("a.page"), nil,
			[]string{"capability.describe", "capability.list", "z.other"}},
		"the page before the rest": {cost("capability.list", "capability.describe", "a.page"), nil,
			[]string{"a.page", "capability.describe", "capability.list"}},
	} {
		m := mustManifest(t, b, bus.View{Caller: bus.CallerAgent, Route: "/p", Budget: tc.budget, Keep: tc.keep})
		if diff := cmp.Diff(tc.want, names(m)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// holds: M2
func TestM2ToolsAreAtMost128AndInOrder(t *testing.T) {
	entries := func(n int) (m bus.Manifest) {
		for i := range n {
			m.Capabilities = append(m.Capabilities, bus.ManifestEntry{Name: fmt.Sprintf("a.n%03d", n-i), AgentVisible: true,
				SideEffect: bus.Pure})
		}
		return m
	}
	tools, err := entries(128).Tools()
	if err != nil || len(tools) != 128 ||
		!slices.IsSortedFunc(tools, func(a, b bus.Tool) int { return strings.Compare(a.Name, b.Name) }) {
		t.Errorf("%v, %d tools", err, len(tools))
	}
	if _, err = entries(129).Tools(); err == nil || !strings.Contains(err.Error(), "129 tools are more than the 128") {
		t.Error(err)
	}
	broken := entries(1)
	broken.Capabilities[0].InputSchema = json.RawMessage(`{`)
	if tools, err := broken.Tools(); err == nil {
		t.Errorf("a schema that is none: %+v", tools)
	}
}

// holds: M2
func TestM2AToolsSchemaHasNoAnnotationsOfTheApplication(t *testing.T) {
	const given = `{"$schema":"s","x-a":1,"type":"object",
		"properties":{"x-ray":{"x-b":1,"type":"string"},"properties":{"type":"array","items":{"x-c":1}}},
		"$defs":{"x-def":{"x-d":1}},"definitions":{"x-old":{"x-e":1}},"allOf":[{"x-f":1},{"not":{"x-g":1}}],
		"if":{"x-h":1,"properties":{"y":{"x-i":1}}}}`
	const want = `{"$defs":{"x-def":{}},"allOf":[{},{"not":{}}],"definitions":{"x-old":{}},` +
		`"if":{"properties":{"y":{}}},` +
		`"properties":{"properties":{"items":{},"type":"array"},"x-ray":{"type":"string"}},"type":"object"}`
	tools, err := bus.Manifest{Capabilities: []bus.ManifestEntry{{Name: "a.b", AgentVisible: true,
		InputSchema: json.RawMessage(given)}}}.Tools()
	if err != nil || len(tools) != 1 {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(tools[0].Parameters)); diff != "" {
		t.Error(diff)
	}
	for _, empty := range []string{`{"properties":[{"x-a":1}]}`, `{"$defs":true}`} { // no schema of ours
		if _, err := (bus.Manifest{Capabilities: []bus.ManifestEntry{{Name: "a.b", AgentVisible: true,
			InputSchema: json.RawMessage(empty)}}}).Tools(); err != nil {
			t.Error(err)
		}
	}
}

// Servers that compile a schema into a grammar refuse bounds of lengths and sizes, and patterns. A property may have
// the name of a keyword.
//
// holds: M4
func TestM4AToolsSchemaHasNoBoundThatAGrammarRefuses(t *testing.T) {
	const given = `{"type":"object","minProperties":1,"maxProperties":3,"required":["title"],
		"properties":{"title":{"type":"string","title":"Title","minLength":1,"maxLength":9000},
		"maxLength":{"type":"integer","minimum":1,"maximum":5},
		"code":{"type":"string","pattern":"^[A-Z]+$","description":"A code."},
		"list":{"type":"array","minItems":1,"maxItems":5000,"uniqueItems":true,"items":{"type":"string","maxLength":4}}}}`
	const want = `{"properties":{"code":{"description":"A code. (pattern: ^[A-Z]+$)","type":"string"},` +
		`"list":{"items":{"type":"string"},"type":"array"},` +
		`"maxLength":{"maximum":5,"minimum":1,"type":"integer"},"title":{"type":"string"}},` +
		`"required":["title"],"type":"object"}`
	tools, err := bus.Manifest{Capabilities: []bus.ManifestEntry{{Name: "a.b", AgentVisible: true,
		InputSchema: json.RawMessage(given)}}}.Tools()
	if err != nil || len(tools) != 1 {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(tools[0].Parameters)); diff != "" {
		t.Error(diff)
	}
}

// holds: M1
func TestM1AManifestSaysWhatItCannotTell(t *testing.T) {
	var log strings.Builder
	o, _, clock := bustest.Options()
	o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	b := bus.New(o)
	asked, broken := 0, doing("a.broken", bus.UIOnly, ok)
	broken.Checks.Available = func(context.Context, *bus.Call) error { asked++; return errPlain }
	good, bad := doing("b.good", bus.UIOnly, ok), doing("c.bad", bus.UIOnly, ok)
	good.Listing.Current = func(context.Context, *bus.Call) (any, error) { return 5, nil }
	bad.Listing.Current = func(context.Context, *bus.Call) (any, error) { return make(chan int), nil }
	b.MustRegister(broken, good, bad)
	m := mustManifest(t, b, bus.View{All: true})
	if e := m.Capabilities[0]; e.Available || e.UnavailableReason != "Could not check whether this is available." {
		t.Errorf("%+v", e)
	}
	if m.Capabilities[1].Current != 5 || m.Capabilities[2].Current != nil || !m.Capabilities[2].Available {
		t.Errorf("%+v", m.Capabilities)
	}
	if said := log.String(); !strings.Contains(said, "capability=c.bad") || strings.Contains(said, "capability=b.good") {
		t.Error(said)
	}
	for _, step := range []struct {
		by   time.Duration
		want int
	}{{time.Second, 1}, {time.Minute - time.Second - 1, 1}, {1, 2}, {-time.Second, 3}} {
		clock.Advance(step.by)
		if mustManifest(t, b, bus.View{All: true}); asked != step.want {
			t.Errorf("%s later it was asked %d times", step.by, asked)
		}
	}
}

// holds: M6
func TestM6WhatBelongsToAnotherGroupIsNotNearer(t *testing.T) {
	last, other, same := doing("z.last", bus.Pure, ok), doing("b.other", bus.Pure, ok), doing("c.same", bus.Pure, ok)
	last.Listing.Group, other.Listing.Group, same.Listing.Group = "one", "two", "one"
	said := doing("d.said", bus.Pure, ok)
	said.Assistant.Phrases = []string{"say it"}
	b, _, _ := bustest.New(t, last, other, same, said, doing("a.none", bus.Pure, ok))
	next, err := b.NextActions(t.Context(), bus.View{All: true}, did("z.last"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"c.same", "z.last", "d.said", "a.none", "b.other"},
		names(bus.Manifest{Capabilities: next})); diff != "" {
		t.Error(diff)
	}
}

// holds: M3
func TestM3WhatASearchFinds(t *testing.T) {
	named := func(name string, change func(*bus.Capability)) bus.Capability {
		c := doing(name, bus.Pure, ok)
		c.Title, c.Description = "", "item"
		if change(&c); c.Title == "" {
			c.Title = "t"
		}
		return c
	}
	b, _, _ := bustest.New(t,
		named("a.setName", func(c *bus.Capability) { c.Title = "Item shelf" }),
		named("b.cats", func(c *bus.Capability) { c.Description = "item ga" }),
		named("c.category", func(c *bus.Capability) { c.Listing.Tags = []string{"winter"}; c.Listing.Group = "night" }),
		named("d.gas", func(c *bus.Capability) { c.Listing.Category = "heating" }),
		named("e.glass", func(c *bus.Capability) { c.Description = "item frost" }),
		named("f.glas", func(c *bus.Capability) { c.Description = "item x" }),
		named("g.glassy", func(c *bus.Capability) { c.Assistant.Phrases = []string{"polish the mirror"} }))
	b.MustRegister(bus.Capabilities()[:3]...)
	for query, want := range map[string]string{
		"name":       "a.setName",  // a part of a name in camel case
		"shelf":      "a.setName",  // a title
		"winter":     "c.category", // a tag
		"night":      "c.category", // a group
		"heating":    "d.gas",      // a category
		"mirror":     "g.glassy",   // a phrase
		"cat":        "b.cats",     // a plural is its singular, and a whole word no beginning
		"cats":       "b.cats",     //
		"catego":     "c.category", // a word that is not finished
		"gas":        "d.gas",      // three letters are no plural
		"ga":         "b.cats",     //
		"glass":      "e.glass",    // nor is a double s
		"glas":       "f.glas",     //
		"x":          "f.glas",     // one letter is a word
		"the of":     "",           // words without a meaning
		"item frost": "e.glass",    // what is rare counts more than what stands in all
	} {
		l := list(t, b, bus.CallerTest, clerk, fmt.Sprintf(`{"query":%q}`, query))
		got := slices.DeleteFunc(l.names(), func(name string) bool {
			return strings.HasPrefix(name, "capability.") ||
				strings.HasPrefix(name, "entity.")
		})
		if query == "item frost" {
			got = got[:1]
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, not %s", query, got, want)
		}
	}
	if n := bus.Search(b, "item", 2); n != 2 {
		t.Errorf("%d of the first 2", n)
	}
}

// holds: B1
func TestB1WhatIsMisspeltIsToldWhatIsNear(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2},
		{"ab", "ba", 2}, {"abcdef", "azced", 3}, {"a", "b", 1}} {
		if got := spelling.Distance(tc.a, tc.b); got != tc.want {
			t.Errorf("%q to %q: %d, not %d", tc.a, tc.b, got, tc.want)
		}
	}
	b, _, _ := bustest.New(t, doing("till.open", bus.Pure, ok), doing("till.opens", bus.Pure, ok),
		doing("till.opened", bus.Pure, ok), doing("till.opener", bus.Pure, ok), doing("stock.count", bus.Pure, ok))
	for name, want := range map[string]string{
		"till.opem":    "Did you mean till.open, till.opens, till.opened?",
		"till.opener2": "Did you mean till.opener, till.opened, till.open?",
		"Stock.Count":  "Did you mean stock.count?",
		"q.q":          "Look at the manifest for what there is.",
	} {
		r := b.Invoke(t.Context(), call(name, `{}`))
		if wantError(t, r, bus.NotFound, bus.ReasonCapability); r.Err.Hint != want {
			t.Errorf("%s: %s", name, r.Err.Hint)
		}
	}
}

// holds: C1
func TestR1ADefinitionThatCannotHoldIsRefused(t *testing.T) {
	preview := func(c bus.Capability, resources ...string) bus.Capability {
		c.Run.Preview, c.Resources = ok, resources
		return c
	}
	limited := func(l bus.RateLimit) bus.Capability {
		c := doing("a.b", bus.Pure, ok)
		c.Run.RateLimit = &l
		return c
	}
	for name, tc := range map[string]struct {
		c    bus.Capability
		want string
	}{
		"a name of 64 bytes":          {doing("a."+strings.Repeat("x", 62), bus.Pure, ok), ""},
		"a name of 65 bytes":          {doing("a."+strings.Repeat("x", 63), bus.Pure, ok), "(at most 64)"},
		"a read with a preview":       {preview(doing("a.b", bus.Pure, ok)), "has a Preview of its own"},
		"a write with a preview":      {preview(doing("a.b", bus.UIOnly, ok), "database:write"), "has a Preview of its own"},
		"a file with a preview":       {preview(doing("a.b", bus.UIOnly, ok), "filesystem:write"), ""},
		"a deletion with a preview":   {preview(doing("a.b", bus.Destructive, ok)), "has a Preview of its own"},
		"no requests in a period":     {limited(bus.RateLimit{Period: time.Second}), "must be positive"},
		"requests in no period":       {limited(bus.RateLimit{Requests: 1}), "must be positive"},
		"fewer than no requests":      {limited(bus.RateLimit{Requests: -1, Period: time.Second}), "must be positive"},
		"one request in a nanosecond": {limited(bus.RateLimit{Requests: 1, Period: 1}), ""},
		"tags of no field": {bus.Define(bus.Capability{Name: "a.b", Title: "T", Description: "D", SideEffect: bus.Pure},
			func(context.Context, *bus.Call, strayTags) (struct{}, error) { return struct{}{}, nil }), `"other"`},
		"texts of an embedded field": {bus.Define(bus.Capability{Name: "a.b", SideEffect: bus.Pure, Texts: nestedTexts},
			func(context.Context, *bus.Call, embeds) (struct{}, error) { return struct{}{}, nil }), ""},
		"texts of a nested field": {bus.Define(bus.Capability{Name: "a.b", SideEffect: bus.Pure, Texts: nestedTexts},
			func(context.Context, *bus.Call, nests) (struct{}, error) { return struct{}{}, nil }), `"deep"`},
	} {
		o, _, _ := bustest.Options()
		err := bus.New(o).Register(tc.c)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type strayTags struct {
	Name string `json:"name"`
}

func (strayTags) TagFields() map[string]string {
	return map[string]string{"other": `jsonschema:"minLength=1"`}
}

type inner struct {
	Deep string `json:"deep"`
}

type embeds struct {
	inner
	label
}

// label is embedded and has no fields of its own.
type label string

var _ = embeds{}.label

type nests struct {
	Inner inner `json:"inner"`
}

const nestedTexts = `
a.b: Do it
	Does it.

embeds:
	deep: How deep.

nests:
	deep: How deep.
`
