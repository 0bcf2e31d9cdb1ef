package agent

import (
	"context"
	"slices"
	"time"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// CapabilityOptions are what the bridge's own capabilities need. Store is required.
type CapabilityOptions struct {
	Store   *Store
	Wording policy.Wording // for what a grant allows, in words, and for where a day begins
	// Status says how the assistant is, as [Bridge.Status]. nil: there is no assistant.status.
	Status func() AssistantStatus
	// Thread is what a conversation's turns have told here and which goes on, as
	// [Bridge.Thread]. nil: nothing runs here.
	Thread func(conversationID string) (turnID string, told []any, erasures int64)
	// TestModel tries an endpoint, as [ProbeEndpoint]. nil: there is no settings.testModel.
	TestModel     func(ctx context.Context, endpoint, model string) model.Report
	ClientCommand func(client string) (start, install []string) // see [policy.Options]
	// LocalModels looks for servers of models on this computer. nil: there is no assistant.findLocal.
	LocalModels func(ctx context.Context) []model.LocalEndpoint
	// Replica opens a copy for a model at an endpoint, "" for the built-in assistant. nil: there is no model.tryOut.
	Replica func(ctx context.Context, endpoint, model string) (*Replica, error)
}

// zone is where a day begins.
func (o CapabilityOptions) zone(ctx context.Context) (*time.Location, error) {
	if o.Wording.Zone == nil {
		return time.UTC, nil
	}
	return o.Wording.Zone(ctx)
}

// Capabilities are the bridge's own, on a database with the tables of [Modules]: what people
// decide about the assistant, the conversations with it, and how it is.
func Capabilities(o CapabilityOptions) []bus.Capability {
	return slices.Concat(
		policy.Capabilities(policy.Options{Log: o.Store.db, Wording: o.Wording, ClientCommand: o.ClientCommand}),
		conversationCapabilities(o.Store, o.Thread), assistantCapabilities(o))
}
