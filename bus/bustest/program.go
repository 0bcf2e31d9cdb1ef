package bustest

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// program tries the capability as a step of a plan: with its arguments, and for the one row of a list that has them.
func (p *probe) program() {
	args := map[string]any{}
	if p.cap.SideEffect == bus.Pure || p.cap.SideEffect == bus.Network || p.app.Bus.CheckStep(p.cap.Name) != nil ||
		json.Unmarshal(p.args, &args) != nil {
		return
	}
	rows := bus.Capability{Name: "conformance.rows", Title: "Rows", Description: "Lists one row.", SideEffect: bus.Pure,
		Handler: func(context.Context, *bus.Call) (json.RawMessage, error) {
			return json.Marshal(map[string]any{"rows": []any{p.args}})
		}}
	plan := bus.Capabilities()[3]
	b, err := p.bus(nil, nil, rows, plan)
	if err != nil {
		p.note(ruleProgram, "%v", err)
		return
	}
	items := map[string]any{}
	for name := range args {
		items[name] = map[string]any{"$item": "/" + jsonpointer.Escape(name)}
	}
	now := p.b.Options().Clock()
	did := func(step map[string]any) (does any, r bus.Result) {
		step["capability"] = p.cap.Name
		inv := p.invocation()
		inv.Capability, inv.DryRun, inv.PinnedSeed = plan.Name, true, []byte("conformance")
		inv.Principal.Scopes = append(inv.Principal.Scopes, plan.Permissions...)
		inv.PinnedClock = now
		inv.Arguments, _ = json.Marshal(map[string]any{"steps": []any{map[string]any{"capability": rows.Name}, step}})
		r = p.invokeOn(p.ctx, b, inv)
		var out struct {
			Steps []struct{ Summary, Data, Facts any }
		}
		if json.Unmarshal(r.Data, &out) == nil && len(out.Steps) == 2 {
			does = out.Steps[1]
		}
		return does, r
	}
	p.unchanged(ruleProgram, func() {
		plain, r := did(map[string]any{"arguments": p.args})
		if !r.OK() {
			return // as a step of a plan it wants more than the probe has
		}
		if row, r := did(map[string]any{"arguments": items, "$each": map[string]any{"from": "/0/rows"}}); !r.OK() ||
			!reflect.DeepEqual(plain, row) {
			p.note(ruleProgram, "with the arguments of a row it was answered with %s", brief(r))
		}
	})
}
