package builtin

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// resolution holds the values found so far for an action.
type resolution struct {
	from, end int // the range of messages that may contain its look-ups
	args      map[string]any
	names     map[string]string // of the records in args, by field
	need      []model.Call      // look-ups to make first
	waits     bool              // a value that it needs is still unknown
	asked     *question
	notes     []string
	doubt     float64 // deduction from the score, for failed look-ups
	absent    bool    // neither a word of its phrase nor one of its records was found
}

// resolve turns the words for an action's values into arguments, field by field.
func (t *talk) resolve(g *guess, from, end int) *resolution {
	r := &resolution{from: from, end: end, args: map[string]any{}, names: map[string]string{}}
	fields := slices.Clone(g.action.fields)
	for range 3 { // a field may need the value of a later one
		var later []schema.Field
		for _, f := range fields {
			r.waits = false
			t.settle(g, f, r)
			t.refusePart(g, f, r)
			if r.waits {
				later = append(later, f)
			}
		}
		if fields = later; len(later) == 0 {
			break
		}
	}
	t.searchStems(g, r)
	if r.asked == nil && len(r.need) == 0 {
		for _, f := range fields { // the required ones without a value
			if f.Required {
				r.ask(&question{field: f.Name, text: t.lang.say("which", t.label(f))})
			}
		}
	}
	return r
}

// ask keeps the first question; it ignores nil.
func (r *resolution) ask(q *question) {
	if r.asked == nil && q != nil {
		r.asked = q
	}
}

// label returns the name of a field in the language.
func (t *talk) label(f schema.Field) string {
	name := strings.ToLower(f.Label())
	return cmp.Or(t.b.texts[t.lang.name].label[name], name)
}

// settle determines the value of one field.
func (t *talk) settle(g *guess, f schema.Field, r *resolution) {
	if _, done := r.args[f.Name]; done {
		return
	}
	sl := g.action.slotOf(f.Name)
	if v, chosen := g.chosen[f.Name]; chosen {
		t.take(f, g.signed(sl, v), r)
		return
	}
	if v := t.repeated(g, f, r); v != nil {
		r.args[f.Name] = v
		return
	}
	if sl == nil {
		return
	}
	sp, said := g.spans[sl.name]
	switch {
	case sl.form == aRecord:
		t.settleRecord(g, f, sp, said, r)
	case sl.form == aList:
		t.entries(g, sl, sp, said, r)
	case said:
		t.settleSaid(g, f, sl, sp, r)
	case f.Name == "requestId" && f.Required && t.focus["request"] != "":
		r.args[f.Name] = t.focus["request"]
	case sl.form == aCount && g.impliesOne(f):
		r.args[f.Name] = json.Number("1")
	case f.Required && f.Default == nil:
		t.implied(g, f, sl, r)
	}
}

// implied determines a value by a word in the value of another field that means it as well: the reason "broken" may
// also mean that a thing is thrown away. Without such a word it asks.
func (t *talk) implied(g *guess, f schema.Field, sl *slot, r *resolution) {
	for _, other := range g.action.slots {
		sp := g.spans[other.name] // empty for none
		for i := sp.i; i < sp.j && other.form == aChoice; i++ {
			if v, to := g.s.valueAt(sl, i); to > i {
				r.args[f.Name] = v
				return
			}
		}
	}
	r.ask(t.missing(f, sl))
}

// repeated returns the value of a field that the phrase implies, or that of the last call of the action if the sentence
// asks for the same again without naming a record that the action requires: "another one", "the same for Sato".
func (t *talk) repeated(g *guess, f schema.Field, r *resolution) any {
	if v := g.doc.fixed[f.Name]; v != "" {
		return v
	}
	again := func(sp span) bool { return g.s.lang.is("again", g.s.list[sp.i:sp.j]) }
	required := 0
	for _, sl := range g.action.slots {
		sp, said := g.spans[sl.name]
		if said && !again(sp) && (sl.name == f.Name || sl.form == aRecord && sl.field.Required) {
			return nil
		}
		if sl.form == aRecord && sl.field.Required {
			required++
		}
	}
	if required == 0 || !g.s.any("again") {
		return nil
	}
	return t.latest(g.action.tool, r.from)[f.Name]
}

