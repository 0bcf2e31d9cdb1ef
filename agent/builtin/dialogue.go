package builtin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// dialogue works out from the messages alone where a conversation stands and what the built-in assistant does next.
// Reading the same messages again gives the same answer, so nothing needs to be remembered.
type dialogue struct {
	*known
	tools    []model.Tool
	messages []model.Message
	chosen   map[string]item // by mentionKey
	today    time.Time       // of the sentence that is read; zero if the message has no time
}

// day is the beginning of a moment's day.
func day(at time.Time) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, at.Location())
}

// plan holds the commands of one sentence, together with later answers to questions about it.
type plan struct {
	since    int       // the message that began it
	commands []reading // to be carried out one after the other
	saying   string    // instead of commands, or after them
	asked    *question // what it waits for
}

// command is a reading to be carried out, with slots of its own.
func (r reading) command() reading {
	r.slots, r.others = maps.Clone(r.slots), slices.Clone(r.others)
	for i, o := range r.others {
		r.others[i] = o.command()
	}
	return r.measured()
}

// question is something the assistant needs to know.
type question struct {
	command int // index in plan.commands
	slot    string
	text    string
	options []bus.Option // answers
	unknown bool         // a name was said that is not known
	meaning bool         // which of several commands is meant
	refused bool         // by the application, which takes the value of an option

	reword func(answer string) string // what a list is said to be with the answer in it
}

// move is the next reply: text, calls or a question.
type move struct {
	text  string
	calls []model.Call
	asked *question
}

// next goes through the person's sentences and makes the move for the last one.
func (d *dialogue) next() move {
	var p *plan
	var m move
	for i := d.start(); i < len(d.messages); i++ {
		msg := d.messages[i]
		if msg.Role != model.RoleUser {
			continue
		}
		end := i + 1
		for end < len(d.messages) && d.messages[end].Role != model.RoleUser {
			end++
		}
		d.today = day(msg.At)
		p = d.begin(i, msg.Text, p)
		m = d.advance(p, end)
		p.asked = m.asked
	}
	return m
}

// maxSentences is how far back an open question is looked for.
const maxSentences = 12

func (d *dialogue) start() int {
	left := maxSentences
	for i := len(d.messages) - 1; i > 0; i-- {
		if d.messages[i].Role == model.RoleUser {
			if left--; left == 0 {
				return i
			}
		}
	}
	return 0
}

// begin reads a sentence: as the answer to an open question, or as something new.
func (d *dialogue) begin(i int, text string, before *plan) *plan {
	if before != nil && before.asked != nil {
		if p := d.answer(text, before); p != nil {
			return p
		}
	}
	p := d.read(i, text)
	if before != nil && len(p.commands) == 0 {
		if more := d.goOn(i, text, before); more != nil {
			return more
		}
	}
	return p
}

// read takes a text sentence by sentence, up to the first that is no command. What is left says so; when it may take
// back what was said before, nothing of it is done.
func (d *dialogue) read(i int, said string) *plan {
	p := &plan{since: i}
	list := lexicon.Sentences(said)
	for n, s := range list {
		u := d.understand(s, d.today)
		switch {
		case u.mood == moodCommand:
			for _, r := range u.commands {
				p.commands = append(p.commands, r.command())
			}
			continue
		case len(list) > 1 && (u.mood == moodThanks || u.mood == moodGreeting || u.mood == moodUnclear && n+1 < len(list) && idleTalk(d.lex, s)):
			continue
		case len(p.commands) == 0:
			p.saying = d.say(u, s)
		case slices.ContainsFunc(list[n:], takesBack):
			*p = plan{since: i, saying: fmt.Sprintf("I have not done anything: I did not understand “%s”, and it may change what comes before it.", text.Clean(strings.TrimRight(s, ".;"), 80))}
			return p
		default:
			p.saying = fmt.Sprintf("I did not understand “%s”.", text.Clean(strings.TrimRight(s, ".;"), 80))
		}
		if n+1 < len(list) {
			p.saying = joinParts(paragraph, p.saying, "Nothing after that was done.")
		}
		return p
	}
	if len(p.commands) == 0 {
		p.saying = d.say(d.understand(said, d.today), said)
	}
	return p
}

