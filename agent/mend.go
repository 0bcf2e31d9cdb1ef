package agent

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// mend corrects the typical mistakes of small models in a call that the bus would refuse, if only one meaning is
// possible: a number or a list in quotes, null for a missing value, a name in snake case, an extra comma, an enum value
// in capitals. A call with two possible meanings stays unchanged, and the bus names the mistake.
func (t *turnRun) mend(c model.Call) model.Call {
	if c.Tool == suggestTool || readsManifest(t.model) { // such a model matches its calls by their arguments
		return c
	}
	if c.Broken != "" && !text.IsObject(c.Broken) { // a valid object is broken for another reason
		if repaired := repairJSON(c.Broken); text.IsObject(repaired) {
			c.Arguments, c.Broken = json.RawMessage(repaired), ""
		}
	}
	if c.Tool == callTool.Name && c.Broken == "" {
		c = unwrapped(c)
	}
	if c.Broken == "" {
		c.Arguments = t.mendArguments(t.capabilityName(c.Tool), c.Arguments)
	}
	return c
}

// calledByName holds the arguments of capability.call.
type calledByName struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// unwrapped returns the call inside a call of capability.call.
func unwrapped(c model.Call) model.Call {
	var in calledByName
	if json.Unmarshal(c.Arguments, &in) != nil || in.Name == "" || in.Name == callTool.Name {
		return c
	}
	c.Tool, c.Arguments = strings.ReplaceAll(in.Name, ".", "_"), json.RawMessage("{}")
	var quoted string
	switch {
	case json.Unmarshal(in.Arguments, &quoted) == nil && text.IsObject(repairJSON(quoted)):
		c.Arguments = json.RawMessage(repairJSON(quoted))
	case text.IsObject(string(in.Arguments)):
		c.Arguments = in.Arguments
	case in.Arguments != nil && string(in.Arguments) != "null":
		c.Broken = string(in.Arguments)
	}
	return c
}

// wrapped returns calls in the form that the model must use: a tool that it did not get is called through
// capability.call, if it has that.
func (t *turnRun) wrapped(calls []model.Call) []model.Call {
	if len(calls) == 0 || !t.callsByName() {
		return calls
	}
	calls = slices.Clone(calls)
	for i, c := range calls {
		listed := func(tool bus.Tool) bool { return tool.Name == c.Tool }
		if c.Tool == suggestTool || c.Broken != "" || slices.ContainsFunc(t.tools, listed) {
			continue
		}
		if raw, err := json.Marshal(calledByName{c.Tool, c.Arguments}); err == nil {
			calls[i].Tool, calls[i].Arguments = callTool.Name, raw
		}
	}
	return calls
}

// callsByName reports whether the model has the tool capability.call.
func (t *turnRun) callsByName() bool {
	return slices.ContainsFunc(t.tools, func(tool bus.Tool) bool { return tool.Capability == nameCall })
}

// mendArguments corrects arguments as [Bridge.Mend] does, and replaces names of tools and written times.
func (t *turnRun) mendArguments(capability string, arguments json.RawMessage) json.RawMessage {
	if readsManifest(t.model) { // the built-in assistant names capabilities and takes values from the sentence
		return t.b.Mend(capability, arguments, nil)
	}
	return t.b.Mend(capability, arguments, func(v any) any {
		if c, is := t.b.o.Bus.Lookup(capability); is {
			v = t.withTimes(c.InputSchema, v, readTime)
		}
		return t.named(v)
	})
}

// Mend corrects invalid arguments of a model's call if only one meaning is possible: null for an optional argument
// means none. Valid arguments and unreadable ones stay unchanged. The function before may change the arguments first.
func (b *Bridge) Mend(capability string, arguments json.RawMessage, before func(any) any) json.RawMessage {
	known, is := b.o.Bus.Lookup(capability)
	if !is {
		return arguments
	}
	var schema any
	args, err := text.ParseJSON(arguments)
	if err != nil || json.Unmarshal(known.InputSchema, &schema) != nil {
		return arguments
	}
	if before != nil {
		args = before(args)
	}
	if len(b.o.Bus.Violations(capability, arguments)) > 0 {
		args = mendValue(schema, args)
	}
	mended, err := json.Marshal(args)
	if err != nil || string(mended) == string(text.CanonicalOrNil(arguments)) {
		return arguments
	}
	return mended
}

