package builtin

import (
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/text"
)

// strained says that a reading only fits because names may be any words.
func (r reading) strained(list []lexicon.Token) bool {
	if verb := list[0].Folded; len(r.words) < 2 && farFrom[verb] && !r.pattern.writes(verb) {
		return true
	}
	for name, s := range r.slots {
		f := r.pattern.field(name)
		if f.Lookup == "" || len(s.tokens) == 0 {
			continue
		}
		rest := s.tokens
		for len(rest) > 1 && newest[rest[0].Word] {
			rest = rest[1:]
		}
		if first := rest[0]; !first.Quoted && r.pattern.kinds[first.Word] && first.Word != f.kindWord() {
			return true // "folder Ana" is no file, nor is "last folder"
		}
		if slices.ContainsFunc(s.tokens[1:], func(t lexicon.Token) bool { return parting[t.Word] && !t.Quoted }) {
			return true
		}
	}
	return false
}

// writes says whether a phrase begins with a verb, in that very word.
func (p *pattern) writes(verb string) bool {
	return slices.ContainsFunc(p.tool.Phrases, func(phrase string) bool {
		first, _, _ := strings.Cut(phrase, " ")
		return text.Fold(first) == verb
	})
}

// kindWord names the kind of thing that an id stands for: "folder" for folderId.
func (f field) kindWord() string {
	words := f.kindWords()
	return strings.Join(words[max(len(words)-1, 0):], "")
}

// kindWords are all words of the field's name but "id".
func (f field) kindWords() []string {
	return strings.Fields(strings.TrimSuffix(text.SplitName(f.Name), " id"))
}

// kindsOf lists the kinds of things that can be named in any command.
func kindsOf(patterns []*pattern) map[string]bool {
	kinds := map[string]bool{}
	for _, p := range patterns {
		for _, f := range p.fields {
			if f.Lookup != "" {
				kinds[f.kindWord()] = true
			}
		}
	}
	return kinds
}
