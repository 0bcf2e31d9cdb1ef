package agent

import (
	"maps"
	"slices"
	"strings"
)

// contents gives the words that name the thing, most of them first: without what
// kind of thing it is ("home address" is home), then without the container it
// comes in ("bags of Guji" is Guji).
func contents(s slotText, f field) [][]token {
	all := slices.DeleteFunc(slices.Clone(s.tokens), func(t token) bool { return noise[t.word] && !t.quoted })
	if len(all) == 0 {
		all = s.tokens
	}
	if len(all) > 1 && all[0].word == "of" { // what is left of "a couple of"
		all = all[1:]
	}
	var list [][]token
	add := func(name []token) {
		if n := len(list); len(name) > 0 && (n == 0 || len(name) < len(list[n-1])) {
			list = append(list, name)
		}
	}
	add(all)
	add(withoutKind(all, f))
	if len(all) > 2 && all[1].word == "of" {
		add(all[2:])
		add(withoutKind(all[2:], f))
	}
	return list
}

func withoutKind(all []token, f field) []token {
	kinds := strings.Fields(strings.TrimSuffix(words(f.name), " id"))
	kinds = append(kinds, strings.Fields(words(f.lookupList[strings.LastIndexByte(f.lookupList, '/')+1:]))...)
	return slices.DeleteFunc(slices.Clone(all), func(t token) bool {
		return !t.quoted && slices.ContainsFunc(kinds, func(k string) bool {
			return sameWord(t.word, k) || t.word+"es" == k || t.word == k+"es"
		})
	})
}

func plainWords(list []token) []string {
	var words []string
	for _, t := range list {
		words = append(words, t.word)
	}
	return words
}

// queries are what a search is asked for, one after the other until something
// fits: the name as it was written, its longest word, that word's singular.
func queries(s slotText, f field) []string {
	list := contents(s, f)
	name := list[len(list)-1]
	var words []string
	for _, t := range name {
		words = append(words, t.text)
	}
	longest := slices.MaxFunc(name, func(a, b token) int { return len(a.text) - len(b.text) }).text
	all := []string{strings.Join(words, " "), longest}
	if len(longest) > 3 {
		all = append(all, strings.TrimSuffix(longest, "s"))
	}
	return slices.Compact(all)
}

// pickPart understands a name that says which of a thing's parts is meant: the
// thing lists its parts, and the command has a field for their id ("parts" and
// "partId"). It answers only when exactly one part of one thing fits.
func pickPart(items []item, said []string, p *pattern) (item, *item, string) {
	var found *item
	var of item
	var name string
	for _, it := range items {
		var rest []string
		for _, w := range said {
			if wordFit(w, it.primary) == 0 && wordFit(w, it.other) == 0 {
				rest = append(rest, w)
			}
		}
		if len(rest) == 0 || len(rest) == len(said) {
			continue
		}
		for key, v := range it.fields {
			field := strings.TrimSuffix(key, "s") + "Id"
			list, isList := v.([]any)
			if !isList || p.field(field) == nil {
				continue
			}
			for _, part := range parts(list) {
				if part.fit(rest) == 0 {
					continue
				}
				if found != nil {
					return item{}, nil, ""
				}
				found, of, name = &part, it, field
			}
		}
	}
	return of, found, name
}

// parts reads a nested list; all text in a part belongs to its name.
func parts(list []any) []item {
	var items []item
	for _, e := range list {
		m, ok := e.(map[string]any)
		if !ok {
			continue
		}
		it, ok := readItem(m)
		if !ok {
			continue
		}
		it.primary = nil
		eachText(m, func(s string) { it.primary = append(it.primary, wordsOf(s)...) })
		items = append(items, it)
	}
	return items
}

func eachText(v any, visit func(string)) {
	switch t := v.(type) {
	case string:
		visit(t)
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(t)) {
			eachText(t[k], visit)
		}
	case []any:
		for _, e := range t {
			eachText(e, visit)
		}
	}
}
