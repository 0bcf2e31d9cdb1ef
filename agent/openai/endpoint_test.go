package openai_test

import (
	"testing"

	"github.com/deskhand/deskhand/agent/internal/agenttest"
)

var (
	raw         = agenttest.JSON
	object      = agenttest.Object
	kim         = agenttest.Kim
	newRoom     = agenttest.NewRoom
	newEndpoint = agenttest.NewEndpoint
	ask         = agenttest.Ask
	answers     = agenttest.Answers
	stream      = agenttest.Stream
	says        = agenttest.Says
	calls       = agenttest.Calls
	ends        = agenttest.Ends
)

const done = agenttest.Done

type (
	wireMessage = agenttest.WireMessage
	canned      = agenttest.Canned
	roundTrip   = agenttest.RoundTrip
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
