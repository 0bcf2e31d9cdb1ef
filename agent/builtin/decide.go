package builtin

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// suggestTool is the bridge's tool for showing actions as buttons.
const suggestTool = "suggest_next_steps"

const (
	contenders = 3    // guesses whose values are looked up before one is chosen
	within     = 0.16 // the most that they may score below the first
	offered    = 3    // actions to show as buttons
)

// tried is a guess with its resolved values.
type tried struct {
	*guess
	r *resolution
}

func (x tried) likely() float64 { return x.score - x.r.doubt }

// decide settles the meaning of a command. It is done if a reply or look-ups must come first.
func (t *talk) decide(c *command, from, end int) (m move, done bool) {
	first := c.guesses[0]
	near := slices.DeleteFunc(slices.Clone(c.guesses[:min(contenders, len(c.guesses))]), func(g *guess) bool {
		return g.score < first.score-within
	})
	list, calls := t.try(near, from, end)
	if len(calls) > 0 {
		return move{calls: calls}, true
	}
	if g := t.without(list[0]); g != nil {
		other, calls := t.try([]*guess{g}, from, end)
		if len(calls) > 0 {
			return move{calls: calls}, true
		}
		if other[0].r.asked == nil && !other[0].doubtful() {
			return t.tap(other, from, end), true
		}
	}
	if t.sure(list) {
		if c.aside && list[0].action.tool.SideEffect != bus.Pure {
			return t.tap(list[:1], from, end), true
		}
		c.settled = list[0].guess
		return move{}, false
	}
	m = t.offer(c, list[0], from, end)
	choice := m.asked != nil && (m.asked.options != nil || m.asked.guesses != nil)
	if c.clause != nil && c.settled == nil && len(m.calls) == 0 && !choice {
		c.guesses, c.clause, c.aside = c.clause, nil, true
		return t.decide(c, from, end)
	}
	return m, c.settled == nil
}

// try resolves the values of guesses and sorts them, the likeliest first.
func (t *talk) try(near []*guess, from, end int) (list []tried, calls []model.Call) {
	for _, g := range near {
		g = g.clone() // it may be taken apart
		r := t.resolve(g, from, end)
		calls = append(calls, r.need...)
		list = append(list, tried{g, r})
	}
	if found := slices.DeleteFunc(slices.Clone(list), func(x tried) bool { return x.r.absent }); len(found) > 0 {
		list = found
	}
	slices.SortStableFunc(list, func(a, b tried) int { return cmp.Compare(b.likely(), a.likely()) })
	return list, unique(calls)
}

// sure reports whether the first guess is likely enough to be carried out.
func (t *talk) sure(list []tried) bool {
	best := list[0]
	least, margin := leastWrite, marginWrite
	reads := best.action.tool.SideEffect == bus.Pure
	if reads {
		least = leastRead
	}
	if reads || best.cover > 0.98 && best.score > 0.93 && best.foreign == 0 {
		margin = marginRead
	}
	if reads && len(list) > 1 && list[1].action.tool.SideEffect == bus.Pure {
		margin = 0 // an unintended read does no harm
	}
	if best.score < least || len(list) > 1 && best.likely()-list[1].likely() < margin {
		return false
	}
	ahead := slices.ContainsFunc(list, func(o tried) bool { return o.score > best.score+marginRead })
	return reads || !ahead && best.plainly() // if another guess scores higher, look-ups failed for the likeliest meaning
}

// plainly reports whether a sentence is an instruction for this action and contains nothing else.
func (x tried) plainly() bool {
	loose := mostLoose
	if len(x.r.notes) > 0 {
		loose = mostForeign // the other words may contradict a default
	}
	word := x.s.list[min(x.s.first(), len(x.s.list)-1)].word // "another one" is noise
	asks := x.s.question && !(x.s.lang.has("asking", word) && strings.HasPrefix(x.doc.phrase, word+" "))
	return x.foreign <= mostForeign && x.loose <= loose && x.cover >= leastCover && !x.guarded() && !asks &&
		!x.doubtful() && !x.bareOfTwo() && !x.skipsClause() && x.matches()
}

// skipsClause reports whether a guess uses no word of a clause that has one: "a bag, the blue one".
func (g *guess) skipsClause() bool {
	return g.of == nil && slices.ContainsFunc(g.s.clauses(), func(part [2]int) bool {
		said := false
		for i := part[0]; i < part[1]; i++ {
			t := g.s.list[i]
			if g.inSpan(i) || !t.noise && slices.Contains(g.doc.stems, t.stem) {
				return false
			}
			said = said || !t.noise && !t.common
		}
		return said
	})
}

