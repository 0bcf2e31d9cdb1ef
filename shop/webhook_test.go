package shop_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
	"github.com/google/go-cmp/cmp"
)

// hookBox stores the calls of webhooks.
type hookBox struct {
	mu    sync.Mutex // guards calls
	calls []shop.Delivery
}

func (h *hookBox) Deliver(_ context.Context, d shop.Delivery) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls = append(h.calls, d)
	return 204, nil
}

func TestAWebhookIsToldOfAnOrder(t *testing.T) {
	d := openSample(t, "owner")
	d.must("settings.set", withHook, nil)
	id := d.anasOrder("PayPal")
	res := d.must("webhook.trigger", jsonf(`{"hook":"stock","orderId":%q}`, id), nil)
	call := d.hooks.calls[0]
	var body struct {
		Event, ID, Shop string
		Order           struct {
			ID              string
			Customer        struct{ Name string }
			ShippingAddress struct{ City string }
			Lines           []struct{ SKU string }
			Total           money
		}
	}
	if err := json.Unmarshal(call.Body, &body); err != nil {
		t.Fatal(err)
	}
	if call.URL != "https://example.com/orders" || call.Secret != "sixteen letters!" || body.Event != "order" ||
		body.ID != call.ID || body.Order.ID != id ||
		body.Order.Customer.Name != "Ana Ruiz" || body.Order.ShippingAddress.City != "Portland" ||
		body.Order.Lines[0].SKU == "" || body.Order.Total.Amount == 0 {
		t.Errorf("%s was told %s", call.URL, call.Body)
	}
	if res.Facts["hook"] != "stock" || d.said() != "Tell the webhook stock of "+id+" for Ana Ruiz" {
		t.Errorf("facts %v, said %q", res.Facts, d.said())
	}
	d.must("webhook.trigger", `{"hook":"stock"}`, nil)
	if string(d.hooks.calls[1].Body[:15]) != `{"event":"ping"` || d.hooks.calls[1].ID == call.ID {
		t.Errorf("a sign of life: %s", d.hooks.calls[1].Body)
	}
}

func TestOnlyWebhooksOfTheSettingsAreCalled(t *testing.T) {
	d := openSample(t, "owner")
	contains(t, d.refused("webhook.trigger", `{"hook":"stock"}`, bus.PreconditionFailed, bus.ReasonUnavailable).
		Hint, "settings.set")
	d.must("settings.set", withHook, nil)
	e := d.refused("webhook.trigger", `{"hook":"https://evil.example"}`, bus.NotFound, bus.ReasonRecord)
	if want := []bus.Choice{{Field: "hook", Options: []bus.Option{{Value: "stock", Title: "stock"}}}}; !cmp.Equal(e.Choices,
		want) {
		t.Errorf("offers %v", e.Choices)
	}
	d.refused("webhook.trigger", `{"hook":"stock","orderId":"#W1"}`, bus.NotFound, bus.ReasonRecord)
	d.refused("webhook.trigger", `{"hook":"stock","url":"https://evil.example"}`, bus.Validation, bus.ReasonArguments)
	d.must("settings.set", `{"section":"webhooks","values":{"hooks":[{"id":"stock","url":"https://example.com","secret":""}]}}`, nil)
	contains(t, d.refused("webhook.trigger", `{"hook":"stock"}`, bus.PreconditionFailed, bus.ReasonState).
		Message, "secret")
	if len(d.hooks.calls) != 0 {
		t.Errorf("called: %+v", d.hooks.calls)
	}
}
