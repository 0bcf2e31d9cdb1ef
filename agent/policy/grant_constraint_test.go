package policy_test

import (
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
