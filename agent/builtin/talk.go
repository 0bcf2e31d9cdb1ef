package builtin

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// talk is a conversation up to the assistant's next reply.
type talk struct {
	b        *builtin
	known    *known
	x        *index
	lang     *language
	tools    []model.Tool
	messages []model.Message
	open     []string // open pages and records
	today    time.Time
	focus    map[string]string // the latest record of each kind
}

// plan holds the commands of one sentence, with the answers to questions about it.
type plan struct {
	since    int // index of the message that began it
	commands []*command
	saying   string // the reply, instead of commands or after them
	asked    *question
}

// command is one action to do: its possible meanings, likeliest first, until one is settled.
type command struct {
	guesses []*guess
	settled *guess
	clause  []*guess // meanings of the only clause that is an instruction by itself, nil for none
	aside   bool     // the guesses leave out the other clauses, so a person has to confirm a write
}

// question is a request for a missing value.
type question struct {
	command int
	field   string
	text    string
	options []bus.Option
	guess   *guess   // the guess whose value is missing
	guesses []*guess // the meanings to choose from
	refused bool     // the application refused the call and offers these options
}

// move is the next reply: text, calls, or a question.
type move struct {
	text  string
	calls []model.Call
	asked *question
}

// maxSentences limits the number of earlier sentences that may have an open question.
const maxSentences = 8

// next replays the person's sentences and returns the move for the last one.
func (t *talk) next() (m move) {
	var p *plan
	for i := t.start(); i < len(t.messages); i++ {
		msg := t.messages[i]
		if msg.Role != model.RoleUser || strings.TrimSpace(msg.Text) == "" && i < len(t.messages)-1 {
			continue
		}
		end := i + 1
		for end < len(t.messages) && t.messages[end].Role != model.RoleUser {
			end++
		}
		t.today, t.open = dayOf(msg.At), msg.Open
		t.speak(msg.Text)
		t.focus = t.spokenOf(i)
		p = t.begin(i, msg.Text, p)
		m = t.advance(p, end)
		p.asked = m.asked
	}
	return m
}

func (t *talk) start() int {
	left := maxSentences
	for i := len(t.messages) - 1; i > 0; i-- {
		if t.messages[i].Role == model.RoleUser {
			if left--; left == 0 {
				return i
			}
		}
	}
	return 0
}

// languageSections are the sections whose words identify a language, in addition to noise and the words of phrases.
var languageSections = []string{"guards", "asking", "pronouns", "numbers", "containers", "days", "help", "leave", "yes",
	"thanks", "greeting"}

// speak switches to the language of most words in a sentence. Without such words it keeps the language.
func (t *talk) speak(said string) {
	most := 0
	for _, x := range t.known.indexes {
		n := 0
		for _, tok := range x.lang.tokens(text.Clean(said, 400)) {
			inSection := func(section string) bool { return x.lang.has(section, tok.word) }
			decimal := strings.ContainsAny(tok.word, ".,") && x.lang.number(tok.word) != ""
			if decimal || tok.noise || tok.common || x.weight[tok.stem] > 0 || x.values[tok.stem] ||
				slices.ContainsFunc(languageSections, inSection) {
				n++
			}
		}
		if n > most || n == most && x.lang == t.lang {
			most, t.x, t.lang = n, x, x.lang
		}
	}
}

// begin reads a sentence as the answer to an open question, or as a new request.
func (t *talk) begin(i int, said string, before *plan) *plan {
	if before != nil && before.asked != nil {
		if p := t.answer(said, before); p != nil {
			return p
		}
	}
	return t.read(i, said)
}

