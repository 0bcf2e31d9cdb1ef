package policy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// TestA9NoSequenceOfCallsExceedsAGrant runs random sequences of calls against
// random grants on one journal: 10 000 of them with -soak 1.
// holds: A9
func TestA9NoSequenceOfCallsExceedsAGrant(t *testing.T) {
	sequences := soak(15, 10_000)
	b := openBooth(t, policy.Options{})
	for n := range sequences {
		random := rand.New(rand.NewPCG(7, uint64(n)))
		profile := bus.ModelID{Endpoint: "e", Name: fmt.Sprint("model-", n)}
		for range 1 + random.IntN(2) {
			uses, budget := random.IntN(5), 50+random.IntN(100)
			limits := fmt.Sprintf(`{"budget":{"amount":%d,"currency":"USD"}}`, budget)
			if uses > 0 {
				limits = fmt.Sprintf(`{"uses":%d,"budget":{"amount":%d,"currency":"USD"}}`, uses, budget)
			}
			b.Does(nil, "grant.create",
				`{"grantee":{"endpoint":"e","model":%q},"capability":"purse.pay","constraints":{"owner":"cus_ana","amount":{"max":%d}},"limits":%s,"until":%d}`,
				profile.Name, 20+random.IntN(40), limits, b.Clock.Now().Add(time.Hour).UnixMilli())
		}
		before := b.Paid()
		var wg sync.WaitGroup
		for g := range 8 {
			coins := []int{1 + random.IntN(60), 1 + random.IntN(60)}[:1+random.IntN(2)]
			wg.Go(func() {
				for _, c := range coins {
					b.AgentAs(profile, "chat_1", "purse.pay", `{"purse":"purse_%d","amount":{"amount":%d,"currency":"USD"}}`, g, c)
				}
			})
		}
		wg.Wait()
		var list struct {
			Grants []struct {
				Grantee     policy.Grantee
				Used, Spent int64
				Limits      policy.GrantLimits
			}
		}
		b.Does(&list, "grant.list", `{"limit":2}`)
		spent := int64(0)
		for _, g := range list.Grants {
			if g.Grantee.Model != profile.Name {
				continue
			}
			if g.Limits.Uses != 0 && g.Used > g.Limits.Uses || g.Spent > g.Limits.Budget.Amount {
				t.Fatalf("sequence %d overran %+v", n, g)
			}
			spent += g.Spent
		}
		if paid := b.Paid() - before; paid != spent {
			t.Fatalf("sequence %d: %d were paid and %d accounted for", n, paid, spent)
		}
		b.Clock.Advance(time.Second)
		if n%200 == 199 { // the purse is filled again
			b.Does(nil, "purse.fill", `{}`)
		}
	}
}

// bagCapability is one whose argument has lists in it.
func bagCapability() bus.Capability {
	type part struct {
		Size int `json:"size"`
	}
	type line struct {
		Product  string `json:"product"`
		Quantity int    `json:"quantity"`
		Parts    []part `json:"parts,omitempty"`
	}
	return bus.Define(bus.Capability{Name: "bag.pack", Title: "Pack a bag", Description: "Packs a bag.",
		SideEffect: bus.Network, Run: bus.Run{Preview: func(context.Context, *bus.Call) (json.RawMessage, error) {
			return json.RawMessage(`{}`), nil
		}}},
		func(context.Context, *bus.Call, struct {
			Lines []line `json:"lines"`
			Notes any    `json:"notes,omitempty"`
		}) (struct{}, error) {
			return struct{}{}, nil
		})
}

// TestA9ABoundInAListBindsEachElement: a grant by an index is refused with the bound on each, and one stored by an
// earlier version covers nothing.
// holds: A9
func TestA9ABoundInAListBindsEachElement(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Bus.MustRegister(bagCapability())
	create := func(constraints string) bus.Result {
		return b.Person("grant.create", `{"grantee":{"endpoint":%q,"model":%q},"capability":"bag.pack","constraints":%s}`,
			helper.Endpoint, helper.Name, constraints)
	}
	for constraints, each := range map[string]string{`{"/lines/0/quantity":{"max":2}}`: "/lines/*/quantity",
		`{"lines/7/product":"tea"}`: "/lines/*/product", `{"/lines/0/parts/1/size":3}`: "/lines/*/parts/*/size",
		`{"/lines/*/parts/0/size":3}`: "/lines/*/parts/*/size", `{"/notes/0":"x"}`: "/notes/*",
		`{"/lines/1":{"in":[{"product":"tea"}]}}`: "/lines/*"} {
		r := create(constraints)
		b.Fails(r, bus.Validation, bus.ReasonArguments, "leaves the others free")
		if r.Err != nil && r.Err.Hint != "Bound each of them: "+each+"." {
			t.Errorf("%s: %s", constraints, r.Err.Hint)
		}
	}
	r := create(`{"/lines/*/quantity":{"max":2},"/lines/*/parts/*/size":{"in":[1,2]}}`)
	var made struct{ Text string }
	if err := r.Decode(&made); err != nil ||
		made.Text != "Pack a bag: only with lines parts size 1 or 2, lines quantity at most 2" {
		t.Errorf("%q %v", made.Text, err)
	}
	for args, want := range map[string]bool{
		`{"lines":[{"product":"tea","quantity":2,"parts":[{"size":1}]}]}`:                                                              true,
		`{"lines":[{"product":"tea","quantity":2,"parts":[{"size":1},{"size":2}]},{"product":"a","quantity":1,"parts":[{"size":2}]}]}`: true,
		`{"lines":[{"product":"tea","quantity":1,"parts":[{"size":1}]},{"product":"a","quantity":100,"parts":[{"size":1}]}]}`:          false,
		`{"lines":[{"product":"tea","quantity":1,"parts":[{"size":1},{"size":9}]}]}`:                                                   false,
		`{"lines":[{"product":"tea","quantity":1}]}`:                                                                                   false,
		`{"lines":[]}`: false,
	} {
		if got := b.Agent("bag.pack", "%s", args); got.OK() != want {
			t.Errorf("%s: %v", args, got.Err)
		}
	}
}

// holds: A9
func TestA9AGrantByAnIndexThatIsStoredCoversNothing(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Bus.MustRegister(bagCapability())
	b.Does(nil, "grant.create", `{"grantee":{"endpoint":%q,"model":%q},"capability":"bag.pack","constraints":{}}`,
		helper.Endpoint, helper.Name)
	if r := b.Agent("bag.pack", `{"lines":[{"product":"tea","quantity":1}]}`); !r.OK() {
		t.Fatal(r.Err)
	}
	b.alter(`UPDATE assistant_grants SET constraints = '{"/lines/0/quantity":{"max":2}}'`)
	for _, args := range []string{`{"lines":[{"product":"tea","quantity":1}]}`,
		`{"lines":[{"product":"tea","quantity":1},{"product":"tea","quantity":99}]}`} {
		b.Fails(b.Agent("bag.pack", "%s", args), bus.Forbidden, bus.ReasonConstraint, "may not be granted any more")
	}
}
