package shop

import (
	"context"
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// SecretModel names the key of an endpoint, for [Secrets]: each has its own, so
// that no other one is ever given it.
func SecretModel(endpoint string) string { return "model.key " + endpoint }

type settingsModel struct {
	Endpoint string `json:"endpoint"`
	Model    string `json:"model"`
	KeySet   bool   `json:"keySet" jsonschema_description:"A key is known. Nobody is shown it."`
}

// ModelEndpoint is the OpenAI-compatible endpoint that answers in the chat, and
// the endpoint's name of the model; both are "" when the built-in assistant does.
// ctx is a handler's.
func ModelEndpoint(ctx context.Context) (endpoint, model string, err error) {
	type pair struct{ endpoint, model string }
	p, _, err := find(ctx, func(r row) (p pair, err error) { return p, r.Scan(&p.endpoint, &p.model) }, `SELECT endpoint, model FROM model_endpoint`)
	return p.endpoint, p.model, err
}

// modelSettings are nil when the built-in assistant answers.
func modelSettings(ctx context.Context, p Ports) (*settingsModel, error) {
	endpoint, model, err := ModelEndpoint(ctx)
	if err != nil || endpoint == "" {
		return nil, err
	}
	key, err := p.secret(ctx, SecretModel(endpoint))
	return &settingsModel{endpoint, model, key != ""}, err
}

// setModel lets another model answer from the next turn on.
func setModel(ctx context.Context, call *bus.Call, p Ports, _ *deskShop, v settingsValues) (string, error) {
	was, model, err := ModelEndpoint(ctx)
	if err != nil {
		return "", err
	}
	endpoint := was
	if v.Endpoint != nil {
		endpoint = strings.TrimRight(*v.Endpoint, "/")
	}
	if v.Model != nil {
		model = text.Line(*v.Model, nameLimit)
	}
	if endpoint != was && was != "" {
		if err := p.forget(ctx, SecretModel(was)); err != nil {
			return "", err
		}
	}
	if endpoint == "" {
		return "Let the built-in assistant answer", exec(ctx, `DELETE FROM model_endpoint`)
	}
	if err := mayBeCalled(endpoint, "/values/endpoint"); err != nil {
		return "", err
	}
	if model == "" {
		return "", invalid("/values/model", "An endpoint has several models.").WithHint("Name the one to use as the endpoint calls it, for example llama3.1.")
	}
	if err := exec(ctx, `INSERT INTO model_endpoint (id, endpoint, model) VALUES ('model', ?, ?)
		ON CONFLICT (id) DO UPDATE SET endpoint = excluded.endpoint, model = excluded.model`, endpoint, model); err != nil {
		return "", err
	}
	if v.Key != nil {
		err = p.keep(ctx, call, SecretModel(endpoint), *v.Key, "the key of the model")
	}
	if parts := hookURL.FindStringSubmatch(endpoint); !loopback(strings.Trim(parts[2], "[]")) {
		call.Notify("warning", "What is said in the chat, and what is looked up for it, goes to %s from now on.", parts[2])
	}
	return fmt.Sprintf("Let %s at %s answer in the chat", model, endpoint), err
}
