package window

import (
	"context"

	"github.com/deskhand/deskhand/bus"
)

// place is a page with the id of its record.
type place struct {
	Page string `json:"page" enum:"today,counter,orders,customers,catalog,reports,audit,settings"`
	ID   string `json:"id,omitempty" jsonschema:"maxLength=100"`
}

type navigationOut struct {
	Page string `json:"page"`
	ID   string `json:"id,omitempty"`
}

func navigate(_ context.Context, call *bus.Call, in place) (navigationOut, error) {
	ids := []string{in.Page}
	call.Summarize("Open the %s page", bus.Phrase(in.Page))
	if in.ID != "" {
		ids = append(ids, in.ID)
		call.Summarize("Open %s on the %s page", in.ID, bus.Phrase(in.Page))
	}
	call.Announce("navigation", bus.Textf("The page %s is open.", bus.Phrase(in.Page)), ids...)
	return navigationOut(in), nil
}

type modalIn struct {
	Dialog  string            `json:"dialog" jsonschema:"enum=customerPicker,enum=shortcuts,enum=palette"`
	Context map[string]string `json:"context,omitempty"`
}

func openDialog(_ context.Context, call *bus.Call, in modalIn) (modalIn, error) {
	call.Summarize("Open the dialog %s", bus.Phrase(in.Dialog))
	call.Announce("modal", bus.Textf("The dialog %s is open.", bus.Phrase(in.Dialog)), in.Dialog)
	return in, nil
}
