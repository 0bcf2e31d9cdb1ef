package builtin

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/model"
)

// element is one part of a pattern: a word, or a slot that takes words.
type element struct {
	word  string
	slot  string
	minus bool // the number for the slot is taken away: "write off {-delta}"
}

// pattern is learned from a capability's example sentences: ways to begin and parts that may follow in any order.
type pattern struct {
	lex      *lexicon.Lexicon
	tool     model.Tool
	fields   []field
	heads    []form
	tails    []form
	whole    []phrase        // as they were written
	learning int             // the phrase that is read
	kinds    map[string]bool // of things that any command can name

	own   []string            // its own words, sorted
	leads map[string][]string // the slots that stand behind a word
	after map[string][]string // the words that stand behind a slot, "" for the end
	words weights             // of all patterns
}

// phrase lists the words and slots of a complete phrase.
type phrase struct {
	words []string // sorted
	slots []string
}

func wholeOf(list []element) phrase {
	var w phrase
	for _, e := range list {
		if e.slot != "" {
			w.slots = append(w.slots, e.slot)
		} else {
			w.words = append(w.words, e.word)
		}
	}
	slices.Sort(w.words)
	return w
}

// wholeBonus lets a phrase that was said to its end win against parts of another.
const wholeBonus = 3

// complete says that a reading has all of a phrase, and nothing else.
func (r reading) complete() bool {
	said := slices.Sorted(slices.Values(r.words))
	return slices.ContainsFunc(r.pattern.whole, func(p phrase) bool {
		return slices.Equal(p.words, said) && len(p.slots) == len(r.slots) &&
			!slices.ContainsFunc(p.slots, func(s string) bool { _, said := r.slots[s]; return !said })
	})
}

// form is a way to say a part. One that was derived from a longer one costs
// something, so that a phrase that was written so is preferred.
type form struct {
	list []element
	cost int
	of   []int // the phrases it is from
}

// derivedCost is less than a word counts and more than nothing.
const derivedCost = 2

var slotForm = regexp.MustCompile(`\{(-?[A-Za-z0-9_]+)\}`)

// learnPatterns reads the phrases of all tools.
func learnPatterns(lex *lexicon.Lexicon, tools []model.Tool) []*pattern {
	var patterns []*pattern
	for _, t := range tools {
		patterns = append(patterns, learnPattern(lex, t))
	}
	kinds, words := kindsOf(patterns), newWeights(patterns)
	for _, p := range patterns {
		p.kinds, p.words = kinds, words
	}
	return patterns
}

// learnPattern reads a tool's phrases; its title counts as one.
func learnPattern(lex *lexicon.Lexicon, t model.Tool) *pattern {
	p := &pattern{lex: lex, tool: t, fields: readSchema(lex, t.Input, t.Sources)}
	for _, phrase := range t.Phrases {
		for _, one := range lexicon.Spellings(phrase) {
			p.learn(p.elements(one), true)
		}
	}
	p.learn(p.elements(t.Title), false)
	return p
}

// elements splits a phrase into words and slots. Noise is left out: sentences may have it anywhere.
func (p *pattern) elements(phrase string) []element {
	var list []element
	plain := func(s string, before bool) {
		if before && strings.HasPrefix(s, "'s") || strings.HasPrefix(s, "’s") {
			s = "}" + s // the possessive of a slot
		}
		for _, t := range p.lex.Canonical(lexicon.FillersOut(p.lex.OpenForms(lexicon.Tokenise(s)))) {
			if !lexicon.Noise[t.Word] && !lexicon.Passing[t.Word] {
				list = append(list, element{word: t.Word})
			}
		}
	}
	at := 0
	for _, m := range slotForm.FindAllStringSubmatchIndex(phrase, -1) {
		plain(phrase[at:m[0]], at > 0)
		name, minus := strings.CutPrefix(phrase[m[2]:m[3]], "-")
		list = append(list, element{slot: name, minus: minus})
		at = m[1]
	}
	plain(phrase[at:], at > 0)
	return list
}

// learn cuts a phrase where a linking word begins a new part. Each part after the first may be left out, since what it
// says may also be known otherwise. A title is no phrase that people say.
func (p *pattern) learn(list []element, spoken bool) {
	if ownWords(list) == 0 || slices.ContainsFunc(list, func(e element) bool {
		return e.slot != "" && p.field(e.slot) == nil
	}) {
		return // a command has a word of its own, and each slot is a field
	}
	p.learning++
	if spoken {
		p.whole = append(p.whole, wholeOf(list))
	}
	p.learnParts(list, 0)
	for i, e := range list { // "task {taskId}" is said as "{taskId}" too
		if i > 0 && i+1 < len(list) && e.word != "" && list[i+1].slot != "" && p.field(list[i+1].slot).kindWord() == e.word && p.field(list[i+1].slot).Lookup != "" {
			p.learnParts(slices.Concat(list[:i], list[i+1:]), derivedCost)
		}
	}
}