// takesBack says that a sentence has words in it that make no plain instruction.
func takesBack(s string) bool {
	return slices.ContainsFunc(lexicon.Tokenise(s), func(t lexicon.Token) bool {
		return (lexicon.Guards[t.Word] || negating[t.Word] || recalling[t.Word]) && !t.Quoted
	})
}

// answer continues a plan with what was asked for; nil when the sentence is something else.
func (d *dialogue) answer(said string, before *plan) *plan {
	q := before.asked
	rest, _ := d.lex.Instruction(lexicon.Tokenise(said))
	if len(rest) == 0 {
		return nil
	}
	if leavingSayings[strings.TrimSpace(text.Normalized(said))] {
		return &plan{since: before.since, saying: "All right. I have not done it."}
	}
	c := before.commands[q.command]
	if q.meaning {
		return before.meant(q, said)
	}
	f := c.pattern.field(q.slot)
	given := slotText{text: said[rest[0].Start:rest[len(rest)-1].End], tokens: rest}
	if n, ok := chosenFrom(q.options, given.text); ok {
		choice := q.options[n].Title
		if q.reword != nil {
			choice = q.reword(choice)
		}
		chosen := slotText{text: choice, tokens: lexicon.Tokenise(choice), lead: c.slots[q.slot].lead, picked: true}
		if q.refused {
			chosen.value = q.options[n].Value
		}
		return before.with(q, chosen)
	}
	if v, ok := f.value(rest, given.text); ok && f.says(rest) {
		given.text, _ = v.(string)
		return before.with(q, given)
	}
	if u := d.understand(said, d.today); u.mood != moodUnclear && !u.unsure() || !f.freeText() && d.verb(rest[0].Word) {
		return nil
	}
	if of, n := c.pattern.leadingCount(said, rest); n > 0 && f.Lookup != "" { // "two of the red ones"
		count := slotText{text: said[rest[0].Start:rest[n-1].End], tokens: rest[:n]}
		before, rest = before.with(&question{command: q.command, slot: of.Name}, count), rest[n:]
	}
	from := 0
	for from < len(rest)-1 && (lexicon.Noise[rest[from].Word] || lexicon.Linking[rest[from].Word]) {
		from++
	}
	lead := slices.Concat(c.slots[q.slot].lead, rest[:from])
	rest = rest[from:]
	given = slotText{text: said[rest[0].Start:rest[len(rest)-1].End], tokens: rest, lead: lead}
	if q.reword != nil {
		given.text = q.reword(given.text)
		given.tokens = lexicon.Tokenise(given.text)
		return before.with(q, given)
	}
	given.misfit = !f.takes(given.tokens, given.text)
	if _, note := c.otherwise(*f); note == nil && given.misfit || len(rest) > f.longest() || given.guarded() || f.Lookup != "" && len(given.text) > maxName {
		return nil
	}
	return before.with(q, given)
}

// maxName is how long a name may be that is looked up.
const maxName = 100

// verb says that a word is how commands begin, or things one cannot do here.
func (d *dialogue) verb(w string) bool {
	w = d.lex.Stands(w)
	return lexicon.Undoable[w] || !lexicon.Pronouns[w] && slices.ContainsFunc(d.patterns, func(p *pattern) bool {
		return slices.ContainsFunc(p.heads, func(h form) bool { return len(h.list) > 1 && h.list[0].word == w })
	})
}

// with is the plan with one more slot filled.
func (p *plan) with(q *question, s slotText) *plan {
	next := &plan{since: p.since, saying: p.saying}
	for i, c := range p.commands {
		c.slots = maps.Clone(c.slots)
		if i == q.command {
			c.slots[q.slot] = s
		}
		next.commands = append(next.commands, c.measured())
	}
	return next
}

