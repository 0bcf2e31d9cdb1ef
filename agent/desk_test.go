package agent_test

import (
	"testing"

	"github.com/deskhand/deskhand/agent/internal/agenttest"
)

var (
	raw    = agenttest.JSON
	object = agenttest.Object
	desk   = agenttest.Capabilities
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
