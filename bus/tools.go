package bus

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxTools is the number of tools that common endpoints accept.
const maxTools = 128

// Tool is the definition of a capability for a model.
type Tool struct {
	Name        string          `json:"name"` // at most 64 of [A-Za-z0-9_-]
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Capability  string          `json:"-"` // the capability with that name
}

// toolName replaces dots by underscores; registration refuses collisions.
func toolName(capability string) string { return strings.ReplaceAll(capability, ".", "_") }

// Tools converts a manifest to tool definitions, by name. It omits passive capabilities and those that agents may not
// use, and removes annotations. The description contains the cost of a call, and whether a person is asked first. If
// there are more tools than endpoints accept, it returns an error: set a budget in the view.
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
	slices.SortStableFunc(tools, func(a, b Tool) int { return cmp.Compare(a.Name, b.Name) })
	return tools, nil
}

// isTool reports whether models get a definition of it.
func (e *ManifestEntry) isTool() bool {
	return e.AgentVisible && !e.Passive && e.rule(CallerAgent) != RuleDeny
}

func newTool(e ManifestEntry) (Tool, error) {
	params, err := toolSchema(e.InputSchema)
	return Tool{Name: toolName(e.Name), Description: toolDescription(e), Parameters: params, Capability: e.Name}, err
}

// Plain returns the tool for endpoints that refuse the keywords pattern and format. It moves them to the descriptions.
// The bus still enforces them.
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

// Lean returns a short form of the tool for a model with a small context: the short line of its entry and, for each
// argument, the name, the type and a short description, each description once. capability.describe returns the rest.
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
	shortWords = 56 // maximum length of a description in bytes
)

// leanSchema returns a short form of a schema. The keys of properties are names. written holds the descriptions so far.
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

// sayInstead moves keywords into the description next to them.
func sayInstead(schema map[string]any, keywords ...string) {
	for _, k := range keywords {
		if text, ok := schema[k].(string); ok {
			delete(schema, k)
			said, _ := schema["description"].(string)
			schema["description"] = strings.TrimSpace(said + " (" + k + ": " + text + ")")
		}
	}
}

// eachSchema calls change with every schema of a document, from outside in. The keys of properties and definitions are
// names, and the values of those names are schemas.
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

// tokens estimates the cost of a definition: four bytes for each token, and the overhead of an endpoint.
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

// unsent lists the keywords that models do not get: limits of lengths and sizes, which servers that compile a schema
// into a grammar refuse (llama.cpp accepts no length above 2000), and titles, which are for people. The bus enforces
// the limits.
var unsent = strings.Fields("minLength maxLength minItems maxItems uniqueItems minProperties maxProperties title " +
	"$schema")

// toolSchema returns an input schema without the annotations for the application and without the [unsent] keywords. A
// pattern becomes a part of the description.
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
