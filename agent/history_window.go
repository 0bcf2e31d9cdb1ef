package agent

import (
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

// messages lists the messages to send: the context of this turn only, since older state
// is stale, and of older turns as much as fits. First the oldest results of tools
// go, then the oldest turns, then the oldest results of this turn; what the latest calls gave stays.
func (w *historyWindow) messages(messages []model.Message, turn, limit int) []model.Message {
	if tokens.Of(w.apply(messages, turn)) > limit {
		w.shrink(messages, turn, limit-limit/4)
	}
	return w.apply(messages, turn)
}

func (w *historyWindow) apply(messages []model.Message, turn int) []model.Message {
	out := make([]model.Message, 0, len(messages)-w.from)
	for i := w.from; i < len(messages); i++ {
		m := messages[i]
		if i < turn {
			if m.Context = ""; m.Role == model.RoleUser && m.Text == "" {
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
		for w.from < turn && messages[w.from].Role != model.RoleUser {
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
