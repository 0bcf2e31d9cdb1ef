package audit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// newPlanner opens a toy bus with plans, whose agent may call everything.
func newPlanner(t *testing.T) (*bus.Bus, *audit.Log) {
	t.Helper()
	b, l := newToy(t, bus.Options{Approver: yes{}})
	type input struct {
		Steps []int  `json:"steps"`
		Note  string `json:"note,omitempty"`
	}
	grow := bus.Capability{Name: "toy.grow", Title: "Grow", Description: "Grows.", SideEffect: bus.UIOnly,
		Permissions: []string{"toy:grow"}, Resources: []string{"database:write"}, Reversible: true}
	keep, fall := grow, grow
	keep.Name, keep.Reversible = "toy.keep", false
	fall.Name, fall.SideEffect, fall.Permissions = "toy.fall", bus.Destructive, []string{"toy:fall"}
	fall.Facts, fall.Assistant.Grantable = []string{"teamId"}, []string{"note"}
	doing := func(ctx context.Context, call *bus.Call, in input) (toyOutput, error) {
		if call.Capability.Name == fall.Name {
			call.Fact("teamId", "team_fact")
		}
		return act(ctx, call, toyInput{Steps: in.Steps})
	}
	b.MustRegister(bus.Capabilities()[3], bus.Define(grow, doing), bus.Define(keep, doing), bus.Define(fall, doing))
	return b, l
}

func planned(b *bus.Bus, request, steps string) bus.Result {
	return b.Invoke(context.Background(), bus.Invocation{Capability: "plan.propose",
		Arguments: json.RawMessage(`{"steps":[` + steps + `]}`), RequestID: request,
		Caller:    bus.Caller{Type: bus.CallerAgent},
		Principal: bus.Principal{ID: "u1", Scopes: []string{"*"}, Door: "test"}})
}

const threeSteps = `{"capability":"toy.grow","arguments":{"steps":[0,0,1]}},{"capability":"toy.grow","arguments":{"steps":[2]}},
	{"capability":"toy.fall","arguments":{"steps":[4],"note":"x"}}`

// holds: U7
func TestU7APlanIsFiledByWhatItDid(t *testing.T) {
	b, l := newPlanner(t)
	r := planned(b, "p1", threeSteps)
	ok(t, r)
	var out struct {
		Steps []struct {
			Data  toyOutput
			Facts map[string]any
		}
	}
	must(t, json.Unmarshal(r.Data, &out))
	if out.Steps[2].Facts["teamId"] != "team_fact" {
		t.Errorf("facts: %s", r.Data)
	}
	for name, q := range map[string]audit.Query{
		"its own name":           {Capability: "plan.propose"},
		"a step":                 {Capability: "toy.grow"},
		"the gravest step":       {Capability: "toy.fall"},
		"a step and a person":    {Capability: "toy.grow", Person: "u1", SideEffect: bus.Destructive},
		"a step, since":          {Capability: "toy.fall", Since: 1, Until: epoch.UnixMilli() * 2},
		"the gravest effect":     {SideEffect: bus.Destructive},
		"an id that a step gave": {Subject: out.Steps[0].Data.ID},
		"a fact of a step":       {Subject: "team_fact"},
		"a step and a subject":   {Subject: "team_fact", Capability: "toy.grow"},
	} {
		page, err := l.Search(t.Context(), q)
		must(t, err)
		if len(page.Records) != 1 || page.Records[0].RequestID != "p1" {
			t.Errorf("%s: %+v", name, page.Records)
		}
		q.Exclude = []string{"audit"}
		f, err := l.Facets(t.Context(), q)
		must(t, err)
		want := []audit.Count{{Value: "plan.propose", Records: 1}, {Value: "toy.fall", Records: 1},
			{Value: "toy.grow", Records: 1}}
		slices.SortFunc(f.Capabilities, func(a, b audit.Count) int { return strings.Compare(a.Value, b.Value) })
		if d := cmp.Diff(want, f.Capabilities); d != "" || f.Records != 1 || f.SideEffects[0].Value != "destructive" {
			t.Errorf("%s: facets %+v", name, f)
		}
	}
	if page, err := l.Search(t.Context(), audit.Query{Capability: "toy.hard"}); err != nil || len(page.Records) != 0 {
		t.Errorf("not a step of it: %+v %v", page, err)
	}
}

// holds: U7
func TestU7StatisticsCountTheStepsOfPlans(t *testing.T) {
	for _, again := range []bool{false, true} {
		b, l := newPlanner(t)
		ok(t, planned(b, "p1", threeSteps))
		ok(t, call(b, "r1", "toy.act", `{"steps":[0]}`))
		if again { // counted from the records
			audit.Execute(t, l, `DELETE FROM audit_counts`, `UPDATE audit_heads SET counted = 0`)
		}
		s, err := l.Stats(t.Context(), 0, 0)
		must(t, err)
		got := map[string]int64{}
		for _, c := range s.Capabilities {
			got[fmt.Sprint(c.Capability, " by ", c.Caller)] = c.Calls
		}
		want := map[string]int64{"plan.propose by agent": 1, "toy.grow by agent": 2, "toy.fall by agent": 1,
			"toy.act by test": 1}
		if d := cmp.Diff(want, got); d != "" || s.Trust.Calls != 1 || s.Trust.Risky != 1 {
			t.Errorf("%s %+v", d, s.Trust)
		}
	}
}

// holds: U5
func TestU5AnUndoOfAPlanTakesBackItsSteps(t *testing.T) {
	b, l := newPlanner(t)
	ok(t, call(b, "r0", "toy.act", `{"steps":[0,0,2]}`))
	before := stateHash(t, l)
	ok(t, planned(b, "p1", threeSteps))
	if stateHash(t, l) == before {
		t.Fatal("nothing happened")
	}
	for who, scopes := range map[string][]string{"u2": {"audit:write", "toy:grow"}, "u3": {"audit:write", "toy:fall"}} {
		r := b.Invoke(t.Context(), bus.Invocation{Capability: "audit.undo", Arguments: json.RawMessage(`{"requestId":"p1"}`),
			Caller: bus.Caller{Type: bus.CallerTest}, Principal: bus.Principal{ID: who, Scopes: scopes}})
		refusedAs(t, r, bus.Forbidden, bus.ReasonPermission, "needs the permission toy:")
	}
	ok(t, undo(b, "u1", "p1"))
	if stateHash(t, l) != before {
		t.Error("not as it was before")
	}
	ok(t, planned(b, "p2", `{"capability":"toy.grow","arguments":{"steps":[0]}},
		{"capability":"toy.keep","arguments":{"steps":[0]}}`))
	refusedAs(t, undo(b, "u2", "p2"), bus.PreconditionFailed, bus.ReasonState, "not reversible")
}