// read reads the sentences one by one, up to the first that is not a command.
func (t *talk) read(i int, said string) *plan {
	p := &plan{since: i}
	list := t.lang.sentences(said)
	for n, one := range list {
		commands, saying := t.understand(one)
		if len(list) > 1 && len(commands) > 0 && !commands[0].plain() {
			commands, saying = nil, t.lang.say("unclear")
		}
		switch {
		case len(commands) > 0:
			p.commands = append(p.commands, commands...)
			continue
		case len(list) > 1 && saying != "" && t.small(one):
			continue
		case len(p.commands) == 0:
			p.saying = saying
		case t.takesBack(list[n:]):
			return &plan{since: i, saying: t.lang.say("takes back", text.Clean(strings.TrimRight(one, ".;"), 80))}
		default:
			p.saying = t.lang.say("unclear part", text.Clean(strings.TrimRight(one, ".;"), 80))
		}
		if n+1 < len(list) {
			p.saying = joinParts("\n\n", p.saying, t.lang.say("nothing after"))
		}
		return p
	}
	if len(p.commands) == 0 && p.saying == "" {
		_, p.saying = t.understand(said)
	}
	return p
}

// plain reports whether a command may be combined with others, because the action explains all its words.
func (c *command) plain() bool {
	g := c.guesses[0]
	if g.action.tool.SideEffect == bus.Pure {
		return g.score >= leastRead && g.foreign <= mostForeign && (g.cover >= leastCover || len(g.spans) == 0) &&
			len(g.s.guards) == 0
	}
	return g.score >= leastWrite && g.foreign <= mostForeign && g.cover >= leastCover && !g.guarded() && !g.doubtful()
}

// takesBack reports whether sentences contain words that cancel or question an instruction.
func (t *talk) takesBack(list []string) bool {
	return slices.ContainsFunc(list, func(one string) bool {
		s := read(t.lang, one, t.today, t.focus)
		return len(s.guards) > 0 || s.any("leave") || s.any("recalling")
	})
}

// small reports whether a sentence is small talk.
func (t *talk) small(said string) bool {
	list := t.lang.tokens(said)
	return t.lang.is("thanks", list) || t.lang.is("greeting", list) ||
		!slices.ContainsFunc(list, func(tok token) bool { return !tok.noise })
}

// The least scores for doing a guess, by its side effect, and its least lead over the next guess.
const (
	leastRead, leastWrite   = 0.55, 0.68
	marginRead, marginWrite = 0.02, 0.07
	leastTold               = 0.4 // to be offered
	mostForeign, mostLoose  = 0.3, 1.0
	leastCover              = 0.75 // share of a phrase, for a write
)

// understand reads one sentence as commands, or returns the reply to it.
func (t *talk) understand(said string) ([]*command, string) {
	s := read(t.lang, said, t.today, t.focus)
	if saying := t.smallTalk(s); saying != "" {
		return nil, saying
	}
	if a, b := t.halves(s); a != nil {
		return []*command{a, b}, ""
	}
	list, clause := t.guesses(s), t.clause(s)
	guarded := len(list) > 0 && list[0].action.tool.SideEffect != bus.Pure && list[0].guarded()
	unclear := len(list) == 0 || list[0].score < leastTold
	if clause != nil && (guarded || unclear) && !s.howto {
		return []*command{{guesses: clause, aside: true}}, ""
	}
	if unclear {
		return nil, t.unclear(s, list)
	}
	if s.howto && (list[0].action.tool.SideEffect != bus.Pure || list[0].score < leastRead) {
		return nil, t.explain(list[0])
	}
	if guarded {
		return nil, t.lang.say("guarded")
	}
	return []*command{{guesses: list, clause: clause}}, ""
}

// clause returns the meanings of the only clause of a sentence that is an instruction by itself: "two mugs, they are
// for the office". It returns nil if there is none, if another clause has a value, or if the sentence has a quotation
// or a correction.
func (t *talk) clause(s *sentence) (only []*guess) {
	for _, part := range s.clauses() {
		first, last := s.list[part[0]], s.list[part[1]-1]
		if part[1]-part[0] == len(s.list) || first.start >= last.end || s.quotes() {
			return nil
		}
		one := read(t.lang, s.said[first.start:last.end], t.today, t.focus)
		list := t.guesses(one)
		switch {
		case len(list) > 0 && (&command{guesses: list}).plain():
			if only != nil {
				return nil
			}
			only = list
		case slices.ContainsFunc(one.found, func(f found) bool { return f.kind != anArticle }):
			return nil
		}
	}
	return only
}

// quotes reports whether the sentence has a quotation.
func (s *sentence) quotes() bool {
	return slices.ContainsFunc(s.list, func(t token) bool { return t.quoted })
}