// latest returns the arguments of the latest call of a tool before a message, nil for none.
func (t *talk) latest(tool model.Tool, before int) (args map[string]any) {
	for _, m := range slices.Backward(t.messages[:before]) {
		for _, c := range m.Calls {
			if c.Tool == tool.Name {
				_ = json.Unmarshal(c.Arguments, &args) // an object
				return args
			}
		}
	}
	return nil
}

// searchStems replaces the words of a search that found nothing by their stems: records may be named by other forms.
func (t *talk) searchStems(g *guess, r *resolution) {
	for _, sl := range g.action.slots {
		said, is := r.args[sl.name].(string)
		stems := t.lang.stems(said)
		if !is || sl.form != aQuery || stems == said {
			continue
		}
		made, at := t.made(t.call(g, r), r.from, r.end, nil)
		if at >= 0 && t.foundNone(g.action.tool, t.result(made.ID, at, r.end)) {
			r.args[sl.name] = stems
		}
	}
}

// foundNone reports whether a list of records has none.
func (t *talk) foundNone(tool model.Tool, res outcome) (none bool) {
	for _, of := range t.tools {
		for _, from := range of.Sources {
			if capability, pointer, _ := strings.Cut(from, "#"); capability == tool.Capability {
				if none = len(t.records(pointer, res.Data)) == 0; !none {
					return false
				}
			}
		}
	}
	return none
}

// impliesOne reports whether a missing count is 1: of a size, of one of several records, or where the phrase has no
// count.
func (g *guess) impliesOne(f schema.Field) bool {
	return g.sized() || f.Required && (g.of != nil || len(g.doc.slots) > 0 && !slices.Contains(g.doc.slots, f.Name))
}

// signed returns a value with the sign that the phrase implies: "take one off" is negative.
func (g *guess) signed(sl *slot, v any) any {
	if g.doc.minus && sl != nil && (sl.form == aCount || sl.form == aMoney) {
		return opposite(v)
	}
	return v
}

// settleSaid determines the value of a field for which the sentence has words.
func (t *talk) settleSaid(g *guess, f schema.Field, sl *slot, sp span, r *resolution) {
	switch {
	case sl.form == aPeriod:
		r.period(g.action.fields, sp.value.(days))
	case sl.form == aPostal:
		r.args[f.Name], _ = postalAddress(words(g.s.said, g.s.list[sp.i:sp.j])) // spansAt admits only such words
	case sl.form == aMoney:
		t.money(g, f, sp.value, r)
	case sp.value != nil && g.doc.minus && sl.form == aCount:
		r.args[f.Name] = opposite(sp.value)
	case sp.value != nil:
		r.args[f.Name] = sp.value
	default:
		t.freeText(g, f, sl, sp, r)
	}
}

// opposite negates a number or an amount of money.
func opposite(value any) any {
	if money, is := value.(map[string]any); is {
		return map[string]any{"amount": opposite(money["amount"]), "currency": money["currency"]}
	}
	return json.Number("-" + fmt.Sprint(value))
}

// money determines an amount. Without a currency it uses that of the amounts in results.
func (t *talk) money(g *guess, f schema.Field, value any, r *resolution) {
	if written, is := value.(bareAmount); is {
		code, known := t.currency(g, f, r)
		if !known {
			return
		}
		money, is := t.lang.money(string(written), code)
		if !is {
			return
		}
		value = money
	}
	if g.doc.minus {
		value = opposite(value)
	}
	r.args[f.Name] = value
}

var currencyForm = text.Late(`"currency":"([A-Z]{3})"`)

