package outside

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/order"
	"github.com/deskhand/deskhand/shop/settings"
)

// Delivery is a call of a webhook.
type Delivery struct {
	URL    string
	Secret string          // authenticates the call to the receiver
	ID     string          // the same for a retry, so that the receiver can detect it
	Body   json.RawMessage // exactly these bytes are signed and sent
}

// Hooks calls webhooks, signed, and returns the HTTP status. Its errors are coded. PRECONDITION_FAILED means that the
// receiver refused. TRANSIENT with the reason network means that the receiver did not accept the call and may accept a
// retry. TRANSIENT with the reason interrupted means that the outcome is unknown.
type Hooks interface {
	Deliver(ctx context.Context, d Delivery) (status int, err error)
}

type webhookTriggerIn struct {
	Hook    string `json:"hook" jsonschema:"minLength=1,maxLength=40" x:"entity=webhook"`
	OrderID string `json:"orderId,omitempty" jsonschema:"minLength=1,maxLength=40" x:"entity=order"`
}

type webhookTriggerOut struct {
	Hook       string `json:"hook"`
	DeliveryID string `json:"deliveryId" doc:"Stands in the header Idempotency-Key."`
	Status     int    `json:"status" doc:"What the receiver answered."`
}

func webhookTrigger(p Ports) bus.Capability {
	return bus.Define(bus.Capability{
		Name: "webhook.trigger", Texts: texts,
		SideEffect: bus.Network, Permissions: []string{"webhook:write", "order:read"},
		Resources: []string{"database:read", "secrets:read", "network:write"},
		Facts:     []string{"hook", "orderId"},
		Listing:   bus.Listing{Category: "webhook"},
		Checks:    bus.Checks{Access: core.AgentAsks, Available: hooksReady},
		Run: bus.Run{
			CostEstimate: map[string]string{"webhook_call": "1"},
			Timeout:      20 * time.Second,
			Retry: &bus.RetryPolicy{MaxAttempts: 4, InitialDelay: time.Second, BackoffMultiplier: 2,
				RetryOn: []bus.Reason{bus.ReasonNetwork}},
			Preview: func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
				var in webhookTriggerIn
				if err := call.Decode(&in); err != nil {
					return nil, err
				}
				d, _, err := delivery(ctx, call, in)
				if err != nil {
					return nil, err
				}
				return json.Marshal(struct {
					URL  string          `json:"url"`
					Body json.RawMessage `json:"body"`
				}{d.URL, d.Body})
			},
		},
		Assistant: bus.Assistant{Grantable: []string{"hook"}},
	}, func(ctx context.Context, call *bus.Call, in webhookTriggerIn) (out webhookTriggerOut, err error) {
		d, hook, err := delivery(ctx, call, in)
		if err != nil {
			return out, err
		}
		if p.Hooks == nil {
			return out, core.Unavailable("This program calls no webhooks.")
		}
		if d.Secret, err = settings.FindSecret(ctx, p.Secrets, settings.SecretWebhook(hook)); err != nil {
			return out, err
		}
		if d.Secret == "" {
			return out, core.Refused("The secret of the webhook %s is not known.", hook).
				WithHint("Set it in the settings; without a keychain it is kept until the program ends.")
		}
		out = webhookTriggerOut{Hook: hook, DeliveryID: d.ID}
		out.Status, err = p.Hooks.Deliver(ctx, d)
		return out, err
	})
}

// hooksReady refuses if no webhook is set.
func hooksReady(ctx context.Context, _ *bus.Call) error {
	return core.Need(ctx, core.Unavailable("No webhook is set.").
		WithHint("An owner sets one in the settings, or with settings.set, section webhooks."), `SELECT 1 FROM webhooks`)
}