// clauses returns the ranges of words between commas.
func (s *sentence) clauses() (list [][2]int) {
	from := 0
	for i := 1; i < len(s.list); i++ {
		if s.list[i].comma && !s.list[i].quoted {
			list = append(list, [2]int{from, i})
			from = i
		}
	}
	return append(list, [2]int{from, len(s.list)})
}

// guesses returns the possible meanings of a sentence. Callers share the result and must not change it.
func (t *talk) guesses(s *sentence) []*guess {
	key := fmt.Sprint(t.lang.name, s.today.Unix(), s.focus, s.said)
	t.known.mu.Lock()
	list, heard := t.known.heard[key]
	t.known.mu.Unlock()
	if heard {
		return list
	}
	list = t.x.guesses(s)
	t.known.mu.Lock()
	defer t.known.mu.Unlock()
	if len(t.known.heard) >= maxHeard {
		clear(t.known.heard)
	}
	t.known.heard[key] = list
	return list
}

// halves splits a sentence into two commands at a conjunction.
func (t *talk) halves(s *sentence) (a, b *command) {
	for i := 1; i < len(s.list)-1; i++ {
		n, _ := t.lang.at("conjunctions", s.list, i)
		if n == 0 && !s.list[i].comma || s.list[i].quoted {
			continue
		}
		whole := t.guesses(s)
		left := t.guesses(read(t.lang, s.said[:s.list[i-1].end], t.today, t.focus))
		right := t.guesses(read(t.lang, s.said[s.list[i+n].start:], t.today, t.focus))
		if len(whole) > 0 && len(left) > 0 && len(right) > 0 && right[0].begins() && whole[0].parts(left[0], right[0]) {
			return &command{guesses: left}, &command{guesses: right}
		}
	}
	return nil, nil
}

// parts reports whether two commands are a likelier reading of a sentence than one.
func (g *guess) parts(left, right *guess) bool {
	same := left.action == right.action && g.action == left.action
	return !same && min(left.score, right.score) > max(g.score, 0.75) &&
		left.foreign+right.foreign == 0 && !left.guarded() && !right.guarded() && !g.holds(left) && !g.holds(right)
}

// begins reports whether a sentence begins with a word from the action's phrases.
func (g *guess) begins() bool {
	first := g.s.first()
	return first < len(g.s.list) && !g.inSpan(first) && g.action.vocab[g.s.list[first].stem]
}

// holds reports whether a guess has the action of a part and more values.
func (g *guess) holds(part *guess) bool {
	return g.action == part.action && len(g.spans) > len(part.spans)
}

// advance continues a plan as far as the messages before end allow.
func (t *talk) advance(p *plan, end int) move {
	var reports []string
	from, taken := p.since, map[string]bool{}
	for n := 0; n < len(p.commands); n++ {
		c := p.commands[n]
		if c.settled == nil {
			m, done := t.decide(c, from, end)
			if done {
				if len(m.calls) == 0 {
					m.text = joinParts("\n\n", append(reports, m.text)...)
				}
				if m.asked != nil {
					m.asked.command = n
				}
				return t.numbered(m, end)
			}
			p.commands = slices.Replace(p.commands, n, n+1, t.several(c.settled)...)
			c = p.commands[n]
		}
		r := t.resolve(c.settled, from, end)
		if len(r.need) == 0 {
			r.ask(t.doubt(c.settled))
		}
		switch {
		case len(r.need) > 0:
			return t.numbered(move{calls: unique(r.need)}, end)
		case r.asked != nil:
			r.asked.command = n
			text, q := t.asks(c.settled, r, r.asked)
			return move{text: joinParts("\n\n", append(reports, text)...), asked: q}
		}
		want := t.call(c.settled, r)
		call, at := t.made(want, from, end, taken)
		if at < 0 || n == len(p.commands)-1 && t.callsAfter(at, end) {
			return t.numbered(move{text: strings.Join(r.notes, " "), calls: []model.Call{want}}, end)
		}
		taken[call.ID] = true
		res := t.result(call.ID, at, end)
		reports = append(reports, t.commandReport(c, r, want, res))
		if q := c.refusal(res); q != nil {
			q.command = n
			return move{text: joinParts("\n\n", reports...), asked: q}
		}
		if !res.ok() {
			return move{text: joinParts("\n\n", append(reports, t.notDone(p, n+1))...)}
		}
		from = at
	}
	return move{text: joinParts("\n\n", append(reports, p.saying)...)}
}

