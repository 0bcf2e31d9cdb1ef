package policy

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// Provenance says where values in a conversation come from: the person's words, results, and answers to cards. The
// bridge puts it in the context of each call. The zero value is ready to use; it is safe for concurrent use.
type Provenance struct {
	mu       sync.Mutex          // guards the rest: calls of one turn run in parallel
	said     []string            // the person's sentences, normalised by spoken
	names    map[string]learned  // of records, by id
	values   map[string]bool     // strings that occurred as values in results
	outcomes map[string]outcome  // of cards, by request id
	done     map[string]bus.Text // the outcomes of calls, by capability and arguments

	autonomy Autonomy

	tainted []string // titles of what gave the model text of others
}

type provenanceKey struct{}

// In puts it into the context of a call.
func (x *Provenance) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, provenanceKey{}, x)
}

// provenanceOf never returns nil.
func provenanceOf(ctx context.Context) *Provenance {
	if x, ok := ctx.Value(provenanceKey{}).(*Provenance); ok {
		return x
	}
	return &Provenance{}
}

// Heard adds a sentence of the person.
func (x *Provenance) Heard(written string) {
	x.mu.Lock()
	x.said = append(x.said, text.Normalized(written))
	x.mu.Unlock()
}

// Learned adds what a result says.
func (x *Provenance) Learned(data json.RawMessage) {
	var v any
	if json.Unmarshal(data, &v) != nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.values == nil {
		x.values, x.names = map[string]bool{}, map[string]learned{}
	}
	if len(x.values) > maxLearned { // a very long conversation: start again
		clear(x.values)
		clear(x.names)
	}
	text.Each(v, func(v any) { // of an id's names the last is kept
		switch t := v.(type) {
		case map[string]any: // only its own "id": a card must not show one thing's name for another's id
			if id, ok := t["id"].(string); ok && id != "" {
				if name := text.NameOf(t); name != "" {
					x.names[id] = learned{name, t["text"] != nil && t["name"] == nil && t["title"] == nil && t["label"] == nil}
				}
			}
		case string:
			x.values[t] = true
		}
	})
}

// learned is the name of a record in a result.
type learned struct {
	name   string
	isText bool // it has no name: this is a text in it, such as that of a note
}

// maxLearned bounds what is kept of the results of a conversation.
const maxLearned = 50_000

// Knows reports whether a value occurred in a result, or the person said it.
func (x *Provenance) Knows(value string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.values[value] || x.wasSaid(value)
}

// text is how a value reads: the name behind an id where one was looked up.
func (x *Provenance) text(v any) string {
	if id, ok := v.(string); ok {
		x.mu.Lock()
		defer x.mu.Unlock()
		if known, is := x.names[id]; is {
			return known.name
		}
	}
	return text.Value(v)
}

// origin says where a value came from. Only text is taken for looked up: a
// number such as 1 is in every result by accident.
func (x *Provenance) origin(v any, f schema.Field) Origin {
	x.mu.Lock()
	defer x.mu.Unlock()
	s, _ := v.(string)
	switch {
	case x.wasSaid(v):
		return OriginSaid
	case s != "" && x.values[s]:
		return OriginLookedUp
	case f.Default != nil && text.Value(f.Default) == text.Value(v):
		return OriginDefault
	}
	return OriginGuess
}

// wasSaid looks for the value, or the name behind it, among the person's words.
// One part of a name is enough: "home" for "123 Main St (Home)". Small words do not count, nor do words of a note.
func (x *Provenance) wasSaid(v any) bool {
	var forms []string
	switch t := v.(type) {
	case string:
		forms = append(forms, t)
		if known := x.names[t]; known.isText {
			forms = append(forms, known.name)
		} else {
			forms = append(forms, formsOf(known.name)...)
		}
	case float64, json.Number:
		forms = append(forms, text.Value(v))
	case map[string]any:
		text := strings.ReplaceAll(text.Value(v), ",", "") // $1,250.00, and who says 1250 means it too
		forms = append(forms, text, strings.TrimSuffix(text, ".00"))
	default:
		return false
	}
	return x.saidOne(forms)
}

// saidRecord reports whether the person named a record by its id, its own name or a part of that.
func (x *Provenance) saidRecord(id, name string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.saidOne(append(formsOf(name), id))
}

// formsOf lists a name and the parts of it that tell it.
func formsOf(name string) []string {
	return append([]string{name}, slices.DeleteFunc(strings.Fields(name), isSmallWord)...)
}

// saidOne reports whether one of some texts is among the person's words.
func (x *Provenance) saidOne(forms []string) bool {
	for _, form := range forms {
		want := text.Normalized(form)
		if len(strings.TrimSpace(want)) < 2 && !text.IsNumber(want) {
			continue
		}
		for _, said := range x.said {
			if strings.Contains(said, want) {
				return true
			}
		}
	}
	return false
}

// isSmallWord reports whether a word of a name says nothing about it, such as "of" and "für".
func isSmallWord(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return len(word) < 3 || unicode.IsLower(first)
}

// outcome is what became of the card of a request.
type outcome struct {
	edit    json.RawMessage // the arguments that a person put in place of the model's, nil for none
	ignored bool            // it expired or was withdrawn
}

// closed keeps what became of the card of a call. New values in edited arguments count as said by the person.
func (x *Provenance) closed(call bus.Invocation, d bus.Decision) {
	var was, is any
	known := map[string]bool{}
	if json.Unmarshal(call.Arguments, &was) == nil {
		eachValue("", was, func(_ string, v any) { known[text.Value(v)] = true })
	}
	if d.Arguments != nil && json.Unmarshal(d.Arguments, &is) == nil {
		eachValue("", is, func(_ string, v any) {
			if text := text.Value(v); !known[text] {
				x.Heard(text)
			}
		})
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.outcomes == nil {
		x.outcomes = map[string]outcome{}
	}
	o := x.outcomes[call.RequestID]
	if d.Arguments != nil && !sameCall(call.Arguments, d.Arguments) { // a card for what was edited may follow
		o.edit = d.Arguments
	}
	o.ignored = o.ignored || d.Answer == bus.AnswerExpired || d.Answer == bus.AnswerStopped
	x.outcomes[call.RequestID] = o
}

// sameCall reports whether arguments are the same: a person who asks for more time changes none.
func sameCall(was, is json.RawMessage) bool {
	return string(text.CanonicalOrNil(was)) == string(text.CanonicalOrNil(is))
}

// before is the outcome of the same call earlier in the conversation, zero for none.
func (x *Provenance) before(call bus.Invocation, canonical []byte) bus.Text {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.done[call.Capability+" "+string(canonical)]
}

// Did notes what a call came to, in a sentence: a card for the same call shows it. Arguments are those of
// [bus.Bus.WithDefaults].
func (x *Provenance) Did(capability string, arguments json.RawMessage, sentence bus.Text) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.done == nil {
		x.done = map[string]bus.Text{}
	}
	x.done[capability+" "+string(text.CanonicalOrNil(arguments))] = sentence
}

// TakeOutcome returns and forgets what became of the card of a request: the arguments that a person put in place of
// the model's, nil for none, and whether it got no answer.
func (x *Provenance) TakeOutcome(requestID string) (edit json.RawMessage, ignored bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	o := x.outcomes[requestID]
	delete(x.outcomes, requestID)
	return o.edit, o.ignored
}
