package page

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync/atomic"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// Cards sends cards to a page, for policy.Options.OnCard: an open one if the person at the page may answer it, who gets
// it later otherwise.
func Cards(b *Boundary) func(policy.CardEvent) {
	return func(e policy.CardEvent) {
		b.mu.Lock()
		d := b.desk
		b.mu.Unlock()
		if e.Type == policy.CardClosed || d != nil && e.Card.For(d.Who(b.Context).ID) {
			if d != nil && d.Policy != nil {
				e.Card = d.told(e.Card)
			}
			b.Emit("approval", e)
		}
	}
}

// told is a card with the time that is left to answer it: the page may be on a computer with another time.
func (d *Desk) told(c policy.Card) policy.Card {
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

// Numbered makes the Emit of a [Boundary] of a function that sends texts: events as JSON, numbered from 1. One may
// overtake another on the way, and the page puts them in order.
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
