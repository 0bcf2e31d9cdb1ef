package bus_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// FuzzInvoke sends anything at all through the wire door.
func FuzzInvoke(f *testing.F) {
	for _, seed := range []string{
		`{"capability":"till.add","arguments":{"coins":3,"note":"x"},"idempotency_key":"k","caller":{"type":"ui","source":"s"}}`,
		`{"capability":"till.read","min_version":"1.0","timeout_ms":60000,"trace_id":"t","request_id":"r","dry_run":true}`,
		`{"capability":"a.loose","arguments":{"a":[1,-2.5e3,null,true,"\u0000\ud800",{"b":{}}]}}`,
		`{"capability":"a.secret","arguments":{"pin":"1234","list":[{"pin":1}]}}`,
		`{"capability":"till.ad","arguments":[]}`, `{"capability":"till.add","arguments":{"coins":1,"coins":2}}`,
		`{"capability":"till.add","arguments":{"coins":1e1000001}}`, `{"capability":"a.loose","arguments":`, `null`, "\xff",
	} {
		f.Add([]byte(seed))
	}
	loose := doing("a.loose", bus.Pure, exactArguments)
	secret := doing("a.secret", bus.UIOnly, exactArguments)
	secret.InputSchema = json.RawMessage(
		`{"type":"object","properties":{"pin":{"type":"string","writeOnly":true,"maxLength":8},
		"list":{"type":"array","items":{"type":"object","properties":{"pin":{"type":"integer","writeOnly":true}}}}}}`)
	f.Fuzz(func(t *testing.T, data []byte) {
		b, j, _ := bustest.New(t, add(), read(), loose, secret)
		r := b.InvokeJSON(t.Context(), data, func(inv *bus.Invocation) {
			inv.Caller.Type, inv.Principal = bus.CallerUI,
				clerk
		})
		oneAnswer(t, r)
		e := records(t, j, 1)
		if len(e.Invocation.Arguments) > 0 && (!json.Valid(e.Invocation.Arguments) || !utf8.Valid(e.Invocation.Arguments)) {
			t.Errorf("recorded arguments %q", e.Invocation.Arguments)
		}
		if e.Invocation.Capability == "a.secret" && bytes.Contains(e.Invocation.Arguments, []byte(`"pin":"1`)) {
			t.Errorf("a secret is in the record: %s", e.Invocation.Arguments)
		}
		if e.Result.Err != nil && j.Row("till", "main") != nil {
			t.Error("a refused call has an effect")
		}
	})
}

// exactArguments is a handler that fails when what it is given is not one exact object.
func exactArguments(_ context.Context, call *bus.Call) (json.RawMessage, error) {
	var args map[string]any
	if err := json.Unmarshal(call.Arguments, &args); err != nil || !utf8.Valid(call.Arguments) {
		return nil, fmt.Errorf("arguments %q: %v", call.Arguments, err)
	}
	return call.Arguments, nil
}

// oneAnswer checks the form of a result that is no defect of the handler's.
func oneAnswer(t *testing.T, r bus.Result) {
	t.Helper()
	if r.Err != nil && (r.Err.Code == bus.Internal || !slices.Contains(r.Err.Code.Reasons(), r.Err.Reason) ||
		r.Err.Message == "") {
		t.Fatal(wire(t, r))
	}
	first := wire(t, r)
	var again bus.Result
	if err := json.Unmarshal([]byte(first), &again); err != nil {
		t.Fatalf("%s: %v", first, err)
	}
	if d := cmp.Diff(first, wire(t, again)); d != "" {
		t.Errorf("(-sent +read again):\n%s", d)
	}
}

