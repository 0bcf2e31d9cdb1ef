package policy_test

import (
	"context"
	"testing"

	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
)

type (
	script = agenttest.Script
	step   = agenttest.Step
)

// booth is the application of the tests on a real journal, extended by single tests.
type booth struct{ *agenttest.Booth }

func openBooth(t testing.TB, o policy.Options) *booth { return &booth{agenttest.OpenBooth(t, o)} }

type auditPage = audit.Page

func searchLog(b *booth, capability string) (audit.Page, error) {
	return b.Log.Search(context.Background(), audit.Query{Capability: capability})
}

var (
	code   = agenttest.Code
	reply  = agenttest.Reply
	use    = agenttest.Use
	helper = agenttest.Helper
	owner  = agenttest.Owner

	raw    = agenttest.JSON
	object = agenttest.Object
	kim    = agenttest.Kim

	capability = agenttest.Capability
)

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

type thing = map[string]any

const forAna = agenttest.ForAna

func answering(t *testing.T, answer func(n int, c policy.Card) policy.Answer) (*booth, *[]policy.Card) {
	b, cards := agenttest.Answering(t, answer)
	return &booth{b}, cards
}