// delivery returns the call of a webhook without its secret, and sets the call's facts.
func delivery(ctx context.Context, call *bus.Call, in webhookTriggerIn) (d Delivery, hook string, err error) {
	all, err := settings.Webhooks(ctx)
	if err != nil {
		return d, "", err
	}
	at := slices.IndexFunc(all, func(h settings.Webhook) bool { return h.ID == in.Hook })
	if at < 0 {
		var options []bus.Option
		for _, h := range all {
			options = append(options, bus.Option{Value: h.ID, Title: h.ID})
		}
		return d, "", core.NotFound("There is no webhook %s.", in.Hook).WithChoice("hook", options...)
	}
	s, err := core.LoadShop(ctx)
	if err != nil {
		return d, "", err
	}
	news := webhookNews{Event: "ping", Shop: s.Name, ID: call.NewID("dlv"), SentAt: call.Now.UnixMilli()}
	call.Fact("hook", in.Hook)
	call.Summarize("Call the webhook %s", in.Hook)
	if in.OrderID != "" {
		head, err := order.ByID(ctx, s, in.OrderID)
		if err != nil {
			return d, "", err
		}
		o, err := order.Load(ctx, s, call, head)
		if err != nil {
			return d, "", err
		}
		news.Event, news.Order = "order", newsOf(o)
		call.Fact("orderId", o.ID)
		call.Summarize("Tell the webhook %s of %s for %s", in.Hook, o.ID, o.Buyer())
	}
	d = Delivery{URL: all[at].URL, ID: news.ID}
	d.Body, err = json.Marshal(news)
	return d, in.Hook, err
}

// webhookNews is the body of a call.
type webhookNews struct {
	Event  string     `json:"event"` // "order" or "ping"
	ID     string     `json:"id"`    // id of the delivery
	Shop   string     `json:"shop"`
	SentAt int64      `json:"sentAt"` // Unix milliseconds
	Order  *orderNews `json:"order,omitempty"`
}

// orderNews is the part of an order that another program receives: enough to ship it and to enter it in books, but not
// the card that paid it.
type orderNews struct {
	ID         string       `json:"id"`
	Status     string       `json:"status"`
	PlacedAt   int64        `json:"placedAt"`
	Customer   *personNews  `json:"customer,omitempty"` // nil for a walk-in
	Fulfilment string       `json:"fulfilment"`
	Address    *addressNews `json:"shippingAddress,omitempty"` // nil unless delivered
	Lines      []lineNews   `json:"lines"`
	Subtotal   core.Money   `json:"subtotal"`
	Discount   core.Money   `json:"discount"`
	Shipping   core.Money   `json:"shipping"`
	Tax        core.Money   `json:"tax"`
	Total      core.Money   `json:"total"`
}

type personNews struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type addressNews struct {
	Line1      string `json:"line1"`
	Line2      string `json:"line2,omitempty"`
	City       string `json:"city"`
	Region     string `json:"region,omitempty"`
	PostalCode string `json:"postalCode"`
	Country    string `json:"country"`
}

type lineNews struct {
	VariantID string     `json:"variantId"`
	SKU       string     `json:"sku,omitempty"`
	Name      string     `json:"name"`
	Label     string     `json:"label,omitempty"`
	Quantity  int64      `json:"quantity"`
	Price     core.Money `json:"price"`
	Total     core.Money `json:"total"`
	Returned  bool       `json:"returned,omitempty"`
}

func newsOf(o order.Order) *orderNews {
	n := &orderNews{ID: o.ID, Status: o.Status, PlacedAt: o.PlacedAt, Fulfilment: o.Fulfilment,
		Subtotal: o.Subtotal, Discount: o.Discount, Shipping: o.Shipping, Tax: o.Tax, Total: o.Total}
	if c := o.Customer; c != nil {
		n.Customer = &personNews{c.ID, c.Name}
	}
	if a := o.ShippingAddress; a != nil {
		n.Address = &addressNews{a.Line1, a.Line2, a.City, a.Region, a.PostalCode, a.Country}
	}
	for _, l := range o.Lines {
		n.Lines = append(n.Lines, lineNews{l.VariantID, l.SKU, l.Name, l.Label, l.Quantity, l.Price, l.Total, l.Returned})
	}
	return n
}
