package builtin

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// builtin is an assistant without a language model.
type builtin struct {
	same   map[string][]string // synonyms of words in phrases
	people []string
	codes  []string
	texts  map[string]texts // by language

	mu    sync.Mutex  // guards the rest: data from the tools of the latest request
	langs []*language // nil until they are read
	tools []model.Tool
	known *known
}

// known is the data learned from one list of tools.
type known struct {
	indexes []*index
	mu      sync.Mutex          // guards heard
	heard   map[string][]*guess // by language, sentence and focus: a turn asks several times
}

// maxHeard limits the number of sentences in the cache.
const maxHeard = 256

// New returns the built-in assistant with the words of an application's domain. All arguments are optional: synonyms
// and short forms of words in its phrases, words for the people on whose behalf a user makes a request, fields in
// addition to name, title, number and the like whose values name a record, and phrases in other languages.
//
//	builtin.New(map[string][]string{"guest": {"visitor"}, "room": {"chamber", "rm"}},
//		[]string{"guest"}, []string{"roomCode"})
//
// Each text of phrases begins with the line "language: de". For a capability it has a line "name: title", followed by
// lines "- phrase" and "field says: words:value|…". A phrase with {field=value} implies the value. A line "answer:
// {total} for {count|piece|pieces}." is a sentence for a result; the first one whose gaps all have a value is used. A
// line "label field: words" names a field or a value of all capabilities.
func New(words map[string][]string, people, codes []string, phrases ...string) model.Model {
	b := &builtin{same: words, people: people, codes: codes, texts: map[string]texts{}}
	for _, file := range phrases {
		name, t := readTexts(file)
		b.texts[name] = t
	}
	return b
}

// readTexts reads an application's phrases in one language.
func readTexts(file string) (name string, t texts) {
	t = texts{title: map[string]string{}, phrases: map[string][]string{}, said: map[string]string{},
		label: map[string]string{}, answers: map[string][]string{}}
	capability := ""
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		key, value, _ := strings.Cut(line, ": ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case key == "language":
			name = value
		case strings.HasPrefix(line, "- "):
			t.phrases[capability] = append(t.phrases[capability], line[2:])
		case key == "answer":
			t.answers[capability] = append(t.answers[capability], value)
		case strings.HasPrefix(key, "label "):
			t.label[key[len("label "):]] = value
		case strings.HasSuffix(key, " says"):
			t.said[capability+"."+strings.TrimSuffix(key, " says")] = value
		default:
			capability, t.title[key] = key, value
		}
	}
	return name, t
}

// Profile implements Model.
func (*builtin) Profile() bus.ModelID {
	return bus.ModelID{Endpoint: "built-in", Name: "built-in assistant"}
}

// OffersChoices tells the bridge that the assistant reads the manifest itself, and that its replies contain choices.
func (*builtin) OffersChoices() bool { return true }

// Stream implements Model.
func (b *builtin) Stream(ctx context.Context, req model.Request, onDelta func(model.Delta)) (model.Reply, error) {
	if err := ctx.Err(); err != nil {
		return model.Reply{}, err
	}
	k := b.learn(req.Tools)
	t := &talk{b: b, known: k, x: k.indexes[0], lang: k.indexes[0].lang, tools: req.Tools, messages: req.Messages}
	m := t.next()
	if m.text != "" {
		onDelta(model.Delta{Text: m.text})
	}
	reply := model.Reply{Text: m.text, Calls: m.calls, Finish: model.FinishStop}
	if len(m.calls) > 0 {
		reply.Finish = model.FinishCalls
	}
	if m.asked != nil && len(m.asked.options) > 0 && !m.asked.refused {
		reply.Choices = []bus.Choice{{Field: m.asked.field, Options: m.asked.options}}
	}
	return reply, nil
}

// languages returns all languages, with the words of the application.
func (b *builtin) languages() []*language {
	list := languages()
	for _, l := range list {
		for word, others := range b.same {
			l.addRuns("same", strings.Join(others, ", ")+" = "+word)
		}
		for _, p := range b.people {
			for _, wish := range []string{"wants to", "would like to", "needs to"} {
				l.addRuns("courtesy", "the "+p+" "+wish+", "+p+" "+wish)
			}
		}
	}
	return list
}

// learn indexes the phrases of the tools, and again those of the tools that have changed.
func (b *builtin) learn(tools []model.Tool) *known {
	tools = slices.Clone(tools)
	for i := range tools {
		tools[i].Closed, tools[i].Usual = "", 0 // they do not affect the phrases
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.known == nil || !reflect.DeepEqual(b.tools, tools) {
		before := map[string]*index{}
		if b.known != nil {
			for _, x := range b.known.indexes {
				before[x.lang.name] = x
			}
		}
		b.tools, b.known = tools, &known{heard: map[string][]*guess{}}
		if b.langs == nil {
			b.langs = b.languages()
		}
		for _, l := range b.langs {
			if _, has := b.texts[l.name]; has || l.name == "en" {
				b.known.indexes = append(b.known.indexes, newIndex(l, tools, b.texts[l.name], before[l.name]))
			}
		}
	}
	return b.known
}
