package peer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus/peer"
)

// examined returns a line for each capability, mistake and ignored field of a document.
func examined(t *testing.T, text string) []string {
	t.Helper()
	s, err := peer.Examine(strings.NewReader(text), "doc")
	if err != nil {
		return []string{err.Error()}
	}
	lines, usable := []string{}, 0
	for _, f := range s.Capabilities {
		lines = append(lines, fmt.Sprintf("%s %s %t", f.Name, f.Version, f.Usable))
		for _, m := range f.Mistakes {
			lines = append(lines, fmt.Sprintf("%d! %s", m.Line, m.Text))
		}
		for _, i := range f.Ignored {
			lines = append(lines, fmt.Sprintf("%d- %s", i.Line, i.Text))
		}
		if f.Usable {
			usable++
		}
	}
	for _, i := range s.Ignored {
		lines = append(lines, fmt.Sprintf("%d-- %s", i.Line, i.Text))
	}
	if usable != s.Usable {
		t.Errorf("%d are usable, not %d", usable, s.Usable)
	}
	return lines
}

// holds: O3
func TestO3DocumentsOfOtherNotationsAreExamined(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"the capabilities layer": {`{
  "id": "7d9b", "name": "find_bird", "version": "2.1.0",
  "description": "Find a bird by its song.", "category": "information_retrieval",
  "input_schema": {"type": "object", "properties": {"song": {"type": "string", "minLength": 1}}, "required": ["song"]},
  "output_schema": {"type": "object", "properties": {"page": {"type": "string", "format": "uri"}}},
  "permissions": ["network:read"],
  "rate_limit": {"requests": 10, "period": "1m"},
  "timeout_ms": 3000,
  "retry_policy": {"max_attempts": 3}
}`, []string{"find_bird 2.1.0 true", "2- /id", "3- /category", "6- /permissions", "7- /rate_limit", "9- /retry_policy"}},
		"the capability model": {`{"channel": "birds", "capabilities": [
  {"id": "songs", "type": "data", "name": "Songs", "endpoint": "/api/songs", "metadata": {"searchable": true},
   "schema": {"type": "array", "items": {"$ref": "#/schemas/song"}}},
  {"id": "com.example.loudness", "type": "control", "name": "Loudness",
   "permissions": {"user": "allowed", "agent": "confirmation_required"},
   "schema": {"type": "object", "properties": {"value": {"type": "number", "maximum": 9}}}},
  {"id": "sing", "type": "action", "name": "Sing", "schema": {"input": {"type": "object"}, "more": 1,
   "output": {"type": "object"}}},
  {"id": "shoot", "type": "action", "name": "Shoot", "permissions": {"user": "allowed", "agent": "forbidden"}},
  {"id": "fly", "type": "action"},
  {"id": "nest", "type": "status", "name": "Nest", "metadata": {"passive": true, "agent_visible": false}}
]}`, []string{"songs  false", "3! output: at /items/$ref: the schema has nothing at #/schemas/song",
			"2- /capabilities/0/endpoint", "2- /capabilities/0/metadata/searchable", "com.example.loudness  true",
			"sing  true", "7- /capabilities/2/schema/more", "shoot  false",
			"9! it is forbidden to agents, and a bus cannot forbid it",
			"fly  false", `10! a capability lacks the field "description"`,
			"nest  false", "11! it is hidden from agents, and a bus cannot hide it",
			"11- /capabilities/5/metadata/passive",
			"1-- /channel"}},
		"a manifest": {`schema_version: 0.1.0
capabilities:
  - name: bird.feed
    description: Feed it.
    side_effect: network
    available: false
    unavailable_reason: The bird sleeps.
`, []string{"bird.feed  false", "6! its program offers it only at other times: The bird sleeps.",
			"5- /capabilities/0/side_effect",
			"1-- /schema_version"}},
		"several mistakes": {`- name: a b
  description: 5
  input_schema: {type: objekt}
  output_schema: {minimun: 1}
  timeout_ms: soon
- name: x
  description: One.
  input: {type: object}
  inputSchema: {type: object}
- name: x
  description: Two.
  __proto__: {polluted: true}
- plain
- name: n
  description: Not a number.
  input: {maximum: .nan}
`, []string{"a b  false", `1! the name "a b" is not letters and digits with "-", "_" or "." between`,
			"2! this is a number where a string belongs",
			"3! inputSchema: at /type: value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'",
			`4! outputSchema: at /minimun: keyword "minimun" is not supported`,
			"5! this is a string where a int64 belongs",
			"x  false", "9! inputSchema is the second schema of this side",
			"x  false", "10! line 6 already has a capability of this name", "12- /2/__proto__",
			"  false", "13! a capability is no object of fields", "n  false", "16! .nan is no number of JSON"}},
	} {
		got := examined(t, tt.text)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n%s", name, strings.Join(got, "\n"))
		}
	}
	if got := examined(t, `{"name": "say", "description": "\\ud83d \ud83d\udc26"}`); got[0] != "say  true" {
		t.Errorf("a character as JSON writes it: %q", got)
	}
	s, err := peer.Examine(strings.NewReader(printed(t)), "capabilities.yaml")
	if err != nil || s.Usable != 1 || s.Refusal != "" || len(s.Ignored)+len(s.Capabilities[0].Ignored) != 0 {
		t.Errorf("capabilities.yaml: %+v %v", s, err)
	}
}

func TestADocumentThatIsTooLargeOrTooDeepIsNotExamined(t *testing.T) {
	for want, text := range map[string]string{
		"doc is larger than 1048576 bytes":                strings.Repeat(" ", 1<<20+1),
		"doc:1: this is nested deeper than 64 levels":     strings.Repeat("[", 100) + strings.Repeat("]", 100),
		"doc has more than 1000 capabilities":             strings.Repeat("- a\n", 1001),
		"doc has more than one document":                  "name: a\n---\nname: b\n",
		"doc is empty":                                    "",
		"doc:1: there is no capability here: neither":     "birds: 5",
		`doc:1: "capabilities" must be a list`:            "capabilities: 5",
		`doc:2: the document has the field "capabilities`: "capabilities: []\ncapabilities: []",
	} {
		if got := examined(t, text); !strings.HasPrefix(got[0], want) {
			t.Errorf("got %s, want %s", got[0], want)
		}
	}
	bomb := "capabilities:\n- &a {name: a, description: A., input: {enum: [1]}}\n" +
		"- {name: b, description: B., input: *a}\n"
	if got := examined(t, bomb); !slices.Contains(got, "3! aliases are not read: write it out") {
		t.Errorf("an alias: %q", got)
	}
	many := "- name: a\n  description: A.\n" + strings.Repeat("  x: 1\n", 5000)
	for i := range 5000 {
		many += fmt.Sprintf("  x%d: 1\n", i)
	}
	if got := examined(t, many); len(got) > 202 {
		t.Errorf("%d lines", len(got))
	}
}
