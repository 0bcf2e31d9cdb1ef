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

// Provenance records the sources of values in a conversation: the person's words, results, and answers to cards. The
// bridge puts it in the context of each call. The zero value is ready to use. It is safe for concurrent use.
type Provenance struct {
	mu       sync.Mutex          // guards the rest: calls of one turn run in parallel
	said     []string            // the person's sentences, normalised by text.Normalized
	names    map[string]learned  // of records, by id
	values   map[string]bool     // strings that occurred as values in results
	outcomes map[string]outcome  // of cards, by request id
	done     map[string]bus.Text // the outcomes of calls, by capability and arguments

	autonomy Autonomy

	tainted []string // titles of the capabilities whose results had text from outside
}

type provenanceKey struct{}

// In returns a context for a call that carries x.
func (x *Provenance) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, provenanceKey{}, x)
}

// provenanceOf returns the provenance in ctx, a new one if there is none.
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

// Learned adds the names and values in a result.
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
	text.Each(v, func(v any) { // the last name of an id wins
		switch t := v.(type) {
		case map[string]any: // only its own "id": a card must not pair an id with another record's name
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
	isText bool // the record has no name: this is its text, such as that of a note
}

// maxLearned limits the number of values from results in memory.
const maxLearned = 50_000

// Knows reports whether a result contained the value, or the person typed it.
func (x *Provenance) Knows(value string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.values[value] || x.wasSaid(value)
}

// text formats a value: an id becomes the name that a result gave it.
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

// origin returns the source of a value. Only text counts as looked up, because a number such as 1 is in almost every
// result by accident.
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

// wasSaid reports whether the person's words contain the value, or the name of the record with that id. One part of a
// name is enough: "home" for "123 Main St (Home)". Small words do not count, nor do words of a note.
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
		text := strings.ReplaceAll(text.Value(v), ",", "") // $1,250.00 also matches a person's 1250
		forms = append(forms, text, strings.TrimSuffix(text, ".00"))
	default:
		return false
	}
	return x.saidOne(forms)
}

// saidRecord reports whether the person named a record by its id, its own name or a part of that name.
func (x *Provenance) saidRecord(id, name string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.saidOne(append(formsOf(name), id))
}

// formsOf lists a name and its distinctive parts.
func formsOf(name string) []string {
	return append([]string{name}, slices.DeleteFunc(strings.Fields(name), isSmallWord)...)
}

// saidOne reports whether the person's words contain one of the forms.
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

// isSmallWord reports whether a word of a name is too common to identify it, such as "of" and "für".
func isSmallWord(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return len(word) < 3 || unicode.IsLower(first)
}

// outcome is the outcome of the card of a request.
type outcome struct {
	edit    json.RawMessage // the arguments that a person put in place of the model's, nil for none
	ignored bool            // it expired or was withdrawn
}

// closed stores the outcome of the card of a call. New values in edited arguments count as said by the person.
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
	if d.Arguments != nil && !sameCall(call.Arguments, d.Arguments) { // a card for the edited arguments may follow
		o.edit = d.Arguments
	}
	o.ignored = o.ignored || d.Answer == bus.AnswerExpired || d.Answer == bus.AnswerStopped
	x.outcomes[call.RequestID] = o
}

// sameCall reports whether arguments are equal. They are if a person only asks for more time.
func sameCall(was, is json.RawMessage) bool {
	return string(text.CanonicalOrNil(was)) == string(text.CanonicalOrNil(is))
}

// before returns the outcome of the same call earlier in the conversation, zero for none.
func (x *Provenance) before(call bus.Invocation, canonical []byte) bus.Text {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.done[call.Capability+" "+string(canonical)]
}

// Did stores the outcome of a call as a sentence, which a card for the same call shows. The arguments are those of
// [bus.Bus.WithDefaults].
func (x *Provenance) Did(capability string, arguments json.RawMessage, sentence bus.Text) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.done == nil {
		x.done = map[string]bus.Text{}
	}
	x.done[capability+" "+string(text.CanonicalOrNil(arguments))] = sentence
}

// TakeOutcome returns and forgets the outcome of the card of a request: the arguments that a person put in place of the
// model's, nil for none, and whether the card got no answer.
func (x *Provenance) TakeOutcome(requestID string) (edit json.RawMessage, ignored bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	o := x.outcomes[requestID]
	delete(x.outcomes, requestID)
	return o.edit, o.ignored
}
