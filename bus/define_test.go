package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"
)

// holds: C4
func TestC4UnenforceableSchemaIsRefusedWithItsPath(t *testing.T) {
	cases := map[string]string{
		`{"type":"object","properties":{"a":{"type":"string","minlength":3}}}`:    "/properties/a/minlength",
		`{"type":"object","properties":{"a":{"type":"string","format":"phone"}}}`: "/properties/a/format",
		`{"$ref":"https://example.com/x.json"}`:                                   "/$ref",
		`{"$defs":{"x":{"if":{}}}}`:                                               "/$defs/x/if",
		`{"type":"object","properties":[]}`:                                       "/properties",
		`{"anyOf":{}}`:                                                            "/anyOf",
		`{"type":"objekt"}`:                                                       "type",
		`{"allOf":[{"type":"object"},{"properties":{"b":{"items":{"patternProperties":{}}}}}]}`: "/allOf/1/properties/b/items/patternProperties",
		`[]`: "object",
		`{`:  "JSON",
	}
	for schema, want := range cases {
		for _, side := range []string{"input", "output"} {
			c := doing("a.b", bus.Pure, ok)
			if side == "input" {
				c.InputSchema = json.RawMessage(schema)
			} else {
				c.OutputSchema = json.RawMessage(schema)
			}
			o, _, _ := bustest.Options()
			err := bus.New(o).Register(c)
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), side+" schema") ||
				!strings.Contains(err.Error(), "a.b") {
				t.Errorf("%s %s: %v, want the name, the side and %q", side, schema, err, want)
			}
		}
	}
}

// holds: C4
func TestC4CompiledLateASchemaThatCannotBeRefusesEveryValue(t *testing.T) {
	bad, good := doing("a.bad", bus.Pure, ok), doing("a.good", bus.Pure, ok)
	bad.InputSchema = json.RawMessage(`{"type":"objekt"}`)
	good.InputSchema = json.RawMessage(`{"type":"object","properties":{"v":{"type":"string","format":"date"}}}`)
	o, _, _ := bustest.Options()
	o.CompileLate = true
	b := bus.New(o)
	if err := b.Register(bad, good); err != nil {
		t.Fatalf("compiled at once: %v", err)
	}
	wantError(t, b.Invoke(t.Context(), call("a.bad", `{}`)), bus.Validation, bus.ReasonArguments)
	wantError(t, b.Invoke(t.Context(), call("a.good", `{"v":"2026-02-30"}`)), bus.Validation, bus.ReasonArguments)
	wantOK(t, b.Invoke(t.Context(), call("a.good", `{"v":"2026-02-28"}`)))

	for given, want := range map[string]string{`{"type":"object","required":["pin"]}`: "pin", `{`: "not JSON"} {
		c := add()
		c.Name, c.InputSchema = "a.given", json.RawMessage(given)
		b := bus.New(o)
		b.MustRegister(c)
		wantError(t, b.Invoke(t.Context(), call(c.Name, `{"coins":1}`)), bus.Validation, bus.ReasonArguments)
		if r := b.Invoke(t.Context(), call(c.Name, `{"coins":1}`)); !strings.Contains(fmt.Sprint(r.Err), want) {
			t.Errorf("%s: %v", given, r.Err)
		}
	}

	unknown := doing("a.unknown", bus.Pure, ok)
	unknown.InputSchema = json.RawMessage(`{"type":"object","minlength":3}`)
	if err := b.Register(unknown); err == nil {
		t.Error("a keyword that cannot be enforced was registered")
	}
}

// TestEqualSchemasAreKeptOnce: a program that opens many buses, each with schemas that it has read again, keeps each
// schema once.
func TestEqualSchemasAreKeptOnce(t *testing.T) {
	o, _, _ := bustest.Options()
	o.CompileLate = true
	register := func(given string) int {
		c := add()
		c.InputSchema = json.RawMessage(given)
		bus.New(o).MustRegister(c)
		return bus.InferredSchemas()
	}
	first := register(`{"type":"object","title":"kept once"}`)
	if again := register(`{"type":"object","title":"kept once"}`); again != first {
		t.Errorf("%d schemas, then %d", first, again)
	}
	if other := register(`{"type":"object","title":"kept beside"}`); other != first+1 {
		t.Errorf("%d schemas, then %d with another one", first, other)
	}
}