// currency returns the currency of the amounts in results. If there are none yet, it reads a list for the ids of the
// action, another list of its domain, or any list.
func (t *talk) currency(g *guess, f schema.Field, r *resolution) (code string, known bool) {
	for _, m := range slices.Backward(t.messages[:r.end]) {
		if found := currencyForm().FindStringSubmatch(m.Text); m.Role == model.RoleTool && found != nil {
			return found[1], true
		}
	}
	lists := slices.Sorted(maps.Values(g.action.tool.Sources))
	for _, tool := range t.tools {
		if domain, _, _ := strings.Cut(g.action.tool.Capability, "."); strings.HasPrefix(tool.Capability, domain+".") {
			lists = append(lists, tool.Capability)
		}
	}
	for _, tool := range t.tools {
		lists = append(lists, slices.Sorted(maps.Values(tool.Sources))...)
	}
	for _, list := range lists {
		capability, _, _ := strings.Cut(list, "#")
		tool, is := t.tool(capability)
		required := slices.ContainsFunc(schema.Fields(tool.Input), func(f schema.Field) bool { return f.Required })
		if !is || tool.SideEffect != bus.Pure || required {
			continue
		}
		call := model.Call{Tool: tool.Name, Arguments: json.RawMessage("{}")}
		if _, at := t.made(call, r.from, r.end, nil); at < 0 {
			r.need = append(r.need, call)
			return "", false
		}
	}
	r.ask(&question{field: f.Name, text: t.lang.say("what is", t.label(f))})
	return "", false
}

// take stores the answer to a question: a value, or the id of a record with that of its part.
func (t *talk) take(f schema.Field, v any, r *resolution) {
	if both, is := v.(map[string]any); is && f.Entity != "" {
		maps.Copy(r.args, both)
		return
	}
	r.args[f.Name] = v
}

// refusePart asks again after a decimal number for an integer field.
func (t *talk) refusePart(g *guess, f schema.Field, r *resolution) {
	n, _ := r.args[f.Name].(json.Number)
	_, part, _ := strings.Cut(n.String(), ".")
	if sl := g.action.slotOf(f.Name); sl != nil && f.Kind == "integer" && strings.Trim(part, "0") != "" {
		delete(r.args, f.Name)
		q := t.missing(f, sl)
		q.text = t.lang.say("whole number") + " " + q.text
		r.ask(q)
	}
}

// missing returns the question for a missing value.
func (t *talk) missing(f schema.Field, sl *slot) *question {
	q := &question{field: f.Name, text: t.lang.say("what is", t.label(f))}
	switch sl.form {
	case aChoice:
		q.text = t.lang.say("which", t.label(f))
		for _, v := range f.Enum {
			q.options = append(q.options, bus.Option{Value: v, Title: v})
		}
		if f.Kind == "boolean" {
			q.text = t.lang.say("yes no", t.label(f))
			q.options = []bus.Option{{Value: true, Title: t.lang.say("yes")}, {Value: false, Title: t.lang.say("no")}}
		}
	case aCount:
		q.text = t.lang.say("how many")
		for n := 1; n <= 3; n++ {
			q.options = append(q.options, bus.Option{Value: n, Title: fmt.Sprint(n)})
		}
	}
	return q
}

// freeText stores text unchanged. A long text that begins like a sentence keeps its full stop.
func (t *talk) freeText(g *guess, f schema.Field, sl *slot, sp span, r *resolution) {
	said := g.s.verbatim(sp.i, sp.j)
	first, _ := utf8.DecodeRuneInString(said)
	if rest := g.s.said[g.s.list[sp.j-1].end:]; f.MaxLength >= 500 && rest == "." && unicode.IsUpper(first) {
		said += rest
	}
	if f.Name == "requestId" && t.lang.has("pronouns", g.s.list[sp.i].word) {
		said = t.focus["request"]
	}
	if said == "" {
		r.ask(t.missing(f, sl))
		return
	}
	r.args[f.Name] = text.WithoutIDs(said)
}

// period stores days in the fields that the action has for them.
func (r *resolution) period(fields []schema.Field, d days) {
	whole, since := schema.Named(fields, "period"), schema.Named(fields, "since")
	switch {
	case !d.since && d.name != "" && slices.Contains(whole.Enum, d.name):
		r.args["period"] = d.name
	case d.since && d.name != "" && slices.Contains(since.Enum, d.name):
		r.args["since"] = d.name
	default:
		r.args["from"] = d.from.Format("2006-01-02")
		if !d.to.IsZero() {
			r.args["to"] = d.to.Format("2006-01-02")
		}
	}
}

// kept filters a list of words, but returns the whole list rather than none.
func kept(list []token, keep func(i int, tok token) bool) (left []token) {
	for i, tok := range list {
		if tok.quoted || keep(i, tok) {
			left = append(left, tok)
		}
	}
	if len(left) == 0 {
		return list
	}
	return left
}

