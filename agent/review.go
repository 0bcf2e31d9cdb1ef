package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/stored"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// nameReview is the capability whose card shows a person the text of other people before a model reads it. Only the
// bridge invokes it; its record does not contain the text.
const nameReview = "agent.showText"

// The models whose results a person reviews. The built-in assistant is never reviewed: it follows no instructions in
// text.
const (
	reviewNone      = "none"
	reviewElsewhere = "elsewhere" // models on other computers
	reviewAll       = "all"
)

type reviewInput struct {
	Models string `json:"models" jsonschema:"enum=none,enum=elsewhere,enum=all"`
}

const storedReview = "review"

// reviewing reads the setting in the transaction of ctx.
func (s *Store) reviewing(ctx context.Context) (reviewInput, error) {
	raw, err := stored.One(ctx, s.db, func(scan stored.Scan) (v string, err error) { return v, scan(&v) },
		`SELECT value FROM assistant_settings WHERE name = $1`, storedReview)
	if err != nil || raw == nil {
		return reviewInput{reviewNone}, err
	}
	return reviewInput{*raw}, nil
}

// covers reports whether a person must review the text that this model reads.
func (r reviewInput) covers(m model.Model) bool {
	return !readsManifest(m) && (r.Models == reviewAll || r.Models == reviewElsewhere && model.IsRemote(m.Profile()))
}

// setReview implements assistant.setReview. It takes effect with the next turn.
func (s *Store) setReview(ctx context.Context, call *bus.Call, in reviewInput) (reviewInput, error) {
	switch in.Models {
	case reviewElsewhere:
		call.Summarize("Ask before a model elsewhere reads what others wrote")
	case reviewAll:
		call.Summarize("Ask before any model reads what others wrote")
	default:
		call.Summarize("Do not ask before a model reads what others wrote")
	}
	call.Announce("assistant", bus.Textf("It was changed which models read what others wrote without a question."))
	return in, stored.SetText(ctx, s.db, storedReview, in.Models)
}

func reviewSetting(s *Store, toggle bus.Capability) bus.Capability {
	toggle.Name = "assistant.setReview"
	toggle.Listing.Current = func(ctx context.Context, _ *bus.Call) (any, error) {
		in, err := s.reviewing(ctx)
		return in.Models, err
	}
	return bus.Define(toggle, s.setReview)
}

// shownText is the content of a card of nameReview; the bridge puts it into the context of the call.
type shownText struct {
	title, model string
	texts        map[string][]any // by the name of their field
}

type shownTextKey struct{}

func reviewCapability() bus.Capability {
	said := func(ctx context.Context, call *bus.Call) shownText { // a replay shows nothing
		shown, is := ctx.Value(shownTextKey{}).(shownText)
		if is {
			call.Summarize("Let %s read what others wrote: %s", shown.model, shown.title)
		}
		return shown
	}
	return bus.Define(bus.Capability{Name: nameReview, Texts: texts, SideEffect: bus.Network,
		Resources: []string{"network:write"},
		Listing:   bus.Listing{Category: "assistant", Group: "assistant", Passive: true},
		Checks:    bus.Checks{Access: bus.Access{Agent: bus.RuleConfirm}},
		Assistant: bus.Assistant{Only: true},
		Run: bus.Run{Preview: func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
			return json.Marshal(said(ctx, call).texts)
		}}},
		func(ctx context.Context, call *bus.Call, _ struct{}) (struct{}, error) {
			said(ctx, call)
			return struct{}{}, nil
		})
}

// others lists the texts of other people in a result, by the name of the field.
func (b *Bridge) others(capability string, res bus.Result) map[string][]any {
	found := map[string][]any{}
	b.withOthers(capability, res, func(field string, v any) any {
		field = cmp.Or(field, "result")
		found[field] = append(found[field], v)
		return v
	})
	return found
}

// withOthers returns a result in which the function by has replaced each text of other people.
func (b *Bridge) withOthers(capability string, res bus.Result, by func(field string, v any) any) bus.Result {
	c, known := b.o.Bus.Lookup(capability)
	switch {
	case !known:
	case res.Err != nil && len(res.Err.Choices) > 0:
		e := *res.Err
		e.Choices = slices.Clone(e.Choices)
		for i, choice := range e.Choices {
			if list, listed := b.listOf(c, choice); !listed || !schema.NamesTaint(list.OutputSchema) {
				continue
			}
			e.Choices[i].Options = slices.Clone(choice.Options)
			for n, o := range choice.Options {
				e.Choices[i].Options[n].Title = fmt.Sprint(by(choice.Field, o.Title))
			}
		}
		res.Err = &e
	case res.OK() && c.IsPlan():
		var plan map[string]any
		if json.Unmarshal(res.Data, &plan) != nil {
			return res
		}
		steps, _ := plan["steps"].([]any)
		for _, s := range steps {
			step, _ := s.(map[string]any)
			name, _ := step["capability"].(string)
			data, _ := json.Marshal(step["data"]) // it was JSON
			if of, known := b.o.Bus.Lookup(name); known {
				step["data"] = schema.WithOthers(of.OutputSchema, data, by)
			}
		}
		res.Data, _ = json.Marshal(plan)
	case res.OK():
		res.Data, _ = json.Marshal(schema.WithOthers(c.OutputSchema, res.Data, by))
	}
	return res
}

