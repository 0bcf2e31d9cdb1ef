package main

import (
	"context"
	"log/slog"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

// answering is which model answers: one that was named when the desk was opened,
// the one of the settings, or the built-in assistant.
type answering struct {
	desk    *desk
	fixed   model.Model // nil: the settings say
	secrets *secrets
	builtin model.Model

	mu      sync.Mutex // guards the rest
	last    [2]string  // endpoint and name of the model
	current model.Model
}

// model is asked at the beginning of a turn, so that another setting counts from
// the next one on. A model that stays the same keeps what it learnt of its
// endpoint.
func (a *answering) model() model.Model {
	if a.fixed != nil {
		return a.fixed
	}
	ctx := context.Background() // what was said ends elsewhere
	var now [2]string
	err := a.desk.log.View(ctx, func(ctx context.Context) (err error) {
		now[0], now[1], err = shop.ModelEndpoint(ctx)
		return err
	})
	if err != nil {
		slog.Error("which model answers could not be read", "cause", err)
		return a.builtin
	}
	if now[0] == "" {
		return a.builtin
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.current != nil && now == a.last {
		return a.current
	}
	m, err := openai.New(openai.Options{BaseURL: now[0], Model: now[1], Key: a.secrets.modelKey(now[0])})
	if err != nil {
		slog.Error("the model of the settings cannot be used", "cause", err)
		return a.builtin
	}
	a.last, a.current = now, m
	return m
}

// modelKey finds the key of an endpoint, "" where none is kept for it: no key is
// what local ones want, and a remote one says what it lacks.
func (s *secrets) modelKey(endpoint string) func() (string, error) {
	return func() (string, error) {
		return s.Find(context.Background(), shop.SecretModel(strings.TrimRight(endpoint, "/")))
	}
}

// testModel finds out what a model can do, with the key that is kept for its
// endpoint.
func testModel(kept *secrets) func(ctx context.Context, endpoint, model string) model.Report {
	return func(ctx context.Context, endpoint, model string) model.Report {
		return openai.Probe(ctx, openai.Options{BaseURL: endpoint, Model: model, Key: kept.modelKey(endpoint)}, nil)
	}
}

// price is what the settings say that a model costs, nil where they do not.
func (a *answering) price(ctx context.Context, m bus.ModelID) (*agent.Price, error) {
	var input, output, currency string
	err := a.desk.log.View(ctx, func(ctx context.Context) error {
		endpoint, model, err := shop.ModelEndpoint(ctx)
		if err != nil || endpoint != m.Endpoint || model != m.Name {
			return err
		}
		input, output, currency, err = shop.ModelPrice(ctx)
		return err
	})
	if err != nil || currency == "" {
		return nil, err
	}
	p, err := agent.ParsePrice(input, output, currency)
	return &p, err
}