// optionWords returns the places of the words for a size or a colour: "a jacket in medium", "a bag, the blue one".
func (l *language) optionWords(list []token) map[int]bool {
	places, behind := map[int]bool{}, false
	for i := 1; i < len(list); i++ {
		behind = behind || list[i].comma
		places[list[i].start] = behind || l.has("options", list[i-1].word)
	}
	return places
}

// saidWords returns the words of a span that can name a record, without articles, containers and the kind of record,
// and the words among them for a search, without sizes.
func (t *talk) saidWords(f schema.Field, list []token) (said []string, query string) {
	kinds := slices.Concat(strings.Fields(text.SplitName(f.Entity)), text.Words(f.Label()), text.Words(t.label(f)))
	option := t.lang.optionWords(list)
	list = kept(list, func(i int, tok token) bool {
		return i+1 < len(list) && t.lang.has("units", list[i+1].word) ||
			!(tok.noise && tok.text == tok.word) && tok.word != "'s" &&
				!slices.ContainsFunc(kinds, func(k string) bool { return t.lang.stem(k) == tok.stem }) &&
				!(t.lang.has("containers", tok.word) && i < len(list)-1)
	})
	list = kept(list, func(_ int, tok token) bool {
		return tok.text != tok.word || !tok.common && !t.lang.has("pronouns", tok.word)
	})
	names := kept(list, func(_ int, tok token) bool {
		return !option[tok.start] && !strings.ContainsAny(tok.word[:1], "0123456789.") && !t.lang.has("units", tok.word) &&
			!t.lang.has("numbers", tok.word) && !t.lang.has("size words", tok.word)
	})
	return t.plain(spoken(list)), spoken(names)
}

// spoken joins the words of tokens as typed.
func spoken(list []token) string {
	parts := make([]string, len(list))
	for i, tok := range list {
		parts[i] = tok.text
	}
	return strings.Join(parts, " ")
}

// name returns the words that name a record: those of a span, or the value that they mean.
func (t *talk) name(g *guess, f schema.Field, sp span) []token {
	for _, v := range g.action.slotOf(f.Name).values {
		if g.s.matches(v.stems, sp.i) == sp.j {
			return t.lang.tokens(fmt.Sprint(v.value))
		}
	}
	return t.pieces(g, g.s.list[sp.i:sp.j])[0]
}

// settleRecord determines the id of a record.
func (t *talk) settleRecord(g *guess, f schema.Field, sp span, said bool, r *resolution) {
	if !said {
		t.unsaid(g, f, r)
		return
	}
	list := t.name(g, f, sp)
	if m := list[0].mention; m != nil && len(list) == 1 {
		r.args[f.Name] = m.ID
		return
	}
	src, known := t.source(g.action.tool, f.Entity)
	if !known {
		r.doubt += 0.3
		return
	}
	if id, is := t.pointed(f, list); is {
		r.args[f.Name] = id
		return
	}
	if sp.value != nil && t.ofKind(g, f, sp, src, r) {
		return
	}
	if len(list) < 3 && t.lang.has("pronouns", list[0].word) && t.focus[f.Entity] == "" {
		t.opened(f, src, r)
		return
	}
	t.searched(g, f, list, src, r)
}

// ofKind determines the id of a record by a word for its kind, such as card: a record of that kind, otherwise the
// record with the id that the word means. It returns false if there is neither.
func (t *talk) ofKind(g *guess, f schema.Field, sp span, src source, r *resolution) bool {
	items, ready := t.list(src, "", r, nil)
	if !ready {
		return true
	}
	same := func(of func(rec record) any) []record {
		return slices.DeleteFunc(slices.Clone(items), func(rec record) bool { return of(rec) != sp.value })
	}
	best := slices.DeleteFunc(same(func(rec record) any { return rec.data["kind"] }), func(rec record) bool {
		return rec.id == sp.value
	})
	if len(best) == 0 {
		best = same(func(rec record) any { return rec.id })
	}
	if len(best) > 0 {
		t.choose(g, f, src, best, fullyNamed, words(g.s.said, g.s.list[sp.i:sp.j]), r)
	}
	return len(best) > 0
}

