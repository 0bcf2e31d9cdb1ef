package agent

import (
	"context"

	"github.com/deskhand/deskhand/agent/internal/tokens"
	"github.com/deskhand/deskhand/agent/model"
)

// tokenBudget divides a model's context among the parts of a request, in tokens. The rest is for the reply.
type tokenBudget struct {
	tools   int // the definitions
	history int // the messages
	result  int // one result of a tool
}

// The shares of a model's context, in percent, and the least history in tokens.
const (
	toolsShare   = 30
	requestShare = 70 // all of a request
	smallestTurn = 600
)

// tokenBudget returns the budget of a model with a context of size tokens; 0 means unknown and counts as large. The
// endpoint counts ratio tokens for each token of the estimate.
func (b *Bridge) tokenBudget(size int, ratio float64, system string) tokenBudget {
	most := tokenBudget{tools: b.o.MaxToolTokens, history: b.o.MaxHistory, result: b.o.MaxResult}
	if size <= 0 {
		return most
	}
	space := float64(size) / max(ratio, 1)
	tools := min(most.tools, int(space*toolsShare/100))
	said := tokens.Of([]model.Message{{Text: system}})
	history := min(most.history, max(int(space*requestShare/100)-tools-said, smallestTurn))
	return tokenBudget{tools: tools, history: history, result: min(most.result, history/3)}
}

// contextSize returns the number of tokens that a model reads, 0 if unknown. Models of endpoints have a method
// ContextSize.
func contextSize(ctx context.Context, m model.Model) int {
	if sized, is := m.(interface{ ContextSize(context.Context) int }); is {
		return sized.ContextSize(ctx)
	}
	return 0
}

// readsManifest reports whether a model reads the manifest and complete results. Such a model has a method
// OffersChoices that returns true, and it also fills Reply.Choices.
func readsManifest(m model.Model) bool {
	own, is := m.(interface{ OffersChoices() bool })
	return is && own.OffersChoices()
}
