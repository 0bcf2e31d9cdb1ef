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

// historyWindow is the part of a conversation that a model is sent. It shrinks from
// the old end only, in large steps, so that an endpoint's prompt cache holds.
type historyWindow struct {
	stubs int // results of tools before this message are left out
	from  int // messages before this one are left out
}

// leftOut stands where the result of a tool was.
const leftOut = `{"note":"left out; call it again if needed"}`

// doneIn is the summary of an effect, and the place of the call's result among the messages.
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

// maxDone bounds such a sentence, in bytes.
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

// beginsTurn reports whether a message is a person's sentence: other user messages are the application's own words.
func beginsTurn(m model.Message) bool { return m.Role == model.RoleUser && m.Text != "" }

// messages lists the messages to send: the context of this turn only, since older state
// is stale, and of older turns as much as fits. First the oldest results of tools
// go, then the oldest turns, then the oldest results of this turn; the results of the latest calls stay. The first
// message summarises the turns that are left out, unless did is nil.
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
				continue // the application's own words, which were for that turn
			}
		}
		if i < w.stubs && m.Role == model.RoleTool && len(m.Text) > len(leftOut) {
			m.Text = leftOut
		}
		out = append(out, m)
	}
	return out
}

// shrink makes the window smaller until what is sent fits, or there is nothing older than the latest calls.
func (w *historyWindow) shrink(messages []model.Message, turn, limit int) {
	for w.stubs < turn && tokens.Of(w.apply(messages, turn)) > limit {
		w.stubs++
	}
	for w.from < turn && tokens.Of(w.apply(messages, turn)) > limit {
		w.from++
		for w.from < turn && !beginsTurn(messages[w.from]) {
			w.from++ // a turn goes as a whole: its calls need their answers
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
