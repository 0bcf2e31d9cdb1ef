package settings

import (
	"context"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/currencies"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// SecretModel returns the name of an endpoint's key for [Secrets]. Each endpoint has its own key, so that no other one
// receives it.
func SecretModel(endpoint string) string { return "model.key " + endpoint }

type settingsModel struct {
	Endpoint string `json:"endpoint"`
	Model    string `json:"model"`
	KeySet   bool   `json:"keySet" doc:"A key is known. Nobody is shown it."`
	modelPrice
	Context   int64    `json:"context,omitempty" doc:"How many tokens it reads; absent: its endpoint is asked."`
	Abilities []string `json:"abilities,omitempty" doc:"What a test found that it can do; absent: it was not tested."`
}

// modelPrice is the price of a million tokens, as decimal numbers; all fields are "" if none is set.
type modelPrice struct {
	InputPrice    string `json:"inputPrice,omitempty" doc:"Of a million tokens that are sent; absent: not set."`
	OutputPrice   string `json:"outputPrice,omitempty" doc:"Of a million tokens that come back."`
	PriceCurrency string `json:"priceCurrency,omitempty"`
}

// ModelEndpoint returns the OpenAI-compatible endpoint of the chat and the name of its model. Both are "" for the
// built-in assistant. ctx is the context of a handler.
func ModelEndpoint(ctx context.Context) (endpoint, model string, err error) {
	m, err := loadModel(ctx)
	return m.Endpoint, m.Model, err
}

// ModelPrice returns the prices of a million input and output tokens, as decimal numbers, and their currency. All are
// "" if none is set. ctx is the context of a handler.
func ModelPrice(ctx context.Context) (input, output, currency string, err error) {
	m, err := loadModel(ctx)
	return m.InputPrice, m.OutputPrice, m.PriceCurrency, err
}

// ModelContext returns the context length of the model in tokens; 0 means that the endpoint reports it. ctx is the
// context of a handler.
func ModelContext(ctx context.Context) (tokens int, err error) {
	m, err := loadModel(ctx)
	return int(m.Context), err
}

// ModelAbilities returns the abilities that a test of the model found, or nil without a test. ctx is the context of a
// handler.
func ModelAbilities(ctx context.Context) ([]string, error) {
	m, err := loadModel(ctx)
	return m.Abilities, err
}

// loadModel reads the settings of the model except for its key. They are empty for the built-in assistant.
func loadModel(ctx context.Context) (settingsModel, error) {
	m, _, err := core.Find(ctx, func(r core.Row) (m settingsModel, err error) {
		var abilities string
		err = r.Scan(&m.Endpoint, &m.Model, &m.InputPrice, &m.OutputPrice, &m.PriceCurrency, &m.Context, &abilities)
		m.Abilities = strings.Fields(abilities)
		return m, err
	}, `SELECT endpoint, model, input_price, output_price, price_currency, context, abilities FROM model_endpoint`)
	return m, err
}

// modelSettings returns nil for the built-in assistant.
func modelSettings(ctx context.Context, secrets Secrets) (*settingsModel, error) {
	m, err := loadModel(ctx)
	if err != nil || m.Endpoint == "" {
		return nil, err
	}
	key, err := FindSecret(ctx, secrets, SecretModel(m.Endpoint))
	m.KeySet = key != ""
	return &m, err
}

// setModel changes the model from the next turn on.
func setModel(ctx context.Context, call *bus.Call, secrets Secrets, _ *core.Shop, v settingsValues) (bus.Text, error) {
	was, err := loadModel(ctx)
	if err != nil {
		return bus.Text{}, err
	}
	m := was
	if v.Endpoint != nil {
		m.Endpoint = strings.TrimRight(*v.Endpoint, "/")
	}
	if v.Model != nil {
		m.Model = text.Line(*v.Model, core.NameLimit)
	}
	if m.Endpoint != was.Endpoint && was.Endpoint != "" {
		if err := forgetSecret(ctx, secrets, SecretModel(was.Endpoint)); err != nil {
			return bus.Text{}, err
		}
	}
	if m.Endpoint == "" {
		return bus.Textf("Let the built-in assistant answer"), core.Exec(ctx, `DELETE FROM model_endpoint`)
	}
	if err := mayBeCalled(m.Endpoint, "/values/endpoint"); err != nil {
		return bus.Text{}, err
	}
	if m.Model == "" {
		return bus.Text{}, core.Invalid("/values/model", "An endpoint has several models.").
			WithHint("Name the one to use as the endpoint calls it, for example llama3.1.")
	}
	if m.Endpoint != was.Endpoint || m.Model != was.Model {
		m.modelPrice, m.Context, m.Abilities = modelPrice{}, 0, nil // they belonged to the previous model
	}
	set(&m.Context, v.Context)
	if v.Abilities != nil {
		m.Abilities = v.Abilities
	}
	if m.modelPrice, err = m.changed(v); err != nil {
		return bus.Text{}, err
	}
	if err := core.Exec(ctx, `INSERT INTO model_endpoint (id, endpoint, model, input_price, output_price, price_currency,
		context, abilities) VALUES ('model', ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET endpoint = excluded.endpoint, model = excluded.model,
		input_price = excluded.input_price,
		output_price = excluded.output_price, price_currency = excluded.price_currency,
		context = excluded.context, abilities = excluded.abilities`,
		m.Endpoint, m.Model, m.InputPrice, m.OutputPrice, m.PriceCurrency, m.Context,
		strings.Join(m.Abilities, " ")); err != nil {
		return bus.Text{}, err
	}
	if v.Key != nil {
		err = keepSecret(ctx, call, secrets, SecretModel(m.Endpoint), *v.Key, "the key of the model")
	}
	if parts := hookURL().FindStringSubmatch(m.Endpoint); !loopback(strings.Trim(parts[2], "[]")) {
		call.Notify("warning", "What is said in the chat, and what is looked up for it, goes to %s from now on.", parts[2])
	}
	return bus.Textf("Let %s at %s answer in the chat", m.Model, m.Endpoint), err
}

// changed returns the price with the given values replaced.
func (p modelPrice) changed(v settingsValues) (modelPrice, error) {
	set(&p.InputPrice, v.InputPrice)
	set(&p.OutputPrice, v.OutputPrice)
	set(&p.PriceCurrency, v.PriceCurrency)
	switch {
	case p.InputPrice == "" && p.OutputPrice == "":
		return modelPrice{}, nil
	case p.InputPrice == "":
		return p, core.Invalid("/values/inputPrice", "The price of what is sent is missing.").
			WithHint("Give both prices, or two empty ones; 0 is free.")
	case p.OutputPrice == "":
		return p, core.Invalid("/values/outputPrice", "The price of what comes back is missing.").
			WithHint("Give both prices, or two empty ones; 0 is free.")
	case p.PriceCurrency == "":
		p.PriceCurrency = "USD" // the currency of nearly all endpoints
	}
	if _, known := currencies.Digits(p.PriceCurrency); !known {
		return p, core.Invalid("/values/priceCurrency", "%s is no currency.", p.PriceCurrency).
			WithHint("Use an ISO 4217 code, for example USD.")
	}
	return p, nil
}
