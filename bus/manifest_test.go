package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func noCheck(context.Context, *bus.Call) error { return nil }

// everything is a capability that has something in every field of its entry.
func everything() bus.Capability {
	return bus.Capability{
		Name: "full.set", Title: "Set <it> & all", Help: "Set & go",
		Description: "Sets \"it\"; `,\"available\":true` is no state.",
		Version:     "2.1.0", Since: "1.4", Type: bus.TypeControl, SideEffect: bus.UIOnly, Permissions: []string{"till:write",
			"till.open"},
		InputSchema: json.RawMessage(`{"type":"object","default":{"x":1,"available":true},
			"properties":{"x":{"x-entity":"coin"},"query":{},"sort":{},"cursor":{}}}`),
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"nextCursor":{}}}`),
		Resources:    []string{"database:write"}, Facts: []string{"f"}, Reversible: true, Handler: ok,
		Listing: bus.Listing{
			Category:     "c",
			Group:        "g",
			Tags:         []string{"t"},
			Routes:       []string{"/r"},
			Shortcut:     "F9",
			Passive:      true,
			RefreshEvery: 5 * time.Second,
			Public:       true,
			Current: func(context.Context, *bus.Call) (any, error) {
				return map[string]any{"theme": "<dark>"},
					nil
			},
		},
		Checks: bus.Checks{
			Access:        bus.Access{User: bus.RuleAllow, Agent: bus.RuleConfirm},
			Preconditions: []bus.Precondition{{Name: "p", Message: "m", Hint: "h", Check: noCheck}},
			Requires:      []string{"till.read"},
		},
		Run: bus.Run{
			Concurrency: "till",
			QueueDepth:  3,
			RateLimit:   &bus.RateLimit{Requests: 5, Period: time.Minute, Burst: 2},
			Timeout:     time.Second,
			Retry: &bus.RetryPolicy{MaxAttempts: 3, InitialDelay: time.Second, BackoffMultiplier: 2,
				MaxDelay: 4 * time.Second, RetryOn: []bus.Reason{bus.ReasonNetwork}},
			Idempotent:       true,
			KeepResult:       true,
			ExecutionContext: "client",
			Location:         "https://example.com",
			CostEstimate:     map[string]string{"USD": "0.01"},
			Background:       true,
		},
		Assistant: bus.Assistant{Grantable: []string{"f"}, Phrases: []string{"set it"}, Only: true},
	}
}

// coins lists records that an input of everything is the id of.
func coins() bus.Capability {
	c := doing("coin.list", bus.Pure, ok)
	c.Entities = []bus.Entity{{Type: "coin", Title: "Coin", List: "/coins", Link: "coins/{id}", Get: "coin.get"}}
	return c
}

// shops makes the applications whose manifests the tests look at.
func applications(t *testing.T) map[string]*bus.Bus {
	t.Helper()
	with := func(caps ...bus.Capability) *bus.Bus {
		o, _, _ := bustest.Options()
		o.Conditions = map[string]func(context.Context, *bus.Call) error{
			"till.open": func(context.Context, *bus.Call) error { return bus.ErrUnmet }}
		b := bus.New(o)
		b.MustRegister(caps...)
		return b
	}
	return map[string]*bus.Bus{"empty": with(), "one": with(read()), "till": with(add(), read(), everything(), coins(),
		other("till.do", bus.Access{})),
		"many": with(many(200)...)}
}

func mustManifest(t *testing.T, b *bus.Bus, v bus.View) bus.Manifest {
	t.Helper()
	m, err := b.Manifest(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// holds: M1
func TestM1EveryManifestFitsThePublishedSchema(t *testing.T) {
	for name, b := range applications(t) {
		raw, err := b.AppendManifest(t.Context(), nil, bus.View{All: true})
		if err != nil {
			t.Fatal(err)
		}
		var back bus.Manifest
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if again, _ := json.Marshal(back); string(again) != string(raw) {
			t.Errorf("%s: opened and written again it is another:\n%s\n%s", name, raw, again)
		}
	}
}

// TestM1ThePublishedSchemaKnowsEveryField closes the schema for the test: a field
// that a manifest has and the schema does not describe is then a violation.
// holds: M1
func TestM1ThePublishedSchemaKnowsEveryField(t *testing.T) {
	var close func(node any)
	close = func(node any) {
		m, ok := node.(map[string]any)
		if !ok {
			return
		}
		if m["properties"] != nil {
			m["additionalProperties"] = false
		}
		for _, sub := range m {
			close(sub)
		}
	}
	var doc any
	if err := json.Unmarshal(bus.Manifest{}.JSONSchema(), &doc); err != nil {
		t.Fatal(err)
	}
	close(doc)
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///closed", doc); err != nil {
		t.Fatal(err)
	}
	closed, err := c.Compile("mem:///closed")
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := json.Marshal(mustManifest(t, applications(t)["till"], bus.View{All: true}))
	value, _ := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
	if err := closed.Validate(value); err != nil {
		t.Error(err)
	}
	entry := doc.(map[string]any)["$defs"].(map[string]any)["entry"].(map[string]any)["properties"].(map[string]any)
	for field := range entry {
		if !strings.Contains(string(raw), `"`+field+`":`) {
			t.Errorf("the schema describes %s, and no manifest has it", field)
		}
	}
}

// holds: C3
func TestC3AForeignManifestIsOpenedWithoutCompilingItsSchemas(t *testing.T) {
	var m bus.Manifest
	err := json.Unmarshal([]byte(
		`{"schema_version":"0.1.0","application":{"name":"my-store","version":"2.4.1"},"generated_at":"2026-02-08T12:00:00Z","vendor":{"x":1},
		"capabilities":[{"name":"checkout.submit","description":"Submit.","side_effect":"destructive","permissions":["checkout.ready"],"concurrency":"exclusive","available":true,
		"unavailable_reason":null,"input_schema":{"type":"object","unevaluatedProperties":false,"properties":{"x":{"$ref":"https://example.com/x","format":"color"}}}}]}`), &m)
	if err != nil {
		t.Fatal(err)
	}
	e := m.Capabilities[0]
	if e.Title != "checkout.submit" || e.Version != "1.0.0" || e.Type != bus.TypeAction || !e.AgentVisible ||
		!strings.Contains(string(e.InputSchema), "color") {
		t.Errorf("%+v", e)
	}
}

// holds: M1
func TestM1WhatIsNoManifestIsRefusedWithItsViolations(t *testing.T) {
	const head = `{"schema_version":"0.2.0","application":{"name":"a","version":"1"},"generated_at":"2026-02-08T12:00:00Z","capabilities":[`
	for name, text := range map[string]string{
		"not JSON":          `{`,
		"a list":            `[]`,
		"another major":     strings.Replace(head, "0.2.0", "1.0.0", 1) + `]}`,
		"no side effect":    head + `{"name":"a.b","description":"x","available":true}]}`,
		"unknown class":     head + `{"name":"a.b","description":"x","available":true,"side_effect":"nice"}]}`,
		"name with a space": head + `{"name":"a b","description":"x","available":true,"side_effect":"pure"}]}`,
		"the same one twice": head +
			`{"name":"a.b","description":"x","available":true,"side_effect":"pure"},{"name":"a.b","description":"x","available":true,"side_effect":"pure"}]}`,
		"a huge number": head + `{"name":"a.b","description":"x","available":true,"side_effect":"pure","timeout_ms":1e40}]}`,
	} {
		var e *bus.Error
		if err := new(bus.Manifest).UnmarshalJSON([]byte(text)); !errors.As(err, &e) || e.Code != bus.Validation {
			t.Errorf("%s: %v", name, err)
		}
	}
	err := new(bus.Manifest).UnmarshalJSON([]byte(head + `{"description":"","available":1,"side_effect":"pure"}]}`))
	var e *bus.Error
	if errors.As(err, &e); len(e.Violations) != 3 || e.Violations[1].Path != "/capabilities/0/available" {
		t.Errorf("%+v", e)
	}
}

// holds: M2
func TestM2SameStateSameBytesHoweverTheyAreMade(t *testing.T) {
	for name, b := range applications(t) {
		for _, view := range []bus.View{{All: true}, {Caller: bus.CallerAgent, Principal: clerk},
			{Caller: bus.CallerUI, Principal: clerk, Route: "/invoice"}, {Caller: bus.CallerUI}} {
			whole, err := json.Marshal(mustManifest(t, b, view))
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				joined, err := b.AppendManifest(t.Context(), []byte("before "), view)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff("before "+string(whole), string(joined)); d != "" {
					t.Fatalf("%s %+v (-marshalled +joined):\n%s", name, view, d)
				}
			}
		}
	}
}

// TestM2StatesAreWhatAManifestSaysOfThePresent takes them apart from the manifest of the same view.
// holds: M2
func TestM2StatesAreWhatAManifestSaysOfThePresent(t *testing.T) {
	type entry struct {
		Name      string `json:"name"`
		Available bool   `json:"available"`
		Reason    string `json:"unavailable_reason"`
		Current   any    `json:"current"`
	}
	for name, b := range applications(t) {
		for _, view := range []bus.View{{All: true}, {Caller: bus.CallerUI, Principal: clerk, Route: "/invoice"},
			{Caller: bus.CallerUI}} {
			read := func(raw []byte, err error) (list []entry) {
				t.Helper()
				var m struct{ Capabilities []entry }
				if err == nil {
					err = json.Unmarshal(raw, &m)
				}
				if err != nil {
					t.Fatalf("%s: %v: %s", name, err, raw)
				}
				return m.Capabilities
			}
			want := read(b.AppendManifest(t.Context(), nil, view))
			got := read(b.AppendStates(t.Context(), nil, view))
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s %+v (-manifest +states):\n%s", name, view, d)
			}
		}
	}
}

func names(m bus.Manifest) []string {
	list := []string{}
	for _, e := range m.Capabilities {
		list = append(list, e.Name)
	}
	return list
}

// holds: M2
func TestM2TheBudgetKeepsWhatIsNeededMost(t *testing.T) {
	var caps []bus.Capability
	for _, name := range []string{"a.one", "a.two", "a.three", "b.one", "b.two", "c.one", "p.one", "q.one"} {
		caps = append(caps, doing(name, bus.Pure, ok))
	}
	caps[6].Listing.Routes, caps[7].Listing.Routes = []string{"/p"}, []string{"/q"}
	b, _, _ := bustest.New(t, caps...)
	b.MustRegister(bus.Capabilities()[:3]...)
	cost := func(names ...string) int { // what these alone cost: the least budget that shows them all
		for budget := 1; ; budget++ {
			m := mustManifest(t, b, bus.View{Caller: bus.CallerAgent, Budget: budget, Keep: names})
			if shown := 0; budget > 10_000 || func() bool {
				for _, e := range m.Capabilities {
					if slices.Contains(names, e.Name) {
						shown++
					}
				}
				return shown == len(names)
			}() {
				return budget
			}
		}
	}
	finder, each := cost("capability.list", "capability.describe"), cost("a.one")
	for name, tc := range map[string]struct {
		view bus.View
		want []string
	}{
		"discovery stays longest": {bus.View{Budget: finder}, []string{"capability.describe", "capability.list"}},
		"then the page's": {bus.View{Budget: finder + each, Route: "/p"},
			[]string{"capability.describe", "capability.list", "p.one"}},
		"then each domain in turn": {bus.View{Budget: finder + 4*each, Route: "/p"},
			[]string{"a.one", "b.one", "c.one", "capability.describe", "capability.list", "p.one"}},
		"kept before discovery": {bus.View{Budget: each, Keep: []string{"b.two", "a.two"}}, []string{"b.two"}},
		"kept from another page": {bus.View{Budget: 10_000, Route: "/p", Keep: []string{"q.one"}},
			[]string{"a.one", "a.three", "a.two", "b.one", "b.two", "c.one", "capability.describe", "capability.list", "p.one",
				"q.one"}},
		"without a budget by route": {bus.View{Route: "/q", Keep: []string{"no.such"}},
			[]string{"a.one", "a.three", "a.two", "b.one", "b.two", "c.one", "capability.describe", "capability.list", "q.one"}},
		"a budget too small for each": {bus.View{Budget: 1}, []string{}},
	} {
		tc.view.Caller = bus.CallerAgent
		if d := cmp.Diff(tc.want, names(mustManifest(t, b, tc.view))); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// holds: M2
func TestM2KeepDoesNotShowWhatTheViewerMayNotSee(t *testing.T) {
	hidden := doing("p.hidden", bus.Pure, ok)
	hidden.Assistant.Hidden = true
	b, _, _ := bustest.New(t, hidden, add())
	keep := []string{"p.hidden", "till.add"}
	if got := names(mustManifest(t, b, bus.View{Caller: bus.CallerAgent, Keep: keep, Budget: 1000})); len(got) != 1 {
		t.Errorf("an agent sees %v", got)
	}
	if got := names(mustManifest(t, b, bus.View{Caller: bus.CallerUI, Principal: bus.Principal{ID: "x"},
		Keep: keep})); len(got) != 1 {
		t.Errorf("somebody without a scope sees %v", got)
	}
}

// holds: M2
func TestM2WithABudgetThereAreNeverTooManyTools(t *testing.T) {
	b, _, _ := bustest.New(t, many(300)...)
	m := mustManifest(t, b, bus.View{Caller: bus.CallerAgent, Budget: 1_000_000})
	if tools, err := m.Tools(); err != nil || len(tools) != 128 {
		t.Errorf("%d tools, %v", len(tools), err)
	}
	if _, err := mustManifest(t, b, bus.View{Caller: bus.CallerAgent}).Tools(); err == nil {
		t.Error("300 tools are not refused")
	}
	caps := many(200)
	for i := range caps[:100] {
		caps[i].Checks.Access.Agent = bus.RuleDeny
	}
	b, _, _ = bustest.New(t, caps...)
	m = mustManifest(t, b, bus.View{Caller: bus.CallerAgent, Budget: 1_000_000})
	if tools, err := m.Tools(); err != nil || len(tools) != 100 {
		t.Errorf("%d tools of 100, beside 100 that are none: %v", len(tools), err)
	}
}

// holds: M2
func TestM2WhatIsLeftOutDoesNotDependOnTheState(t *testing.T) {
	open := true
	caps := many(60)
	for i := range caps {
		caps[i].Checks.Requires = nil
		caps[i].Checks.Available = func(context.Context, *bus.Call) error {
			if open {
				return nil
			}
			return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "closed")
		}
	}
	b, _, clock := bustest.New(t, caps...)
	view := bus.View{Caller: bus.CallerAgent, Principal: clerk, Budget: 800}
	before := names(mustManifest(t, b, view))
	open = false
	clock.Advance(time.Hour)
	m := mustManifest(t, b, view)
	if d := cmp.Diff(before, names(m)); d != "" || m.Capabilities[0].UnavailableReason != "closed" || len(before) > 20 {
		t.Errorf("%d shown, first %+v:\n%s", len(before), m.Capabilities[0], d)
	}
}

func TestAPeriodIsWrittenWithoutUnitsThatAreZero(t *testing.T) {
	for d, want := range map[time.Duration]string{time.Hour: "1h", 24 * time.Hour: "24h", time.Minute: "1m",
		90 * time.Minute: "1h30m", 10 * time.Second: "10s", 61 * time.Second: "1m1s", time.Hour + time.Second: "1h0m1s",
		500 * time.Millisecond: "500ms"} {
		c := doing("bell.ring", bus.Pure, ok)
		c.Run.RateLimit = &bus.RateLimit{Requests: 1, Period: d}
		b := bus.New(bus.Options{Journal: &bustest.Journal{}})
		if err := b.Register(c); err != nil {
			t.Fatal(err)
		}
		m, err := b.Manifest(t.Context(), bus.View{All: true})
		raw, bad := json.Marshal(m)
		if err := errors.Join(err, bad); err != nil || !strings.Contains(string(raw), `"period":"`+want+`"`) {
			t.Errorf("%v: %v, %s", d, err, raw)
		}
	}
}
