package desk

import (
	"context"
	"log/slog"
	"sync"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/keychain"
	"github.com/deskhand/deskhand/shop/settings"
)

// models chooses the model that answers: one named when the desk was opened, the one of the settings, or the
// built-in assistant.
type models struct {
	log     *audit.Log
	fixed   model.Model // nil: the settings decide
	secrets *keychain.Secrets
	builtin model.Model

	mu       sync.Mutex // guards the rest
	settings [2]string  // endpoint and name of the last model
	last     model.Model
}

// current returns the model for a turn, so that a changed setting counts from the next turn on. While the settings
// stay the same so does the model, which keeps what it learnt of its endpoint.
func (m *models) current() model.Model {
	if m.fixed != nil {
		return m.fixed
	}
	ctx := context.Background() // the turn's own context ends the turn, not this reading
	var now [2]string
	err := m.log.View(ctx, func(ctx context.Context) (err error) {
		now[0], now[1], err = settings.ModelEndpoint(ctx)
		return err
	})
	if err != nil {
		slog.Error("Could not read the model of the settings.", "cause", err)
		return m.builtin
	}
	if now[0] == "" {
		return m.builtin
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.last != nil && now == m.settings {
		return m.last
	}
	made, err := openai.New(openai.Options{BaseURL: now[0], Model: now[1], Key: m.secrets.ModelKey(now[0])})
	if err != nil {
		slog.Error("Could not use the model of the settings.", "cause", err)
		return m.builtin
	}
	m.settings, m.last = now, made
	return made
}

// testModel probes what a model can do, with the key kept for its endpoint.
func testModel(secrets *keychain.Secrets) func(ctx context.Context, endpoint, name string) model.Report {
	return func(ctx context.Context, endpoint, name string) model.Report {
		o := openai.Options{BaseURL: endpoint, Model: name, Key: secrets.ModelKey(endpoint)}
		return openai.Probe(ctx, o, nil)
	}
}

// price returns the price of a model in the settings, nil where they have none.
func (m *models) price(ctx context.Context, used bus.ModelID) (*agent.Price, error) {
	var input, output, currency string
	err := m.log.View(ctx, func(ctx context.Context) error {
		endpoint, model, err := settings.ModelEndpoint(ctx)
		if err != nil || endpoint != used.Endpoint || model != used.Name {
			return err
		}
		input, output, currency, err = settings.ModelPrice(ctx)
		return err
	})
	if err != nil || currency == "" {
		return nil, err
	}
	p := &agent.Price{}
	return p, p.Parse(input, output, currency)
}
