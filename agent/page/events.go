package page

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync/atomic"

	"github.com/deskhand/deskhand/bus"
)

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