// searched determines the id of a record by the words that name it.
func (t *talk) searched(g *guess, f schema.Field, list []token, src source, r *resolution) {
	plain, query := t.saidWords(f, list)
	items, named, ready := t.found(g, src, f, list, query, r)
	if !ready {
		return
	}
	said := words(g.s.said, list)
	if named != nil && len(items) > 0 { // the latest of them
		if mine, grade, ready := t.ofOwner(g, f, items, wordsNamed, named, r); ready {
			t.choose(g, f, src, mine[:min(1, len(mine))], grade, said, r)
		}
		return
	}
	best, grade := pick(items, plain)
	if bare := t.lang.bare(query); bare != query && len(best) == 0 {
		if items, ready = t.list(src, bare, r, nil); !ready {
			return
		}
		best, grade = pick(items, plain)
	}
	if len(best) == 0 && g.takeApart(list) {
		t.searched(g, f, t.pieces(g, list)[0], src, r)
		return
	}
	if of := schema.Named(schema.Fields(src.tool.Input), forgiving); len(best) == 0 && of.Kind == "boolean" {
		if items, ready = t.list(src, query, r, map[string]any{forgiving: true}); !ready {
			return
		}
		if best, grade = pick(items, plain); len(best) == 0 {
			best, grade = items[:min(maxNear, len(items))], beginNamed
		}
	}
	if best, grade, ready = t.ofOwner(g, f, best, grade, plain, r); ready {
		t.choose(g, f, src, best, grade, said, r)
	}
}

// takeApart makes a guess read a list of names as several records, each with the count 1. It returns false if there is
// no such list, or if the guess reads it so already.
func (g *guess) takeApart(list []token) bool {
	if g.apart || g.of != nil || g.action.count() == nil || len(pieces(g.s.lang, list)) < 2 {
		return false
	}
	g.apart = true
	return true
}

// forgiving is the field by which a list also finds similar spellings; maxNear limits those that are offered.
const forgiving, maxNear = "forgiving", 3

// ofOwner looks up the owner of records that match only by their owner. If a person has exactly this name, it drops the
// records of others. It lowers the grade, so that a change needs a question, if several people match or the sentence
// does not name the kind of record and may mean the owner.
func (t *talk) ofOwner(g *guess, f schema.Field, best []record, grade int, said []string, r *resolution) (
	mine []record, how int, ready bool) {
	if len(best) == 0 || slices.ContainsFunc(best, func(rec record) bool { return !rec.byOwner(said) }) {
		return best, grade, true
	}
	src, known := t.sourceOfKind(best[0].owner.kind)
	if !known {
		return best, grade, true
	}
	people, ready := t.list(src, strings.Join(said, " "), r, nil)
	if !ready {
		return nil, notNamed, false
	}
	named, how := pick(people, said)
	if how == fullyNamed {
		best = slices.DeleteFunc(slices.Clone(best), func(rec record) bool {
			return !slices.ContainsFunc(named, func(o record) bool { return o.id == rec.owner.id })
		})
	}
	if how != fullyNamed && len(named) > 1 || !g.s.says(f.Entity) {
		grade = min(grade, beginNamed)
	}
	return best, grade, true
}

// says reports whether the sentence contains the word for a kind of record.
func (s *sentence) says(kind string) bool {
	return slices.ContainsFunc(s.list, func(tok token) bool {
		return slices.ContainsFunc(strings.Fields(text.SplitName(kind)), func(k string) bool {
			return s.lang.stem(k) == tok.stem && !tok.quoted
		})
	})
}

// pointed returns the id of the record that a pronoun refers to.
func (t *talk) pointed(f schema.Field, list []token) (string, bool) {
	if t.focus[f.Entity] == "" {
		return "", false
	}
	for i, tok := range list {
		pronoun := t.lang.has("pronouns", tok.word) && !tok.quoted
		if !pronoun && !tok.noise && (i == 0 || t.lang.stem(f.Entity) != tok.stem) {
			return "", false
		}
	}
	return t.focus[f.Entity], t.lang.is("pronouns", list[:1]) || list[0].noise
}

