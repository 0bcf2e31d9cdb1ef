package window

import (
	"context"

	"github.com/deskhand/deskhand/bus"
)

// place is a page, and what is shown there.
type place struct {
	Page string `json:"page" enum:"counter,orders,customers,catalog,reports,audit,settings"`
	ID   string `json:"id,omitempty" jsonschema:"maxLength=100"`
}

type navigationOut struct {
	Page string `json:"page"`
	ID   string `json:"id,omitempty"`
}

func navigate(_ context.Context, call *bus.Call, in place) (navigationOut, error) {
	ids := []string{in.Page}
	call.Summarize("Open the %s page", in.Page)
	if in.ID != "" {
		ids = append(ids, in.ID)
		call.Summarize("Open %s on the %s page", in.ID, in.Page)
	}
	call.Changed("navigation", "The page "+in.Page+" is open.", ids...)
	return navigationOut(in), nil
}

type modalIn struct {
	Dialog  string            `json:"dialog" jsonschema:"enum=customerPicker,enum=shortcuts,enum=palette"`
	Context map[string]string `json:"context,omitempty"`
}

func openDialog(_ context.Context, call *bus.Call, in modalIn) (modalIn, error) {
	call.Summarize("Open the dialog %s", in.Dialog)
	call.Changed("modal", "The dialog "+in.Dialog+" is open.", in.Dialog)
	return in, nil
}
