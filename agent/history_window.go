package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/internal/tokens"
	"github.com/deskhand/deskhand/agent/model"
)

// historyWindow is the part of a conversation that a request contains. It only shrinks, from the old end and in large
// steps, so that the endpoint's prompt cache stays valid.
type historyWindow struct {
	stubs int // requests omit the results of tools before this message
	from  int // requests omit the messages before this one
}

// leftOut replaces the omitted result of a tool.
const leftOut = `{"note":"left out; call it again if needed"}`

// doneIn is the summary of an effect, with the index of the message that has the call's result.
type doneIn struct {
	at   int
	said string
}

// doneBefore lists the summaries in the results among the messages.
func doneBefore(messages []model.Message) []doneIn {
	list := []doneIn{}
	for i, m := range messages {
		var result struct{ Did []string }
		if m.Role != model.RoleTool || !strings.Contains(m.Text, `"did"`) || json.Unmarshal([]byte(m.Text), &result) != nil {
			continue
		}
		for _, said := range result.Did {
			list = append(list, doneIn{i, text.Clean(said, maxDone)})
		}
	}
	return list
}

// maxDone limits a summary, in bytes.
const maxDone = 160

// summary lists the effects of the turns before the window in about limit tokens, the latest if not all fit.
func (w *historyWindow) summary(messages []model.Message, did []doneIn, limit int) string {
	turns, left := 0, limit*tokens.Bytes
	for _, m := range messages[:w.from] {
		if beginsTurn(m) {
			turns++
		}
	}
	var lines []string
	more := 0
	for _, one := range slices.Backward(did) {
		switch left -= len(one.said); {
		case one.at >= w.from:
			left += len(one.said)
		case left < 0:
			more++
		default:
			lines = append(lines, "- "+one.said)
		}
	}
	head := "done in them:"
	switch {
	case turns == 0:
		return ""
	case more > 0:
		head = fmt.Sprintf("done in them, after %d other things:", more)
	case len(lines) == 0:
		head = "nothing was changed in them."
	}
	slices.Reverse(lines)
	lines = append([]string{fmt.Sprintf("%d earlier turns; %s", turns, head)}, lines...)
	return "[From the application]\n" + strings.Join(lines, "\n") + "\n[End.]\n"
}

// beginsTurn reports whether a message is a person's sentence; the application wrote the other user messages.
func beginsTurn(m model.Message) bool { return m.Role == model.RoleUser && m.Text != "" }

// messages lists the messages to send: the context of this turn only, since older state is stale, and as many older
// turns as fit. It omits the oldest results of tools first, then the oldest turns, then the oldest results of this
// turn; the results of the latest calls stay. The first message summarises the omitted turns, unless did is nil.
func (w *historyWindow) messages(messages []model.Message, turn, limit int, did []doneIn) []model.Message {
	earlier := func() (said string) {
		if did != nil {
			said = w.summary(messages, did, limit/8)
		}
		return said
	}
	if tokens.Of(w.apply(messages, turn))+len(earlier())/tokens.Bytes > limit {
		w.shrink(messages, turn, limit-limit/4)
	}
	out := w.apply(messages, turn)
	if len(out) > 0 {
		out[0].Context = earlier() + out[0].Context
	}
	return out
}

func (w *historyWindow) apply(messages []model.Message, turn int) []model.Message {
	out := make([]model.Message, 0, len(messages)-w.from)
	for i := w.from; i < len(messages); i++ {
		m := messages[i]
		if i < turn {
			if m.Context = ""; m.Role == model.RoleUser && !beginsTurn(m) {
				continue // the application's words for that turn
			}
		}
		if i < w.stubs && m.Role == model.RoleTool && len(m.Text) > len(leftOut) {
			m.Text = leftOut
		}
		out = append(out, m)
	}
	return out
}

// shrink makes the window smaller until the messages fit, or nothing older than the latest calls is left.
func (w *historyWindow) shrink(messages []model.Message, turn, limit int) {
	for w.stubs < turn && tokens.Of(w.apply(messages, turn)) > limit {
		w.stubs++
	}
	for w.from < turn && tokens.Of(w.apply(messages, turn)) > limit {
		w.from++
		for w.from < turn && !beginsTurn(messages[w.from]) {
			w.from++ // turns are omitted whole, because calls need their answers
		}
	}
	last := len(messages)
	for last > turn && messages[last-1].Role == model.RoleTool {
		last--
	}
	for w.stubs < last && tokens.Of(w.apply(messages, turn)) > limit {
		w.stubs++
	}
}