// learnParts adds the beginning of a phrase and the parts that may follow.
func (p *pattern) learnParts(list []element, cost int) {
	cut := p.cuts(list)
	head := slices.Clone(list[:cut[0]])
	for i, from := range cut[:len(cut)-1] {
		if i+3 == len(cut) && hasSlot(list[from:cut[i+1]]) && !hasSlot(list[cut[i+1]:]) {
			p.addTail(list[from:]) // "… with {a} on it"
			break
		}
		tail := list[from:cut[i+1]]
		if last := len(tail) - 1; tail[last].word == "and" {
			tail = tail[:last]
		}
		if hasSlot(tail) {
			p.addTail(tail)
		} else {
			head = append(head, tail...) // "add {name} as a member": what it is about cannot be left out
		}
	}
	switch {
	case len(head) == len(list):
	case p.tells(head):
		cost += cutCost
	default:
		head = list
	}
	p.addHead(head, cost)
}

// tells says that a beginning tells what is meant without the rest: it names a thing
// or has two words of its own. "Add 5" alone may be anything.
func (p *pattern) tells(head []element) bool {
	words := 0
	for _, e := range head {
		if e.word != "" {
			words++
		} else if f := p.field(e.slot); f.Lookup != "" || f.isList() {
			return true
		}
	}
	return words > 1
}

// cutCost is the cost of a beginning whose rest may be left out: as much as saying the phrase to its end is worth.
const cutCost = wholeBonus

// cuts lists where the parts after the head begin, and the end.
func (p *pattern) cuts(list []element) []int {
	links := func(i int) bool { return i < len(list) && lexicon.Linking[list[i].word] }
	var at []int
	for i := 1; i < len(list); i++ {
		if list[i].slot != "" || i == 1 && list[0].slot != "" {
			continue // a name alone is no beginning
		}
		first := len(at) == 0 && links(i) && i+1 < len(list)
		// "… {a} by {b}" and "… {a} paid by {b}" both begin a part behind {a}.
		behind := list[i-1].slot != "" && list[i].word != "'s" && (links(i) || links(i+1))
		// "… {a} side by {b}" and "… {a} side paid by {b}".
		later := len(at) > 0 && hasSlot(list[at[len(at)-1]:i]) && (links(i) || links(i+1))
		if first || behind || later {
			at = append(at, i)
		}
	}
	return append(at, len(list))
}

func hasSlot(list []element) bool {
	return slices.ContainsFunc(list, func(e element) bool { return e.slot != "" })
}

// addHead adds a beginning and the shorter forms of it: without a quantity or a
// choice that need not be said, without closing slots when enough words remain.
func (p *pattern) addHead(head []element, cost int) {
	p.heads = appendNew(p.heads, head, cost, p.learning)
	for i, e := range head {
		if f := p.field(e.slot); f != nil && f.countable() && i+1 < len(head) && head[i+1].slot != "" {
			p.addHead(slices.Concat(head[:i], head[i+1:]), cost+derivedCost)
		} else if f != nil && len(f.Enum) > 0 && !f.Required && i > 0 && i+1 < len(head) {
			p.heads = appendNew(p.heads, slices.Concat(head[:i], head[i+1:]), cost+derivedCost, p.learning)
		}
	}
	if last := len(head) - 1; last >= 2 && head[last].slot != "" && head[last-1].slot == "" && (head[0].slot == "" || ownWords(head) > 1) {
		p.heads = appendNew(p.heads, head[:last], cost+derivedCost, p.learning)
	}
	p.heads = p.shorter(p.heads, head, cost)
}

func ownWords(list []element) (n int) {
	for _, e := range list {
		if e.word != "" && e.word != "'s" {
			n++
		}
	}
	return n
}

// addTail adds a part and its shorter forms: "paid by {x}" is understood as
// "by {x}" too, "to {x}'s list" as "to the list".
func (p *pattern) addTail(tail []element) {
	p.tails = appendNew(p.tails, tail, 0, p.learning)
	if len(tail) > 2 && !lexicon.Linking[tail[0].word] && lexicon.Linking[tail[1].word] {
		p.tails = appendNew(p.tails, tail[1:], derivedCost, p.learning)
	}
	p.tails = p.shorter(p.tails, tail, 0)
}

// shorter adds the forms of a part whose owner is not named, and whose kind is not repeated: "the {page} page" is
// understood as "{page}" too. Any other word stays, since it may be what the phrase is about.
func (p *pattern) shorter(to []form, part []element, cost int) []form {
	last := len(part) - 1
	if last >= 2 && part[last].slot == "" && part[last-1].slot != "" {
		if f := p.field(part[last-1].slot); part[0].word != "" && !f.isNumber() && (len(f.Enum) > 0 || slices.Contains(f.kindWords(), part[last].word)) {
			to = appendNew(to, part[:last], cost+derivedCost, p.learning)
		}
	}
	for i, e := range part {
		if e.word == "'s" && i > 0 && part[i-1].slot != "" {
			to = appendNew(to, slices.Concat(part[:i-1], part[i+1:]), cost+derivedCost, p.learning)
		}
	}
	return to
}

// appendNew keeps each form once, at the lowest cost.
func appendNew(to []form, one []element, cost, of int) []form {
	if len(one) == 0 || one[0].slot != "" && len(one) == 1 {
		return to
	}
	if i := slices.IndexFunc(to, func(f form) bool { return slices.Equal(f.list, one) }); i >= 0 {
		to[i].cost = min(to[i].cost, cost)
		to[i].of = append(to[i].of, of)
		return to
	}
	return append(to, form{one, cost, []int{of}})
}

func (p *pattern) field(name string) *field {
	if i := slices.IndexFunc(p.fields, func(f field) bool { return f.Name == name }); i >= 0 {
		return &p.fields[i]
	}
	return nil
}
