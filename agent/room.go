package agent

import (
	"context"

	"github.com/deskhand/deskhand/agent/internal/tokens"
	"github.com/deskhand/deskhand/agent/model"
)

// room is how much of what a model can read each part of a request may take, in tokens. The rest is for the reply.
type room struct {
	tools   int // the definitions
	history int // the messages
	result  int // one result of a tool
}

// The shares of a model's context, in hundredths.
const (
	toolsShare   = 30
	requestShare = 70 // all of a request
	smallestTurn = 600
)

// room of a model with a context of this size; 0: not known, then it is taken for a large one. ratio is how many
// tokens the model counts for one that is estimated here.
func (b *Bridge) room(size int, ratio float64, system string) room {
	most := room{tools: b.o.MaxToolTokens, history: b.o.MaxHistory, result: b.o.MaxResult}
	if size <= 0 {
		return most
	}
	space := float64(size) / max(ratio, 1)
	tools := min(most.tools, int(space*toolsShare/100))
	said := tokens.Of([]model.Message{{Text: system}})
	history := min(most.history, max(int(space*requestShare/100)-tools-said, smallestTurn))
	return room{tools: tools, history: history, result: min(most.result, history/3)}
}

// contextSize is how many tokens a model reads, 0 when that is not known: models of endpoints have a method
// ContextSize.
func contextSize(ctx context.Context, m model.Model) int {
	if sized, is := m.(interface{ ContextSize(context.Context) int }); is {
		return sized.ContextSize(ctx)
	}
	return 0
}

// readsManifest says whether a model reads the manifest and results itself: it is given them whole. One with a method
// OffersChoices that returns true does, and fills Reply.Choices beside.
func readsManifest(m model.Model) bool {
	own, is := m.(interface{ OffersChoices() bool })
	return is && own.OffersChoices()
}
