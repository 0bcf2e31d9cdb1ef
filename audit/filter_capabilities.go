package audit

import (
	"context"
	_ "embed"
	"encoding/json"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/period"
)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// maxFilters is the number of filters that one person may keep.
const maxFilters = 100

type saveFilterInput struct {
	Name   string       `json:"name" jsonschema:"minLength=1,maxLength=60"`
	Filter filterInDays `json:"filter" jsonschema_description:"As in audit.search."`
}

// filterInDays is a query with days, which are days in the application's zone at each use of the filter.
type filterInDays struct {
	Query
	period.Days
}

type saveFilterOutput struct {
	Name     string `json:"name"`
	Replaced bool   `json:"replaced"`
}

type savedFilter struct {
	Name    string       `json:"name"`
	Filter  filterInDays `json:"filter"`
	SavedAt int64        `json:"savedAt" jsonschema_description:"Unix ms." jsonschema_extras:"x-time=true"`
}

type listFiltersOutput struct {
	Filters []savedFilter `json:"filters" jsonschema_description:"By name."`
}

type deleteFilterInput struct {
	Name string `json:"name" jsonschema:"minLength=1,maxLength=60"`
}

// FilterCapabilities returns audit.saveFilter, audit.listFilters and audit.deleteFilter for the filters of the
// signed-in person. Each person sees only their own filters, so audit:read is enough to save one.
func FilterCapabilities() []bus.Capability {
	base := bus.Capability{Texts: texts, SideEffect: bus.Pure,
		Permissions: []string{"audit:read"},
		Resources:   []string{"database:read"},
		Listing:     bus.Listing{Category: "audit", Group: "audit", Routes: []string{"audit"}},
		Run:         bus.Run{Idempotent: true}}
	save, list, remove := base, base, base
	save.Name = "audit.saveFilter"
	remove.Name = "audit.deleteFilter"
	for _, c := range []*bus.Capability{&save, &remove} {
		c.SideEffect, c.Resources, c.Checks.Access = bus.UIOnly, []string{"database:write"}, bus.Access{Agent: bus.RuleDeny}
	}
	list.Name, list.Type = "audit.listFilters", bus.TypeData
	return []bus.Capability{bus.Define(save, saveFilter), bus.Define(list, listFilters), bus.Define(remove, deleteFilter)}
}

// saveFilter stores a filter for the caller, in place of an earlier one with the same name.
func saveFilter(ctx context.Context, call *bus.Call, in saveFilterInput) (saveFilterOutput, error) {
	out := saveFilterOutput{Name: strings.TrimSpace(in.Name)}
	if out.Name == "" {
		return out, bus.Errorf(bus.Validation, bus.ReasonArguments, "A filter needs a name.").WithHint("Name what it finds.")
	}
	text, err := json.Marshal(in.Filter)
	if err != nil {
		return out, err
	}
	kept, err := filtersOf(ctx, call.Person.ID)
	if err != nil {
		return out, err
	}
	for _, f := range kept {
		out.Replaced = out.Replaced || f.Name == out.Name
	}
	if len(kept) >= maxFilters && !out.Replaced {
		return out, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "You have %d filters already.", len(kept)).
			WithHint("Delete one with audit.deleteFilter.")
	}
	call.Summarize("Save the filter %s", out.Name)
	call.Announce("audit", bus.Textf("A filter was saved."))
	return out, Tx(ctx).ownChange(ctx, func(b *batch) error {
		_, err := b.w.session.exec(`INSERT INTO audit_filters (person, name, filter, saved) VALUES (?, ?, ?, ?)
			ON CONFLICT (person, name) DO UPDATE SET filter = excluded.filter, saved = excluded.saved`,
			call.Person.ID, out.Name, string(text), call.Now.UnixMilli())
		return err
	})
}

func listFilters(ctx context.Context, call *bus.Call, _ struct{}) (out listFiltersOutput, err error) {
	out.Filters, err = filtersOf(ctx, call.Person.ID)
	return out, err
}

// filtersOf lists the filters of a person by name.
func filtersOf(ctx context.Context, person string) ([]savedFilter, error) {
	rows, err := Tx(ctx).QueryContext(ctx,
		"SELECT name, filter, saved FROM audit_filters WHERE person = ? ORDER BY name", person)
	out := []savedFilter{}
	return out, each(rows, err, func() error {
		var f savedFilter
		var text []byte
		if err := rows.Scan(&f.Name, &text, &f.SavedAt); err != nil {
			return err
		}
		out = append(out, f)
		return json.Unmarshal(text, &out[len(out)-1].Filter)
	})
}

func deleteFilter(ctx context.Context, call *bus.Call, in deleteFilterInput) (struct{}, error) {
	name := strings.TrimSpace(in.Name)
	call.Summarize("Delete the filter %s", name)
	call.Announce("audit", bus.Textf("A filter was deleted."))
	kept, err := filtersOf(ctx, call.Person.ID)
	if err != nil {
		return struct{}{}, err
	}
	for _, f := range kept {
		if f.Name == name {
			return struct{}{}, Tx(ctx).ownChange(ctx, func(b *batch) error {
				_, err := b.w.session.exec("DELETE FROM audit_filters WHERE person = ? AND name = ?", call.Person.ID, name)
				return err
			})
		}
	}
	return struct{}{}, bus.Errorf(bus.NotFound, bus.ReasonRecord, "You have no filter called %s.", name).
		WithHint("audit.listFilters names them.")
}

// eraseFilters deletes the filters that contain a term.
func (b *batch) eraseFilters(about *erasureTerms) error {
	rows, err := about.rowsMentioning(context.Background(), b.w.session.conn,
		"SELECT id, json_object('name', name, 'filter', json(filter)) FROM audit_filters")
	if err != nil {
		return err
	}
	for _, id := range rows {
		if _, err := b.w.session.exec("DELETE FROM audit_filters WHERE id = ?", id); err != nil {
			return err
		}
	}
	return nil
}