// bareOfTwo reports whether a number may be both an amount and a count of the action: 5 off, as money or percent.
func (g *guess) bareOfTwo() bool {
	bare, counts := false, false
	for _, sl := range g.action.slots {
		sp, filled := g.spans[sl.name]
		_, is := sp.value.(bareAmount)
		bare, counts = bare || is, counts || !filled && sl.form == aCount
	}
	return bare && counts
}

// offer asks for a missing value, or offers up to three complete actions as buttons. If opening a form is the only
// choice, it settles the command, because the person decides in the form.
func (t *talk) offer(c *command, best tried, from, end int) move {
	near := slices.DeleteFunc(slices.Clone(c.guesses), func(g *guess) bool {
		return g.score < max(leastTold, best.score-0.35) || g.action.tool.SideEffect != bus.Pure && g.guarded()
	})
	list, calls := t.try(near[:min(5, len(near))], from, end)
	if len(calls) > 0 {
		return move{calls: calls}
	}
	list = slices.DeleteFunc(list, func(x tried) bool {
		return x.r.asked != nil || len(t.several(x.guess)) > 1 || x.doubtful() && !t.opensForms()
	})
	list = list[:min(offered, len(list))]
	q := best.r.asked
	if q != nil && (len(list) == 0 || q.options != nil && best.score >= leastRead && best.action != list[0].action) {
		q.guess = best.guess
		text, q := t.asks(best.guess, best.r, q)
		return move{text: text, asked: q}
	}
	if len(list) == 0 {
		return move{text: t.unclear(c.guesses[0].s, c.guesses)}
	}
	if len(list) == 1 && list[0].doubtful() {
		c.settled = list[0].guess
		return move{}
	}
	return t.tap(list, from, end)
}

// without returns a guess that leaves out the words for a record that was not found, if they describe it, as "the lady
// with the dog" does; nil if they are a name or if the action requires the record.
func (t *talk) without(x tried) *guess {
	if x.r.asked == nil || x.r.asked.options != nil {
		return nil
	}
	f := schema.Named(x.action.fields, x.r.asked.field)
	sp, said := x.spans[f.Name]
	if !said || sp.value != nil || f.Required || f.Entity == "" {
		return nil
	}
	list := x.s.list[sp.i:sp.j]
	// "her little lad"
	led := slices.Contains(t.b.people, f.Entity) && (list[0].noise || sp.i > 0 && x.s.list[sp.i-1].noise)
	if !led && !slices.ContainsFunc(list, func(tok token) bool { return tok.common }) {
		return nil
	}
	g := x.clone()
	delete(g.spans, f.Name)
	t.x.measure(g)
	return g
}

// tap makes the bridge show actions as buttons. The question names a single action with all its values, so that the
// person can answer yes, and lists all actions if there are no buttons.
func (t *talk) tap(list []tried, from, end int) move {
	q := &question{}
	var steps []map[string]any
	var lines []string
	for n, x := range list {
		q.guesses = append(q.guesses, x.guess)
		lines = append(lines, fmt.Sprintf("%d. %s", n+1, t.named(x.guess, x.r)))
		step := t.call(x.guess, x.r)
		steps = append(steps, map[string]any{"tool": step.Tool, "arguments": step.Arguments})
	}
	raw, _ := json.Marshal(map[string]any{"alternatives": true, "suggestions": steps}) // of arguments
	call := model.Call{Tool: suggestTool, Arguments: raw}
	offers := slices.ContainsFunc(t.tools, func(tool model.Tool) bool { return tool.Name == suggestTool })
	made, at := t.made(call, from, end, nil)
	switch {
	case at < 0 && offers:
		return move{calls: []model.Call{call}}
	case len(list) == 1:
		return move{text: t.lang.say("did you mean it", t.named(list[0].guess, list[0].r)), asked: q}
	case at < 0 || !t.result(made.ID, at, end).ok():
		return move{text: t.lang.say("did you mean") + "\n\n" + strings.Join(lines, "\n"), asked: q}
	}
	return move{text: t.lang.say("did you mean"), asked: q}
}

