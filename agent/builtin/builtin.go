package builtin

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/titles"
)

// builtin is an assistant without a language model.
type builtin struct {
	lex *lexicon.Lexicon

	mu    sync.Mutex // guards the rest: what was learned from the tools of the latest request
	tools []model.Tool
	known *known
}

// known holds what was learned from one list of tools.
type known struct {
	lex      *lexicon.Lexicon
	patterns []*pattern
	mu       sync.Mutex            // guards heard
	heard    map[string]understood // by sentence and day: a turn asks several times
}

// New returns the built-in assistant with the words of an application's domain, none of which is needed: other ways to
// say a word of its phrases (also short ones), words for the people on whose behalf it is asked to do things, and
// fields beside name, title, number and the like whose values name a thing.
//
//	builtin.New(map[string][]string{"guest": {"visitor"}, "room": {"chamber", "rm"}}, []string{"guest"}, []string{"roomCode"})
func New(words map[string][]string, people, codes []string) model.Model {
	return &builtin{lex: lexicon.New(words, people, codes)}
}

// Profile implements Model.
func (*builtin) Profile() bus.ModelID {
	return bus.ModelID{Endpoint: "built-in", Name: "built-in assistant"}
}

// OffersChoices tells the bridge that replies carry their own choices.
func (*builtin) OffersChoices() bool { return true }

// Stream implements Model.
func (b *builtin) Stream(ctx context.Context, req model.Request, onDelta func(model.Delta)) (model.Reply, error) {
	if err := ctx.Err(); err != nil {
		return model.Reply{}, err
	}
	d := &dialogue{known: b.learn(req.Tools), tools: req.Tools}
	d.hear(req.Messages)
	m := d.next()
	if m.text != "" {
		onDelta(model.Delta{Text: m.text})
	}
	reply := model.Reply{Text: m.text, Calls: m.calls, Finish: model.FinishStop}
	if len(m.calls) > 0 {
		reply.Finish = model.FinishCalls
	}
	if m.asked != nil && len(m.asked.options) > 0 {
		reply.Choices = []bus.Choice{{Field: m.asked.slot, Options: m.asked.options}}
	}
	return reply, nil
}

// learn reads the tools' phrases, anew only when the tools have changed.
func (b *builtin) learn(tools []model.Tool) *known {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.known == nil || !reflect.DeepEqual(b.tools, tools) {
		b.tools, b.known = tools, &known{lex: b.lex, patterns: learnPatterns(b.lex, tools), heard: map[string]understood{}}
	}
	return b.known
}

// maxHeard is how many sentences are kept understood.
const maxHeard = 64

// understand is understand, once for each sentence. What it gives is shared and not changed.
func (k *known) understand(text string, today time.Time) understood {
	key := today.Format(time.DateOnly) + text
	k.mu.Lock()
	u, heard := k.heard[key]
	k.mu.Unlock()
	if heard {
		return u
	}
	u = understand(k.lex, text, k.patterns, today)
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.heard) >= maxHeard {
		clear(k.heard)
	}
	k.heard[key] = u
	return u
}

const whatItIs = "I am the built-in assistant: I work without a language model and without a network, so I only understand sentences close to the ones I know."

// say answers a sentence that is no command.
func (d *dialogue) say(u understood, said string) string {
	switch u.mood {
	case moodHelp:
		return whatItIs + "\n\n" + d.examples(16)
	case moodIdentity:
		return whatItIs + " Say “help” to see what I can do here."
	case moodThanks:
		return "You are welcome."
	case moodGreeting:
		return "Hello. " + whatItIs + " Say “help” to see what I can do here."
	case moodNegation:
		return "All right: I have not done anything."
	case moodAbout:
		return d.explain(u)
	case moodDoubtful:
		return "I have not done anything: I only act on plain instructions, and this one has a condition, a doubt or someone else's words in it, or several details where I understand one. " +
			"Text that is to be taken as it stands goes into quotation marks."
	}
	cannot := "I did not understand that, and I have not done anything."
	if list, _ := d.lex.Instruction(lexicon.Tokenise(said)); len(list) > 0 && lexicon.Undoable[list[0].Word] {
		cannot = fmt.Sprintf("I cannot do that here: there is nothing to “%s” with. I have not done anything.", text.Clean(list[0].Text, 40))
	}
	if len(u.commands) > 0 {
		return cannot + " What I can do: “" + u.commands[0].pattern.tool.Title + "”; say, for example, “" + example(u.commands[0].pattern) + "”, or “help”."
	}
	return cannot + " " + whatItIs + "\n\n" + d.examples(5)
}

// unclear says that a loose reading did not hold.
func (d *dialogue) unclear(text string) string {
	rest, _ := d.lex.Instruction(d.lex.OpenForms(lexicon.Tokenise(text)))
	return d.say(understood{commands: guess(rest, d.patterns)}, text)
}

// explain answers a question about doing something without doing it.
func (d *dialogue) explain(u understood) string {
	if len(u.commands) == 0 || u.commands[0].pattern == nil || !u.how {
		return "I cannot answer that, and I have not done anything. " + whatItIs + " Say “help” to see what I can do here."
	}
	t := u.commands[0].pattern.tool
	text := fmt.Sprintf("I have not done anything. %s: %s", t.Title, text.Sentence(d.titled(t.Description)))
	return text + " To have me do it, say “" + example(u.commands[0].pattern) + "”."
}

// titled puts titles in the place of capability names, which only programs know.
func (d *dialogue) titled(text string) string {
	return titles.InPlaceOfNames(text, func(name string) (string, bool) {
		t, ok := d.tool(name)
		return t.Title, ok
	})
}

// examples lists what can be said, reading and acting alike.
func (d *dialogue) examples(limit int) string {
	var lines []string
	left := 0
	for _, p := range d.patterns {
		if len(p.tool.Phrases) == 0 {
			continue
		}
		if len(lines) == limit {
			left++
			continue
		}
		lines = append(lines, "- "+p.tool.Title+": “"+example(p)+"”")
	}
	if len(lines) == 0 {
		return "There is nothing here that I know a sentence for."
	}
	if left > 0 {
		lines = append(lines, fmt.Sprintf("- … and %d more", left))
	}
	return "You can say, for example:\n" + strings.Join(lines, "\n")
}

// example is a phrase with its slots in words.
func example(p *pattern) string {
	phrase := p.tool.Title
	if len(p.tool.Phrases) > 0 {
		phrase = lexicon.Spellings(p.tool.Phrases[0])[0]
	}
	return slotForm.ReplaceAllStringFunc(phrase, func(slot string) string {
		name := strings.Trim(slot, "{-}")
		if f := p.field(name); f != nil {
			return "‹" + lowerLabel(*f) + "›"
		}
		return "‹" + text.SplitName(name) + "›"
	})
}