// advance carries a plan as far as the messages before end allow.
func (d *dialogue) advance(p *plan, end int) move {
	var reports []string
	from, taken := p.since, map[string]bool{}
	for n, c := range p.commands {
		c, r := d.mean(c, from, end)
		p.commands[n] = c
		if c.unsure && r.unknown() {
			return move{text: joinParts(paragraph, append(reports, d.unclear(d.messages[p.since].Text), p.notDone(n))...)}
		}
		if r.asked != nil {
			r.asked.command = n
			return move{text: joinParts(paragraph, append(reports, r.asked.text)...), asked: r.asked}
		}
		if r.refused != "" {
			return move{text: joinParts(paragraph, append(reports, r.refused, p.notDone(n))...)}
		}
		if len(r.need) > 0 {
			return move{calls: d.number(r.need, end)}
		}
		final := model.Call{Tool: c.pattern.tool.Name, Arguments: r.arguments()}
		call, at := d.made(final, from, end, taken)
		if at < 0 {
			return move{text: strings.Join(r.notes, " "), calls: d.number([]model.Call{final}, end)}
		}
		taken[call.ID] = true
		res := d.result(call.ID, at, end)
		reports = append(reports, d.report(c, res))
		if q := c.choose(res); q != nil {
			q.command = n
			return move{text: joinParts(paragraph, reports...), asked: q}
		}
		if !res.ok() {
			return move{text: joinParts(paragraph, append(reports, p.notDone(n+1))...)}
		}
		from = at
	}
	return move{text: joinParts(paragraph, append(reports, p.saying)...)}
}

// choose asks for the argument that a refusal has choices for, if the command has a field for it.
func (r reading) choose(res outcome) *question {
	for _, choice := range res.Choices {
		if r.pattern.field(choice.Field) != nil {
			return &question{slot: choice.Field, options: choice.Options, refused: true}
		}
	}
	return nil
}

// notDone names the commands that were not reached.
func (p *plan) notDone(from int) string {
	if from >= len(p.commands) || len(p.commands) == 1 {
		return ""
	}
	var titles []string
	for _, c := range p.commands[from:] {
		titles = append(titles, c.pattern.tool.Title)
	}
	return "Not done: " + strings.Join(titles, ", ") + "."
}

// number gives calls their ids.
func (d *dialogue) number(calls []model.Call, end int) []model.Call {
	n := 0
	for _, m := range d.messages[:end] {
		n += len(m.Calls)
	}
	for i := range calls {
		calls[i].ID = fmt.Sprintf("call_%d", n+i+1)
	}
	return calls
}

// made finds a call among the messages, -1 when it was not made yet.
func (d *dialogue) made(want model.Call, from, end int, taken map[string]bool) (model.Call, int) {
	for i := from; i < end; i++ {
		for _, c := range d.messages[i].Calls {
			if c.Tool == want.Tool && !taken[c.ID] && bytes.Equal(text.CanonicalOrNil(c.Arguments), text.CanonicalOrNil(want.Arguments)) {
				return c, i
			}
		}
	}
	return model.Call{}, -1
}

// outcome is a tool message as the assistant reads it.
type outcome struct {
	Status     string          `json:"status"`
	Data       json.RawMessage `json:"data"`
	Code       bus.Code        `json:"code"`
	Reason     bus.Reason      `json:"reason"`
	Message    string          `json:"message"`
	Hint       string          `json:"recovery_hint"`
	Choices    []bus.Choice    `json:"choices"`
	Violations []bus.Violation `json:"-"` // of the message
	Events     []bus.Event     `json:"events"`
	Replayed   bool            `json:"replayed"`
	Note       string          `json:"note"`
}

func (o outcome) ok() bool { return o.Status == "success" }

// result reads the answer to a call.
func (d *dialogue) result(id string, from, end int) outcome {
	for _, m := range d.messages[from:end] {
		if m.Role == model.RoleTool && m.CallID == id {
			var o outcome
			if json.Unmarshal([]byte(m.Text), &o) == nil {
				o.Violations = m.Violations
				return o
			}
		}
	}
	return outcome{Status: "error", Message: "I got no answer from the application."}
}

// paragraph parts what is said of different things.
const paragraph = "\n\n"

// joinParts makes one text of parts, leaving out empty ones.
func joinParts(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), separator)
}