// answer continues a plan with the answer to its question; nil if the sentence is no answer.
func (t *talk) answer(said string, before *plan) *plan {
	q := before.asked
	s := read(t.lang, said, t.today, t.focus)
	if len(s.list) == 0 {
		return nil
	}
	title := func(o bus.Option) bool { return strings.EqualFold(strings.TrimSpace(said), o.Title) }
	if t.lang.is("leave", s.list) && !slices.ContainsFunc(q.options, title) {
		return &plan{since: before.since, saying: t.lang.say("left")}
	}
	n, chosen := t.option(q, s)
	c := before.commands[q.command]
	switch {
	case q.guesses != nil && !chosen:
		return nil
	case q.guesses != nil:
		return before.with(q, &command{settled: q.guesses[n]})
	}
	g := c.settled
	if g == nil {
		g = q.guess
	}
	g = g.clone()
	if chosen {
		g.chosen[q.field], g.called[q.field] = q.options[n].Value, q.options[n].Title
	} else if !t.fill(g, q, s) {
		return nil
	}
	return before.with(q, &command{settled: g}) // the question already asked for confirmation
}

// with returns the plan with one command replaced.
func (p *plan) with(q *question, c *command) *plan {
	next := &plan{since: p.since, saying: p.saying, commands: slices.Clone(p.commands)}
	next.commands[q.command] = c
	return next
}

// option finds the option that an answer chooses: by its place, by its title, or by words that only it has.
func (t *talk) option(q *question, s *sentence) (int, bool) {
	count := max(len(q.options), len(q.guesses))
	if t.lang.is("yes", s.list) && count == 1 {
		return 0, true
	}
	var list []record
	for i, o := range q.options {
		if strings.EqualFold(strings.TrimSpace(s.said), o.Title) {
			return i, true
		}
		list = append(list, record{id: strconv.Itoa(i), name: o.Title, words: t.plain(o.Title)})
	}
	n, place := t.lang.at("ordinals", s.list, 0)
	if n == 0 {
		n, place = s.numeral(0)
	}
	if k, err := strconv.Atoi(place); n == len(s.list) && err == nil {
		return k - 1, k >= 1 && k <= count
	}
	bare := slices.DeleteFunc(slices.Clone(s.list), func(tok token) bool {
		return (tok.noise || tok.common) && !tok.quoted
	})
	if len(bare) == 0 {
		bare = s.list
	}
	best, grade := pick(list, t.plain(words(s.said, bare)))
	if len(best) != 1 || grade < wordsNamed || !t.chooses(s) {
		return 0, false
	}
	n, err := strconv.Atoi(best[0].id)
	return n, err == nil
}

// chooses reports whether a sentence may choose among options.
func (t *talk) chooses(s *sentence) bool { return len(s.guards) == 0 && !t.requests(s) }

// requests reports whether a sentence is a request and no answer: it begins with a word of an action's phrases and has
// a value for one of its slots.
func (t *talk) requests(s *sentence) bool {
	fresh := t.guesses(s)
	return len(s.list) > 3 && len(fresh) > 0 && fresh[0].score >= leastRead && fresh[0].begins() && len(fresh[0].spans) > 0
}

// fill reads words as the value of the slot in the question.
func (t *talk) fill(g *guess, q *question, s *sentence) bool {
	sl := g.action.slotOf(q.field)
	if sl == nil {
		return false
	}
	if value, is := t.typedAnswer(sl, s); is {
		g.chosen[q.field] = value
		return true
	}
	fresh := t.guesses(s)
	if t.requests(s) || len(fresh) > 0 && fresh[0].score > 0.6 && fresh[0].cover >= leastCover {
		return false
	}
	plain, first := len(s.list) <= 8 && len(s.guards) == 0, s.first()
	switch {
	case sl.form == aText, plain && (sl.form == aName || sl.form == aQuery):
		g.chosen[q.field] = strings.TrimSpace(s.said)
	case plain && sl.form == aRecord && first < len(s.list) && !s.list[first].common:
		g.append(sl, s)
	default:
		return g.other(sl.field, s)
	}
	return true
}

// other chooses the value for all other cases of a closed set, and stores the words as the note.
func (g *guess) other(f schema.Field, s *sentence) bool {
	note := slices.IndexFunc(g.action.fields, func(f schema.Field) bool {
		return f.Kind == "string" && !f.Required && len(f.Enum) == 0 && f.Entity == "" && f.Format == ""
	})
	if note < 0 || !slices.Contains(f.Enum, otherValue) || len(s.guards) > 0 {
		return false
	}
	g.chosen[f.Name], g.chosen[g.action.fields[note].Name] = otherValue, strings.TrimSpace(s.said)
	return true
}

