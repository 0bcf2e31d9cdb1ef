package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

// entry is one capability of a manifest, as it is on the wire.
func entry(t *testing.T, c bus.Capability) map[string]any {
	t.Helper()
	b, _, _ := bustest.New(t, c)
	m, err := b.Manifest(t.Context(), bus.View{All: true})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(m.Capabilities[0])
	if err != nil {
		t.Fatal(err)
	}
	var e map[string]any
	if err := json.Unmarshal(raw, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// has checks fields of a manifest entry; nil is absent.
func has(t *testing.T, e map[string]any, want map[string]any) {
	t.Helper()
	got := map[string]any{}
	for name := range want {
		got[name] = e[name]
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// holds: C2
func TestC2TypesAreFiveAndAControlCarriesItsValue(t *testing.T) {
	has(t, entry(t, doing("a.b", bus.Pure, ok)), map[string]any{"type": "action", "current": nil})
	for _, kind := range []bus.Type{bus.TypeAction, bus.TypeData, bus.TypeState, bus.TypeControl, bus.TypeStatus} {
		c := doing("a.b", bus.Pure, ok)
		c.Type = kind
		c.Listing.Current = func(context.Context, *bus.Call) (any, error) { return map[string]any{"theme": "dark"}, nil }
		has(t, entry(t, c), map[string]any{"type": string(kind), "current": map[string]any{"theme": "dark"}})
	}
	c := doing("a.b", bus.Pure, ok)
	c.Type, c.Listing.Current = bus.TypeControl, func(context.Context, *bus.Call) (any, error) { return nil, errPlain }
	has(t, entry(t, c), map[string]any{"type": "control", "current": nil})
	c.Type = "gadget"
	o, _, _ := bustest.Options()
	if err := bus.New(o).Register(c); err == nil || !strings.Contains(err.Error(), "gadget") {
		t.Errorf("a sixth type: %v", err)
	}
}

// TestC5TheSideEffectDecidesWhatAHandlerCanTouch: a pure one cannot write, a
// network one runs between its note and its record and in no transaction.
// holds: C5
func TestC5TheSideEffectDecidesWhatAHandlerCanTouch(t *testing.T) {
	for effect, want := range map[bus.SideEffect]struct{ row, noted bool }{
		bus.Pure: {}, bus.UIOnly: {row: true}, bus.Destructive: {row: true}, bus.Network: {noted: true},
	} {
		var j *bustest.Journal
		var wrote error
		noted := false
		c := doing("a.b", effect, func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
			wrote = bustest.Tables(ctx).Set("t", "1", map[string]any{"x": 1})
			if effect == bus.Network {
				noted = len(j.Inflight()) == 1
			}
			return nil, nil
		})
		var b *bus.Bus
		b, j, _ = bustest.New(t, c)
		wantOK(t, b.Invoke(t.Context(), call("a.b", `{}`)))
		if row := j.Row("t", "1") != nil; row != want.row || (wrote == nil) != want.row || noted != want.noted ||
			len(j.Inflight()) != 0 {
			t.Errorf("%s: row %v, error %v, noted %v, still noted %v", effect, row, wrote, noted, j.Inflight())
		}
		if got := records(t, j, 1).SideEffect; got != effect {
			t.Errorf("%s is recorded as %s", effect, got)
		}
	}
}

// holds: C6
func TestC6EveryScopeIsNeededAndAccessIsPerCallerKind(t *testing.T) {
	c := doing("a.b", bus.UIOnly, ok)
	c.Permissions = []string{"till:read", "till:write"}
	b, _, _ := bustest.New(t, c)
	for _, kind := range []bus.CallerType{bus.CallerUI, bus.CallerCLI, bus.CallerTest, bus.CallerAgent} {
		for scopes, allowed := range map[string]bool{"": false, "till:read": false, "till:write": false, "till:*": false,
			"till:read till:write": true, "*": true} {
			inv := call("a.b", `{}`)
			inv.Caller.Type, inv.Principal.Scopes = kind, strings.Fields(scopes)
			if r := b.Invoke(t.Context(), inv); r.OK() != allowed {
				t.Errorf("%s with %q: %s", kind, scopes, wire(t, r))
			}
		}
	}
	for rule, want := range map[bus.Rule][2]string{
		"":              {"", "FORBIDDEN/declined"}, // an agent's destructive call is asked, and nobody is there
		bus.RuleAllow:   {"", ""},
		bus.RuleConfirm: {"FORBIDDEN/declined", "FORBIDDEN/declined"},
		bus.RuleDeny:    {"FORBIDDEN/permission", "FORBIDDEN/agent_forbidden"},
	} {
		c := doing("a.b", bus.Destructive, ok)
		c.Checks.Access = bus.Access{User: rule, Agent: rule}
		b, _, _ := bustest.New(t, c)
		for i, kind := range []bus.CallerType{bus.CallerUI, bus.CallerAgent} {
			inv := call("a.b", `{}`)
			inv.Caller.Type = kind
			got := ""
			if r := b.Invoke(t.Context(), inv); !r.OK() {
				got = string(r.Err.Code) + "/" + string(r.Err.Reason)
			}
			if got != want[i] {
				t.Errorf("%q for %s: %q, want %q", rule, kind, got, want[i])
			}
		}
	}
}

// TestC7PreconditionsAreAskedInOrderAndAgainInside: what held when the person was
// asked may not hold when it counts.
// holds: C7
func TestC7PreconditionsAreAskedInOrderAndAgainInside(t *testing.T) {
	var asked []string
	fail := ""
	check := func(name string) bus.Precondition {
		return bus.Precondition{Name: name, Message: name + " is missing.", Hint: "Invoke a." + name + ".",
			Check: func(context.Context, *bus.Call) error {
				asked = append(asked, name)
				if name == fail {
					return bus.ErrUnmet
				}
				return nil
			}}
	}
	c := add()
	c.Checks.Preconditions = []bus.Precondition{check("one"), check("two")}
	a := &approver{say: func(n int, p *bus.Preview) bus.Decision {
		fail = "two"
		return yes(n, p)
	}}
	b, j := withApprover(t, a, c)
	r := b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":1}`)))
	wantError(t, r, bus.PreconditionFailed, bus.ReasonPrecondition)
	if r.Err.Message != "two is missing." || r.Err.Hint != "Invoke a.two." {
		t.Errorf("%s", wire(t, r))
	}
	if d := cmp.Diff([]string{"one", "two", "one", "two"}, asked); d != "" || j.Row("till", "main") != nil {
		t.Errorf("asked (-want +got):\n%s\nrow %v", d, j.Row("till", "main"))
	}
	records(t, j, 1)
}

// holds: C11
func TestC11MetadataIsCarried(t *testing.T) {
	c := doing("a.b", bus.Pure, ok)
	c.Listing.Passive, c.Assistant.Only, c.Listing.Public = true, true, true
	c.Listing.RefreshEvery = 30 * time.Second
	has(t, entry(t, c), map[string]any{"passive": true,
		"agent_only": true, "agent_visible": true, "refresh_interval_seconds": 30.0, "public": true})
	c = doing("a.b", bus.Pure, ok)
	c.Assistant.Hidden = true
	has(t, entry(t, c), map[string]any{"agent_visible": false, "agent_only": nil, "public": nil,
		"refresh_interval_seconds": nil})
}

// holds: C11
func TestC11WhatIsPassiveIsNoTool(t *testing.T) {
	shown := doing("a.shown", bus.Pure, ok)
	passive := doing("a.passive", bus.Pure, ok)
	passive.Listing.Passive = true
	b, _, _ := bustest.New(t, shown, passive)
	m := mustManifest(t, b, bus.View{Caller: bus.CallerAgent})
	tools, err := m.Tools()
	if err != nil || len(m.Capabilities) != 2 || len(tools) != 1 || tools[0].Capability != "a.shown" {
		t.Errorf("%d capabilities, tools %+v, %v", len(m.Capabilities), tools, err)
	}
}

// holds: C11
func TestC11ASchemaSaysWhatAListCanBeAskedFor(t *testing.T) {
	const next = "nextCursor"
	for _, test := range []struct {
		input, required, output             string
		paginated, searches, sorts, narrows any
	}{
		{input: "cursor limit", output: next, paginated: true},
		{input: "cursor query", output: next, paginated: true, searches: true},
		{input: "cursor text", output: next, paginated: true, searches: true},
		{input: "cursor sort", output: next, paginated: true, sorts: true},
		{input: "cursor status", output: next, paginated: true, narrows: true},
		{input: "cursor customerId", required: "customerId", output: next, paginated: true},
		{input: "query sort status", output: next},
		{input: "cursor query", output: "rows"},
	} {
		fields := func(names string) json.RawMessage {
			properties := map[string]any{}
			for _, name := range strings.Fields(names) {
				properties[name] = map[string]any{"type": "string"}
			}
			raw, err := json.Marshal(map[string]any{"type": "object", "properties": properties,
				"required": append([]string{}, strings.Fields(test.required)...)})
			if err != nil {
				t.Fatal(err)
			}
			return raw
		}
		c := doing("a.b", bus.Pure, ok)
		c.InputSchema = fields(test.input)
		test.required = ""
		c.OutputSchema = fields(test.output)
		has(t, entry(t, c), map[string]any{"paginated": test.paginated, "searchable": test.searches,
			"sortable": test.sorts, "filterable": test.narrows})
	}
}

// holds: C12
func TestC12WhereItRunsIsCarriedAndChangesNothing(t *testing.T) {
	c := doing("a.b", bus.Pure, ok)
	has(t, entry(t, c), map[string]any{"execution_context": "local", "location": nil})
	c.Run.ExecutionContext, c.Run.Location = "remote", "eu-1"
	has(t, entry(t, c), map[string]any{"execution_context": "remote", "location": "eu-1"})
	b, _, _ := bustest.New(t, c)
	wantOK(t, b.Invoke(t.Context(), call("a.b", `{}`)))
}

// holds: C14
func TestC14ResourcesAreNamedAndCostIsRepeated(t *testing.T) {
	c := doing("a.b", bus.UIOnly, func(ctx context.Context, _ *bus.Call) (json.RawMessage, error) {
		return nil, bustest.Tables(ctx).Set("t", "1", map[string]any{"x": 1})
	})
	c.Run.CostEstimate = map[string]string{"USD": "0.02"}
	has(t, entry(t, c), map[string]any{"resources": []any{"database:write"},
		"cost_estimate": map[string]any{"USD": "0.02"}})
	b, j, _ := bustest.New(t, c)
	if r := b.Invoke(t.Context(), call("a.b", `{}`)); !r.OK() || r.CostEstimate["USD"] != "0.02" ||
		j.Row("t", "1") == nil {
		t.Errorf("%s", wire(t, r))
	}
	c.Resources = []string{"database:read"}
	b, j, _ = bustest.New(t, c)
	wantError(t, b.Invoke(t.Context(), call("a.b", `{}`)), bus.Internal, bus.ReasonUncoded)
	if j.Row("t", "1") != nil {
		t.Error("it wrote what it did not declare")
	}
	c.Resources = []string{"database:wirte"}
	o, _, _ := bustest.Options()
	if err := bus.New(o).Register(c); err == nil || !strings.Contains(err.Error(), "database:wirte") {
		t.Errorf("a misspelt resource: %v", err)
	}
}

// holds: C16
func TestC16WhatCardsAndPalettesShowIsStated(t *testing.T) {
	c := add()
	c.Reversible, c.Assistant.Grantable, c.Listing.Routes, c.Listing.Shortcut, c.Assistant.Phrases,
		c.Run.Background = true, []string{"amount"},
		[]string{"counter"}, "F9", []string{"add {coins} coins"}, true
	has(t, entry(t, c), map[string]any{"facts": []any{"amount"}, "reversible": true, "grantable": []any{"amount"},
		"routes":   []any{"counter"},
		"shortcut": "F9", "phrases": []any{"add {coins} coins"}, "background": true})
	a := &approver{say: yes}
	b, j := withApprover(t, a, c)
	r := b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":3}`)))
	wantOK(t, r)
	card := a.asked[0]
	if card.Summary != "Add 3 coins, 3 in all" || card.Facts["amount"] != 3.0 || len(card.Effects) != 1 ||
		card.Effects[0].Op != "insert" {
		t.Errorf("the card shows %+v", card)
	}
	if e := records(t, j, 1); e.Summary != card.Summary || r.Facts["amount"] != 3.0 || e.Decision.Digest != card.Digest {
		t.Errorf("done was %+v", e)
	}
	quiet := doing("a.quiet", bus.Destructive, ok)
	b, _ = withApprover(t, a, quiet)
	wantOK(t, b.Invoke(t.Context(), byAgent(call("a.quiet", `{}`))))
	if got := a.asked[1].Summary; got != "a.quiet" {
		t.Errorf("without a sentence the card says %q", got)
	}
}

// TestE5LongWorkTellsHowFarItIsAndEndsOnce: its task id is the request id, its
// one result comes at the end, and closing the bus ends it.
// holds: E5
func TestE5LongWorkTellsHowFarItIsAndEndsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := doing("a.long", bus.UIOnly, func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
			for i := range 4 {
				select {
				case <-time.After(time.Minute):
				case <-ctx.Done():
					return nil, ctx.Err()
				}
				call.Progress(25*(i+1), "on it")
			}
			return nil, nil
		})
		c.Run.Background, c.Run.Timeout = true, time.Hour
		b, j, _ := bustest.New(t, c)
		sub := b.Subscribe()
		inv := call("a.long", `{}`)
		inv.RequestID = "task"
		done := make(chan bus.Result, 1)
		go func() { done <- b.Invoke(context.Background(), inv) }()
		for _, want := range []bus.Event{{Type: bus.EventProgress, Percent: 25}, {Type: bus.EventProgress, Percent: 50},
			{Type: bus.EventProgress, Percent: 75}, {Type: bus.EventProgress, Percent: 100}, {Type: bus.EventInvocation}} {
			e, err := sub.Next(t.Context())
			if err != nil || e.Type != want.Type || e.Percent != want.Percent || e.RequestID != "task" ||
				e.Type == bus.EventProgress && e.TaskID != "task" {
				t.Errorf("%+v %v, want %+v", e, err, want)
			}
		}
		wantOK(t, <-done)

		inv.RequestID = "cut short"
		go func() { done <- b.Invoke(context.Background(), inv) }()
		time.Sleep(90 * time.Second)
		if err := b.Close(t.Context()); err != nil {
			t.Error(err)
		}
		wantError(t, <-done, bus.Transient, bus.ReasonCancelled)
		records(t, j, 2)
	})
}