// commandReport returns the report of a command: of its action, or of a form that was opened instead.
func (t *talk) commandReport(c *command, r *resolution, want model.Call, res outcome) string {
	if tool := c.settled.action.tool; !res.ok() || want.Tool == tool.Name {
		return t.report(c.settled, r, res)
	}
	return t.lang.say("form open", c.settled.action.title)
}

// refusal returns a question with the choices of a refusal, if the action takes the field.
func (c *command) refusal(res outcome) *question {
	for _, choice := range res.Choices {
		if schema.Named(c.settled.action.fields, choice.Field).Kind != "" {
			return &question{field: choice.Field, options: choice.Options, refused: true}
		}
	}
	return nil
}

func (t *talk) notDone(p *plan, from int) string {
	var titles []string
	for _, c := range p.commands[from:] {
		g := c.settled
		if g == nil {
			g = c.guesses[0]
		}
		titles = append(titles, g.action.title)
	}
	if len(titles) == 0 {
		return ""
	}
	return t.lang.say("not done", strings.Join(titles, ", "))
}

// several splits a command that lists several records into one command for each.
func (t *talk) several(g *guess) []*command {
	for _, sl := range g.action.slots {
		sp, said := g.spans[sl.name]
		if !said || sl.form != aRecord || g.chosen[sl.name] != nil {
			continue
		}
		all := t.pieces(g, g.s.list[sp.i:sp.j])
		if len(all) < 2 {
			continue
		}
		var list []*command
		at := sp.i
		for n, piece := range all {
			one := g.clone()
			one.of = g
			for g.s.list[at].start < piece[0].start {
				at++
			}
			from, to := at, at+len(piece)
			if count := g.action.count(); count != nil && n > 0 {
				delete(one.spans, count.name)
				if n, value := g.s.quantity(from); n > 0 {
					one.spans[count.name] = span{from, from + n, json.Number(value), true}
					from += n
				}
			}
			one.spans[sl.name] = span{from, to, nil, true}
			list = append(list, &command{settled: one})
		}
		return list
	}
	return []*command{{settled: g}}
}

// count returns the slot for a quantity, nil for none.
func (a *action) count() *slot {
	for _, sl := range a.slots {
		if sl.form == aCount {
			return sl
		}
	}
	return nil
}

// pieces splits a span into the records that it lists, each with a quantity if the action takes one. Words without a
// count behind the last comma belong to the record before them: "two bags, black ones".
func (t *talk) pieces(g *guess, list []token) [][]token {
	all := pieces(t.lang, list)
	if g.action.count() == nil {
		return all
	}
	part := &sentence{lang: t.lang, said: g.s.said, list: list}
	at := 0
	for k, piece := range all[1:] {
		before := at
		at = slices.IndexFunc(list, func(tok token) bool { return tok.start == piece[0].start })
		n, _ := part.quantity(at)
		_, indefinite := t.lang.at("one", list, at)
		numeral, _ := part.numeral(at)
		counted := numeral > 0 || indefinite != ""
		switch {
		case !counted && !g.apart, n >= len(piece), t.sized(piece):
			return [][]token{list}
		case !counted && k == len(all)-2 && piece[0].comma:
			return append(all[:k:k], list[before:])
		}
	}
	return all
}

// sized reports whether words name only a size.
func (t *talk) sized(piece []token) bool {
	plain := (&sentence{lang: t.lang, list: kept(piece, func(_ int, tok token) bool { return !tok.noise && !tok.common })})
	for i := range plain.list {
		plain.number(i)
	}
	f, is := plain.findsAt(aSize, 0)
	return is && f.j == len(plain.list)
}

func (g *guess) clone() *guess {
	one := *g
	one.spans, one.chosen, one.called = maps.Clone(g.spans), maps.Clone(g.chosen), maps.Clone(g.called)
	return &one
}