// holds: C4
func TestC4FormatsAreAsserted(t *testing.T) {
	for format, bad := range map[string]string{"uuid": "1", "email": "kim", "uri": "x", "date-time": "now",
		"date": "2026-02-30", "uri-reference": "\\\\"} {
		c := doing("a.b", bus.Pure, ok)
		c.InputSchema = json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{"v":{"type":"string","format":%q}}}`,
			format))
		b, _, _ := bustest.New(t, c)
		arg, _ := json.Marshal(map[string]string{"v": bad})
		wantError(t, b.Invoke(t.Context(), call("a.b", string(arg))), bus.Validation, bus.ReasonArguments)
	}
}

// holds: C3
func TestC3WithoutSchemaNothingIsValidated(t *testing.T) {
	b, _, _ := bustest.New(t, doing("a.b", bus.Pure, ok))
	wantOK(t, b.Invoke(t.Context(), call("a.b", `{"what":["ever"]}`)))
}

// holds: C15
func TestC15WrongDefinitionsFailAtRegistration(t *testing.T) {
	p := bus.Precondition{Name: "p", Check: func(context.Context, *bus.Call) error { return nil }}
	twice := []bus.Precondition{p, p}
	cases := map[string]func(*bus.Capability){
		"domain.verb":       func(c *bus.Capability) { c.Name = "read" },
		"no title":          func(c *bus.Capability) { c.Title = "" },
		"no description":    func(c *bus.Capability) { c.Description = "" },
		"no handler":        func(c *bus.Capability) { c.Handler = nil },
		"a queue depth":     func(c *bus.Capability) { c.Run.QueueDepth = 1 },
		"two preconditions": func(c *bus.Capability) { c.Checks.Preconditions = twice },
		"side effect":       func(c *bus.Capability) { c.SideEffect = "mild" },
		"database:write":    func(c *bus.Capability) { c.Resources = []string{"database:write"} },
		"condition":         func(c *bus.Capability) { c.Permissions = []string{"nobody.home"} },
		"scope":             func(c *bus.Capability) { c.Permissions = []string{"a:b:c"} },
		"access rule":       func(c *bus.Capability) { c.Checks.Access.Agent = "perhaps" },
		"rate limit":        func(c *bus.Capability) { c.Run.RateLimit = &bus.RateLimit{} },
		"requires":          func(c *bus.Capability) { c.Checks.Requires = []string{"a.c"} },
		"network":           func(c *bus.Capability) { c.SideEffect = bus.Network },
		"registered pure":   func(c *bus.Capability) { c.Checks.Requires = []string{"a.b2"} },
	}
	for want, spoil := range cases {
		c := doing("a.b", bus.Pure, ok)
		spoil(&c)
		o, _, _ := bustest.Options()
		if err := bus.New(o).Register(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", want, err)
		}
	}
}

// holds: C15
func TestC15NamesThatCollideAreRefused(t *testing.T) {
	for _, second := range []string{"a.b", "a_b.c"} {
		first := "a.b"
		if second == "a_b.c" {
			first = "a.b_c"
		}
		o, _, _ := bustest.Options()
		b := bus.New(o)
		b.MustRegister(doing(first, bus.Pure, ok))
		if err := b.Register(doing("x.y", bus.Pure, ok), doing(second, bus.Pure, ok)); err == nil {
			t.Errorf("%s beside %s was registered", second, first)
		}
		if _, half := b.Lookup("x.y"); half {
			t.Error("a failed registration left half of it")
		}
	}
}

// inferred returns a capability as it is registered: with its schemas.
func inferred(t *testing.T, c bus.Capability) *bus.Capability {
	t.Helper()
	b, _, _ := bustest.New(t, c)
	made, _ := b.Lookup(c.Name)
	return made
}

// holds: C15
func TestC15TypedSchemasAreClosedInAndOpenOut(t *testing.T) {
	c := inferred(t, add())
	want := `{"properties":{"coins":{"type":"integer","maximum":1000,"minimum":1},"note":{"type":"string","maxLength":20},"times":{"type":"integer","minimum":1,"default":1}},"additionalProperties":false,"type":"object","required":["coins"]}`
	if d := cmp.Diff(want, string(c.InputSchema)); d != "" {
		t.Errorf("input (-want +got):\n%s", d)
	}
	want = `{"properties":{"total":{"type":"integer"},"id":{"type":"string"}},"type":"object","required":["total","id"]}`
	if d := cmp.Diff(want, string(c.OutputSchema)); d != "" {
		t.Errorf("output (-want +got):\n%s", d)
	}
}

// holds: M1
func TestM1ManifestIsDeterministicAndKeepsTheUnavailable(t *testing.T) {
	c := add()
	c.Checks.Available = func(_ context.Context, _ *bus.Call) error {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "The till is shut.")
	}
	c.InputSchema = json.RawMessage(
		`{"type":"object","properties":{"x-ray":{"type":"string","x-entity":"coin"}}}`)
	control := doing("till.label", bus.UIOnly, ok)
	control.Type = bus.TypeControl
	control.Listing.Current = func(_ context.Context, _ *bus.Call) (any, error) { return "front", nil }
	b, _, _ := bustest.New(t, read(), c, control)
	view := bus.View{Caller: bus.CallerAgent, Principal: clerk}
	m, err := b.Manifest(t.Context(), view)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := b.Manifest(t.Context(), view)
	one, _ := json.Marshal(m)
	two, _ := json.Marshal(again)
	if string(one) != string(two) {
		t.Error("two manifests of one state differ")
	}
	e := m.Capabilities[0]
	if e.Name != "till.add" || e.Available || e.UnavailableReason != "The till is shut." ||
		m.Capabilities[1].Current != "front" {
		t.Errorf("%+v", m.Capabilities)
	}
	tools, err := m.Tools()
	if err != nil {
		t.Fatal(err)
	}
	if got := string(tools[0].Parameters); got != `{"properties":{"x-ray":{"type":"string"}},"type":"object"}` {
		t.Errorf("parameters %s", got)
	}
	if !strings.HasSuffix(tools[0].Description, "Asks the person first.") {
		t.Errorf("description %q", tools[0].Description)
	}
}

// holds: C11 M2
func TestM2PruningByRouteRoleAndCaller(t *testing.T) {
	page, hidden, only, public := doing("p.page", bus.Pure, ok), doing("p.hidden", bus.Pure, ok),
		doing("p.only", bus.Pure, ok), doing("p.public", bus.Pure, ok)
	page.Listing.Routes = []string{"/a"}
	hidden.Assistant.Hidden = true
	only.Assistant.Only = true
	public.Listing.Public = true
	b, _, _ := bustest.New(t, page, hidden, only, public, read())
	someone := bus.Principal{ID: "x"}
	cases := map[string]struct {
		view bus.View
		want []string
	}{
		"agent": {bus.View{Caller: bus.CallerAgent, Principal: clerk},
			[]string{"p.only", "p.page", "p.public", "till.read"}},
		"agent elsewhere": {bus.View{Caller: bus.CallerAgent, Principal: clerk, Route: "/b"},
			[]string{"p.only", "p.public", "till.read"}},
		"agent of one without scope": {bus.View{Caller: bus.CallerAgent, Principal: someone},
			[]string{"p.only", "p.page", "p.public"}},
		"clerk": {bus.View{Caller: bus.CallerUI, Principal: clerk},
			[]string{"p.hidden", "p.page", "p.public", "till.read"}},
		"without scope": {bus.View{Caller: bus.CallerUI, Principal: someone}, []string{"p.hidden", "p.page", "p.public"}},
		"nobody":        {bus.View{Caller: bus.CallerUI}, []string{"p.public"}},
		"all":           {bus.View{All: true}, []string{"p.hidden", "p.only", "p.page", "p.public", "till.read"}},
	}
	for name, tc := range cases {
		m, err := b.Manifest(t.Context(), tc.view)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range m.Capabilities {
			got = append(got, e.Name)
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// holds: M4
func TestM4ToolNamesGoBothWays(t *testing.T) {
	deny := doing("p.deny", bus.UIOnly, ok)
	deny.Checks.Access.Agent = bus.RuleDeny
	priced := read()
	priced.Run.CostEstimate = map[string]string{"USD": "0.01"}
	b, _, _ := bustest.New(t, add(), priced, deny)
	m, _ := b.Manifest(t.Context(), bus.View{Caller: bus.CallerAgent, Principal: clerk})
	tools, err := m.Tools()
	if err != nil {
		t.Fatal(err)
	}
	if len(tools) != 2 || tools[1].Description != "How many coins there are. Costs 0.01 USD." {
		t.Errorf("%+v", tools)
	}
	for _, tool := range tools {
		if _, ok := b.Lookup(tool.Capability); !ok || tool.Name != strings.ReplaceAll(tool.Capability, ".", "_") {
			t.Errorf("%s ↔ %s", tool.Name, tool.Capability)
		}
	}
	m.Capabilities = append(m.Capabilities, bus.ManifestEntry{Name: "till_add", AgentVisible: true})
	if _, err := m.Tools(); err == nil {
		t.Error("one tool name stands for two capabilities")
	}
}

// holds: M7
func TestM7ZeroCapabilities(t *testing.T) {
	b, _, _ := bustest.New(t)
	m, err := b.Manifest(t.Context(), bus.View{All: true})
	if err != nil {
		t.Fatal(err)
	}
	if raw, _ := json.Marshal(m); !strings.Contains(string(raw), `"capabilities":[]`) {
		t.Errorf("%s", raw)
	}
	wantError(t, b.Invoke(t.Context(), call("a.b", `{}`)), bus.NotFound, bus.ReasonCapability)
}

type describedLine struct {
	Text string `json:"text"`
	Kind string `json:"kind,omitempty" jsonschema_description:"from the tag"`
	More string `json:"more" jsonschema:"minLength=1" doc:"from the short tag"`
	Unit string `json:"unit" x:"pad-unit=gram,personal=true"`
	Size string `json:"size" enum:"small,very large"`

	InkID string `json:"inkId"`
}

func (describedLine) TagFields() map[string]string {
	return map[string]string{"more": `jsonschema_extras:"x-pad-unit=b"`, "kind": `jsonschema:"enum=a,enum=b"`}
}

type describedPad struct {
	describedBase
	Title string          `json:"title"`
	Lines []describedLine `json:"lines"`
}

type describedBase struct {
	Color string `json:"color,omitempty"`
}

type describedInherited struct{ describedBase }

// describedTexts describes the capability a.b and the types above.
const describedTexts = `
a.b: Write on a pad
	? Lines for later
	Adds lines to a pad. Use it when there is
	something to write.
	- write {title}
	- write on {color}

describedLine:
	text: what it says
	kind: from the texts
	size says: tiny:small|
		huge:very large
	inkId entity: ink

describedPad:
	title: its
		name
	lines: each: of them

describedBase:
	color: of the paper
`

func TestTextsDescribeACapabilityAndItsFields(t *testing.T) {
	c := bus.Define(bus.Capability{Name: "a.b", Texts: describedTexts, SideEffect: bus.Pure},
		func(context.Context, *bus.Call, describedPad) (describedInherited, error) {
			return describedInherited{}, nil
		})
	wantTexts := []string{"Write on a pad", "Lines for later",
		"Adds lines to a pad. Use it when there is something to write.",
		"write {title}", "write on {color}"}
	if diff := cmp.Diff(wantTexts, append([]string{c.Title, c.Help, c.Description}, c.Assistant.Phrases...)); diff != "" {
		t.Error(diff)
	}
	described := inferred(t, c)
	type properties map[string]struct {
		Description string
		Items       struct {
			Properties map[string]struct {
				Description string
				MinLength   int
				Enum        []string
				Extra       string `json:"x-pad-unit"`
				Personal    any    `json:"x-personal"`
				Said        string `json:"x-said"`
				Entity      string `json:"x-entity"`
			}
		}
	}
	var in, out struct{ Properties properties }
	for raw, v := range map[string]any{string(described.InputSchema): &in, string(described.OutputSchema): &out} {
		if err := json.Unmarshal([]byte(raw), v); err != nil {
			t.Fatal(err)
		}
	}
	line := in.Properties["lines"].Items.Properties
	got := []string{in.Properties["title"].Description, in.Properties["lines"].Description,
		in.Properties["color"].Description, out.Properties["color"].Description,
		line["text"].Description, line["kind"].Description,
		fmt.Sprint(line["kind"].Enum, line["more"].MinLength, line["more"].Extra),
		line["more"].Description, fmt.Sprint(line["unit"].Extra, line["unit"].Personal),
		fmt.Sprint(line["size"].Enum, line["size"].Said), line["inkId"].Entity}
	want := []string{"its name", "each: of them", "of the paper", "of the paper", "what it says", "from the tag",
		"[a b] 1b",
		"from the short tag", "gramtrue", "[small very large]tiny:small|huge:very large", "ink"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

type within struct {
	Name string `json:"name"`
}

func (within) JSONSchemaExtend(s *jsonschema.Schema) { s.Extras = map[string]any{"x-pad-own": true} }

// TestC15AStructWithinOthersIsInferredForEach: what a field says of it is the field's, not the type's.
// holds: C15
func TestC15AStructWithinOthersIsInferredForEach(t *testing.T) {
	type out struct {
		One  within   `json:"one" jsonschema_description:"The first." jsonschema_extras:"x-pad-of=one"`
		Two  within   `json:"two" jsonschema_extras:"x-pad-other=two"`
		List []within `json:"list"`
	}
	c := bus.Define(doing("a.b", bus.Pure, nil), func(context.Context, *bus.Call, struct{}) (out, error) {
		return out{}, nil
	})
	alone := jsonschema.Reflector{Anonymous: true, DoNotReference: true, AllowAdditionalProperties: true}
	want, err := json.Marshal(alone.Reflect(out{}))
	if err != nil {
		t.Fatal(err)
	}
	var got, plain map[string]any
	if err := errors.Join(json.Unmarshal(want, &plain), json.Unmarshal(inferred(t, c).OutputSchema, &got)); err != nil {
		t.Fatal(err)
	}
	delete(plain, "$schema")
	has(t, got, plain)
}

// TestAnOrdinaryFunctionIsACapability: its schemas are inferred; the function around it sees the call and gives errors
// their codes, and the caller in the same process finds the program's error.
func TestAnOrdinaryFunctionIsACapability(t *testing.T) {
	type who struct{}
	errGone := errors.New("the note is gone")
	read := func(ctx context.Context, in noteIn) (noteOut, error) {
		person, _ := ctx.Value(who{}).(string)
		switch in.Text {
		case "gone":
			return noteOut{}, fmt.Errorf("read: %w", errGone)
		case "coded":
			return noteOut{}, bus.Errorf(bus.Conflict, bus.ReasonBusy, "It is being written.")
		case "broken":
			return noteOut{}, errPlain
		}
		return noteOut{ID: person + " reads " + in.Text}, nil
	}
	around := func(ctx context.Context, call *bus.Call, run func(context.Context) error) error {
		err := run(context.WithValue(ctx, who{}, call.Person.ID))
		if errors.Is(err, errGone) {
			return bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such note.").WithCause(err)
		}
		return err
	}
	c := bus.Capability{Name: "note.read", Title: "Read", Description: "Reads a note.", SideEffect: bus.Pure}
	plain := c
	plain.Name = "note.plain"
	b, journal, _ := bustest.New(t, bus.DefineFunc(c, read, around), bus.DefineFunc(plain, read, nil))
	for arguments, want := range map[string]struct {
		around, plain string
		is            error
	}{
		`{"text":"keys"}`:   {`{"id":"kim reads keys"}`, `{"id":" reads keys"}`, nil},
		`{"text":"gone"}`:   {"NOT_FOUND record", "INTERNAL uncoded", errGone},
		`{"text":"coded"}`:  {"CONFLICT busy", "CONFLICT busy", nil},
		`{"text":"broken"}`: {"INTERNAL uncoded", "INTERNAL uncoded", errPlain},
		`{"text":""}`:       {"VALIDATION arguments", "VALIDATION arguments", nil},
		`{"words":"keys"}`:  {"VALIDATION arguments", "VALIDATION arguments", nil},
	} {
		for name, want := range map[string]string{"note.read": want.around, "note.plain": want.plain} {
			before := len(journal.Entries())
			r := b.Invoke(t.Context(), by(name, arguments))
			got := string(r.Data)
			if r.Err != nil {
				got = fmt.Sprintf("%s %s", r.Err.Code, r.Err.Reason)
			}
			if got != want || len(journal.Entries()) != before+1 {
				t.Errorf("%s %s: %s, want %s", name, arguments, got, want)
			}
		}
		if r := b.Invoke(t.Context(), by("note.read", arguments)); want.is != nil && !errors.Is(r.Error(), want.is) {
			t.Errorf("%s: %v hides %v", arguments, r.Err, want.is)
		}
	}
}
