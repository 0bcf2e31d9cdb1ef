package settings

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// SecretWebhook returns the name of a webhook's secret.
func SecretWebhook(id string) string { return "webhook." + id }

// webhookIn is a webhook in a request.
type webhookIn struct {
	ID     string  `json:"id" jsonschema:"pattern=^[a-z0-9-]{1\\,40}$" doc:"What webhook.trigger calls it."`
	URL    string  `json:"url" jsonschema:"format=uri,maxLength=2000" doc:"https, or http on this computer."`
	Secret *string `json:"secret,omitempty" jsonschema:"maxLength=1024,writeOnly=true"`
}

type settingsWebhook struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	URL       string `json:"url"`
	SecretSet bool   `json:"secretSet" doc:"A secret is known. Nobody is shown it."`
}

// Webhook is a webhook in the settings, without its secret.
type Webhook struct{ ID, URL string }

// Webhooks returns the shop's webhooks in the order of the settings.
func Webhooks(ctx context.Context) ([]Webhook, error) {
	return core.List(ctx, func(r core.Row) (h Webhook, err error) { return h, r.Scan(&h.ID, &h.URL) }, `SELECT id, url
		FROM webhooks ORDER BY position`)
}

func webhookSettings(ctx context.Context, secrets Secrets) ([]settingsWebhook, error) {
	hooks, err := Webhooks(ctx)
	if err != nil {
		return nil, err
	}
	all := []settingsWebhook{}
	for _, h := range hooks {
		secret, err := FindSecret(ctx, secrets, SecretWebhook(h.ID))
		if err != nil {
			return nil, err
		}
		all = append(all, settingsWebhook{h.ID, h.ID, h.URL, secret != ""})
	}
	return all, nil
}

// shortestSecret is the minimum length of a secret in characters.
const shortestSecret = 16

// setWebhooks replaces all webhooks. It also removes the secrets of removed webhooks.
func setWebhooks(ctx context.Context, call *bus.Call, secrets Secrets, _ *core.Shop, v settingsValues) (bus.Text,
	error) {
	was, err := Webhooks(ctx)
	if err != nil {
		return bus.Text{}, err
	}
	if err := core.Exec(ctx, `DELETE FROM webhooks`); err != nil {
		return bus.Text{}, err
	}
	var ids []string
	for i, h := range v.Hooks {
		path := fmt.Sprintf("/values/hooks/%d", i)
		if err := distinct(ids, h.ID, h.ID, path); err != nil {
			return bus.Text{}, err
		}
		if err := mayBeCalled(h.URL, path+"/url"); err != nil {
			return bus.Text{}, err
		}
		if h.Secret != nil && *h.Secret != "" && len(*h.Secret) < shortestSecret {
			return bus.Text{}, core.Invalid(path+"/secret", "A secret has at least %d characters.", shortestSecret)
		}
		ids = append(ids, h.ID)
		if err := core.Insert(ctx, `webhooks (id, url, position)`, h.ID, h.URL, i); err != nil {
			return bus.Text{}, err
		}
	}
	for _, h := range v.Hooks {
		if h.Secret == nil {
			continue
		}
		if err := keepSecret(ctx, call, secrets, SecretWebhook(h.ID), *h.Secret, "the secret of the webhook "+
			h.ID); err != nil {
			return bus.Text{}, err
		}
	}
	for _, h := range was {
		if !slices.Contains(ids, h.ID) {
			if err := forgetSecret(ctx, secrets, SecretWebhook(h.ID)); err != nil {
				return bus.Text{}, err
			}
		}
	}
	if len(ids) == 0 {
		return bus.Textf("Remove all webhooks"), nil
	}
	return bus.Textf("Set the webhooks %s", strings.Join(ids, ", ")), nil
}

// hookURL matches the URL of a webhook: scheme, host, port and path. It excludes user names and passwords, because they
// would appear in the settings and the log.
var hookURL = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(https?)://(\[[0-9a-f:.]+\]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?([/?][^#\s]*)?$`)
})

// mayBeCalled refuses a URL that is unsafe as a destination for orders or chat messages.
func mayBeCalled(url, path string) error {
	parts := hookURL().FindStringSubmatch(url)
	if parts == nil {
		return core.Invalid(path, "%q is not an address that can be called.", url).
			WithHint("Give one such as https://example.com/orders, without a name, a password or a #.")
	}
	if host := strings.Trim(parts[2], "[]"); parts[1] == "http" && !loopback(host) {
		return core.Invalid(path, "Without encryption everybody on the way to %s could read what is sent.", host).
			WithHint("Use https; http is for a program on this computer.")
	}
	return nil
}