const otherValue = "other"

// typedAnswer reads an answer whose form identifies its type.
func (t *talk) typedAnswer(sl *slot, s *sentence) (any, bool) {
	if k, is := kindOf[sl.form]; is && k != someDays {
		at := slices.IndexFunc(s.found, func(f found) bool { return f.kind == k && len(s.guards) == 0 })
		if at < 0 {
			return nil, false
		}
		return s.found[at].value, true
	}
	if sl.form == aPostal {
		return postalAddress(s.said)
	}
	for i := range s.list {
		if list := t.x.choices(s, sl, i); len(list) > 0 {
			return list[0].value, true
		}
	}
	return nil, false
}

// append adds the words of a further sentence to a slot.
func (g *guess) append(sl *slot, more *sentence) {
	s := *g.s
	shift, at := len(s.said)+1, len(s.list)
	s.said, s.list = s.said+" "+more.said, slices.Clone(s.list)
	for _, tok := range more.list {
		tok.start, tok.end = tok.start+shift, tok.end+shift
		s.list = append(s.list, tok)
	}
	g.s = &s
	for _, count := range g.action.slots {
		if _, said := g.spans[count.name]; count.form != aCount || said {
			continue
		}
		if n, value := more.numeral(0); n > 0 && n < len(more.list) {
			g.spans[count.name] = span{at, at + n, json.Number(value), true}
			at += n
		}
	}
	delete(g.chosen, sl.name)
	g.spans[sl.name] = span{at, len(s.list), nil, true}
}

// smallTalk returns the reply to small talk, "" for any other sentence.
func (t *talk) smallTalk(s *sentence) string {
	l := t.lang
	switch {
	case l.is("help", s.list):
		return t.examples(16) + "\n\n" + l.say("what")
	case l.is("who", s.list):
		return l.say("what") + " " + l.say("help")
	case l.is("greeting", s.list):
		return l.say("greeting") + " " + l.say("what") + " " + l.say("help")
	case l.is("thanks", s.list):
		return l.say("welcome")
	case l.is("leave", s.list):
		return l.say("nothing")
	case t.small(s.said) && !s.any("again"):
		return l.say("unclear") + " " + l.say("what") + "\n\n" + t.examples(5)
	}
	return ""
}

// unclear returns the reply to a sentence that the assistant could not read, with examples.
func (t *talk) unclear(s *sentence, list []*guess) string {
	if len(s.guards) > 0 && len(list) > 0 && list[0].score > 0.3 {
		return t.lang.say("guarded")
	}
	if s.question {
		return t.lang.say("no answer") + " " + t.lang.say("what") + " " + t.lang.say("help")
	}
	return t.lang.say("unclear") + " " + t.lang.say("what") + "\n\n" + t.examples(5)
}

// explain describes an action without carrying it out.
func (t *talk) explain(g *guess) string {
	about := fmt.Sprintf("%s: %s", g.action.title, text.Sentence(t.titled(g.action.tool.Description)))
	return t.lang.say("explain", about, t.example(g.action))
}

// examples lists phrases of the actions, those in most use first.
func (t *talk) examples(limit int) string {
	var lines []string
	left := 0
	place := func(a *action) int {
		tool, _ := t.tool(a.tool.Capability)
		return cmp.Or(tool.Usual, math.MaxInt)
	}
	actions := slices.SortedStableFunc(slices.Values(t.x.actions), func(a, b *action) int {
		return cmp.Compare(place(a), place(b))
	})
	for _, a := range actions {
		switch {
		case !slices.ContainsFunc(a.docs, func(d doc) bool { return d.own }):
		case len(lines) == limit:
			left++
		default:
			lines = append(lines, "- "+a.title+": “"+t.example(a)+"”")
		}
	}
	if len(lines) == 0 {
		return t.lang.say("no examples")
	}
	if left > 0 {
		lines = append(lines, "- "+t.lang.say("more", left))
	}
	return t.lang.say("examples") + "\n" + strings.Join(lines, "\n")
}

// example returns a phrase of an action with readable names for its slots.
func (t *talk) example(a *action) string {
	d := a.docs[0]
	return slotsIn().ReplaceAllStringFunc(d.phrase, func(slot string) string {
		name := strings.Trim(slot, "{-}")
		for _, f := range a.fields {
			if f.Name == name {
				return "‹" + t.label(f) + "›"
			}
		}
		return "‹" + text.SplitName(name) + "›"
	})
}
