package builtin

import (
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/text"
)

// contents gives the words that name the thing, most of them first: without what kind of thing it is ("the red folder"
// is red), then without the container it comes in ("boxes of pens" is pens). A size stays: it says which.
func contents(s slotText, f field) [][]lexicon.Token {
	latest := s.latest() // "Ana's last folder" is looked for as Ana's
	all := orAll(slices.DeleteFunc(slices.Clone(s.tokens), func(t lexicon.Token) bool {
		return !t.Quoted && (lexicon.Noise[t.Word] || t.Word == "'s" || latest && newest[t.Word])
	}), s.tokens)
	for len(all) > 1 && !all[0].Quoted && (all[0].Word == "of" || all[0].Word == "more") { // "a couple of", "two more"
		all = all[1:]
	}
	all = lexicon.WithSizes(all)
	var list [][]lexicon.Token
	add := func(name []lexicon.Token) {
		if n := len(list); len(name) > 0 && (n == 0 || len(name) < len(list[n-1])) {
			list = append(list, name)
		}
	}
	add(all)
	add(withoutKind(all, f))
	add(withoutLinks(withoutKind(all, f)))
	if len(all) > 2 && all[1].Word == "of" && lexicon.Units[all[0].Word] == "" {
		add(all[2:])
		add(withoutKind(all[2:], f))
	}
	return list
}

func withoutKind(all []lexicon.Token, f field) []lexicon.Token {
	kinds := append(f.kindWords(), strings.Fields(text.SplitName(f.LookupList[strings.LastIndexByte(f.LookupList, '/')+1:]))...)
	return slices.DeleteFunc(slices.Clone(all), func(t lexicon.Token) bool {
		return !t.Quoted && slices.ContainsFunc(kinds, func(k string) bool {
			return lexicon.SameWord(t.Word, k) || t.Word+"es" == k || t.Word == k+"es"
		})
	})
}

// withoutLinks leaves out what only joins: "mugs in blue" are blue mugs.
func withoutLinks(all []lexicon.Token) []lexicon.Token {
	return slices.DeleteFunc(slices.Clone(all), func(t lexicon.Token) bool {
		return !t.Quoted && (lexicon.Linking[t.Word] && t.Word != "of" || t.Word == "one" || t.Word == "ones" || t.Word == "size")
	})
}

// withoutSizes leaves sizes out, unless nothing else is there.
func withoutSizes(name []lexicon.Token) []lexicon.Token {
	return orAll(slices.DeleteFunc(slices.Clone(name), lexicon.IsSize), name)
}

// maxQueries bounds how often a search is tried with other words.
const maxQueries = 4

// queries are what a search is asked for, one after the other until something fits: the name as it was written, then
// its words one by one, a plural also as a singular.
func queries(s slotText, f field) []string {
	list := contents(s, f)
	name := list[len(list)-1]
	var whole, single []string
	for _, t := range withoutSizes(name) {
		whole = append(whole, t.Text)
		if len(t.Word) < 3 || lexicon.DigitFirst(t.Word) || t.Word == "and" {
			continue
		}
		if len(name) > 1 {
			single = append(single, t.Text)
		}
		if one := strings.TrimSuffix(t.Text, "s"); one != t.Text && len(one) > 2 {
			single = append(single, one)
		}
	}
	if len(whole) == 1 && len(name[0].Word) > 3 && !lexicon.DigitFirst(name[0].Word) { // a slip is rarely at the beginning
		single = append(single, name[0].Text[:len(name[0].Text)/2+1])
	}
	all := append([]string{strings.Join(whole, " ")}, single...)
	return all[:min(len(all), maxQueries)]
}

// pickPart understands a name that says which of a thing's parts is meant: the thing lists its parts, and the command
// has a field for their id ("parts" and "partId"). It answers with the parts of one thing, or with nothing.
func pickPart(items []item, said []string, p *pattern) (of item, fitting []item, field string) {
	for _, it := range items {
		var rest []string
		for _, w := range said {
			if wordFit(w, it.primary) == 0 {
				rest = append(rest, w)
			}
		}
		if len(rest) == 0 || len(rest) == len(said) && !slices.ContainsFunc(said, lexicon.IsCode) {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(it.fields)) {
			name := strings.TrimSuffix(key, "s") + "Id"
			list, isList := it.fields[key].([]any)
			if !isList || p.field(name) == nil {
				continue
			}
			fit := slices.DeleteFunc(parts(it.lex, list), func(part item) bool { return part.fit(rest) == 0 })
			switch {
			case len(fit) == 0:
			case len(fitting) > 0:
				return item{}, nil, ""
			default:
				of, fitting, field = it, fit, name
			}
		}
	}
	return of, fitting, field
}

// parts lists what the thing comes in: the entries of its lists that have an id.
func (it item) parts() []item {
	var all []item
	for _, key := range slices.Sorted(maps.Keys(it.fields)) {
		if list, is := it.fields[key].([]any); is {
			all = append(all, parts(it.lex, list)...)
		}
	}
	return all
}

// parts reads a nested list; all text in a part belongs to its name.
func parts(lex *lexicon.Lexicon, list []any) []item {
	items := itemsOf(lex, list)
	for i := range items {
		items[i].primary = nil
		text.Each(items[i].fields, func(v any) {
			if s, is := v.(string); is {
				items[i].primary = append(items[i].primary, nameWords(s)...)
			}
		})
	}
	return items
}
