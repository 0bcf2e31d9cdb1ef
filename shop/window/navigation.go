package window

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// The window follows the events of these capabilities; no row changes.

type Place struct {
	Page string `json:"page"`
	ID   string `json:"id,omitempty" jsonschema:"maxLength=100"`
}

func (Place) TagFields() map[string]string {
	return map[string]string{
		"page": `jsonschema:"enum=counter,enum=orders,enum=customers,enum=catalog,enum=reports,enum=audit,` +
			`enum=settings"`,
	}
}

type navigationOut struct {
	Page string `json:"page"`
	ID   string `json:"id,omitempty"`
}

func navigationGo() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "navigation.go", Texts: texts, Category: "navigation",
		SideEffect: bus.UIOnly, Permissions: []string{"navigation:write"}, Access: core.AgentMay, Idempotent: true,
	}, func(_ context.Context, call *bus.Call, in Place) (navigationOut, error) {
		ids := []string{in.Page}
		call.Summarize("Open the %s page", in.Page)
		if in.ID != "" {
			ids = append(ids, in.ID)
			call.Summarize("Open %s on the %s page", in.ID, in.Page)
		}
		call.Changed("navigation", "The page "+in.Page+" is open.", ids...)
		return navigationOut(in), nil
	})
}

type modalIn struct {
	Dialog  string            `json:"dialog" jsonschema:"enum=customerPicker,enum=shortcuts,enum=palette"`
	Context map[string]string `json:"context,omitempty"`
}

func modalOpen() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "modal.open", Texts: texts, Category: "navigation",
		SideEffect: bus.UIOnly, Permissions: []string{"modal:write"}, Access: core.AgentMay, Idempotent: true,
	}, func(_ context.Context, call *bus.Call, in modalIn) (modalIn, error) {
		call.Summarize("Open the dialog %s", in.Dialog)
		call.Changed("modal", "The dialog "+in.Dialog+" is open.", in.Dialog)
		return in, nil
	})
}
