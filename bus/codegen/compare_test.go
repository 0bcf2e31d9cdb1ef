package codegen_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/codegen"
	"github.com/google/go-cmp/cmp"
)

// compared is what Compare says of a capability whose schemas changed from one to the other.
func compared(t *testing.T, side, was, is string) string {
	t.Helper()
	of := func(schema string) bus.Manifest {
		e := bus.ManifestEntry{Name: "a.b", Version: "1.0.0", Description: "Does.", Type: bus.TypeAction,
			SideEffect: bus.Pure, Title: "A", InputSchema: json.RawMessage(`{}`), OutputSchema: json.RawMessage(`{}`)}
		if side == "request" {
			e.InputSchema = json.RawMessage(schema)
		} else {
			e.OutputSchema = json.RawMessage(schema)
		}
		return named("till", []bus.ManifestEntry{e})
	}
	client, err := codegen.Python(of(was))
	if err != nil {
		t.Fatal(err)
	}
	changes, err := codegen.Compare(client, of(is))
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, c := range changes {
		said = append(said, fmt.Sprintf("%s%s: %s", map[bool]string{true: "! "}[c.Breaking], c.Path, c.Message))
	}
	return strings.Join(said, "; ")
}

// holds: M5
func TestM5AChangeThatBreaksAClientIsTold(t *testing.T) {
	field := func(schema string) string { return `{"type":"object","properties":{"f":` + schema + `}}` }
	for _, tc := range []struct{ was, is, takes, gives string }{
		{field(`{"type":"string","description":"Old."}`), field(`{"type":"string","title":"New"}`), "", ""},
		{field(`{"type":"string"}`), `{"type":"object"}`, "! /f: is gone", "! /f: is gone"},
		{`{"type":"object"}`, field(`{"type":"string"}`), "/f: is new", "/f: is new"},
		{`{"type":"object"}`, `{"type":"object","properties":{"f":{}},"required":["f"]}`, "! /f: is new and required", "/f: is new"},
		{`{"type":"object"}`, `{"type":"object","properties":{"f":{"default":1}},"required":["f"]}`, "/f: is new", "/f: is new"},
		{field(`{}`), `{"type":"object","properties":{"f":{}},"required":["f"]}`, "! /f: is required", "/f: is required"},
		{`{"type":"object","properties":{"f":{}},"required":["f"]}`, field(`{}`), "/f: can be absent", "! /f: can be absent"},
		{field(`{"type":["string","null"]}`), field(`{"type":"string"}`), "! /f: cannot be null any more", "/f: cannot be null any more"},
		{field(`{"type":"integer"}`), field(`{"type":"number"}`), "/f: can be number too", "! /f: can be number too"},
		{field(`{"type":"integer"}`), field(`{"type":"string"}`), "! /f: cannot be integer any more; /f: can be string too",
			"/f: cannot be integer any more; ! /f: can be string too"},
		{field(`{"enum":["a","b"]}`), field(`{"enum":["b","c"]}`), `! /f: cannot be "a" any more; /f: can be "c" too`,
			`/f: cannot be "a" any more; ! /f: can be "c" too`},
		{field(`{}`), field(`{"const":1}`), "! /f: can be only 1", "/f: can be only 1"},
		{field(`{"enum":[1]}`), field(`{}`), "/f: can be anything, not only 1", "! /f: can be anything, not only 1"},
		{field(`{"maximum":9,"minLength":1}`), field(`{"maximum":8,"minLength":0}`), "/f: minLength is 0, was 1; ! /f: maximum is 8, was 9",
			"! /f: minLength is 0, was 1; /f: maximum is 8, was 9"},
		{field(`{"exclusiveMinimum":1}`), field(`{"exclusiveMinimum":2,"maxItems":3}`),
			"! /f: exclusiveMinimum is 2, was 1; ! /f: maxItems is 3, was not limited", "/f: exclusiveMinimum is 2, was 1; /f: maxItems is 3, was not limited"},
		{field(`{"maxLength":3}`), field(`{}`), "/f: maxLength is not limited, was 3", "! /f: maxLength is not limited, was 3"},
		{field(`{"pattern":"a"}`), field(`{"pattern":"b","format":"date"}`), `! /f: pattern is "b", was "a"; ! /f: must fit format "date"`,
			`! /f: pattern is "b", was "a"; /f: must fit format "date"`},
		{field(`{"format":"date"}`), field(`{}`), `/f: need not fit format "date" any more`, `! /f: need not fit format "date" any more`},
		{field(`{"items":{"type":"string"}}`), field(`{"items":{"type":"integer"}}`),
			"! /f/*: cannot be string any more; /f/*: can be integer too", "/f/*: cannot be string any more; ! /f/*: can be integer too"},
		{field(`{"items":{"minimum":1}}`), field(`{}`), "/f/*: minimum is not limited, was 1", "! /f/*: minimum is not limited, was 1"},
		{`{}`, `{"additionalProperties":false}`, "! : further fields are not allowed any more", ": further fields are not allowed any more"},
		{`{"additionalProperties":false}`, `{}`, ": further fields are allowed", ": further fields are allowed"},
		{`{"additionalProperties":{"maximum":2}}`, `{"additionalProperties":{"maximum":1}}`, "! /*: maximum is 1, was 2", "/*: maximum is 1, was 2"},
		{`{"anyOf":[{"type":"string"},{"maximum":1}]}`, `{"anyOf":[{"type":"string"},{"maximum":2}]}`, ": maximum is 2, was 1", "! : maximum is 2, was 1"},
		{`{"oneOf":[{"maximum":1}]}`, `{"oneOf":[{"maximum":1},{"type":"null"}]}`, `: can be {"type":"null"} too`, `! : can be {"type":"null"} too`},
		{`{"oneOf":[{"maximum":1}]}`, `{}`, `: need not fit one of [{"maximum":1}] any more`, `! : need not fit one of [{"maximum":1}] any more`},
		{`{}`, `{"anyOf":[{"maximum":1}]}`, `! : must fit one of [{"maximum":1}]`, `: must fit one of [{"maximum":1}]`},
		{`{"$defs":{"t":{"properties":{"n":{"$ref":"#/$defs/t"},"k":{"maximum":2}}}},"$ref":"#/$defs/t"}`,
			`{"$defs":{"t":{"properties":{"n":{"$ref":"#/$defs/t"},"k":{"maximum":1}}}},"$ref":"#/$defs/t"}`,
			"! /k: maximum is 1, was 2", "/k: maximum is 1, was 2"},
	} {
		for side, want := range map[string]string{"request": tc.takes, "response": tc.gives} {
			if d := cmp.Diff(want, compared(t, side, tc.was, tc.is)); d != "" {
				t.Errorf("%s, %s to %s (-want +got):\n%s", side, tc.was, tc.is, d)
			}
		}
	}
}

