package agent

import (
	"context"
	"encoding/json"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// notReviewed tells a model elsewhere the reason for missing text that other people wrote.
const notReviewed = "What others wrote in it is kept back: a person reviews that here before a model elsewhere " +
	"reads it."

// PassOn prepares a result for a model outside the bridge's conversations, such as the model of another program, and
// records in x the names and values that the model reads. Names of capabilities become names of tools. If a person must
// review text that other people wrote, PassOn leaves this text out and note gives the reason.
func (b *Bridge) PassOn(ctx context.Context, x *policy.Provenance, capability string, res bus.Result) (
	passed bus.Result, note string, err error,
) {
	review := reviewInput{Models: reviewNone}
	if b.o.Store != nil {
		if err := b.o.Store.db.View(ctx, func(ctx context.Context) (err error) {
			review, err = b.o.Store.reviewing(ctx)
			return err
		}); err != nil {
			return bus.Result{}, "", err
		}
	}
	switch others := b.others(capability, res); {
	case len(others) == 0:
	case review.Models == reviewNone:
		c, _ := b.o.Bus.Lookup(capability)
		x.ReadTainted(c.Title)
	default:
		res, note = b.withOthers(capability, res, func(string, any) any { return keptBack }), notReviewed
	}
	if res.OK() {
		x.Learned(res.Data)
		return res, note, nil
	}
	e := *res.Err
	e.Message, e.Hint = b.toolNames(e.Message), b.toolNames(e.Hint)
	for _, choice := range e.Choices {
		for _, o := range choice.Options {
			named, _ := json.Marshal(map[string]any{"id": o.Value, "name": o.Title}) // a value was read from JSON
			x.Learned(named)
		}
	}
	res.Err = &e
	return res, note, nil
}
