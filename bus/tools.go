package bus

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxTools is how many tools common endpoints accept.
const maxTools = 128

// Tool is the definition of a capability for a model.
type Tool struct {
	Name        string          `json:"name"` // at most 64 of [A-Za-z0-9_-]
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Capability  string          `json:"-"` // what the name stands for
}

// toolName writes dots as underscores; registration refuses collisions.
func toolName(capability string) string { return strings.ReplaceAll(capability, ".", "_") }

// Tools turns a manifest into tool definitions, by name: capabilities that agents are forbidden and passive ones are
// left out, annotations are stripped, and the description says whether a person is asked first and what a call costs.
// More tools than endpoints accept are an error: give the view a budget.
func (m Manifest) Tools() ([]Tool, error) {
	tools, meaning := []Tool{}, map[string]string{}
	for _, e := range m.Capabilities {
		if !e.isTool() {
			continue
		}
		tool, err := newTool(e)
		if err != nil {
			return nil, fmt.Errorf("capability %s: %w", e.Name, err)
		}
		if other, taken := meaning[tool.Name]; taken {
			return nil, fmt.Errorf("tool name %q stands for both %s and %s", tool.Name, other, e.Name)
		}
		meaning[tool.Name] = e.Name
		tools = append(tools, tool)
	}
	if len(tools) > maxTools {
		return nil, fmt.Errorf("%d tools are more than the %d that endpoints accept: give the view a budget",
			len(tools), maxTools)
	}
	slices.SortFunc(tools, func(a, b Tool) int { return cmp.Compare(a.Name, b.Name) })
	return tools, nil
}

// isTool reports whether a model is given a definition of it.
func (e *ManifestEntry) isTool() bool {
	return e.AgentVisible && !e.Passive && e.rule(CallerAgent) != RuleDeny
}

func newTool(e ManifestEntry) (Tool, error) {
	params, err := toolSchema(e.InputSchema)
	return Tool{Name: toolName(e.Name), Description: toolDescription(e), Parameters: params, Capability: e.Name}, err
}

// Plain is the tool for endpoints that refuse the keywords pattern and format: they
// stand in the descriptions instead. The bus enforces them as before.
func (t Tool) Plain() Tool {
	var doc any
	if json.Unmarshal(t.Parameters, &doc) != nil {
		return t // not one of ours
	}
	eachSchema(doc, func(schema map[string]any) { sayInstead(schema, "format", "pattern") })
	if raw, err := json.Marshal(doc); err == nil {
		t.Parameters = raw
	}
	return t
}

// Lean is a tool in few words, for a model with little room: the short line of its entry, and of each argument the
// name, the type and a short description, each description once. capability.describe tells the rest.
func (t Tool) Lean(e ManifestEntry) Tool {
	short := e.Help
	if short == "" {
		short, _, _ = strings.Cut(e.Description, ". ")
		short = strings.TrimSuffix(short, ".") + "."
	}
	if _, asks, found := strings.Cut(t.Description, asksFirst); found {
		short += asksFirst + asks
	}
	t.Description = short
	var doc any
	if json.Unmarshal(t.Parameters, &doc) == nil {
		t.Parameters, _ = json.Marshal(leanSchema(doc, map[string]bool{})) // it was JSON
	}
	return t
}

const (
	asksFirst  = " Asks the person first."
	shortWords = 56 // bytes of a description that is kept
)

// leanSchema returns a schema in few words; the keys of properties are names. written has the descriptions before it.
func leanSchema(v any, written map[string]bool) any {
	doc, is := v.(map[string]any)
	if !is {
		return v
	}
	lean := map[string]any{}
	for _, k := range slices.Sorted(maps.Keys(doc)) {
		sub := doc[k]
		switch said, _ := sub.(string); k {
		case "additionalProperties", "minimum", "maximum", "default":
		case "description":
			if len(said) <= shortWords && !written[said] {
				written[said], lean[k] = true, sub
			}
		case "properties":
			properties, _ := sub.(map[string]any)
			kept := map[string]any{}
			for _, name := range slices.Sorted(maps.Keys(properties)) {
				kept[name] = leanSchema(properties[name], written)
			}
			lean[k] = kept
		case "items":
			lean[k] = leanSchema(sub, written)
		default:
			lean[k] = sub
		}
	}
	return lean
}

// sayInstead moves keywords into the description beside them.
func sayInstead(schema map[string]any, keywords ...string) {
	for _, k := range keywords {
		if text, ok := schema[k].(string); ok {
			delete(schema, k)
			said, _ := schema["description"].(string)
			schema["description"] = strings.TrimSpace(said + " (" + k + ": " + text + ")")
		}
	}
}

// eachSchema calls change with every schema of a document, from outside in. The
// keys of properties and definitions are names, and what they hold is no schema.
func eachSchema(v any, change func(schema map[string]any)) {
	switch t := v.(type) {
	case map[string]any:
		change(t)
		for k, sub := range t {
			named, isNamed := sub.(map[string]any)
			if isNamed && (k == "properties" || k == "$defs" || k == "definitions") {
				for _, sub := range named {
					eachSchema(sub, change)
				}
				continue
			}
			eachSchema(sub, change)
		}
	case []any:
		for _, sub := range t {
			eachSchema(sub, change)
		}
	}
}

// tokens is about the cost of a definition: four bytes a token, and what an endpoint adds.
func (t Tool) tokens() int { return (len(t.Name)+len(t.Description)+len(t.Parameters))/4 + 16 }

func toolDescription(e ManifestEntry) string {
	d := e.Description
	if defaultRule(e.rule(CallerAgent), e.SideEffect) == RuleConfirm {
		d += asksFirst
	}
	for i, unit := range slices.Sorted(maps.Keys(e.CostEstimate)) {
		if i == 0 {
			d += " Costs"
		} else {
			d += ","
		}
		d += " " + e.CostEstimate[unit] + " " + unit
	}
	if len(e.CostEstimate) > 0 {
		d += "."
	}
	return d
}

// unsent are the keywords that a model is not sent: bounds of lengths and sizes, which servers that compile a schema
// into a grammar refuse (llama.cpp takes no length above 2000), and titles, which are for people. The bus enforces the
// bounds all the same.
var unsent = strings.Fields("minLength maxLength minItems maxItems uniqueItems minProperties maxProperties title " +
	"$schema")

// toolSchema is an input schema without the annotations only the app reads and without what is [unsent]; a pattern
// stands in words.
func toolSchema(raw json.RawMessage) (json.RawMessage, error) {
	if raw == nil {
		return json.RawMessage(`{"type":"object"}`), nil
	}
	var doc any
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	eachSchema(doc, func(schema map[string]any) {
		sayInstead(schema, "pattern")
		maps.DeleteFunc(schema, func(k string, _ any) bool {
			return strings.HasPrefix(k, "x-") || slices.Contains(unsent, k)
		})
	})
	return json.Marshal(doc)
}
