package agent

import (
	"context"
	"slices"
	"time"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// CapabilityOptions configure the bridge's capabilities. Store is required.
type CapabilityOptions struct {
	Store   *Store
	Wording policy.Wording // words for the bounds of a grant, and the time zone of days
	// Status describes the assistant, as [Bridge.Status] does. nil: there is no assistant.status.
	Status func() AssistantStatus
	// Thread returns the recent updates of a conversation and its running turn, as [Bridge.Thread] does. nil: this
	// program runs no turns.
	Thread func(conversationID string) (turnID string, told []any, erasures int64)
	// TestModel tries an endpoint, as [ProbeEndpoint]. nil: there is no settings.testModel.
	TestModel     func(ctx context.Context, endpoint, model string) model.Report
	ClientCommand func(client string) (start, install []string) // see [policy.Options]
	// LocalModels looks for model servers on this computer. nil: there is no assistant.findLocal.
	LocalModels func(ctx context.Context) []model.LocalEndpoint
	// Replica opens a copy of the data for a model at an endpoint, "" for the built-in assistant. nil: there is no
	// model.tryOut.
	Replica func(ctx context.Context, endpoint, model string) (*Replica, error)
}

// zone returns the time zone of days.
func (o CapabilityOptions) zone(ctx context.Context) (*time.Location, error) {
	if o.Wording.Zone == nil {
		return time.UTC, nil
	}
	return o.Wording.Zone(ctx)
}

// Capabilities returns the bridge's capabilities on a database with the tables of [Modules]: the settings of the
// assistant, its conversations and its status.
func Capabilities(o CapabilityOptions) []bus.Capability {
	return slices.Concat(
		policy.Capabilities(policy.Options{Log: o.Store.db, Wording: o.Wording, ClientCommand: o.ClientCommand}),
		conversationCapabilities(o.Store, o.Thread), assistantCapabilities(o))
}