// named replaces the names of tools with those of capabilities, because models know only the tools.
func (t *turnRun) named(v any) any {
	switch v := v.(type) {
	case string:
		if c := t.b.capabilityOf(v); c != nil && strings.Contains(v, "_") {
			return c.Name
		}
	case []any:
		for i := range v {
			v[i] = t.named(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = t.named(v[k])
		}
	}
	return v
}

// node holds the parts of a schema that mending needs.
type node struct {
	types      []string
	properties map[string]any
	required   []string
	enum       []any
	items      any
}

func readNode(schema any) (n node) {
	doc, _ := schema.(map[string]any)
	switch of := doc["type"].(type) {
	case string:
		n.types = []string{of}
	case []any:
		n.types = textsIn(of)
	}
	n.properties, _ = doc["properties"].(map[string]any)
	n.enum, _ = doc["enum"].([]any)
	n.items = doc["items"]
	required, _ := doc["required"].([]any)
	n.required = textsIn(required)
	return n
}

func textsIn(list []any) (texts []string) {
	for _, one := range list {
		if s, ok := one.(string); ok {
			texts = append(texts, s)
		}
	}
	return texts
}

func (n node) allowsType(kinds ...string) bool {
	return slices.ContainsFunc(kinds, func(kind string) bool { return slices.Contains(n.types, kind) })
}

// mendValue converts a value to the type in its schema, if there is only one way.
func mendValue(schema, v any) any {
	n := readNode(schema)
	switch v := v.(type) {
	case string:
		return n.mendText(v)
	case []any:
		for i := range v {
			v[i] = mendValue(n.items, v[i])
		}
	case map[string]any:
		n.mendObject(v)
	}
	return v
}

// mendText converts a text to the number, boolean, list or object that its schema requires.
func (n node) mendText(said string) any {
	for _, one := range n.enum {
		if s, ok := one.(string); ok && strings.EqualFold(s, strings.TrimSpace(said)) {
			return s
		}
	}
	if len(n.types) == 0 || n.allowsType("string") {
		return said
	}
	if n.allowsType("integer", "number") {
		return n.mendNumber(said)
	}
	if n.isAmount() {
		if amount, is := text.Amount(said); is {
			return amount
		}
	}
	read, err := text.ParseJSON(json.RawMessage(repairJSON(said)))
	if err != nil {
		return said
	}
	switch read := read.(type) {
	case bool:
		if n.allowsType("boolean") {
			return read
		}
	case []any:
		if n.allowsType("array") {
			return mendList(n, read)
		}
	case map[string]any:
		if n.allowsType("object") {
			n.mendObject(read)
			return read
		}
	}
	return said
}

// plainNumber matches an integer without separators, which is unambiguous in every language.
var plainNumber = text.Late(`^-?(0|[1-9]\d*)$`)

// mendNumber converts a text to a number if it has only one meaning as a number.
func (n node) mendNumber(said string) any {
	if bare := strings.TrimSpace(said); plainNumber().MatchString(bare) {
		return json.Number(bare)
	}
	for _, decimals := range []int{0, maxDecimals} { // the bus refuses decimals for an integer
		if read, is := text.Number(said, decimals); is {
			return read
		}
	}
	return said
}

// maxDecimals limits the decimals of a number in a text.
const maxDecimals = 9

// isAmount reports whether the schema describes an amount of money.
func (n node) isAmount() bool {
	return n.allowsType("object") && n.properties["amount"] != nil && n.properties["currency"] != nil
}

func mendList(n node, list []any) []any {
	for i := range list {
		list[i] = mendValue(n.items, list[i])
	}
	return list
}

// mendObject renames misspelt keys and removes optional null values.
func (n node) mendObject(object map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		value, name := object[key], key
		if _, known := n.properties[key]; !known {
			if name = n.spelt(key); name == "" {
				continue
			}
			if _, taken := object[name]; taken {
				continue
			}
			delete(object, key)
		}
		if value == nil && !slices.Contains(n.required, name) {
			delete(object, name)
			continue
		}
		object[name] = mendValue(n.properties[name], value)
	}
}

// spelt returns the only property with these letters, "" for none or several.
func (n node) spelt(key string) (name string) {
	letters := func(s string) string { return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(s)) }
	for property := range n.properties {
		if letters(property) != letters(key) {
			continue
		}
		if name != "" {
			return ""
		}
		name = property
	}
	return name
}

// fence matches the Markdown fence that models write around JSON.
var fence = text.Late("^\\s*```[a-z]*\\s*|\\s*```\\s*$")

// repairJSON removes a comma before the end of a list or an object, and a Markdown fence.
func repairJSON(said string) string {
	said = fence().ReplaceAllString(said, "")
	var b strings.Builder
	quoted, escaped, comma := false, false, ""
	for _, r := range said {
		switch {
		case quoted:
			quoted = r != '"' || escaped
			escaped = r == '\\' && !escaped
		case r == ',' && comma == "":
			comma = ","
			continue
		case comma != "" && strings.ContainsRune(" \t\r\n", r):
			comma += string(r)
			continue
		default:
			if r != '}' && r != ']' {
				b.WriteString(comma)
			}
			comma, quoted = "", r == '"'
		}
		b.WriteRune(r)
	}
	return b.String() + comma
}