// FuzzSchema registers any schema and validates any document by it: it is
// refused at registration, or answers as the schema library does.
func FuzzSchema(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"type":"object","properties":{"a":{"type":"integer","minimum":1,"default":3}},"required":["a"],"additionalProperties":false}`, `{"a":1}`},
		{`{"$defs":{"n":{"type":["string","null"],"maxLength":2}},"properties":{"a":{"$ref":"#/$defs/n"}}}`, `{"a":"xyz"}`},
		{`{"oneOf":[{"required":["a"]},{"required":["b"]}],"not":{"properties":{"c":{"const":1}},"required":["c"]}}`,
			`{"a":1,"b":2}`},
		{`{"properties":{"d":{"type":"string","format":"date-time"},"l":{"type":"array","items":{"enum":[1,"x"]},"uniqueItems":true}}}`, `{"d":"2026-03-02T09:00:00Z","l":[1,1.0]}`},
		{`{"properties":{"n":{"multipleOf":0.1,"exclusiveMaximum":1e3}}}`, `{"n":0.3}`},
		{`{"$ref":"#"}`, `{}`},
		{`{"properties":{"a":{"default":{},"$ref":"#"}}}`, `{}`},
		{`{"properties":{"s":{"writeOnly":true}},"items":{"$ref":"#/properties/s"}}`, `{"s":{"t":1}}`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, schema, doc []byte) {
		o, _, _ := bustest.Options()
		b := bus.New(o)
		c := doing("a.b", bus.Pure, exactArguments)
		c.InputSchema = schema
		if b.Register(c) != nil {
			return
		}
		r := b.Invoke(t.Context(), call("a.b", string(doc)))
		oneAnswer(t, r)
		if len(schema) == 0 || bytes.Contains(schema, []byte("default")) || len(bytes.TrimSpace(doc)) == 0 {
			return // what is filled in changes what is validated
		}
		if r.OK() != fitsByTheLibrary(schema, doc) && (r.OK() || onlyTheSchema(r)) {
			t.Errorf("%s\n%s\n%s", schema, doc, wire(t, r))
		}
	})
}

// onlyTheSchema reports whether a refusal is the schema's, not that of the exact reading before it.
func onlyTheSchema(r bus.Result) bool {
	return !regexp.MustCompile(`UTF-8|twice|beyond|must be a JSON object|not JSON`).
		MatchString(r.Err.Violations[0].Message)
}

func fitsByTheLibrary(schema, doc []byte) bool {
	s, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return false
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		return false
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if c.AddResource("mem:///x.json", s) != nil {
		return false
	}
	compiled, err := c.Compile("mem:///x.json")
	return err == nil && compiled.Validate(v) == nil
}

// FuzzNames registers two capabilities by any names and asks for a third.
func FuzzNames(f *testing.F) {
	for _, seed := range [][3]string{
		{"cart.addItem", "cart.add_item", "cart.additem"}, {"a.b_c", "a_b.c", "a.b.c"},
		{"org.example.app.verb", "x.y", "(unreadable)"},
		{"a.b", "a.b", "A.B"}, {"a..b", ".a", "é.è"}, {"a.0123456789012345678901234567890123456789012345678901234567890123",
			"a.b", ""},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	tool := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	f.Fuzz(func(t *testing.T, first, second, asked string) {
		o, j, _ := bustest.Options()
		b := bus.New(o)
		registered := map[string]bool{}
		for _, name := range []string{first, second} {
			if b.Register(doing(name, bus.Pure, ok)) == nil {
				registered[name] = true
			}
		}
		m, err := b.Manifest(t.Context(), bus.View{All: true})
		if err != nil {
			t.Fatal(err)
		}
		tools, err := m.Tools()
		if err != nil || len(tools) != len(registered) {
			t.Fatalf("%d tools for %v: %v", len(tools), registered, err)
		}
		names := map[string]bool{}
		for _, d := range tools {
			if names[d.Name] || !registered[d.Capability] || !tool.MatchString(d.Name) {
				t.Errorf("%q ↔ %q", d.Name, d.Capability)
			}
			names[d.Name] = true
		}
		r := b.Invoke(t.Context(), call(asked, `{}`))
		oneAnswer(t, r)
		if r.OK() != registered[asked] {
			t.Errorf("%q of %v: %s", asked, registered, wire(t, r))
		}
		records(t, j, 1)
	})
}