// reviewOf is appended to a call's id to make the id of the call that shows its result.
const reviewOf = " text"

// keptBack replaces a text of other people that the model may not read.
const keptBack = "[kept back]"

// withoutOthers returns the stored answer to a call without the text of other people, with a note that gives the
// reason.
func (b *Bridge) withoutOthers(capability, answer, note string) string {
	var j job
	var beside struct{ Note string }
	if json.Unmarshal([]byte(answer), &j.result) != nil || json.Unmarshal([]byte(answer), &beside) != nil {
		return answer // erased
	}
	j.result = b.withOthers(capability, j.result, func(string, any) any { return keptBack })
	if j.note = note; beside.Note != "" {
		j.note = beside.Note + " " + note
	}
	return j.answer()
}

// unasked tells a model the reason for missing text in a result of an earlier turn.
const unasked = "What others wrote in it is kept back: no person has reviewed it. Look it up again to have it reviewed."

// isKeptBack reports whether the model may not read the text of other people in a tool's message, with the reason.
func (t *turnRun) isKeptBack(m model.Message) (why string, is bool) {
	switch {
	case m.Held != "":
		return "What others wrote in it is kept back. " + m.Held, true
	case m.Shown == "" && m.Others && t.reviews:
		return unasked, true
	}
	return "", false
}

// review shows the person the text of other people in the results of a reply, if the settings require it before the
// model reads it. Each result gets one card, except for text that the person let pass in this conversation.
func (t *turnRun) review(ctx context.Context, jobs []*job) {
	var cards sync.WaitGroup
	for _, j := range jobs {
		if j.running {
			continue
		}
		texts := t.b.others(j.capability, j.result)
		if j.others = len(texts) > 0; !j.others || !t.reviews {
			continue
		}
		if j.shown = t.conv.letPass(texts); j.shown != "" {
			continue
		}
		cards.Go(func() { t.showText(ctx, j, texts) })
	}
	cards.Wait()
	for _, j := range jobs {
		if j.shown != "" && j.held == "" {
			t.conv.pass(t.b.others(j.capability, j.result), j.shown)
		}
	}
}

// showText asks the person about the text of other people in one result.
func (t *turnRun) showText(ctx context.Context, j *job, texts map[string][]any) {
	shown := shownText{title: j.entry.Title, model: cmp.Or(t.who.Model.Name, t.who.Model.Endpoint), texts: texts}
	c, _ := t.b.o.Bus.Lookup(nameReview)
	card := &job{call: model.Call{ID: j.call.ID + reviewOf, Arguments: json.RawMessage(`{}`)}, capability: nameReview,
		requestID: t.b.o.NewID("req"), entry: bus.ManifestEntry{Title: c.Title, SideEffect: c.SideEffect}}
	t.announce(card)
	card.result = t.invokeOnce(policy.Ask(context.WithValue(ctx, shownTextKey{}, shown)), card, bus.Invocation{
		Capability: nameReview, Arguments: card.call.Arguments, RequestID: card.requestID, TraceID: t.id,
		Principal: t.principal(), Caller: bus.Caller{Type: bus.CallerAgent, Source: t.conv.id, ParentRequestID: j.requestID,
			TriggeringMessage: text.Clean(t.text, maxWords)}})
	t.emitResult(card)
	if e := card.result.Err; e != nil && e.Reason == bus.ReasonCancelled {
		return // the person stopped the turn, so they did not answer
	}
	j.shown = card.requestID
	if !card.result.OK() {
		j.held = text.Sentence(card.result.Err.Message)
	}
}

// passKey returns the key of a text in [conversation.passed].
func passKey(v any) string {
	raw, _ := json.Marshal(v) // it was JSON
	return string(raw)
}

// pass records that a person let texts pass on the card of a request.
func (c *conversation) pass(texts map[string][]any, requestID string) {
	if c.passed == nil {
		c.passed = map[string]string{}
	}
	for _, of := range texts {
		for _, v := range of {
			c.passed[passKey(v)] = requestID
		}
	}
}

// letPass removes the texts that the person let pass before. If none is left, it returns the request id of the last
// one's card, otherwise "".
func (c *conversation) letPass(texts map[string][]any) (requestID string) {
	for _, field := range slices.Sorted(maps.Keys(texts)) {
		of := texts[field]
		texts[field] = slices.DeleteFunc(of, func(v any) bool {
			before := c.passed[passKey(v)]
			requestID = cmp.Or(before, requestID)
			return before != ""
		})
		if len(texts[field]) == 0 {
			delete(texts, field)
		}
	}
	if len(texts) > 0 {
		return ""
	}
	return requestID
}