// opened determines the record that is open before the person: the latest open id that the source knows.
func (t *talk) opened(f schema.Field, src source, r *resolution) {
	for _, id := range slices.Backward(t.open) {
		if !strings.ContainsAny(id, "0123456789_") || src.query == "" {
			continue
		}
		list, ready := t.list(src, id, r, nil)
		if !ready {
			return
		}
		for _, rec := range list {
			if rec.id == id {
				r.args[f.Name], r.names[f.Name] = id, rec.name
				return
			}
		}
	}
	r.doubt += 0.2
	r.ask(&question{field: f.Name, text: t.lang.say("which", t.label(f))})
}

// found returns the records that a source lists for words. For the latest of them, last holds the other words.
func (t *talk) found(g *guess, src source, f schema.Field, list []token, query string, r *resolution) (
	items []record, last []string, ready bool) {
	more := map[string]any{}
	var rest []token
	for _, tok := range list {
		if t.lang.has("newest", tok.word) && len(list) > 1 {
			continue
		}
		rest = append(rest, tok)
	}
	if len(rest) < len(list) {
		last, query = t.saidWords(f, rest)
		for _, of := range schema.Fields(src.tool.Input) {
			if of.Entity != "" && t.lang.has("pronouns", rest[0].word) && t.focus[of.Entity] != "" {
				more[of.Name], query = t.focus[of.Entity], ""
			}
		}
		if t.lang.stem(query) == t.lang.stem(f.Entity) {
			query = ""
		}
	}
	items, ready = t.list(src, query, r, more)
	return items, last, ready
}

// choose stores the record if only one matches well, otherwise asks the person to choose.
func (t *talk) choose(g *guess, f schema.Field, src source, best []record, grade int, said string, r *resolution) {
	said = text.Clean(said, 80)
	switch {
	case len(best) == 0:
		r.doubt += 0.4
		r.absent = r.absent || !g.worded()
		q := &question{field: f.Name, text: t.lang.say("none called", t.label(f), said)}
		if src.query == "" {
			all, _ := t.list(src, "", r, nil)
			q.text, q.options = q.text+" "+t.lang.say("of these"), options(f.Name, g.action, all)
		}
		r.ask(q)
	case grade <= beginNamed && g.action.tool.SideEffect != bus.Pure:
		r.doubt += 0.1
		q := &question{field: f.Name, text: t.lang.say("near", t.label(f), said, best[0].name),
			options: options(f.Name, g.action, best[:1])}
		if len(best) > 1 {
			q.text = t.lang.say("which said", t.label(f), said)
			q.options = options(f.Name, g.action, best)
		}
		r.ask(q)
	case len(best) > 1:
		r.ask(&question{field: f.Name, text: t.lang.say("which said", t.label(f), said),
			options: options(f.Name, g.action, best)})
	default:
		r.doubt -= 0.05
		r.names[f.Name] = best[0].name
		t.take(f, best[0].value(f.Name, g.action), r)
	}
}

// unsaid determines the record of a field without words in the sentence: the default of its list, or its only record.
// Otherwise it asks.
func (t *talk) unsaid(g *guess, f schema.Field, r *resolution) {
	if !f.Required && !f.Wanted {
		return
	}
	src, known := t.source(g.action.tool, f.Entity)
	if !known {
		if f.Required {
			r.ask(&question{field: f.Name, text: t.lang.say("which", t.label(f))})
		}
		return
	}
	list, ready := t.list(src, "", r, nil)
	if !ready {
		return
	}
	if src.query == "" {
		for _, rec := range list {
			if isDefault, _ := rec.data["default"].(bool); isDefault || len(list) == 1 {
				r.args[f.Name], r.names[f.Name] = rec.id, rec.name
				r.notes = append(r.notes, t.lang.say("default", f.Label(), rec.name))
				return
			}
		}
	}
	for _, rec := range list {
		if f.Wanted && t.focus[f.Entity] == rec.id {
			r.args[f.Name], r.names[f.Name] = rec.id, rec.name
			return
		}
	}
	if f.Required || len(list) > 1 {
		r.ask(&question{field: f.Name, text: t.lang.say("which", t.label(f)), options: options(f.Name, g.action, list)})
	}
}

// sized reports whether the sentence names a record by one of its sizes: "1 kg of it" means one of these.
func (g *guess) sized() bool {
	for _, sl := range g.action.slots {
		if sp, said := g.spans[sl.name]; said && sl.form == aRecord && g.s.inFound(aSize, sp.i) {
			return true
		}
	}
	return false
}
