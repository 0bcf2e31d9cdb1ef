package agent

import (
	"encoding/json"
	"slices"

	"github.com/deskhand/deskhand/bus"
)

// toolset is the tools that a conversation's model was given. Their order stays the same from one request to the next
// and new ones come last, so that an endpoint's prompt cache holds.
type toolset struct {
	order     []string // capabilities, in the order they were first offered
	described []string // what the model had described, the latest first
}

// keep lists the capabilities that the next request needs most: those just described,
// the way to more, and those offered before.
func (o *toolset) keep() []string {
	return slices.Concat(o.described, []string{"capability.list", "capability.describe"}, o.order)
}

// arrange puts tools into the conversation's order, new ones last, by name.
func (o *toolset) arrange(tools []bus.Tool) []bus.Tool {
	byName := make(map[string]bus.Tool, len(tools))
	for _, tool := range tools {
		byName[tool.Capability] = tool
		if !slices.Contains(o.order, tool.Capability) {
			o.order = append(o.order, tool.Capability)
		}
	}
	list := make([]bus.Tool, 0, len(tools))
	for _, name := range o.order {
		if tool, ok := byName[name]; ok {
			list = append(list, tool)
		}
	}
	return list
}

// saw takes note of what capability.describe returned: it is a tool from the next request on, wherever it belongs.
func (o *toolset) saw(capability string, res bus.Result) {
	if capability != "capability.describe" || !res.OK() {
		return
	}
	var described struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(res.Data, &described) != nil || described.Name == "" {
		return
	}
	o.described = slices.DeleteFunc(o.described, func(name string) bool { return name == described.Name })
	o.described = slices.Insert(o.described, 0, described.Name)
}