// holds: M5
func TestM5CapabilitiesThatGoComeOrAreRaisedAreTold(t *testing.T) {
	entry := func(name, version string) bus.ManifestEntry {
		return bus.ManifestEntry{Name: name, Version: version, Description: "Does.", Title: name, Type: bus.TypeAction,
			SideEffect: bus.Pure, Concurrency: bus.Concurrent, ExecutionContext: "local"}
	}
	was := named("till", []bus.ManifestEntry{entry("a.fixed", "1.2.0"), entry("a.gone", "1.0.0"), entry("a.older", "1.2.0"),
		entry("a.raised", "1.9.0"), entry("a.same", "1.0.0")})
	now := named("till", []bus.ManifestEntry{entry("a.fixed", "1.3.0"), entry("a.new", "1.0.0"), entry("a.older", "1.1.0"),
		entry("a.raised", "2.0.0"), entry("a.same", "1.0.0")})
	was.SchemaVersion, was.GeneratedAt, was.Application.Version = "0.2.0", "2026-01-01T00:00:00Z", "1"
	ofClient := "a.fixed: is at version 1.3.0, was at 1.2.0\na.gone: is gone !\na.older: is at version 1.1.0, was at 1.2.0 !\n" +
		"a.raised: is at version 2.0.0, was at 1.9.0 !\n"
	for language, write := range map[string]func(bus.Manifest) ([]byte, error){"Python": codegen.Python,
		"TypeScript": codegen.TypeScript, "manifest": func(m bus.Manifest) ([]byte, error) { return json.Marshal(m) },
		"Go": func(m bus.Manifest) ([]byte, error) { return codegen.Go(m, "x") }} {
		file, err := write(was)
		if err != nil {
			t.Fatal(err)
		}
		changes, err := codegen.Compare(file, now)
		var got strings.Builder
		for _, c := range changes {
			got.WriteString(c.String() + map[bool]string{true: " !"}[c.Breaking] + "\n")
		}
		want := ofClient
		if language == "manifest" {
			want += "a.new: is new\n"
		}
		if d := cmp.Diff(want, got.String()); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", language, err, d)
		}
		narrowed := named("till", []bus.ManifestEntry{was.Capabilities[4]})
		narrowed.Capabilities[0].InputSchema = json.RawMessage(`{"minProperties":1}`)
		changes, err = codegen.Compare(file, narrowed)
		if last := changes[len(changes)-1]; err != nil || last.Capability != "a.same" || !last.Breaking {
			t.Errorf("%s: %v %v", language, err, changes)
		}
	}
	for _, file := range []string{"", "a text", `{"capabilities":1}`,
		"    \"a.b\": (\"1\", 2, \"\"),\n", "# Generated by `deskhand gen --py`"} {
		if changes, err := codegen.Compare([]byte(file), now); err == nil {
			t.Errorf("%q: %v", file, changes)
		}
	}
}

func TestSelectTakesNamesAndPatterns(t *testing.T) {
	var m bus.Manifest
	for _, name := range []string{"cart.add", "cart.clear", "order.add", "order.get"} {
		m.Capabilities = append(m.Capabilities, bus.ManifestEntry{Name: name})
	}
	for _, tc := range []struct{ only, exclude, want string }{
		{"", "", "cart.add cart.clear order.add order.get"}, {"cart.add", "", "cart.add"}, {"*.add order.get", "", "cart.add order.add order.get"},
		{"cart.*", "cart.clear", "cart.add"}, {"", "*.add", "cart.clear order.get"}, {"cart.ad", "", "did you mean cart.add"},
		{"", "shelf.*", `no capability "shelf.*"`}, {"cart.*", "cart.*", "no capability is left"}, {"cart.[", "", "is no pattern"},
	} {
		got, err := codegen.Select(m, strings.Fields(tc.only), strings.Fields(tc.exclude))
		var names []string
		for _, e := range got.Capabilities {
			names = append(names, e.Name)
		}
		if err != nil {
			names = []string{err.Error()}
		}
		if said := strings.Join(names, " "); said != tc.want && (err == nil || !strings.Contains(said, tc.want)) {
			t.Errorf("only %q without %q: %s", tc.only, tc.exclude, said)
		}
	}
	if len(m.Capabilities) != 4 || m.Capabilities[0].Name != "cart.add" {
		t.Error("the manifest was changed")
	}
}
