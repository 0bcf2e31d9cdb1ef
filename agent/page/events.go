package page

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync/atomic"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// Cards returns a function for policy.Options.OnCard that sends card events to a page. It sends an open card only if
// the person at the page may answer it; another person gets it later through Manifest.
func Cards(b *Boundary) func(policy.CardEvent) {
	return func(e policy.CardEvent) {
		b.mu.Lock()
		d := b.desk
		b.mu.Unlock()
		if e.Type == policy.CardClosed || d != nil && e.Card.For(d.Who(b.Context).ID) {
			if d != nil && d.Policy != nil {
				e.Card = d.withTimeLeft(e.Card)
			}
			b.Emit("approval", e)
		}
	}
}

// withTimeLeft returns a card with the time left to answer it, because the page's computer may have another clock.
func (d *Desk) withTimeLeft(c policy.Card) policy.Card {
	c.ExpiresIn = max(1, d.Policy.Left(&c).Milliseconds())
	return c
}

// Follow passes every event of a bus to emit, one after the other, until ctx ends.
func Follow(ctx context.Context, b *bus.Bus, emit func(bus.Event)) {
	sub := b.Subscribe()
	defer sub.Close()
	for {
		e, err := sub.Next(ctx)
		if err != nil {
			return
		}
		emit(e)
	}
}

// Numbered makes the Emit function of a [Boundary] from a function that sends texts. It sends events as JSON, numbered
// from 1, so that the page can restore their order.
func Numbered(send func(stream, payload string, number int64)) func(string, any) {
	var last atomic.Int64
	return func(stream string, payload any) {
		raw, err := json.Marshal(payload)
		if err != nil {
			slog.Error("Could not marshal an event.", "name", stream, "cause", err)
			return
		}
		send(stream, string(raw), last.Add(1))
	}
}
