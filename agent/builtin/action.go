package builtin

import (
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// action is a tool with its phrases and the values that it takes.
type action struct {
	tool   model.Tool
	title  string // in the language
	fields []schema.Field
	slots  []*slot
	docs   []doc
	vocab  map[string]bool // the stems of all docs
	forms  map[string]bool // the words of all docs
}

// form determines the way to read the words for a slot.
type form int

const (
	aText  form = iota // free text, kept unchanged
	aName              // of a new record
	aCode              // one word with digits
	aQuery             // words to search for
	aRecord
	aCount
	aMoney
	aPeriod
	aChoice // of a closed set
	aMail
	aCall // a phone number
	aPostal
	aList // of records
)

// slot is a value that an action takes.
type slot struct {
	name        string
	form        form
	field       schema.Field
	entry       []schema.Field             // of a list
	left, right map[string]bool            // stems next to it in phrases
	around      map[string]map[string]bool // for each stem before it, the stems after it
	values      []saying
	found       bool // a list can find its record by words, so it may be an open one
}

// saying is a run of stems that means a value of a closed set.
type saying struct {
	stems []string
	past  bool // "cancelled" is a state, "cancel" is an action
	value any
}

// doc is a phrase: its stems, and its slots.
type doc struct {
	stems  []string
	slots  []string
	parts  []string // its words except noise, and its slots in braces, in order
	phrase string
	own    bool              // a phrase, not a title
	minus  bool              // its number has the opposite sign of the spoken one
	fixed  map[string]string // values that it implies, by field
}

// index holds the phrases of all tools in one language.
type index struct {
	lang    *language
	actions []*action
	weight  map[string]float64 // of the stems of all actions
	values  map[string]bool    // stems of the words for values of closed sets
}

// periodSlot is the single slot for all fields that together describe a period.
const periodSlot = "days"

var periodFields = []string{"from", "to", "period", "since"}

// texts holds an application's phrases and titles in one language, by capability, in addition to those of its tools.
type texts struct {
	title   map[string]string
	phrases map[string][]string
	said    map[string]string   // "capability.field": words for values of closed sets
	label   map[string]string   // of fields, by the English label in small letters
	answers map[string][]string // sentences for results, by capability
}

// newIndex learns the tools. It takes over the actions of the index before, whose tools are mostly the same.
func newIndex(l *language, tools []model.Tool, more texts, before *index) *index {
	x := &index{lang: l, weight: map[string]float64{}, values: map[string]bool{}}
	for _, t := range tools {
		a := before.action(t, tools)
		if a == nil {
			a = newAction(l, t, more, tools)
		}
		if a == nil {
			continue
		}
		for _, s := range a.slots {
			for _, v := range s.values {
				for _, stem := range v.stems {
					x.values[stem] = true
				}
			}
		}
		x.actions = append(x.actions, a)
	}
	x.weigh()
	return x
}

// action returns the action of a tool if it would be the same among these tools; nil otherwise.
func (x *index) action(t model.Tool, tools []model.Tool) *action {
	if x == nil {
		return nil
	}
	at := slices.IndexFunc(x.actions, func(a *action) bool { return a.tool.Name == t.Name })
	if at < 0 || !reflect.DeepEqual(x.actions[at].tool, t) {
		return nil
	}
	if slices.ContainsFunc(x.actions[at].slots, func(s *slot) bool { return s.found != canFind(tools, t, s) }) {
		return nil
	}
	return x.actions[at]
}

// canFind reports whether a list among the tools finds the record of a slot by words.
func canFind(tools []model.Tool, t model.Tool, s *slot) bool {
	src, known := sourceOf(tools, t, s.field.Entity)
	return known && src.query != ""
}

// newAction returns nil for a tool that has neither a title nor phrases in the language.
func newAction(l *language, t model.Tool, more texts, tools []model.Tool) *action {
	if t.Name == suggestTool {
		return nil
	}
	a := &action{tool: t, title: t.Title, fields: schema.Fields(t.Input), vocab: map[string]bool{},
		forms: map[string]bool{}}
	phrases := more.phrases[t.Capability]
	if l.name == "en" {
		phrases = append(slices.Clone(t.Phrases), phrases...)
	} else if own := more.title[t.Capability]; own != "" {
		a.title = own
	} else {
		return nil
	}
	a.addSlots(l, phrases, more)
	for _, s := range a.slots {
		s.found = canFind(tools, t, s)
	}
	for _, p := range phrases {
		for _, spelled := range spellings(p) {
			a.addDoc(l, spelled, true)
		}
	}
	a.addDoc(l, a.title, false)
	return a
}

// weigh gives each stem its BM25 weight: the fewer actions have it, the more it counts.
func (x *index) weigh() {
	in := map[string]float64{}
	for _, a := range x.actions {
		for s := range a.vocab {
			in[s]++
		}
	}
	all := float64(len(x.actions))
	for s, n := range in {
		x.weight[s] = math.Log(1+(all-n+0.5)/(n+0.5)) / math.Log(1+(all+0.5)/1.5)
	}
}

// weightOf returns the weight of a stem, 1 for a stem that no action has.
func (x *index) weightOf(stem string) float64 {
	if w, known := x.weight[stem]; known {
		return w
	}
	return 1
}

// slotsIn matches the slots in a phrase. A slot with a minus takes the negated number. A slot with a value matches no
// words: the phrase implies the value.
var slotsIn = text.Late(`\{(-?)([A-Za-z0-9_]+)(?:=([A-Za-z0-9_]+))?\}`)

func (a *action) addSlots(l *language, phrases []string, more texts) {
	said := map[string]bool{}
	for _, p := range phrases {
		for _, m := range slotsIn().FindAllStringSubmatch(p, -1) {
			said[m[2]] = said[m[2]] || m[3] == ""
		}
	}
	for _, f := range a.fields {
		if own, is := more.said[a.tool.Capability+"."+f.Name]; is {
			f.Said = own
		}
		s := newSlot(l, f, a.tool)
		if s == nil || s.form == aList && s.entry == nil || a.slot(s.name) != nil ||
			!said[f.Name] && !f.Required && s.form != aPeriod && s.form != aMail && s.form != aCall {
			continue // neither a phrase nor its form identifies its words
		}
		a.slots = append(a.slots, s)
	}
}

func newSlot(l *language, f schema.Field, t model.Tool) *slot {
	s := &slot{name: f.Name, field: f, left: map[string]bool{}, right: map[string]bool{},
		around: map[string]map[string]bool{}}
	switch {
	case f.Format == "date", len(f.Enum) > 0 && slices.Contains(periodFields, f.Name):
		s.name, s.form = periodSlot, aPeriod
	case f.Kind == "array":
		s.form, s.entry = aList, entryFields(f)
	case f.Entity != "":
		s.form, s.values = aRecord, sayings(l, f)
	case f.Money:
		s.form = aMoney
	case f.Postal:
		s.form = aPostal
	case f.Kind == "object":
		return nil
	case len(f.Enum) > 0, f.Kind == "boolean":
		s.form, s.values = aChoice, sayings(l, f)
	case f.Kind == "integer", f.Kind == "number":
		s.form = aCount
	default:
		s.form = textForm(f, t)
	}
	return s
}

// entryFields returns the fields of a list's entries if they name records; nil otherwise.
func entryFields(f schema.Field) []schema.Field {
	if f.Entity != "" {
		return []schema.Field{{Name: "", Entity: f.Entity}}
	}
	entry := schema.Fields(f.Items)
	if !slices.ContainsFunc(entry, func(e schema.Field) bool { return e.Entity != "" }) {
		return nil
	}
	return entry
}

// textForm returns the form of a text field, by its name and the side effect of its tool.
func textForm(f schema.Field, t model.Tool) form {
	switch {
	case f.Format == "email" || f.Name == "email":
		return aMail
	case f.Name == "phone":
		return aCall
	case t.SideEffect == bus.Pure:
		return aQuery
	case f.Name == "name" || f.Name == "title" || f.Name == "label":
		return aName
	case strings.HasSuffix(f.Name, "Id") || f.MaxLength > 0 && f.MaxLength < 10:
		return aCode
	}
	return aText
}

// sayings returns the words for the values of a closed set: the values themselves and the words in the texts.
func sayings(l *language, f schema.Field) []saying {
	var list []saying
	add := func(words string, value any) {
		one := saying{value: value}
		for _, t := range l.tokens(words) {
			one.stems, one.past = append(one.stems, t.stem), l.ends("past", t.word)
		}
		list = append(list, one)
	}
	for _, v := range f.Enum {
		add(text.SplitName(v), v)
	}
	for pair := range strings.SplitSeq(f.Said, "|") {
		said, value, is := strings.Cut(pair, ":")
		switch {
		case is && f.Kind == "boolean":
			add(said, value == "true")
		case is:
			add(said, value)
		}
	}
	return list
}

func (a *action) slot(name string) *slot {
	for _, s := range a.slots {
		if s.name == name {
			return s
		}
	}
	return nil
}

// slotOf returns the slot that supplies a field of the schema.
func (a *action) slotOf(field string) *slot {
	for _, s := range a.slots {
		if s.name == field || s.form == aPeriod && slices.Contains(periodFields, field) {
			return s
		}
	}
	return nil
}

// spellings expands the alternatives of a phrase: "(show|list) rooms" becomes "show rooms" and "list rooms".
func spellings(phrase string) []string {
	from := strings.IndexByte(phrase, '(')
	if from < 0 {
		return []string{phrase}
	}
	to := strings.IndexByte(phrase[from:], ')')
	if to < 0 {
		return []string{phrase}
	}
	var list []string
	for choice := range strings.SplitSeq(phrase[from+1:from+to], "|") {
		list = append(list, spellings(phrase[:from]+choice+phrase[from+to+1:])...)
	}
	return list
}

// learner learns a phrase from left to right: its words, its slots, and the neighbours of the slots.
type learner struct {
	a      *action
	l      *language
	d      doc
	cue    string // of the next slot: the last word, "^" at the beginning, "{}" after another slot
	before string // the cue of a count just before, which a sentence may omit
	last   string // the last word, noise included; "" after a slot
	open   *slot  // the slot whose right neighbour is still unknown
	led    string // the stem before that slot
}

func (a *action) addDoc(l *language, phrase string, own bool) {
	p := learner{a: a, l: l, d: doc{phrase: phrase, own: own}, cue: "^"}
	from := 0
	for _, m := range slotsIn().FindAllStringSubmatchIndex(phrase, -1) {
		p.words(phrase[from:m[0]])
		from = m[1]
		p.d.minus = p.d.minus || m[2] < m[3]
		name := phrase[m[4]:m[5]]
		if m[6] >= 0 {
			p.d.fixed = map[string]string{name: phrase[m[6]:m[7]]}
		} else if s := a.slotOf(name); s != nil {
			p.slot(s)
		}
	}
	p.words(phrase[from:])
	p.follows("$")
	a.docs = append(a.docs, p.d)
}

func (p *learner) words(part string) {
	for _, t := range p.l.tokens(part) {
		p.d.stems = append(p.d.stems, t.stem)
		p.a.vocab[t.stem], p.a.forms[p.l.same(t.word)] = true, true
		p.last = t.stem
		if t.noise {
			continue
		}
		p.cue, p.d.parts = t.stem, append(p.d.parts, t.stem)
		p.follows(t.stem)
	}
}

// follows stores the neighbour after the open slot.
func (p *learner) follows(stem string) {
	if p.open == nil {
		return
	}
	if p.open.around[p.led] == nil {
		p.open.around[p.led] = map[string]bool{}
	}
	p.open.right[stem], p.open.around[p.led][stem], p.open = true, true, nil
}

func (p *learner) slot(s *slot) {
	s.left[p.cue] = true
	if s.form == aText && p.last != "" {
		s.left[p.last] = true
	}
	if p.cue == "{}" && p.before != "" {
		s.left[p.before] = true
	}
	p.follows("{}")
	if n := len(p.d.stems); n > 0 && s.form == aPeriod && p.l.introducesDays(p.last) {
		p.d.stems = p.d.stems[:n-1] // it belongs to the days
	}
	p.d.parts = append(p.d.parts, "{"+s.name)
	if !slices.Contains(p.d.slots, s.name) {
		p.d.slots = append(p.d.slots, s.name)
	}
	p.before = ""
	if s.form == aCount {
		p.before = p.cue
	}
	p.open, p.led, p.cue, p.last = s, p.cue, "{}", ""
}
