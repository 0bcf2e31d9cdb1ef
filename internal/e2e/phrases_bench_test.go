package e2e

import (
	"context"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/shop"
)

// grabbing is the built-in assistant; it keeps the last request it got.
type grabbing struct {
	model.Model
	request *model.Request
}

// OffersChoices says that it reads the manifest itself, as the built-in assistant does.
func (grabbing) OffersChoices() bool { return true }

func (g grabbing) Stream(ctx context.Context, req model.Request, onDelta func(model.Delta)) (model.Reply, error) {
	*g.request = req
	return g.Model.Stream(ctx, req, onDelta)
}

// BenchmarkPhrases measures one step of the built-in assistant with the shop's own
// capabilities: a sentence of the suite, another one each time.
func BenchmarkPhrases(b *testing.B) {
	var req model.Request
	d := desktest.Sample(b, desk.Options{Model: grabbing{builtin.New(shop.Vocabulary()), &req}})
	if err := d.Bridge.Send(b.Context(), agent.Turn{ConversationID: "talk", Text: "hello", Principal: d.Person},
		func(agent.Update) {}); err != nil {
		b.Fatal(err)
	}
	said := readPhrases(b, "internal/e2e/testdata/phrases/more.txt")
	m := builtin.New(shop.Vocabulary())
	i := 0
	for b.Loop() {
		req.Messages = []model.Message{{Role: model.RoleUser, Text: said[i%len(said)].said[0], At: phraseNow}}
		if _, err := m.Stream(b.Context(), req, func(model.Delta) {}); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