// holds: C15
func TestC15MustRegisterSaysWhatIsWrong(t *testing.T) {
	defer func() {
		if p := recover(); p == nil || !strings.Contains(p.(string), `"read"`) {
			t.Errorf("panicked with %v", p)
		}
	}()
	o, _, _ := bustest.Options()
	bus.New(o).MustRegister(doing("read", bus.Pure, ok))
}

func TestANewBusNeedsAJournalAndNothingElse(t *testing.T) {
	j := &bustest.Journal{}
	b := bus.New(bus.Options{Journal: j})
	b.MustRegister(read())
	wantOK(t, b.Invoke(t.Context(), call("till.read", `{}`)))
	e := records(t, j, 1)
	if e.Started.IsZero() || len(e.Seed) != 32 || !strings.HasPrefix(e.Invocation.RequestID, "req_") ||
		e.Invocation.TraceID != e.Invocation.RequestID {
		t.Errorf("%+v", e)
	}
	if o := b.Options(); o.Clock == nil || o.IdempotencyWindow == 0 || o.Journal != bus.Journal(j) {
		t.Errorf("%+v", o)
	}
	defer func() {
		if recover() == nil {
			t.Error("a bus without a journal was made")
		}
	}()
	bus.New(bus.Options{})
}

func TestCloseGivesUpWhenItsContextEnds(t *testing.T) {
	open, entered := make(chan struct{}), make(chan struct{})
	c := doing("a.b", bus.UIOnly, ok)
	c.Checks.Preconditions = []bus.Precondition{{Name: "stuck", Check: func(context.Context, *bus.Call) error {
		close(entered)
		<-open
		return errPlain
	}}}
	b, _, _ := bustest.New(t, c)
	done := make(chan bus.Result, 1)
	go func() { done <- b.Invoke(context.Background(), call("a.b", `{}`)) }()
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	close(open)
	<-done
}
