package builtin_test

import (
	"testing"

	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/internal/agenttest"
)

// newRoom puts the built-in assistant into the tests' application.
func newRoom(t *testing.T) *agenttest.Room {
	return agenttest.NewRoom(t, builtin.New(agenttest.Vocabulary()))
}
