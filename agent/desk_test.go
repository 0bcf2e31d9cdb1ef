package agent_test

import (
	"testing"

	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

type (
	room   = agenttest.Room
	script = agenttest.Script
	step   = agenttest.Step
	turn   = agenttest.Turn
)

// booth is the application of the tests on a real journal, extended by single tests.
type booth struct{ *agenttest.Booth }

func openBooth(t testing.TB, o policy.Options) *booth { return &booth{agenttest.OpenBooth(t, o)} }

type auditPage = audit.Page

// profiled is a script with the profile helper.
type profiled struct{ *script }

func (profiled) Profile() bus.ModelID { return helper }

var (
	code    = agenttest.Code
	newRoom = agenttest.NewRoom
	reply   = agenttest.Reply
	use     = agenttest.Use
	helper  = agenttest.Helper
	owner   = agenttest.Owner

	raw    = agenttest.JSON
	object = agenttest.Object
	kim    = agenttest.Kim

	capability = agenttest.Capability
	saying     = agenttest.Saying
)

func must[T any](t *testing.T) func(T, error) T {
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

var (
	newEndpoint = agenttest.NewEndpoint
	answers     = agenttest.Answers
	stream      = agenttest.Stream
	says        = agenttest.Says
	ask         = agenttest.Ask
	calls       = agenttest.Calls
	ends        = agenttest.Ends
)

const done = agenttest.Done

type (
	canned    = agenttest.Canned
	roundTrip = agenttest.RoundTrip
)
