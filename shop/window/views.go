package window

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// Limits of a person's saved views.
const (
	maxViews      = 100
	maxViewName   = 60
	maxViewValues = 4000 // bytes
)

// view is a saved filter and sort order of a list, under a name.
type view struct {
	ID     string         `json:"id"`
	List   string         `json:"list" doc:"The capability that lists."`
	Name   string         `json:"name"`
	Values map[string]any `json:"values" doc:"Its arguments."`
}

type saveViewIn struct {
	ViewID string         `json:"viewId,omitempty" jsonschema:"maxLength=100" x:"entity=view"`
	List   string         `json:"list" jsonschema:"maxLength=100,pattern=^[a-z][A-Za-z]*\\.[a-z][A-Za-z]*$"`
	Name   string         `json:"name" jsonschema:"minLength=1,maxLength=60"`
	Values map[string]any `json:"values"`
}

type savedViewOut struct {
	ViewID   string `json:"viewId"`
	Replaced bool   `json:"replaced" doc:"There was one of that name, or with that id."`
}

type viewsOut struct {
	Views []view `json:"views" doc:"By list, then by name."`
}

type viewIn struct {
	ViewID string `json:"viewId" jsonschema:"minLength=1,maxLength=100" x:"entity=view"`
}

func viewsOf(ctx context.Context, person string) ([]view, error) {
	kept, err := core.Views(ctx, person)
	all := make([]view, len(kept))
	for i, one := range kept {
		if err := json.Unmarshal([]byte(one.Value), &all[i]); err != nil {
			return nil, err
		}
		all[i].ID = one.ID
	}
	slices.SortStableFunc(all, func(a, b view) int {
		return strings.Compare(a.List+text.Fold(a.Name)+a.ID, b.List+text.Fold(b.Name)+b.ID)
	})
	return all, err
}

func listViews(ctx context.Context, call *bus.Call, _ struct{}) (out viewsOut, err error) {
	out.Views, err = viewsOf(ctx, call.Person.ID)
	return out, err
}

// saveView stores a view. It replaces a view of the same list and name and keeps its id.
func saveView(ctx context.Context, call *bus.Call, in saveViewIn) (out savedViewOut, err error) {
	v := view{List: in.List, Name: text.Line(in.Name, maxViewName), Values: in.Values}
	if v.Name == "" {
		return out, core.Invalid("/name", "A view needs a name.")
	}
	kept, err := viewsOf(ctx, call.Person.ID)
	if err != nil {
		return out, err
	}
	out.ViewID = in.ViewID
	if at := slices.IndexFunc(kept, func(k view) bool {
		return k.List == v.List && text.Fold(k.Name) == text.Fold(v.Name)
	}); at >= 0 {
		if in.ViewID != "" && in.ViewID != kept[at].ID {
			return out, core.Refused("You have a view called %s already.", kept[at].Name).
				WithHint("Choose another name, or remove that one with view.remove.")
		}
		out.ViewID = kept[at].ID
	}
	out.Replaced = slices.ContainsFunc(kept, func(k view) bool { return k.ID == out.ViewID })
	switch {
	case !out.Replaced && in.ViewID != "":
		return out, errNoView(in.ViewID)
	case !out.Replaced && len(kept) >= maxViews:
		return out, core.Refused("You have %d views already.", len(kept)).WithHint("Remove one with view.remove.")
	case !out.Replaced:
		out.ViewID = call.NewID("view")
	}
	data, err := json.Marshal(v)
	if err != nil {
		return out, err
	}
	if len(data) > maxViewValues {
		return out, core.Invalid("/values", "A view has at most %d bytes.", maxViewValues)
	}
	call.Summarize("Save the view %s", v.Name)
	call.Announce("view", bus.Textf("The view %s was saved.", v.Name), out.ViewID)
	return out, core.SetPreference(ctx, call.Person.ID, core.ViewPreference+out.ViewID, string(data))
}

func removeView(ctx context.Context, call *bus.Call, in viewIn) (struct{}, error) {
	kept, err := viewsOf(ctx, call.Person.ID)
	if err != nil {
		return struct{}{}, err
	}
	at := slices.IndexFunc(kept, func(k view) bool { return k.ID == in.ViewID })
	if at < 0 {
		return struct{}{}, errNoView(in.ViewID)
	}
	call.Summarize("Remove the view %s", kept[at].Name)
	call.Announce("view", bus.Textf("The view %s was removed.", kept[at].Name), in.ViewID)
	return struct{}{}, core.RemovePreference(ctx, call.Person.ID, core.ViewPreference+in.ViewID)
}

func errNoView(id string) error {
	return core.NotFound("You have no view %s.", id).WithHint("view.list names them.")
}
