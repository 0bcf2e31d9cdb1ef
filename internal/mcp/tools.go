package mcp

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// nameDescribe is the capability with which a client turns another one into a tool.
const nameDescribe = "capability.describe"

// tools returns the tools of the core and the described ones. The core has short definitions, the described ones have
// complete definitions.
func tools(m bus.Manifest, core, described []string) ([]*sdk.Tool, error) {
	entries := map[string]bus.ManifestEntry{}
	m.Capabilities = slices.DeleteFunc(slices.Clone(m.Capabilities), func(e bus.ManifestEntry) bool {
		entries[e.Name] = e
		return !slices.Contains(core, e.Name) && !slices.Contains(described, e.Name)
	})
	definitions, err := m.Tools()
	if err != nil {
		return nil, err
	}
	list := make([]*sdk.Tool, 0, len(definitions))
	for _, d := range definitions {
		e := entries[d.Capability]
		whole := slices.Contains(described, d.Capability)
		if !whole {
			d = d.Lean(e)
		}
		if !e.Available {
			d.Description += " Not possible now: " + e.UnavailableReason
		}
		output, err := outputSchema(e.OutputSchema, whole)
		if err != nil {
			return nil, err
		}
		tool := &sdk.Tool{Name: d.Name, Title: e.Title, Description: d.Description, InputSchema: d.Parameters,
			OutputSchema: output, Annotations: annotations(e.SideEffect, e.Idempotent)}
		if e.SideEffect == bus.Destructive || e.SideEffect == bus.Network {
			tool.Meta = shown
		}
		list = append(list, tool)
	}
	return list, nil
}

// annotations describes the class of a tool. These are only hints: the bus enforces the rules.
func annotations(class bus.SideEffect, idempotent bool) *sdk.ToolAnnotations {
	destructive, open := class == bus.Destructive, class == bus.Network
	return &sdk.ToolAnnotations{ReadOnlyHint: class == bus.Pure, DestructiveHint: &destructive,
		IdempotentHint: idempotent || class == bus.Pure, OpenWorldHint: &open}
}

// outputSchema returns the schema of a result: the envelope with the data. A short definition lists at most the fields
// of the data.
func outputSchema(data json.RawMessage, whole bool) (any, error) {
	schema := map[string]any{"type": "object", "required": []string{"status"}, "properties": map[string]any{
		"status": map[string]any{"type": "string"}}}
	if data == nil {
		return schema, nil
	}
	var of map[string]any
	if err := json.Unmarshal(data, &of); err != nil {
		return nil, err
	}
	for _, defs := range []string{"$defs", "definitions"} {
		if named, is := of[defs].(map[string]any); is && whole {
			schema[defs] = eachOf(named, wholeSchema)
		}
		delete(of, defs)
	}
	if whole {
		of = wholeSchema(of)
	} else {
		of = fieldsOnly(of)
	}
	if raw, _ := json.Marshal(of); !whole && len(raw) > maxFields {
		of = map[string]any{"type": of["type"]}
	}
	schema["properties"].(map[string]any)["data"] = of
	return schema, nil
}

// maxFields limits the fields of a result in a short definition, in bytes.
const maxFields = 300

func eachOf(named map[string]any, change func(map[string]any) map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range named {
		if of, is := v.(map[string]any); is {
			out[name] = change(of)
		}
	}
	return out
}

// wholeSchema returns a schema without the annotations for the application. A withheld value of a result is a text, so
// the schema contains types but no constraints.
func wholeSchema(of map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range of {
		sub, isSchema := v.(map[string]any)
		switch {
		case k == "properties" && isSchema:
			out[k] = eachOf(sub, wholeSchema)
		case k == "items" && isSchema:
			out[k] = wholeSchema(sub)
		case k == "additionalProperties", strings.HasPrefix(k, "x-"):
		case slices.Contains([]string{"type", "enum", "const", "required", "description", "$ref", "anyOf", "oneOf",
			"allOf"}, k):
			out[k] = v
		}
	}
	return out
}

// fieldsOnly returns a schema with the fields of its first level and their types.
func fieldsOnly(of map[string]any) map[string]any {
	out := map[string]any{}
	if v, has := of["type"]; has {
		out["type"] = v
	}
	if fields, is := of["properties"].(map[string]any); is {
		out["properties"] = eachOf(fields, func(of map[string]any) map[string]any {
			field := map[string]any{}
			if v, has := of["type"]; has {
				field["type"] = v
			}
			return field
		})
	}
	return out
}

// The tools that are no capabilities.
const (
	toolCall = "capability_call"
	toolWait = "approval_wait"
)

// addOwnTools registers them.
func (s *Server) addOwnTools() {
	output, _ := outputSchema(nil, true)
	object := func(properties string, required ...string) json.RawMessage {
		raw, _ := json.Marshal(map[string]any{"type": "object", "properties": json.RawMessage(properties),
			"required": required})
		return raw
	}
	s.sdk.AddTool(&sdk.Tool{Name: toolCall, Title: "Call a capability", Description: "Calls any capability by its name, " +
		"as its own tool does. Use it for what capability_describe found and is not listed as a tool.",
		InputSchema:  object(`{"name":{"type":"string"},"arguments":{"type":"object"}}`, "name", "arguments"),
		OutputSchema: output, Annotations: annotations(bus.Destructive, false), Meta: shown}, s.handle)
	s.sdk.AddTool(&sdk.Tool{Name: toolWait, Title: "Fetch a result", Description: "Waits for the result of a call " +
		"whose status was waiting. Use it with its request_id. It does not do anything again.",
		InputSchema: object(`{"requestId":{"type":"string"}}`, "requestId"), OutputSchema: output,
		Annotations: annotations(bus.Pure, true), Meta: shown}, s.handle)
}
